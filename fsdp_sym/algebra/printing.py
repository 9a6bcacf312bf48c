"""One printer for all mathematics: LaTeX and plain Unicode, in vocabulary order.

Positive terms come first (``N - 1``), a dimensionless fraction stands before the quantity it scales
(``(N-1)/N S``), and square roots are merged. With `values`, letters are replaced by their numbers and
products get a times sign: that is the substitution line of a worked example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

from sympy import Add, Eq, Expr, Ge, Gt, Integer, Le, Lt, Max, Min, Mul, Ne, Piecewise, Pow, Rational, S, Sum, Symbol, ceiling, floor, oo
from sympy.core.basic import Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from .units import one, show_number
from .vocabulary import LETTERS

_RELATIONS: Final = {Le: ("\\le", "≤"), Lt: ("<", "<"), Ge: ("\\ge", "≥"), Gt: (">", ">"), Eq: ("=", "="), Ne: ("\\ne", "≠")}
_SIGNS: Final = (" + ", " - ")
_BETWEEN: Final = (" × ", " / ")
_WIDE: Final = 260  # characters of LaTeX
_MUCH: Final = 1.5  # times a line
_ORDER: Final = {symbol: at for at, symbol in enumerate(LETTERS)}

# How tightly a printed piece binds: a sum needs parentheses inside a product, a fraction inside a power.
_SUM, _PRODUCT, _ATOM, _BASE = 1, 2, 3, 4


def to_latex(expr: Basic, values: Mapping[Symbol, str] | None = None) -> str:
    """LaTeX without dollar signs."""
    return _Latex(values or {}).write(expr)


def to_text(expr: Basic, values: Mapping[Symbol, str] | None = None) -> str:
    """One line of Unicode text."""
    return _Text(values).write(expr) if values else _letters_to_text(expr)


@lru_cache(maxsize=4096)
def _letters_to_text(expr: Basic) -> str:
    return _Text({}).write(expr)


def over_lines(text: str, width: int, indent: str) -> list[str]:
    """A long line of text over several, each part further in than what it is a part of.

    It is broken at its outer signs. What is still much too long is broken into its factors, if several are sums, or at the signs within.
    """
    levels = list(accumulate((character in "(⌈⌊") - (character in ")⌉⌋") for character in text))

    def broken(start: int, stop: int, depth: int, indent: str) -> list[str]:
        whole = indent + text[start:stop].strip()
        inner = [at for at in range(start + 1, stop) if text[at : at + 3] in _SIGNS and levels[at] >= depth]
        if len(whole) <= width or not inner:
            return [whole]
        outer = min(levels[at] for at in inner)
        if outer and len(whole) <= _MUCH * width:
            return [whole]
        signs = [at for at in inner if levels[at] == outer]
        between = [at for pair in pairwise(signs) if (at := _between(text, levels, *pair))]
        level = min((levels[at] for at in between), default=outer)
        cuts = [start, *(at for at in between or signs if levels[at] == level), stop]
        return [line for low, high in pairwise(cuts) for line in broken(low, high, level + 1, indent if low == start else f"{indent}  ")]

    return broken(0, len(text), 0, indent)


def _between(text: str, levels: Sequence[int], first: int, second: int) -> int:
    """Where a factor with a sum in it begins after another one, of each of which a sign is given; 0 where both are of one sum."""
    outside = [at for at in range(first, second) if levels[at] < levels[first]]
    found = max(text.rfind(sign, first, outside[-1] + 1) for sign in _BETWEEN) if outside else 0
    return found if found > 0 and levels[found] < levels[first] else 0


def amount_to_latex(text: str) -> str:
    """An amount that was shown as text (``≈ 3.9 GB``, ``7e9``, ``∞``), for a line of LaTeX."""
    about = r"\approx " if text.startswith("≈") else ""
    number, _, unit = text.removeprefix("≈ ").replace("%", r"\%").replace("µ", r"\mu{}").replace("∞", r"\infty").partition(" ")
    mantissa, power, exponent = number.partition("e")
    number = rf"{mantissa} \times 10^{{{exponent}}}" if power else number.replace(",", "{,}")
    return about + (rf"{number}\,\mathrm{{{unit}}}" if unit else number)


# A formula is written again and again with other numbers; the order of its pieces is found once.
@lru_cache(maxsize=4096)
def _rank(expr: Basic) -> tuple[int, ...]:
    ranks = sorted(_ORDER.get(s, len(_ORDER)) for s in expr.free_symbols)
    return tuple(ranks) if ranks else (len(_ORDER) + 1,)


@lru_cache(maxsize=4096)
def _ordered_terms(expr: Add) -> tuple[Expr, ...]:
    """Positive terms first, then vocabulary order, bare numbers last of their sign."""
    return tuple(sorted(expr.args, key=lambda t: (t.could_extract_minus_sign(), not t.free_symbols, _rank(t), str(t))))


@lru_cache(maxsize=4096)
def _is_quantity(expr: Expr) -> bool:
    """Whether a factor carries a dimension (it then stands behind the fraction that scales it)."""
    return any(LETTERS[s].dimension != one for s in expr.free_symbols if s in LETTERS)


def _bounded(when: Basic) -> Basic:
    """A case's condition as "what is compared ≤ bound", whichever way round SymPy keeps it."""
    return when.reversed if isinstance(when, Ge | Gt) else when


