"""Persistent bytes of a rank under FSDP2: parameters, gradients and optimizer states, added up tensor by tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..scenarios.shapes import SHAPES, Shape
from .collectives import recorded
from .models import holding, stack
from .storages import storages
from .worlds import fake_world

_RANKS = (("Llama-2-7B", (8, 64, 1024)), ("Llama-2-70B", (8, 64, 1024)))
_ROWS, _RANKS_OF_ROWS, _REST = 1000, 64, 8
_FP32 = 4


class Held(NamedTuple):
    """Bytes on one rank: its own rows, and the optimizer's step counters beside them."""

    logical: int
    counters: int


def measure() -> Iterator[tuple[str, int]]:
    """Every record of the group ``persistent``, by id."""
    for name, worlds in _RANKS:
        for ranks in worlds:
            found = held(SHAPES[name], ranks)
            yield f"{name.lower()}-{ranks}-ranks", found.logical
            if (name, ranks) == ("Llama-2-7B", 8):
                yield "adam-counters", found.counters
    yield "llama-2-7b-1024-ranks-rank-1023", held(SHAPES["Llama-2-7B"], 1024, 1023).logical
    yield from _rates()
    yield from _lifetimes()
    yield "deferred-gradients", _held_back("set_requires_gradient_sync", replicas=1)
    yield "partial-sums", _held_back("set_requires_all_reduce", replicas=2)
    yield from _uneven()


def held(shape: Shape, ranks: int, rank: int = 0) -> Held:
    """Shard a model of this shape with FSDP2 over a fake world, step Adam once, and add up what a rank holds."""
    import torch
    from torch.distributed.fsdp import fully_shard

    with fake_world(ranks, rank) as mesh:
        model = holding(shape)
        for block in model.blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        return stepped(list(model.parameters()), lambda p: torch.optim.Adam(p, foreach=False))


def stepped(parameters: list[Any], make: Callable[[list[Any]], Any]) -> Held:
    """Give every parameter a gradient, step the optimizer once, and add up local tensors."""
    import torch
    from torch.distributed.tensor import DTensor

    def size(tensor: Any) -> int:
        local = tensor.to_local() if isinstance(tensor, DTensor) else tensor
        return int(local.numel() * local.element_size())

    for parameter in parameters:
        parameter.grad = torch.zeros_like(parameter)
    optimizer = make(parameters)
    optimizer.step()
    states = [x for state in optimizer.state.values() for x in state.values() if isinstance(x, torch.Tensor)]
    own = sum(size(p) + size(p.grad) for p in parameters) + sum(size(x) for x in states if x.dim())
    return Held(own, sum(size(x) for x in states if not x.dim()))


def _rates() -> Iterator[tuple[str, int]]:
    """Bytes a parameter of several optimizers, on a model whose rows divide."""
    import torch
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    optim: Any = torch.optim
    mixed = {"mp_policy": MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)}
    runs: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "adam-fp32": (lambda p: optim.Adam(p, foreach=False), torch.float32, {}),
        "adamw-amsgrad": (lambda p: optim.AdamW(p, foreach=False, amsgrad=True), torch.float32, {}),
        "sgd": (lambda p: optim.SGD(p, foreach=False), torch.float32, {}),
        "sgd-momentum": (lambda p: optim.SGD(p, momentum=0.9, foreach=False), torch.float32, {}),
        "pure-bf16": (lambda p: optim.Adam(p, foreach=False), torch.bfloat16, {}),
        "mixed-precision": (lambda p: optim.Adam(p, foreach=False), torch.float32, mixed),
    }
    for id, (make, dtype, policy) in runs.items():
        with fake_world(4) as mesh:
            model = stack(3, 64).to(dtype)
            total = sum(p.numel() for p in model.parameters())
            fully_shard(model, mesh=mesh, **policy)
            found = stepped(list(model.parameters()), make).logical * 4
            if found % total:
                raise AssertionError(f"{id}: {found} bytes are no whole number a parameter of {total}")
            yield id, found // total


def _lifetimes() -> Iterator[tuple[str, int]]:
    """What a rank holds between the phases of a step, once the caller has let go of the loss."""
    import torch
    from torch.distributed.fsdp import fully_shard

    with fake_world(4) as mesh:
        model = stack(4, 64)
        for block in model.blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        optimizer = torch.optim.Adam(model.parameters(), foreach=False)
        batch = torch.ones(2, 64)
        counters = _FP32 * len(list(model.parameters()))
        with storages(model.parameters(), [batch]) as seen:
            yield "before-the-first-step", seen.held()
            model(batch).sum().backward()
            yield "after-the-first-backward", seen.held()
            optimizer.step()
            yield "after-the-step", seen.held() - counters
            optimizer.zero_grad()
            yield "after-zero-grad", seen.held() - counters


def _held_back(switch: str, replicas: int) -> int:
    """What a backward pass leaves on a rank of 4 beside its parameters when `switch` is off."""
    import torch
    from torch.distributed.fsdp import fully_shard

    with fake_world(4 * replicas, dims={"replicas": replicas, "shards": 4} if replicas > 1 else None) as mesh:
        model: Any = stack(4, 64)
        for block in model.blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        getattr(model, switch)(False)
        batch = torch.ones(2, 64)
        with storages(model.parameters(), [batch]) as seen:
            before = seen.held()
            model(batch).sum().backward()
            return int(seen.held() - before)


def _uneven() -> Iterator[tuple[str, int]]:
    """A matrix whose rows do not divide: what ranks own, what they allocate, and what is gathered."""
    import torch
    from torch import nn
    from torch.distributed.fsdp import fully_shard

    rows = []
    for rank in (0, *range(_RANKS_OF_ROWS - 3, _RANKS_OF_ROWS)):
        with fake_world(_RANKS_OF_ROWS, rank) as mesh:
            model = fully_shard(nn.Linear(_REST, _ROWS, bias=False), mesh=mesh)
            with recorded() as issued:
                model(torch.ones(1, _REST)).sum().backward()
            weight: Any = model.weight
            optimizer = torch.optim.Adam([weight], foreach=False)
            optimizer.step()
            local = weight.to_local()
            rows.append(int(local.shape[0]))
            buffers = sum(t.untyped_storage().nbytes() for t in (local, weight.grad.to_local()))
            own = sum(x.to_local().numel() * _FP32 for x in optimizer.state[weight].values() if x.dim())
        if rank in (0, _RANKS_OF_ROWS - 2, _RANKS_OF_ROWS - 1):
            yield f"rank-{rank}-of-64", buffers + own
        if rank == 0:
            yield "rows-of-1000", rows[0]
            yield "padded-gather", next(one.whole for one in issued if one.what == "all-gather")
    yield "last-of-64", [count for count in rows if count][-1]
    yield "empty-of-64", rows.count(0)
