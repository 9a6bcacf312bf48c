"""An answer in ASCII cut into numbers, names and signs, LaTeX included. A token knows where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ...algebra.arithmetic import Number
from .exact import FUNCTIONS, Unworkable, literal
from .unreadable import Unreadable, quoted

NUMBER, NAME, SIGN, END = "number", "name", "sign", "end"


class Token(NamedTuple):
    """A piece of an answer: its kind, its text, where it begins, whether it follows without a space, a number's value."""

    kind: str
    text: str
    at: int
    glued: bool = False
    value: Number = 0


_TAIL: Final = r"(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?"
_GROUPED: Final = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|"
_DIGITS: Final = r"[0-9]{1,3}(?: [0-9]{3})+(?![0-9])|[0-9]{1,3}(?:_[0-9]{3})+(?![0-9])|[0-9]+"
_POINT: Final = r"\.[0-9]+(?:[eE][-+]?[0-9]+)?"
_NAME: Final = r"[A-Za-z]+(?:_(?:[A-Za-z0-9]+|\{(?:\\(?:mathrm|text|rm)\{[A-Za-z0-9]+\}|\\?[A-Za-z0-9]+)\}))?"
_UPRIGHT: Final = r"\\(?:mathrm|text|operatorname)\{ *[A-Za-z]+ *\}"
_REST: Final = rf"(?P<name>{_NAME}|{_UPRIGHT})|(?P<command>\\(?:[A-Za-z]+|[,;:! %]))|(?P<sign>\*\*|[-+*/^(){{}},%])"
_PIECE: Final = re.compile(rf"[ \t\r\n\f\v]*(?:(?P<number>(?:{_GROUPED}{_DIGITS}){_TAIL}|{_POINT})|{_REST})?")
_LISTED: Final = re.compile(rf"[ \t\r\n\f\v]*(?:(?P<number>(?:{_DIGITS}){_TAIL}|{_POINT})|{_REST})?")

_COMMANDS: Final[dict[str, tuple[str, str]]] = {
    r"\cdot": (SIGN, "*"), r"\times": (SIGN, "*"), r"\div": (SIGN, "/"), r"\%": (SIGN, "%"),
    r"\frac": (SIGN, "frac"), r"\dfrac": (SIGN, "frac"), r"\tfrac": (SIGN, "frac"),
    r"\lceil": (SIGN, "ceil"), r"\rceil": (SIGN, "ceil)"), r"\lfloor": (SIGN, "floor"), r"\rfloor": (SIGN, "floor)"),
    **{rf"\{name}": (NAME, name) for name in ("sqrt", "max", "min", "phi", "rho", "sigma", "kappa", "chi", "omega")},
    r"\varphi": (NAME, "phi"),
}  # fmt: skip
_SPACING: Final = {r"\left", r"\right", r"\,", r"\;", r"\:", r"\!", "\\ ", r"\quad"}
_SIGNS: Final = {"**": "^"}
_LONGEST_ROW: Final = 24  # of letters without a sign between them

COMMA: Final = "the decimal mark is a point; a comma groups three digits: write 12.5, or 12,500"
_ONLY: Final = "write a number and a unit only, such as 12.5 GB"
_ILLEGAL: Final = {
    "=": "write the answer alone, without '='",
    "#": _ONLY, "~": _ONLY,
    ".": "a number has one decimal point: write it as 12.5, and no full stop",
    ",": "there is nothing for this comma to separate: leave it out",
    "[": "brackets are round here: write ( )", "]": "brackets are round here: write ( )",
    "$": "leave the dollar signs out",
    "\\": "only simple LaTeX is read, such as \\frac{a}{b}: write a plain formula",
}  # fmt: skip


def tokens(text: str, letters: Mapping[str, str], listed: bool = False) -> list[Token]:
    """The tokens of a text, with an end token.

    Parameters
    ----------
    text : str
        ASCII.
    letters : mapping of str to str
        Each spelling of a letter, to the letter's name; empty where names are units. A run of letters
        (``NS``), if it is short, is taken apart where there is one way to do so.
    listed : bool
        Whether commas separate numbers; otherwise they group digits in threes.

    Raises
    ------
    Unreadable
        At the character that no token begins with, or at a misspelled number.
    """
    found: list[Token] = []
    match = (_LISTED if listed else _PIECE).match
    at, size = 0, len(text)
    while at < size:
        piece = match(text, at)
        kind = piece.lastgroup if piece else None
        assert piece is not None
        if kind is None:
            at = piece.end()
            if at == size:
                break
            raise Unreadable(_ILLEGAL.get(text[at], f"{text[at]!r} has no meaning in an answer: leave it out"), at)
        begin, end = piece.span(kind)
        word = text[begin:end]
        glued = begin == at
        if kind == NUMBER:
            found.append(_number(text, word, begin, end, glued, listed))
        elif kind == SIGN:
            found.append(Token(SIGN, _SIGNS.get(word, word), begin, glued))
        elif kind == NAME:
            found += _names(word, begin, glued, letters)
        elif word in _COMMANDS:
            of, name = _COMMANDS[word]
            found.append(Token(of, name, begin, glued))
        elif word not in _SPACING:
            raise Unreadable(f"the LaTeX command {quoted(word[1:])} is not read: write a plain formula, such as (N-1)*S/N", begin)
        at = end
    found.append(Token(END, "", size))
    return found


def _number(text: str, word: str, begin: int, end: int, glued: bool, listed: bool) -> Token:
    after = text[end : end + 2]
    if word[0] == "0" and any(mark in word for mark in ", _"):
        raise Unreadable(COMMA, begin + 1)
    if after[:1] == "." or (after[:1] == "," and after[1:].isdigit() and not listed):
        raise Unreadable(COMMA if after[0] == "," else _ILLEGAL["."], end)
    digits, _, exponent = word.replace("E", "e").partition("e")
    try:
        value = literal(digits.replace(",", "").replace(" ", "").replace("_", ""), exponent)
    except Unworkable as error:
        raise Unreadable(str(error), begin) from None
    return Token(NUMBER, word, begin, glued, value)


def _names(word: str, at: int, glued: bool, letters: Mapping[str, str]) -> list[Token]:
    if "{" in word or word[0] == "\\":
        word = re.sub(r"\\(?:mathrm|text|rm|operatorname)\{|[\\{} ]", "", word)
    if word in letters:
        return [Token(NAME, letters[word], at, glued)]
    if word in ("x", "X"):
        return [Token(SIGN, "*", at, glued)]
    if not letters or word in FUNCTIONS or word == "ceiling" or len(word) > _LONGEST_ROW:
        return [Token(NAME, "ceil" if word == "ceiling" else word, at, glued)]
    ways = taken_apart(word, tuple(letters))
    if len(ways) > 1:
        raise Unreadable(f"{quoted(word)} can be taken apart in two ways: write a * between its letters", at)
    if not ways:
        return [Token(NAME, word, at, glued)]
    parts = []
    for part in ways[0]:
        parts.append(Token(NAME, letters[part], at, glued))
        at += len(part)
    return parts


@lru_cache(maxsize=4096)
def taken_apart(word: str, known: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The first two ways to write a word as a row of known ones, or fewer."""
    ways: list[list[tuple[str, ...]]] = [[()]]
    for end in range(1, len(word) + 1):
        here: list[tuple[str, ...]] = []
        for name in known:
            if len(name) <= end and word.endswith(name, 0, end):
                here += [(*way, name) for way in ways[end - len(name)]]
        ways.append(here[:2])
    return tuple(ways[-1])
