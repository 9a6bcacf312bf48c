"""Exporters: one file a format. `EXPORTERS` has those that carry questions with their answers, found on first use."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .form import Exporter

    EXPORTERS: dict[str, Exporter]

__all__ = ["EXPORTERS"]


@cache
def _found() -> dict[str, Exporter]:
    from ...reasoning.catalogue import find
    from .form import Exporter

    return {exporter.name: exporter for exporter in sorted(find(sys.modules[__name__], Exporter), key=lambda e: e.name)}


def __getattr__(name: str) -> object:
    if name == "EXPORTERS":
        return _found()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
