"""Cell R: a pipeline's step stage by stage, plain and interleaved, with its bubble and what each stage keeps meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ..formulas.pipeline.schedule import Order, alternating_orders, in_flight, play
from ..reasoning.work import Worked, work
from . import style
from .columns import Column, measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STAGES, MICRO_BATCHES, CHUNKS = 4, 8, 2
FORWARD, BACKWARD = 1, 2  # seconds of a stage
HALF: Final = 0.4  # of a row
WAYS: Final = ("forward passes", "backward passes")
# What is written above a first stage's task, which task that is, and how far to the right of it.
NAMES: Final = {
    1: (("forward", 0, 0), ("backward", STAGES, 0)),
    CHUNKS: (
        ("first chunk", 0, 0), ("second chunk", 2 * STAGES - 2, 30), ("second, backward", 3 * STAGES - 1, 48), ("first, backward", 23, 10),
    ),
}  # fmt: skip
COLOURS: Final = {True: (style.BLUE, style.STAGES[0]), False: (style.ORANGE, style.PEACH)}  # forward and backward, chunk by chunk


class Schedule(NamedTuple):
    """A schedule: its name, its chunks, what its stages do in which order, and when each of that ends, in ticks of a chunk's second."""

    name: str
    chunks: int
    orders: list[Order]
    ends: list[list[int]]

    @property
    def most(self) -> list[int]:
        return [in_flight(order) for order in self.orders]


def schedule(name: str, chunks: int) -> Schedule:
    """A tick is what a chunk needs for its part of a second."""
    orders = alternating_orders(STAGES, MICRO_BATCHES, chunks)
    return Schedule(name, chunks, orders, play(orders, [FORWARD] * STAGES, [BACKWARD] * STAGES))


@style.styled
def draw() -> Picture:
    """Two timelines of all stages on one clock, the interleaved one below."""
    plain, interleaved = schedule("one chunk a stage", 1), schedule(f"{CHUNKS} chunks a stage", CHUNKS)
    both = (plain, interleaved)
    rows = [(one, stage) for one in both for stage in range(STAGES)]
    ideal = measured("bubble of the ideal time", [_share(one, "ideal") for one, _ in rows], "%")
    total = measured("bubble of the total time", [_share(one, "total") for one, _ in rows], "%")
    step = measured("step", [_step(one) for one, _ in rows], "s")
    columns = [
        named("schedule and stage", (f"{one.name}, stage {stage}" for one, stage in rows)),
        *(measured(way, [sum(WAYS[not ahead] == way for ahead, _, _ in one.orders[stage]) for one, stage in rows]) for way in WAYS),
        measured("most in flight", [one.most[stage] for one, stage in rows]),
        step, ideal, total,
    ]  # fmt: skip
    before, after = _percent(total, 0), _percent(total, STAGES)
    figure = style.canvas(
        f"In {CHUNKS} chunks a stage the bubble falls from {before} of the step to {after}",
        f"{STAGES} stages, {MICRO_BATCHES} numbered micro-batches, 1F1B; each takes a stage {FORWARD} s forward and {BACKWARD} s backward",
        6.1,
    )
    for one, first, bottom in ((plain, 0, 3.42), (interleaved, STAGES, 0.62)):
        axes = style.panel(figure, (0.7, bottom, 6.7, 1.45), "time (s)")
        _panel(axes, one, max(step.drawn))
        said = f"{one.name}, {step.texts[first]}: bubble {_percent(ideal, first)} of the ideal time, {_percent(total, first)} of the total"
        style.note(axes, said, (0, -0.5), (0, 30), fontweight="bold")
        for text, task, right in NAMES[one.chunks]:
            style.lead(axes, text, (_middle(one, task), -HALF), (right, 12), ha="left")
        if not first:
            free = (one.ends[-1][-1] + one.ends[0][-1]) / 2
            style.note(axes, "bubble", (free, STAGES - 1), ha="center")
    return Picture(
        figure,
        table(columns),
        f"Timelines of {STAGES} pipeline stages and {MICRO_BATCHES} micro-batches under 1F1B. With one chunk a stage the step takes "
        f"{step.texts[0]}: each stage stands idle for {_percent(ideal, 0)} of the ideal time, {before} of the total, and keeps from "
        f"{max(plain.most)} micro-batches in flight down to {min(plain.most)}. With {CHUNKS} chunks it takes {step.texts[STAGES]}, the "
        f"bubble is {_percent(ideal, STAGES)} of the ideal time and {after} of the total, and {max(interleaved.most)} chunks are in "
        f"flight on the first stage.",
    )


def _letters(one: Schedule) -> dict[str, int]:
    chunked = {"n_chk": one.chunks} if one.chunks > 1 else {}
    return {"N_p": STAGES, "K_mb": MICRO_BATCHES, **chunked}


def _share(one: Schedule, of: str) -> Worked:
    return work("R", f"{'interleaved_' if one.chunks > 1 else ''}bubble_over_{of}", **_letters(one))


def _step(one: Schedule) -> Worked:
    name = "interleaved_pipeline_time" if one.chunks > 1 else "pipeline_time"
    return work("R", name, t_f=FORWARD, t_b=BACKWARD, **_letters(one))


def _percent(column: Column, row: int) -> str:
    """As it is said; the table has more of its digits."""
    return f"{column.drawn[row]:.3g} %"


def _long(one: Schedule, ahead: bool) -> float:
    return (FORWARD if ahead else BACKWARD) / one.chunks


def _middle(one: Schedule, task: int) -> float:
    """When a task of the first stage is half done."""
    (ahead, _, _), stop = one.orders[0][task], one.ends[0][task]
    return stop / one.chunks - _long(one, ahead) / 2


def _panel(axes: Axes, one: Schedule, longest: float) -> None:
    """A lane a stage, grey where it stands idle; numbers are micro-batches."""
    end = max(row[-1] for row in one.ends) / one.chunks
    axes.set_xlim(0, longest * 1.04)
    axes.set_ylim(STAGES - 0.5, -0.5)
    axes.set_yticks(range(STAGES), [f"stage {stage}" for stage in range(STAGES)])
    axes.tick_params(axis="y", length=0)
    axes.set_xticks(range(0, int(longest), 5))
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_bounds(0, longest)
    for stage, (order, ends) in enumerate(zip(one.orders, one.ends, strict=True)):
        style.box(axes, 0, stage - HALF, end, 2 * HALF, facecolor=style.WASH, label="bubble")
        for (ahead, part, at), stop in zip(order, ends, strict=True):
            long, colour = _long(one, ahead), COLOURS[ahead][part // STAGES]
            style.box(axes, stop / one.chunks - long, stage - HALF, long, 2 * HALF, facecolor=colour, label=WAYS[not ahead], linewidth=0.7)
            style.note(axes, str(at + 1), (stop / one.chunks - long / 2, stage), ha="center", color=style.on(colour))
        style.note(axes, str(one.most[stage]), (end, stage), (6, 0))
    style.note(axes, f"{'chunks' if one.chunks > 1 else 'most'} in flight", (end, -HALF), (20, 12), ha="right")
