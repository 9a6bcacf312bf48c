"""What a class shows as a whole, added up a student at a time: it grows with the questions and the misconceptions, not with the class."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from ..drills.form import Verdict
from .results import PartResult, QuestionResult, Result, Status

MOST_LISTED: Final = 100
_EXAMPLES: Final = 5
_TO_REVIEW: Final = ("invalid", "close")


@dataclass
class ToReview:
    """Answers that somebody should look at, of one question and for one reason.

    Attributes
    ----------
    count : int
    examples : list of (Result, str)
        The first few students and what they typed.
    """

    count: int = 0
    examples: list[tuple[Result, str]] = field(default_factory=list)


@dataclass
class OfQuestion:
    """What a class made of one question.

    Attributes
    ----------
    question : str
        Its id.
    asked : str
        How one sheet asks it.
    verdicts : Counter
        How many students met each verdict.
    thoughts : Counter
        How many answers were diagnosed as each set of misconceptions and slips; a set of several, where they give the same answer.
    undiagnosed : int
        Wrong answers that no known thought leads to.
    """

    question: str
    asked: str = ""
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    thoughts: Counter[tuple[str, ...]] = field(default_factory=Counter)
    undiagnosed: int = 0

    def add(self, result: QuestionResult) -> None:
        self.verdicts[result.verdict] += 1
        for part in result.parts:
            if part.thoughts:
                self.thoughts[part.thoughts] += 1
            elif part.verdict == "wrong":
                self.undiagnosed += 1


@dataclass
class Tally:
    """A class, added up.

    Attributes
    ----------
    questions : dict of str to OfQuestion
        By label.
    statuses : Counter
        How many students are marked, missing, and so on.
    marks : Counter
        How many students have each mark, in points.
    out_of : Fraction
    late : int
        How many came after their time.
    review : dict of (str, str) to ToReview
        By the answer's field and the reason; of more than a hundred such pairs the rest is under no reason at all.
    flagged : list of Result
        The first hundred students whose work is flagged; `statuses` has their number.
    """

    questions: dict[str, OfQuestion] = field(default_factory=dict)
    statuses: Counter[Status] = field(default_factory=Counter)
    marks: Counter[Fraction] = field(default_factory=Counter)
    out_of: Fraction = Fraction(0)
    late: int = 0
    review: dict[tuple[str, str], ToReview] = field(default_factory=dict)
    flagged: list[Result] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """Add a student."""
        self.statuses[result.status] += 1
        self.out_of = result.out_of
        self.late += bool(result.late)
        if result.mark is not None:
            self.marks[result.mark] += 1
        if result.status == "flagged" and len(self.flagged) < MOST_LISTED:
            self.flagged.append(result)
        for question in result.questions:
            self.add_answer(question)
            for part in to_review(question):
                self._look_at(result, part)

    def add_answer(self, question: QuestionResult) -> None:
        """Add the answer to one question."""
        self.questions.setdefault(question.label, OfQuestion(question.question)).add(question)

    def _look_at(self, result: Result, part: PartResult) -> None:
        # What is said ends, behind a colon, in a remedy that quotes the answer.
        key = (part.field, part.says[0].partition(":")[0] if part.says else part.verdict)
        if key not in self.review and len(self.review) >= MOST_LISTED:
            key = ("", "")
        found = self.review.setdefault(key, ToReview())
        found.count += 1
        if len(found.examples) < _EXAMPLES:
            found.examples.append((replace(result, questions=()), part.typed))


def to_review(question: QuestionResult) -> list[PartResult]:
    """The answers of a question that somebody should look at: what could not be read, and what is close but rounded too far."""
    return [part for part in question.parts if part.verdict in _TO_REVIEW]
