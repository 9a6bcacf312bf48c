"""Bytes on the wire: what the sockets of real processes received, by TCP's own counters. Linux alone has them."""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ..algebra.errors import FsdpSymError
from .models import stack
from .worlds import in_processes

_COUNT = 3 * 10**6  # elements of the buffer, in fp32
_BLOCKS, _WIDTH = 4, 1024
_RECEIVED = 128  # where tcpi_bytes_received stands in Linux's tcp_info
_SETTLE = 0.05  # seconds for the last acknowledgement


def measure() -> Iterator[tuple[str, int]]:
    """Every record of the group ``wire``, by id: what rank 0 received.

    Raises
    ------
    FsdpSymError
        Off Linux.
    """
    if not sys.platform.startswith("linux"):
        raise FsdpSymError("bytes on the wire are read from the counters of Linux: leave wire out, as --only persistent,collectives does")
    for ranks in (2, 3, 4):
        work = _few if ranks == 3 else _all
        for name, received in in_processes(ranks, work)[0].items():
            yield f"{name}-{ranks}", received


def _few(rank: int, ranks: int) -> dict[str, int]:
    import torch
    import torch.distributed as dist

    whole, own = torch.ones(_COUNT), torch.ones(_COUNT // ranks)
    return {
        "all-gather": _crossing(lambda: dist.all_gather_single(whole, own)),
        "all-reduce": _crossing(lambda: dist.all_reduce(whole)),
    }


def _all(rank: int, ranks: int) -> dict[str, int]:
    import torch
    import torch.distributed as dist

    whole, own = torch.ones(_COUNT), torch.ones(_COUNT // ranks)
    found = _few(rank, ranks)
    found["gloo-scatter"] = _crossing(lambda: dist.reduce_scatter_single(own, whole))
    for name, reshard in (("fsdp2", True), ("fsdp2-kept", False)):
        found[name] = _sharded_step(ranks, reshard, exchanged=True)
        found[f"gloo-{name}"] = _sharded_step(ranks, reshard, exchanged=False)
    found["zero-1"], found["zero-1-state"] = _zero_1_step(8)
    _, found["zero-1-whole"] = _zero_1_step(6)
    return found


def _crossing(work: Callable[[], Any]) -> int:
    """Bytes that this process received while all did the work."""
    import torch.distributed as dist

    dist.barrier()
    before = _received()
    work()
    time.sleep(_SETTLE)
    found = _received() - before
    dist.barrier()
    return found


def _received() -> int:
    """Bytes that all connections of this process have received so far."""
    total = 0
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # closed meanwhile, or no connected socket
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                with socket.socket(fileno=os.dup(int(number))) as one:
                    if one.family in (socket.AF_INET, socket.AF_INET6) and one.getpeername():
                        info = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED + 8)
                        total += struct.unpack_from("Q", info, _RECEIVED)[0]
    return total


def _sharded_step(ranks: int, reshard: bool, exchanged: bool) -> int:
    """A step under FSDP2. Gloo's own reduce-scatter moves what an all-reduce does; where parts are `exchanged`, it is one there."""
    import torch
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import FSDPModule, fully_shard
    from torch.distributed.fsdp._fully_shard._fsdp_api import ReduceScatter

    class Exchanged(ReduceScatter):
        """Every rank sends each other the partial sums of its shard, and adds up what it gets."""

        def allocate(self, size: Any, *, dtype: Any, device: Any) -> Any:
            return torch.empty(*size, dtype=dtype, device=device)

        def __call__(self, output_tensor: Any, input_tensor: Any, group: Any, op: Any, async_op: bool = False) -> None:
            parts = torch.empty_like(input_tensor)
            dist.all_to_all_single(parts, input_tensor, group=group)
            torch.sum(parts.view(group.size(), -1), 0, out=output_tensor)

    mesh = init_device_mesh("cpu", (ranks,))
    model: Any = stack(_BLOCKS, _WIDTH)
    for block in model.blocks:
        fully_shard(block, mesh=mesh, reshard_after_forward=reshard)
    fully_shard(model, mesh=mesh)
    for module in model.modules():
        if exchanged and isinstance(module, FSDPModule):
            module.set_custom_reduce_scatter(Exchanged())

    def step() -> None:
        model(torch.ones(2, _WIDTH)).sum().backward()

    step()
    return _crossing(step)


def _zero_1_step(matrices: int) -> tuple[int, int]:
    """Bytes received in a step of ZeRO-1, gradients all-reduced by DDP, each rank's parameters broadcast; and of this rank's states."""
    import torch
    from torch.distributed.optim import ZeroRedundancyOptimizer
    from torch.nn.parallel import DistributedDataParallel

    model: Any = DistributedDataParallel(stack(matrices - 2, _WIDTH))
    optimizer: Any = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, foreach=False)

    def step() -> None:
        model(torch.ones(2, _WIDTH)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()

    step()
    received = _crossing(step)
    states = [x for state in optimizer.optim.state.values() for x in state.values() if x.dim()]
    return received, sum(x.numel() * x.element_size() for x in states)
