"""What goes wrong with activations and checkpoints (cell C)."""

from __future__ import annotations

from sympy import S, sqrt

from ...algebra.vocabulary import A, L, N, T_b, T_f, a, b, b_a, b_all, b_k, c, d, k, s
from .form import Misconception
from .principles import BALANCE, LAYERS, PEAK, SHARED_OUT, STATE_ONLY, WIDTHS

_TENSOR = ("activation_tensor", "all_activations", "state_and_activations", "activations_at_fixed_global_batch")
_LAYERS = ("all_activations", "state_and_activations", "activations_at_fixed_global_batch", "overtaking_ranks")
_SEQUENCES = ("activation_elements", "activation_tensor", "all_activations", "state_and_activations", "block_activations")
_OVER_STATE = ("activations_over_state", "activations_over_state_at_fixed_global_batch", "overtaking_ranks")
_PEAKS = ("recompute_peak", "interval_cut", "best_peak")

ACTIVATIONS = (
    Misconception(
        "activations-sharded-too", ("activation_elements", *_TENSOR), lambda truth: truth.xreplace({b: b / N, b_all: b_all / N}),
        "FSDP divides everything by the number of ranks.", STATE_ONLY,
        "Activations belong to the batch of each rank; sharding the model does not divide them.",
    ),
    Misconception(
        "one-layer-only", _LAYERS, lambda truth: truth.xreplace({L: S.One}),
        "The activations are one tensor.", LAYERS,
        "Every layer leaves a tensor behind for the backward pass.",
    ),
    Misconception(
        "elements-taken-for-bytes", _TENSOR, lambda truth: truth.xreplace({b_a: S.One}),
        "Elements are bytes.", WIDTHS,
        "Each element has a width in bytes: multiply by it.",
    ),
    Misconception(
        "fp32-activations", (*_TENSOR, "overtaking_ranks"), lambda truth: truth.xreplace({b_a: 2 * b_a}),
        "Numbers are four bytes wide.", WIDTHS,
        "The activations have the width that was given, which is half of fp32.",
    ),
    Misconception(
        "one-sequence-only", _SEQUENCES, lambda truth: truth.xreplace({b: S.One}),
        "An activation is tokens times hidden size.", LAYERS,
        "The micro-batch holds several sequences, and each has its own activations.",
    ),
    Misconception(
        "global-batch-on-every-gpu", ("activations_at_fixed_global_batch",), lambda truth: truth * N,
        "Every GPU sees the whole batch.", STATE_ONLY,
        "The sequences of a global batch are dealt out over the ranks; each keeps activations of its own ones only.",
    ),
    Misconception(
        "state-over-activations", _OVER_STATE, lambda truth: 1 / truth,
        "I divide the other way round.", SHARED_OUT,
        "The quotient is upside down: look at what is to be counted in terms of what.",
    ),
    Misconception(
        "compared-with-the-whole-state", ("activations_over_state",), lambda truth: truth / N,
        "The activations stand against the model's state.", SHARED_OUT,
        "On a GPU there is only its share of the state: divide the state by the ranks before you compare.",
    ),
    Misconception(
        "ranks-left-in-the-ratio", ("activations_over_state_at_fixed_global_batch",), lambda truth: truth * N,
        "The state is sharded and the activations stay, so the ratio grows with the ranks.", SHARED_OUT,
        "At a fixed global batch both are divided by the ranks, which cancel.",
    ),
    Misconception(
        "forgot-the-scores", ("block_activations",), lambda truth: truth.xreplace({a: S.Zero}),
        "A block keeps hidden vectors.", LAYERS,
        "Attention also keeps scores for every pair of tokens, once for each head.",
    ),
    Misconception(
        "scores-of-one-head", ("block_activations",), lambda truth: truth.xreplace({a: S.One}),
        "Attention keeps one square of the sequence.", LAYERS,
        "Every head has scores of its own: multiply the square by the heads.",
    ),
    Misconception(
        "forgot-the-masks", ("block_activations",), lambda _: 32 * b * s * d * b_k + 4 * b * s**2 * a * b_k,
        "Dropout masks are nothing.", LAYERS,
        "The backward pass needs every dropout mask again, so they are kept too.",
    ),
    Misconception(
        "dropped-for-kept", ("kept_checkpoints",), lambda _: (L - L / k) * c,
        "One in so many layers is dropped.", BALANCE,
        "One in so many layers is kept; the rest is dropped and recomputed.",
    ),
    Misconception(
        "checkpoint-keeps-the-layer", ("kept_checkpoints", "interval_cut"), lambda truth: truth.xreplace({c: A}),
        "A checkpoint keeps all that the layer keeps.", BALANCE,
        "A checkpoint is the layer's input alone; all else of the layer is recomputed from it.",
    ),
    Misconception(
        "forgot-the-segment", _PEAKS, lambda truth: truth.xreplace({k * A: S.Zero}) if truth.has(k) else sqrt(L * c * A),
        "With checkpointing only the checkpoints are in memory.", PEAK,
        "While a segment is recomputed its layers' activations are in memory too: add them.",
    ),
    Misconception(
        "forgot-the-checkpoints", ("recompute_peak", "interval_cut"), lambda truth: truth.xreplace({L / k * c: S.Zero}),
        "Only the segment being recomputed is in memory.", PEAK,
        "The checkpoints of all segments are kept beside the one that is being recomputed.",
    ),
    Misconception(
        "one-layer-recomputed", _PEAKS, lambda truth: truth.xreplace({k * A: A}) if truth.has(k) else sqrt(L * c * A) + A,
        "Recomputing goes layer by layer, so one layer is alive.", PEAK,
        "The whole segment is recomputed before its backward pass, so all its layers are alive.",
    ),
    Misconception(
        "k-checkpoints", ("recompute_peak", "interval_cut", "kept_checkpoints"), lambda truth: truth.xreplace({k: L / k}),
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
        "forgot-the-root", ("best_interval", "sqrt_interval"), lambda _: L * c / A,
        "The interval is the ratio of the two costs.", BALANCE,
        "At the best interval both parts are equal, and solving that takes a square root.",
    ),
    Misconception(
        "sqrt-is-what-is-dropped", ("sqrt_checkpoints_kept",), lambda _: (L - sqrt(L)) * A,
        "The square root of the layers is dropped.", BALANCE,
        "The square root of the layers is what is kept; the rest is recomputed.",
    ),
    Misconception(
        "segment-counted-in", ("sqrt_checkpoints_kept",), lambda _: 2 * sqrt(L * c * A),
        "What is kept is what is in memory at the peak.", PEAK,
        "At the peak a segment is in memory beside the checkpoints; asked are the checkpoints alone.",
    ),
    Misconception(
        "cut-of-the-peak", ("kept_cut",), lambda truth: truth / 2,
        "The cut is that of the peak.", PEAK,
        "The peak holds a segment as well; asked is the cut for the checkpoints alone.",
    ),
    Misconception(
        "cut-of-the-checkpoints", ("peak_cut",), lambda truth: truth * 2,
        "The square root of the layers is kept, so the memory is cut to that.", PEAK,
        "That is the cut for the checkpoints alone; the segment being recomputed weighs as much again.",
    ),
    Misconception(
        "cut-turned-over", ("interval_cut", "kept_cut", "peak_cut"), lambda truth: 1 / truth,
        "The cut is what is left over what there was.", PEAK,
        "How many times smaller is the whole over what is left; yours is the share that is left.",
    ),
    Misconception(
        "share-of-the-longer-step", ("recompute_overhead",), lambda _: T_f / (2 * T_f + T_b),
        "The extra forward pass is a share of the step with it.", BALANCE,
        "The extra compute is compared with the step without it.",
    ),
    Misconception(
        "compared-with-the-backward-pass", ("recompute_overhead",), lambda _: T_f / T_b,
        "The extra forward pass is set against the backward pass that needs it.", BALANCE,
        "The extra forward pass is compared with the whole step's compute, forward and backward together.",
    ),
)  # fmt: skip
