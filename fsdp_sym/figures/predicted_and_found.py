"""Cell N: of every measurement, how many predictions are exact, and how far off the others are at most."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..algebra.units import Amount, show, to_exact
from ..evidence.form import Record
from ..reasoning.evidence import predicted, records_in
from ..reasoning.work import plain
from . import style
from .columns import measured, named, table
from .picture import Picture

GROUPS: Final = {
    "persistent": "state and shards", "parallel": "tensor groups", "collectives": "collectives of a step", "wire": "bytes on a wire",
    "activations": "activations of a block", "optimizer": "optimizer steps", "peaks": "phases of a step", "counts": "parameters of models",
    "printed": "figures in print",
}  # fmt: skip


@style.styled
def draw() -> Picture:
    """One flat bar a measurement, of records that are met exactly and of those that are not."""
    off = [[_off(record) for record in records_in(group)] for group in GROUPS]
    names = named("measurement", GROUPS.values())
    exact = measured("exact", [sum(x == 0 for x in found) for found in off])
    rest = measured("not exact", [sum(x != 0 for x in found) for found in off])
    every = measured("records", [len(found) for found in off])
    worst = [show(Amount(to_exact(max(found))), "%", 2).removeprefix("≈ ") if max(found) else "" for found in off]

    height = 0.36 * len(GROUPS)
    met, all_of_them = sum(map(int, exact.texts)), sum(map(int, every.texts))
    figure = style.canvas(f"{met} of {all_of_them} predictions are met exactly", "every record, by measurement", height + 1.45)
    axes = style.panel(figure, (1.95, 0.6, 5.25, height), "records")
    places = range(len(GROUPS))
    axes.set_ylim(len(GROUPS) - 0.5, -0.5)
    axes.set_xlim(0, 1.75 * max(every.drawn))
    axes.set_yticks(list(places), names.texts)
    axes.set_xticks(ticks := range(0, int(max(every.drawn)) + 1, 20), [str(tick) for tick in ticks])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    style.flat_bars(axes, places, exact, color=style.SHARDED, height=0.66)
    style.flat_bars(axes, places, rest, exact.drawn, color=style.ORANGE, height=0.66)
    said = []
    for place in places:
        said.append(f"{exact.texts[place]} of {every.texts[place]}" + (f", the rest within {worst[place]}" if worst[place] else ""))
        style.note(axes, said[place], (every.drawn[place], place), (6, 0))
    each = "; ".join(f"{name} {words}" for name, words in zip(names.texts, said, strict=True))
    return Picture(
        figure,
        table([names, exact, rest, every]),
        f"Records of runs and pages as stacked bars, those that the prediction meets exactly and the others: {each}.",
    )


def _off(record: Record) -> Fraction:
    """How far the prediction is from what was found, as a share of it; a printed figure is met where its digits are."""
    if record.digits is not None or not record.value:
        return Fraction(0)
    return abs(Fraction(plain(predicted(record).value)) / Fraction(record.value) - 1)
