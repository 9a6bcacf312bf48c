"""An answer that is an amount: exact arithmetic with units.

A unit binds as people write it: behind the first product of numbers it measures all of that product, so that
``16*7e9/8 B`` is 14 GB; once a product has a unit, each further one belongs to its own number (``14 GB / 25 GB/s``).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ...algebra.arithmetic import Number
from .exact import Unworkable, called, combined
from .grammar import Grammar
from .tokens import NAME, NUMBER, SIGN, Token
from .units import COUNTS, PLAIN, SCALES, Powers, Unit, base_name, quotient, remedy, said, unit_named
from .unreadable import Unreadable
from .writing import number_text


class Measure(NamedTuple):
    """A value in base units, its dimension, and the unit it was written in: None for none, one without a name for several."""

    value: Number
    powers: Powers = PLAIN
    unit: Unit | None = None


# Short enough to be the size of a model: 7B, 13B, 175B.
_SIZE_OF_A_MODEL: Final = re.compile(r"[0-9]{1,4}(?:\.[0-9]*)?")


class Amounts(Grammar[Measure]):
    """The grammar of amounts.

    Parameters
    ----------
    tokens : list of Token
    example : str
        An answer of the kind asked for, for messages.
    counts : bool
        Whether a count is asked, where ``7B`` is 7e9; elsewhere it is refused, since it may be meant as bytes.
    """

    def __init__(self, tokens: list[Token], example: str, counts: bool) -> None:
        super().__init__(tokens)
        self.example = example
        self.counts = counts

    def number(self, token: Token) -> Measure:
        value = token.value
        after = self.token
        if after.kind == NAME:
            if after.text in SCALES:
                self.working_at = after.at
                return Measure(combined("*", value, SCALES[self.advance().text]))
            if after.text == "B" and not self._a_unit_per_unit():
                self._no_size_of_a_model(token, after)
            if self.counts and after.glued and after.text in COUNTS:
                self.working_at = after.at
                return Measure(combined("*", value, COUNTS[self.advance().text]))
        return Measure(value)

    def _a_unit_per_unit(self) -> bool:
        follows, then = self.tokens[self.next + 1], self.tokens[min(self.next + 2, len(self.tokens) - 1)]
        return follows.text == "per" or (follows.text == "/" and then.kind == NAME)

    def _no_size_of_a_model(self, number: Token, b: Token) -> None:
        behind_a_power = self.tokens[self.next - 2].text == "^"
        if b.glued != self.counts and not behind_a_power and _SIZE_OF_A_MODEL.fullmatch(number.text):
            meant = number.text
            raise Unreadable(f"{meant} bytes, or {meant}e9 parameters? Write '{meant} bytes' or {meant}e9", b.at)

    def name(self, token: Token) -> Measure:
        if unit_named(token.text):
            raise Unreadable(f"a number is missing before the unit: write it as in {self.example}", token.at)
        raise Unreadable(remedy(token.text, self.example), token.at)

    def begins_factor(self, token: Token) -> bool:
        return token.kind != NAME and super().begins_factor(token)

    def unexpected(self) -> Unreadable:
        if self.token.kind == NAME and self.tokens[self.next - 1].kind == NUMBER:
            return Unreadable(remedy(self.token.text, self.example), self.token.at)
        return super().unexpected()

    def negative(self, part: Measure) -> Measure:
        return part._replace(value=-part.value)

    def combined(self, operator: str, left: Measure, right: Measure) -> Measure:
        if operator in "+-":
            return self._added(operator, left, right)
        if operator == "^":
            if left.unit or right.unit:
                raise Unworkable("an amount with a unit has no power here: write its number")
            return Measure(combined("^", left.value, right.value))
        value = combined(operator, left.value, right.value)
        if right.unit is None:
            return Measure(value, left.powers, left.unit)
        sign = -1 if operator == "/" else 1
        powers = tuple(a + sign * b for a, b in zip(left.powers, right.powers, strict=True))
        alone = operator == "*" and (left.unit is None or left.powers == PLAIN)
        return Measure(value, powers, right.unit if alone else _several(powers))

    def _added(self, operator: str, left: Measure, right: Measure) -> Measure:
        if left.powers != right.powers:
            if left.unit is None or right.unit is None:
                raise Unworkable("one part has a unit and the other has none: write it after both, or as in (8 + 3) ms")
            names = " and ".join(said(part.powers) for part in (left, right))
            raise Unworkable(f"{names} cannot be added: write both in one kind of unit")
        unit = left.unit if left.unit == right.unit else _several(left.powers)
        return Measure(combined(operator, left.value, right.value), left.powers, unit)

    def called(self, function: str, arguments: list[Measure]) -> Measure:
        first = arguments[0]
        if any(part.unit for part in arguments):
            raise Unworkable(f"{function} is taken of plain numbers: write the unit behind it, as in {function}(...) {first.unit or 'B'}")
        return Measure(called(function, [part.value for part in arguments]))

    def measured(self, part: Measure) -> Measure:
        unit = self._unit()
        if unit is None:
            return part
        if part.unit is not None:
            raise Unreadable("two units in a row: write one", self.tokens[self.next - 1].at)
        return Measure(combined("*", part.value, unit.size), unit.powers, unit)

    def joined(self, operator: str, left: Measure, right: Measure) -> Measure:
        if left.unit is None and right.unit is None:
            return self.measured(self.combined(operator, left, right))
        return self.combined(operator, left, self.measured(right))

    def _unit(self) -> Unit | None:
        unit = self._simple_unit()
        if unit is None:
            return None
        while self.token.text == "per" or (self.token.text == "/" and self.tokens[self.next + 1].kind == NAME):
            self.advance()
            word = self.token
            below = self._simple_unit()
            if below is None:
                raise Unreadable(remedy(word.text, self.example), word.at)
            unit = quotient(unit, below)
        if self.token.kind == NAME:
            raise self.unexpected()
        return unit

    def _simple_unit(self) -> Unit | None:
        token = self.token
        if token.kind == NAME:
            unit = unit_named(token.text)
        elif token.kind == SIGN and token.text == "%":
            unit = unit_named("%")
        else:
            return None
        if unit is not None:
            self.advance()
        return unit


def _several(powers: Powers) -> Unit:
    return Unit("", 1, powers)


def amount_text(measure: Measure) -> str:
    """``112 GB = 112,000,000,000 B``: the amount in its own unit, then in base units where they differ."""
    value, powers, unit = measure
    texts = []
    if unit is not None and unit.name:
        texts.append(_with_unit(combined("/", value, unit.size), unit.name))
    texts.append(_with_unit(value, base_name(powers)))
    return " = ".join(dict.fromkeys(texts))


def _with_unit(value: Number, name: str) -> str:
    return f"{number_text(value)} {name}".rstrip()
