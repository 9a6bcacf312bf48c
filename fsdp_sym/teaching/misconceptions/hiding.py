"""What goes wrong with hiding communication: which bytes, which compute, what stays exposed (cell Q)."""

from __future__ import annotations

from sympy import Max
from sympy import S as NUMBER

from ...algebra.vocabulary import L, N, T_ag, T_lb, T_lf, T_lr, T_rs, W, b, b_e, b_r, k_bkt, n_bkt, u_lin
from .exact_principles import OWN_WIDTHS
from .form import Misconception, Principle
from .principles import COLLECTIVES, EXPOSED, ONE_WAY, OWN_SHARD
from .utilisation import THREE_PASSES

ENDS = Principle("first-and-last-are-exposed", "Where the next layer is gathered while one computes, nothing runs beside the first gather and the last reduction.")
TOKENS = Principle("tokens-make-compute", "A layer's bytes do not depend on the batch, and its operations grow with every token of it.")

_CRITICAL = ("critical_tokens", "critical_tokens_backward")

HIDING = (
    Misconception(
        "both-directions-hide-it", _CRITICAL, lambda truth: truth.xreplace({W: 2 * W}),
        "A link carries its bandwidth both ways, so it hides twice as much.", ONE_WAY,
        "What a rank receives comes in one direction.",
    ),
    Misconception(
        "both-directions-of-the-slowest-link", ("break_even_link",), lambda truth: truth / 2,
        "Both directions of a link count.", ONE_WAY,
        "What a rank receives comes in one direction, and that one must be fast enough.",
    ),
    Misconception(
        "own-shard-must-come-in", (*_CRITICAL, "break_even_link"), lambda truth: truth * N / (N - 1),
        "The whole layer crosses the link.", OWN_SHARD,
        "A rank has its own shard already; on few ranks that is a large part.",
    ),
    Misconception(
        "elements-for-bytes", ("critical_tokens", "break_even_link"), lambda truth: truth.xreplace({b_e: NUMBER.One}),
        "As many numbers cross the link as the layer has parameters.", OWN_WIDTHS,
        "Each of them has its bytes, and the link is counted in bytes.",
    ),
    Misconception(
        "hidden-behind-the-whole-step", ("critical_tokens",), lambda truth: truth / 3,
        "A layer's operations are six for every parameter and token.", THREE_PASSES,
        "In the forward pass a gather has just the forward operations to hide behind.",
    ),
    Misconception(
        "one-sequence-hides-it", ("break_even_link",), lambda truth: truth * b,
        "The compute is that of a sequence.", TOKENS,
        "All sequences of the micro-batch compute with the one gather.",
    ),
    Misconception(
        "reduction-forgotten-in-the-balance", ("critical_tokens_backward",), lambda truth: truth.xreplace({b_r: NUMBER.Zero}),
        "Backward a layer is gathered once more, and computes twice as long.", COLLECTIVES,
        "The gradients go over the same link in the same time.",
    ),
    Misconception(
        "reduced-as-it-is-gathered", ("critical_tokens_backward",), lambda truth: truth.xreplace({b_r: b_e}),
        "Gradients are as wide as the parameters.", OWN_WIDTHS,
        "They are reduced in the width of the sum, which is often twice as wide.",
    ),
    Misconception(
        "backward-computes-one-pass", ("critical_tokens_backward",), lambda truth: truth * (2 + u_lin) / (1 + u_lin),
        "The backward pass computes as much as the forward pass.", THREE_PASSES,
        "It computes twice as much, and hides more for it.",
    ),
    Misconception(
        "prefetching-hides-everything-forward", ("prefetched_forward",), lambda _: L * T_lf,
        "With prefetching a pass takes its compute.", ENDS,
        "The first layer cannot be gathered beside anything.",
    ),
    Misconception(
        "every-gather-is-waited-for", ("prefetched_forward",), lambda _: L * (T_ag + T_lf),
        "A layer is gathered, and then it computes.", EXPOSED,
        "While one computes the next is gathered already.",
    ),
    Misconception(
        "prefetching-hides-everything-backward", ("prefetched_backward",), lambda _: L * T_lb,
        "With prefetching a pass takes its compute.", ENDS,
        "The first gather has nothing to run beside, and neither has the last reduction.",
    ),
    Misconception(
        "every-collective-is-waited-for", ("prefetched_backward",), lambda _: L * (T_ag + T_lb + T_rs),
        "Gather, compute, reduce, layer after layer.", EXPOSED,
        "While one layer computes, the next is gathered and the one before is reduced.",
    ),
    Misconception(
        "the-last-reduction-hides", ("prefetched_backward",), lambda truth: truth - T_rs,
        "Reductions run behind the compute.", ENDS,
        "Behind the last layer there is no compute left.",
    ),
    Misconception(
        "prefetching-hides-the-step", ("prefetched_step",), lambda _: L * (T_lf + T_lb),
        "FSDP hides its communication, so that a step takes its compute.", ENDS,
        "Each pass begins with a gather that nothing hides, and on a slow link every layer waits.",
    ),
    Misconception(
        "nothing-in-the-step-hides", ("prefetched_step",), lambda _: L * (T_lf + T_lb + 2 * T_ag + T_rs),
        "Communication comes on top.", EXPOSED,
        "What the link carries beside compute lengthens nothing unless it is the longer one.",
    ),
    Misconception(
        "two-links-for-two-collectives", ("prefetched_step", "prefetched_backward"),
        lambda truth: truth.xreplace({Max(T_lb, T_ag + T_rs): Max(T_lb, T_ag, T_rs)}),
        "Gather and reduction run side by side.", COLLECTIVES,
        "They are two collectives over one link, and their times add up.",
    ),
    Misconception(
        "the-step-gathers-once", ("exposed_with_prefetch",), lambda _: T_ag + T_rs,
        "The first gather and the last reduction of the step are exposed.", ENDS,
        "Each of the two passes begins with a gather of its own.",
    ),
    Misconception(
        "every-layer-exposes-as-much", ("exposed_with_prefetch",), lambda truth: truth * L,
        "Each layer is gathered twice and reduced once.", ENDS,
        "All but the first and the last of them run beside compute.",
    ),
    Misconception(
        "no-bucket-hides", ("bucketed_backward",), lambda _: n_bkt * k_bkt * (T_lb + T_lr),
        "The gradients are reduced once the backward pass is done.", EXPOSED,
        "A bucket starts as soon as its layers are through, beside those that still compute.",
    ),
    Misconception(
        "all-buckets-hide", ("bucketed_backward",), lambda _: n_bkt * k_bkt * T_lb,
        "Compute takes longer, so that communication hides.", ENDS,
        "The last bucket has no compute to hide behind.",
    ),
    Misconception(
        "a-layer-of-the-last-bucket", ("bucketed_backward",), lambda truth: truth - (k_bkt - 1) * T_lr,
        "Only the last layer's gradients are left at the end.", ENDS,
        "A bucket goes as a whole: all its layers wait for the last of them.",
    ),
)  # fmt: skip
