"""fsdp_sym: the arithmetic of sharded training as checked SymPy derivations.

>>> from fsdp_sym import work
>>> print(work("D", "all_gather", N=64))
V_ag = (N - 1)/N·S = (64 - 1) / 64 × 700 MB = 689.0625 MB

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .publishing.display import derive, measured, plot, tell
    from .publishing.explore import explore
    from .publishing.sweeping import published_sweep as sweep
    from .reasoning.audit import audit
    from .reasoning.catalogue import formula
    from .reasoning.planner.asked import plan
    from .reasoning.solve import solve, splits
    from .reasoning.sweeps.choose import choose
    from .reasoning.work import work
    from .scenarios.cells import CELLS as cells
    from .teaching.course import open_course as course
    from .teaching.forecast import forecast, reveal
    from .teaching.practice import practice

_HOMES = {
    "audit": "reasoning.audit",
    "cells": "scenarios.cells:CELLS",
    "choose": "reasoning.sweeps.choose",
    "course": "teaching.course:open_course",
    "derive": "publishing.display",
    "explore": "publishing.explore",
    "forecast": "teaching.forecast",
    "formula": "reasoning.catalogue",
    "measured": "publishing.display",
    "plan": "reasoning.planner.asked",
    "plot": "publishing.display",
    "practice": "teaching.practice",
    "reveal": "teaching.forecast",
    "solve": "reasoning.solve",
    "splits": "reasoning.solve",
    "sweep": "publishing.sweeping:published_sweep",
    "tell": "publishing.display",
    "work": "reasoning.work",
}

__version__ = "0.1.0"
__all__ = [
    "audit", "cells", "choose", "course", "derive", "explore", "forecast", "formula", "measured",
    "plan", "plot", "practice", "reveal", "solve", "splits", "sweep", "tell", "work",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fsdp_sym' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    found = getattr(import_module(f".{module}", __name__), attribute or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
