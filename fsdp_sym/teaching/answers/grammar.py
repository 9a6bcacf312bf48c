"""Recursive descent over the tokens of an answer: sums of products of powers, as people write them.

What the parts become is the subclass's matter: exact amounts with units, or the tree of a formula.
``S(1 - 1/N)`` is a product. A product without a sign right behind a quotient (``S/2N``) has two readings and is refused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Generic, TypeVar

from .exact import FUNCTIONS, Unworkable
from .tokens import END, NAME, NUMBER, SIGN, Token
from .unreadable import Unreadable, quoted

T = TypeVar("T")
MOST_DEPTH: Final = 25
_CLOSING: Final = {"(": ")", "{": "}", "ceil": "ceil)", "floor": "floor)"}
_SHOWN: Final = {"ceil": "⌈", "ceil)": "⌉", "floor": "⌊", "floor)": "⌋", "frac": r"\frac"}


class Grammar(ABC, Generic[T]):
    """One pass over the tokens of one answer."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.next = 0
        self.token = tokens[0]
        self.depth = 0
        self.working_at = 0  # the sign whose value is being worked out

    @abstractmethod
    def number(self, token: Token) -> T: ...
    @abstractmethod
    def name(self, token: Token) -> T: ...
    @abstractmethod
    def negative(self, part: T) -> T: ...
    @abstractmethod
    def combined(self, operator: str, left: T, right: T) -> T: ...
    @abstractmethod
    def called(self, function: str, arguments: list[T]) -> T: ...

    def measured(self, part: T) -> T:
        """A factor with the unit that follows it, where there are units."""
        return part

    def joined(self, operator: str, left: T, right: T) -> T:
        """Two factors put together, and the unit that follows them."""
        return self.combined(operator, left, right)

    def whole(self) -> T:
        """What all of the text says.

        Raises
        ------
        Unreadable
            At the first token that does not fit, or at the sign whose value cannot be worked out.
        """
        try:
            found = self._sum()
        except Unworkable as error:
            raise Unreadable(str(error), self.working_at) from None
        if self.token.kind != END:
            raise self.unexpected()
        return found

    def advance(self) -> Token:
        token = self.token
        self.next += 1
        self.token = self.tokens[self.next]
        return token

    def unexpected(self) -> Unreadable:
        """What to say of the token at hand, which does not fit here."""
        kind, text, at = self.token[:3]
        if kind == END:
            return Unreadable("something is missing at the end: write the rest, or leave out the last sign", at)
        if text in (")", "}", "ceil)", "floor)"):
            return Unreadable(f"there is nothing that this {_SHOWN.get(text, text)!r} closes: leave it out", at)
        if kind == NUMBER:
            return Unreadable("a number does not follow here: write a sign such as * before it, or group its digits in threes", at)
        if kind == NAME:
            return Unreadable(f"{quoted(text)} does not fit here: write a number and a unit only, such as 12.5 GB", at)
        if text == "%":
            return Unreadable("a percent sign stands behind a number, and not in a formula: write 0.175", at)
        if text == ",":
            return Unreadable("one answer is asked: leave out the comma, or write a point for the decimal mark", at)
        return Unreadable(f"{_SHOWN.get(text, text)!r} needs something to its left: write it, or leave the sign out", at)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise Unreadable(f"this is nested more than {MOST_DEPTH} deep: write it with fewer brackets or signs", self.token.at)

    def _sum(self) -> T:
        sign = self.advance().text if self.token.kind == SIGN and self.token.text in "+-" else ""
        left = self._product()
        if sign == "-":
            left = self.negative(left)
        while self.token.kind == SIGN and self.token.text in "+-":
            operator = self.advance()
            right = self._product()
            self.working_at = operator.at
            left = self.combined(operator.text, left, right)
        return left

    def _product(self) -> T:
        left = self.measured(self._signed())
        operator = ""
        while True:
            token = self.token
            if token.kind == SIGN and token.text in ("*", "/"):
                sign = operator = self.advance().text
                right = self._signed()
            elif self.begins_factor(token):
                if operator == "/":
                    raise Unreadable(f"what is divided by? Write a/(b*c), or (a/b)*c, with a * before {self.shown(token)}", token.at)
                sign = "*"
                right = self._power()
            elif token.kind == NUMBER:
                raise self.unexpected()
            else:
                return left
            self.working_at = token.at
            left = self.joined(sign, left, right)

    def begins_factor(self, token: Token) -> bool:
        """Whether a token here begins a factor, with no sign before it."""
        return token.kind == NAME or (token.kind == SIGN and token.text in ("(", "{", "frac", "ceil", "floor"))

    def shown(self, token: Token) -> str:
        return quoted(_SHOWN.get(token.text, token.text))

    def _signed(self) -> T:
        if self.token.kind != SIGN or self.token.text not in "+-":
            return self._power()
        self._deeper()
        sign = self.advance().text
        part = self._signed()
        self.depth -= 1
        return self.negative(part) if sign == "-" else part

    def _power(self) -> T:
        base = self._atom()
        if self.token.text != "^":
            return base
        at = self.advance().at
        self._deeper()
        exponent = self._signed()
        self.depth -= 1
        self.working_at = at
        return self.combined("^", base, exponent)

    def _atom(self) -> T:
        token = self.token
        if token.kind == NUMBER:
            return self.number(self.advance())
        if token.kind == NAME:
            self.advance()
            return self._call(token) if token.text in FUNCTIONS else self.name(token)
        if token.text in ("(", "{"):
            (inside,) = self._group(1)
            return inside
        if token.text in ("ceil", "floor"):
            arguments = self._group(1)
            self.working_at = token.at
            return self.called(token.text, arguments)
        if token.text == "frac":
            self.advance()
            above, below = self._braced(), self._braced()
            self.working_at = token.at
            return self.combined("/", above, below)
        raise self.unexpected()

    def _group(self, most: int) -> list[T]:
        opening = self.advance()
        self._deeper()
        inside = [self._sum()]
        while self.token.text == "," and len(inside) < most:
            self.advance()
            inside.append(self._sum())
        if self.token.text != _CLOSING[opening.text]:
            if self.token.kind == END:
                raise Unreadable(f"this {_SHOWN.get(opening.text, opening.text)!r} is never closed: close it, or leave it out", opening.at)
            raise self.unexpected()
        self.advance()
        self.depth -= 1
        return inside

    def _braced(self) -> T:
        if self.token.text != "{":
            raise Unreadable(r"a fraction has two parts in braces: write \frac{a}{b}", self.token.at)
        (inside,) = self._group(1)
        return inside

    def _call(self, name: Token) -> T:
        least = FUNCTIONS[name.text]
        if self.token.text not in ("(", "{"):
            if name.text != "sqrt":
                raise Unreadable(f"{name.text} is followed by brackets: write {name.text}(...)", self.token.at)
            self._deeper()
            arguments = [self._atom()]
            self.depth -= 1
        else:
            arguments = self._group(1 if least == 1 else 100)
        if len(arguments) < least:
            raise Unreadable(f"{name.text} takes at least two parts: write {name.text}(a, b)", name.at)
        self.working_at = name.at
        return self.called(name.text, arguments)
