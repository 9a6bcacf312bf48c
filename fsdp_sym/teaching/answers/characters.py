"""The few characters outside ASCII that a keyboard or a document puts into an answer, and what each stands for.

One table: whatever is not in it is refused by its code point, so that nothing is read as what it merely looks like.
"""

from __future__ import annotations

from typing import Final

from .unreadable import Unreadable

# Greek letters stand for the vocabulary's names; roots and brackets become the LaTeX commands the tokenizer knows.
PLAIN: Final[dict[str, str]] = {
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-",  # minus, hyphens, en dash
    "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "÷": "/", "\u2044": "/", "\u2215": "/",
    "\u00b5": "u", "\u03bc": "u",  # the micro sign and the Greek mu
    "\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u200a": " ", "\u202f": " ",  # spaces that set off groups of digits
    "½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)", "⅕": "(1/5)", "⅙": "(1/6)",
    "⅛": "(1/8)", "⅜": "(3/8)", "⅝": "(5/8)", "⅞": "(7/8)",
    "√": "\\sqrt ", "⌈": "\\lceil ", "⌉": "\\rceil ", "⌊": "\\lfloor ", "⌋": "\\rfloor ",
    "φ": "phi", "ϕ": "phi", "ρ": "rho", "σ": "sigma", "κ": "kappa", "χ": "chi", "ω": "omega",
}  # fmt: skip
SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))

_INVISIBLE: Final = {0xAD, 0x61C, 0xFEFF, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070)}
_ONLY: Final = "write a number and a unit only, such as 12.5 GB"
_REFUSED: Final = {"≈": _ONLY, "±": _ONLY, "∼": _ONLY, "∞": "infinity is no answer here: write a finite number"}


def plain(text: str) -> tuple[str, list[int] | None]:
    """The text in ASCII, and for each of its characters the place it was typed at (None where nothing was replaced).

    Raises
    ------
    Unreadable
        At the first character that is not in the table.
    """
    if text.isascii():
        return text, None
    pieces: list[str] = []
    places: list[int] = []
    raised = False
    for at, character in enumerate(text):
        piece = character
        if raised != (character in SUPERSCRIPTS):
            pieces.append(")" if raised else "^(")
            places += [at] * len(pieces[-1])
            raised = not raised
        if raised:
            piece = SUPERSCRIPTS[character]
        elif not character.isascii():
            piece = PLAIN.get(character) or _refuse(character, at)
            if piece.startswith("(") and at and text[at - 1].isdigit():
                raise Unreadable("a fraction right behind a digit can be read in two ways: write 2.5, or 2*1/2", at)
        pieces.append(piece)
        places += [at] * len(piece)
    if raised:
        pieces.append(")")
        places.append(len(text))
    return "".join(pieces), places


def _refuse(character: str, at: int) -> str:
    code = ord(character)
    if character in _REFUSED:
        raise Unreadable(_REFUSED[character], at)
    if code in _INVISIBLE:
        raise Unreadable(f"an invisible character (U+{code:04X}) hides here: delete it and type the answer anew", at)
    if 0xFF01 <= code <= 0xFF5E:
        raise Unreadable(f"U+{code:04X} is a wide character: type {chr(code - 0xFEE0)!r} in its place", at)
    raise Unreadable(f"the character U+{code:04X} has no meaning in an answer: leave it out", at)


def printable(text: str) -> str:
    """The text with everything that is neither plain ASCII nor in the table replaced, one for one, by ``?``."""
    return "".join(c if " " <= c <= "~" or c in PLAIN or c in SUPERSCRIPTS else " " if c in "\t\r\n\f\v" else "?" for c in text)
