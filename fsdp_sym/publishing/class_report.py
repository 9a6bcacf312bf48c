"""What a class shows, on one page for its teacher: the marks, the questions, and which misconceptions, how often, in which question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from ..algebra.markup import element, table, text
from ..figures.style import BLUE
from ..teaching.classroom.results import points_text
from ..teaching.classroom.tally import MOST_LISTED, OfQuestion, Tally, ToReview
from ..teaching.drills import QUESTIONS
from ..teaching.misconceptions import MISCONCEPTIONS, SLIPS
from .class_figures import marks_figure, share_bar, thought_bar
from .page import LIGHT, VERDICTS, document, paragraph, typed

_SLIPS: Final = {slip.id: slip for slip in SLIPS}
_FIRST: Final = 3
_IN_FULL: Final = 8
_NO_NAMES: Final = "No student is named here: sheets are called by their ids, which the record and gradebook.csv tell."
_HOW: Final = (
    "A misconception is counted where an answer is the one that it leads to. Some lead to the same answer, and then nobody can tell "
    "from it which one it was: such answers are counted apart, as “or another”, under each of them. A slip of unit may come on top of a "
    "misconception. Marks do not depend on any of this."
)


@dataclass
class _Thought:
    """How often a thought was met: for sure, and where another one gives the same answer, by question; and those others."""

    labels: dict[str, None] = field(default_factory=dict)
    sure: Counter[str] = field(default_factory=Counter)
    perhaps: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)

    @property
    def rank(self) -> tuple[int, int]:
        return self.sure.total(), self.perhaps.total()


def class_report(title: str, tally: Tally, names: bool = False) -> str:
    """The page, as HTML.

    Parameters
    ----------
    title : str
        Such as the assignment's name.
    tally : Tally
    names : bool
        Whether students are named, where single answers are shown.
    """
    thoughts, slips = _thoughts(tally)
    return document(
        f"{title}: class report",
        element("h1", text(f"{title}: class report")),
        _facts(tally),
        _in_short(thoughts, tally),
        *((element("h2", "Marks"), marks_figure(tally.marks, tally.out_of)) if tally.marks else ()),
        element("h2", "Questions"),
        _questions(tally),
        element("h2", "Misconceptions"),
        paragraph(_HOW, "quiet"),
        *_misconceptions(thoughts),
        _slips(slips),
        *_review(tally, names),
        *_flagged(tally, names),
        "" if names else paragraph(_NO_NAMES, "quiet"),
    )


def _thoughts(tally: Tally) -> tuple[dict[str, _Thought], dict[str, Counter[str]]]:
    """Misconceptions and slips, as they were met."""
    thoughts: dict[str, _Thought] = {}
    slips: dict[str, Counter[str]] = {}
    for label, question in tally.questions.items():
        for met, count in question.thoughts.items():
            minds = [name for name in met if name not in _SLIPS]
            for name in minds:
                thought = thoughts.setdefault(name, _Thought())
                thought.labels[label] = None
                (thought.sure if len(minds) == 1 else thought.perhaps)[label] += count
                thought.others.update({other: count for other in minds if other != name})
            for name in met:
                if name in _SLIPS:
                    slips.setdefault(name, Counter())[label] += count
    ranked = sorted(thoughts.items(), key=lambda item: (*(-n for n in item[1].rank), item[0]))
    return dict(ranked), dict(sorted(slips.items(), key=lambda item: (-item[1].total(), item[0])))


# The beginning.


def _facts(tally: Tally) -> str:
    statuses = tally.statuses
    marked = statuses["marked"] + statuses["by hand"]
    facts = [(f"{marked:,} of {statuses.total():,}", "students marked")] if statuses else []
    if tally.marks:
        facts.append((f"{points_text(median(tally.marks))} of {points_text(tally.out_of)}", "points, the median"))
    if tally.review:
        facts.append((f"{_reviews(tally):,}", "answers to look at"))
    told = {"missing": "nothing returned", "flagged": "flagged, not marked", "exempt": "exempt"}
    facts += [(f"{statuses[status]:,}", says) for status, says in told.items() if statuses[status]]  # type: ignore[index]
    if tally.late:
        facts.append((f"{tally.late:,}", "late"))
    return element("ul", *(element("li", element("b", text(number)), text(says)) for number, says in facts), class_="facts")


def median(marks: Counter[Fraction]) -> Fraction:
    """The mark in the middle; of two, their mean."""
    left = (marks.total() - 1) // 2, marks.total() // 2
    middle = []
    seen = 0
    for mark, count in sorted(marks.items()):
        middle += [mark for at in left if seen <= at < seen + count]
        seen += count
    return sum(middle, Fraction(0)) / len(middle)


def _in_short(thoughts: dict[str, _Thought], tally: Tally) -> str:
    """The few things that a teacher would want to know first."""
    met = [(name, thought) for name, thought in thoughts.items() if thought.sure.total() > 1][:_FIRST]
    lines = [
        f"{element('b', text(_thinks(name)))} Met {_times(thought.sure.total())}, in {text(_where(thought.sure))}." for name, thought in met
    ]
    hard = [label for label, question in tally.questions.items() if 2 * question.verdicts["right"] < question.verdicts.total()]
    if hard:
        lines.append(f"Fewer than half were right in {text(_list(hard))}.")
    return element("div", element("h3", "In short"), *(element("p", line) for line in lines)) if lines else ""


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count:,} times"


def _where(counts: Counter[str]) -> str:
    return _list([f"{label} ({count:,})" if len(counts) > 1 else label for label, count in counts.items()])


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# Questions.


def _questions(tally: Tally) -> str:
    shown = [verdict for verdict in VERDICTS if any(q.verdicts[verdict] for q in tally.questions.values())]
    swatches = (element("li", element("i", style=f"background: {VERDICTS[v][2]}"), text(VERDICTS[v][0])) for v in shown)
    rows = (element("div", *_question(label, question), class_="question") for label, question in tally.questions.items())
    return element("ul", *swatches, class_="key") + "".join(rows)


def _question(label: str, question: OfQuestion) -> Iterator[str]:
    known = QUESTIONS.get(question.question)
    about = f"{question.question}{f', {known.kind}' if known else ''}"
    asked = "".join(paragraph(line, "quiet") for line in question.asked.splitlines())
    shown = element("details", element("summary", "as one sheet asks it"), asked) if asked else ""
    named = element("b", text(label)) if label != question.question else ""
    yield element("div", named, element("div", text(about), class_="quiet"), shown)
    met = question.verdicts
    counts = ", ".join(f"{met[verdict]:,} {said}" for verdict, (said, _, _) in VERDICTS.items() if met[verdict])
    yield element("div", share_bar(label, met), paragraph(f"{counts}{_unexplained(question)}.", "quiet"), _commonest(question))


def _unexplained(question: OfQuestion) -> str:
    return f"; no known thought explains {question.undiagnosed:,} of the wrong answers" if question.undiagnosed else ""


def _commonest(question: OfQuestion) -> str:
    """The diagnosis that was met most often, if any was met twice; all thoughts that it may be."""
    if not question.thoughts:
        return ""
    met, count = max(question.thoughts.items(), key=lambda item: (item[1], item[0]))
    if count == 1:
        return ""
    minds = [_thinks(name) for name in met if name not in _SLIPS]
    return element("p", f"Most often: {text(' or '.join(minds) or _SLIPS[met[0]].tell)} ({count:,})")


# Misconceptions.


def _misconceptions(thoughts: dict[str, _Thought]) -> Iterator[str]:
    if not thoughts:
        yield paragraph("None was met.")
        return
    swatches = [element("li", element("i", style=f"background: {c}"), says) for c, says in ((BLUE, "for sure"), (LIGHT, "this or another"))]
    yield element("ul", *swatches, class_="key")
    most = max(sum(thought.rank) for thought in thoughts.values())
    told = list(thoughts.items())[:_IN_FULL]
    for name, thought in told:
        yield element("section", *_misconception(name, thought, most))
    if rest := list(thoughts.items())[_IN_FULL:]:
        yield element("h3", "The others")
        rows = ([text(_thinks(name)), text(_all(thought)), *(f"{count:,}" for count in thought.rank)] for name, thought in rest)
        yield table(["thought", "where", "for sure", "or another"], rows, numbers=2)


def _all(thought: _Thought) -> str:
    """Where a thought was met at all, in the order of the questions, which each of its counts is in."""
    both = {label: thought.sure[label] + thought.perhaps[label] for label in thought.labels}
    return _where(Counter(both))


def _misconception(name: str, thought: _Thought, most: int) -> Iterator[str]:
    known = MISCONCEPTIONS.get(name)
    yield element("h3", text(_thinks(name)), element("span", f" {text(name)}" if known else "", class_="quiet"))
    yield thought_bar(name, *thought.rank, most)
    sure, perhaps = thought.rank
    says = [f"{sure:,} for sure, in {_where(thought.sure)}"] if sure else []
    if perhaps:
        others = _list(sorted(thought.others))
        or_else = f"{others} {_leads(thought.others)} to the same answer"
        says.append(f"{perhaps:,} that may be this or another, in {_where(thought.perhaps)}: {or_else}")
    yield paragraph("; ".join(says) + ".")
    if known:
        yield element("p", text(f"Against it: {known.violates.says} "), element("i", text(known.tell)))


def _leads(others: Counter[str]) -> str:
    return "leads" if len(others) == 1 else "lead"


def _thinks(name: str) -> str:
    known = MISCONCEPTIONS.get(name)
    return f"“{known.thinks.rstrip('.')}.”" if known else name


def _slips(slips: dict[str, Counter[str]]) -> str:
    if not slips:
        return ""
    rows = ([text(_SLIPS[name].tell), text(_where(counts)), f"{counts.total():,}"] for name, counts in slips.items())
    return element("h3", "Slips of unit, alone or on top") + table(["slip", "where", "answers"], rows, numbers=1)


# Single answers.


def _reviews(tally: Tally) -> int:
    return sum(found.count for found in tally.review.values())


def _review(tally: Tally, names: bool) -> Iterator[str]:
    if not tally.review:
        return
    yield element("h2", "Answers to look at")
    yield paragraph(
        "These earn nothing as they stand. What could not be read may be right all the same; a correction gives marks for it. "
        "The file review.csv lists all of them."
    )
    order = {label: at for at, label in enumerate(tally.questions)}
    found = sorted(tally.review.items(), key=lambda item: (order.get(item[0][0].partition(".")[0], len(order)), item[0][0], -item[1].count))
    rows = ([text(field_), text(why) or "various", *_examples(one, names), f"{one.count:,}"] for (field_, why), one in found)
    yield table(["answer", "why", "for instance", "by" if names else "on sheet", "answers"], rows, numbers=1)


def _examples(one: ToReview, names: bool) -> tuple[str, str]:
    """What some of them typed, and who they are."""
    typed_ = dict.fromkeys(typed(said) for _, said in one.examples)
    who = dict.fromkeys(text((result.name or result.student) if names else result.sheet) for result, _ in one.examples)
    return ", ".join(typed_), ", ".join(who) + (", …" if one.count > len(one.examples) else "")


def _flagged(tally: Tally, names: bool) -> Iterator[str]:
    count = tally.statuses["flagged"]
    if not count:
        return
    yield element("h2", "Flagged, and not marked")
    if not names:
        yield paragraph(f"{count:,} sheets; report.txt says whose and why, in names.")
        return
    rows = ([text(result.name or result.student), text("; ".join(result.notes))] for result in tally.flagged)
    yield table(["student", "why"], rows)
    if count > len(tally.flagged):
        yield paragraph(f"The first {MOST_LISTED} of {count:,}.", "quiet")
