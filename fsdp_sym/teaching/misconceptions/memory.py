"""What goes wrong when model state is counted (cells A, B and G)."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, S, Symbol, floor, numer, together

from ...algebra.vocabulary import M_max, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .form import Misconception
from .principles import EVERY_BUFFER, SHARED_OUT, STAGES, WHOLE_RANKS, WIDTHS

_WIDTHS = b_w + b_g + b_c + b_m + b_v + b_x
_EACH = ("zero_1_bytes_per_parameter", "zero_2_bytes_per_parameter", "zero_3_bytes_per_parameter")
_STATES = ("bytes_per_parameter", "replicated_state", "zero_1_state", "zero_2_state", "sharded_state", "single_rank_state", *_EACH)
_SHARDED = ("zero_1_state", "zero_2_state", "sharded_state", "mean_state", *_EACH)
_ONE_MORE_RANK = ("marginal_saving", "all_gather_gain")


def _keeping_whole(*widths: Symbol) -> Callable[[Expr], Expr]:
    """Only these widths stay whole and all others are sharded: a model's state, or its bytes per parameter."""
    whole = sum(widths, S.Zero)
    shared = _WIDTHS - whole
    return lambda truth: P * whole + P * shared / N if truth.has(P) else whole + shared / N


MEMORY = (
    Misconception(
        "forgot-the-master-copy", _STATES, lambda truth: truth.xreplace({b_c: S.Zero}),
        "Mixed precision keeps fp16 parameters and Adam's moments, and that is all.", EVERY_BUFFER,
        "Mixed precision also keeps an fp32 master copy of every parameter; without it small updates would be rounded away.",
    ),
    Misconception(
        "adam-in-the-parameters-precision", _STATES, lambda truth: truth.xreplace({b_m: b_w, b_v: b_w}),
        "If the parameters are fp16, Adam's moments are fp16 too.", WIDTHS,
        "Adam's moments keep a width of their own; narrowing the parameters does not narrow them.",
    ),
    Misconception(
        "only-the-weights", _STATES, lambda truth: truth.xreplace({b_g: S.Zero, b_c: S.Zero, b_m: S.Zero, b_v: S.Zero, b_x: S.Zero}),
        "A model's memory is its parameters times their width.", EVERY_BUFFER,
        "Training also keeps a gradient and the optimizer's states of every parameter, usually far more than the parameter itself.",
    ),
    Misconception(
        "no-optimizer-states", _STATES, lambda truth: truth.xreplace({b_c: S.Zero, b_m: S.Zero, b_v: S.Zero, b_x: S.Zero}),
        "Parameters and their gradients are what training holds.", EVERY_BUFFER,
        "The optimizer keeps states of its own from one step to the next; with Adam they are the largest part.",
    ),
    Misconception(
        "one-moment-only", _STATES, lambda truth: truth.xreplace({b_v: S.Zero}),
        "Adam keeps a running average of the gradient.", EVERY_BUFFER,
        "Adam keeps two running averages, of the gradient and of its square.",
    ),
    Misconception(
        "forgot-the-gradient", _STATES, lambda truth: truth.xreplace({b_g: S.Zero}),
        "Gradients are used up at once and need no memory.", EVERY_BUFFER,
        "The gradient of every parameter is held until the optimizer step has used it.",
    ),
    Misconception(
        "half-precision-halves-everything", _STATES, lambda truth: truth / 2,
        "fp16 numbers are half as wide, so the state is half as large.", WIDTHS,
        "Half precision narrows parameter and gradient and adds a master copy; the total does not halve.",
    ),
    Misconception(
        "nothing-sharded", _SHARDED, lambda truth: truth.xreplace({N: S.One}),
        "Every GPU holds the whole state.", SHARED_OUT,
        "That is the state of a full replica; what this stage shards is divided among the ranks.",
    ),
    Misconception(
        "everything-sharded", ("zero_1_state", "zero_2_state", "zero_1_bytes_per_parameter", "zero_2_bytes_per_parameter"), _keeping_whole(),
        "ZeRO divides the state by the number of ranks, whatever the stage.", STAGES,
        "Only the third stage shards everything; below it something stays whole on every rank.",
    ),
    Misconception(
        "next-lower-stage", ("zero_2_state", "zero_2_bytes_per_parameter"), _keeping_whole(b_w, b_g),
        "The second stage shards the optimizer states.", STAGES,
        "That is the first stage; the second one shards the gradients as well.",
    ),
    Misconception(
        "gradients-stay-whole", ("sharded_state", "zero_3_bytes_per_parameter"), _keeping_whole(b_w, b_g),
        "FSDP shards the optimizer states.", STAGES,
        "FSDP is the third stage: gradients and parameters are sharded too.",
    ),
    Misconception(
        "parameters-stay-whole", ("sharded_state", "zero_3_bytes_per_parameter"), _keeping_whole(b_w),
        "A rank needs all parameters to compute, so it keeps them.", STAGES,
        "That is the second stage; FSDP shards the parameters as well and gathers them only for the moment they are used.",
    ),
    Misconception(
        "next-higher-stage", ("zero_1_state", "zero_1_bytes_per_parameter"), _keeping_whole(b_w),
        "The first stage shards gradients along with the optimizer states.", STAGES,
        "The first stage leaves the gradients whole; sharding them is the second stage.",
    ),
    Misconception(
        "one-rank-too-few", _SHARDED, lambda truth: truth.xreplace({N: N - 1}),
        "One rank leads and the others share.", SHARED_OUT,
        "All ranks share alike; there is no rank that holds nothing.",
    ),
    Misconception(
        "rounded-down", ("ranks_for_budget",), lambda truth: floor(truth.args[0]),
        "The quotient is not whole, so I drop the fraction.", WHOLE_RANKS,
        "With the fraction dropped the last part of the state has no place: round up.",
    ),
    Misconception(
        "one-rank-spare", ("ranks_for_budget",), lambda truth: truth + 1,
        "Better one rank more, to be safe.", WHOLE_RANKS,
        "The question asks for the fewest ranks that fit, and one fewer than yours still does.",
    ),
    Misconception(
        "budget-over-state", ("ranks_for_budget",), lambda truth: 1 / truth.args[0],
        "I divide the budget by the state.", SHARED_OUT,
        "The quotient is upside down: how many budgets go into the state is what counts the ranks.",
    ),
    Misconception(
        "multiplied-by-the-ranks", ("sharded_state", "mean_state"), lambda truth: numer(together(truth)) * N,
        "More ranks hold more.", SHARED_OUT,
        "Each rank holds its share: divide by the number of ranks, do not multiply.",
    ),
    Misconception(
        "whole-shard-for-one-more", _ONE_MORE_RANK, lambda truth: truth * (N + 1),
        "One more rank takes a shard off my hands.", SHARED_OUT,
        "The new rank takes a little from every other one; a whole shard is what all of them give up together.",
    ),
    Misconception(
        "shard-of-the-new-rank", _ONE_MORE_RANK, lambda truth: truth * N,
        "What changes is what the new rank holds.", SHARED_OUT,
        "The new rank's shard is gathered from all the others; asked is the change on one of them.",
    ),
    Misconception(
        "one-rank-fewer-instead", _ONE_MORE_RANK, lambda truth: truth.xreplace({N: N - 1}),
        "I compare with one rank fewer.", SHARED_OUT,
        "The change is from the ranks that there are to one more; yours is the step before it.",
    ),
    Misconception(
        "saving-is-the-rank-count", ("zero_1_saving", "zero_2_saving"), lambda _: N,
        "Sharding makes the state as many times smaller as there are ranks.", STAGES,
        "Only what the stage shards gets smaller; what stays whole on every rank bounds the saving.",
    ),
    Misconception(
        "saving-turned-over", ("zero_1_saving", "zero_2_saving", "zero_3_saving"), lambda truth: 1 / truth,
        "The saving is the sharded state over the whole one.", SHARED_OUT,
        "How many times smaller is the whole over what is left; yours is the share that is left.",
    ),
    Misconception(
        "gradients-not-saved", ("zero_2_saving",), lambda _: _WIDTHS / (b_w + b_g + (b_c + b_m + b_v + b_x) / N),
        "The second stage saves optimizer states.", STAGES,
        "That is the saving of the first stage; the second one shards the gradients as well.",
    ),
    Misconception(
        "gradients-saved-too", ("zero_1_saving",), lambda _: _WIDTHS / (b_w + (b_g + b_c + b_m + b_v + b_x) / N),
        "The first stage saves gradients along with the optimizer states.", STAGES,
        "The first stage leaves the gradients whole; yours is the saving of the second.",
    ),
    Misconception(
        "parameters-not-saved", ("zero_3_saving",), lambda _: _WIDTHS / (b_w + (b_g + b_c + b_m + b_v + b_x) / N),
        "A rank needs all parameters to compute, so they save nothing.", STAGES,
        "FSDP shards the parameters as well and gathers them only for the moment they are used.",
    ),
    Misconception(
        "saved-by-the-other-ranks", ("zero_3_saving",), lambda truth: truth - 1,
        "The other ranks take it from me, so they count.", SHARED_OUT,
        "All ranks share alike, this one too: the state is divided by all of them.",
    ),
    Misconception(
        "parameters-over-budget", ("ranks_for_budget",), lambda _: P / M_max,
        "I compare parameters with the budget.", EVERY_BUFFER,
        "Parameters are a count and the budget is bytes: each parameter brings all its buffers' bytes.",
    ),
)  # fmt: skip
