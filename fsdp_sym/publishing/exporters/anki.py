r"""Drills -> an Anki deck, a note a variant. For self-study: the answer is on the back, and the student judges himself.

A note is known by its question and its number in the bank alone, so that a later deck changes its fields and leaves the
student's schedule be. Anki takes over a note with a later date, and when told to one with another date: the date is made of the
release and of the cards, and of nothing else, so that the same cards are the same bytes. Fields are HTML, and formulas stand
between ``\(`` and ``\)`` for MathJax.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sympy import Expr

from ... import __version__
from ...algebra.errors import FsdpSymError
from ...algebra.printing import to_latex
from ...teaching.drills import KINDS, Drill, Part
from .answer_text import answer_text
from .form import Bank, Exporter
from .wrong_answers import thoughts

# Drawn once. Anki knows a note type and a deck by these numbers: another number would be another deck to it.
_NOTE_TYPE: Final = 1717042867
_DECK: Final = 2059400110
_MADE: Final = 946684800  # the date of release 0.0.0, as Unix counts seconds; later ones are still in the past
_HOUR: Final = 3600
_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)
_NAME: Final = "self-study.apkg"
_SAYS: Final = (
    "For self-study: the answers are on the cards. Not for marks. A deck of a later release brings its changed cards along; from one of "
    "the same release they are taken over where you import it with notes updated always. Your schedule stays."
)

_FRONT: Final = "{{Question}}"
_BACK: Final = "{{FrontSide}}<hr id=answer>{{Answer}}"
_STYLE: Final = ".card { font-family: sans-serif; font-size: 18px; line-height: 1.4; text-align: left; max-width: 40em; margin: 1em auto; }"


def _files(bank: Bank) -> dict[str, bytes]:
    try:
        import genanki
    except ImportError:
        raise FsdpSymError("an Anki deck needs the package genanki: pip install 'fsdp_sym[export]'") from None
    note_type = genanki.Model(
        _NOTE_TYPE,
        "fsdp_sym drill",
        fields=[{"name": name} for name in ("Item", "Question", "Answer")],
        templates=[{"name": "Card", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE,
    )
    deck = genanki.Deck(_DECK, f"{bank.title} (self-study)", _SAYS)
    for variants in bank.questions:
        for at, drill in enumerate(variants, 1):
            item = f"{drill.posed.question}-{at:03d}"
            tags = ["self-study", f"cell::{drill.posed.cell}", f"kind::{drill.posed.kind}".replace(" ", "-")]
            fields = [item, "".join(_front(drill)), "".join(_back(drill))]
            deck.add_note(genanki.Note(note_type, fields, tags=tags, guid=genanki.guid_for(item)))
    return {_NAME: _packed(genanki.Package(deck), _date(deck))}


def _front(drill: Drill) -> Iterator[str]:
    posed = drill.posed
    for line in (posed.prompt, *posed.lines):
        yield _paragraph(escape(line))
    for part in posed.parts:
        yield _paragraph(_labelled(part, escape(part.ask)))


def _back(drill: Drill) -> Iterator[str]:
    """The answers, how they are found, and what each wrong thought would have led to."""
    parts = drill.posed.parts
    for key, part in zip(drill.keys, parts, strict=True):
        shown = rf"\({to_latex(key)}\)" if isinstance(key, Expr) else answer_text(key, part.expects)
        yield _paragraph(f"<b>{_labelled(part, escape(shown))}</b>")
    for line in drill.question.solution(drill.variant):
        yield _paragraph(escape(line))
    for at, part in enumerate(parts):
        if wrong := thoughts(drill, at):
            rows = "".join(f"<li><b>{escape(text)}</b>: {escape(tells)}</li>" for text, tells in wrong.items())
            yield _paragraph(f"<i>{_labelled(part, 'If you had something else:')}</i>") + f"<ul>{rows}</ul>"


def _labelled(part: Part, html: str) -> str:
    return f"({escape(part.label)}) {html}" if part.label else html


def _paragraph(html: str) -> str:
    return f"<p>{html.replace(chr(10), '<br>')}</p>"


def _date(deck: Any) -> int:
    """An hour for each release, and in it a second that tells other cards from these."""
    major, minor, patch = map(int, re.findall(r"\d+", __version__)[:3])
    cards = "".join(field for note in deck.notes for field in note.fields)
    second = int.from_bytes(sha256(cards.encode()).digest()) % _HOUR
    return _MADE + ((major * 100 + minor) * 100 + patch) * _HOUR + second


def _packed(package: Any, date: int) -> bytes:
    """The package's archive with fixed dates."""
    with TemporaryDirectory() as folder:
        made = Path(folder, _NAME)
        package.write_to_file(made, timestamp=date)
        with zipfile.ZipFile(made) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), content)
    return stream.getvalue()


ANKI: Final = Exporter(
    name="anki",
    says="a deck for self-study with Anki; the answers are on the cards",
    kinds=frozenset(KINDS),
    verdicts=frozenset(),
    self_study=True,
    files=_files,
)
