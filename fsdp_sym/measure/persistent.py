"""Persistent bytes of a rank under FSDP2: parameters, gradients and optimizer states, added up tensor by tensor."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..scenarios.shapes import Shape
from .models import holding
from .worlds import fake_world


class Held(NamedTuple):
    """Bytes on one rank: its own rows, and the optimizer's step counters beside them."""

    logical: int
    counters: int


def held(shape: Shape, ranks: int, rank: int = 0) -> Held:
    """Shard a model of this shape with FSDP2 over a fake world, step Adam once, and add up what a rank holds."""
    import torch
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import DTensor

    with fake_world(ranks, rank) as mesh:
        model = holding(shape)
        for block in model.blocks:  # type: ignore[union-attr]
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        parameters = list(model.parameters())
        for parameter in parameters:
            parameter.grad = torch.zeros_like(parameter)
        optimizer = torch.optim.Adam(parameters, foreach=False)
        optimizer.step()

        def size(tensor: Any) -> int:
            local = tensor.to_local() if isinstance(tensor, DTensor) else tensor
            return int(local.numel() * local.element_size())

        own = sum(size(p) + size(p.grad) for p in parameters)
        states = [value for state in optimizer.state.values() for value in state.values()]
        counters = sum(size(x) for x in states if x.dim() == 0)
        return Held(own + sum(size(x) for x in states if x.dim()), counters)


def rates(ranks: int = 4) -> dict[str, int]:
    """Bytes a parameter of several optimizers, on a model whose rows divide."""
    import torch
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import DTensor

    from .models import stack

    makers: dict[str, Any] = {
        "Adam": lambda p: torch.optim.Adam(p, foreach=False),
        "AdamW with amsgrad": lambda p: torch.optim.AdamW(p, foreach=False, amsgrad=True),
        "SGD": lambda p: torch.optim.SGD(p, foreach=False),
        "SGD with momentum": lambda p: torch.optim.SGD(p, momentum=0.9, foreach=False),
        "bf16 Adam": lambda p: torch.optim.Adam(p, foreach=False),
    }
    found = {}
    for name, make in makers.items():
        with fake_world(ranks) as mesh:
            model = stack(3, 64).to(torch.bfloat16 if name.startswith("bf16") else torch.float32)
            total = sum(p.numel() for p in model.parameters())
            fully_shard(model, mesh=mesh)
            parameters = list(model.parameters())
            for parameter in parameters:
                parameter.grad = torch.zeros_like(parameter)
            optimizer = make(parameters)
            optimizer.step()
            tensors = [*parameters, *(p.grad for p in parameters)]
            tensors += [v for state in optimizer.state.values() for v in state.values() if isinstance(v, torch.Tensor) and v.dim()]
            size = sum(t.to_local().numel() * t.element_size() for t in tensors if isinstance(t, DTensor))
            found[name] = size * ranks // total
    return found
