"""The reader's own configuration: what the formulas say of it, beside what PyTorch and Transformers make of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from ..reasoning.account import account
from ..reasoning.ranks import STEP_COUNTER, rank_bytes
from ..reasoning.step import Step, padded, value_of
from ..scenarios.config import read_config
from ..scenarios.shapes import Shape
from .collectives import Issued, recorded
from .counts import parameters
from .peaks import peaks, sharded
from .persistent import held
from .reading import Reading
from .worlds import fake_world

_STEP = Step(batch=1, tokens=2048, norm="composite")
_NEAR = Fraction(1, 10)


def readings(path: Path, ranks: int) -> Iterator[Reading]:
    """The model of a ``config.json`` on so many ranks, seen from the first of them and, where shards do not divide, the last."""
    shape = read_config(path)
    yield _equal("parameters, as Transformers counts them", shape.parameters, parameters(json.loads(path.read_bytes())))
    logical = rank_bytes(shape, ranks).logical
    for rank in sorted({0, ranks - 1}):
        found = held(shape, ranks, rank)
        yield _equal(f"parameters, gradients and Adam's states, rank {rank} of {ranks}, bytes", int(logical[rank]), found.logical)
        if rank == 0:
            yield _equal("Adam's step counters, bytes", STEP_COUNTER * shape.tensor_count, found.counters)
    yield from _collectives(shape, ranks)
    # Of a mixture, what is kept depends on where the tokens go.
    if ranks > 1 and not shape.experts:
        yield from _phases(shape, ranks)


def _equal(what: str, predicted: int | Fraction, measured: int | Fraction) -> Reading:
    return Reading(what, Fraction(predicted), Fraction(measured))


def _collectives(shape: Shape, ranks: int) -> Iterator[Reading]:
    """What a step of bf16 with an fp32 reduction issues."""
    issued = _issued(shape, ranks)
    once = {"L": shape.layers, "K_mb": 1, "r": 1, "u_root": 0, "u_sync": 1}
    # One rank alone makes no collective.
    for what, formula in (("all-gather", "gathers_in_step"), ("reduce-scatter", "scatters_in_step")) if ranks > 1 else ():
        yield _equal(f"{what}s of a step", value_of(formula, once), sum(one.what == what for one in issued))
    blocks, root = (padded([t for t in shape.tensors if (t.group == "block") is inside], ranks) for inside in (True, False))
    sizes = {"N": ranks, "S_blk": blocks * _STEP.compute, "S_root": root * _STEP.compute, "S_g": (blocks + root) * _STEP.reduce}
    received = sum((one.received for one in issued), Fraction(0))
    yield _equal("bytes a rank receives in a step", value_of("step_traffic", once | sizes), received)


def _phases(shape: Shape, ranks: int) -> Iterator[Reading]:
    """The fullest moment of each phase of the same step, on fake tensors."""
    # There are as many tokens as learned positions at most, and a CPU's LayerNorm keeps its statistics in the width it computes in.
    step = replace(
        _STEP, tokens=min(_STEP.tokens, shape.positions or _STEP.tokens), statistic=_STEP.compute if shape.layer_norm else _STEP.statistic
    )
    found = peaks(shape, ranks, step, fake=True)
    for phase in account(shape, ranks, step).phases:
        exact = phase.name == "optimizer step"
        what = f"{phase.name} at its fullest, {step.tokens} tokens, bytes"
        yield Reading(what, Fraction(phase.size), Fraction(found[phase.name]), Fraction(0) if exact else _NEAR, bound=not exact)


def _issued(shape: Shape, ranks: int) -> list[Issued]:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    with fake_world(ranks) as mesh, FakeTensorMode():
        model = sharded(shape, _STEP, mesh)
        tokens, targets = (torch.zeros(1, 8, dtype=torch.long) for _ in range(2))
        with recorded() as issued:
            model(tokens, targets).backward()
        return issued
