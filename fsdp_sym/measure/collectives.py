"""The collectives of one optimizer step under FSDP2: what was issued, over how many ranks, and what a rank received."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from .models import stack
from .worlds import fake_world

_BLOCKS, _WIDTH, _RANKS, _ADAPTER = 4, 64, 4, 8
_NO_COLLECTIVE = {"wait_tensor", "_wrap_tensor_autograd"}


class Issued(NamedTuple):
    """A collective: ``all-gather``, ``reduce-scatter`` or ``all-reduce``; bytes of the whole buffer; the ranks of its group."""

    what: str
    whole: int
    ranks: int

    @property
    def received(self) -> Fraction:
        """Bytes one rank receives of a ring."""
        return Fraction((2 if self.what == "all-reduce" else 1) * self.whole * (self.ranks - 1), self.ranks)


@contextmanager
def recorded() -> Iterator[list[Issued]]:
    """Every collective that is issued inside, in order."""
    from torch.distributed.tensor import DTensor
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[Issued] = []

    class Recorder(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            # A DTensor's own collectives are seen once it has unwrapped itself.
            if any(issubclass(t, DTensor) for t in types):
                return NotImplemented
            if function.namespace in ("c10d", "_c10d_functional") and (one := _issued(function, args)):
                found.append(one)
            return function(*args, **(kwargs or {}))

    with Recorder():
        yield found


def _issued(function: Any, args: Any) -> Issued | None:
    from torch.distributed.distributed_c10d import ProcessGroup, _resolve_process_group

    def size(tensor: Any) -> int:
        return int(tensor.numel() * tensor.element_size())

    match function.__name__.partition(".")[0]:
        case "_allgather_base_":
            return Issued("all-gather", size(args[0]), size(args[0]) // size(args[1]))
        case "_reduce_scatter_base_":
            return Issued("reduce-scatter", size(args[1]), size(args[1]) // size(args[0]))
        case "allreduce_":
            return Issued("all-reduce", sum(map(size, args[0])), ProcessGroup.unbox(args[1]).size())
        case "all_reduce":
            return Issued("all-reduce", size(args[0]), _resolve_process_group(args[2]).size())
        case "all_gather_into_tensor":
            return Issued("all-gather", size(args[0]) * args[1], args[1])
        case "reduce_scatter_tensor":
            return Issued("reduce-scatter", size(args[0]), args[2])
        case name if name in _NO_COLLECTIVE:
            return None
        case name:
            raise NotImplementedError(f"the collective {name} is not known: add it to measure/collectives.py")


@dataclass(frozen=True)
class Setup:
    """How the stack is wrapped and stepped; the names are FSDP2's own."""

    ranks: int = _RANKS
    replicas: int = 1
    reshard: bool | int | None = True
    root: bool | None = None
    micro_batches: int = 1
    last_alone: tuple[str, ...] = ()
    frozen: int = 0
    grad: bool = True
    checkpointed: bool = False
    mixed: bool = False
    ends: bool = False
    adapters: bool = False
    clip: bool = False


def _count(what: str) -> Callable[[list[Issued]], int]:
    return lambda issued: sum(one.what == what for one in issued)


def _received(what: str = "") -> Callable[[list[Issued]], Fraction]:
    return lambda issued: sum((one.received for one in issued if what in ("", one.what)), Fraction(0))


_GATHERS, _SCATTERS, _REDUCES = _count("all-gather"), _count("reduce-scatter"), _count("all-reduce")
_SYNC, _RESHARD, _ALL = "set_requires_gradient_sync", "set_reshard_after_backward", "set_requires_all_reduce"
_DEFERRED = Setup(micro_batches=3, last_alone=(_SYNC,))
_KEPT_AFTER = Setup(micro_batches=3, last_alone=(_SYNC, _RESHARD))
_REPLICAS = Setup(replicas=2, micro_batches=3, last_alone=(_ALL,))

