"""The fullest moment of every phase of two training steps, storage by storage, on one rank of a fake group."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from ..reasoning.evidence import record_id, runs, shape_and_step
from ..reasoning.step import Step
from ..scenarios.shapes import Shape
from .models import decoder
from .storages import storages
from .worlds import fake_world

_FIRST = ("first forward pass", "first backward pass", "first optimizer step")
_LATER = ("later forward pass", "backward pass", "optimizer step")


def measure() -> Iterator[tuple[str, int]]:
    """Every record of the group ``peaks``, by id."""
    for run in runs():
        shape, step = shape_and_step(run)
        for phase, peak in peaks(shape, run.ranks, step, fake=run.fake).items():
            if not phase.startswith("first ") or phase == _FIRST[0]:
                yield record_id(run, phase), peak


def peaks(shape: Shape, ranks: int, step: Step, *, fake: bool = False) -> dict[str, int]:
    """Bytes at the fullest moment of each phase, on rank 0 of a fake world, on real or on fake tensors."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with fake_world(ranks) as mesh, FakeTensorMode() if fake else nullcontext():
        return stepped_phases(shape, step, mesh, fake)


def stepped_phases(shape: Shape, step: Step, mesh: Any, fake: bool = False) -> dict[str, int]:
    """The same on any mesh, of this rank; the batch is the caller's and not counted."""
    import torch

    model = sharded(shape, step, mesh)
    optimizer = torch.optim.Adam(model.parameters(), foreach=step.optimizer == "foreach", fused=step.optimizer == "fused")
    tokens, targets = (torch.zeros(step.batch, step.tokens, dtype=torch.long) for _ in range(2))
    found = {}
    with storages(model.parameters(), (tokens, targets), fake) as seen:
        for forward, backward, update in (_FIRST, _LATER):
            seen.restart()
            loss = model(tokens, targets)
            found[forward] = seen.peak
            seen.restart()
            loss.backward()
            found[backward] = seen.peak
            del loss
            seen.restart()
            optimizer.step()
            found[update] = seen.peak
            optimizer.zero_grad()
    return found


def sharded(shape: Shape, step: Step, mesh: Any) -> Any:
    """A decoder of this shape under FSDP2, as `step` says."""
    import torch
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    widths = {2: torch.bfloat16, 4: torch.float32}
    policy: dict[str, Any] = {"mesh": mesh}
    if step.compute != 4:
        policy["mp_policy"] = MixedPrecisionPolicy(param_dtype=widths[step.compute], reduce_dtype=widths[step.reduce])
    model: Any = decoder(shape, loss=step.loss, recompute=step.recompute == "full")
    blocks = list(model.blocks)
    for block in blocks:
        fully_shard(block, reshard_after_forward=step.reshard, **policy)
    if step.ahead:
        for number, block in enumerate(blocks, 1):
            block.set_modules_to_forward_prefetch(blocks[number : number + step.ahead])
    return fully_shard(model, **policy)
