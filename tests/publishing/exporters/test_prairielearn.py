"""PrairieLearn's questions, driven through its phases: the verdicts are `diagnose`'s, and nothing a student types is markup."""

from __future__ import annotations

import json
import re
import uuid
from html import escape, unescape

import pytest
from prairielearn_phases import ATTRIBUTES, VALUES, Elements, PrairieLearn

from fsdp_sym.algebra.errors import UnknownName
from fsdp_sym.publishing import prairielearn_server
from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.answers import Choice
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, Judgement, diagnose, pose

SEED = 27
OF_A_KIND = {kind: next(q for q in QUESTIONS.values() if q.kind == kind) for kind in KINDS}
HOSTILE = "<script>alert(1)</script>"


def export(*questions):
    return EXPORTERS["prairielearn"].export(Bank("a bank", tuple((pose(q, 0), pose(q, 1)) for q in questions)))


FILES = export(*QUESTIONS.values())


def served(question):
    folder = f"questions/fsdp_sym/{question.id}"
    return PrairieLearn(FILES[f"{folder}/question.html"].decode(), FILES[f"{folder}/server.py"].decode())


def name_of(part):
    return f"answer{part.label}"


def raw(variant, drill, texts):
    """Typed texts as a browser sends them: a choice as its letter, and nothing where none was picked."""
    sent = {}
    for part, text in zip(drill.posed.parts, texts, strict=True):
        if isinstance(part.expects, Choice) and text:
            keys = {c["html"].split(")")[0]: c["key"] for c in variant["params"][name_of(part)]}
            sent[name_of(part)] = keys.get(text, text)
        elif not isinstance(part.expects, Choice):
            sent[name_of(part)] = text
    return sent


