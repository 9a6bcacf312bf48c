"""Process groups to measure in: a fake one of any size in this process, and real processes that talk over gloo."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def quietly() -> Iterator[None]:
    """One thread, as there are two measurements at a time, and none of the warnings about what PyTorch will be."""
    import torch

    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def fake_world(ranks: int, rank: int = 0, dims: dict[str, int] | None = None) -> Iterator[Any]:
    """A world of any size in one process, seen from one rank: shapes and counts are real, numbers are not.

    Parameters
    ----------
    ranks, rank : int
    dims : dict, optional
        Named dimensions of the mesh; by default one of all ranks.

    Yields
    ------
    torch.distributed.device_mesh.DeviceMesh
    """
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.testing._internal.distributed.fake_pg import FakeStore

    dist.init_process_group("fake", rank=rank, world_size=ranks, store=FakeStore())
    try:
        sizes, names = (tuple(dims.values()), tuple(dims)) if dims else ((ranks,), None)
        yield init_device_mesh("cpu", sizes, mesh_dim_names=names)
    finally:
        dist.destroy_process_group()


def in_processes(ranks: int, work: Callable[[int, int], Any]) -> list[Any]:
    """What `work(rank, ranks)` returns in each of so many real processes with a gloo group, in the order of the ranks."""
    # Imported once, here, so that no forked process does.
    import torch._dynamo
    import torch.distributed.fsdp
    import torch.distributed.optim
    import torch.multiprocessing as mp
    import torch.nn.parallel  # noqa: F401

    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(_run, args=(ranks, work, folder), nprocs=ranks, start_method="fork")
        return [_load(Path(folder) / str(rank)) for rank in range(ranks)]


def _run(rank: int, ranks: int, work: Callable[[int, int], Any], folder: str) -> None:
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=ranks)
    try:
        found = work(rank, ranks)
        dist.barrier()
    finally:
        dist.destroy_process_group()
    torch.save(found, Path(folder) / str(rank))


def _load(path: Path) -> Any:
    import torch

    return torch.load(path, weights_only=True)
