"""Cell K: what a card holds between steps and in the optimizer step, part by part, under its memory."""

from __future__ import annotations

from typing import Final

from ..algebra.units import Amount, byte, show, to_exact
from ..algebra.vocabulary import M_max, M_over
from ..reasoning.work import Worked, work
from ..scenarios.cells import CELLS
from . import style
from .columns import amount_of, measured, named, table
from .picture import Picture

# What is held, and the case on whose bar its name is written: the first where it is thick enough.
PARTS: Final = (
    ("parameters", style.BLUE, 0),
    ("gradients", style.SKY, 1),
    ("optimizer\nstates", style.ORANGE, 0),
    ("temporaries", style.RED, 2),
)
# Bytes a parameter of each part: whole or shared parameters, gradients, states; and how many fp32 temporaries.
TICKS: Final = (0, 10, 20, 30)  # GiB
MIB: Final = 2**10  # of a GiB
CASES: Final = (
    ("ZeRO-2,\nbetween steps", False, 2, 0),
    ("ZeRO-2,\none temporary", False, 4, 1),
    ("ZeRO-2,\nboth", False, 4, 2),
    ("ZeRO-2,\nfused", False, 4, 0),
    ("ZeRO-3,\nboth", True, 4, 2),
)


@style.styled
def draw() -> Picture:
    """Stacked bars under one budget line."""
    given = CELLS["K"].values
    room = Amount(given[M_max].value - given[M_over].value, byte)
    budget = measured("room for a step", [room] * len(CASES), "MiB")
    rows = [_parts(shared, gradient, temporaries) for _, shared, gradient, temporaries in CASES]
    names = [name.replace("\n", " ") for name, *_ in CASES]
    parts = [measured(name.replace("\n", " "), [row[at] for row in rows], "MiB") for at, (name, *_) in enumerate(PARTS)]
    totals = measured("together", [_together(row) for row in rows], "MiB")

    card, left = show(given[M_max]), show(room, "GiB")
    figure = style.canvas(f"Between steps ZeRO-2 fits {card}, in the step it does not", CELLS["K"].source, 4.65)
    axes = style.panel(figure, (0.65, 0.65, 6.6, 3.05), y="held by one card (GiB)")
    places = range(len(CASES))
    axes.set_ylim(0, 1.2 * max(totals.drawn))
    axes.set_xlim(-0.5, len(CASES) - 0.5)
    axes.set_xticks(places, [name for name, *_ in CASES])
    axes.set_yticks([tick * MIB for tick in TICKS], [str(tick) for tick in TICKS])
    axes.tick_params(axis="x", length=0)
    style.stack(axes, places, [(part, colour) for part, (_, colour, _) in zip(parts, PARTS, strict=True)], 0.84, flat=False)
    for at, (name, colour, place) in enumerate(PARTS):
        below = sum(part.drawn[place] for part in parts[:at])
        style.note(axes, name, (place, below + parts[at].drawn[place] / 2), ha="center", color=style.on(colour))
    style.level(axes, budget)
    style.note(axes, f"room for a step:\n{left} of {card}", (-0.5, budget.drawn[0]), (4, 15))
    said = [_together(row).shown("GiB", 4).removeprefix("≈ ") for row in rows]
    for place, (text, held) in enumerate(zip(said, totals.drawn, strict=True)):
        if held > budget.drawn[place]:
            style.note(axes, f"{text}\ndoes not fit", (place, held), (0, 15), ha="center", fontweight="bold")
        else:
            style.note(axes, text, (place, held), (0, 8), ha="center")
    each = "; ".join(f"{name} {total}" for name, total in zip(names, said, strict=True))
    return Picture(
        figure,
        table([named("case", names), *parts, totals, budget]),
        f"What a card holds of parameters, gradients, states and temporaries, as stacked bars under its room of {left}: {each}.",
    )


def _parts(shared: bool, gradient: int, temporaries: int) -> list[Amount]:
    made = ("foreach_temporaries", "flat_temporaries")[:temporaries][-1:]
    found = [work("K", "buffer_shard", b_buf=2, **({} if shared else {"N": 1}))]
    found += [work("K", "buffer_shard", b_buf=width) for width in (gradient, 12)]
    return [*map(amount_of, found), *([amount_of(work("K", name, b_t=4)) for name in made] or [Amount(to_exact(0), byte)])]


def _together(parts: list[Amount]) -> Worked:
    weights, gradients, states, temporaries = parts
    return work("K", "optimizer_step_peak", M_w=weights, M_g=gradients, M_o=states, M_tmp=temporaries)