def rights(drill):
    return [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
@pytest.mark.parametrize("kind", ["correct", "incorrect", "invalid"])
def test_a_question_answers_itself(question, kind):
    served_here = served(question)
    variant = served_here.variant(SEED)
    expected, found = served_here.answers_itself(variant, kind)
    assert list(expected["format_errors"]) == list(found["format_errors"])
    assert found["gradable"] == (kind != "invalid")
    if kind == "invalid":
        assert set(found["format_errors"]) == {name_of(part) for part in pose(question, SEED).posed.parts}
    else:
        assert (expected["score"], expected["partial_scores"]) == (found["score"], found["partial_scores"])
        assert (found["score"] == 1) == (kind == "correct")


@pytest.mark.parametrize("question", OF_A_KIND.values(), ids=list(OF_A_KIND))
def test_every_verdict_is_that_of_diagnose(question):
    server, drill = served(question), pose(question, SEED)
    variant = server.variant(SEED)
    right = rights(drill)
    answers = [right]
    for at, part in enumerate(drill.posed.parts):
        wrong = {answer_text(rival.value, part.expects) for rival in drill.rivals(at) if rival.slip is None}
        wrong |= set(getattr(part.expects, "options", ()))
        answers += [[*right[:at], text, *right[at + 1 :]] for text in sorted(wrong)]
        answers.append([*right[:at], "", *right[at + 1 :]])
    for texts in answers:
        judged, found = diagnose(drill, *texts), server.submit(variant, raw(variant, drill, texts))
        if "invalid" in {j.verdict for j in (judged, *judged.parts)} or texts == [""]:
            assert not found["gradable"]
            continue
        assert found["score"] == float(judged.earned)
        assert [s["score"] for s in found["partial_scores"].values()] == [float(j.earned) for j in judged.parts or (judged,)]
        assert list(judged.says) == found["feedback"]["lines"][-len(judged.says) :]


@pytest.mark.parametrize("question", OF_A_KIND.values(), ids=list(OF_A_KIND))
def test_what_cannot_be_read_costs_nothing_and_says_what_to_write(question):
    server, drill = served(question), pose(question, SEED)
    variant = server.variant(SEED)
    for at, part in enumerate(drill.posed.parts):
        texts = rights(drill)
        texts[at] = "__import__('os')"
        found = server.submit(variant, raw(variant, drill, texts))
        assert list(found["format_errors"]) == [name_of(part)]
        assert not found["gradable"]
    nothing = server.submit(variant, raw(variant, drill, [""] * len(drill.posed.parts)))
    assert len(nothing["format_errors"]) == len(drill.posed.parts)
    assert server.submit(variant, {})["format_errors"].keys() == nothing["format_errors"].keys()


def test_an_error_carried_forward_is_marked_once():
    question = OF_A_KIND["faded"]
    server, drill = served(question), pose(question, SEED)
    variant, texts = server.variant(SEED), rights(drill)
    doubled = 2 * drill.keys[0]
    following = [question.carried(drill.variant, at, (doubled,)) for at in range(1, len(texts))]
    values = (doubled, *(key if value is None else value for key, value in zip(drill.keys[1:], following, strict=True)))
    texts = [answer_text(value, part.expects) for value, part in zip(values, drill.posed.parts, strict=True)]
    scores = server.submit(variant, raw(variant, drill, texts))["partial_scores"]
    assert [s["score"] for s in scores.values()] == [0.0] + [1.0] * (len(texts) - 1)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_the_page_uses_the_elements_as_they_are_documented(question):
    server, drill = served(question), pose(question, SEED)
    page = server.render(server.variant(SEED))
    elements = Elements(page)
    names = [name_of(part) for part in drill.posed.parts]
    assert [a["answers-name"] for _, a, _ in elements.found if "answers-name" in a] == names
    for tag, attributes, _ in elements.found:
        if tag.startswith("pl-"):
            assert set(attributes) <= ATTRIBUTES[tag], tag
            assert all(attributes[name] in values for name, values in VALUES.items() if name in attributes)
    inputs = [tag for tag, attributes, _ in elements.found if "answers-name" in attributes]
    assert inputs == ["pl-multiple-choice" if isinstance(p.expects, Choice) else "pl-string-input" for p in drill.posed.parts]
    seen = " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())
    for text in (drill.posed.prompt, *drill.posed.lines, *(part.ask for part in drill.posed.parts)):
        assert " ".join(text.split()) in seen


@pytest.mark.parametrize("question", OF_A_KIND.values(), ids=list(OF_A_KIND))
def test_the_answer_is_shown_in_its_own_panel_alone(question):
    server, drill = served(question), pose(question, SEED)
    variant = server.variant(SEED)
    solution = " ".join(" ".join(drill.question.solution(drill.variant)).split())
    for panel in ("question", "submission"):
        page = " ".join(unescape(re.sub("<[^>]*>", " ", server.render(variant, panel))).split())
        assert solution not in page
        assert not re.search(r"\bdrawn\b|variant", page)
    assert solution in " ".join(unescape(re.sub("<[^>]*>", " ", server.render(variant, "answer"))).split())


def test_what_a_student_typed_is_escaped(monkeypatch):
    question = OF_A_KIND["compute"]
    server, drill = served(question), pose(question, SEED)
    variant = server.variant(SEED)
    refused = server.submit(variant, {"answer": HOSTILE})
    # A format error is shown as HTML, in a popover, and quotes what was typed.
    assert HOSTILE not in refused["format_errors"]["answer"]
    assert "&lt;script&gt;" in refused["format_errors"]["answer"]
    monkeypatch.setattr(prairielearn_server, "diagnose", lambda *_: Judgement("invalid", "", says=(HOSTILE,)))
    assert server.submit(variant, {"answer": "1"})["format_errors"]["answer"] == escape(HOSTILE)
    monkeypatch.undo()
    # Feedback is plain text, which two braces escape.
    said = server.submit(variant, raw(variant, drill, rights(drill)))
    said["feedback"]["lines"] = [HOSTILE]
    page = server.render(said, "submission")
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_the_template_never_leaves_a_text_unescaped():
    for name, content in FILES.items():
        if name.endswith(".html"):
            assert not re.search(r"\{\{\{|\{\{\s*&", content.decode())


def test_only_the_id_stands_in_a_server_file():
    for question in QUESTIONS.values():
        server = FILES[f"questions/fsdp_sym/{question.id}/server.py"].decode()
        assert server.count(question.id) == 2
        assert not re.search(r"\d", server.replace(question.id, "").replace("server", ""))


def test_the_ids_stay_and_differ():
    infos = [json.loads(content) for name, content in FILES.items() if name.endswith("info.json")]
    ids = [info["uuid"] for info in infos]
    assert len(set(ids)) == len(QUESTIONS)
    assert all(uuid.UUID(each).version == 5 for each in ids)
    assert next(i["uuid"] for i in infos if i["title"] == "D-all-gather") == "a427568b-e05a-5b4d-9f62-1f8f2d5951e6"
    required = {"uuid", "title", "topic", "type"}
    assert all(required <= set(info) <= required | {"tags"} and info["type"] == "v3" for info in infos)


def test_a_second_export_is_the_same():
    assert export(*QUESTIONS.values()) == FILES
    assert FILES["README.md"].count(b"pip3 install") == 1


def test_the_exporter_declares_what_it_carries():
    exporter = EXPORTERS["prairielearn"]
    assert exporter.kinds == set(KINDS)
    assert exporter.verdicts == {"right", "wrong", "close", "invalid", "not answered"}


def test_a_question_that_the_package_lacks_is_named():
    server = served(OF_A_KIND["compute"])
    server.server["generate"] = lambda data: prairielearn_server.generate_question(data, "D-all-gathr")
    with pytest.raises(UnknownName, match="D-all-gather"):
        server.variant(SEED)
