"""The one style of all figures: colours, type, the frame of a picture, and the marks that are drawn in it.

Colours are near those of Okabe and Ito, which survive colour blindness; wherever two meet, lightness tells them apart as
well, so that a grey print reads the same. Each has a counterpart for dark pages. What a colour means is written beside its
mark, never in a legend. Every mark carries the headers of the columns it draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .columns import Column

INK: Final = "#1a1a1a"
QUIET: Final = "#6b6b6b"
RULE: Final = "#d9d9d9"
WASH: Final = "#efefef"
PAPER: Final = "#ffffff"
BLUE: Final = "#0072b2"
SKY: Final = "#8ccaf2"
ORANGE: Final = "#de9300"
YELLOW: Final = "#e8d52f"
RED: Final = "#c24e00"
GREY: Final = "#949494"
PEACH: Final = "#f3c9ab"
STAGES: Final = ("#0b3c5d", "#0a70ad", "#56b4e9", "#acd8f3")  # of a pipeline, each lighter than the one before
_ON_DARK, _ON_LIGHT = "#fefefe", "#111111"  # what is written on a fill

# What each colour becomes on a dark page. All fills are light there, and what is written on them is dark.
DARK: Final = {
    INK: "#e8e8e8", QUIET: "#9a9ea4", RULE: "#3c3f44", WASH: "#2a2d31", PAPER: "#131416", BLUE: "#4897d1", SKY: "#b9e2fb",
    ORANGE: "#e39d0a", YELLOW: "#f0e442", RED: "#e8692a", GREY: "#8b8f94", PEACH: "#f6cfb3",
    **dict(zip(STAGES, ("#3781b1", "#57aadf", "#90cdf3", "#d8effc"), strict=True)), _ON_DARK: "#0d0d0d", _ON_LIGHT: "#0e0e0e",
}  # fmt: skip

# These have one colour in every picture; what else is drawn is named where it lies.
SHARDED: Final = BLUE
REPLICATED: Final = RED
COMPUTE: Final = GREY
EXPOSED: Final = RED
HIDDEN: Final = PEACH

WIDTH: Final = 7.5
DPI: Final = 110
SMALL: Final = 10
DASHED: Final = (0, (5, 3))

_SETTINGS: Final = {
    "figure.dpi": DPI,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 2.2,
    "lines.markersize": 8,
    "lines.solid_capstyle": "butt",
    "hatch.linewidth": 1.2,
    "svg.fonttype": "path",
    "svg.hashsalt": "fsdp_sym",
}

_RIM: Final[dict[str, Any]] = {"edgecolor": PAPER, "linewidth": 1.2}
_LABEL: Final[dict[str, Any]] = {"fontsize": SMALL, "va": "center"}
_ARROW: Final[dict[str, Any]] = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}

Drawn = TypeVar("Drawn")


def settings() -> AbstractContextManager[None]:
    """Matplotlib's own defaults and this style over them, whatever the user has set; his settings come back at the end."""
    import matplotlib.style

    return matplotlib.style.context(dict(_SETTINGS), after_reset=True)


def styled(draw: Callable[[], Drawn]) -> Callable[[], Drawn]:
    """Draw under `settings`."""

    @wraps(draw)
    def drawn() -> Drawn:
        with settings():
            return draw()

    return drawn


def on(fill: str) -> str:
    """The colour of what is written on a fill: white or black, whichever stands out more."""
    from matplotlib.colors import to_rgb

    red, green, blue = (part**2.2 for part in to_rgb(fill))
    return _ON_DARK if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.2 else _ON_LIGHT


def canvas(title: str, setting: str, height: float) -> Figure:
    """An empty figure of one width, its finding written on top and, under it, what it is the finding of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), dpi=DPI)
    FigureCanvasAgg(figure)
    figure.text(0.02, 1 - 0.12 / height, title, fontsize=13, fontweight="bold", va="top")
    figure.text(0.02, 1 - 0.4 / height, setting[:1].upper() + setting[1:], fontsize=SMALL, color=QUIET, va="top")
    return figure


def panel(figure: Figure, box: tuple[float, float, float, float], x: str = "", y: str = "") -> Axes:
    """Axes in a box (left, bottom, width, height, in inches), the y label lying above its axis where it can be read."""
    width, height = figure.get_size_inches()
    left, bottom, across, up = box
    axes = figure.add_axes((left / width, bottom / height, across / width, up / height))
    axes.set_xlabel(x)
    axes.annotate(y, (0, 1), (-36, 8), xycoords="axes fraction", textcoords="offset points", va="bottom")
    return axes


def sheet(figure: Figure, box: tuple[float, float, float, float]) -> Axes:
    """Axes without ticks or frame whose units are inches, for a diagram; y runs downwards."""
    axes = panel(figure, box)
    axes.set_xlim(0, box[2])
    axes.set_ylim(box[3], 0)
    axes.axis("off")
    return axes


def count_axis(axes: Axes, counts: Sequence[float]) -> None:
    """A logarithmic x axis with whole numbers as its ticks."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(counts), [f"{int(n):,}" if n > 9999 else str(int(n)) for n in counts])
    axes.set_xticks([], minor=True)


def line(axes: Axes, x: Column, y: Column, **look: Any) -> None:
    """One column against another."""
    axes.plot(x.drawn, y.drawn, label=f"{y.header} against {x.header}", **look)


def level(axes: Axes, column: Column) -> None:
    """A column that is the same in every row, as a dashed line across the panel."""
    axes.axhline(column.drawn[0], label=column.header, color=INK, linewidth=1.4, linestyle=DASHED)


