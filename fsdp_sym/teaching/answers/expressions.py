"""An answer that is a formula: a tree of its own, worked out exactly at seeded points. SymPy never sees the text.

Two formulas are the same where they agree at every point at which both have a value. The points are exact, lie in the
letters' ranges, and are squares where the range allows, so that ``sqrt(L*c/A)`` has an exact value too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple

from sympy import Symbol
from sympy.core.basic import Basic

from ...algebra.arithmetic import Number, Surd, compiled, over
from ...algebra.units import one
from ...algebra.vocabulary import letter
from .exact import FUNCTIONS, Unworkable, called, combined
from .grammar import Grammar
from .tokens import NAME, Token
from .unreadable import Unreadable, quoted
from .writing import exact_text

POINTS: Final = 12
_CHECKED: Final = 4
_SEED: Final = 1
_MOST, _MOST_OF_A_QUANTITY = 60, 5000
_NEGATIVE: Final = "negative"


class Node(NamedTuple):
    """An operator (``+ - * / ^ negative``) or one of `FUNCTIONS`, and its parts."""

    operator: str
    parts: tuple[Tree, ...]


Tree = Number | str | Node  # a number, a letter by its name, or an operation


class Formulas(Grammar[Tree]):
    """The grammar of formulas in a question's letters."""

    def number(self, token: Token) -> Tree:
        return token.value

    def name(self, token: Token) -> Tree:
        return token.text

    def negative(self, part: Tree) -> Tree:
        return Node(_NEGATIVE, (part,))

    def combined(self, operator: str, left: Tree, right: Tree) -> Tree:
        if operator == "^":
            try:
                right = worked_out(right, {})
            except KeyError:
                pass  # letters in an exponent, as in 2^e
            else:
                combined("^", 1, right)
        return Node(operator, (left, right))

    def called(self, function: str, arguments: list[Tree]) -> Tree:
        return Node(function, tuple(arguments))


@lru_cache(maxsize=1024)
def spellings(letters: tuple[Symbol, ...]) -> dict[str, str]:
    """Every way to type each letter of a question, to its name: the name, and its LaTeX without the braces (``N_data``)."""
    names = {str(symbol.name): str(symbol.name) for symbol in letters}
    for symbol in letters:
        tex = letter(symbol).tex.replace(r"\mathrm", "").replace(r"\varphi", "phi").translate({ord(mark): None for mark in "\\{}"})
        if tex.replace("_", "").isalnum() and tex.isascii():
            names.setdefault(tex, str(symbol.name))
    return names


def check_letters(found: list[Token], known: Mapping[str, str]) -> None:
    """Refuse names that are no letters of the question, all in one message.

    Raises
    ------
    Unreadable
        At the first of them, with the letters that may be meant.
    """
    strangers = [token for token in found if token.kind == NAME and token.text not in known and token.text not in FUNCTIONS]
    if not strangers:
        return
    names = list(dict.fromkeys(token.text for token in strangers))[:3]
    folded = {name.lower(): name for name in known}
    near: list[str] = []
    for name in names:
        near += [folded[name.lower()]] if name.lower() in folded else get_close_matches(name[:40], known, n=1, cutoff=0.5)
    other_case = all(name.lower() in folded for name in names)
    said = " and ".join(quoted(name) for name in names) + (" is no letter here" if len(names) == 1 else " are no letters here")
    said = "names are case-sensitive, and " + said if other_case else said
    letters = ", ".join(dict.fromkeys(known.values()))
    offer = f"did you mean {', '.join(dict.fromkeys(near))}?" if near else f"write it in {letters or 'numbers alone'}"
    raise Unreadable(f"{said}: {offer}", strangers[0].at)


def worked_out(tree: Tree, point: Mapping[str, Number]) -> Number:
    """The exact value of a tree where its letters have these values.

    Raises
    ------
    Unworkable
        Where it divides by zero, has no exact value, or is out of bounds.
    KeyError
        For a letter that has no value.
    """
    if isinstance(tree, Node):
        operator, parts = tree
        if operator == _NEGATIVE:
            return -worked_out(parts[0], point)
        if operator in FUNCTIONS:
            return called(operator, [worked_out(part, point) for part in parts])
        return combined(operator, worked_out(parts[0], point), worked_out(parts[1], point))
    return point[tree] if isinstance(tree, str) else tree


