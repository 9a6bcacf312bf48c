"""An expression as a Python function over ints and Fractions: exact, and fast enough for sweeps of searches.

SymPy's own ``lambdify`` gives floats for a quotient of ints and loses digits; here a quotient stays exact
and a value that is no rational number (``sqrt(96)``) is refused, so that the caller can keep it symbolic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import Add, And, Integer, Max, Min, Mul, Or, Piecewise, Pow, Rational, S, Sum, Symbol, ceiling, floor, oo
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from .sharing import Ceiled, Floored, shared

Number = int | Fraction


class Surd(ArithmeticError):
    """The value is no rational number."""


def over(above: Number, below: Number) -> Number:
    """The exact quotient: an int where it is whole."""
    if isinstance(above, int) and isinstance(below, int):
        whole, rest = divmod(above, below)
        return whole if rest == 0 else Fraction(above, below)
    quotient = Fraction(above) / below
    return quotient.numerator if quotient.denominator == 1 else quotient


def root(x: Number, degree: int) -> Number:
    """The exact root of a perfect power; anything else is a `Surd`."""
    return over(_int_root(x.numerator, degree), _int_root(x.denominator, degree))


def _int_root(x: int, degree: int) -> int:
    if degree != 2:
        raise Surd(f"root of degree {degree}")
    found = math.isqrt(x)
    if found * found != x:
        raise Surd(f"square root of {x}")
    return found


@lru_cache(maxsize=1024)
def compiled(expr: Basic, letters: tuple[Symbol, ...], root: Callable[[Number, int], Number] = root) -> Callable[..., Number | bool]:
    """The function of `letters`, in their order, that an expression is; `root` takes its roots."""
    source = f"lambda {', '.join(s.name for s in letters)}: {_code(expr)}"
    return eval(source, _space(over, root))  # type: ignore[no-any-return]  # source is printed from our own expression


def compiled_together(
    quantities: Mapping[Symbol, Basic], letters: Sequence[Symbol],
    over: Callable[[Number, Number], Any] = over, root: Callable[[Number, int], Any] = root,
) -> Callable[..., tuple[Any, ...]]:  # fmt: skip
    """The function of `letters` that gives all quantities, of letters and of those before them; what they share is computed once."""
    parts, reduced = shared(list(quantities.values()))
    waiting = dict(parts)
    lines: list[str] = []

    def write(name: Symbol, expr: Basic) -> None:
        for part in sorted(expr.free_symbols & waiting.keys(), key=str):
            write(part, waiting.pop(part))
        lines.append(f"    {name.name} = {_code(expr)}")

    for name, expr in zip(quantities, reduced, strict=True):
        write(name, expr)
    head, result = (", ".join(s.name for s in names) for names in (letters, quantities))
    space = _space(over, root)
    exec("\n".join([f"def together({head}):", *lines, f"    return {result},"]), space)  # printed from our own expressions
    return space["together"]  # type: ignore[no-any-return]


def _space(over: Callable[..., Any], root: Callable[..., Any]) -> dict[str, Any]:
    names = {"over": over, "root": root, "Fraction": Fraction, "infinity": oo, "max": max, "min": min, "sum": sum, "range": range}
    return {"__builtins__": {}} | names


def _code(expr: Basic) -> str:
    match expr:
        case Symbol():
            return str(expr.name)
        case Integer():
            return f"({expr})" if expr < 0 else str(expr)
        case Rational():
            return f"Fraction({expr.p}, {expr.q})"
        case _ if expr == oo:
            return "infinity"
        case _ if expr == S.true or expr == S.false:
            return str(bool(expr))
        case Add():
            return f"({' + '.join(map(_code, expr.args))})"
        case Mul():
            above, below = expr.as_numer_denom()
            if below == 1:
                return f"({' * '.join(map(_code, expr.args))})"
            return f"over({_code(above)}, {_code(below)})"
        case Pow():
            return _power(expr)
        case ceiling() | floor() | Ceiled() | Floored():
            above, below = expr.args if isinstance(expr, Ceiled | Floored) else expr.args[0].as_numer_denom()
            sign = "-" if isinstance(expr, ceiling | Ceiled) else ""
            return f"({sign}(({sign}({_code(above)})) // ({_code(below)})))"
        case Max() | Min():
            return f"{'max' if isinstance(expr, Max) else 'min'}({', '.join(map(_code, expr.args))})"
        case Sum():
            body = _code(expr.function)
            for index, low, high in expr.limits:
                body = f"sum({body} for {index.name} in range({_code(low)}, {_code(high)} + 1))"
            return body
        case Relational():
            return f"({_code(expr.lhs)} {expr.rel_op} {_code(expr.rhs)})"
        case And() | Or():
            return f"({(' and ' if isinstance(expr, And) else ' or ').join(map(_code, expr.args))})"
        case Piecewise():
            text = "None"
            for value, when in reversed(expr.args):
                text = _code(value) if when == S.true else f"({_code(value)} if {_code(when)} else {text})"
            return text
    raise TypeError(f"no arithmetic for {type(expr).__name__}: add it to algebra/arithmetic.py")


def _power(expr: Pow) -> str:
    base, power = expr.args
    if power.is_Integer:
        return f"({_code(base)})**{power}" if power > 0 else f"over(1, ({_code(base)})**{-power})"
    if power.is_Rational:
        inside = f"root({_code(base)}, {power.q})**{abs(power.p)}"
        return inside if power > 0 else f"over(1, {inside})"
    return f"({_code(base)})**({_code(power)})"
