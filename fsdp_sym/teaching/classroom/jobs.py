"""Work on several processes, of which no more is under way than memory should hold. It asks for an executor and nothing else."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import Any, Final, TypeVar

from ...algebra.errors import FsdpSymError
from ..course import open_named_course

Item = TypeVar("Item")
Found = TypeVar("Found")


_MOST_RENEWALS: Final = 3  # without anything done in between


class Processes(Executor):
    """A pool of processes that can be begun anew after one of them was ended, which breaks a pool for good."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = self._begun()

    def _begun(self) -> ProcessPoolExecutor:
        # Started anew, not forked: a terminal's line of progress has a thread, and forking beside a thread can hang.
        return ProcessPoolExecutor(self._jobs, mp_context=get_context("spawn"), initializer=_begin)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return self._pool.submit(function, *arguments, **named)

    def renew(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._begun()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """An executor of so many processes; None for one, which needs none.

    Raises
    ------
    FsdpSymError
        Where processes are ended from outside again and again.
    """
    if jobs == 1:
        yield None
        return
    pool = Processes(jobs)
    try:
        yield pool
    except BrokenExecutor:
        raise FsdpSymError("the processes are ended from outside again and again: --jobs 1 needs less memory") from None
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(function: Callable[[Item], Found], items: Iterable[Item], executor: Executor | None, ahead: int = 8) -> Iterator[Found]:
    """What the function makes of each item, in their order, with at most `ahead` of them under way.

    Where a process is ended from outside, what was lost with it is done again.
    """
    if executor is None:
        yield from map(function, items)
        return
    rest = iter(items)
    under_way: deque[tuple[Item, Future[Found] | None]] = deque()
    renewals = 0
    while True:
        under_way.extend((item, None) for item in islice(rest, ahead - len(under_way)))
        if not under_way:
            return
        try:
            for at, (item, future) in enumerate(under_way):
                if future is None:
                    under_way[at] = (item, executor.submit(function, item))
            _, first = under_way[0]
            assert first is not None
            found = first.result()
        except BrokenExecutor:
            renewals += 1
            if not isinstance(executor, Processes) or renewals > _MOST_RENEWALS:
                raise
            executor.renew()
            under_way = deque((item, future if _done(future) else None) for item, future in under_way)
            continue
        renewals = 0
        under_way.popleft()
        yield found


def _done(future: Future[Found] | None) -> bool:
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


def chunks(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """The items in groups, so that sending them to a process pays."""
    rest = iter(items)
    while group := tuple(islice(rest, size)):
        yield group


def _begin() -> None:
    """In a new process: Ctrl-C is the parent's to act on, nobody outlives a parent that was killed, and the course is the same."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    open_named_course()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