class _Printer(ABC):
    def __init__(self, values: Mapping[Symbol, str]) -> None:
        self.values = values

    def write(self, expr: Basic, tightness: int = 0) -> str:
        text, binds = self._write(expr)
        return text if binds >= tightness else self.parentheses(text)

    def _write(self, expr: Basic) -> tuple[str, int]:
        match expr:
            case Symbol():
                return self._shown(self.values[expr]) if expr in self.values else (self.symbol(expr), _BASE)
            case BooleanTrue() | BooleanFalse():
                return self.word("true" if expr == S.true else "false"), _ATOM
            case Integer() if abs(expr) < 10**5:
                return str(expr), _BASE if expr >= 0 else _SUM
            case Integer():
                return self._shown(show_number(expr))
            case Rational() if expr > 0:
                return self.fraction(str(expr.p), str(expr.q)), _PRODUCT if self.inline else _ATOM
            case _ if expr == oo:
                return self.infinity, _BASE
            case Add():
                return self._sum(expr), _SUM
            case Mul() | Pow() | Rational():
                return self._product(expr)
            case ceiling() | floor():
                return self.rounded(self.write(expr.args[0]), up=isinstance(expr, ceiling)), _BASE
            case Max() | Min():
                name = "max" if isinstance(expr, Max) else "min"
                return self.call(name, [self.write(x) for x in sorted(expr.args, key=_rank)]), _BASE
            case Sum():
                term = self.write(expr.function, _SUM if isinstance(expr.function, Sum) else _PRODUCT)
                for index, low, high in expr.limits:
                    term = self.summation(self.write(index), self.write(low), self.write(high), term)
                return term, _SUM
            case Piecewise():
                rows = [(self.write(value), self.write(_bounded(when))) for value, when in expr.args]
                return self.cases(rows), 0 if self.inline else _ATOM
            case Relational():
                sign = _RELATIONS[type(expr)]
                return f"{self.write(expr.lhs)} {self.relation(*sign)} {self.write(expr.rhs)}", _SUM
        raise TypeError(f"the printer does not know {type(expr).__name__}: add it to algebra/printing.py")

    def _shown(self, text: str) -> tuple[str, int]:
        number = text.partition(" ")[0]
        binds = _SUM if number.startswith("-") else _PRODUCT if "/" in number and self.inline else _BASE if text.isdigit() else _ATOM
        return self.value(text), binds

    def _sum(self, expr: Add) -> str:
        pieces: list[str] = []
        for term in _ordered_terms(expr):
            negative = term.could_extract_minus_sign()
            piece = self.write(-term if negative else term, _PRODUCT)
            sign = ("- " if negative else "+ ") if pieces else "-" if negative else ""
            pieces.append(sign + piece)
        return self.terms(pieces)

    def _product(self, expr: Expr) -> tuple[str, int]:
        if expr.could_extract_minus_sign():
            return f"-{self.write(-expr, _PRODUCT)}", _SUM
        above: list[Expr] = []
        below: list[Expr] = []
        roots_above: list[Expr] = []
        roots_below: list[Expr] = []
        number = S.One
        for factor in Mul.make_args(expr):
            base, power = factor.as_base_exp()
            if factor.is_Rational:
                number *= factor
            elif power == S.Half:
                roots_above.append(base)
            elif power == -S.Half:
                roots_below.append(base)
            elif power.is_number and power.is_negative:
                below.append(base**-power)
            else:
                above.append(factor)
        if roots_above or roots_below:
            above.append(_Root(Mul(*roots_above), Mul(*roots_below)))
        if number.p == 1 and number.q != 1 and not below:
            below, number = [Integer(number.q)], S.One
        text, binds = self._laid_out(number, above, below)
        return text, _SUM if any(isinstance(x, Sum) for x in above) else binds

    def _laid_out(self, number: Rational, above: list[Expr], below: list[Expr]) -> tuple[str, int]:
        scale = [x for x in above if not _is_quantity(x)]
        quantity = [x for x in above if _is_quantity(x)]
        parts: list[str] = []
        if not below:
            parts = [self.write(number, _ATOM)] if number != 1 else []
            parts += self._factors(above)
            alone = len(parts) == 1 and not isinstance(above[0], Pow) if above else True
            return self.times(parts), _ATOM if alone else _PRODUCT
        splits = scale and quantity and not any(_is_quantity(x) for x in below)
        if splits:
            fraction = self.fraction(self._line(scale), self._line(below, below=True))
            parts = ([self.write(number, _ATOM)] if number != 1 else []) + [fraction, *self._factors(quantity)]
            return self.times(parts), _PRODUCT
        top = ([Integer(number.p)] if number.p != 1 else []) + above
        bottom = ([Integer(number.q)] if number.q != 1 else []) + below
        return self.fraction(self._line(top) if top else "1", self._line(bottom, below=True)), _PRODUCT

    def _factors(self, factors: list[Expr]) -> list[str]:
        ordered = sorted(factors, key=lambda x: (not x.is_number, _is_quantity(x), isinstance(x, Add), _rank(x)))
        return [self._factor(x) for x in ordered]

    def _factor(self, x: Expr) -> str:
        if isinstance(x, _Root):
            if x.bottom == 1:
                return self.root(self.write(x.top))
            return self.root(self.fraction(self.write(x.top, self.inline * _PRODUCT), self.write(x.bottom, self.inline * _ATOM)))
        if isinstance(x, Pow) and x.exp != S.Half:
            return self.power(self.write(x.base, _BASE), self.write(x.exp, self.inline * _ATOM))
        return self.write(x, _SUM if isinstance(x, Sum) else _ATOM)

    def _line(self, factors: list[Expr], below: bool = False) -> str:
        """A numerator or a denominator; on one line of text a denominator of several factors needs parentheses."""
        if len(factors) == 1 and not isinstance(factors[0], _Root | Pow):
            return self.write(factors[0], self.inline * _ATOM)
        line = self.times(self._factors(factors))
        return self.parentheses(line) if self.inline and below and len(factors) > 1 else line

    inline = False
    infinity = ""

    @abstractmethod
    def symbol(self, s: Symbol) -> str: ...
    @abstractmethod
    def value(self, text: str) -> str: ...
    @abstractmethod
    def word(self, text: str) -> str: ...
    @abstractmethod
    def parentheses(self, text: str) -> str: ...
    @abstractmethod
    def fraction(self, above: str, below: str) -> str: ...
    @abstractmethod
    def terms(self, pieces: list[str]) -> str: ...
    @abstractmethod
    def times(self, parts: list[str]) -> str: ...
    @abstractmethod
    def power(self, base: str, exponent: str) -> str: ...
    @abstractmethod
    def root(self, inside: str) -> str: ...
    @abstractmethod
    def rounded(self, inside: str, up: bool) -> str: ...
    @abstractmethod
    def call(self, name: str, args: list[str]) -> str: ...
    @abstractmethod
    def summation(self, index: str, low: str, high: str, term: str) -> str: ...
    @abstractmethod
    def cases(self, rows: list[tuple[str, str]]) -> str: ...
    @abstractmethod
    def relation(self, tex: str, text: str) -> str: ...


