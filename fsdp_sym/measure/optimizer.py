"""Temporaries of Adam's step: the most that is held during it beyond what is held before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .models import stack
from .storages import storages
from .worlds import fake_world


def measure() -> Iterator[tuple[str, int]]:
    """Every record of the group ``optimizer``, by id."""
    import torch
    from torch import nn

    def step(model: Any, **walk: bool) -> tuple[int, int]:
        """The peak of a second step, and what is held around it: states are made in the first one."""
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        optimizer = torch.optim.Adam(model.parameters(), **walk)
        optimizer.step()
        states = [x for state in optimizer.state.values() for x in state.values()]
        with storages([*model.parameters(), *(p.grad for p in model.parameters()), *states]) as seen:
            optimizer.step()
            return seen.peak, seen.held()

    def sharded(model: Any, **walk: bool) -> tuple[int, int]:
        from torch.distributed.fsdp import fully_shard

        with fake_world(4) as mesh:
            return step(fully_shard(model, mesh=mesh), **walk)

    peak, held = sharded(stack(4, 64), foreach=True)
    yield "foreach-temporaries", peak - held
    peak, held = sharded(stack(4, 64), foreach=False)
    yield "loop-temporaries", peak - held
    peak, held = sharded(nn.Linear(64, 64, bias=False), foreach=False)
    yield "loop-temporaries-first", peak - held
    flat = nn.Module()
    flat.shard = nn.Parameter(torch.zeros(6 * 64 * 64 // 4))
    peak, held = step(flat, foreach=False)
    yield "flat-temporaries", peak - held
    yield "fused-step", sharded(stack(4, 64), fused=True)[0]
    yield "tracker-total", _tracked()


def _tracked() -> int:
    """What PyTorch's own tracker adds up once a step is done, but for the batch; its peaks are not taken."""
    import torch
    from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
    from torch.distributed.fsdp import fully_shard

    with fake_world(4) as mesh:
        model: Any = stack(4, 64)
        for block in model.blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        optimizer = torch.optim.Adam(model.parameters())
        batch = torch.ones(2, 64)
        tracker = FSDPMemTracker(model, optimizer)
        tracker.track_inputs((batch,))
        with tracker:
            model(batch).sum().backward()
            optimizer.step()
            (snapshot,) = tracker.get_tracker_snapshot("current").values()
        return int(snapshot["Total"] - batch.numel() * batch.element_size())
