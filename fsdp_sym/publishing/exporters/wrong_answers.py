"""Wrong answers as an exporter needs them: what each wrong thought leads to, and what is said of an answer to one part."""

from __future__ import annotations

from ...teaching.drills import Drill, Judgement, diagnose
from ...teaching.drills.diagnose import told
from .answer_text import answer_text, is_an_answer


def thoughts(drill: Drill, at: int) -> dict[str, str]:
    """The answers to a part that a misconception alone leads to, as they would be typed, and what their authors are told.

    In the order of the options, or of size.
    """
    expects = drill.posed.parts[at].expects
    found: dict[str, list[str]] = {}
    for rival in drill.rivals(at):
        if rival.misconception is not None and rival.slip is None and is_an_answer(rival.value, expects):
            found.setdefault(answer_text(rival.value, expects), []).append(told(rival))
    options = getattr(expects, "options", ())
    ordered = sorted(found, key=options.index) if options else found
    return {text: " Or: ".join(dict.fromkeys(found[text])) for text in ordered}


def judged(drill: Drill, at: int, text: str) -> Judgement:
    """What is said of an answer to one part, where the others are right."""
    texts = [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]
    texts[at] = text
    judgement = diagnose(drill, *texts)
    return judgement.parts[at] if judgement.parts else judgement
