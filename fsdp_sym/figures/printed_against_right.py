"""Cell O: each number in print over the right one, on one logarithmic axis."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..algebra.units import Amount, parse_amount, show
from ..reasoning.work import work
from . import style
from .columns import amount_of, measured, named, table
from .picture import Picture

BESIDE: Final = 1.5  # from here on a label stands to the left of its point
_SIX: Final[dict[str, object]] = {"P": "6.7e9", "N": 1}
_BLOCK: Final[dict[str, object]] = {"b": 1, "s": 2048, "d": 4096, "f": 16384, "a": 32}
_LAYERS: Final[dict[str, object]] = {"L": 80, "c": "67 MB", "A": "1 GB"}
_SLICE: Final[dict[str, object]] = {"P": 8750000000, "b_buf": 2}
_SPEED: Final[dict[str, object]] = {"P": "6805e6", "N": 4, "P_big": "131e6", "b_g": 4}


class Claim(NamedTuple):
    """What it is about, the formula, the right letters, and the wrong ones or the number as it was printed."""

    about: str
    formula: str
    right: dict[str, object]
    printed: dict[str, object] | str
    unit: str


CLAIMS: Final = (
    Claim("parameters of a slice", "buffer_shard", _SLICE, {**_SLICE, "N": 64}, "GB"),
    Claim("optimizer states", "buffer_shard", {**_SIX, "b_buf": 12}, {**_SIX, "b_buf": 4}, "GB"),
    Claim("Adam in bf16", "bytes_per_parameter", {}, "8 B/param", "B/param"),
    Claim("time on a link", "all_gather_time", {"R_bit": "450 GB/s"}, {"R_bit": "900 GB/s"}, "ms"),
    Claim("an estimator's GB", "deepspeed_zero_3", _SPEED, "29.01 GB", "GB"),
    Claim("a sum in GiB", "replicated_state", {"b_x": 4}, "133 GiB", "GiB"),
    Claim("traffic of sharding", "traffic_over_all_reduce", {}, "3", ""),
    Claim("a checkpointed peak", "recompute_peak", {**_LAYERS, "k": 2}, {**_LAYERS, "k": 9}, "GB"),
    Claim("activations of a block", "block_activations", {**_BLOCK, "b_a": 2, "b_k": 1}, {**_BLOCK, "b_a": 8, "b_k": 4}, "GiB"),
)


@style.styled
def draw() -> Picture:
    """A point a claim, what was printed and what is right beside it; the axis stands at one."""
    right = [amount_of(work("O", claim.formula, **claim.right)) for claim in CLAIMS]
    printed = [_printed(claim) for claim in CLAIMS]
    number = measured("row", range(len(CLAIMS)))
    over = measured("printed over right", [Amount(p.value / r.value) for p, r in zip(printed, right, strict=True)])
    says = [f"{_short(p, claim)} for {_short(r, claim)}" for p, r, claim in zip(printed, right, CLAIMS, strict=True)]

    height = 0.34 * len(CLAIMS)
    finding = f"In print: from {over.texts[0]} to {over.texts[-1]} times the right number"
    figure = style.canvas(finding, "what was printed for what is right; one means right", height + 1.45)
    axes = style.panel(figure, (1.95, 0.6, 5.25, height), "printed over right (logarithmic)")
    axes.set_xscale("log", base=2)
    axes.set_xlim(0.11, 5)
    axes.set_xticks(ticks := [0.125, 0.25, 0.5, 1, 2, 4], ["1/8", "1/4", "1/2", "1: right", "2", "4"])
    axes.set_xticks([], minor=True)
    axes.set_ylim(len(CLAIMS) - 0.4, -0.6)
    axes.set_yticks(number.drawn, [claim.about for claim in CLAIMS])
    axes.tick_params(axis="y", length=0, pad=8)
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_bounds(ticks[0], ticks[-1])
    axes.grid(axis="x")
    axes.get_xgridlines()[ticks.index(1)].set(color=style.INK, linewidth=1.2)
    style.points(axes, over, number, style.EXPOSED, markersize=9)
    for row, said in enumerate(says):
        right_of = over.drawn[row] < BESIDE
        by, side = ((9, 0), "left") if right_of else ((-9, 0), "right")
        style.note(axes, said, (over.drawn[row], row), by, ha=side, bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 1.5})
    each = "; ".join(f"{claim.about}: {said}" for claim, said in zip(CLAIMS, says, strict=True))
    return Picture(
        figure,
        table([named("claim", [claim.about for claim in CLAIMS]), number, over]),
        f"Numbers in print over the right ones as points on a logarithmic axis from an eighth to four: {each}.",
    )


def _printed(claim: Claim) -> Amount:
    if isinstance(claim.printed, str):
        return parse_amount(claim.printed)
    return amount_of(work("O", claim.formula, **claim.printed))


def _short(amount: Amount, claim: Claim) -> str:
    return show(amount, claim.unit or None, 3).removeprefix("≈ ")
