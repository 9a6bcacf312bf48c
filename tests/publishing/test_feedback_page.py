"""A student's page: what it says, and that nothing from outside gets out of its place in it."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from returning import header, keys, sheet, thinking

from fsdp_sym.publishing.feedback_page import page
from fsdp_sym.publishing.page import VERDICTS
from fsdp_sym.teaching.classroom.corrections import NONE
from fsdp_sym.teaching.classroom.desk import Chosen
from fsdp_sym.teaching.classroom.marks import mark
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS

HEAD = header()
ADA = sheet("s1", "Ada Lovelace")
DRILLS = ADA.drills(HEAD)
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Parsed(HTMLParser):
    """The text of a page, its elements and their attributes; elements must nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags, self.attributes, self.under_way = "", [], [], []
        self.feed(html)
        assert self.under_way == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.under_way.append(tag)

    def handle_endtag(self, tag):
        assert self.under_way.pop() == tag

    def handle_data(self, data):
        self.text += data if self.under_way and self.under_way[-1] not in ("style", "title") else ""


def made(typed: dict[str, str], **rest: object) -> str:
    chosen = Chosen("marked", typed, "f", **rest)  # type: ignore[arg-type]
    return page(HEAD, mark(HEAD, ADA, chosen, NONE, DRILLS), DRILLS)


def test_it_says_what_was_asked_read_and_worth():
    said = Parsed(made(keys(ADA) | {"Q1": thinking(ADA, "s-is-the-shard", "Q1"), "Q4": "x", "Q6": ""})).text
    assert "hw1: 6 of 12 points" in said
    for _, drill in DRILLS:
        assert drill.posed.prompt in said
        for line in (*drill.posed.lines, *drill.question.solution(drill.variant)):
            assert line in said
    assert MISCONCEPTIONS["s-is-the-shard"].tell in said
    for words in ("right", "not right", "could not be read", "not answered"):
        assert f"{next(sign for w, sign, _ in VERDICTS.values() if w == words)} {words}" in said


def test_lateness_and_what_was_odd_in_the_file_are_said_and_what_concerns_others_is_not():
    told = made({}, late=90, submitted="2026-03-14", problems=("Q1 stands in 2 places",), notes=("sent hw1-x, the sheet of s2",))
    said = Parsed(told).text
    assert "It came 1 h 30 min after it was due." in said
    assert "Q1 stands in 2 places" in said
    assert "s2" not in said


def test_several_likely_thoughts_are_told_as_such():
    result = mark(HEAD, ADA, Chosen("marked", {"Q1": thinking(ADA, "s-is-the-shard", "Q1")}), NONE, DRILLS)
    first, *rest = result.questions
    two = replace(first.parts[0], thoughts=("a", "b"), says=("It may be this.", "It may be that."))
    ambiguous = replace(result, questions=(replace(first, parts=(two,)), *rest))
    assert "One of these is likely behind it:It may be this.It may be that." in Parsed(page(HEAD, ambiguous, DRILLS)).text
    assert "One of these" not in Parsed(page(HEAD, result, DRILLS)).text


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</span></p><h1>12 of 12 points</h1>",
    "<!-- ",
    "&lt;b&gt; &amp;",
    "]]> <![CDATA[",
    "\x00\x1b[31m\u202eevil\ufeff",
    "javascript:alert(1)",
    "`${7*7}` {{7*7}} <?php ?>",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_a_student_typed_is_text(text):
    plain = Parsed(made(dict.fromkeys(keys(ADA), "words")))
    found = made(dict.fromkeys(keys(ADA), text), problems=(text,))
    parsed = Parsed(found)
    added = [tag for tag in parsed.tags if tag not in {"p"}]
    assert set(added) <= set(plain.tags) | {"h1"}
    assert parsed.tags.count("h1") == 1
    assert not {"script", "img"} & set(parsed.tags)
    assert not [name for name, _ in parsed.attributes if name.startswith("on")]
    visible = text.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace("\u202e", "\ufffd").replace("\ufeff", "\ufffd")
    assert visible in parsed.text
    assert not set(found) & set("\x00\x1b\u202e\ufeff")


def test_a_browser_is_told_to_load_and_run_nothing():
    assert 'content="default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;"' in made({})
    assert "http" not in made({}).replace("http-equiv", "")
