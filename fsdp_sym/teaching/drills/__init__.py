"""Drills: questions whose numbers are drawn, and answers that are diagnosed. Pure and seeded throughout."""

from .diagnose import diagnose
from .form import KINDS, Drill, Judgement, Key, Kind, Part, Posed, Question, Rival, Variant
from .pose import pose, restore
from .questions import QUESTIONS, question_named

__all__ = [
    "KINDS", "QUESTIONS", "Drill", "Judgement", "Key", "Kind", "Part", "Posed", "Question", "Rival", "Variant",
    "diagnose", "pose", "question_named", "restore",
]  # fmt: skip
