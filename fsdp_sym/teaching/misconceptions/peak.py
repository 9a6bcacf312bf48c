"""What goes wrong when a step's fullest moment is sought (cell K)."""

from __future__ import annotations

from sympy import Ge, Le, S, floor

from ...algebra.vocabulary import (
    A_all,
    M_bwd,
    M_fwd,
    M_g,
    M_max,
    M_o,
    M_one,
    M_opt,
    M_over,
    M_peak,
    M_tmp,
    M_two,
    N,
    S_big,
    S_page,
    S_prev,
    S_red,
    S_root,
    S_ug,
    b_buf,
    n_held,
)
from ...algebra.vocabulary import S as TENSOR
from .exact_principles import LIFETIMES, PAGES, TEMPORARIES, UNSHARED
from .form import Misconception
from .principles import EVERY_BUFFER, PEAK, SHARED_OUT, STATE_ONLY

_FIRST = ("first_forward_peak",)
_MADE = ("foreach_temporaries", "flat_temporaries")

PEAKS = (
    Misconception(
        "temporaries-not-counted", ("optimizer_step_peak",), lambda truth: truth.xreplace({M_tmp: S.Zero}),
        "The optimizer step works in place.", TEMPORARIES,
        "The update is computed somewhere before it is applied: its temporaries are there beside the state.",
    ),
    Misconception(
        "gradients-gone-in-the-step", ("optimizer_step_peak",), lambda truth: truth.xreplace({M_g: S.Zero}),
        "Gradients are used up by then.", LIFETIMES,
        "The step reads the gradients; they live until they are set to zero or let go.",
    ),
    Misconception(
        "states-not-in-the-step", ("optimizer_step_peak",), lambda truth: truth.xreplace({M_o: S.Zero}),
        "The states are what the step makes.", LIFETIMES,
        "They are made in the first step and held ever after, also while later ones run.",
    ),
    Misconception(
        "temporaries-of-the-whole-model", _MADE, lambda truth: truth.xreplace({N: S.One}),
        "The update is of all parameters.", SHARED_OUT,
        "A rank updates its own shard, so its temporaries are as large as the shard.",
    ),
    Misconception(
        "a-temporary-more", ("foreach_temporaries",), lambda truth: 2 * truth,
        "A root and a quotient are two tensors.", TEMPORARIES,
        "Taken all at once in place, the root becomes the quotient: one temporary is alive.",
    ),
    Misconception(
        "a-temporary-less", ("flat_temporaries",), lambda truth: truth / 2,
        "One temporary, which is overwritten.", TEMPORARIES,
        "The quotient is a new tensor while the root is still held.",
    ),
    Misconception(
        "temporaries-of-a-rank-fewer", _MADE, lambda truth: truth.xreplace({N: N - 1}),
        "One rank leads and the others compute.", SHARED_OUT,
        "All ranks update a shard, this one too.",
    ),
    Misconception(
        "root-alone", ("loop_temporaries",), lambda truth: truth.xreplace({2 * S_big: S_big}),
        "Only the root of the variance is a new tensor.", TEMPORARIES,
        "The quotient with it is another one.",
    ),
    Misconception(
        "last-quotient-let-go", ("loop_temporaries",), lambda truth: truth.xreplace({S_prev: S.Zero}),
        "Before the next tensor everything is let go.", LIFETIMES,
        "The last quotient keeps its name until the next one takes it.",
    ),
    Misconception(
        "buffer-kept-whole", ("buffer_shard",), lambda truth: truth.xreplace({N: S.One}),
        "A buffer has an entry for each parameter.", SHARED_OUT,
        "So it has, over all ranks together: each holds its share.",
    ),
    Misconception(
        "a-byte-an-entry", ("buffer_shard",), lambda truth: truth.xreplace({b_buf: S.One}),
        "Entries are bytes.", EVERY_BUFFER,
        "Each entry has the width of its buffer.",
    ),
    Misconception(
        "activations-not-in-the-peak", _FIRST, lambda truth: truth.xreplace({A_all: S.Zero}),
        "The model is what takes the memory.", STATE_ONLY,
        "What the blocks keep for the backward pass is there as well, and nobody shares it.",
    ),
    Misconception(
        "one-unit-gathered", _FIRST, lambda truth: truth.xreplace({n_held: S.One}),
        "One unit is gathered at a time.", PEAK,
        "While one computes, another is on its way and a buffer may still be held.",
    ),
    Misconception(
        "root-group-freed", _FIRST, lambda truth: truth.xreplace({S_root: S.Zero}),
        "Every group is freed when it has been used.", LIFETIMES,
        "The root group stays gathered from the forward pass to the end of the backward pass.",
    ),
    Misconception(
        "states-made-later", ("later_forward_peak",), lambda truth: truth.xreplace({M_o: S.Zero}),
        "The optimizer's states belong to the optimizer step.", LIFETIMES,
        "From the first step on they are there in every phase.",
    ),
    Misconception(
        "gradients-not-let-go", ("later_forward_peak",), lambda truth: truth + M_g,
        "Gradients are part of the state, so they are always there.", LIFETIMES,
        "They were let go before the forward pass begins, and come back with the backward pass.",
    ),
    Misconception(
        "gradients-sharded-at-once", ("backward_peak",), lambda truth: truth.xreplace({S_ug: S.Zero}),
        "Gradients are sharded.", LIFETIMES,
        "A unit's gradients are whole until they have been reduced.",
    ),
    Misconception(
        "reduced-in-place", ("backward_peak",), lambda truth: truth.xreplace({S_red: S.Zero}),
        "A reduction needs no room of its own.", PEAK,
        "Gradients are copied into a buffer, in the width of the reduction, before they are sent.",
    ),
    Misconception(
        "phases-added-up", ("step_peak",), lambda _: M_fwd + M_bwd + M_opt,
        "A step holds what its phases hold.", PEAK,
        "The phases follow one another: the fullest of them counts, not their sum.",
    ),
    Misconception(
        "backward-always-peaks", ("step_peak",), lambda _: M_bwd,
        "The backward pass is the heaviest.", PEAK,
        "Often, and not always: compare it with the others.",
    ),
    Misconception(
        "optimizer-step-always-peaks", ("step_peak",), lambda _: M_opt,
        "The optimizer has most of the state, so its step is the fullest.", PEAK,
        "The state is there in every phase; what comes on top of it decides.",
    ),
    Misconception(
        "nothing-left-for-the-device", ("peak_fits",), lambda _: Le(M_peak, M_max, evaluate=False),
        "If the peak is below the memory, it fits.", PEAK,
        "The device's context, libraries and fragmentation want their part: leave a margin.",
    ),
    Misconception(
        "margin-on-the-wrong-side", ("peak_fits",), lambda _: Le(M_peak, M_max + M_over, evaluate=False),
        "The margin is extra room.", PEAK,
        "The margin is room that the step does not get.",
    ),
    Misconception(
        "peak-above-the-memory", ("peak_fits",), lambda _: Ge(M_peak + M_over, M_max, evaluate=False),
        "It fits when the peak reaches the memory.", PEAK,
        "It fits when the peak and the margin stay within the memory.",
    ),
    Misconception(
        "peak-halves", ("peak_by_two",), lambda _: M_one / N,
        "Twice the ranks, half the memory.", UNSHARED,
        "Only the shared part is divided; what nobody shares stays.",
    ),
    Misconception(
        "law-through-zero", ("peak_by_two",), lambda _: 2 * M_two / N,
        "On two ranks it is so much, so on N it is two N-ths of that.", UNSHARED,
        "That takes all of the peak as shared; find the unshared part first.",
    ),
    Misconception(
        "fall-is-the-shared-part", ("peak_by_two",), lambda _: M_two + (M_one - M_two) / N,
        "What falls from one rank to two is what is shared.", UNSHARED,
        "From one rank to two only half of the shared part goes: twice the fall is shared.",
    ),
    Misconception(
        "page-not-rounded", ("allocator_rounding",), lambda _: TENSOR,
        "A tensor takes its bytes.", PAGES,
        "The allocator takes whole pages, so the last one is taken in full.",
    ),
    Misconception(
        "page-rounded-down", ("allocator_rounding",), lambda _: S_page * floor(TENSOR / S_page),
        "The part of a page is dropped.", PAGES,
        "Then the tensor would not fit: round up.",
    ),
    Misconception(
        "a-page-more", ("allocator_rounding",), lambda truth: truth + S_page,
        "A page is kept in reserve.", PAGES,
        "The last page has room already.",
    ),
)  # fmt: skip
