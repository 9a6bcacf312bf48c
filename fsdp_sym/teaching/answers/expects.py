"""What a question asks for, so that an answer can be read: frozen values, without the answer."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Symbol


@dataclass(frozen=True)
class Quantity:
    """A number with a unit.

    Parameters
    ----------
    dimension : sympy.Expr
        As in the vocabulary, such as ``byte / second``.
    unit : str
        The unit to propose in messages, such as ``GB/s``; any other unit is read too.
    """

    dimension: Expr
    unit: str


@dataclass(frozen=True)
class Count:
    """How many of something; ``7B`` is 7e9. With `or_none` the word "none" is an answer."""

    or_none: bool = False


@dataclass(frozen=True)
class Number:
    """A plain number, such as a ratio; a percentage is one too."""


@dataclass(frozen=True)
class Choice:
    """One of several.

    Parameters
    ----------
    options : tuple of str
        The ids; each is also a spelling of itself.
    synonyms : tuple of (str, str)
        Further spellings, as (spelling, id). Case, spaces, hyphens and underscores do not matter.
    """

    options: tuple[str, ...]
    synonyms: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Symbolic:
    """A formula in these letters of the vocabulary."""

    letters: tuple[Symbol, ...]


@dataclass(frozen=True)
class Triple:
    """Whole numbers in an order, such as ``32 x 4 x 8``, as many as there are names. With `or_none` the word "none" is an answer."""

    names: tuple[str, ...]
    or_none: bool = False


Expects = Quantity | Count | Number | Choice | Symbolic | Triple
