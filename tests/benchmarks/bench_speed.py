"""How fast it is, against what is promised. Not part of the default run: a busy machine would fail it.

    pytest tests/benchmarks/bench_speed.py -n 0

measures everything on this machine, fails where a promise is broken, and writes the figures into RESULTS.md.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from results import Row, row, write_part
from sympy import Integer

from fsdp_sym.algebra.agreement import Point, drawn_points
from fsdp_sym.algebra.arithmetic import Surd
from fsdp_sym.algebra.formula import Formula
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.reasoning.work import evaluate, evaluator, plain
from fsdp_sym.teaching.drills import QUESTIONS, Drill, diagnose, pose, value

ROOT = Path(__file__).parents[2]
CALLS = 1000

rows: list[Row] = []


def promised(what: str, figure: float, limit: float, unit: str, at_least: bool = False) -> None:
    """Keep a row for the table; fail where the promise is broken."""
    rows.append(row(what, figure, limit, unit, at_least))
    assert figure >= limit if at_least else figure <= limit, f"{what}: {rows[-1][1]}, promised was {rows[-1][2]}"


@pytest.fixture(scope="module", autouse=True)
def results() -> Iterator[None]:
    yield
    write_part("Speed", INTRODUCTION, rows, ("sympy", "numpy", "nbclient", "nbval", "pytest"))


INTRODUCTION = """
Written by `pytest tests/benchmarks/bench_speed.py -n 0`, which measures all of it anew; run it on an otherwise idle machine.
Medians of several runs; imports, the command line and the audit in fresh processes.
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A new interpreter, which must end well."""
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)


def fresh(code: str) -> str:
    """What a new interpreter prints."""
    return run("-c", code).stdout


def timed_in_fresh_processes(benchmark: Any, before: str, timed: str, runs: int = 7) -> float:
    """Median seconds that `timed` takes after `before`, each time in a new interpreter."""
    code = f"import time\n{before}\nstart = time.perf_counter()\n{timed}\nprint(time.perf_counter() - start)"
    seconds = [float(fresh(code)) for _ in range(runs)]
    benchmark.extra_info["seconds"] = seconds
    benchmark.pedantic(fresh, args=(code,), rounds=1)
    return median(seconds)


def test_import(benchmark: Any) -> None:
    seconds = timed_in_fresh_processes(benchmark, "import sympy", "import fsdp_sym")
    promised("`import fsdp_sym` beyond `import sympy`", 1000 * seconds, 100, "ms")


def test_import_of_work_and_solve(benchmark: Any) -> None:
    seconds = timed_in_fresh_processes(benchmark, "import sympy", "from fsdp_sym import solve, work; work('D', 'all_gather').value")
    promised("the same, with every formula and a first value", 1000 * seconds, 1000, "ms")


def test_help(benchmark: Any) -> None:
    imported = run("-X", "importtime", "-m", "fsdp_sym", "--help").stderr
    assert "fsdp_sym.cli" in imported
    assert "sympy" not in imported
    benchmark.pedantic(run, args=("-m", "fsdp_sym", "--help"), rounds=7)
    promised("`fsdp-sym --help`, without importing SymPy", 1000 * benchmark.stats.stats.median, 1000, "ms")


def test_audit(benchmark: Any) -> None:
    before = "from fsdp_sym import audit\nfrom fsdp_sym.reasoning.catalogue import formulas\nformulas()"
    seconds = timed_in_fresh_processes(benchmark, before, "assert all(finding.ok for finding in audit())", runs=5)
    promised(f"the audit of all {len(formulas())} formulas", seconds, 3, "s")


def points(formula: Formula) -> list[Point]:
    """Three drawn points, and one at which every root is rational."""
    where = [h for h in formula.where if h.symbols <= set(formula.letters)]
    return [*drawn_points(formula.letters, 3, seed=7, given=where), {s: Integer(1 if s.name == "r" else 4) for s in formula.letters}]


def test_one_evaluation(benchmark: Any) -> None:
    """The slowest formula, at the slowest of its points."""
    times: dict[str, float] = {}
    for formula in formulas().values():
        for point in points(formula):
            seconds = median(_seconds(lambda f=formula, p=point: evaluate(f, p), calls=20) for _ in range(9))  # type: ignore[misc]
            times[formula.id] = max(seconds, times.get(formula.id, 0))
    slowest = max(times, key=lambda name: times[name])
    benchmark(lambda: evaluate(formulas()[slowest], points(formulas()[slowest])[0]))
    promised(f"one exact evaluation, warm (slowest: {slowest})", 1000 * times[slowest], 1, "ms")


def test_many_evaluations(benchmark: Any) -> None:
    """The slowest formula through the function that `evaluator` returns."""
    rates: dict[str, float] = {}
    for formula in formulas().values():
        worked = evaluator(formula)
        for point in points(formula):
            arguments = [plain(point[s]) for s in formula.letters]
            try:
                worked(*arguments)
            except Surd:
                continue
            seconds = median(_seconds(lambda r=worked, a=arguments: r(*a)) for _ in range(9))  # type: ignore[misc]
            rates[formula.id] = min(1 / seconds, rates.get(formula.id, float("inf")))
    assert rates.keys() == formulas().keys()
    slowest = min(rates, key=lambda name: rates[name])
    arguments = [plain(v) for v in (points(formulas()[slowest])[-1][s] for s in formulas()[slowest].letters)]
    benchmark(lambda: evaluator(formulas()[slowest])(*arguments))
    promised(f"exact evaluations through `evaluator` (slowest: {slowest})", rates[slowest], 50_000, "a second", at_least=True)


def _seconds(call: Any, calls: int = CALLS) -> float:
    start = perf_counter()
    for _ in range(calls):
        call()
    return (perf_counter() - start) / calls


def _answers(drill: Drill) -> list[tuple[str, ...]]:
    """What a class types: mostly right, some of it a misconception, some of it lost, some unreadable."""
    parts = drill.posed.parts
    right = tuple(answer_text(key, part.expects) for part, key in zip(parts, drill.keys, strict=True))
    rivals = [r for r in drill.rivals(len(parts) - 1) if r.value is not None][:1]
    wrong = [(*right[:-1], answer_text(rival.value, parts[-1].expects)) for rival in rivals]
    return [right, right, right, *wrong, (*right[:-1], "12.3456 TB"), ("about 3 GB",) * len(parts)]


def test_pose(benchmark: Any) -> None:
    """Every question in turn, each time a variant that was not drawn before."""
    for question in QUESTIONS.values():
        pose(question, 0)
    seconds = [_seconds(lambda s=seed: [pose(q, s) for q in QUESTIONS.values()], calls=1) for seed in range(1, 31)]  # type: ignore[misc]
    benchmark(lambda: pose(QUESTIONS["A-shard"], 1))
    promised(f"`pose` over all {len(QUESTIONS)} questions", len(QUESTIONS) / median(seconds), 2_000, "a second", at_least=True)


def test_diagnose(benchmark: Any) -> None:
    """Every question in turn, symbolic ones included, each time with new numbers: right, wrong, lost and unreadable answers."""
    rates = []
    for seed in range(1, 21):
        drills = [pose(question, seed) for question in QUESTIONS.values()]
        typed = [(drill, texts) for drill in drills for texts in _answers(drill)]
        value._rivals.cache_clear()  # a class's numbers are new to the grader
        start = perf_counter()
        for drill, texts in typed:
            diagnose(drill, *texts)
        rates.append(len(typed) / (perf_counter() - start))
    drill = pose(QUESTIONS["D-layer"], 1)
    benchmark(lambda: diagnose(drill, "525 MB"))
    promised("`diagnose` over all questions, a mixture of answers", median(rates), 5_000, "a second", at_least=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the notebooks are built, and then confirmed."""
    return tmp_path_factory.mktemp("built")


def test_build(benchmark: Any, built: Path) -> None:
    code = f"from pathlib import Path; from fsdp_sym.publishing.build import build; build(Path({str(built)!r}))"
    benchmark.pedantic(fresh, args=(code,), rounds=1)
    made = len(_executed(built))
    promised(f"`fsdp-sym build`, with the audit, for each of {made} notebooks", benchmark.stats.stats.median / made, 6, "s")


def test_nbval(benchmark: Any, built: Path) -> None:
    options = ["--nbval", "--nbval-current-env", "--nbval-kernel-startup-timeout", "120", "-q", "-n", "2", "--dist", "loadfile"]
    benchmark.pedantic(run, args=("-m", "pytest", *options, *_executed(built)), rounds=1)
    made = len(_executed(built))
    promised(f"nbval on two workers, for each of {made} notebooks", benchmark.stats.stats.median / made, 4, "s")


def _executed(built: Path) -> list[str]:
    """The lessons and the worked exercises; student editions are not run."""
    return [str(path) for path in built.rglob("*.ipynb") if path.parent.name != "student"]
