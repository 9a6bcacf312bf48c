"""A small mistake in any formula, or in what it is counted with, turns the audit red.

A mutant is run as a fresh module: the formulas in it are audited, or, for a module that only counts, the formulas
that count with it. One that the audit does not notice must stand in the list of equivalents, with the reason.
"""

from __future__ import annotations

import ast
import gc
import inspect
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, wraps
from types import CodeType, ModuleType

import pytest

from fsdp_sym import formulas as wing
from fsdp_sym.algebra.formula import Formula
from fsdp_sym.reasoning.audit import audit_formula, count_problems, published_problems
from fsdp_sym.reasoning.catalogue import formulas, modules
from fsdp_sym.reasoning.evidence import records
from fsdp_sym.scenarios.cells import CELLS

from .equivalents import EQUIVALENTS
from .mutator import Mutant, mutants

# An alarm may fall into a callback of the interpreter, which swallows it and says so.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
CASES = tuple(CELLS.values())
# How many times as long as the module unchanged a mutant may take, and the least it is given.
PATIENCE, SECONDS = 10, 1.0
MEMORY = 4 * 2**30


class TookTooLongError(BaseException):
    """Raised past every handler: a count that does not end is wrong."""


@contextmanager
def contained(seconds: float = SECONDS) -> Iterator[None]:
    """Bound the processor time and the memory of whatever a mutant does."""

    def stop(*_: object) -> None:
        raise TookTooLongError

    limits = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGVTALRM, stop)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, limits[1]))
        # Again and again: where the first alarm falls into a callback of the interpreter, it is swallowed.
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, limits)


@pytest.fixture(autouse=True, scope="module")
def _everything_named():
    """What is first looked up by its name while a mutant runs would be, and stay, the mutant.

    All of it, and the whole suite's collection, is kept from the garbage collector: one pass over it may take
    as long as a mutant is allowed.
    """
    for name in formulas():
        getattr(wing, name)
    records()
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def short(name: str) -> str:
    return name.removeprefix(wing.__name__ + ".")


@cache
def sources() -> dict[str, str]:
    """The text of every module that holds a formula or counts, by its name."""
    return {m.__name__: inspect.getsource(m) for m in modules(wing) if not hasattr(m, "__path__")}


@cache
def called(name: str) -> dict[str, frozenset[str]]:
    """Which functions of other modules one holds, by the other's name."""
    held = [v for v in vars(sys.modules[name]).values() if inspect.isfunction(v) and v.__module__ != name]
    return {other: frozenset(v.__name__ for v in held if v.__module__ == other) for other in {v.__module__ for v in held}}


@cache
def users(name: str, functions: frozenset[str] | None = None) -> tuple[str, ...]:
    """The modules that count with functions of this one, or with these functions of it, nearest first."""
    held = {other: called(other).get(name, frozenset()) for other in sources()}
    direct = [other for other, those in held.items() if (those if functions is None else those & functions)]
    return tuple(dict.fromkeys([*direct, *(far for near in direct for far in users(near))]))


def touched(mutant: Mutant) -> frozenset[str] | None:
    """The functions of a module that are no longer the same, or call one that is not; None where the mistake is in something else."""
    if not isinstance(mutant.statement, ast.FunctionDef):
        return None
    found = {mutant.statement.name}
    bodies = {node.name: {x.id for x in ast.walk(node) if isinstance(x, ast.Name)} for node in mutant.tree.body if hasattr(node, "name")}
    while more := {function for function, names in bodies.items() if names & found} - found:
        found |= more
    return frozenset(found)


@cache
def as_it_stands(name: str) -> CodeType:
    return compile(sources()[name], name, "exec")


def executed(name: str, code: CodeType) -> ModuleType:
    """A fresh module, in the place of the one that was imported."""
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    sys.modules[name] = module
    exec(code, vars(module))
    return module


@cache
def counted_once(formula: str) -> Callable[..., object]:
    """The count of a formula as it stands, each point counted once: where the mistake is elsewhere, the count is the same again."""
    count = formulas()[formula].counted
    known: dict[tuple[object, ...], object] = {}

    @wraps(count)
    def counted(**values: object) -> object:
        point = tuple(values.values())
        if point not in known:
            known[point] = count(**values)
        return known[point]

    return counted


def holds(module: ModuleType, counting: bool) -> bool:
    """Whether every formula that the module defines passes its audit, or, for a mistake in a count, that part of it.

    What is most likely to notice a mistake comes first: for one in an expression a step that is not what it was.
    """
    own = [v for v in vars(module).values() if isinstance(v, Formula) and v.module == module.__name__]
    if counting:
        return not any(count_problems(f, CASES)[1] or published_problems(f)[1] for f in own)
    if not all(map(changed_steps_hold, own)):
        return False
    own = [replace(f, counted=counted_once(f.id)) for f in own]
    return not any(count_problems(f, CASES)[1] or audit_formula(f, CASES).problems for f in own)


