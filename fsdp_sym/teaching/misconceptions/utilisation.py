"""What goes wrong with operations, training time and utilisation (cell Q)."""

from __future__ import annotations

from sympy import Integer, Rational
from sympy import S as NUMBER

from ...algebra.vocabulary import F, G, L, X_gpu, X_peak, a, a_kv, b, d, n_mlp, n_op, s, u_lin, v, x_att, x_pair
from .exact_principles import MATRICES, PAIRS
from .form import Misconception, Principle

MULTIPLY_ADD = Principle("a-multiply-add-is-two", "A multiply-add is two operations, a product and a sum, and peaks count both.")
THREE_PASSES = Principle("backward-is-two-forwards", "Each product with a matrix has two backward, so that a step is three passes.")
AGAIN = Principle("recomputed-is-not-trained", "Recomputed operations take time and bring no training: the hardware's utilisation counts them, the model's does not.")
DENSE = Principle("peaks-are-dense", "Utilisation is told against the dense peak of all GPUs together; a peak with sparsity is twice as high.")
RATE = Principle("operations-over-operations-a-second", "A time is operations over the operations a second that are really delivered.")

_SHAPED = ("linear_flops", "block_flops", "block_backward_flops", "step_flops")
_CORED = ("block_flops", "block_backward_flops", "step_flops")
_RUN = ("training_time", "gpu_time", "run_cost")

