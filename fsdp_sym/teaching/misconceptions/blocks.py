"""What goes wrong when a block's tensors are listed (cell L)."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, S, Symbol

from ...algebra.vocabulary import A_att, A_norm, N, N_t, a, a_kv, b, b_a, b_f, b_k, b_n, d, d_h, f, n_act, n_exp, n_wide, s, v
from .exact_principles import INPUTS, PAIRS, SPLIT
from .form import Misconception
from .principles import STATE_ONLY, WIDTHS

_SPLIT = ("tensor_parallel_activations", "sequence_parallel_activations")
_SCORES = ("score_activations", "attention_activations")
_FUSED = ("fused_attention_activations", "fused_activations", "llama_activations")



def _without(part: Symbol, rest: Expr) -> Callable[[Expr], Expr]:
    """A block's sum without one of its parts, or what is left of it where the parts are worked out."""
    return lambda truth: truth.xreplace({part: S.Zero}) if truth.has(part) else rest


BLOCKS = (
    Misconception(
        "norms-not-counted", ("saved_activations",), _without(A_norm, 30 * b * s * d * b_k + 5 * a * b * s**2 * b_k),
        "A norm is a small layer and keeps next to nothing.", INPUTS,
        "A norm has few parameters and keeps its whole input.",
    ),
    Misconception(
        "attention-not-counted", ("saved_activations",), _without(A_att, 23 * b * s * d * b_k + 4 * b * s * b_n),
        "Attention makes its tensors again.", PAIRS,
        "Only a fused or recomputed attention does; this one keeps its scores and the vectors they are made from.",
    ),
    Misconception(
        "coefficients-are-elements", ("saved_activations",), lambda truth: 2 * truth,
        "The formula counts elements, and an element has two bytes.", WIDTHS,
        "The widths are in the formula already: its coefficients are bytes.",
    ),
    Misconception(
        "scores-of-tokens", (*_SCORES, "dry_activations"), lambda truth: truth.xreplace({s**2: s}),
        "Attention keeps a number for each token and head.", PAIRS,
        "A score belongs to a pair of tokens: there are as many as the square of the sequence, for every head.",
    ),
    Misconception(
        "scores-of-a-single-head", (*_SCORES, "plain_attention_activations", "dry_activations"), lambda truth: truth.xreplace({a: S.One}),
        "There is one matrix of scores.", PAIRS,
        "Every head has scores of its own.",
    ),
    Misconception(
        "softmax-kept-once", ("score_activations", "attention_activations"), lambda truth: truth.xreplace({2 * b_a + b_k: b_a + b_k}),
        "The softmax is kept, and its mask.", INPUTS,
        "With dropout the softmax is kept before and after it: each is the input of something.",
    ),
    Misconception(
        "masks-left-out", ("score_activations", "attention_activations", "mlp_activations"), lambda truth: truth.xreplace({b_k: S.Zero}),
        "A mask is made again from its seed.", INPUTS,
        "The mask is kept, since the backward pass must drop the same numbers.",
    ),
    Misconception(
        "masks-as-wide-as-activations", ("score_activations", "attention_activations", "mlp_activations"), lambda truth: truth.xreplace({b_k: b_a}),
        "Everything kept has the width of an activation.", WIDTHS,
        "A mask has a width of its own, a byte an element where nothing else is said.",
    ),
    Misconception(
        "queries-alone", ("attention_activations", "plain_attention_activations"), lambda truth: truth.xreplace({5 * b_a + b_k: 3 * b_a + b_k, 5 * d: 3 * d}),
        "Queries, keys and values are one tensor.", INPUTS,
        "The three are different tensors, and the backward pass multiplies with each of them.",
    ),
    Misconception(
        "one-wide-tensor", ("mlp_activations",), lambda truth: truth.xreplace({d + 2 * f: d + f}),
        "The feed-forward layer keeps its wide vector.", INPUTS,
        "It keeps two: what goes into the non-linearity, and what comes out of it into the second matrix.",
    ),
    Misconception(
        "hidden-input-forgotten", ("mlp_activations", "gated_mlp_activations"), lambda truth: truth.xreplace({d + 2 * f: 2 * f, d + n_wide * f: n_wide * f}),
        "The wide tensors are what a feed-forward layer keeps.", INPUTS,
        "The input of the first matrix is kept as well.",
    ),
    Misconception(
        "gate-not-counted", ("gated_mlp_activations",), lambda truth: truth.xreplace({n_wide: n_wide - 1}),
        "A gate is only a factor.", INPUTS,
        "The gate is a matrix product of its own, and what it gives is kept like the way up.",
    ),
    Misconception(
        "plain-layer-for-a-gated-one", ("gated_mlp_activations",), lambda truth: truth.xreplace({n_wide: S(2)}),
        "A feed-forward layer keeps two wide tensors.", INPUTS,
        "A gated one has a second way up and a product, and each kernel keeps what it needs again.",
    ),
    Misconception(
        "one-expert-keeps", ("mixture_activations",), lambda truth: truth.xreplace({n_act: S.One}),
        "A token passes one feed-forward layer, and that one keeps something of it.", INPUTS,
        "It is sent to several experts, and each keeps its copy and its wide tensors.",
    ),
    Misconception(
        "every-expert-keeps", ("mixture_activations",), lambda truth: truth.xreplace({n_act: n_exp}),
        "All experts of the layer keep something of each token.", INPUTS,
        "An expert sees only the tokens that are sent to it.",
    ),
    Misconception(
        "outputs-of-experts-are-gone", ("mixture_activations",), lambda truth: truth - n_act * b * s * d * b_a,
        "What the experts give is added up, and then it is gone.", INPUTS,
        "It is weighted before that, and the gradient of a weight needs what was weighted.",
    ),
    Misconception(
        "keys-for-every-head", _FUSED, lambda truth: truth.xreplace({a_kv: a}),
        "Every head has keys and values.", INPUTS,
        "With grouped queries several heads share keys and values, which are kept once.",
    ),
    Misconception(
        "scores-kept-all-the-same", _FUSED, lambda truth: truth + a * b * s**2 * b_a,
        "Attention needs its scores in the backward pass.", PAIRS,
        "A fused kernel makes them again from the queries, the keys and one logarithm for each row.",
    ),
    Misconception(
        "keys-and-values-forgotten", ("fused_attention_activations",), lambda truth: truth.xreplace({a_kv: S.Zero}),
        "The kernel keeps what goes in and what comes out: queries and output.", INPUTS,
        "Keys and values go in as well.",
    ),
    Misconception(
        "head-size-for-hidden-size", ("fused_attention_activations",), lambda truth: truth.xreplace({d: d_h}),
        "The input of a head has the size of a head.", INPUTS,
        "All heads read the whole hidden vector; it is kept once.",
    ),
    Misconception(
        "all-of-it-split", ("tensor_parallel_activations",), lambda truth: truth.xreplace({N_t: S.One}) / N_t,
        "Tensor parallelism divides a block by the ranks of the group.", SPLIT,
        "Norms, the inputs of the first matrices and the last masks stay whole on every rank.",
    ),
    Misconception(
        "nothing-split", (*_SPLIT, "dtensor_activations"), lambda truth: truth.xreplace({N_t: S.One}),
        "Every rank keeps the activations of its batch.", SPLIT,
        "What lies between the matrices belongs to one rank of the tensor group each.",
    ),
    Misconception(
        "scores-not-split", _SPLIT, lambda truth: truth + (2 * b_a + b_k) * a * b * s**2 * (1 - 1 / N_t),
        "Scores are of all tokens, so every rank has them.", SPLIT,
        "Heads belong to ranks: each rank keeps the scores of its own heads.",
    ),
    Misconception(
        "hidden-size-for-the-words", ("logit_activations",), lambda truth: truth.xreplace({v: d}),
        "The last layer is as wide as the others.", INPUTS,
        "The head gives a number for each word of the vocabulary.",
    ),
    Misconception(
        "logits-without-their-copy", ("logit_activations",), lambda truth: truth.xreplace({b_f: S.Zero}),
        "Logits are kept once.", INPUTS,
        "The loss is taken from a wider copy, which is there beside them.",
    ),
    Misconception(
        "copy-alone", ("logit_activations",), lambda truth: truth.xreplace({b_a: S.Zero}),
        "Logits are widened for the loss.", INPUTS,
        "Widening makes a second tensor; the first is still there.",
    ),
    Misconception(
        "logits-shared-out", ("logit_activations",), lambda truth: truth / N,
        "The ranks share the logits as they share the parameters.", STATE_ONLY,
        "Logits belong to the batch of the rank; sharding the model does not divide them.",
    ),
)  # fmt: skip