@lru_cache(maxsize=256)
def points(letters: tuple[Symbol, ...]) -> tuple[dict[str, Number], ...]:
    """The seeded points of these letters."""
    uniform = random.Random(_SEED).random
    return tuple({str(symbol.name): _drawn(symbol, uniform) for symbol in letters} for _ in range(POINTS))


def _drawn(symbol: Symbol, uniform: Callable[[], float]) -> Number:
    of = letter(symbol)
    if of.whole and of.high is None:
        # Of every size alike, or a ceiling would hide what stands inside it; above the least, where N - 1 is no zero.
        value: Number = of.low + int((_MOST if of.dimension == one else _MOST_OF_A_QUANTITY) ** uniform())
    else:
        value = of.draw(uniform)
    return value * value if of.high in (None, 1) and value >= 0 else value


def values(formula: Tree | Basic, letters: tuple[Symbol, ...]) -> tuple[Number | None, ...]:
    """The values of a formula at the letters' points, None where it has none. Two formulas compare by them; see `agree`."""
    return _sympy_values(formula, letters) if isinstance(formula, Basic) else _tree_values(formula, letters)


@lru_cache(maxsize=4096)
def _sympy_values(formula: Basic, letters: tuple[Symbol, ...]) -> tuple[Number | None, ...]:
    function = compiled(formula, letters)
    found: list[Number | None] = []
    for point in points(letters):
        try:
            found.append(over(function(*point.values()), 1))
        except (ZeroDivisionError, Surd):
            found.append(None)
    return tuple(found)


def _tree_values(tree: Tree, letters: tuple[Symbol, ...]) -> tuple[Number | None, ...]:
    found: list[Number | None] = []
    for point in points(letters):
        try:
            found.append(worked_out(tree, point))
        except Unworkable:
            found.append(None)
    return tuple(found)


def agree(some: tuple[Number | None, ...], others: tuple[Number | None, ...]) -> bool:
    """Whether two formulas have the same value wherever both have one, and have one at most points."""
    both = [(a, b) for a, b in zip(some, others, strict=True) if a is not None and b is not None]
    return 2 * len(both) > POINTS and all(a == b for a, b in both)


def same_expression(a: Tree | Basic, b: Tree | Basic, letters: tuple[Symbol, ...]) -> bool:
    """Whether two formulas in these letters are the same.

    Parameters
    ----------
    a, b : Tree or sympy.Basic
        What was read, or a formula of the house.
    letters : tuple of sympy.Symbol
        All letters of both.
    """
    return agree(values(a, letters), values(b, letters))


def check_value(tree: Tree, letters: tuple[Symbol, ...]) -> None:
    """Refuse a formula that cannot be compared.

    Raises
    ------
    Unworkable
        Where not two of the first points give it an exact value within bounds.
    """
    worked = 0
    for point in points(letters)[:_CHECKED]:
        try:
            worked_out(tree, point)
        except Unworkable as error:
            failure = error
        else:
            worked += 1
            if worked == 2:
                return
    raise failure


_TIGHTNESS: Final = {"+": 1, "-": 1, _NEGATIVE: 1, "*": 2, "/": 2, "^": 4}
_SPACED: Final = {"+": " + ", "-": " - ", "*": "·", "/": "/", "^": "^"}


def formula_text(tree: Tree, tightness: int = 0) -> str:
    """The tree as text that reads back as the same tree."""
    text, binds = _text(tree)
    return text if binds >= tightness else f"({text})"


def _text(tree: Tree) -> tuple[str, int]:
    if isinstance(tree, str):
        return tree, 5
    if not isinstance(tree, Node):
        text = exact_text(tree)
        return text, 1 if tree < 0 else 2 if "/" in text else 5
    operator, parts = tree
    if operator in FUNCTIONS:
        return f"{operator}({', '.join(formula_text(part) for part in parts)})", 5
    if operator == _NEGATIVE:
        return f"-{formula_text(parts[0], 2)}", 1
    binds = _TIGHTNESS[operator]
    left = formula_text(parts[0], binds + (operator == "^"))
    return f"{left}{_SPACED[operator]}{formula_text(parts[1], binds + 1)}", binds
