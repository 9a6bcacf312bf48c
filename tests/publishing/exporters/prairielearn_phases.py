"""PrairieLearn's phases over again: what its server and the two elements in the questions do with ``data`` and a ``server.py``.

After its documentation and the elements' schemas: which key may change in which phase, the letters of a choice, the
format errors that make a submission invalid, and the test of a question that answers itself.
"""

from __future__ import annotations

import copy
import json
import re
from html.parser import HTMLParser
from string import ascii_lowercase

import chevron

# Attributes by element, as its schema lists them.
ATTRIBUTES = {
    "pl-question-panel": set(),
    "pl-submission-panel": set(),
    "pl-answer-panel": set(),
    "pl-answer": {"correct", "feedback", "score"},
    "pl-string-input": {
        "answers-name", "weight", "correct-answer", "label", "aria-label", "suffix", "display", "remove-leading-trailing", "remove-spaces",
        "allow-blank", "ignore-case", "placeholder", "size", "show-help-text", "normalize-to-ascii", "show-score", "multiline",
    },
    "pl-multiple-choice": {
        "answers-name", "weight", "number-answers", "order", "display", "hide-letter-keys", "hide-score-badge", "allow-blank",
        "all-of-the-above", "none-of-the-above", "size", "placeholder",
    },
}  # fmt: skip
VALUES = {"display": {"block", "inline", "dropdown"}, "order": {"random", "ascend", "descend", "fixed"}, "correct": {"true", "false"}}

_EDITABLE = {
    "generate": {"params", "correct_answers"},
    "parse": {"params", "correct_answers", "submitted_answers", "format_errors", "feedback"},
    "grade": {"params", "correct_answers", "submitted_answers", "format_errors", "feedback", "partial_scores", "score"},
    "test": {"format_errors", "raw_submitted_answers", "partial_scores", "score", "feedback"},
}
_TYPES = {"score": (int, float), "variant_seed": int, "test_type": str, "gradable": bool}


class Elements(HTMLParser):
    """The elements of a rendered page, with their attributes and the texts inside."""

    def __init__(self, page):
        super().__init__()
        self.found, self.open = [], []
        self.feed(page)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), []))
        self.open.append(self.found[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        for _, _, texts in self.open:
            texts.append(text)

    def named(self, tag):
        return [(attributes, " ".join("".join(texts).split())) for name, attributes, texts in self.found if name == tag]


class PrairieLearn:
    """One question on the server: its page and its ``server.py``."""

    def __init__(self, page, server):
        self.page = page
        self.server = {}
        exec(compile(server, "server.py", "exec"), self.server)

    def variant(self, seed):
        """Generate, then prepare: each choice gets its letter, and the right one is kept."""
        data = self._call("generate", {"params": {}, "correct_answers": {}, "variant_seed": seed, "options": {}})
        for name, choices in self._choices(data).items():
            assert name not in data["params"]
            assert name not in data["correct_answers"]
            assert len({text for _, text in choices}) == len(choices) <= len(ascii_lowercase)
            keyed = [
                {"key": key, "html": text, "score": float(attributes["correct"] == "true")}
                for key, (attributes, text) in zip(ascii_lowercase, choices, strict=False)
            ]
            data["params"][name] = keyed
            (data["correct_answers"][name],) = [choice for choice in keyed if choice["score"] == 1]
        return data

    def submit(self, variant, raw):
        """Parse and grade what a browser sent; a submission with a format error is not graded."""
        data = copy.deepcopy(variant) | {"submitted_answers": dict(raw), "raw_submitted_answers": raw, "format_errors": {}, "feedback": {}}
        for name, choices in self._choices(data).items():
            if raw.get(name) is not None and raw[name] not in [choice["key"] for choice in data["params"][name]]:
                data["format_errors"][name] = "Invalid choice"
            assert len(choices) == len(data["params"][name])
        data = self._call("parse", data | {"gradable": True})
        data["gradable"] = not data["format_errors"]
        if not data["gradable"]:
            return data | {"score": 0, "partial_scores": {}}
        scores = {name: {"score": float(raw.get(name) == self._right(data, name)), "weight": 1} for name in self._names(data)}
        return self._call("grade", data | {"partial_scores": scores, "score": sum(s["score"] for s in scores.values()) / len(scores)})

    def answers_itself(self, variant, kind):
        """What the question's own test expects, and what becomes of it."""
        blank = {"format_errors": {}, "partial_scores": {}, "raw_submitted_answers": {}, "feedback": {}, "score": 0, "gradable": True}
        data = copy.deepcopy(variant) | blank | {"test_type": kind}
        for name in self._names(data):  # the elements' own tests come first
            data["raw_submitted_answers"][name] = self._right(data, name)
            data["partial_scores"][name] = {"score": 1, "weight": 1}
        expected = self._call("test", data)
        return expected, self.submit(variant, expected["raw_submitted_answers"])

    def render(self, data, panel="question"):
        """The page as the elements get it; what belongs to another panel is left out."""
        page = chevron.render(self.page, data)
        for other in {"question", "submission", "answer"} - {panel}:
            page = re.sub(f"(?s)<pl-{other}-panel>.*?</pl-{other}-panel>", "", page)
        return page

    def _choices(self, data):
        found, elements = {}, Elements(chevron.render(self.page, data)).found
        for tag, attributes, texts in elements:
            if tag == "pl-multiple-choice":
                name = attributes["answers-name"]
                found[name] = []
            elif tag == "pl-answer":
                found[name].append((attributes, " ".join("".join(texts).split())))
        return found

    def _names(self, data):
        return [a["answers-name"] for _, a, _ in Elements(chevron.render(self.page, data)).found if "answers-name" in a]

    def _right(self, data, name):
        right = data["correct_answers"][name]
        return right["key"] if isinstance(right, dict) else right

    def _call(self, phase, data):
        before, data = json.loads(json.dumps(data)), json.loads(json.dumps(data))
        assert self.server[phase](data) is None
        data = json.loads(json.dumps(data))
        assert set(data) == set(before)
        for key, value in data.items():
            assert isinstance(value, _TYPES.get(key, dict)), key
            if key not in _EDITABLE[phase]:
                assert value == before[key], f"{phase} must not change {key}"
        return data
