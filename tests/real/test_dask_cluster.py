"""Grading on a Dask cluster of this machine: the same bytes as on one process, also where a worker is killed in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from distributed import Client, LocalCluster
from returning import a_hundred, killing

from fsdp_sym.cli import DONE, main
from fsdp_sym.publishing import graded
from fsdp_sym.publishing.feedback_page import page
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
