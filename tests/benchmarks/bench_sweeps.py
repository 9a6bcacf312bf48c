"""How fast formulas go over many configurations: one by one, as arrays, and over a hundred million points; beside others' code.

    LLM_ANALYSIS_PYTHON=/path/to/python pytest tests/benchmarks/bench_sweeps.py -n 0

measures everything on this machine, fails where a promise is broken, and writes its part of RESULTS.md. The variable names an
interpreter that has llm-analysis (`pip install llm-analysis`, in an environment of its own).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import pytest
from composed_peak import MIXED, VARYING, peak
from peers.configurations import Configuration, drawn
from peers.plain_peak import plain_peak
from results import Row, row, write_part
from sympy import Expr, Symbol

from fsdp_sym.algebra.vocabulary import (
    A_att,
    A_sp,
    B,
    F,
    K_mb,
    L,
    M_st,
    M_tp,
    N,
    N_d,
    N_p,
    N_t,
    P_block,
    P_ends,
    P_split,
    P_whole,
    S_blk,
    S_g,
    S_root,
    T,
    T_comm,
    T_comp,
    T_step,
    V,
    V_step,
    V_tp,
    W_net,
    X_gpu,
    X_peak,
    b_a,
    b_c,
    b_g,
    b_k,
    b_m,
    b_n,
    b_v,
    b_w,
    b_x,
    letter,
    n_in,
    n_mlp,
    n_norm,
    n_op,
    n_pos,
    r,
    u_core,
    u_lin,
    u_mlp,
    u_out,
    u_qkv,
    u_root,
    u_sync,
    u_tied,
    x_att,
    x_pair,
)  # fmt: skip
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.sweeps.sweep import Sweep, sweep
from fsdp_sym.reasoning.together import Together, together
from fsdp_sym.reasoning.work import evaluator

HERE = Path(__file__).parent
COUNT, SEED = 20_000, 6
POINTS, CHECKED, RUNS = 10**6, 1000, 15

rows: list[Row] = []

INTRODUCTION = """
Written by `LLM_ANALYSIS_PYTHON=... pytest tests/benchmarks/bench_sweeps.py -n 0`, which measures all of it anew. Rates and ratios are of
the processor's own time on one pinned core, medians with the lowest and the highest; the hundred million points go by the clock.
Every configuration is another one, its objects are made anew, and no result is kept. llm-analysis analyses the same configurations;
parameters, operations, state, attention's activations, compute time and tensor-parallel time are equal to ours. Calculon is on no
registry: its 517 a second is quoted and was not measured here. Numpy by hand is `peers/plain_peak.py`, whose values are equal, too;
making a program of the peak, once, is a row of its own.
"""


def promised(what: str, figure: float, limit: float, unit: str, at_least: bool = False) -> None:
    """Keep a row for the table; fail where the promise is broken."""
    rows.append(row(what, figure, limit, unit, at_least))
    assert figure >= limit if at_least else figure <= limit, f"{what}: {rows[-1][1]}, promised was {rows[-1][2]}"


@pytest.fixture(scope="module", autouse=True)
def results() -> Iterator[None]:
    yield
    write_part("Sweeps", INTRODUCTION, rows, ("sympy", "numpy", "pytest"))


@pytest.fixture(autouse=True)
def pinned() -> Iterator[None]:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    yield
    os.sched_setaffinity(0, allowed)


ALIKE = {
    n_mlp: 2, n_norm: 1, n_pos: 0, u_qkv: 0, u_out: 0, u_mlp: 0, u_tied: 1, n_op: 2, x_pair: 1, x_att: 2, u_lin: 0, u_core: 0, n_in: 2,
    b_a: 2, b_k: 1, b_n: 0, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4, b_x: 0, K_mb: 1, r: 1, u_root: 0, u_sync: 1, N_p: 1, P_whole: 0,
}  # fmt: skip


def account() -> Together:
    """Memory, traffic and time of a step on one rank of a plain GPT with tied embeddings, under ZeRO-3 within tensor groups."""

    def of(name: str, at: dict[Symbol, Expr]) -> Expr:
        return formula(name).closed.xreplace(at)  # type: ignore[return-value]

    return together(
        {
            P_block: formula("block_parameters"),
            P_ends: formula("end_parameters"),
            P_split: L * P_block + P_ends,
            B: formula("bytes_per_parameter"),
            M_tp: formula("replicated_over_tensor"),
            A_att: formula("attention_activations"),
            A_sp: formula("sequence_parallel_activations"),
            M_st: M_tp + L * A_sp,
            F: formula("step_flops"),
            T_comp: of("compute_time", {X_gpu: N_t * X_peak}),
            V_tp: formula("tensor_parallel_traffic"),
            T: of("transfer_time", {V: V_tp}),
            S_blk: L * P_block * b_w / N_t,
            S_root: P_ends * b_w / N_t,
            S_g: P_split * b_g / N_t,
            V_step: of("step_traffic", {N: N_d}),
            T_comm: T + V_step / W_net,
            T_step: formula("step_when_hidden"),
        },
        ALIKE,
    )


def rate(work: Callable[..., object], configurations: list[tuple[int, ...]]) -> float:
    """Configurations a second, each made anew as an object."""
    start = process_time()
    for drawn_row in configurations:
        work(*Configuration(*drawn_row))
    return len(configurations) / (process_time() - start)


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    python = os.environ.get("LLM_ANALYSIS_PYTHON")
    if not python:
        pytest.fail("LLM_ANALYSIS_PYTHON is not set: name an interpreter that has llm-analysis", pytrace=False)
    command = [python, str(HERE / "peers" / "by_llm_analysis.py"), str(COUNT), str(SEED)]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        pytest.fail(f"{python} does not run llm-analysis: {found.stderr.strip().splitlines()[-1]}", pytrace=False)
    return dict(json.loads(found.stdout))


def test_one_configuration_after_the_other(theirs: dict[str, Any], benchmark: Any) -> None:
    every = account()
    assert tuple(s.name for s in every.letters) == Configuration._fields
    configurations = drawn(COUNT, SEED)
    for kind in (every.in_floats, every.exactly):
        for drawn_row, other in zip(configurations, theirs["values"], strict=True):
            c, at = Configuration(*drawn_row), dict(zip(every.quantities, kind(*drawn_row), strict=True))
            ours = (at[P_split], at[F], at[M_tp], c.L * at[A_att] / Fraction(c.N_t), at[T_comp], at[T] / 2)
            assert [float(x) for x in ours] == pytest.approx(other, rel=1e-12, abs=0), c
    rates = {kind: [rate(kind, configurations) for _ in range(7)] for kind in (every.in_floats, every.exactly)}
    benchmark.pedantic(rate, args=(every.in_floats, configurations), rounds=1)
    floats, exact = (median(found) for found in rates.values())
    other_rate = COUNT / theirs["seconds"]
    for name, limit, found in (("floats", 100_000, rates[every.in_floats]), ("exact", 5_000, rates[every.exactly])):
        what = f"{COUNT:,} configurations, {name} ({min(found):,.0f} to {max(found):,.0f})"
        promised(what, median(found), limit, "a second", at_least=True)
    rows.append((f"the same by llm-analysis {theirs['version']}", f"{other_rate:,.0f} a second", "no promise"))
    rows.append(("floats and exact over llm-analysis", f"{floats / other_rate:.0f} and {exact / other_rate:.1f} times", "no promise"))


def columns(count: int) -> dict[Symbol, np.ndarray[Any, Any]]:
    """Whole numbers, drawn now; as floats where the letter itself says that they are whole."""
    rng = np.random.default_rng(SEED)
    values = {x: rng.integers(low // step, high // step + 1, count) * step for x, (low, high, step) in VARYING.items()}
    return {x: column.astype(float) if letter(x).whole else column for x, column in values.items()}


def test_a_million_points_of_the_peak(benchmark: Any) -> None:
    chosen, given = peak(), {s.name: value for s, value in MIXED.items()}
    drawn_columns = columns(POINTS)
    start = process_time()
    made = sweep(chosen, drawn_columns, given, together=True)
    next(made.blocks())
    ready = process_time() - start
    plain = {s.name: column for s, column in drawn_columns.items()}, {s.name: float(value) for s, value in MIXED.items()}
    assert made.dtype == np.int64
    found = np.concatenate([values.copy() for _, values, _ in made.blocks()])
    assert np.array_equal(found, np.concatenate([values.copy() for values in plain_peak(*plain)]))
    exactly = evaluator(chosen)
    for at in np.random.default_rng(1).choice(POINTS, CHECKED, replace=False).tolist():
        values = {s: Fraction(int(column[at])) for s, column in drawn_columns.items()} | {s: Fraction(x) for s, x in MIXED.items()}
        assert exactly(*(values[s] for s in chosen.letters)) == int(found[at])
    seconds = [(_seconds(made.blocks), _seconds(lambda: plain_peak(*plain))) for _ in range(RUNS)]
    benchmark.pedantic(_seconds, args=(made.blocks,), rounds=1)
    ratios = [ours / hand for ours, hand in seconds]
    each = operations_at_each_point(made)
    promised(f"inputs of the peak that vary, of {len(chosen.letters)}", len(VARYING), 12, "", at_least=True)
    promised(f"its operations after sharing that hang on them, of {made.nodes.operations}", each, 55, "", at_least=True)
    rates = [POINTS / ours for ours, _ in seconds]
    what = f"points of the peak, one thread ({min(rates) / 1e6:.1f} to {max(rates) / 1e6:.1f} million)"
    promised(what, median(rates), 3e7, "a second", at_least=True)
    promised(f"the same against numpy by hand, time ({min(ratios):.2f} to {max(ratios):.2f})", median(ratios), 1.2, "times")
    rows.append(("before that, once: the peak made into a program, and a first block", f"{ready:.3g} s", "no promise"))


def operations_at_each_point(made: Sweep) -> int:
    """Those that hang on a letter that varies."""
    varying, hang = {axis.symbol for axis in made.axes}, list[bool]()
    for node in made.nodes.listed:
        hang.append(node.value in varying or any(hang[place] for place in node.places))
    return sum(bool(node.places) and one for node, one in zip(made.nodes.listed, hang, strict=True))


def _seconds(over: Callable[[], Iterator[Any]]) -> float:
    start = process_time()
    for _ in over():
        pass
    return process_time() - start


HUNDRED_MILLION = """
import time, json
from pathlib import Path
start, own = time.perf_counter(), time.process_time()
from composed_peak import MIXED, peak
from fsdp_sym.reasoning.sweeps.sweep import sweep
ready, busy = time.perf_counter(), time.process_time()
over = {
    "N": range(8, 208, 8), "L": range(16, 96, 8), "b": range(1, 6), "s": range(1024, 10241, 1024), "d": range(2048, 12288, 2048),
    "f": range(8192, 24577, 4096), "a": (32, 64, 96, 128), "a_kv": (4, 8, 16, 32, 64), "d_h": (64, 128), "v": (32000, 128256),
    "n_held": (1, 2), "b_e": (2, 4),
}
given = {s.name: value for s, value in MIXED.items()} | {"b_w": 4, "n_log": 2, "u_tied": 0, "b_m": 4}
made = sweep(peak(), over, given)
best = made.best(100)
end = time.perf_counter()
kept = sorted(best["M_peak"].tolist()) == best["M_peak"].tolist() and len(best) == 100
(most,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:")]
megabytes = int(most.split()[1]) * 1024 / 1e6  # ru_maxrss would count what started this process, too
print(json.dumps({"points": len(made), "seconds": end - ready, "own": time.process_time() - busy, "megabytes": megabytes, "kept": kept}))
"""


def test_a_hundred_million_points(benchmark: Any) -> None:
    def once() -> dict[str, Any]:
        found = subprocess.run([sys.executable, "-c", HUNDRED_MILLION], cwd=HERE, capture_output=True, text=True, check=True)
        return dict(json.loads(found.stdout))

    runs = [once() for _ in range(5)]
    benchmark.pedantic(once, rounds=1)
    assert all(run["points"] == 10**8 and run["kept"] for run in runs)
    seconds = [run["seconds"] for run in runs]
    own = median(run["own"] for run in runs)
    what = f"10^8 points of the peak, the best 100 ({min(seconds):.2f} to {max(seconds):.2f} s; the processor's {own:.2f} s)"
    promised(what, median(seconds), 6, "s")
    promised("the same, memory of the process at its peak", max(run["megabytes"] for run in runs), 500, "MB")
