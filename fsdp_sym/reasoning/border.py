"""Numbers alone: which values of one letter bring an expression to, or to one side of, a target?

A real letter's values are cut where the expression crosses the target or has a kink, and each piece is tried. A whole
letter's values are bisected where the expression is monotone, and tried one by one where they are few or where rounding
leaves a few in doubt.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from sympy import Expr, Integer, Poly, Symbol, ceiling, divisors, floor, fraction, igcd, oo, real_roots, together

from ..algebra.agreement import exact
from ..algebra.arithmetic import Number, Surd, compiled
from ..algebra.hypotheses import AtMost, Divides, Hypothesis
from ..algebra.vocabulary import letter
from .monotone import Trend, branches, enclosure, trend
from .work import plain

FAR: Final = 10**30  # more ranks, layers or tokens than there will ever be
_TRIED: Final = 10**5  # values tried one by one

RELATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "=": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip


class Undecided(ArithmeticError):
    """No exact way leads to the border."""


@dataclass(frozen=True)
class Border:
    """What was found.

    Attributes
    ----------
    kind : {"smallest", "largest", "several", "one", "above", "below", "lowest", "highest", "every", "never"}
        "lowest", "highest" and "every": all values meet, and the value is the end of the letter's range, where it has one.
        "above" and "below": the value is the limit, which fails. "never": the value is where it comes nearest, if known.
    value : Expr or None
    neighbour : Expr or None
        The next value of a whole letter, which fails; for "several" the largest that meets, where there is one.
    unpadded : bool
        It holds where nothing is rounded; rounding blurs it far out.
    """

    kind: str
    value: Expr | None = None
    neighbour: Expr | None = None
    unpadded: bool = False


NEVER: Final = Border("never")


class _Piece(NamedTuple):
    """A point, or a point that stands for the open interval around it."""

    value: Expr
    is_point: bool
    meets: bool


@dataclass(frozen=True)
class Question:
    """An expression of one letter alone, a relation and a target; `where` restricts the letter."""

    expr: Expr
    unknown: Symbol
    relation: str
    target: Expr
    where: tuple[Hypothesis, ...] = ()

    def border(self) -> Border:
        return self._whole() if letter(self.unknown).whole else self._real()

    # Trying a value.

    @cached_property
    def _run(self) -> Callable[..., Number | bool]:
        return compiled(self.expr, (self.unknown,))

    @cached_property
    def _aim(self) -> object:
        return plain(self.target) if self.target.is_Rational else self.target

    def at(self, value: Number | Expr) -> object:
        """The expression's exact value there."""
        try:
            return self._run(value if isinstance(value, int) else plain(value))
        except Surd:
            return self.expr.xreplace({self.unknown: value if isinstance(value, Expr) else exact(value)})

    def _meets(self, value: Number | Expr) -> bool:
        return bool(RELATIONS[self.relation](self.at(value), self._aim))

    def admits(self, value: Expr) -> bool:
        """Whether a value is in the letter's range and keeps the hypotheses."""
        in_range = bool(value.is_finite) and letter(self.unknown).holds(value)
        return in_range and all(h.holds({self.unknown: value}) is not False for h in self.where)

    def meets(self, value: Expr) -> bool:
        """Whether a value is one of the letter's and meets the target."""
        return self.admits(value) and self._meets(value)

    @property
    def _is_equation(self) -> bool:
        return self.relation in ("=", "!=")

    @property
    def _below(self) -> bool:
        """Whether small values of the expression meet the bound."""
        return self.relation in ("<=", "<")

    # A real letter.

    def _real(self) -> Border:
        if any(self.unknown in x.free_symbols for x in self.expr.atoms(ceiling, floor)):
            return self._short_of_it()
        return self._pick(self._pieces())

    def _short_of_it(self) -> Border:
        """Rounding is not inverted; but what moves one way up to the top of the letter's range gives nothing beyond what it gives there."""
        tops = [root for h in self.where if isinstance(h, AtMost) for root in _roots(h.y - h.x, self.unknown)]
        top = next((x for x in tops if self.admits(x) and not self.admits(x + 1)), None)
        reach = {"rises": ">=", "falls": "<="}.get(trend(self.expr, self.unknown) or "")
        if top is None or reach is None or self.relation not in ("=", reach) or RELATIONS[reach](self.at(top), self._aim):
            raise Undecided
        return Border("never", top)

    def _pieces(self) -> list[_Piece]:
        ends, kinks = branches(self.expr)
        gaps = [b - self.target for b in ends if b.is_finite is not False] + kinks
        gaps += [h.y - h.x for h in self.where if isinstance(h, AtMost)]
        entry = letter(self.unknown)
        top = oo if entry.high is None else entry.high
        roots = {root for gap in gaps for root in _roots(gap, self.unknown) if entry.low < root < top}
        cuts = [exact(entry.low), *sorted(roots), *([] if entry.high is None else [exact(entry.high)])]
        points: list[tuple[Expr, bool]] = []
        for cut, after in zip(cuts, [*cuts[1:], None], strict=True):
            points.append((cut, True))
            if after is not None or entry.high is None:
                points.append((cut + 1 if after is None else (cut + after) / 2, False))
        return [_Piece(x, is_point, self._meets(x)) for x, is_point in points if self.admits(x)]

    # A whole letter.

    @cached_property
    def allowed(self) -> Sequence[int]:
        """The values of a whole letter, in rising order."""
        return _allowed(self.unknown, self.where)

    @property
    def endless(self) -> bool:
        """Whether a whole letter has no largest value."""
        return self.allowed[-1] > FAR // 2

    def _whole(self) -> Border:
        allowed = self.allowed
        if not allowed:
            return NEVER
        count = allowed.index(allowed[-1]) + 1
        way = trend(self.expr, self.unknown)
        if way is not None:
            return self._monotone(allowed, count, way)
        if count <= _TRIED:
            return self._pick([_Piece(exact(x), True, self._meets(x)) for x in allowed])
        if self.settles is not None:
            return self._up_to(self.settles)
        return self._enclosed(allowed, count)

    @cached_property
    def settles(self) -> int | None:
        """Where what climbs and falls by turns stands still, every shard being down to one row; None where it is not dealt out so."""
        whole = {x: x.args[0] * self.unknown for x in self.expr.atoms(ceiling) if self.unknown in x.free_symbols}
        rows = [int(ceiling(x)) for x in whole.values() if x.is_Rational and x > 0]
        if len(rows) < len(whole) or self.unknown in self.expr.xreplace(dict.fromkeys(whole, Integer(1))).free_symbols:
            return None
        last, by_turns = max(self.allowed[0], *rows), trend(self.expr, self.unknown) is None
        return last if by_turns and last <= _TRIED else None

    def _up_to(self, last: int) -> Border:
        """Tried one by one until nothing changes any more."""
        tried = [x for x in self.allowed[: last + 1] if x <= last]
        beyond = tried[-1] + 1
        return self._pick([*(_Piece(exact(x), True, self._meets(x)) for x in tried), _Piece(exact(beyond), False, self._meets(beyond))])

    def _monotone(self, allowed: Sequence[int], count: int, way: Trend) -> Border:
        if self.relation == "=":
            reach = RELATIONS["<=" if way == "falls" else ">="]
            first = _first(lambda at: bool(reach(self.at(allowed[at]), self._aim)), 0, count)
            if first == count or not self._meets(allowed[first]):
                return NEVER
            last = _first(lambda at: not self._meets(allowed[at]), first, count) - 1
            return self._several(first, None if last == count - 1 and self.endless else last)
        if (way == "falls") == self._below:
            first = _first(lambda at: self._meets(allowed[at]), 0, count)
            return self._smallest(allowed, first) if first < count else NEVER
        first = _first(lambda at: not self._meets(allowed[at]), 0, count)
        return self._largest(allowed, first - 1) if first < count else self._no_largest(allowed)

    @staticmethod
    def _smallest(allowed: Sequence[int], at: int) -> Border:
        return Border("smallest", exact(allowed[at]), exact(allowed[at - 1]) if at else None)

    @staticmethod
    def _largest(allowed: Sequence[int], at: int) -> Border:
        return Border("largest", exact(allowed[at]), exact(allowed[at + 1])) if at >= 0 else NEVER

    def _no_largest(self, allowed: Sequence[int]) -> Border:
        return Border("every") if self.endless else Border("highest", exact(allowed[-1]))

    def _enclosed(self, allowed: Sequence[int], count: int) -> Border:
        """Between two monotone expressions the border is where one of them allows it and the other does not yet force it."""
        around = enclosure(self.expr, self.unknown)
        moving = {trend(side, self.unknown) for side in around or ()} - {"constant"}
        if around is None or len(moving) != 1 or None in moving or self.relation == "!=":
            if self._is_equation:
                return self._one(self._try(range(count)))
            raise Undecided
        low, high = (Question(side, self.unknown, self.relation, self.target) for side in around)
        way = moving.pop()

        def crossing(side: Question, past: Callable[[Any, Any], Any]) -> int:
            return _first(lambda at: bool(past(side.at(allowed[at]), self._aim)), 0, count)

        if self.relation == "=":
            if way == "rises":
                span = range(crossing(high, operator.ge), crossing(low, operator.gt))
            else:
                span = range(crossing(low, operator.le), crossing(high, operator.lt))
            first = self._try(span)
            if first is None:
                return NEVER
            few = span.stop - span.start <= _TRIED
            return self._several(first, self._try(reversed(span)) if few else first)
        inner, outer = (low, high) if self._below else (high, low)  # meets wherever the expression does; only where it does
        if (way == "falls") == self._below:
            first = _first(lambda at: inner._meets(allowed[at]), 0, count)
            try:
                found = self._try(range(first, count))
            except Undecided:
                if outer._meets(allowed[-1]):
                    raise
                return Border("never", unpadded=True)
            return NEVER if found is None else self._smallest(allowed, found)
        last = _first(lambda at: not inner._meets(allowed[at]), 0, count) - 1
        if last == count - 1:
            return Border("every", unpadded=True)
        found = self._try(range(last, -1, -1))
        return NEVER if found is None else self._largest(allowed, found)

    def _try(self, span: Iterable[int]) -> int | None:
        for tried, at in enumerate(span):
            if tried == _TRIED:
                raise Undecided
            if self._meets(self.allowed[at]):
                return at
        return None

    def _one(self, at: int | None) -> Border:
        return NEVER if at is None else Border("one", exact(self.allowed[at]))

    def _several(self, first: int, last: int | None) -> Border:
        if first == last:
            return self._one(first)
        return Border("several", exact(self.allowed[first]), None if last is None else exact(self.allowed[last]))

    # Choosing among what was tried.

    def _pick(self, pieces: Sequence[_Piece]) -> Border:
        good = [at for at, piece in enumerate(pieces) if piece.meets]
        if not good:
            return NEVER
        first, last, end = good[0], good[-1], len(pieces) - 1
        if self.relation == "!=" or (self.relation == "=" and len(good) == 1):
            return Border("one", pieces[next((at for at in good if pieces[at].is_point), first)].value)
        if len(good) == len(pieces):
            bounded = RELATIONS[self.relation](self._at_piece(pieces[-1]), self._at_piece(pieces[0]))
            kind, outer = ("lowest", pieces[0]) if bounded else ("highest", pieces[-1])
            return Border(kind, outer.value) if outer.is_point else Border("every")
        if self.relation == "=" or (first == 0) == (last == end):
            return self._among(pieces[first], pieces[last])
        kind, at = ("largest", last) if first == 0 else ("smallest", first)
        beyond = pieces[at + 1 if first == 0 else at - 1]
        if not pieces[at].is_point:
            return Border("below" if first == 0 else "above", beyond.value)
        return Border(kind, pieces[at].value, beyond.value if beyond.is_point else None)

    @staticmethod
    def _among(first: _Piece, last: _Piece) -> Border:
        """Of values on both sides of others, or with others between them, those that meet."""
        if first is last:
            return Border("one", first.value)
        if first.is_point:
            return Border("several", first.value, last.value if last.is_point else None)
        return Border("largest" if last.is_point else "one", last.value)

    def _at_piece(self, piece: _Piece) -> Expr:
        return self.expr.xreplace({self.unknown: piece.value})


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first of low, ..., high - 1 from which on `holds` is true; `high` where it never is. The answer is mostly near `low`."""
    step = 1
    while low + step < high:
        if holds(low + step - 1):
            high = low + step - 1
            break
        low, step = low + step, 2 * step
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


@lru_cache(maxsize=1024)
def _roots(gap: Expr, unknown: Symbol) -> list[Expr]:
    above, _ = fraction(together(gap))
    return [root for root, _ in real_roots(Poly(above, unknown), multiple=False)] if unknown in above.free_symbols else []


def _allowed(unknown: Symbol, where: Sequence[Hypothesis]) -> Sequence[int]:
    """The values of a whole letter, in rising order."""
    entry = letter(unknown)
    low, high, step = entry.low, FAR if entry.high is None else entry.high, 1
    for hypothesis in where:
        match hypothesis:
            case AtMost(x=x, y=y):
                for root in _roots(y - x, unknown):
                    if hypothesis.holds({unknown: root + 1}):
                        low = max(low, int(ceiling(root)))
                    else:
                        high = min(high, int(floor(root)))
            case Divides(part=part, whole=whole) if unknown in whole.free_symbols:
                scale = whole / unknown
                step = int(part / igcd(part, scale))
    allowed = range(-(-low // step) * step, high + 1, step)
    for hypothesis in where:
        if isinstance(hypothesis, Divides) and unknown in hypothesis.part.free_symbols:
            return [int(x) for x in divisors(hypothesis.whole) if x in allowed and hypothesis.holds({unknown: x})]
    return allowed
