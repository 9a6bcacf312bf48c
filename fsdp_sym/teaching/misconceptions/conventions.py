"""What goes wrong when one convention is taken for another (cell I)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import N, P, b_c, b_g, b_m, b_v, b_w
from .exact_principles import DIVIDED
from .form import Misconception
from .principles import EVERY_BUFFER, SHARED_OUT, WIDTHS

_DISTRIBUTED = ("distributed_optimizer",)

CONVENTIONS = (
    Misconception(
        "all-of-it-divided", _DISTRIBUTED, lambda _: P * (b_w + b_g + b_c + b_m + b_v) / N,
        "A distributed optimizer divides the state by the ranks.", DIVIDED,
        "It divides what the optimizer keeps; parameters and gradients stay whole on every rank.",
    ),
    Misconception(
        "gradients-divided-too", _DISTRIBUTED, lambda _: P * b_w + P * (b_g + b_c + b_m + b_v) / N,
        "Gradients belong to the optimizer, so they are divided with it.", DIVIDED,
        "Gradients are added up whole on every rank here; only what the optimizer keeps of its own is divided.",
    ),
    Misconception(
        "gradient-as-wide-as-the-parameter", _DISTRIBUTED, lambda truth: truth.xreplace({b_g: b_w}),
        "A gradient has the width of its parameter.", WIDTHS,
        "A gradient has a width of its own: it may be added up in more digits than it is computed in.",
    ),
    Misconception(
        "master-copy-is-the-parameter", _DISTRIBUTED, lambda truth: truth.xreplace({b_c: S.Zero}),
        "The parameter is there already, so no copy of it is counted.", EVERY_BUFFER,
        "Beside the low-precision parameter the optimizer keeps a master copy, and it counts.",
    ),
    Misconception(
        "optimizer-whole-as-well", _DISTRIBUTED, lambda truth: truth.xreplace({N: S.One}),
        "Every rank steps the whole model, so it keeps all states.", SHARED_OUT,
        "Each rank steps its own part and keeps the states of that part alone.",
    ),
)  # fmt: skip
