"""A sheet as a student gets it: posed questions under their labels, and no key."""

from __future__ import annotations

from dataclasses import dataclass

from ..drills import Posed


@dataclass(frozen=True)
class Sheet:
    """What one student is handed.

    Parameters
    ----------
    assignment : str
        The assignment's name, such as ``hw1``.
    id : str
        The sheet's own name, which comes back with the answers.
    student : str
        Who it is for, as it is printed.
    questions : tuple of (str, Posed)
        Labels such as ``Q7``, the same for everybody, and what is asked.
    due : str
        When it is to be returned, as it is printed; empty where nothing is said.
    large_print : bool
    """

    assignment: str
    id: str
    student: str
    questions: tuple[tuple[str, Posed], ...]
    due: str = ""
    large_print: bool = False
