"""What the ``server.py`` of a PrairieLearn question calls: a drill is posed from the variant's seed, and made again to judge it.

PrairieLearn hands a dictionary of plain data from phase to phase. The variant lies in its ``params``, which stay on the
server; nothing of it is rendered but what ``question.html`` names. PrairieLearn renders ``{{feedback...}}`` escaped, and a
format error as HTML: so feedback is plain text here and a format error is escaped.
"""

from __future__ import annotations

from html import escape
from string import ascii_lowercase
from typing import Any, Final

from ..teaching.answers import Choice
from ..teaching.course import open_named_course
from ..teaching.drills import Drill, Judgement, Key, Part, Variant, diagnose, pose, question_named, restore
from .exporters.answer_text import answer_text, lettered

Data = dict[str, Any]
_UNREADABLE: Final = "?"  # no kind of answer reads it
_NO_CHOICE: Final = "0"  # PrairieLearn's keys are letters


def generate_question(data: Data, question: str) -> None:
    """Pose a question, by its id, from ``data["variant_seed"]``.

    Raises
    ------
    UnknownName
        Where no question has this id in the installed package.
    """
    open_named_course()
    drill = pose(question_named(question), data["variant_seed"])
    data["params"] |= {
        "variant": {"question": drill.variant.question, "drawn": [list(pair) for pair in drill.variant.drawn]},
        "prompt": drill.posed.prompt,
        "lines": [line for line in drill.posed.lines if line[:1] not in _in_choices(drill)],
        "parts": [_shown(drill, at, part) for at, part in enumerate(drill.posed.parts)],
    }
    data["correct_answers"]["solution"] = list(drill.question.solution(drill.variant))
    for part, key in zip(drill.posed.parts, drill.keys, strict=True):
        # A choice's right answer is PrairieLearn's own to set, from the choice that is marked correct.
        if not isinstance(part.expects, Choice):
            data["correct_answers"][_name(part)] = answer_text(key, part.expects)


def parse(data: Data) -> None:
    """Refuse what cannot be read, and a sheet without any answer: that costs no attempt."""
    parts, judged = _judged(data)
    errors = data["format_errors"]
    for part, one in zip(parts, judged, strict=True):
        if one.verdict == "invalid" or (one.verdict == "not answered" and all(j.verdict == "not answered" for j in judged)):
            errors.setdefault(_name(part), " ".join(_html(line) for line in one.says))


def grade(data: Data) -> None:
    """Marks part by part, and what is said of the answer."""
    drill = _drill(data)
    _mark(data, drill, diagnose(drill, *_texts(drill, data["submitted_answers"])))


def test(data: Data) -> None:
    """Submit right, wrong or unreadable answers, and say what becomes of them: PrairieLearn compares."""
    drill = _drill(data)
    parts, kind = drill.posed.parts, data["test_type"]
    data["format_errors"], data["partial_scores"] = {}, {}
    if kind == "invalid":
        data["raw_submitted_answers"] = {_name(p): _NO_CHOICE if isinstance(p.expects, Choice) else _UNREADABLE for p in parts}
        data["format_errors"] = {_name(p): "This cannot be read." for p in parts}
        return
    values = [key if kind == "correct" else _another(part, key) for part, key in zip(parts, drill.keys, strict=True)]
    texts = [answer_text(value, part.expects) for part, value in zip(parts, values, strict=True)]
    data["raw_submitted_answers"] = {_name(p): _typed(p, text) for p, text in zip(parts, texts, strict=True)}
    _mark(data, drill, diagnose(drill, *texts))


def _drill(data: Data) -> Drill:
    open_named_course()
    variant = data["params"]["variant"]
    return restore(Variant(variant["question"], tuple((name, text) for name, text in variant["drawn"])))


def _name(part: Part) -> str:
    return f"answer{part.label}"


def _shown(drill: Drill, at: int, part: Part) -> Data:
    """A part as the template shows it: a box to type in, or choices of which one is marked correct."""
    chosen: Data | bool = False
    if isinstance(part.expects, Choice):
        said = lettered(drill.posed, part)
        choices = [{"text": _choice(o, said), "correct": "true" if o == drill.keys[at] else "false"} for o in part.expects.options]
        chosen = {"choices": choices}
    return {"name": _name(part), "says": f"Answer {part.label}".strip(), "ask": part.ask, "chosen": chosen}


def _choice(option: str, said: dict[str, str]) -> str:
    return f"{option}) {said[option]}" if option in said else option


def _in_choices(drill: Drill) -> set[str]:
    return {option for part in drill.posed.parts for option in lettered(drill.posed, part)}


def _typed(part: Part, text: str) -> str:
    """What the browser sends: the text, or the letter of a choice by its place."""
    return ascii_lowercase[part.expects.options.index(text)] if isinstance(part.expects, Choice) else text


def _texts(drill: Drill, submitted: Data) -> list[str | None]:
    return [_text(part, submitted.get(_name(part))) for part in drill.posed.parts]


def _text(part: Part, typed: str | None) -> str | None:
    if not isinstance(part.expects, Choice):
        return typed
    options = dict(zip(ascii_lowercase, part.expects.options, strict=False))
    return options.get(typed or "")


def _judged(data: Data) -> tuple[tuple[Part, ...], tuple[Judgement, ...]]:
    drill = _drill(data)
    judged = diagnose(drill, *_texts(drill, data["submitted_answers"]))
    return drill.posed.parts, judged.parts or (judged,)


def _mark(data: Data, drill: Drill, judged: Judgement) -> None:
    for part, one in zip(drill.posed.parts, judged.parts or (judged,), strict=True):
        data["partial_scores"][_name(part)] = {"score": float(one.earned), "weight": 1}
    data["score"] = float(judged.earned)
    data["feedback"]["lines"] = [*((f"Read as: {judged.echo}.",) if judged.echo else ()), *judged.says]


def _html(line: str) -> str:
    return f"<pre>{escape(line)}</pre>" if "\n" in line else escape(line)


def _another(part: Part, key: Key) -> Key:
    """An answer that can be read and is not right."""
    match key:
        case None:
            return tuple(range(2, 2 + len(part.expects.names))) if hasattr(part.expects, "names") else 7
        case str() if isinstance(part.expects, Choice):
            return next(option for option in part.expects.options if option != key)
        case tuple():
            return tuple(7 * number for number in key)
        case _:
            return 7 * key
