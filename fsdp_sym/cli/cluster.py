"""A Dask cluster to work on instead of this machine's processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..algebra.errors import FsdpSymError

if TYPE_CHECKING:
    from concurrent.futures import Executor

_SECONDS_TO_CONNECT: Final = 10

Scheduler = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Work on this Dask cluster instead.")]


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """What sends work to the cluster whose scheduler answers there, and how many threads it has.

    Raises
    ------
    FsdpSymError
        Where Dask is not installed, or none answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise FsdpSymError("--scheduler needs Dask: pip install 'fsdp_sym[cluster]'") from None
    try:
        client = Client(address, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        raise FsdpSymError(f"no Dask scheduler answers at {address} ({error}): start one, or use --jobs") from None
    with client, client.get_executor() as executor:
        yield executor, sum(client.nthreads().values())