def changed_steps_hold(formula: Formula) -> bool:
    """Whether each step does that is not a step of the formula as it stands, which all do."""
    known = formulas()[formula.id]
    same = (formula.defines, formula.where) == (known.defines, known.where)
    sure = list(zip(known.states, known.steps, strict=False)) if same else []
    asked = (line for line in zip(formula.states, formula.steps, strict=False) if line not in sure)
    return all(step.verify(before, formula.defines, formula.where).ok for before, step in asked)


@cache
def allowed_seconds(name: str) -> float:
    """What a mutant may take: so many times what the module takes unchanged, however fast the machine is."""
    before, start = sys.modules[name], time.process_time()
    try:
        holds(executed(name, as_it_stands(name)), counting=False)
    finally:
        sys.modules[name] = before
    return max(SECONDS, PATIENCE * (time.process_time() - start))


def passes(name: str, code: CodeType, counting: bool) -> bool:
    """Whether a module, run afresh, holds within what it is allowed."""
    with contained(allowed_seconds(name)):
        return holds(executed(name, code), counting)


def survives(name: str, mutant: Mutant) -> bool:
    """Whether no audit notices the mutant."""
    of_its_own = isinstance(vars(sys.modules[name]).get(name.rpartition(".")[2]), Formula)
    affected = (name,) if of_its_own else (name, *users(name, touched(mutant)))
    before = {n: sys.modules[n] for n in affected}
    # Measured while everything is as it should be.
    for n in affected:
        allowed_seconds(n)
    try:
        return all(passes(n, compile(mutant.tree, n, "exec") if n == name else as_it_stands(n), mutant.counting) for n in affected)
    except (Exception, TookTooLongError):
        return False
    finally:
        sys.modules.update(before)


def in_turn(first: int) -> list[str]:
    """Every other module: they are tried in two files, which two workers take."""
    return list(sources())[first::2]


def check_every_mutant(name: str) -> None:
    survivors = {mutant.name for mutant in mutants(sources()[name]) if survives(name, mutant)}
    known = EQUIVALENTS.get(short(name), {})
    assert not survivors - set(known), "the audit does not notice these mistakes"
    assert not set(known) - survivors, "listed as equivalent, but noticed or no longer there"


@pytest.mark.parametrize("name", in_turn(0), ids=short)
def test_every_mutant_is_noticed(name):
    check_every_mutant(name)


def test_equivalents_belong_to_modules_and_say_why():
    assert not set(EQUIVALENTS) - set(map(short, sources()))
    assert all(len(reason) > 15 for known in EQUIVALENTS.values() for reason in known.values())


@pytest.mark.parametrize("counting", [False, True])
def test_an_unchanged_module_is_not_noticed(counting):
    """Else every mutant of it would seem to be, were it only that its audit takes too long, or meets fresh modules beside old ones."""
    before = {name: sys.modules[name] for name in sources()}
    for name in before:
        allowed_seconds(name)
    try:
        assert [name for name in before if not passes(name, as_it_stands(name), counting)] == []
    finally:
        sys.modules.update(before)


def test_mistakes_are_made_in_the_mathematics_alone():
    source = '''
"""One 1 + 1."""
from x import y
f = Formula(
    __name__, defines=V, start=S * (N - 1), steps=(Same(2 * S, "1 + 1", given=(Divides(N, S),)),),
    source=Source("1"), published=(1 + 1,),
)
def count(S: int | None, N: int = 3) -> int | None:
    return max(-S // N, 0)
'''
    made = {m.name: m.counting for m in mutants(source)}
    assert {name for name, counting in made.items() if not counting} == {
        "S * (N - 1) -> S / (N - 1)", "S * (N - 1) -> S", "S * (N - 1) -> N - 1",
        "N - 1 -> N + 1", "N - 1 -> N", "N - 1 -> 1", "N - 1 -> N - 2",
        "2 * S -> 2 / S", "2 * S -> 2", "2 * S -> S", "2 * S -> 3 * S",
    }  # fmt: skip
    assert {name for name, counting in made.items() if counting} == {
        "max(-S // N, 0) -> min(-S // N, 0)", "max(-S // N, 0) -> max(-S // N, 1)",
        "-S // N -> -S * N", "-S // N -> -S", "-S // N -> S // N",
    }  # fmt: skip


@pytest.mark.parametrize("body", ["while True: pass", "[0] * 10**12", "raise KeyError", "[].append(float('inf')) or 1 / 0"])
def test_what_a_mutant_may_do_is_contained(body):
    with pytest.raises((TookTooLongError, MemoryError, KeyError, ZeroDivisionError)), contained():
        exec(body)
