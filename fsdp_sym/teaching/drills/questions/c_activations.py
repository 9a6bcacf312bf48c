"""Activations (cell C): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import A, L, N, P, T_b, T_f, a, b, b_a, b_all, b_k, c, d, f, k, s
from ...misconceptions.principles import BALANCE, EVERY_BUFFER, LAYERS, PEAK, SHARED_OUT, STATE_ONLY
from ..chain import Chain
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import KEPT, MIXED, RANKS

_CHECKPOINTS = "A layer keeps [[A]] of activations, and a checkpoint, the input it is recomputed from, takes [[c]]."
_INTERVAL = f"A model of [[L]] layers has a checkpoint every [[k]] layers; the layers from one checkpoint to the next are recomputed together. {_CHECKPOINTS}"
_PEAK = "The peak holds all checkpoints and the layers from one checkpoint to the next"
_AT_LOWEST_PEAK = f"A model has [[L]] layers. {_CHECKPOINTS} {_PEAK}; the interval between checkpoints is the one at which it is lowest, taken as a real number."
_LAYERS = ("24", "32", "40", "48", "80", "96", "126")
_LAYER = ("0.9 GB", "1.3 GB", "2.2 GB", "3.1 GB")
_CHECKPOINT = ("67 MB", "110 MB", "150 MB")

_HELD = Chain(
    "state-and-activations",
    f"Llama-2-70B ([[P]] parameters, [[L]] layers, hidden size [[d]]) is sharded with FSDP over [[N]] ranks. {KEPT} On every rank each layer keeps one "
    "tensor for [[b]] sequences of [[s]] tokens with that hidden size, [[b_a]] an element, without checkpoints.",
    (("activation_tensor", "MB"), ("all_activations", "GB"), ("sharded_state", "GB"), ("state_and_activations", "GB")),
    {P: ("68976648192",), L: ("80",), d: ("8192",), N: ("16", "24", "32", "48", "64", "96", "128", "192"), b: ("1", "2", "3", "5", "6"), s: ("2048", "4096", "8192"), b_a: ("2 B",)}, MIXED,
)  # fmt: skip
_OUTGROWN = Chain(
    "activations-over-state",
    f"GPT-3 ([[P]] parameters, [[L]] layers, hidden size [[d]]) is sharded with FSDP over [[N]] ranks. {KEPT} On every rank each layer keeps one tensor "
    "for [[b]] sequences of [[s]] tokens with that hidden size, [[b_a]] an element, without checkpoints. Worked out is the ratio of a GPU's activations to its share of the model state.",
    (("all_activations", "GB"), ("mean_state", "GB"), ("activations_over_state", "")),
    {P: ("175e9",), L: ("96",), d: ("12288",), N: ("128", "192", "256", "384", "512", "768", "1024"), b: ("2", "3", "5", "6", "7"), s: ("1024", "2048"), b_a: ("2 B",)}, MIXED,
)  # fmt: skip
_DEALT_OUT = Chain(
    "fixed-global-batch",
    f"Llama-2-13B ([[P]] parameters, [[L]] layers, hidden size [[d]]) is sharded with FSDP over [[N]] ranks. {KEPT} A global batch of [[b_all]] sequences "
    "of [[s]] tokens is dealt out evenly over the ranks; on each of them every layer keeps one tensor for its sequences with that hidden size, [[b_a]] an element, without checkpoints. "
    "Worked out is the ratio of a GPU's activations to its share of the model state.",
    (("activations_at_fixed_global_batch", "GB"), ("mean_state", "GB"), ("activations_over_state_at_fixed_global_batch", "")),
    {P: ("13015864320",), L: ("40",), d: ("5120",), N: ("12", "16", "24", "32", "48", "64", "96"), b_all: ("192", "384", "576", "768"), s: ("2048", "4096"), b_a: ("2 B",)}, MIXED,
)  # fmt: skip
_SQRT = Chain(
    "square-root-rule",
    f"A model has [[L]] layers that keep [[A]] each, and a checkpoint costs as much as a layer, [[c]]. {_PEAK}; the interval between checkpoints is the one at which it is lowest, "
    "taken as a real number. Worked out are what the checkpoints alone take, the peak, and how many times smaller the peak is than all activations.",
    (("sqrt_interval", ""), ("sqrt_checkpoints_kept", "GB"), ("best_peak", "GB"), ("peak_cut", "")),
    {L: ("12", "22", "24", "32", "40", "48", "80", "96", "126"), A: ("0.4 GB",), c: ("0.4 GB",)},
)  # fmt: skip

ACTIVATIONS = (
    Value(
        "C-one-tensor", "C", "compute", "activation_tensor",
        "Each GPU's micro-batch has [[b]] sequences of [[s]] tokens; the hidden size is [[d]] and an activation takes [[b_a]] an element. FSDP shards the model over [[N]] ranks. "
        "How large is the activation tensor of one layer on one GPU?",
        "MB", {b: ("3", "5", "6", "7"), s: ("2048", "4096", "8192"), d: ("2048", "4096", "5120", "8192", "12288"), b_a: ("2 B",), N: RANKS},
    ),
    Value(
        "C-all-layers", "C", "compute", "all_activations",
        "On each GPU every one of Llama-2-7B's [[L]] layers keeps one tensor for [[b]] sequences of [[s]] tokens with hidden size [[d]], [[b_a]] an element, and there are no checkpoints. "
        "FSDP shards the model over [[N]] ranks. How much is that on one GPU?",
        "GB", {L: ("32",), b: ("2", "3", "5", "6", "7"), s: ("2048", "4096", "8192"), d: ("4096",), b_a: ("2 B",), N: RANKS},
    ),
    Value(
        "C-global-batch", "C", "compute", "activations_at_fixed_global_batch",
        "A global batch of [[b_all]] sequences of [[s]] tokens is dealt out evenly over [[N]] ranks. On each of them every one of Llama-2-13B's [[L]] layers keeps one tensor for its sequences, "
        "with hidden size [[d]] and [[b_a]] an element, and there are no checkpoints. How much is that on one GPU?",
        "GB", {b_all: ("192", "384", "576", "768"), s: ("2048", "4096"), N: ("12", "16", "24", "32", "48", "64", "96"), L: ("40",), d: ("5120",), b_a: ("2 B",)},
    ),
    Value(
        "C-over-state", "C", "compute", "activations_over_state",
        f"GPT-3 ([[P]] parameters) is sharded with FSDP over [[N]] ranks. {KEPT} On every GPU each of its [[L]] layers keeps one tensor for [[b]] sequences of [[s]] tokens with hidden size [[d]], [[b_a]] an element, "
        "without checkpoints. What is the ratio of a GPU's activations to its share of the model state?",
        "", {P: ("175e9",), N: ("96", "128", "192", "256", "384", "512", "768", "1024"), L: ("96",), d: ("12288",), b: ("1", "2", "3", "5", "6", "7"), s: ("1024", "2048"), b_a: ("2 B",)}, MIXED,
    ),
    Value(
        "C-overtaking", "C", "backwards", "overtaking_ranks",
        f"Llama-3-8B ([[P]] parameters) is sharded with FSDP. {KEPT} On every GPU each of its [[L]] layers keeps one tensor for [[b]] sequences of [[s]] tokens with hidden size [[d]], [[b_a]] an element, "
        "without checkpoints. At how many ranks, as a real number, do a GPU's activations weigh as much as its share of the state?",
        "", {P: ("8030261248",), L: ("32",), d: ("4096",), b: ("2", "3", "5", "6", "7"), s: ("2048", "4096", "8192"), b_a: ("2 B",)}, MIXED,
    ),
    Value(
        "C-block", "C", "compute", "block_activations",
        "For its backward pass a block of GPT-2 XL (hidden size [[d]], feed-forward width [[f]], [[a]] heads) keeps of each token eight hidden vectors and two feed-forward vectors, [[b_a]] an element, "
        "and two dropout masks as long as a hidden vector, [[b_k]] an element. Attention also keeps, for each head and each ordered pair of tokens of a sequence, two scores of [[b_a]] and a mask of [[b_k]]. "
        "How much is that for [[b]] sequences of [[s]] tokens?",
        "MB", {d: ("1600",), f: ("6400",), a: ("25",), b_a: ("2 B",), b_k: ("1 B",), b: ("2", "3", "5", "6", "7"), s: ("512", "640", "768", "896", "1024")},
    ),
    Value(
        "C-kept", "C", "compute", "kept_checkpoints",
        f"{_INTERVAL} The last interval is shorter where it does not come out even, and has its checkpoint too. How much do the checkpoints take when the forward pass ends?",
        "GB", {L: _LAYERS, A: _LAYER, c: _CHECKPOINT, k: ("2", "3", "4", "6", "7", "8")},
    ),
    Value(
        "C-peak", "C", "compute", "recompute_peak",
        f"{_INTERVAL} What is the peak of the activations in the backward pass, checkpoints included?",
        "GB", {L: ("24", "48", "96", "72"), A: ("0.9 GB", "1.3 GB", "2.2 GB"), c: _CHECKPOINT, k: ("2", "3", "4", "6", "8")},
    ),
    Value(
        "C-cut", "C", "compute", "interval_cut",
        f"{_INTERVAL} How many times smaller is the peak of the activations in the backward pass, checkpoints included, than all activations without checkpoints?",
        "", {L: ("24", "48", "96", "72"), A: _LAYER, c: _CHECKPOINT, k: ("2", "3", "4", "6", "8")},
    ),
    Value(
        "C-best-interval", "C", "backwards", "best_interval",
        f"A model has [[L]] layers. {_CHECKPOINTS} {_PEAK}. "
        "At which interval between checkpoints, in layers and as a real number, is it lowest?",
        "", {L: _LAYERS, A: _LAYER, c: _CHECKPOINT},
    ),
    Value(
        "C-best-peak", "C", "compute", "best_peak",
        f"{_AT_LOWEST_PEAK} How high is the peak?", "GB", {L: _LAYERS, A: _LAYER, c: _CHECKPOINT},
    ),
    Value(
        "C-sqrt-checkpoints", "C", "compute", "sqrt_checkpoints_kept",
        f"{_AT_LOWEST_PEAK} How many bytes do the checkpoints alone take?", "GB", {L: _LAYERS, A: _LAYER, c: _CHECKPOINT},
    ),
    Value(
        "C-kept-cut", "C", "compute", "kept_cut",
        "A model has [[L]] layers that keep [[A]] each, and a checkpoint costs as much as a layer, [[c]]. There is a checkpoint every √L layers, L being the number of layers. "
        "How many times smaller are the checkpoints alone than all activations without checkpoints?",
        "", {L: ("12", "22", "24", "32", "40", "48", "80", "96", "126"), A: ("0.4 GB",), c: ("0.4 GB",)},
    ),
    Value(
        "C-recompute", "C", "compute", "recompute_overhead",
        "A step without checkpoints takes [[T_f]] for its forward pass and [[T_b]] for its backward pass. With checkpoints every activation is recomputed once. "
        "How much compute comes on top, as a share of the step without checkpoints?",
        "", {T_f: ("3 ms", "5 ms", "7 ms", "11 ms"), T_b: ("6 ms", "8 ms", "10 ms", "13 ms", "19 ms")},
    ),
    Value(
        "C-held-limit", "C", "limit", "state_and_activations",
        f"A model of [[P]] parameters is sharded with FSDP. {KEPT} On every GPU each of its [[L]] layers keeps one tensor for [[b]] sequences of [[s]] tokens with hidden size [[d]], [[b_a]] an element, without checkpoints. "
        "To what do model state and activations of a GPU together tend, as the number of ranks grows and its micro-batch stays?",
        "GB", {P: ("6738415616", "8030261248"), L: ("32",), d: ("4096",), b: ("2", "3", "5", "6", "7"), s: ("2048", "4096", "8192"), b_a: ("2 B",)}, MIXED,
    ),
    Written(
        "C-write-elements", "C", "activation_elements",
        "Each GPU's micro-batch has b sequences of [[s]] tokens, and the hidden size is d. FSDP shards the model over N ranks. How many elements has the activation tensor of one layer on one GPU?",
        {s: ("1024", "2048", "4096", "8192")}, also=(N,),
    ),
    Written(
        "C-write-activations", "C", "all_activations",
        "On each GPU every one of [[L]] layers keeps one tensor for b sequences of s tokens with hidden size d, [[b_a]] an element, and there are no checkpoints. "
        "FSDP shards the model over N ranks. How many bytes of activations does one GPU keep?",
        {L: ("22", "32", "40", "80"), b_a: ("2 B",)}, also=(N,),
    ),
    Written(
        "C-write-interval", "C", "best_interval",
        f"A model has [[L]] layers. A layer keeps A bytes of activations and a checkpoint takes c bytes. {_PEAK}. "
        "At which interval between checkpoints, in layers and as a real number, is it lowest?",
        {L: ("36", "64", "81", "100", "144")},
    ),
    WrongLine("C-wrong-line", "C", _HELD),
    WrongLine("C-outgrown-wrong-line", "C", _OUTGROWN),
    WrongLine("C-sqrt-wrong-line", "C", _SQRT),
    Faded("C-faded", "C", _HELD, 2),
    Faded("C-dealt-out-faded", "C", _DEALT_OUT, 2),
    Faded("C-sqrt-faded", "C", _SQRT, 2),
    Justify(
        "C-principle", "C",
        (
            Reason("all_activations", 0, LAYERS, (STATE_ONLY, PEAK)),
            Reason("state_and_activations", 0, STATE_ONLY, (LAYERS, PEAK, SHARED_OUT, EVERY_BUFFER)),
            Reason("best_interval", 2, BALANCE, (PEAK,)),
        ),
    ),
)  # fmt: skip
