"""How fast exact accounts are, and the evidence. Not part of the default run: a busy machine would fail it.

    pytest tests/benchmarks/bench_truth.py -n 0

measures it on this machine, fails where a promise is broken, and writes the figures into RESULTS.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from results import Row, row, write_part

from fsdp_sym.reasoning.account import account
from fsdp_sym.reasoning.evidence import disagreement, records
from fsdp_sym.reasoning.ranks import rank_bytes
from fsdp_sym.scenarios.config import read_config
from fsdp_sym.scenarios.shapes import SHAPES

RUNS = 25
INTRODUCTION = """
Written by `pytest tests/benchmarks/bench_truth.py -n 0`, which measures all of it anew; run it on an otherwise idle machine.
Medians of several runs, warm.
"""

rows: list[Row] = []


@pytest.fixture(scope="module", autouse=True)
def results() -> Iterator[None]:
    yield
    write_part("The truth", INTRODUCTION, rows, ("sympy", "numpy", "pytest"))


def promised(what: str, call: Callable[[], object], limit: float, unit: str, scale: int, runs: int = RUNS) -> None:
    """Keep a row for the table; fail where the promise is broken."""
    call()
    seconds = []
    for _ in range(runs):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    figure = scale * median(seconds)
    rows.append(row(what, figure, limit, unit))
    assert figure <= limit, f"{what}: {rows[-1][1]}, promised was {rows[-1][2]}"


def test_all_ranks_of_a_large_world() -> None:
    shape = SHAPES["Llama-3-405B"]
    promised("bytes of all 16,384 ranks of a 405B model, logical and allocated", lambda: rank_bytes(shape, 16384), 5, "ms", 1000)


def test_an_account_from_a_configuration(tmp_path: Path) -> None:
    """Another rank each time, so that nothing of the account is remembered."""
    path = tmp_path / "config.json"
    path.write_text(
        json.dumps(
            {
                "model_type": "llama", "hidden_size": 16384, "intermediate_size": 53248, "num_hidden_layers": 126,
                "num_attention_heads": 128, "num_key_value_heads": 8, "vocab_size": 128256,
            }
        )
    )  # fmt: skip
    ranks = iter(range(16384))

    def found() -> object:
        return account(read_config(path), 16384, rank=next(ranks)).peak

    promised("a configuration read, and one rank's full account", found, 5, "ms", 1000)


def test_the_evidence() -> None:
    everything = records().values()

    def holds() -> None:
        assert not any(map(disagreement, everything))

    promised(f"all {len(everything)} records against their formulas", holds, 2, "s", 1, runs=5)
