"""Data flows one way: a wing imports from lower floors, the rooms of a wing have an order, nothing is imported by star."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import fsdp_sym
from fsdp_sym.algebra.formula import Formula
from fsdp_sym.reasoning.catalogue import formulas

ROOT = Path(fsdp_sym.__file__).parent
FLOORS = {
    "algebra": 0,
    "formulas": 1, "scenarios": 1, "evidence": 1,
    "reasoning": 2,
    "figures": 3, "teaching": 3,
    "publishing": 4, "measure": 4,
    "cli": 5, "__main__": 6, "__init__": 6,
}  # fmt: skip
FILES = {path.relative_to(ROOT).with_suffix("").parts: path.read_text() for path in sorted(ROOT.rglob("*.py"))}


def imports(parts: tuple[str, ...], source: str) -> Iterator[tuple[str, ...]]:
    """Every module of the package that a file imports, but for its types alone."""

    def walk(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        yield node
        for child in ast.iter_child_nodes(node):
            yield from walk(child)

    for node in walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (tuple(a.name.split("."))[1:] for a in node.names if a.name.split(".")[0] == "fsdp_sym")
        elif isinstance(node, ast.ImportFrom):
            assert "*" not in {a.name for a in node.names}, f"{'/'.join(parts)} imports by star"
            module = tuple(node.module.split(".")) if node.module else ()
            base = (*parts[: len(parts) - node.level], *module) if node.level else module[1:]
            if node.level or module[0] == "fsdp_sym":
                whole = {(*base, a.name) for a in node.names if (*base, a.name) in FILES or (*base, a.name, "__init__") in FILES}
                yield from whole or {base}


def climbs(parts: tuple[str, ...], source: str) -> list[str]:
    """The wings that a file imports from and that are not on a lower floor than its own."""
    wing = parts[0]
    return [to[0] for to in imports(parts, source) if to and to[0] != wing and FLOORS[to[0]] >= FLOORS[wing]]


@pytest.mark.parametrize("parts", FILES, ids="/".join)
def test_a_wing_imports_from_lower_floors_alone(parts):
    assert climbs(parts, FILES[parts]) == []


def test_every_wing_has_a_floor():
    assert {parts[0] for parts in FILES} <= set(FLOORS)


@pytest.mark.parametrize("wing", sorted({parts[0] for parts in FILES if len(parts) > 1}))
def test_the_rooms_of_a_wing_have_an_order(wing):
    rooms = {parts: {to for to in imports(parts, FILES[parts]) if to in FILES} - {parts} for parts in FILES if parts[0] == wing}
    try:
        list(TopologicalSorter(rooms).static_order())
    except CycleError as error:
        pytest.fail(f"rooms import each other: {' -> '.join('/'.join(p) for p in error.args[1])}")


@pytest.mark.parametrize("parts", [p for p in FILES if p[0] == "formulas" != p[-2] and "Formula(" in FILES[p]], ids="/".join)
def test_a_formula_file_holds_one_formula_named_as_the_file(parts):
    made = [n for n in ast.walk(ast.parse(FILES[parts])) if isinstance(n, ast.Call) and ast.unparse(n.func) == "Formula"]
    assert len(made) == 1
    formula = formulas()[parts[-1]]
    assert isinstance(formula, Formula)
    assert formula.module == ".".join(("fsdp_sym", *parts))
    assert f"\n{parts[-1]} = Formula(\n    __name__,\n" in FILES[parts]


def test_the_package_of_formulas_lists_formulas_alone():
    assert dir(fsdp_sym.formulas) == sorted(formulas())


def test_a_climb_is_noticed():
    assert climbs(("algebra", "units"), "from ..reasoning.work import work") == ["reasoning"]
    assert climbs(("scenarios", "cells"), "from fsdp_sym.formulas import memory") == ["formulas"]
    assert climbs(("teaching", "answers"), "def f():\n    import fsdp_sym.publishing.build") == ["publishing"]
    assert climbs(("algebra", "steps"), "if TYPE_CHECKING:\n    from ..reasoning.work import Worked") == []
    with pytest.raises(AssertionError, match="imports by star"):
        climbs(("algebra", "units"), "from .errors import *")