class _Root(Expr):  # type: ignore[misc]
    """A merged square root of a quotient, for layout only."""

    @property
    def top(self) -> Expr:
        return self.args[0]

    @property
    def bottom(self) -> Expr:
        return self.args[1]


class _Latex(_Printer):
    infinity = r"\infty"

    def symbol(self, s: Symbol) -> str:
        return LETTERS[s].tex if s in LETTERS else str(s.name)

    def value(self, text: str) -> str:
        return amount_to_latex(text)

    def word(self, text: str) -> str:
        return rf"\text{{{text}}}"

    def parentheses(self, text: str) -> str:
        return rf"\left({text}\right)"

    def fraction(self, above: str, below: str) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def terms(self, pieces: list[str]) -> str:
        """A sum that is wider than a page has its terms below each other."""
        if len(pieces) == 1 or sum(map(len, pieces)) <= _WIDE:
            return " ".join(pieces)
        first, *more = pieces
        return rf"\begin{{aligned}} & {first} \\ " + r" \\ ".join(f"& {{}} {piece}" for piece in more) + r" \end{aligned}"

    def times(self, parts: list[str]) -> str:
        return (r" \times " if self.values else r" \, ").join(parts)

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def rounded(self, inside: str, up: bool) -> str:
        return rf"\left\lceil {inside} \right\rceil" if up else rf"\left\lfloor {inside} \right\rfloor"

    def call(self, name: str, args: list[str]) -> str:
        return rf"\{name}\left({', '.join(args)}\right)"

    def summation(self, index: str, low: str, high: str, term: str) -> str:
        return rf"\sum_{{{index}={low}}}^{{{high}}} {term}"

    def cases(self, rows: list[tuple[str, str]]) -> str:
        always = self.word("true")
        lines = [rf"{value} & \text{{otherwise}}" if when == always else rf"{value} & \text{{if }}{when}" for value, when in rows]
        return r"\begin{cases}" + r" \\ ".join(lines) + r"\end{cases}"

    def relation(self, tex: str, text: str) -> str:
        return tex


