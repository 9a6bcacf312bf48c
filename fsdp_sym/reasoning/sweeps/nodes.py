"""An expression as a list of two-sided operations: each subexpression once, with the range of its values and whether they are whole.

Ranges are followed in exact arithmetic from the ranges of the letters, so that it is known before anything is computed whether
whole numbers stay below what an array can hold exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final

from sympy import Add, And, Expr, Integer, Max, Min, Mul, Or, Piecewise, Pow, Rational, S, Symbol, default_sort_key, oo
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ...algebra.sharing import Ceiled, Floored, shared

Range = tuple[Fraction, Fraction] | None  # None: not bounded

_LARGEST_EXPONENT: Final = 64  # two to this is more than a whole number of an array can be
_COMPARED: Final = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal", "==": "equal", "!=": "not_equal"}


@dataclass(frozen=True)
class Node:
    """One operation.

    Attributes
    ----------
    op : str
        ``letter``, ``number``, or what is done: numpy's name of it, ``ceil_divide`` or ``select``.
    places : tuple of int
        Where its operands stand.
    value : Symbol, Fraction, float or None
        The letter, or the number.
    whole : bool
        Whether its value is a whole number, come by from whole numbers alone, so that it can be held exactly.
    range : (Fraction, Fraction) or None
    """

    op: str
    places: tuple[int, ...]
    value: Symbol | Fraction | float | None
    whole: bool
    range: Range


@dataclass(frozen=True)
class Column:
    """What is known of a letter's values before they are gone through.

    Attributes
    ----------
    low, high : Fraction
    whole : bool
    scale : int
        The values are kept as whole numbers, so many times as large; 1 where they are kept as they are.
    """

    low: Fraction
    high: Fraction
    whole: bool
    scale: int = 1


class Nodes:
    """The operations of some expressions, in the order they are done in."""

    def __init__(self, exprs: Sequence[Basic], columns: Mapping[Symbol, Column]) -> None:
        self.columns = columns
        self.listed: list[Node] = []
        self._varying = {s for s, column in columns.items() if column.low != column.high}
        self._varies: list[bool] = []
        self._known: dict[tuple[str, tuple[int, ...], object], int] = {}
        self._named: dict[Symbol, int] = {}
        nothing = {s: S.Zero for s, column in columns.items() if column.low == column.high == 0}
        scaled = {s: s / column.scale for s, column in columns.items() if column.scale != 1}
        given = [_without(expr, nothing).xreplace(scaled) for expr in exprs]
        parts, reduced = shared([_gathered(_over_one_line(_cleared(expr), set(scaled)), self._varying) for expr in given])
        self._waiting = dict(parts)
        self.results = tuple(self._place(part) for part in reduced)

    @property
    def operations(self) -> int:
        """How many there are, shared ones counted once."""
        return sum(node.value is None for node in self.listed)

    def _add(self, node: Node) -> int:
        # A value's kind belongs to it: True is 1 in Python.
        key = (node.op, node.places, (type(node.value), node.value))
        if key not in self._known:
            self._known[key] = len(self.listed)
            self.listed.append(node)
            self._varies.append(node.value in self._varying or any(self._varies[place] for place in node.places))
        return self._known[key]

    def _number(self, value: Fraction) -> int:
        return self._add(Node("number", (), value, value.denominator == 1, (value, value)))

    def _special(self, value: float) -> int:
        """Infinity, a truth value, or no number at all."""
        return self._add(Node("number", (), value, False, None))

    def _letter(self, symbol: Symbol) -> int:
        if symbol in self._waiting:  # placed where it is first needed, so that its buffer is held no longer than it must be
            self._named[symbol] = self._place(self._waiting.pop(symbol))
        if symbol in self._named:
            return self._named[symbol]
        column = self.columns[symbol]
        return self._add(Node("letter", (), symbol, column.whole, (column.low * column.scale, column.high * column.scale)))

    def _two(self, op: str, x: int, y: int) -> int:
        left, right = self.listed[x], self.listed[y]
        if op in ("add", "multiply", "maximum", "minimum") and x > y:
            x, y = y, x
        range_ = _range(op, left.range, right.range)
        # A power without a range is too large to be whole in an array.
        whole = left.whole and right.whole and op != "divide" and (op != "power" or range_ is not None)
        return self._add(Node(op, (x, y), None, whole, range_))

    def _all(self, op: str, args: Iterable[int]) -> int:
        """One after the other, each taken in as soon as it is there."""
        return reduce(lambda x, y: self._two(op, x, y), args)

    def _place(self, expr: Basic) -> int:
        match expr:
            case Symbol():
                return self._letter(expr)
            case Rational():
                return self._number(Fraction(int(expr.p), int(expr.q)))
            case _ if expr in (oo, S.true, S.false):
                return self._special(float("inf") if expr == oo else bool(expr))
            case Add():
                return self._sum(expr)
            case Mul() | Pow():
                return self._product(expr)
            case Ceiled() | Floored():
                return self._rounded("ceil_divide" if isinstance(expr, Ceiled) else "floor_divide", *expr.args)
            case Max() | Min():
                return self._all("maximum" if isinstance(expr, Max) else "minimum", map(self._place, expr.args))
            case Relational():
                return self._compared(expr)
            case And() | Or():
                return self._all("logical_and" if isinstance(expr, And) else "logical_or", map(self._place, expr.args))
            case Piecewise():
                return self._selected(expr)
        raise TypeError(f"no operation on arrays for {type(expr).__name__}: add it to reasoning/sweeps/nodes.py")

    def _sum(self, expr: Add) -> int:
        """Terms with a minus sign are taken away, which saves an operation each."""
        more = [term for term in expr.args if not term.could_extract_minus_sign()]
        less = [-term for term in expr.args if term.could_extract_minus_sign()]
        if not more:
            return self._two("subtract", self._number(Fraction(0)), self._all("add", map(self._place, less)))
        total = self._all("add", map(self._place, more))
        return reduce(lambda x, term: self._two("subtract", x, self._place(term)), less, total)

    def _product(self, expr: Basic) -> int:
        above: list[int] = []
        below: list[int] = []
        number = Fraction(1)
        for factor in Mul.make_args(expr):
            base, power = factor.as_base_exp()
            if isinstance(factor, Rational):
                number *= Fraction(int(factor.p), int(factor.q))
            elif power.is_Integer:
                (above if power > 0 else below).extend([self._place(base)] * abs(int(power)))
            elif power.is_Rational and power.q == 2:
                (above if power > 0 else below).extend([self._root(base)] * abs(int(power.p)))
            elif base.is_Integer and base > 1:
                falls = power.could_extract_minus_sign()
                (below if falls else above).append(self._two("power", self._place(base), self._place(-power if falls else power)))
            else:
                raise TypeError(f"no operation on arrays for a power of {power}: add it to reasoning/sweeps/nodes.py")
        if number.numerator != 1 or not above:
            above.insert(0, self._number(Fraction(number.numerator)))
        if number.denominator != 1:
            below.append(self._number(Fraction(number.denominator)))
        # What does not vary comes first, so that it meets what does in one operation.
        product = self._all("multiply", sorted(above, key=self._varies.__getitem__))
        return self._two("divide", product, self._all("multiply", below)) if below else product

    def _root(self, base: Basic) -> int:
        return self._add(Node("sqrt", (self._place(base),), None, False, None))

    def _rounded(self, op: str, above: Basic, below: Basic) -> int:
        x, y = self._place(above), self._place(below)
        if self.listed[y].value == Fraction(1) and self.listed[x].whole:
            return x
        return self._two(op, x, y)

    def _compared(self, expr: Relational) -> int:
        x, y = self._place(expr.lhs), self._place(expr.rhs)
        return self._add(Node(_COMPARED[expr.rel_op], (x, y), None, self.listed[x].whole and self.listed[y].whole, None))

    def _selected(self, expr: Piecewise) -> int:
        """The first value whose condition holds."""
        found = self._special(float("nan"))
        for value, when in reversed(expr.args):
            place = self._place(value)
            if when == S.true:
                found = place
                continue
            one, other = self.listed[place], self.listed[found]
            range_ = _range("maximum", one.range, other.range), _range("minimum", one.range, other.range)
            both = None if range_[0] is None or range_[1] is None else (range_[1][0], range_[0][1])
            found = self._add(Node("select", (self._place(when), place, found), None, one.whole and other.whole, both))
        return found


def _without(expr: Basic, nothing: dict[Symbol, Expr]) -> Basic:
    """Terms that are zero at every point left out; but for a division by zero, which is left to floats."""
    found = expr.xreplace(nothing)
    return expr if found.has(S.NaN, S.ComplexInfinity) else found


def _cleared(expr: Basic) -> Basic:
    """Comparisons without fractions, so that whole numbers are compared as such; before anything shared gets a name of its own."""

    def clear(one: Relational) -> Basic:
        if oo in one.args:
            return one
        above, below = (one.lhs - one.rhs).as_numer_denom()
        return one.func(above, Integer(0), evaluate=False) if below.is_nonnegative else one

    return expr.xreplace({one: clear(one) for one in expr.atoms(Relational)})


def _gathered(expr: Basic, varying: set[Symbol]) -> Basic:
    """Factors that do not vary added up before they meet what does, and common ones taken out of sums: fewer operations at each point."""

    def gather(add: Add) -> Expr:
        factors: dict[Expr, list[Expr]] = {}
        for term in add.args:
            same, other = term.as_independent(*varying, as_Add=False)
            factors.setdefault(other, []).append(same)
        return _factored([Add(*same) * other for other, same in factors.items()])

    return expr.replace(lambda part: part.is_Add, gather)


def _factored(terms: Sequence[Expr]) -> Expr:
    """Their sum, the factor that most of them have taken out, and so on."""
    parts = [set(Mul.make_args(term)) for term in terms]
    often = Counter(factor for own in parts for factor in own if not factor.is_number)
    factor = max(sorted(often, key=default_sort_key), key=often.__getitem__, default=None)
    if factor is None or often[factor] == 1:
        return Add(*terms)
    common = [term / factor for term, own in zip(terms, parts, strict=True) if factor in own]
    return factor * _factored(common) + _factored([term for term, own in zip(terms, parts, strict=True) if factor not in own])


def _over_one_line(expr: Basic, scaled: set[Symbol]) -> Basic:
    """Where a letter is kept as whole numbers, one division at the end: its quotient is rounded once."""
    if not isinstance(expr, Expr) or not expr.free_symbols & scaled:
        return expr
    above, below = expr.as_numer_denom()
    return above / below


def _range(op: str, left: Range, right: Range) -> Range:
    """The range of what comes out, from the ranges of what goes in."""
    if left is None or right is None:
        return None
    (a, b), (c, d) = left, right
    match op:
        case "add":
            return a + c, b + d
        case "subtract":
            return a - d, b - c
        case "multiply":
            ends = (a * c, a * d, b * c, b * d)
        case "power":
            # Of a number above 1, by a whole exponent.
            return (a ** int(c), b ** int(d)) if 0 <= c <= d <= _LARGEST_EXPONENT and c.denominator == d.denominator == 1 else None
        case "maximum":
            return max(a, c), max(b, d)
        case "minimum":
            return min(a, c), min(b, d)
        case "divide" | "ceil_divide" | "floor_divide":
            if c <= 0 <= d:
                return None
            ends = (a / c, a / d, b / c, b / d)
        case _:
            return None
    rounded = {"ceil_divide": 1, "floor_divide": 1}.get(op, 0)
    return min(ends) - rounded, max(ends) + rounded
