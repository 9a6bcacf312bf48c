"""What follows from a letter as it is turned: a line for each formula, where the slider stands, and the level to stay below."""

from __future__ import annotations

from collections.abc import Sequence

from . import style
from .columns import Column, table
from .picture import Picture

_COLOURS = (style.REPLICATED, style.ORANGE, style.INK, style.SHARDED)
_CROWDED = 30  # times as high as anything where the slider stands
_APART = 13  # points between the names of two lines


def draw_turned(title: str, setting: str, x: Column, lines: Sequence[Column], here: int, level: Column | None, unit: str) -> Picture:
    """Draw the lines over the values that the letter may take; `here` is the row where it stands."""
    colours = _COLOURS[-len(lines) :]
    with style.settings():
        figure = style.canvas(title, setting, 4.0)
        axes = style.panel(figure, (0.75, 0.6, 5.0, 2.5), x.header, unit)
        if min(x.drawn) > 0 and max(x.drawn) > 30 * min(x.drawn):
            axes.set_xscale("log", base=2)
        tops = [max(column.drawn) for column in lines]
        standing = [column.drawn[here] for column in (*lines, *([level] if level is not None else []))]
        crowded = max(tops) > _CROWDED * max(standing) and min(min(column.drawn) for column in lines) > 0
        if crowded:  # on a plain axis all that stands here would lie on the ground
            axes.set_yscale("log")
        axes.xaxis.set_major_formatter(lambda tick, _: f"{tick:,.6g}")
        axes.yaxis.set_major_formatter(lambda tick, _: f"{tick:,.6g}")
        axes.axvline(x.drawn[here], color=style.RULE, linewidth=6, zorder=0)
        for line, colour in zip(lines, colours, strict=True):
            style.line(axes, x, line, color=colour)
            style.points(axes, x.at(here), line.at(here), colour, markersize=9)
        named = [(line.drawn[-1], line.header, colour) for line, colour in zip(lines, colours, strict=True)]
        if level is not None:
            style.level(axes, level)
            named.append((level.drawn[0], level.header, style.INK))
        if not crowded:
            axes.set_ylim(bottom=0)
        axes.autoscale_view()
        lowest = -float("inf")
        for y, name, colour in sorted(named):
            height = float(axes.transData.transform((x.drawn[-1], y))[1]) * 72 / style.DPI
            lowest = max(height, lowest + _APART)
            style.note(axes, name, (axes.get_xlim()[1], y), (6, lowest - height), color=colour)
    stands = "; ".join(f"{line.header} {line.texts[here]}" for line in lines)
    below = "" if level is None else f" The line to stay below is {level.header}, {level.texts[0]}."
    columns = [x, *lines, *([level] if level is not None else [])]
    return Picture(figure, table(columns), f"{title}. At {x.header} = {x.texts[here]}: {stands}.{below}")