def points(axes: Axes, x: Column, y: Column, colour: str, **look: Any) -> None:
    """The rows that are marked, as discs with a white rim."""
    line(axes, x, y, linestyle="none", marker="o", color=colour, markeredgecolor=PAPER, markeredgewidth=1.4, **look)


def bars(axes: Axes, at: Sequence[float], lengths: Column, start: Sequence[float] | None = None, **look: Any) -> None:
    """One upright bar a row, from its start upwards."""
    axes.bar(at, lengths.drawn, bottom=start, label=lengths.header, **(_RIM | look))


def flat_bars(axes: Axes, at: Sequence[float], lengths: Column, start: Sequence[float] | None = None, **look: Any) -> None:
    """One flat bar a row, from its start to the right."""
    axes.barh(at, lengths.drawn, left=start, label=lengths.header, **(_RIM | look))


def stack(axes: Axes, at: Sequence[float], parts: Sequence[tuple[Column, str]], thick: float, *, flat: bool) -> None:
    """Bars of several parts, each with its colour, one after the other."""
    start = [0.0] * len(at)
    for part, colour in parts:
        if flat:
            flat_bars(axes, at, part, start, color=colour, height=thick)
        else:
            bars(axes, at, part, start, color=colour, width=thick)
        start = [begin + length for begin, length in zip(start, part.drawn, strict=True)]


def areas(axes: Axes, x: Column, parts: Sequence[tuple[Column, str]]) -> None:
    """Columns piled on each other against one more."""
    below = [0.0] * len(x.drawn)
    for part, colour in parts:
        above = [low + high for low, high in zip(below, part.drawn, strict=True)]
        axes.fill_between(x.drawn, below, above, color=colour, edgecolor=PAPER, linewidth=1, label=f"{part.header} against {x.header}")
        below = above


def regions(axes: Axes, edges: Sequence[Sequence[float]], parts: Sequence[tuple[Any, str]]) -> None:
    """Cells of a map, whose edges are given along x and y; each part says in which of them (rows along y) its colour lies.

    Cells side by side are one box, or a file with every cell in it would be too large to open. A box has a thin edge of its own
    colour, or a hair of paper would show between two of them.
    """
    from matplotlib.collections import PolyCollection

    x, y = edges
    for cells, colour in parts:
        boxes = [((x[a], y[row]), (x[b], y[row]), (x[b], y[row + 1]), (x[a], y[row + 1])) for row, a, b in _runs(cells)]
        axes.add_collection(PolyCollection(boxes, facecolors=colour, edgecolors=colour, linewidths=0.6))
    axes.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))


def borders(axes: Axes, edges: Sequence[Sequence[float]], answers: Any) -> None:
    """A white line wherever neighbouring cells of a map differ, so that a grey print has its regions too."""
    from matplotlib.collections import LineCollection

    x, y = edges
    lines = [((x[at + 1], y[a]), (x[at + 1], y[b])) for at, a, b in _runs((answers[:, 1:] != answers[:, :-1]).T)]
    lines += [((x[a], y[at + 1]), (x[b], y[at + 1])) for at, a, b in _runs(answers[1:] != answers[:-1])]
    axes.add_collection(LineCollection(lines, colors=PAPER, linewidths=1.4, capstyle="projecting"), autolim=False)


def _runs(cells: Any) -> list[tuple[int, int, int]]:
    """Where cells side by side are true: their row, the first of them, and the one after the last."""
    import numpy as np

    turns = np.diff(np.pad(cells.astype(int), ((0, 0), (1, 1))), axis=1)
    (rows, first), (_, last) = (turns == 1).nonzero(), (turns == -1).nonzero()
    return list(zip(rows.tolist(), first.tolist(), last.tolist(), strict=True))


def size_of(figure: Figure, text: str, turned: float = 0) -> tuple[float, float]:
    """The width and the height of a label, in pixels."""
    written = figure.text(0, 0, text, rotation=turned, **_LABEL)
    box = written.get_window_extent()
    written.remove()
    return box.width, box.height


def note(axes: Axes, text: str, at: tuple[float, float], by: tuple[float, float] = (0, 0), **look: Any) -> None:
    """A label beside a data point, moved by so many typographic points."""
    axes.annotate(text, at, by, textcoords="offset points", **(_LABEL | look))


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], **look: Any) -> None:
    """A thin arrow."""
    axes.annotate("", end, start, arrowprops=_ARROW | look)


def box(axes: Axes, left: float, top: float, width: float, height: float, **look: Any) -> None:
    """A rectangle of a diagram."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((left, top), width, height, **(_RIM | look)))


def boxes(axes: Axes, corners: Sequence[tuple[float, float]], size: float, colours: Sequence[str], **look: Any) -> None:
    """Many squares of one size, in one go."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    squares = [Rectangle(corner, size, size) for corner in corners]
    axes.add_collection(PatchCollection(squares, facecolors=list(colours), **(_RIM | look)))


def word(axes: Axes, left: float, top: float, text: str, **look: Any) -> None:
    """A text of a diagram."""
    axes.text(left, top, text, **(_LABEL | look))


def lead(axes: Axes, text: str, at: tuple[float, float], by: tuple[float, float], **look: Any) -> None:
    """A name beside a mark with no room for it, moved by so many typographic points, and a hair line from it to the mark."""
    line = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.8, "shrinkA": 1, "shrinkB": 0}
    axes.annotate(text, at, by, textcoords="offset points", arrowprops=line, **(_LABEL | look))
