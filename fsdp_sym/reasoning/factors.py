"""An expression in factors: the form that reads best, found without SymPy's general search.

A polynomial in which some letter stands to the first power, a x + b, is the common divisor of a and b times a factor that
cannot be split. Nearly all of ours are such, so divisors are enough, where a search takes seconds of many letters.
"""

from __future__ import annotations

from sympy import Expr, Integer, Mul, Number, fraction, together
from sympy.polys.rings import PolyElement, sring


def factored(expr: Expr) -> Expr:
    """The expression as SymPy's ``factor`` writes it, where its coefficients are whole; else a number may stand in another factor."""
    powers: list[tuple[Expr, int]] = []
    for part in Mul.make_args(together(expr)):
        base, power = part.as_base_exp()
        powers.append((base, int(power)) if power.is_Integer else (part, 1))
    return _product([(sring(base)[1], power) for base, power in powers])


def root_of_line(gap: Expr, unknown: Expr) -> Expr | None:
    """Where it is zero, in factors, if its numerator is of the first degree in the letter; else None."""
    above, _ = fraction(together(gap))
    if not above.is_polynomial(unknown):
        return None
    ring, line = sring(above)
    at = ring.symbols.index(unknown) if unknown in ring.symbols else None
    if at is None or line.degrees()[at] != 1:
        return None
    slope, rest = _line(line, at)
    return _product([(-rest, 1), (slope, -1)])


def _line(poly: PolyElement, at: int) -> tuple[PolyElement, PolyElement]:
    """The parts a and b of a x + b."""
    slope = poly.diff(poly.ring.gens[at])
    return slope, poly - slope * poly.ring.gens[at]


def _product(powers: list[tuple[PolyElement, int]]) -> Expr:
    number, product = Integer(1), Integer(1)
    for poly, power in powers:
        content, factors = _factors(poly)
        number *= content**power
        product *= Mul(*(factor.as_expr() ** (times * power) for factor, times in factors))
    # A number is not multiplied into a sum, as SymPy would.
    return Mul(number, product, evaluate=not product.is_Add or abs(number) == 1)


def _factors(poly: PolyElement) -> tuple[Number, list[tuple[PolyElement, int]]]:
    """A number and the factors, each led by a positive number, with their powers."""
    content, poly = poly.primitive()
    if poly.LC < 0:
        content, poly = -content, -poly
    number = poly.ring.domain.to_sympy(content)
    if poly.is_ground:
        return number, []
    first_power = [at for at, most in enumerate(poly.degrees()) if most == 1]
    if not first_power:
        content, factors = poly.factor_list()
        return number * poly.ring.domain.to_sympy(content), factors
    slope, rest = min((_line(poly, at) for at in first_power), key=lambda line: len(line[0]))
    common = slope.gcd(rest)
    others, factors = _factors(common)
    return number * others, [(poly.exquo(common), 1), *factors]
