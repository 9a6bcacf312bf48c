"""What an exporter is: a format, what it can carry, and a function from drills to files. One exporter a file of this folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from ...algebra.errors import FsdpSymError
from ...teaching.drills import Drill
from ...teaching.drills.form import KINDS, Kind, Verdict


@dataclass(frozen=True)
class Bank:
    """Drills to export, several variants of each question.

    Parameters
    ----------
    title : str
    questions : tuple of tuple of Drill
        The variants of one question stand together.
    """

    title: str
    questions: tuple[tuple[Drill, ...], ...]


@dataclass(frozen=True)
class Exporter:
    """A format that carries questions with their answers.

    Parameters
    ----------
    name : str
        As ``--to`` names it.
    says : str
        What it makes, in a few words.
    kinds : frozenset of str
        The kinds of question it carries; the others are refused by name.
    verdicts : frozenset of str
        The verdicts that the target gives as this package would.
    self_study : bool
        The answers can be read out of the file: not for marks, and labelled so.
    files : callable
        From a bank to file names, relative to the output folder, and their bytes; the same bytes on every run.
    """

    name: str
    says: str
    kinds: frozenset[Kind]
    verdicts: frozenset[Verdict]
    self_study: bool
    files: Callable[[Bank], dict[str, bytes]]

    @property
    def declared(self) -> dict[str, str]:
        """What it says of itself, by name."""
        kinds = "all" if self.kinds == frozenset(KINDS) else ", ".join(k for k in KINDS if k in self.kinds)
        verdicts = ", ".join(v for v in get_args(Verdict) if v in self.verdicts) or "none"
        return {"self-study": "yes" if self.self_study else "no", "kinds": kinds, "verdicts": verdicts, "makes": self.says}

    def export(self, bank: Bank) -> dict[str, bytes]:
        """The files of a bank.

        Raises
        ------
        FsdpSymError
            Where a question is of a kind that the format does not carry; all of them are named.
        """
        refused = [variants[0] for variants in bank.questions if variants[0].posed.kind not in self.kinds]
        if refused:
            names = ", ".join(f"{drill.posed.question} ({drill.posed.kind})" for drill in refused)
            raise FsdpSymError(f"{self.name} does not carry {names}: choose questions of the kinds {', '.join(sorted(self.kinds))}")
        return self.files(bank)
