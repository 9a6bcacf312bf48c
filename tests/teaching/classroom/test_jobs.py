"""Work on processes: in order, few at a time, and with nothing lost when one is killed."""

from __future__ import annotations

import os
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.jobs import in_order, processes


def squared(number: int) -> int:
    return number**2


def dying(marker: Path, number: int) -> int:
    """Ends its process the first time it gets to 13."""
    if number == 13 and not marker.exists():
        marker.touch()
        os._exit(1)
    return number**2


def always_dying(number: int) -> int:
    os._exit(1)


class Here(Executor):
    """Does the work at once, and counts what is under way."""

    def __init__(self) -> None:
        self.under_way = self.most = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        done: Future[Any] = Future()
        done.set_result(function(*arguments, **named))
        return done


def test_results_come_in_order_and_few_are_under_way():
    here = Here()
    found = []
    for number in in_order(squared, iter(range(50)), here, ahead=4):
        here.under_way -= 1
        found.append(number)
    assert found == [n**2 for n in range(50)]
    assert here.most == 4
    assert list(in_order(squared, range(5), None)) == [0, 1, 4, 9, 16]
    assert list(in_order(squared, [], here)) == []


def test_a_killed_process_loses_nothing(tmp_path):
    with processes(2) as pool:
        assert list(in_order(partial(dying, tmp_path / "died"), range(40), pool)) == [n**2 for n in range(40)]
    assert (tmp_path / "died").exists()


class Breaking(Here):
    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        raise BrokenExecutor("gone")


def test_an_executor_that_cannot_be_renewed_says_so():
    with pytest.raises(BrokenExecutor):
        list(in_order(squared, range(3), Breaking()))


def test_processes_that_always_die_are_given_up(monkeypatch):
    monkeypatch.setattr("fsdp_sym.teaching.classroom.jobs._MOST_RENEWALS", 1)
    with pytest.raises(FsdpSymError, match="again and again"), processes(2) as pool:
        list(in_order(always_dying, range(3), pool))


def test_one_process_needs_no_executor():
    with processes(1) as pool:
        assert pool is None
