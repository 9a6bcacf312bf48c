"""Mistakes that are none: the mutant means the same, and why."""

from __future__ import annotations

EQUIVALENTS: dict[str, dict[str, str]] = {}