_GREEK: Final = {"phi": "φ", "rho": "ρ", "sigma": "σ", "kappa": "κ", "chi": "χ", "omega": "ω"}


class _Text(_Printer):
    inline = True
    infinity = "∞"

    def symbol(self, s: Symbol) -> str:
        head, mark, sub = str(s.name).partition("_")
        return _GREEK.get(head, head) + mark + sub

    def value(self, text: str) -> str:
        return text

    def word(self, text: str) -> str:
        return text

    def parentheses(self, text: str) -> str:
        return f"({text})"

    def fraction(self, above: str, below: str) -> str:
        return f"{above} / {below}" if self.values else f"{above}/{below}"

    def terms(self, pieces: list[str]) -> str:
        return " ".join(pieces)

    def times(self, parts: list[str]) -> str:
        return (" × " if self.values else "·").join(parts)

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{exponent}"

    def root(self, inside: str) -> str:
        return f"√({inside})" if len(inside) > 1 else f"√{inside}"

    def rounded(self, inside: str, up: bool) -> str:
        return f"⌈{inside}⌉" if up else f"⌊{inside}⌋"

    def call(self, name: str, args: list[str]) -> str:
        return f"{name}({', '.join(args)})"

    def summation(self, index: str, low: str, high: str, term: str) -> str:
        return f"Σ[{index}={low}..{high}] {term}"

    def cases(self, rows: list[tuple[str, str]]) -> str:
        return "; ".join(f"{value} otherwise" if when == "true" else f"{value} if {when}" for value, when in rows)

    def relation(self, tex: str, text: str) -> str:
        return text
