"""Cell H: every GPU of the world as a square, in its node, its pipeline stage and its data replica."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..algebra.vocabulary import G, N_p, N_t
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import amount_of, measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT = 0.85


@style.styled
def draw() -> Picture:
    """The whole world below, one replica of it enlarged above."""
    given = CELLS["H"].values
    stages, slots = (int(given[letter].value) for letter in (N_p, N_t))
    replicas = int(amount_of(work("H", "data_degree")).value)
    counts = {"N_d": replicas, "N_p": stages, "N_t": slots}
    # A group of one kind has as many members as its degree, and there are as many groups as all other degrees make.
    groups = ("data replica", "stage = tensor group", "FSDP shard group")
    many = measured("how many", [replicas, *(work("H", "world_size", **counts | {d: 1}) for d in ("N_t", "N_d"))])
    each = measured("GPUs in each", [work("H", "world_size", **counts | {"N_d": 1}), slots, work("H", "shard_group")])
    world = measured("GPUs together", [given[G]] * len(groups))

    finding = f"{world.texts[0]} GPUs = {replicas} replicas × {stages} stages × {slots} GPUs of a node"
    figure = style.canvas(finding, CELLS["H"].source, 4.85)
    sheet = style.sheet(figure, (0.15, 0.05, style.WIDTH - 0.3, 4.1))
    _replica(sheet, stages, slots)
    _world(sheet, replicas, stages, slots)
    return Picture(
        figure,
        table([named("group", groups), many, each, world]),
        f"{world.texts[0]} GPUs drawn as squares: {many.texts[0]} data replicas of {each.texts[0]}, each a pipeline of {stages} "
        f"stages, each stage a tensor group of {each.texts[1]} inside one node; {many.texts[2]} FSDP shard groups of {each.texts[2]} "
        f"run across the replicas, one is marked.",
    )


def _nodes(sheet: Axes, lefts: Sequence[float], top: float, size: float, stage: int, slots: int, label: str) -> None:
    """Tensor groups of one stage, their GPUs two abreast; the marked shard group takes the first of each in the first stage."""
    corners = [(left + slot % 2 * size, top + slot // 2 * size) for left in lefts for slot in range(slots)]
    shade = style.STAGES[stage % len(style.STAGES)]
    colours = [style.ORANGE if stage == 0 and slot == 0 else shade for _ in lefts for slot in range(slots)]
    style.boxes(sheet, corners, size, colours, linewidth=size * 5, label=label)


def _replica(sheet: Axes, stages: int, slots: int) -> None:
    size, pitch, top = 0.2, 1.6, 0.3
    style.word(sheet, LEFT - 0.15, top + 0.4, "one\nreplica", ha="right")
    for stage in range(stages):
        left = LEFT + stage * pitch
        style.word(sheet, left, top - 0.15, f"stage {stage + 1}", fontweight="bold")
        _nodes(sheet, [left], top, size, stage, slots, "GPU of the replica")
        if stage == 0:
            style.word(sheet, left + 2 * size + 0.08, top + 0.4, f"tensor\ngroup: {slots}\nGPUs of\na node")
        if stage < stages - 1:
            begin = left + (0.5 * pitch + 0.35 if stage == 0 else 2 * size + 0.08)
            style.arrow(sheet, (begin, top + 0.4), (left + pitch - 0.08, top + 0.4))


def _world(sheet: Axes, replicas: int, stages: int, slots: int) -> None:
    size, top, row = 0.078, 2.05, 0.42
    pitch = (style.WIDTH - 0.35 - LEFT) / replicas
    marked = (LEFT + 2 * pitch + size / 2, top)
    style.lead(sheet, f"one FSDP shard group: the same place in each of {replicas} replicas", marked, (10, 20))
    for stage in range(stages):
        style.word(sheet, LEFT - 0.15, top + stage * row + 2 * size, f"stage {stage + 1}", ha="right")
        _nodes(sheet, [LEFT + replica * pitch for replica in range(replicas)], top + stage * row, size, stage, slots, "GPU")
    bottom = top + (stages - 1) * row + slots / 2 * size
    style.box(sheet, LEFT - 0.04, top - 0.05, 2 * size + 0.06, bottom - top + 0.09, fill=False, edgecolor=style.INK, linewidth=1.4)
    style.word(sheet, LEFT - 0.04, bottom + 0.2, "replica 1, enlarged above")
    style.word(sheet, LEFT + replicas * pitch - 0.04, bottom + 0.2, f"replica {replicas}", ha="right")
