"""Cell F: time of the bytes on links of different rates, the slip of reading bits as bytes, and the compute beside it."""

from __future__ import annotations

from ..algebra.units import Amount, bit, byte, second, show, show_number
from ..algebra.vocabulary import R_bit, S, T_comp, n_bit
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from ..scenarios.machines import MACHINES
from . import style
from .columns import amount_of, measured, table
from .picture import Picture


@style.styled
def draw() -> Picture:
    """Time against line rate on two logarithmic axes, right and with the slip, over the compute time."""
    given = CELLS["F"].values
    enough = amount_of(work("F", "hiding_bandwidth", V=given[S]))
    hides = Amount(enough.value * given[n_bit].value, bit / second)
    listed = {row.values[R_bit].value for row in MACHINES.values() if R_bit in row.values}
    rates = [Amount(value, bit / second) for value in sorted({hides.value, *listed})]
    here, last = rates.index(given[R_bit]), rates.index(hides)

    rate = measured("line rate", rates, "Gbps")
    width = measured("bandwidth", bandwidths := [amount_of(work("F", "link_bandwidth", R_bit=r)) for r in rates], "GB/s")
    time = measured("time", times := [amount_of(work("F", "transfer_time", V=given[S], W=w)) for w in bandwidths], "ms")
    misread = [Amount(r.value, byte / second) for r in rates]
    slip = measured("time if Gbps were GB/s", slips := [amount_of(work("F", "transfer_time", V=given[S], W=w)) for w in misread], "ms")
    compute = measured("compute", [given[T_comp]] * len(rates), "ms")
    factor = show_number(times[here].value / slips[here].value)

    figure = style.canvas(f"Bits read as bytes make {rate.texts[here]} look {factor} times as fast", CELLS["F"].source, 4.6)
    axes = style.panel(figure, (0.75, 0.6, 6.45, 3.05), "line rate (Gbps, logarithmic)", f"time of {show(given[S])} (ms, logarithmic)")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(rate.drawn, [f"{tick:g}" for tick in rate.drawn])
    axes.set_yticks(ticks := [1, 10, 100, 1000], [f"{tick:,}" for tick in ticks])
    axes.set_xlim(0.85 * rate.drawn[0], 1.6 * rate.drawn[-1])
    axes.set_ylim(0.8 * min(slip.drawn), 1.8 * max(time.drawn))
    style.line(axes, rate, compute, color=style.COMPUTE)
    style.line(axes, rate, slip, color=style.EXPOSED, linewidth=1.6, linestyle=style.DASHED)
    style.line(axes, rate, time, color=style.SHARDED)
    style.points(axes, rate.at(here, last), time.at(here, last), style.SHARDED, markersize=10)
    style.points(axes, rate.at(here), slip.at(here), style.EXPOSED, markersize=10)
    x, true, false = rate.drawn[here], time.drawn[here], slip.drawn[here]
    style.arrow(axes, (x, true / 1.2), (x, false * 1.2), arrowstyle="<|-|>")
    style.note(axes, f"{factor} times", (x, (true * false) ** 0.5), (7, 0))
    style.note(axes, f"{time.texts[here]} at {rate.texts[here]} = {width.texts[here]}", (x, true), (9, 6), color=style.SHARDED)
    style.note(axes, f"{slip.texts[here]} if Gbps were GB/s", (x, false), (12, 6), color=style.EXPOSED)
    style.note(axes, f"compute: {compute.texts[here]}", (rate.drawn[0], compute.drawn[0]), (0, 9))
    style.note(axes, f"hides from {rate.texts[last]} on", (rate.drawn[last], time.drawn[last]), (4, -15), ha="right", color=style.SHARDED)
    return Picture(
        figure,
        table([rate, width, time, slip, compute]),
        f"Time of {show(given[S])} against line rate, both axes logarithmic: {time.texts[here]} at {rate.texts[here]}, which is "
        f"{width.texts[here]}; read as GB/s it would be {slip.texts[here]}, {factor} times less, and that dashed line runs below at "
        f"every rate. The compute beside it takes {compute.texts[here]}, which the time meets at {rate.texts[last]}.",
    )
