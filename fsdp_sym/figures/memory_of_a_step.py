"""Cell K: what a rank holds from moment to moment of a step, buffer on buffer, with every activation kept and with blocks recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ..algebra.units import Amount, byte, show, to_exact
from ..algebra.vocabulary import N, b, s
from ..reasoning.account import Phase, Step, account
from ..reasoning.step import Recompute, moments
from ..scenarios.cells import CELLS
from ..scenarios.shapes import SHAPES
from . import style
from .columns import Column, measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# What is drawn as one part: the letters of the phases' formulas that belong to it.
PARTS: Final = (
    ("sharded parameters", ("M_w",), style.BLUE),
    ("optimizer states", ("M_o",), style.ORANGE),
    ("gathered units", ("S_root", "S_unit"), style.YELLOW),
    ("activations", ("A_all",), style.RED),
    ("gradients", ("M_g", "S_rg", "S_ug", "S_red"), style.SKY),
    ("temporaries", ("M_tmp",), style.QUIET),
)
ORDER: Final = ("first forward pass", "later forward pass", "backward pass", "optimizer step")
RUNS: Final[tuple[tuple[str, Recompute], ...]] = (("everything kept", "none"), ("every block recomputed", "full"))
WHO: Final = re.compile(r"(?:the )?(block \d+|\w+(?: block| group)?)")
# Where the greatest number of a phase stands beside its point.
ASIDE: Final[dict[str, dict[str, Any]]] = {
    ORDER[0]: {"by": (0, 8), "ha": "center"}, ORDER[1]: {"by": (-20, 5), "ha": "right"},
    ORDER[2]: {"by": (0, 8), "ha": "center"}, ORDER[3]: {"by": (0, 8), "ha": "center"},
}  # fmt: skip
GAP, BAR, SCALE = 6, 21, 0.088  # places between what does not follow at once, and of the optimizer's bar; inches of a GB


@style.styled
def draw() -> Picture:
    """Two panels on one scale: piled areas from block to block of the passes, and a bar for the optimizer step."""
    model, given = SHAPES["Llama-2-7B"], CELLS["K"].values
    batch, tokens, ranks = (int(given[letter].value) for letter in (b, s, N))
    rows = [
        (run, who, phase)
        for run, recompute in RUNS
        for who, phase in _fullest(Step(batch=batch, tokens=tokens, recompute=recompute), ranks)
    ]
    name = named("moment", [f"{phase.name}{who and ', '}{who}, {run}" for run, who, phase in rows])
    place = measured("place", [_place(phase.name, who, model.layers) for _, who, phase in rows])
    parts = [measured(part, [_bytes(phase, letters) for *_, phase in rows], "GB") for part, letters, _ in PARTS]
    total = measured("held", [Amount(to_exact(phase.size), byte) for *_, phase in rows], "GB")

    at = [{phase: [i for i, row in enumerate(rows) if row[0] == run and row[2].name == phase] for phase in ORDER} for run, _ in RUNS]
    peaks = [{phase: max(found[phase], key=total.drawn.__getitem__) for phase in ORDER} for found in at]
    kept, again = (max(of_run.values(), key=total.drawn.__getitem__) for of_run in peaks)
    finding = f"Kept, the {rows[kept][2].name} peaks; recomputed, the {rows[again][2].name}"
    setting = f"{CELLS['K'].source.partition(' cards')[0]} ranks under FSDP2, {show(given[b])} sequence of {tokens} tokens in bf16"
    figure = style.canvas(finding, setting, 6.35)
    for run, bottom, top in ((0, 2.9, 28), (1, 0.4, 20)):
        axes = _panel(figure, bottom, top, RUNS[run][0], model.layers)
        for phase in ORDER:
            found = at[run][phase]
            piled = [(part.at(*found), colour) for part, (*_, colour) in zip(parts, PARTS, strict=True)]
            if phase == ORDER[-1]:
                style.stack(axes, place.at(*found).drawn, piled, BAR, flat=False)
            else:
                style.areas(axes, place.at(*found), piled)
            peak = peaks[run][phase]
            weight = "bold" if peak in (kept, again) else "normal"
            style.note(axes, _about(total, peak), (place.drawn[peak], total.drawn[peak]), fontweight=weight, **ASIDE[phase])
        if run == 0:
            for phase, found in at[run].items():
                middle = (place.drawn[found[0]] + place.drawn[found[-1]]) / 2
                style.note(axes, phase, (middle, top), (0, -4), ha="center", color=style.QUIET)
            for number in (0, 1, 3):
                _name(axes, place, parts, number, at[run][ORDER[1]][1], "right")
            gathered = (place.drawn[0], parts[0].drawn[0] + parts[2].drawn[0] / 2)
            style.lead(axes, PARTS[2][0], gathered, (1, 64))
        for number in (4, 5):
            _name(axes, place, parts, number, at[run][ORDER[3]][0], "center")
    each = "; ".join(
        f"{run}, the {phase} {_about(total, of_run[phase])}" for (run, _), of_run in zip(RUNS, peaks, strict=True) for phase in ORDER
    )
    return Picture(
        figure,
        table([name, place, *parts, total]),
        f"What one rank holds through a step as piled areas, each phase with its fullest moment: {each}. Forward, activations pile up on "
        f"parameters and states; backward, they are given back while gradients come.",
    )


def _fullest(step: Step, ranks: int) -> Iterator[tuple[str, Phase]]:
    """Of each phase, whatever is at work and the moment at which most is held; from block to block between them it goes straight."""
    model = SHAPES["Llama-2-7B"]
    found: dict[tuple[str, str], Phase] = {}
    for moment in moments(model, ranks, 0, account(model, ranks, step).persistent, step):
        who = WHO.match(moment.moment)
        key = moment.name, who[1] if who else ""
        if key not in found or moment.size > found[key].size:
            found[key] = moment
    yield from ((who, phase) for (name, who), phase in sorted(found.items(), key=lambda item: ORDER.index(item[0][0])))


def _place(phase: str, who: str, layers: int) -> int:
    """Where it stands: block by block, forward, backward, the optimizer; the ends of the model have a place each."""
    forward, backward = layers + 1 + GAP, 2 * layers + 2 + GAP
    if phase == ORDER[-1]:
        return backward + layers + 4 + GAP + BAR // 2
    before = {ORDER[0]: 0, ORDER[1]: forward, ORDER[2]: backward}[phase]
    if phase != ORDER[2]:
        return before + {"first block": 1, "last block": layers, "loss": layers + 1}[who]
    ends = {"loss": 1, "head": 2, "embedding": layers + 3, "root group": layers + 4}
    return before + (ends[who] if who in ends else layers + 3 - int(who.removeprefix("block ")))


def _bytes(phase: Phase, letters: tuple[str, ...]) -> Amount:
    return Amount(to_exact(sum(part.size for part in phase.parts if part.letter in letters)), byte)


def _about(column: Column, row: int) -> str:
    return f"{column.drawn[row]:.1f} GB"


def _panel(figure: Figure, bottom: float, top: int, title: str, layers: int) -> Axes:
    axes = style.panel(figure, (0.65, bottom, 6.65, top * SCALE), y=f"{title}: held by one rank (GB)")
    axes.set_ylim(0, top)
    axes.set_yticks(ticks := list(range(0, top, 5)), [str(tick) for tick in ticks])
    axes.set_xlim(0, _place(ORDER[-1], "", layers) + BAR / 2 + 1)
    blocks = [
        (_place(ORDER[0], "first block", layers), "block 1"), (_place(ORDER[0], "last block", layers), str(layers)),
        (_place(ORDER[1], "first block", layers), "1"), (_place(ORDER[1], "last block", layers), str(layers)),
        (_place(ORDER[2], "block 1", layers), "1"),
    ]  # fmt: skip
    axes.set_xticks([at for at, _ in blocks], [said for _, said in blocks])
    return axes


def _name(axes: Axes, place: Column, parts: list[Column], number: int, row: int, side: str) -> None:
    """A part's name on it, in its lower half, where a slope above is out of the way."""
    height = sum(column.drawn[row] for column in parts[:number]) + 0.4 * parts[number].drawn[row]
    name, _, colour = PARTS[number]
    style.note(axes, name, (place.drawn[row], height), (0, 0) if side == "center" else (-4, 0), ha=side, color=style.on(colour))
