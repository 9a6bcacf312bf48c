"""Drills: questions whose numbers are drawn, and answers that are diagnosed. Pure and seeded throughout."""

from .diagnose import diagnose
from .form import Drill, Judgement, Posed, Question, Rival
from .pose import pose
from .questions import QUESTIONS

__all__ = ["QUESTIONS", "Drill", "Judgement", "Posed", "Question", "Rival", "diagnose", "pose"]
