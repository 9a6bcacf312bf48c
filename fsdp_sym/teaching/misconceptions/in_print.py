"""What goes wrong when an estimate is made or read (cell O)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import N, P, P_big, b_c, b_g, b_m, b_v, b_w
from .exact_principles import DIVIDED
from .form import Misconception
from .principles import EVERY_BUFFER, PEAK, SHARED_OUT, WIDTHS

_BOTH = ("deepspeed_zero_2", "deepspeed_zero_3")

IN_PRINT = (
    Misconception(
        "one-gradient-alone", _BOTH, lambda truth: truth.xreplace({b_w + b_g + b_c + b_m + b_v: b_g + b_c + b_m + b_v}),
        "A parameter has one gradient.", EVERY_BUFFER,
        "While the step runs, it is there in both widths: as it was computed, and as it was added up.",
    ),
    Misconception(
        "both-gradients-narrow", _BOTH, lambda truth: truth.xreplace({b_g: b_w}),
        "Gradients have the width of the parameters.", WIDTHS,
        "The gradient that the optimizer reads is wider than the one that was computed.",
    ),
    Misconception(
        "estimate-not-shared", _BOTH, lambda truth: truth.xreplace({N: S.One}),
        "The estimator speaks of the model.", SHARED_OUT,
        "It speaks of one GPU: what is shared is divided by the ranks.",
    ),
    Misconception(
        "low-precision-copy-shared-too", ("deepspeed_zero_2",), lambda _: P * (2 * b_w + b_g + b_c + b_m + b_v) / N,
        "ZeRO divides everything.", DIVIDED,
        "The second stage leaves the parameters whole on every rank.",
    ),
    Misconception(
        "low-precision-copy-left-out", ("deepspeed_zero_2",), lambda _: P * (b_w + b_g + b_c + b_m + b_v) / N,
        "The master copy is the parameter.", EVERY_BUFFER,
        "The parameters that compute are there as well, whole on every rank.",
    ),
    Misconception(
        "largest-layer-left-out", ("deepspeed_zero_3",), lambda truth: truth.xreplace({P_big: S.Zero}),
        "Sharded means that only shards are held.", PEAK,
        "The layer that computes is gathered for the moment, and the largest one decides.",
    ),
    Misconception(
        "gradient-of-the-layer-left-out", ("deepspeed_zero_3",), lambda truth: truth.xreplace({2 * P_big * b_w: P_big * b_w}),
        "A gathered layer is its parameters.", PEAK,
        "Its gradient is whole for a moment too.",
    ),
    Misconception(
        "largest-layer-shared-out", ("deepspeed_zero_3",), lambda truth: truth.xreplace({2 * P_big * b_w: 2 * P_big * b_w / N}),
        "Everything is divided by the ranks, the layer too.", SHARED_OUT,
        "A gathered layer is whole on every rank; no number of ranks makes it smaller.",
    ),
)  # fmt: skip
