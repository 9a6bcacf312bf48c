"""The reader's own configuration: what the formulas say of it, beside what PyTorch and Transformers make of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    if runs(shape):
        yield from _step(shape, ranks)


def runs(shape: Shape) -> bool:
    """Whether there is a decoder to step: none has experts, learned positions or fused matrices."""
    return not (shape.experts or shape.positions or shape.fused_transposed)


def _equal(what: str, predicted: int | Fraction, measured: int | Fraction) -> Reading:
    return Reading(what, Fraction(predicted), Fraction(measured))


def _step(shape: Shape, ranks: int) -> Iterator[Reading]:
    """A step of bf16 with an fp32 reduction, on fake tensors: collectives, and the fullest moment of each phase."""
    issued = _issued(shape, ranks)
    once = {"L": shape.layers, "K_mb": 1, "r": 1, "u_root": 0, "u_sync": 1}
    # One rank alone makes no collective.
    for what, formula in (("all-gather", "gathers_in_step"), ("reduce-scatter", "scatters_in_step")) if ranks > 1 else ():
        yield _equal(f"{what}s of a step", value_of(formula, once), sum(one.what == what for one in issued))
    blocks, root = (padded([t for t in shape.tensors if (t.group == "block") is inside], ranks) for inside in (True, False))
    sizes = {"N": ranks, "S_blk": blocks * _STEP.compute, "S_root": root * _STEP.compute, "S_g": (blocks + root) * _STEP.reduce}
    received = sum((one.received for one in issued), Fraction(0))
    yield _equal("bytes a rank receives in a step", value_of("step_traffic", once | sizes), received)
    if ranks > 1:
        found = peaks(shape, ranks, _STEP, fake=True)
        for phase in account(shape, ranks, _STEP).phases:
            exact = phase.name == "optimizer step"
            what = f"{phase.name} at its fullest, {_STEP.tokens} tokens, bytes"
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
