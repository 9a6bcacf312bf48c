"""The deck as it lies in its file: ids that stay, fields that are HTML, dates that count releases alone."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
import time
import zipfile
from dataclasses import replace

import pytest

import fsdp_sym
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.exporters import EXPORTERS, anki
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.publishing.exporters.wrong_answers import thoughts
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, pose

ANKI = EXPORTERS["anki"]
HOSTILE = "<script>alert(1)</script> & \"q\" 'r' {{Answer}}"


def drills(seeds=(1, 2)):
    return tuple(tuple(pose(next(q for q in QUESTIONS.values() if q.kind == kind), s) for s in seeds) for kind in KINDS)


def deck(bank):
    """Notes by item, and the collection's own row."""
    with zipfile.ZipFile(io.BytesIO(ANKI.export(bank)["self-study.apkg"])) as archive:
        connection = sqlite3.connect(":memory:")
        connection.deserialize(archive.read("collection.anki2"))
    found = connection.execute("SELECT guid, flds, tags, mod FROM notes").fetchall()
    notes = {fields.split("\x1f")[0]: (guid, fields.split("\x1f"), tags.split(), mod) for guid, fields, tags, mod in found}
    (row,) = connection.execute("SELECT decks, models FROM col")
    connection.close()
    return notes, *map(json.loads, row)


def test_a_card_asks_and_answers_every_kind_of_question():
    bank = Bank("a bank", drills())
    notes, decks, _ = deck(bank)
    assert len(notes) == 2 * len(KINDS)
    assert "a bank (self-study)" in {found["name"] for found in decks.values()}
    assert ANKI.self_study
    for variants in bank.questions:
        for at, drill in enumerate(variants, 1):
            _, (_, front, back), tags, _ = notes[f"{drill.posed.question}-{at:03d}"]
            assert drill.posed.prompt.split("'")[0] in front
            assert "self-study" in tags
            for part, key in enumerate(drill.keys):
                shown = answer_text(key, drill.posed.parts[part].expects)
                assert shown in back or drill.posed.kind == "formula"
                assert all(told.split("'")[0] in back for told in thoughts(drill, part).values())


def test_a_formula_is_typeset():
    notes, _, _ = deck(Bank("a bank", ((pose(QUESTIONS["D-write-all-gather"], 1),),)))
    assert r"\(\frac{N - 1}{N} \, S\)" in notes["D-write-all-gather-001"][1][2]


def test_a_note_is_known_by_its_item_alone():
    first, _, models = deck(Bank("a bank", drills((1, 2))))
    other, _, other_models = deck(Bank("another title", drills((3, 4))))
    assert {item: note[0] for item, note in first.items()} == {item: note[0] for item, note in other.items()}
    assert len({note[0] for note in first.values()}) == len(first)
    assert first != other
    assert models.keys() == other_models.keys()


def test_fields_are_escaped():
    drill = pose(QUESTIONS["D-all-gather"], 1)
    hostile = replace(drill, posed=replace(drill.posed, prompt=HOSTILE))
    notes, _, _ = deck(Bank("a bank", ((hostile,),)))
    (note,) = notes.values()
    assert "<script>" not in note[1][1]
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot; &#x27;r&#x27;" in note[1][1]


def test_the_bytes_are_the_same_on_another_day(monkeypatch):
    bank = Bank("a bank", drills())
    made = ANKI.export(bank)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    assert ANKI.export(bank) == made
    with zipfile.ZipFile(io.BytesIO(made["self-study.apkg"])) as archive:
        assert {found.date_time for found in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_later_release_has_a_later_date(monkeypatch):
    dates = []
    for version in ("0.0.0", fsdp_sym.__version__, "0.1.1", "0.12.0rc1", "1.0.0"):
        monkeypatch.setattr(anki, "__version__", version)
        dates.append({note[3] for note in deck(Bank("a bank", drills((1,))))[0].values()})
    assert all(len(found) == 1 for found in dates)
    assert dates == sorted(dates, key=max)
    assert len(set().union(*dates)) == len(dates)


def test_a_missing_package_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "genanki", None)
    with pytest.raises(FsdpSymError, match=r"^an Anki deck needs the package genanki: pip install 'fsdp_sym\[export\]'$"):
        ANKI.export(Bank("a bank", drills((1,))))
