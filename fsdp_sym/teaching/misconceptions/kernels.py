"""What goes wrong when kernels, recomputation and the loss decide what a block keeps (cell L)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import N_t, a, b, b_a, b_k, b_n, b_nrm, d, n_log, n_way, s, s_sq, s_sum
from .exact_principles import INPUTS, PAIRS, SPLIT, TEMPORARIES
from .form import Misconception
from .principles import LAYERS, WIDTHS

KERNELS = (
    Misconception(
        "normalised-vector-not-kept", ("rms_norm_activations",), lambda truth: truth.xreplace({b_nrm: S.Zero}),
        "A norm keeps its input and a statistic.", INPUTS,
        "As separate kernels it keeps the normalised vector too, which its weight is multiplied with.",
    ),
    Misconception(
        "one-norm-a-block", ("rms_norm_activations",), lambda truth: truth / 2,
        "A block is normalised once.", LAYERS,
        "There is a norm before the attention and another before the feed-forward layer.",
    ),
    Misconception(
        "one-wide-gradient", ("gradients_on_the_way",), lambda truth: truth.xreplace({n_way: S.One}),
        "One gradient at a time goes through the layer.", TEMPORARIES,
        "A gate splits it: the gradients of both branches are there at the same time.",
    ),
    Misconception(
        "hidden-gradient-let-go", ("gradients_on_the_way",), lambda truth: truth - b * s * d * b_a,
        "Inside the feed-forward layer gradients are wide.", TEMPORARIES,
        "The hidden gradient that came in is still there beside them.",
    ),
    Misconception(
        "logits-held-once", ("loss_activations",), lambda truth: truth.xreplace({n_log: S.One}),
        "The logits are there once.", TEMPORARIES,
        "Taking the loss makes tensors of the same size beside them, and they are held together.",
    ),
    Misconception(
        "loss-in-half-the-width", ("loss_activations",), lambda truth: truth / 2,
        "The loss is taken in the width of the activations.", WIDTHS,
        "It is taken from a wider copy.",
    ),
    Misconception(
        "scores-recomputed-and-kept", ("selective_recompute",), lambda truth: truth + 5 * a * b * s**2 * b_k,
        "Recomputing costs time; what the attention keeps stays the same.", PAIRS,
        "The scores are computed again so that they need not be kept.",
    ),
    Misconception(
        "block-left-with-its-input", ("selective_recompute",), lambda _: 2 * b * s * d * b_k,
        "A block that recomputes keeps its input.", INPUTS,
        "Only the scores are computed again here; all other inputs are still kept.",
    ),
    Misconception(
        "input-and-output-kept", ("full_recompute",), lambda truth: 2 * truth,
        "A block keeps what goes in and what comes out.", INPUTS,
        "What comes out is the input of the next block, and is kept there.",
    ),
    Misconception(
        "all-but-the-scores-kept", ("full_recompute",), lambda truth: 17 * truth,
        "Recomputing saves the scores.", INPUTS,
        "A block that is recomputed in full keeps none of its own tensors, only where to start from.",
    ),
    Misconception(
        "gathered-inputs-let-go", ("dtensor_activations",), lambda truth: truth - 4 * b * s * d * b_k * (1 - 1 / N_t),
        "Along the sequence everything is split.", SPLIT,
        "Where the gathered inputs of the matrices stay, they are whole on every rank.",
    ),
    Misconception(
        "share-of-the-scores-kept", ("tensor_selective", "sequence_selective"), lambda truth: truth + 5 * a * b * s**2 * b_k / N_t,
        "Recomputing costs time; the scores of a rank's heads stay where they are.", PAIRS,
        "A rank computes the scores of its heads again so that it need not keep them.",
    ),
    Misconception(
        "recomputed-and-whole", ("sequence_selective",), lambda _: 10 * b * s * d * b_k + 4 * b * s * b_n + 24 * b * s * d * b_k / N_t,
        "Tensor parallelism leaves norms and dropouts whole on every rank.", SPLIT,
        "Here they are split along the sequence as well.",
    ),
    Misconception(
        "everything-of-a-block-split", ("tensor_selective",), lambda _: (34 * b * s * d * b_k + 4 * b * s * b_n) / N_t,
        "A group of ranks shares out all that a block keeps.", SPLIT,
        "Norms, dropouts and the inputs of both halves stay whole unless they are split along the sequence.",
    ),
    Misconception(
        "input-whole-on-every-rank", ("sequence_recompute",), lambda truth: truth * N_t,
        "Every rank begins the block anew from its input.", SPLIT,
        "Along the sequence the input is split, and each rank keeps its tokens alone.",
    ),
    Misconception(
        "split-input-and-output-kept", ("sequence_recompute",), lambda truth: 2 * truth,
        "A block keeps its share of what goes in and of what comes out.", INPUTS,
        "What comes out is the input of the next block, and is kept there.",
    ),
    Misconception(
        "packed-sequences-see-each-other", ("packed_activations",), lambda truth: truth.xreplace({s_sq: s_sum**2}),
        "What is packed together is one long sequence.", PAIRS,
        "Packed sequences do not attend to each other: pairs are counted within each of them.",
    ),
    Misconception(
        "packed-tokens-alone", ("packed_activations",), lambda truth: truth.xreplace({s_sq: S.Zero}),
        "A packed batch costs its tokens.", PAIRS,
        "Scores are kept for pairs of tokens: the squares of the lengths count beside their sum.",
    ),
)  # fmt: skip
