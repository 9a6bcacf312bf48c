"""Small deliberate mistakes in the formulas: a sign, a factor, N for N - 1, a dropped term.

Mistakes are made where the mathematics is: in what a formula starts from, in its steps, and in the functions
that count. Titles, reasons, sources, published values and annotations are left alone.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_OTHER_OPERATOR: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
}
_OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
_OTHER_NAME = {
    "Max": "Min", "Min": "Max", "max": "min", "min": "max", "ceiling": "floor", "floor": "ceiling",
    "Le": "Ge", "Ge": "Le", "Lt": "Gt", "Gt": "Lt", "any": "all", "all": "any", "True": "False", "False": "True",
}  # fmt: skip
_LEFT_ALONE = {"because", "source", "published", "where", "defines"}


@dataclass(frozen=True)
class Mutant:
    """A module with one mistake; `name` says which, whatever line it is on.

    `counting` tells a mistake in a count from one in an expression; `statement` is the one at the top of the module that it is in.
    """

    name: str
    tree: ast.Module
    counting: bool
    statement: ast.stmt


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module, one at a time."""
    tree = ast.parse(source)
    seen: Counter[str] = Counter()
    for path in _places(tree):
        shown = path[:-1] if isinstance(_at(tree, path), ast.Constant | ast.Name | ast.UnaryOp) else path
        for after in _mistakes(_at(tree, path)):
            changed = _put(tree, path, after)
            name = f"{_line(_at(tree, shown))} -> {_line(_at(changed, shown))}"
            seen[name] += 1
            number = f" (no. {seen[name]})" if seen[name] > 1 else ""
            yield Mutant(name + number, changed, _counts(tree, path), _at(changed, path[:1]))


Path = tuple[tuple[str, int | None], ...]


def _line(node: ast.AST) -> str:
    return ast.unparse(node).strip().partition("\n")[0]


def _counts(tree: ast.Module, path: Path) -> bool:
    """Whether a place is in a function, or in what is given as `counted`."""
    nodes = [_at(tree, path[: n + 1]) for n in range(len(path))]
    return any(isinstance(n, ast.FunctionDef | ast.Lambda) or (isinstance(n, ast.keyword) and n.arg == "counted") for n in nodes)


def _places(tree: ast.Module) -> Iterator[Path]:
    """The way to every node that mathematics stands in."""
    for number, statement in enumerate(tree.body):
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.FunctionDef):
            yield from _below(statement, (("body", number),))


def _below(node: ast.AST, path: Path) -> Iterator[Path]:
    if isinstance(node, ast.keyword) and node.arg in _LEFT_ALONE:
        return
    if isinstance(node, ast.JoinedStr | ast.arguments):
        return
    yield path
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "ctx"):
            continue
        if isinstance(value, ast.AST):
            yield from _below(value, (*path, (field, None)))
        elif isinstance(value, list):
            for number, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _below(item, (*path, (field, number)))


def _at(tree: ast.AST, path: Path) -> ast.AST:
    node = tree
    for field, number in path:
        node = getattr(node, field) if number is None else getattr(node, field)[number]
    return node


def _put(node: ast.AST, path: Path, text: str) -> ast.AST:
    """The tree with another node at a place. What the way there does not pass is shared, not copied."""
    if not path:
        return ast.parse(text).body[0] if isinstance(node, ast.stmt) else ast.parse(text, mode="eval").body
    (field, number), below = path[0], path[1:]
    changed, old = copy.copy(node), getattr(node, field)
    if number is None:
        setattr(changed, field, _put(old, below, text))
    else:
        setattr(changed, field, [_put(item, below, text) if at == number else item for at, item in enumerate(old)])
    return changed


def _mistakes(node: ast.AST) -> Iterator[str]:
    """The text of each wrong node to put in the place of a node."""

    def swapped(**fields: object) -> str:
        changed = copy.copy(node)
        for field, value in fields.items():
            setattr(changed, field, value)
        return ast.unparse(changed)

    match node:
        case ast.BinOp(left=left, op=op, right=right):
            for other in _OTHER_OPERATOR.get(type(op), ()):
                yield swapped(op=other())
            if type(op) in _OTHER_OPERATOR:
                yield ast.unparse(left)
            if isinstance(op, ast.Add | ast.Sub | ast.Mult):
                yield ast.unparse(right)
        case ast.AugAssign(op=op):
            for other in _OTHER_OPERATOR.get(type(op), ()):
                yield swapped(op=other())
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=inside):
            yield ast.unparse(inside)
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield str(number + 1)
        case ast.Compare(ops=[op]) if type(op) in _OTHER_COMPARISON:
            yield swapped(ops=[_OTHER_COMPARISON[type(op)]()])
        case ast.Name(id=name) if name in _OTHER_NAME:
            yield _OTHER_NAME[name]
