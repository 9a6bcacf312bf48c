"""The values that were measured last, as ``fsdp-sym measure --record`` wrote them beside this file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("measured.json")
_READ = json.loads(FILE.read_text(encoding="utf-8"))
TORCH: Final = f"PyTorch {_READ['PyTorch']}"
VALUES: Final[dict[str, int | Fraction]] = {id: Fraction(x) if isinstance(x, str) else x for id, x in _READ["values"].items()}


def written(version: str, values: Mapping[str, int | Fraction]) -> str:
    """The file's text for these values: ids in order, fractions as text."""
    plain = {id: int(x) if x.denominator == 1 else f"{x.numerator}/{x.denominator}" for id, x in sorted(values.items())}
    return json.dumps({"PyTorch": version, "values": plain}, indent=1) + "\n"
