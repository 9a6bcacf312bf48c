"""What goes wrong when the collectives of a step are counted and weighed (cell J)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import K_mb, L, N, S_blk, S_g, S_root, r, u_root, u_sync
from .exact_principles import GATHERED_AGAIN, OWN_WIDTHS
from .form import Misconception
from .principles import COLLECTIVES, OWN_SHARD

_BYTES = ("gathered_in_step", "step_traffic")
_GATHERS = ("gathers_in_step", *_BYTES)

TRAFFIC = (
    Misconception(
        "gathered-once", _GATHERS, lambda truth: truth.xreplace({r: S.Zero}),
        "Each group is gathered once, when it is first needed.", GATHERED_AGAIN,
        "A block is freed after its forward pass, so it is gathered again for its backward pass.",
    ),
    Misconception(
        "root-group-gathered-twice", _GATHERS, lambda truth: truth.xreplace({u_root: S.One}),
        "Every group is gathered for both passes.", GATHERED_AGAIN,
        "The root group is not freed between the passes unless it is told to, so it is gathered once.",
    ),
    Misconception(
        "gathered-for-the-first-micro-batch-alone", (*_GATHERS, "gathers_kept"), lambda truth: truth.xreplace({K_mb: S.One}),
        "Once the parameters are gathered, the other micro-batches find them there.", GATHERED_AGAIN,
        "They are freed again; every micro-batch gathers what it finds freed.",
    ),
    Misconception(
        "root-group-forgotten", ("gathers_in_step", "scatters_in_step"), lambda truth: truth - truth.xreplace({L: S.Zero}),
        "The wrapped blocks are all there is.", COLLECTIVES,
        "What no block holds makes up the root group, which is gathered and reduced as well.",
    ),
    Misconception(
        "reduced-once-a-step", ("scatters_in_step", "reduced_in_step"), lambda truth: truth.xreplace({u_sync: S.Zero}),
        "Gradients are reduced when the optimizer needs them.", COLLECTIVES,
        "Unless it is told to wait, every micro-batch reduces its gradients.",
    ),
    Misconception(
        "reduced-in-every-micro-batch", ("scatters_in_step", "reduced_in_step"), lambda truth: truth.xreplace({u_sync: S.One}),
        "Every backward pass ends in a reduction.", COLLECTIVES,
        "With the synchronisation put off, the micro-batches before the last add up their gradients unsharded.",
    ),
    Misconception(
        "reduced-as-often-as-gathered", ("scatters_in_step",), lambda truth: truth * (2 * L + 1) / (L + 1),
        "Each gather has its reduction.", COLLECTIVES,
        "A group reduces its gradients once, however often its parameters are gathered.",
    ),
    Misconception(
        "as-if-freed", ("gathers_kept",), lambda _: K_mb * (2 * L + 1),
        "Every micro-batch gathers the blocks for both passes.", GATHERED_AGAIN,
        "What a backward pass leaves gathered need not be gathered for the forward pass that follows.",
    ),
    Misconception(
        "first-forward-pass-forgotten", ("gathers_kept",), lambda truth: truth - L,
        "One gather of the blocks for each backward pass.", GATHERED_AGAIN,
        "Before the first forward pass nothing is gathered yet: that pass gathers all blocks as well.",
    ),
    Misconception(
        "own-shard-travels-too", (*_BYTES, "reduced_in_step"), lambda truth: truth * N / (N - 1),
        "All of the parameters arrive, so all of their bytes are received.", OWN_SHARD,
        "A rank's own shard is there already and does not travel.",
    ),
    Misconception(
        "gradients-as-wide-as-parameters", ("step_traffic", "reduced_in_step"), lambda truth: truth.xreplace({S_g: S_blk + S_root}),
        "Gradients have the width of their parameters.", OWN_WIDTHS,
        "The reduction has a width of its own, which is not the width that parameters are gathered in.",
    ),
    Misconception(
        "reduction-left-out", ("step_traffic",), lambda truth: truth.xreplace({S_g: S.Zero}),
        "FSDP gathers, and gradients stay where they are.", COLLECTIVES,
        "Each rank needs the sum of all ranks' gradients for its shard: that is a reduction on top of the gathers.",
    ),
)  # fmt: skip
