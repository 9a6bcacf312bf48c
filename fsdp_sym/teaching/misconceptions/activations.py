"""What goes wrong with activations and checkpoints (cell C)."""

from __future__ import annotations

from sympy import sqrt

from ...algebra.vocabulary import A, L, N, T_b, T_f, b, b_a, c, k
from .form import Misconception
from .principles import BALANCE, LAYERS, PEAK, STATE_ONLY, WIDTHS

ACTIVATIONS = (
    Misconception(
        "activations-sharded-too", ("all_activations", "activation_tensor"), lambda truth: truth / N,
        "FSDP divides everything by the number of ranks.", STATE_ONLY,
        "Activations belong to the batch of each rank; sharding the model does not divide them.",
    ),
    Misconception(
        "one-layer-only", ("all_activations",), lambda truth: truth / L,
        "The activations are one tensor.", LAYERS,
        "Every layer leaves a tensor behind for the backward pass.",
    ),
    Misconception(
        "elements-taken-for-bytes", ("activation_tensor", "all_activations"), lambda truth: truth / b_a,
        "Elements are bytes.", WIDTHS,
        "Each element has a width in bytes: multiply by it.",
    ),
    Misconception(
        "fp32-activations", ("activation_tensor", "all_activations"), lambda truth: truth.xreplace({b_a: 2 * b_a}),
        "Numbers are four bytes wide.", WIDTHS,
        "The activations have the width that was given, which is half of fp32.",
    ),
    Misconception(
        "one-sequence-only", ("activation_tensor", "all_activations"), lambda truth: truth / b,
        "An activation is tokens times hidden size.", LAYERS,
        "The micro-batch holds several sequences, and each has its own activations.",
    ),
    Misconception(
        "forgot-the-segment", ("recompute_peak",), lambda _: L / k * c,
        "With checkpointing only the checkpoints are in memory.", PEAK,
        "While a segment is recomputed its layers' activations are in memory too: add them.",
    ),
    Misconception(
        "forgot-the-checkpoints", ("recompute_peak",), lambda _: k * A,
        "Only the segment being recomputed is in memory.", PEAK,
        "The checkpoints of all segments are kept beside the one that is being recomputed.",
    ),
    Misconception(
        "one-layer-recomputed", ("recompute_peak",), lambda _: L / k * c + A,
        "Recomputing goes layer by layer, so one layer is alive.", PEAK,
        "The whole segment is recomputed before its backward pass, so all its layers are alive.",
    ),
    Misconception(
        "k-checkpoints", ("recompute_peak",), lambda _: k * c + L / k * A,
        "An interval of k means k checkpoints.", BALANCE,
        "An interval of k layers leaves one checkpoint in k layers.",
    ),
    Misconception(
        "sqrt-of-layers-always", ("best_interval",), lambda _: sqrt(L),
        "The best interval is the square root of the number of layers.", BALANCE,
        "That holds only where a checkpoint costs as much as a layer; here it does not.",
    ),
    Misconception(
        "interval-inverted", ("best_interval",), lambda _: sqrt(L * A / c),
        "The dearer the layer, the longer the interval.", BALANCE,
        "A dear layer makes a segment dear: the interval gets shorter.",
    ),
    Misconception(
        "forgot-the-root", ("best_interval",), lambda _: L * c / A,
        "The interval is the ratio of the two costs.", BALANCE,
        "At the best interval both parts are equal, and solving that takes a square root.",
    ),
    Misconception(
        "sqrt-is-what-is-dropped", ("sqrt_checkpoints_kept",), lambda _: (L - sqrt(L)) * A,
        "The square root of the layers is dropped.", BALANCE,
        "The square root of the layers is what is kept; the rest is recomputed.",
    ),
    Misconception(
        "compared-with-the-backward-pass", ("recompute_overhead",), lambda _: T_f / T_b,
        "The extra forward pass is set against the backward pass that needs it.", BALANCE,
        "The extra forward pass is compared with the whole step's compute, forward and backward together.",
    ),
)  # fmt: skip
