"""A transformer's activations (cell L): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, N_t, a, a_kv, b, b_a, b_f, b_k, b_l, b_n, d, d_h, f, n_wide, s, v
from ...misconceptions.exact_principles import INPUTS, PAIRS, SPLIT
from ...misconceptions.principles import LAYERS, STATE_ONLY, WIDTHS
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

BATCH = "A micro-batch has [[b]] sequences of [[s]] tokens; the hidden size is [[d]]."
ELEMENTS = "An activation takes [[b_a]] an element and a dropout mask [[b_k]]."
_KEEPS = "Of each token it keeps five hidden vectors and a mask as long as one of them; of each head and each ordered pair of tokens of a sequence, the softmax before and after its dropout and the mask of that dropout."
TOKENS: Draws = {b: ("2", "3", "5", "6"), s: ("1024", "2048", "3072", "4096")}
BYTES: Draws = {b_a: ("2 B",), b_k: ("1 B",)}
SHAPE: Draws = {d: ("12288",), a: ("96",)}
GROUPED: Draws = {d: ("4096",), a: ("32",), a_kv: ("8",), d_h: ("128",), b_a: ("2 B",), b_l: ("4 B",)}

_BLOCK = Chain(
    "a-block-with-dropout",
    f"A block of GPT-3 (hidden size [[d]], feed-forward width [[f]], [[a]] heads) has dropout and spells out its scores. Its micro-batch has [[b]] sequences of [[s]] tokens. {ELEMENTS} "
    "Its norms keep two statistics of [[b_n]] a token each, beside their inputs. Worked out is what it keeps: in the norms, in the attention, in the feed-forward layer, and altogether.",
    (("norm_activations", "MB"), ("attention_activations", "MB"), ("mlp_activations", "MB"), ("saved_activations", "MB")),
    {**TOKENS, **SHAPE, f: ("49152",), **BYTES, b_n: ("2 B",)},
)  # fmt: skip

BLOCKS = (
    Value(
        "L-scores", "L", "compute", "score_activations",
        f"A block has [[a]] heads, dropout, and spells out its scores. A micro-batch has [[b]] sequences of [[s]] tokens. {ELEMENTS} How much does the block keep for all pairs of tokens?",
        "GB", {**TOKENS, a: ("32", "64", "96"), **BYTES},
    ),
    Value(
        "L-attention", "L", "compute", "attention_activations", f"{BATCH} The attention of a block has [[a]] heads. {_KEEPS} {ELEMENTS} How much is that?", "GB", {**TOKENS, **SHAPE, **BYTES},
    ),
    Value(
        "L-feed-forward", "L", "compute", "mlp_activations",
        f"{BATCH} The feed-forward layer of a block has a width of [[f]], two matrices with a non-linearity between them, and a dropout at the end. {ELEMENTS} How much does it keep for its backward pass?",
        "MB", {**TOKENS, d: ("4096", "5120", "6144"), f: ("16384", "20480", "24576"), **BYTES},
    ),
    Value(
        "L-gated", "L", "compute", "gated_mlp_activations",
        f"{BATCH} A gated feed-forward layer of width [[f]] keeps its input and [[n_wide]] wide tensors: gate, way up, and what the kernels make of them. An element takes [[b_a]]. How much is that?",
        "MB", {**TOKENS, d: ("4096",), f: ("11008", "14336"), b_a: ("2 B",), n_wide: ("3", "4")},
    ),
    Value(
        "L-fused", "L", "compute", "fused_attention_activations",
        f"{BATCH} A fused attention has [[a]] heads of [[d_h]], and [[a_kv]] heads of keys and values. It keeps its input, queries, keys, values and output at [[b_a]] an element, and one logarithm of [[b_l]] for each head and token. How much is that?",
        "MB", {**TOKENS, **GROUPED},
    ),
    Value(
        "L-tensor-parallel", "L", "compute", "tensor_parallel_activations",
        f"{BATCH} A block with a feed-forward width of [[f]] and [[a]] heads has dropout and spells out its scores; the statistics of its norms are left aside. {ELEMENTS} Tensor parallelism splits it over [[N_t]] ranks, without splitting along the sequence. How much does a rank keep?",
        "MB", {b: ("2", "3", "5"), s: ("2048",), **SHAPE, f: ("49152",), **BYTES, b_n: ("0 B",), N_t: ("2", "4", "8")},
    ),
    Value(
        "L-logits", "L", "compute", "logit_activations",
        "A micro-batch has [[b]] sequences of [[s]] tokens, the hidden size is [[d]], the vocabulary has [[v]] words, and FSDP shards the model over [[N]] ranks. The loss is taken from a copy of the logits with [[b_f]] an element, beside the logits of [[b_a]]. How much are both on one rank?",
        "GB", {b: ("2", "3", "5", "6"), s: ("2048", "4096", "8192", "32768"), v: ("32000", "128256", "151936", "256000"), d: ("4096",), N: ("6", "12", "24", "48"), b_a: ("2 B",), b_f: ("4 B",)},
    ),
    Written(
        "L-write-scores", "L", "score_activations",
        f"A block has a heads, dropout, and spells out its scores. A micro-batch has [[b]] sequences of s tokens. {ELEMENTS} How many bytes does the block keep for all pairs of tokens?", {b: ("2", "3", "4", "5"), **BYTES},
    ),
    WrongLine("L-wrong-line", "L", _BLOCK),
    Faded("L-faded", "L", _BLOCK, 2),
    Justify(
        "L-principle", "L",
        (
            Reason("score_activations", 0, PAIRS, (INPUTS, WIDTHS)),
            Reason("mlp_activations", 0, INPUTS, (WIDTHS, LAYERS)),
            Reason("tensor_parallel_activations", 0, SPLIT, (INPUTS, WIDTHS, PAIRS, STATE_ONLY)),
        ),
    ),
)  # fmt: skip