UTILISATION = (
    Misconception(
        "a-multiply-add-is-one",
        (*_SHAPED, *_RUN, "attention_core_flops", "logit_flops", "recomputed_flops", "gpt_flops", "model_flops", "token_rate", "model_utilisation", "gpt_utilisation", "hardware_utilisation"),
        lambda truth: truth.xreplace({n_op: NUMBER.One}),
        "A multiply-add is one operation.", MULTIPLY_ADD,
        "It is two, a product and a sum; a GPU's peak counts both as well.",
    ),
    Misconception(
        "plain-feed-forward", _SHAPED, lambda truth: truth.xreplace({n_mlp: NUMBER.One * 2}),
        "A feed-forward layer has a way up and a way down.", MATRICES,
        "A gated one has a third matrix, the gate beside the way up.",
    ),
    Misconception(
        "keys-for-every-query-head", _SHAPED, lambda truth: truth.xreplace({a_kv: a}),
        "There are as many heads of keys and values as of queries.", MATRICES,
        "Grouped queries share them, and so the two projections are narrower.",
    ),
    Misconception(
        "the-core-left-out", _CORED, lambda truth: truth.xreplace({x_pair: NUMBER.Zero}),
        "Operations are two for every parameter and token.", PAIRS,
        "Scores and weighted sums have no parameters, and cost for every pair of tokens nonetheless.",
    ),
    Misconception(
        "masked-scores-computed", ("attention_core_flops", *_CORED, "recomputed_flops"), lambda truth: truth.xreplace({x_pair: NUMBER.One}),
        "Every token meets every other.", PAIRS,
        "A kernel that skips what is masked computes only its share of the pairs.",
    ),
    Misconception(
        "scores-without-their-values", ("attention_core_flops",), lambda truth: truth / 2,
        "Attention computes a score for each pair.", PAIRS,
        "The values are added up by those weights as well, which costs as much again.",
    ),
    Misconception(
        "one-head-for-all", ("attention_core_flops",), lambda truth: truth / a,
        "Each pair of tokens has one score.", PAIRS,
        "Each head has scores of its own.",
    ),
    Misconception(
        "the-embedding-multiplies-too", ("logit_flops",), lambda truth: truth * 2,
        "Embedding and head are matrices of one size, so both cost the same.", MATRICES,
        "A token is looked up in the embedding, not multiplied with it.",
    ),
    Misconception(
        "a-single-sequence-computes", ("logit_flops", "linear_flops"), lambda truth: truth / b,
        "The operations are those of a sequence.", MATRICES,
        "Every sequence of the micro-batch passes the matrices.",
    ),
    Misconception(
        "every-pair-is-met", ("causal_share",), lambda _: Integer(1),
        "The mask is applied after the scores, so all are computed.", PAIRS,
        "A kernel that knows of the mask never computes what it hides.",
    ),
    Misconception(
        "exactly-half-is-met", ("causal_share",), lambda _: Rational(1, 2),
        "A mask leaves half of the pairs.", PAIRS,
        "Every token meets itself as well: the diagonal lies beside the half.",
    ),
    Misconception(
        "nobody-meets-itself", ("causal_share",), lambda _: (s - 1) / (2 * s),
        "A token attends to those before it.", PAIRS,
        "It attends to itself as well.",
    ),
    Misconception(
        "backward-as-forward-in-a-block", ("block_backward_flops",), lambda truth: (truth / 2).xreplace({x_att: NUMBER.One * 2}),
        "Backward is the same way back, so it costs the same.", THREE_PASSES,
        "Backward there are two products for each one forward: for the input's gradient and for the matrix's.",
    ),
    Misconception(
        "scores-still-there", ("block_backward_flops", "step_flops"), lambda truth: truth.xreplace({x_att: NUMBER.One * 2}),
        "Attention's backward pass costs two forward passes like everything else.", PAIRS,
        "A fused kernel has not kept its scores and makes them again on the way: a product more.",
    ),
    Misconception(
        "all-recomputed", ("recomputed_flops",), lambda truth: truth.xreplace({u_lin: NUMBER.One}),
        "What is recomputed is the block.", AGAIN,
        "Selective recomputation makes attention's core again and keeps what the matrices gave.",
    ),
    Misconception(
        "recomputed-forward-and-backward", ("recomputed_flops",), lambda truth: truth * 3,
        "Recomputing is a step more: forward and backward.", AGAIN,
        "Only forward operations are done again; the backward pass comes once.",
    ),
    Misconception(
        "logits-left-out", ("step_flops",), lambda truth: truth.xreplace({v: NUMBER.Zero}),
        "The blocks are all that is computed.", MATRICES,
        "The head is a matrix too, and a large one where the vocabulary is.",
    ),
    Misconception(
        "recomputation-left-out", ("gpt_flops", "token_rate", *_RUN, "hardware_utilisation"), lambda truth: truth.xreplace({u_lin: NUMBER.Zero}),
        "Six operations a parameter and token are all there is.", AGAIN,
        "Recomputing adds a forward pass, which takes its time although it brings no training.",
    ),
    Misconception(
        "a-closed-form-without-its-core", ("gpt_flops", "gpt_utilisation"), lambda truth: truth.xreplace({s / (6 * d): NUMBER.Zero}),
        "Only matrices count.", PAIRS,
        "Attention's core adds the sequence over six hidden sizes.",
    ),
    Misconception(
        "six-is-exact", ("six_flops_share",), lambda _: Integer(1),
        "Six operations a parameter and token is what training costs.", PAIRS,
        "That is the limit for wide models; on long sequences attention's core adds its share.",
    ),
    Misconception(
        "six-with-half-the-core", ("six_flops_share",), lambda truth: truth.xreplace({2 * L * s: L * s}),
        "Half of the scores are masked, so half of the core is computed.", PAIRS,
        "The closed form counts every score, masked or not.",
    ),
    Misconception(
        "forward-alone", ("model_flops", "model_utilisation"), lambda truth: truth / 3,
        "A token passes every parameter once.", THREE_PASSES,
        "Forward once, and backward twice.",
    ),
    Misconception(
        "backward-as-forward", ("model_flops", "model_utilisation"), lambda truth: truth * Rational(2, 3),
        "The backward pass costs as much as the forward pass.", THREE_PASSES,
        "It costs twice as much: a product for the input's gradient and one for the parameters'.",
    ),
    Misconception(
        "recomputation-counted-as-training", ("model_flops", "model_utilisation", "gpt_utilisation"), lambda truth: truth * Rational(4, 3),
        "Eight operations a parameter and token, since all is recomputed.", AGAIN,
        "The model's operations are those that training asks for; what is computed twice counts once.",
    ),
    Misconception(
        "two-passes-in-a-run", _RUN, lambda truth: truth * (2 + u_lin) / (3 + u_lin),
        "Forward and backward are two passes.", THREE_PASSES,
        "The backward pass is two of its own.",
    ),
    Misconception(
        "a-token-passes-once", _RUN, lambda truth: truth / (3 + u_lin),
        "Each token meets each parameter once.", THREE_PASSES,
        "Once forward and twice backward, and once more where the forward pass is run again.",
    ),
    Misconception(
        "two-passes-for-a-token", ("token_rate",), lambda truth: truth * (3 + u_lin) / (2 + u_lin),
        "A token passes the model forward and backward.", THREE_PASSES,
        "Backward it passes twice, once for each gradient.",
    ),
    Misconception(
        "the-rate-of-one-gpu", ("token_rate",), lambda truth: truth / G,
        "A GPU delivers so many operations a second.", DENSE,
        "All of them together train the model: their rates add up.",
    ),
    Misconception(
        "a-single-gpu-trains", ("training_time",), lambda truth: truth * G,
        "Operations over operations a second.", RATE,
        "That is the GPU time; all GPUs work at once.",
    ),
    Misconception(
        "the-sparse-peak", ("model_utilisation", "hardware_utilisation", "gpt_utilisation"), lambda truth: truth.xreplace({X_peak: 2 * X_peak}),
        "The data sheet's largest number is the peak.", DENSE,
        "That one holds for sparse matrices; the dense peak is half of it.",
    ),
    Misconception(
        "the-peak-of-one-gpu", ("model_utilisation", "hardware_utilisation"), lambda truth: truth * G,
        "The tokens a second against a GPU's peak.", DENSE,
        "The tokens are those of all GPUs, so the peak must be as well.",
    ),
    Misconception(
        "operations-doubled-again", ("compute_time",), lambda truth: truth * 2,
        "Each operation is a product and a sum.", MULTIPLY_ADD,
        "The operations given count products and sums already.",
    ),
    Misconception(
        "rate-over-operations", ("compute_time",), lambda _: X_gpu / F,
        "Time is speed over work.", RATE,
        "More operations take longer: they stand above the line.",
    ),
)  # fmt: skip
