"""A value that somebody printed, held against a formula at the inputs that were printed with it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from fsdp_sym import work
from fsdp_sym.algebra.units import Amount, parse_amount, show, to_exact
from fsdp_sym.algebra.vocabulary import letter
from fsdp_sym.reasoning.catalogue import formula as named
from fsdp_sym.reasoning.work import plain


class Printed(NamedTuple):
    """A printed value, and what a wrong convention makes of the same inputs."""

    what: str
    formula: str
    at: Mapping[str, object]
    value: str  # exact, or rounded to `digits`
    thought: str
    change: Mapping[str, object]
    instead: str = ""  # another formula, where the thought is another formula
    digits: int | None = None
    even: bool = False  # whether shares are taken to be even, though they are not
    says: str = ""  # words by which the formula, or one of its letters, names the convention


def gives(row: Printed, formula: str, at: Mapping[str, object]) -> bool:
    """Whether the formula says at these values what was printed."""
    worked = work({name: value for name, value in at.items() if name in letters(formula)}, formula)
    found = worked.ideal if row.even else worked.value
    assert isinstance(found, Amount)
    number, _, unit = row.value.partition(" ")
    scale = parse_amount(f"1 {unit}") if unit else Amount(to_exact(1))
    printed = Amount(to_exact(Fraction(number)) * scale.value, scale.dimension)
    if row.digits is None:
        return plain(found.value) == plain(printed.value)
    return show(found, unit or None, row.digits).removeprefix("≈ ") == show(printed, unit or None, row.digits).removeprefix("≈ ")


def holds(row: Printed) -> bool:
    """Whether its own formula gives the row."""
    return gives(row, row.formula, row.at)


def rival_holds(row: Printed) -> bool:
    """Whether the wrong convention gives it, too."""
    return gives(row, row.instead or row.formula, {**row.at, **row.change})


def names_its_convention(row: Printed) -> bool:
    """Whether the words stand in what the product says of the formula."""
    formula = named(row.formula)
    return row.says in " ".join([formula.story.replace("\n", " "), *(letter(s).says for s in formula.letters)])


def letters(formula: str) -> set[str]:
    """The letters that a formula takes, by name."""
    return {s.name for s in named(formula).letters}