READ: dict[str, tuple[Setup, Callable[[list[Issued]], int | Fraction]]] = {
    **{
        f"{kind}-{name}": (setup, read)
        for kind, read in (("gathers", _GATHERS), ("scatters", _SCATTERS))
        for name, setup in {
            "reshard": Setup(), "kept": Setup(reshard=False), "root-too": Setup(root=True), "group-of-2": Setup(reshard=2),
            "frozen": Setup(frozen=1), "checkpointed": Setup(checkpointed=True), "micro": Setup(micro_batches=3),
            "deferred": _DEFERRED, "kept-after-backward": _KEPT_AFTER, "replicas": _REPLICAS, "ends": Setup(ends=True),
        }.items()
    },
    "gathers-default": (Setup(reshard=None), _GATHERS),
    "gathers-no-grad": (Setup(grad=False), _GATHERS),
    "reduces-replicas": (_REPLICAS, _REDUCES),
    "reduces-each": (Setup(replicas=2, micro_batches=3), _REDUCES),
    **{
        f"bytes-{name}": (setup, _received())
        for name, setup in {
            "reshard": Setup(), "kept": Setup(reshard=False), "root-too": Setup(root=True), "mixed": Setup(mixed=True),
            "mixed-root-too": Setup(mixed=True, root=True), "mixed-kept": Setup(mixed=True, reshard=False),
            "micro": Setup(micro_batches=3), "deferred": _DEFERRED, "alone": Setup(ranks=1), "group-of-2": Setup(reshard=2),
            "adapters": Setup(adapters=True), "no-grad": Setup(grad=False),
        }.items()
    },
    "bytes-replicas": (Setup(replicas=2), _received("all-reduce")),
    "bytes-clip": (Setup(clip=True), _received("all-reduce")),
}  # fmt: skip


def measure() -> Iterator[tuple[str, int | Fraction]]:
    """Every record of the group ``collectives``, by id."""
    issued = {setup: step(setup) for setup, _ in READ.values()}
    for id, (setup, read) in READ.items():
        yield id, read(issued[setup])


def step(setup: Setup) -> list[Issued]:
    """One optimizer step of the stack, seen from rank 0 of a fake world."""
    import torch

    dims = {"replicas": setup.replicas, "shards": setup.ranks} if setup.replicas > 1 else None
    with ExitStack() as within:
        mesh = within.enter_context(fake_world(setup.ranks * setup.replicas, dims=dims))
        model = _wrapped(setup, mesh)
        issued = within.enter_context(recorded())
        within.enter_context(torch.set_grad_enabled(setup.grad))
        for number in range(1, setup.micro_batches + 1):
            for name in setup.last_alone:
                getattr(model, name)(number == setup.micro_batches)
            loss = model(torch.ones(2, _WIDTH)).sum()
            if setup.grad:
                loss.backward()
        if setup.clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        return issued


def _wrapped(setup: Setup, mesh: Any) -> Any:
    import torch
    from torch import nn
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    model: Any = _with_adapters() if setup.adapters else stack(_BLOCKS, _WIDTH)
    blocks = list(model.blocks)
    for block in blocks[: setup.frozen]:
        block.requires_grad_(False)
    if setup.checkpointed:
        blocks = [checkpoint_wrapper(block) for block in blocks]
        model.blocks = nn.ModuleList(blocks)
    policy: dict[str, Any] = {"mesh": mesh}
    if setup.mixed:
        policy["mp_policy"] = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for block in [*blocks, *([model.embedding] if setup.ends else [])]:
        fully_shard(block, reshard_after_forward=setup.reshard, **policy)
    if setup.ends:
        fully_shard(model.head, reshard_after_forward=False, **policy)
    return fully_shard(model, reshard_after_forward=setup.root, **policy)


def _with_adapters() -> Any:
    """Frozen matrices, each with two thin ones that train, and nothing outside the blocks."""
    from torch import nn

    class Adapted(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.base = nn.Linear(_WIDTH, _WIDTH, bias=False).requires_grad_(False)
            self.down, self.up = nn.Linear(_WIDTH, _ADAPTER, bias=False), nn.Linear(_ADAPTER, _WIDTH, bias=False)

        def forward(self, x: Any) -> Any:
            return self.base(x) + self.up(self.down(x))

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.blocks = nn.ModuleList(Adapted() for _ in range(_BLOCKS))

        def forward(self, x: Any) -> Any:
            for block in self.blocks:
                x = block(x)
            return x

    return Model()
