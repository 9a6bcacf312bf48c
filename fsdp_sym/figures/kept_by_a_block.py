"""Cell L: what one block keeps, part by part, with dropout and without, recomputed or fused."""

from __future__ import annotations

from ..algebra.units import Amount, byte, show, to_exact
from ..algebra.vocabulary import a, d
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import amount_of, measured, named, table
from .picture import Picture

PARTS = (
    ("norms", style.BLUE),
    ("attention, by token", style.SKY),
    ("attention, by pair", style.RED),
    ("feed-forward layer", style.ORANGE),
)
NAMES = (  # above the first bar
    ("norms", (-1, 9), "right"),
    ("attention,\nby token", (5, 15), "left"),
    ("attention, by pair", (0, 9), "center"),
    ("feed-forward layer", (4, 9), "center"),
)
WAYS = ("with dropout", "without dropout", "scores recomputed", "fused attention", "all recomputed")


@style.styled
def draw() -> Picture:
    """One flat stacked bar a way of keeping."""
    given = CELLS["L"].values
    head = given[d].value / given[a].value
    fused = {"a_kv": given[a], "d_h": amount_of(int(head)), "b_l": "4 B"}

    def of(formula: str, **at: object) -> int:
        return int(amount_of(work("L", formula, **at)).value)

    norms, attention, scores, wide = map(of, ("norm_activations", "attention_activations", "score_activations", "mlp_activations"))
    plain, flash, dry = of("plain_attention_activations"), of("fused_attention_activations", **fused), of("dry_activations")
    pairs = of("plain_attention_activations", a=2 * int(given[a].value)) - plain  # what as many heads again would add
    rows = (
        (norms, attention - scores, scores, wide),
        (norms, plain - pairs, pairs, dry - norms - plain),
        (norms, attention - scores, 0, wide),
        (norms, flash, 0, dry - norms - plain),
        (of("full_recompute"), 0, 0, 0),
    )
    names = named("way", WAYS)
    parts = [measured(name, [Amount(row[at], byte) for row in rows], "MB") for at, (name, _) in enumerate(PARTS)]
    whole = [work("L", f) for f in ("saved_activations", "dry_activations", "selective_recompute")]
    whole += [work("L", "fused_activations", **fused), work("L", "full_recompute")]
    totals = measured("kept", whole, "MB")

    height = 0.46 * len(WAYS)
    share = show(Amount(to_exact(rows[0][2]) / sum(rows[0])), "%", 2).removeprefix("≈ ")
    figure = style.canvas(f"Pairs of tokens make up {share} of what a block keeps", CELLS["L"].source, height + 1.75)
    axes = style.panel(figure, (1.45, 0.6, 5.75, height), "kept for the backward pass (MB)")
    places = range(len(WAYS))
    axes.set_ylim(len(WAYS) - 0.5, -0.5)
    axes.set_xlim(0, 1.16 * max(totals.drawn))
    axes.set_yticks(list(places), names.texts)
    axes.set_xticks(ticks := [0, 500, 1000, 1500, 2000, 2500], [str(tick) for tick in ticks])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    style.stack(axes, places, [(part, colour) for part, (_, colour) in zip(parts, PARTS, strict=True)], 0.7, flat=True)
    start, top = 0.0, -0.35
    for part, (said, by, side) in zip(parts, NAMES, strict=True):
        style.note(axes, said, (start + {"left": 0, "center": 0.5, "right": 1}[side] * part.drawn[0], top), by, ha=side)
        start += part.drawn[0]
    for place, kept in enumerate(whole):
        style.note(axes, kept.shown("MB", 4).removeprefix("≈ "), (totals.drawn[place], place), (6, 0))
    each = "; ".join(f"{name} {kept}" for name, kept in zip(WAYS, totals.texts, strict=True))
    return Picture(
        figure,
        table([names, *parts, totals]),
        f"Bytes that one block keeps as stacked bars of four parts: {each}. Scores, one for each pair of tokens and head, are "
        f"{parts[2].texts[0]} of the first.",
    )
