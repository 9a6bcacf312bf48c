"""RESULTS.md: a part for each file of benchmarks, and nobody's part is touched by another's."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from importlib.metadata import version
from os import cpu_count
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = ("what", "measured", "promised")
Row = tuple[str, str, str]


def row(what: str, figure: float, limit: float, unit: str, at_least: bool = False) -> Row:
    """A line of the table."""
    bound = f"{'at least' if at_least else 'at most'} {limit:,g} {unit}".strip()
    return what, f"{figure:,.0f} {unit}" if figure >= 1000 else f"{figure:.3g} {unit}", bound


def write_part(title: str, introduction: str, rows: Sequence[Row], packages: Sequence[str]) -> None:
    """Write the part under this title anew."""
    width = [max(len(line[at]) for line in [*rows, HEAD]) for at in range(3)]
    table = ["| " + " | ".join(f"{cell:<{w}}" for cell, w in zip(line, width, strict=True)) + " |" for line in [HEAD, *rows]]
    table.insert(1, "|" + "|".join("-" * (w + 2) for w in width) + "|")
    with_them = "".join(f", {name} {version(name)}" for name in packages)
    machine = f"{_processor()}, {cpu_count()} cores, {platform.system()}; Python {platform.python_version()}{with_them}."
    parts = _parts()
    parts[title] = "\n".join([f"# {title}", "", introduction.strip(), "", machine, "", *table, ""])
    RESULTS.write_text("\n".join(parts.values()), encoding="utf-8")


def _parts() -> dict[str, str]:
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    parts = re.split(r"(?m)^(?=# )", text)
    return {part.partition("\n")[0].removeprefix("# "): part.rstrip("\n") + "\n" for part in parts if part.strip()}


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line] if info.exists() else []
    return models[0] if models else platform.processor() or "unknown processor"
