"""How fast every layout of a world is looked at, and that a plain search finds the same on the largest space.

    pytest tests/benchmarks/bench_planner.py -n 0

measures everything on one core of this machine, fails where a promise is broken, and writes the figures into RESULTS.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from results import Row, row, write_part

HERE = Path(__file__).parent
PLAIN = HERE.parent / "reasoning" / "planner"
WORLDS = [2**power for power in range(3, 18)]
RUNS = 7

rows: list[Row] = []

INTRODUCTION = """
Written by `pytest tests/benchmarks/bench_planner.py -n 0`, which measures all of it anew; run it on an otherwise idle machine.
Llama-3 405B at 8,192 tokens, 2^24 tokens a step, on nodes of 8 H100s. Each figure is the median of 7 fresh processes on one core, each from
the question to the best hundred; imports are a row of their own. The space of 16,384 GPUs is searched by `tests/reasoning/planner/brute.py`
as well, which shares no code with the planner: sizes, causes and the best hundred are equal.
"""

ONCE = """
import os, sys, time, json
os.sched_setaffinity(0, {0})
start = time.perf_counter()
import sympy, numpy
beside = time.perf_counter()
from fsdp_sym.reasoning.planner.job import Job
from fsdp_sym.reasoning.planner.plan import layouts_of
from fsdp_sym.scenarios.shapes import SHAPES
ready = time.perf_counter()
found = layouts_of(Job(SHAPES["Llama-3-405B"], 8192, int(sys.argv[1]), 2**24))
best = found.best(100)
end = time.perf_counter()
print(json.dumps({"seconds": end - ready, "import": ready - beside, "whole": end - start, "size": found.size, "fit": found.fit}))
"""


@pytest.fixture(scope="module", autouse=True)
def results() -> Iterator[None]:
    yield
    write_part("The planner", INTRODUCTION, rows, ("sympy", "numpy"))


def once(world: int) -> dict[str, Any]:
    found = subprocess.run([sys.executable, "-c", ONCE, str(world)], capture_output=True, text=True, check=True)
    return dict(json.loads(found.stdout))


def test_the_space_of_405b_on_16384_gpus(benchmark: Any) -> None:
    runs = [once(16384) for _ in range(RUNS)]
    benchmark.extra_info["runs"] = runs
    benchmark.pedantic(once, args=(16384,), rounds=1)
    assert runs[0]["size"] >= 900_000
    spread = f"{min(x['seconds'] for x in runs):.2f} to {max(x['seconds'] for x in runs):.2f}"
    seconds = median(x["seconds"] for x in runs)
    rows.append(row(f"{runs[0]['size']:,} layouts of 16,384 GPUs ({spread} s)", seconds, 1, "s"))
    rows.append(row("the same, imports and interpreter included", median(x["whole"] for x in runs), 2, "s"))
    assert seconds < 1


def test_it_is_what_a_plain_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PLAIN))
    from test_plan import agree

    from fsdp_sym.reasoning.planner.job import Job
    from fsdp_sym.scenarios.shapes import SHAPES

    assert agree(Job(SHAPES["Llama-3-405B"], 8192, 16384, 2**24)) > 10_000


def test_time_against_the_size_of_the_world() -> None:
    for world in WORLDS:
        runs = [once(world) for _ in range(3)]
        seconds = median(x["seconds"] for x in runs)
        rows.append(row(f"{world:,} GPUs: {runs[0]['size']:,} layouts, {runs[0]['fit']:,} fit", seconds, 2, "s"))
        assert seconds < 2
