"""Grading and sweeping on a Dask cluster of this machine: the same as on one process, also where a worker is killed in the middle."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from distributed import Client, LocalCluster
from returning import a_hundred, killing

from fsdp_sym.cli import DONE, main
from fsdp_sym.publishing import graded
from fsdp_sym.publishing.feedback_page import page
from fsdp_sym.reasoning.sweeps.sweep import sweep
from fsdp_sym.teaching.classroom.grade import Workers


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def class_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setattr("fsdp_sym.teaching.classroom.grade._SHEETS", 10)
    record, returned = a_hundred(tmp_path)
    return record.parents[1], returned


def test_a_cluster_grades_alike(class_, cluster, tmp_path):
    formats = ["--format", "plain,canvas,moodle"]
    assert main(["grade", *map(str, class_), *formats, "--jobs", "1", "--out", str(tmp_path / "alone")]) == DONE
    there = ["--scheduler", cluster.scheduler_address]
    assert main(["grade", *map(str, class_), *formats, *there, "--out", str(tmp_path / "cluster")]) == DONE
    assert content(tmp_path / "cluster") == content(tmp_path / "alone")
    assert len(content(tmp_path / "alone")) == 7 + 108


def test_a_killed_worker_loses_nothing(class_, cluster, tmp_path, monkeypatch):
    graded.grade(*class_, tmp_path / "alone")
    marker = tmp_path / "killed"
    monkeypatch.setattr(graded, "page", partial(killing, marker, page))
    with Client(cluster) as client, client.get_executor() as executor:
        graded.grade(*class_, tmp_path / "cluster", Workers(executor))
    assert marker.exists()
    assert content(tmp_path / "cluster") == content(tmp_path / "alone")


GRID = {"N": range(1, 1001), "S": range(10**9, 10**9 + 1000)}


def sweeping() -> bool:
    return "fsdp_sym.reasoning.sweeps.sweep" in sys.modules


@pytest.mark.parametrize("largest", [False, True])
def test_a_cluster_finds_the_same_best_of_a_million(cluster, largest):
    made = sweep("all_gather", GRID)
    with Client(cluster) as client, client.get_executor() as executor:
        found = made.best(100, largest, executor)
        assert all(client.run(sweeping).values())
    assert np.array_equal(found, made.best(100, largest))


def test_and_of_a_table_of_points(cluster):
    rng = np.random.default_rng(3)
    made = sweep("all_gather", {"N": rng.integers(1, 500, 10**5), "S": rng.integers(1, 10**12, 10**5)}, together=True)
    with Client(cluster) as client, client.get_executor() as executor:
        assert np.array_equal(made.best(10, executor=executor), made.best(10))


def test_and_by_command_line(cluster, capsys):
    asked = ["sweep", "all_gather", "--over", "N=1..1000", "--over", "S=1000000000..1000000999", "--best", "20"]
    assert main(asked) == DONE
    alone = capsys.readouterr().out
    assert main([*asked, "--scheduler", cluster.scheduler_address]) == DONE
    assert capsys.readouterr().out == alone
