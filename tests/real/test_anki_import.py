"""The deck in Anki itself: taken in once, updated in place, and the schedule left alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from anki.import_export_pb2 import IMPORT_ANKI_PACKAGE_UPDATE_CONDITION_ALWAYS

from fsdp_sym.publishing.exporters import EXPORTERS, anki
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, pose

ONE_OF_EACH = tuple(next(q for q in QUESTIONS.values() if q.kind == kind) for kind in KINDS)
BANK = Bank("Sharded training", tuple((pose(question, 1), pose(question, 2)) for question in ONE_OF_EACH))


@pytest.fixture
def collection(tmp_path):
    found = Collection(str(tmp_path / "collection.anki2"))
    yield found
    found.close()


def taken_in(collection, tmp_path, bank, **options):
    """How many notes were new, updated, and there already."""
    file = tmp_path / "deck.apkg"
    file.write_bytes(EXPORTERS["anki"].export(bank)["self-study.apkg"])
    request = ImportAnkiPackageRequest(package_path=str(file), options=ImportAnkiPackageOptions(**options))
    log = collection.import_anki_package(request).log
    assert not log.conflicting
    assert not log.missing_notetype
    assert not log.missing_deck
    return len(log.new), len(log.updated), len(log.duplicate)


def edited(bank):
    """The bank with another prompt in its first drill."""
    (drill, *variants), *others = bank.questions
    changed = replace(drill, posed=replace(drill.posed, prompt="Another prompt <altogether>."))
    return replace(bank, questions=((changed, *variants), *others))


def studied(collection):
    """The first drill's card, as after some weeks of study."""
    (note,) = collection.find_notes(f"Item:{BANK.questions[0][0].posed.question}-001")
    card = collection.get_note(note).cards()[0]
    card.type, card.queue, card.ivl, card.due, card.reps = 2, 2, 33, 100, 7
    collection.update_card(card)
    return note


def schedule(collection, note):
    card = collection.get_note(note).cards()[0]
    return card.type, card.queue, card.ivl, card.due, card.reps


def test_twice_taken_in_is_once(collection, tmp_path):
    notes = 2 * len(KINDS)
    assert taken_in(collection, tmp_path, BANK) == (notes, 0, 0)
    assert taken_in(collection, tmp_path, BANK) == (0, 0, notes)
    assert collection.note_count() == collection.card_count() == notes
    assert "Sharded training (self-study)" in {deck.name for deck in collection.decks.all_names_and_ids()}


def test_an_edited_card_is_updated_and_keeps_its_schedule(collection, tmp_path):
    taken_in(collection, tmp_path, BANK)
    note = studied(collection)
    before = schedule(collection, note)
    # Anki compares dates, and all notes of a deck have one.
    assert taken_in(collection, tmp_path, edited(BANK), update_notes=IMPORT_ANKI_PACKAGE_UPDATE_CONDITION_ALWAYS) == (0, 2 * len(KINDS), 0)
    assert "Another prompt &lt;altogether&gt;." in collection.get_note(note)["Question"]
    assert schedule(collection, note) == before


def test_a_later_release_updates_without_being_told_to(collection, tmp_path, monkeypatch):
    taken_in(collection, tmp_path, BANK)
    note = studied(collection)
    before = schedule(collection, note)
    monkeypatch.setattr(anki, "__version__", "99.0.0")
    assert taken_in(collection, tmp_path, edited(BANK))[0] == 0
    assert "Another prompt &lt;altogether&gt;." in collection.get_note(note)["Question"]
    assert schedule(collection, note) == before


def test_a_card_shows_its_question_and_then_its_answer(collection, tmp_path):
    taken_in(collection, tmp_path, BANK)
    for variants in BANK.questions:
        posed = variants[0].posed
        (note,) = collection.find_notes(f"Item:{posed.question}-001")
        (card,) = collection.get_note(note).cards()
        assert posed.prompt.split("'")[0] in card.question()
        assert card.answer().count("<hr id=answer>") == 1
        assert len(card.answer()) > len(card.question()) + 50
