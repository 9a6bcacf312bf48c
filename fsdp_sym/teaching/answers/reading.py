"""From what a student typed to what it says, or to a line that helps. Nothing is ever evaluated as code.

The text is bounded before it is looked at, brought to plain characters, cut into tokens and read by recursive descent
over exact numbers. Whether an answer is right is not this room's matter.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from ...algebra.arithmetic import over
from ...algebra.units import bit, byte, param
from .amounts import Amounts, Measure, amount_text
from .characters import plain, printable
from .exact import MOST_BITS, Unworkable
from .expects import Choice, Count, Expects, Number, Quantity, Symbolic, Triple
from .expressions import Formulas, check_letters, check_value, formula_text, spellings
from .outcomes import Invalid, NotAnswered, Read
from .tokens import NUMBER, Token, tokens
from .units import PLAIN, Powers, Unit, dimension_of, powers_of, said
from .unreadable import Unreadable
from .writing import number_text

LONGEST: Final = 200
_PARAM: Final = powers_of(param)
_PER_PARAM: Final = powers_of(byte / param)
_BYTES: Final = powers_of(byte)
_BITS_IN_A_BYTE: Final = powers_of(bit / byte)
_NO_NUMBER: Final = "there is none"
_EXAMPLE: Final = ("2", "3", "5", "7")
_NONE: Final = {"none", "there is none", "no such number", "impossible"}
# One group of three and nothing else: a decimal comma looks the same.
_ONE_COMMA: Final = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")

_TOO_LONG: Final = Invalid(f"this is too long: write an answer of at most {LONGEST} characters")


def read(text: object, expects: Expects) -> Read | Invalid | NotAnswered:
    """Read one answer.

    Parameters
    ----------
    text : str, int, float or None
        What was typed. An int or a float is read as it is written; any other type, subclasses included, is refused.
    expects : Expects
        What the question asks for.

    Returns
    -------
    Read, Invalid or NotAnswered
        An answer in another dimension than the one asked for is `Read`: it is wrong, not invalid.
    """
    if text is None:
        return NotAnswered()
    if type(text) is int:
        if text.bit_length() > MOST_BITS:
            return Invalid("this number is too large: write it with an exponent, as in 7e9")
        text = str(text)
    elif type(text) is float:
        text = repr(text)
    elif type(text) is not str:
        return Invalid('an answer is a text or a number: put it in quotes, such as "12.5 GB"')
    if len(text) > LONGEST:
        return _TOO_LONG
    if not text or text.isspace():
        return NotAnswered()
    try:
        ascii_text, places = plain(text)
    except Unreadable as error:
        return _invalid(error, text, None)
    if len(ascii_text) > LONGEST:
        return _TOO_LONG
    try:
        match expects:
            case Symbolic():
                return _formula(ascii_text, expects)
            case Choice():
                return _choice(ascii_text, expects)
            case Triple():
                return _triple(ascii_text, expects)
            case _:
                return _amount(ascii_text, expects)
    except Unreadable as error:
        return _invalid(error, text, places)


def _invalid(error: Unreadable, text: str, places: list[int] | None) -> Invalid:
    at = error.at
    if at is None:
        return Invalid(error.message)
    if places is not None:
        at = places[at] if at < len(places) else len(text)
    return Invalid(error.message, at, f"{printable(text)}\n{' ' * at}^")


def _amount(text: str, expects: Quantity | Count | Number) -> Read:
    asked = powers_of(expects.dimension) if isinstance(expects, Quantity) else PLAIN
    unit = expects.unit if isinstance(expects, Quantity) else ""
    if isinstance(expects, Count) and expects.or_none and _is_none(text):
        return Read(None, _NO_NUMBER)
    found = tokens(text, {})
    measure = _fitted(Amounts(found, f"12.5 {unit or 'GB'}", counts=asked in (PLAIN, _PARAM)).whole(), asked)
    if measure.unit is None and measure.powers != asked:
        number = number_text(measure.value).removeprefix("≈ ")
        raise Unreadable(f"a unit is missing: add one, such as {number} {unit}", len(text.rstrip()))
    echo = amount_text(measure)
    if measure.powers != asked:
        wanted = said(asked)
        echo += f" ({said(measure.powers)}, where {wanted} {'is' if wanted.startswith('a ') else 'are'} asked)"
    other = None
    if not isinstance(expects, Count) and (typed := _ambiguous_comma(found, measure)):
        other = over(measure.value, 1000)
        name = f" {measure.unit.name}" if measure.unit else ""
        echo += f"; {typed.replace(',', '')}{name} was understood, write {typed.replace(',', '.')}{name} if you meant that"
    return Read(measure.value, echo, dimension_of(measure.powers), (measure.unit and measure.unit.name) or None, other)


def _fitted(measure: Measure, asked: Powers) -> Measure:
    """The amount in the dimension asked for, where nothing but a manner of speaking lies between."""
    value, powers, unit = measure
    if powers == asked:
        return measure
    if unit is None and (value == 0 or asked in (_PARAM, _BITS_IN_A_BYTE)):
        return Measure(value, asked)
    if asked == PLAIN and powers == _PARAM:
        return Measure(value)
    if asked == _PER_PARAM and powers == _BYTES and unit is not None:
        return Measure(value, asked, Unit(f"{unit.name}/param", unit.size, asked) if unit.name else unit)
    # Bits are read as eighths of a byte; a question in bits gets them back.
    if unit is not None and asked[-1] and powers == (asked[0] + asked[-1], *asked[1:-1], 0):
        return Measure(value * 8**asked[-1], asked, Unit(unit.name, unit.size * 8**asked[-1], asked))
    return measure


def _ambiguous_comma(found: list[Token], measure: Measure) -> str:
    number = found[0]
    if number.kind != NUMBER or not _ONE_COMMA.fullmatch(number.text):
        return ""
    return number.text if measure.value == number.value * (measure.unit.size if measure.unit else 1) else ""


def _is_none(text: str) -> bool:
    return text.strip().rstrip(".").lower() in _NONE


def _formula(text: str, expects: Symbolic) -> Read:
    known = spellings(expects.letters)
    found = tokens(text, known)
    check_letters(found, known)
    tree = Formulas(found).whole()
    try:
        check_value(tree, expects.letters)
    except Unworkable as error:
        raise Unreadable(str(error), None) from None
    return Read(tree, formula_text(tree))


def _choice(text: str, expects: Choice) -> Read:
    spelled = _choices(expects)
    key = _key(text)
    if key in spelled:
        return Read(spelled[key], spelled[key])
    near = get_close_matches(key[:40], spelled, n=1, cutoff=0.7)
    offer = f"did you mean {spelled[near[0]]}?" if near else f"write one of {', '.join(expects.options)}"
    raise Unreadable(f"this is none of the choices: {offer}", None)


@lru_cache(maxsize=1024)
def _choices(expects: Choice) -> dict[str, str]:
    return {_key(spelling): option for spelling, option in (*expects.synonyms, *((o, o) for o in expects.options))}


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text).rstrip(".").casefold()


def _triple(text: str, expects: Triple) -> Read:
    if expects.or_none and _is_none(text):
        return Read(None, _NO_NUMBER)
    found = tokens(text, {}, listed=True)[:-1]
    if len(found) > 1 and (found[0].text, found[-1].text) == ("(", ")"):
        found = found[1:-1]
    numbers = [token.value for token in found[::2] if token.kind == NUMBER]
    signs = {token.text for token in found[1::2]}
    whole = tuple(value for value in numbers if isinstance(value, int))
    names = " x ".join(expects.names)
    if len(whole) != len(expects.names) or len(found) != 2 * len(whole) - 1 or signs not in ({"*"}, {","}, set()):
        example = " x ".join(_EXAMPLE[: len(expects.names)])
        raise Unreadable(f"{len(expects.names)} whole numbers are asked, {names}: write them as in {example}", None)
    return Read(whole, f"{' x '.join(map(str, whole))} ({names})")
