"""What a figure is: a drawing, the table of everything drawn in it, and a sentence for those who cannot see it."""

from __future__ import annotations

import io
from base64 import b64encode
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final

from ..algebra.errors import UnknownName
from .style import DPI, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NOT_PICTURES: Final = {"picture", "style", "columns", "sweep_columns", "sweep_lines", "sweep_map", "turned"}


@dataclass(frozen=True)
class Table:
    """Columns of text under headers; every drawn value stands in one."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        lines = [self.headers, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.headers))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


@dataclass(frozen=True)
class Picture:
    """A figure with its table and its alternative text (what it shows, with its numbers)."""

    figure: Figure
    table: Table
    alt: str

    def png(self) -> bytes:
        """The picture as PNG; the same bytes every time on one version of matplotlib."""
        out = io.BytesIO()
        with settings():
            self.figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
        return out.getvalue()

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        """What a notebook shows: the picture, or in a terminal what it says."""
        return {"image/png": b64encode(self.png()).decode(), "text/plain": self.alt}

    def svg(self) -> bytes:
        """The picture as SVG without dates; the same bytes every time on one version of matplotlib."""
        out = io.BytesIO()
        with settings():
            self.figure.savefig(out, format="svg", metadata={"Date": None})
        return out.getvalue()


def pictures() -> list[str]:
    """The names of all pictures: the modules of this wing."""
    from .. import figures

    return sorted(m.name for m in iter_modules(figures.__path__) if m.name not in _NOT_PICTURES)


def draw(name: str) -> Picture:
    """Draw the picture with this name.

    Raises
    ------
    UnknownName
        With the nearest names.
    """
    if name not in pictures():
        raise UnknownName("picture", name, pictures())
    picture: Picture = import_module(f"fsdp_sym.figures.{name}").draw()
    return picture
