"""Cell K: each phase of a step at its fullest moment, buffer by buffer, with every activation kept and with blocks recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..algebra.units import Amount, byte, show, to_exact
from ..algebra.vocabulary import N, b, s
from ..reasoning.account import Phase, Step, account
from ..reasoning.step import Recompute
from ..scenarios.cells import CELLS
from ..scenarios.shapes import SHAPES
from . import style
from .columns import Column, measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What is drawn as one part: the letters of the phases' formulas that belong to it.
PARTS: Final = (
    ("sharded parameters", ("M_w",), style.BLUE),
    ("optimizer states", ("M_o",), style.ORANGE),
    ("gradients", ("M_g", "S_rg", "S_ug", "S_red"), style.SKY),
    ("gathered units", ("S_root", "S_unit"), style.YELLOW),
    ("activations", ("A_all",), style.RED),
    ("temporaries", ("M_tmp",), style.QUIET),
)
ORDER: Final = ("first forward pass", "later forward pass", "backward pass", "optimizer step")
RUNS: Final[tuple[tuple[str, Recompute], ...]] = (("everything kept", "none"), ("every block recomputed", "full"))


@style.styled
def draw() -> Picture:
    """Two panels of flat stacked bars on one scale, a bar a phase."""
    given = CELLS["K"].values
    batch, tokens, ranks = (int(given[letter].value) for letter in (b, s, N))
    phases: list[tuple[str, Phase]] = []
    for run, recompute in RUNS:
        found = {p.name: p for p in account(SHAPES["Llama-2-7B"], ranks, Step(batch=batch, tokens=tokens, recompute=recompute)).phases}
        phases += [(run, found[name]) for name in ORDER]
    names = named("phase", [f"{phase.name}, {run}" for run, phase in phases])
    parts = [measured(name, [_bytes(phase, letters) for _, phase in phases], "GB") for name, letters, _ in PARTS]
    totals = measured("held", [Amount(to_exact(phase.size), byte) for _, phase in phases], "GB")

    held = [totals.drawn[at : at + len(ORDER)] for at in range(0, len(phases), len(ORDER))]
    fullest = [of_run.index(max(of_run)) for of_run in held]
    finding = f"Kept, the {ORDER[fullest[0]]} peaks; recomputed, the {ORDER[fullest[1]]}"
    setting = f"{CELLS['K'].source.partition(' cards')[0]} ranks under FSDP2, {show(given[b])} sequence of {tokens} tokens in bf16"
    figure = style.canvas(finding, setting, 5.6)
    for number, (title, _) in enumerate(RUNS):
        rows = range(number * len(ORDER), (number + 1) * len(ORDER))
        _panel(figure, 2.72 - 2.02 * number, title, [c.at(*rows) for c in parts], totals.at(*rows), fullest[number], last=number > 0)
    sheet = style.sheet(figure, (0.3, 4.4, 7.1, 0.5))
    style.key(sheet, 0, 0.1, [(colour, name) for name, _, colour in PARTS[:4]])
    style.key(sheet, 0, 0.38, [(colour, name) for name, _, colour in PARTS[4:]])
    each = "; ".join(f"{phase} {_about(total)}" for phase, total in zip(names.texts, totals.drawn, strict=True))
    return Picture(
        figure,
        table([names, *parts, totals]),
        f"What one rank holds at the fullest moment of each phase of a step, as stacked bars: {each}.",
    )


def _bytes(phase: Phase, letters: tuple[str, ...]) -> Amount:
    return Amount(to_exact(sum(part.size for part in phase.parts if part.letter in letters)), byte)


def _about(gigabytes: float) -> str:
    return f"{gigabytes:.1f} GB"


def _panel(figure: Figure, bottom: float, title: str, parts: list[Column], totals: Column, fullest: int, last: bool) -> None:
    axes = style.panel(figure, (1.5, bottom, 5.7, 1.3), "held by one rank (GB)" if last else "")
    places = range(len(ORDER))
    axes.set_ylim(len(ORDER) - 0.5, -0.5)
    axes.set_xlim(0, 26)
    axes.set_yticks(list(places), ORDER)
    axes.set_xticks([0, 5, 10, 15, 20, 25], ["0", "5", "10", "15", "20", "25"])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    style.note(axes, title, (0, -0.5), (-1, 9), fontweight="bold")
    start = [0.0] * len(ORDER)
    for part, (_, _, colour) in zip(parts, PARTS, strict=True):
        style.flat_bars(axes, places, part, start, color=colour, height=0.72)
        start = [left + width for left, width in zip(start, part.drawn, strict=True)]
    for place in places:
        weight = "bold" if place == fullest else "normal"
        style.note(axes, _about(totals.drawn[place]), (totals.drawn[place], place), (6, 0), fontweight=weight)
