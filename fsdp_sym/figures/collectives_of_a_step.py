"""Cell J: the collectives of one step in their order, under each setting that changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..formulas.traffic.schedule import ROOT, Collective, step
from ..reasoning.work import Worked, work
from . import style
from .columns import measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLOCKS: Final = 4
LEFT, SLOT, ROW, TOP = 1.95, 0.108, 0.44, 0.5
KINDS: Final = {
    "gather of a block": style.ORANGE, "gather of the root group": style.YELLOW, "reduction": style.RED,
}  # fmt: skip


class Setting(NamedTuple):
    """A setting: what it is called, how the step is played, and the letters that say it to the formulas."""

    name: str
    played: dict[str, Any]
    letters: dict[str, int]


SETTINGS: Final = (
    Setting("1 micro-batch", {}, {}),
    Setting("… kept until backward", {"reshard": False}, {"r": 0}),
    Setting("3 micro-batches", {"micro_batches": 3}, {"K_mb": 3}),
    Setting("… reduced in the last", {"micro_batches": 3, "sync_each": False}, {"K_mb": 3, "u_sync": 0}),
    Setting("… and freed in the last", {"micro_batches": 3, "sync_each": False, "reshard_after_backward": False}, {"K_mb": 3, "u_sync": 0}),
)


@style.styled
def draw() -> Picture:
    """A row of boxes a setting, from left to right in the order in which they are issued."""
    gathers = measured("all-gathers", [_gathers(setting) for setting in SETTINGS])
    scatters = measured("reduce-scatters", [work("J", "scatters_in_step", L=BLOCKS, **setting.letters) for setting in SETTINGS])
    played = [step(BLOCKS, **setting.played) for setting in SETTINGS]
    kinds = [measured(kind, [sum(_kind(event) == kind for event in events) for events in played]) for kind in KINDS]

    height = TOP + len(SETTINGS) * ROW
    finding = f"Only the root group escapes its second gather: {gathers.texts[0]} gathers for {BLOCKS + 1} groups"
    setting = f"one optimizer step of {BLOCKS} wrapped blocks and a root group, a box a collective, in the order of time"
    figure = style.canvas(finding, setting, height + 0.75)
    sheet = style.sheet(figure, (0.15, 0.05, style.WIDTH - 0.3, height))
    for at, (one, events) in enumerate(zip(SETTINGS, played, strict=True)):
        top = TOP + at * ROW
        style.word(sheet, LEFT - 0.12, top + 0.14, one.name, ha="right")
        _row(sheet, top, events)
        said = f"{gathers.texts[at]}{'' if at else ' gathers'} + {scatters.texts[at]}{'' if at else ' reductions'}"
        style.word(sheet, LEFT + len(events) * SLOT + 0.1, top + 0.14, said, fontweight="bold")
    order = [_kind(event) for event in played[0]]
    for kind, right, side in zip(KINDS, (6, -6, 82), ("left", "right", "left"), strict=True):
        style.lead(sheet, kind, (LEFT + (order.index(kind) + 0.5) * SLOT, TOP + 0.05), (right, 16), ha=side)
    names = [one.name.replace("…", "the same,") for one in SETTINGS]
    each = "; ".join(f"{name}: {g} gathers and {r} reductions" for name, g, r in zip(names, gathers.texts, scatters.texts, strict=True))
    return Picture(
        figure,
        table([named("setting", [s.name for s in SETTINGS]), gathers, scatters, *kinds[:2]]),
        f"The collectives of one step of {BLOCKS} blocks and a root group as rows of boxes, under {len(SETTINGS)} settings: {each}.",
    )


def _gathers(setting: Setting) -> Worked:
    kept = "reshard_after_backward" in setting.played
    return work("J", "gathers_kept" if kept else "gathers_in_step", L=BLOCKS, **setting.letters)


def _kind(event: Collective) -> str:
    block, root, reduction = KINDS
    what, group = event
    return reduction if what == "reduce" else root if group == ROOT else block


def _row(sheet: Axes, top: float, events: list[Collective]) -> None:
    for at, event in enumerate(events):
        kind = _kind(event)
        style.box(sheet, LEFT + at * SLOT, top, SLOT, 0.28, facecolor=KINDS[kind], label=kind, linewidth=0.7)
