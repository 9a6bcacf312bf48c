"""The operations of a step (cell Q): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import L, a, a_kv, b, b_all, d, d_h, f, n_mlp, n_pos, s, u_core, u_lin, v, x_att, x_pair
from ..givens import Draws
from ..value import Value
from ..written import Written

_BATCH = "A micro-batch has [[b]] sequences of [[s]] tokens."
_BLOCK = "A block has a hidden size of [[d]], [[a]] heads of [[d_h]], [[a_kv]] heads of keys and values, and a feed-forward layer of [[n_mlp]] matrices and width [[f]]."
_PAIRS = "A share of [[x_pair]] of the pairs of tokens is computed."
_GPT = "A model of GPT's form has [[L]] layers, a hidden size of [[d]] and [[v]] words."
_TOKENS: Draws = {b: ("2", "4", "6"), s: ("2048", "4096", "8192")}
_SHAPE: Draws = {d: ("4096", "5120", "8192"), f: ("14336", "28672"), a: ("40", "64"), d_h: ("128",), a_kv: ("8", "10"), n_mlp: ("3",)}
_HALF: Draws = {x_pair: ("0.5", "0.55", "0.6")}
_MODEL: Draws = {L: ("24", "32", "48"), d: ("2048", "2560", "4096"), v: ("50257", "51200")}

OPERATIONS = (
    Value("Q-matrices", "Q", "compute", "linear_flops", f"{_BATCH} {_BLOCK} How many operations do its matrices take in the forward pass?", "TFLOP", {**_TOKENS, **_SHAPE}),
    Value(
        "Q-core", "Q", "compute", "attention_core_flops",
        f"{_BATCH} An attention has [[a]] heads of [[d_h]]. {_PAIRS} How many operations do scores and weighted sums take in the forward pass?",
        "TFLOP", {**_TOKENS, a: ("32", "40", "64"), d_h: ("128",), **_HALF},
    ),
    Value("Q-causal", "Q", "compute", "causal_share", "Each of [[s]] tokens attends to itself and to those before it. Which share of all pairs of query and key is that?", "", {s: ("4", "5", "8", "10", "16", "20", "25", "32", "50", "64")}),
    Value("Q-logits", "Q", "compute", "logit_flops", f"{_BATCH} The hidden size is [[d]] and the vocabulary has [[v]] words. How many operations do embedding and head take in the forward pass?", "TFLOP", {**_TOKENS, d: ("4096", "5120", "8192"), v: ("32000", "128256", "151936")}),
    Value("Q-block", "Q", "compute", "block_flops", f"{_BATCH} {_BLOCK} {_PAIRS} How many operations does the block take in the forward pass?", "TFLOP", {**_TOKENS, **_SHAPE, **_HALF}),
    Value(
        "Q-backward", "Q", "compute", "block_backward_flops",
        f"{_BATCH} {_BLOCK} {_PAIRS} Attention's backward pass costs [[x_att]] of its forward passes. How many operations does the block take in the backward pass?", "TFLOP", {**_TOKENS, **_SHAPE, **_HALF, x_att: ("2.5",)},
    ),
    Value(
        "Q-recomputed", "Q", "compute", "recomputed_flops",
        f"{_BATCH} {_BLOCK} {_PAIRS} In the backward pass attention's core is computed once more (u_core = [[u_core]]) and the matrices are not (u_lin = [[u_lin]]). How many operations does that add to the block?",
        "TFLOP", {**_TOKENS, **_SHAPE, **_HALF, u_lin: ("0",), u_core: ("1",)},
    ),
    Value(
        "Q-step", "Q", "compute", "step_flops",
        f"{_BATCH} A model has [[L]] blocks and [[v]] words. {_BLOCK} {_PAIRS} Attention's backward pass costs [[x_att]] of its forward passes, and nothing is recomputed (u_lin = [[u_lin]], u_core = [[u_core]]). How many operations does the micro-batch take, forward and backward?",
        "PFLOP", {**_TOKENS, **_SHAPE, **_HALF, L: ("32", "40", "80"), v: ("128256",), x_att: ("2.5",), u_lin: ("0",), u_core: ("0",)},
    ),
    Value(
        "Q-closed-form", "Q", "compute", "gpt_flops",
        f"{_GPT} All its blocks are recomputed in full (u_lin = [[u_lin]]), and all scores are computed. How many operations does a step of [[b_all]] sequences of [[s]] tokens take?",
        "PFLOP", {**_MODEL, s: ("4096", "8192"), b_all: ("256", "512", "1024"), u_lin: ("1",)},
    ),
    Value(
        "Q-six", "Q", "compute", "six_flops_share",
        f"{_GPT} It learns [[n_pos]] positions and is trained on sequences of [[s]] tokens; all scores are counted. How many times six operations a parameter and token does it take, nothing recomputed?",
        "", {L: ("24", "32", "48"), d: ("1600", "2048", "2560"), v: ("50257",), s: ("4096", "8192", "16384"), n_pos: ("8192", "16384")},
    ),
    Written(
        "Q-write-core", "Q", "attention_core_flops",
        "A micro-batch has b sequences of s tokens, and an attention a heads of d_h. A share of [[x_pair]] of the pairs of tokens is computed. How many operations do scores and weighted sums take in the forward pass?",
        {x_pair: ("1/2", "3/5", "3/4")},
    ),
)  # fmt: skip
