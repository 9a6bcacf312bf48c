"""What goes wrong when the parameters of a model are counted (cell N)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import L, a, a_kv, d, d_h, f, n_act, n_exp, n_mlp, n_pos, u_tied, v
from .exact_principles import MATRICES
from .form import Misconception
from .principles import LAYERS

_DENSE = ("block_parameters", "model_parameters")
_EXPERTS = ("expert_parameters", "mixture_parameters", "idle_parameters", "active_parameters")

PARAMETERS = (
    Misconception(
        "key-heads-not-grouped", ("attention_parameters", *_DENSE), lambda truth: truth.xreplace({a_kv: a}),
        "Attention has four matrices of one size.", MATRICES,
        "With grouped queries there are fewer heads of keys and values, and their matrices are narrower.",
    ),
    Misconception(
        "values-without-a-matrix", ("attention_parameters",), lambda truth: truth - a_kv * d * d_h,
        "Queries, keys and an output: three matrices.", MATRICES,
        "The values have a matrix as large as the keys'.",
    ),
    Misconception(
        "gate-has-no-matrix", ("mlp_parameters", *_DENSE, *_EXPERTS), lambda truth: truth.xreplace({n_mlp: S(2)}),
        "A feed-forward part goes up and down again.", MATRICES,
        "A gate is a third matrix, as large as the way up.",
    ),
    Misconception(
        "four-times-as-wide", ("mlp_parameters",), lambda truth: truth.xreplace({f: 4 * d}),
        "A feed-forward part is four times as wide as the hidden vector.", MATRICES,
        "It is as wide as the model says; gated ones are mostly narrower.",
    ),
    Misconception(
        "head-reuses-the-embedding", ("end_parameters", "model_parameters"), lambda truth: truth.xreplace({u_tied: S.One}),
        "The words have one matrix.", MATRICES,
        "Only a tied head reuses the embedding; this one has a matrix of its own.",
    ),
    Misconception(
        "an-embedding-at-each-end", ("end_parameters",), lambda truth: truth + d * v * (1 - u_tied),
        "An embedding before, an embedding after, and a head.", MATRICES,
        "There is one embedding, and a head where it is not tied.",
    ),
    Misconception(
        "one-expert-held", ("expert_parameters", "mixture_parameters"), lambda truth: truth.xreplace({n_exp: S.One}),
        "A token goes to its expert, so a layer has the parameters of one.", MATRICES,
        "All experts of a layer are held, whichever a token is sent to.",
    ),
    Misconception(
        "all-experts-idle", ("idle_parameters",), lambda truth: truth.xreplace({n_act: S.Zero}),
        "Experts are the part of a model that rests.", MATRICES,
        "Those that the token is sent to do work.",
    ),
    Misconception(
        "all-experts-at-work", ("active_parameters",), lambda truth: truth.xreplace({n_act: n_exp}),
        "A model computes with all its parameters.", MATRICES,
        "A token passes only through the experts that it is sent to.",
    ),
    Misconception(
        "embeddings-left-out", ("gpt_parameters",), lambda truth: truth.xreplace({v: S.Zero, n_pos: S.Zero}),
        "The blocks are the model.", LAYERS,
        "Embeddings of words and positions hold parameters as well.",
    ),
    Misconception(
        "three-matrices-of-attention", ("gpt_parameters",), lambda truth: truth - L * d**2,
        "A block has queries, keys, values, and the feed-forward part.", MATRICES,
        "The output of the attention has a matrix, too.",
    ),
)  # fmt: skip
