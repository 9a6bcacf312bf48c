"""The misconception catalogue: what is thought, the principle it violates, the sentence to the student, and where it is met."""

from __future__ import annotations

from collections.abc import Iterator

from ...teaching.drills import QUESTIONS
from ...teaching.misconceptions import MISCONCEPTIONS, PRINCIPLES, Misconception
from .markdown import code, contents, link, page, plain, table
from .places import MISTAKES, mistakes_page, to_cell, to_formula, to_misconception, topic_of
from .uses import Uses


def misconception_sources(uses: Uses) -> Iterator[tuple[str, str]]:
    """Every page of the catalogue with its Markdown: one a topic, and the principles that lead to them."""
    topics: dict[str, list[Misconception]] = {}
    for one in MISCONCEPTIONS.values():
        topics.setdefault(topic_of(one.id), []).append(one)
    for topic in sorted(topics):
        yield mistakes_page(topic), page(f"# Misconceptions: {plain(topic)}", *(misconception_text(one, uses) for one in topics[topic]))
    yield MISTAKES, _catalogue_text(sorted(topics))


def misconception_text(one: Misconception, uses: Uses) -> str:
    """A section with the misconception's id as its heading, and so as its anchor."""
    questions = uses.meeting.get(one.id, [])
    cells = dict.fromkeys(QUESTIONS[name].cell for name in questions)
    return page(
        f"## {one.id}",
        f"“{plain(one.thinks)}”",
        f"*{plain(one.violates.says)}* {plain(one.tell)}",
        f"About {', '.join(map(to_formula, one.about))}. Met in {', '.join(map(to_cell, cells))}: {', '.join(map(code, questions))}.",
    ).strip()


def _catalogue_text(topics: list[str]) -> str:
    rows = [
        [plain(principle.says), ", ".join(to_misconception(m.id) for m in MISCONCEPTIONS.values() if m.violates == principle)]
        for principle in PRINCIPLES.values()
    ]
    return page(
        "# Misconceptions",
        "A wrong answer is diagnosed as the thought that leads to it. Each thought is a rival formula; here it is in words, with the "
        "principle that it violates and what a student is told. They stand under the topic of the formula they are about:",
        "\n".join(f"* {link(plain(topic.capitalize()), f'{mistakes_page(topic)}.md')}" for topic in topics),
        "## By the principle they violate",
        table(("principle", "violated by"), [row for row in rows if row[1]]),
        contents((topic.capitalize(), f"/{mistakes_page(topic)}") for topic in topics),
    )
