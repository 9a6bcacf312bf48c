"""Tensor and sequence parallelism on one rank of a fake group: what a block's group exchanges, and what each rank keeps."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .collectives import Issued, recorded
from .persistent import stepped
from .saved import SMALL, kept, spelled_out
from .worlds import fake_world

_RANKS = 4
_DEGREES = {"data": 16, "pipeline": 8, "tensor": 8}
_LAYERS, _HIDDEN = 80, 8192


def measure() -> Iterator[tuple[str, int | Fraction]]:
    """Every record of the group ``parallel``, by id."""
    for name, style in (("tp", "whole"), ("tp-prepared", "prepared"), ("sp", "sequence")):
        issued, bytes_kept = block(style)
        suffix = name.removeprefix("tp").removeprefix("sp")
        if style == "sequence":
            counts = {what: sum(one.what == what for one in issued) for what in ("all-gather", "reduce-scatter")}
            if len(set(counts.values())) != 1 or len(issued) != sum(counts.values()):
                raise AssertionError(f"no pairs of all-gathers and reduce-scatters: {issued}")
            yield "sp-pairs", counts["all-gather"]
        else:
            yield f"tp-reduces{suffix}", len(issued)
        yield f"{name[:2]}-bytes{suffix}", sum((one.received for one in issued), Fraction(0))
        if not suffix:
            yield f"{name}-kept", bytes_kept
    yield "eighty-blocks", eighty_blocks()


def block(style: str) -> tuple[list[Issued], int]:
    """The collectives of one micro-batch of a block, and the bytes that it keeps on rank 0.

    ``whole`` gives every matrix the whole input, ``prepared`` prepares one input for each half, and ``sequence`` splits along the
    sequence whatever stands between the halves.
    """
    import torch
    from torch.distributed.tensor.parallel import parallelize_module

    with fake_world(_RANKS) as mesh:
        module = parallelize_module(spelled_out(SMALL, "dropout"), mesh, _styles(style))
        tokens = SMALL.s // _RANKS if style == "sequence" else SMALL.s
        x = torch.randn(SMALL.b, tokens, SMALL.d, dtype=torch.bfloat16, requires_grad=True)
        bytes_kept = kept(module, x)
        with recorded() as issued:
            module(x).sum().backward()
        return issued, bytes_kept


def _styles(style: str) -> dict[str, Any]:
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.parallel import ColwiseParallel, PrepareModuleInput, RowwiseParallel, SequenceParallel

    split = style == "sequence"
    outside = Shard(1) if split else Replicate()
    found: dict[str, Any] = {f"attention.{name}": ColwiseParallel() for name in ("query", "key", "value")}
    found["feed_forward.up"] = ColwiseParallel()
    found |= {name: RowwiseParallel(output_layouts=outside) for name in ("attention.output", "feed_forward.down")}
    if style != "whole":
        prepared = {"input_layouts": (outside,), "desired_input_layouts": (Replicate(),)}
        found |= {half: PrepareModuleInput(**prepared) for half in ("attention", "feed_forward")}
    if split:
        found |= {norm: SequenceParallel(use_local_output=True) for norm in ("first", "second")}
    return found


def eighty_blocks() -> int:
    """Model state on rank 0 of 16 x 8 x 8: its stage's blocks, split over the tensor group and sharded over data-parallel ranks."""
    import torch
    from torch import nn
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor.parallel import parallelize_module

    def linear(inputs: int, outputs: int) -> Any:
        return nn.Linear(inputs, outputs, device="meta")

    def part(names: tuple[str, ...], outputs: int, last: str) -> Any:
        found = nn.Module()
        for name in names:
            found.register_module(name, linear(_HIDDEN, outputs))
        found.register_module(last, linear(outputs, _HIDDEN))
        return found

    world = _DEGREES["data"] * _DEGREES["pipeline"] * _DEGREES["tensor"]
    with fake_world(world, dims=_DEGREES) as mesh:
        stage = nn.ModuleList()
        for _ in range(_LAYERS // _DEGREES["pipeline"]):
            one = nn.Module()
            one.attention, one.feed_forward = part(("query", "key", "value"), _HIDDEN, "output"), part(("up",), 4 * _HIDDEN, "down")
            one.first, one.second = (nn.LayerNorm(_HIDDEN, device="meta") for _ in range(2))
            parallelize_module(one, mesh["tensor"], _styles("whole"))
            stage.append(fully_shard(one, mesh=mesh["data"]))
        return stepped(list(stage.parameters()), lambda p: torch.optim.Adam(p, foreach=False)).logical
