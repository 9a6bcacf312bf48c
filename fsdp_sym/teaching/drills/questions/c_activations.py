"""Activations (cell C): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import A, L, N, P, T_b, T_f, b, b_a, c, d, k, s
from ...misconceptions.principles import BALANCE, LAYERS, PEAK, STATE_ONLY
from ..chain import Chain
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import KEPT, MIXED, MODELS, RANKS

_HELD = Chain(
    "state-and-activations",
    f"A model of [[P]] parameters and [[L]] layers is sharded with FSDP over [[N]] ranks. {KEPT} Each layer keeps one tensor for [[b]] sequences "
    "of [[s]] tokens with hidden size [[d]], [[b_a]] an element.",
    (("activation_tensor", "MB"), ("all_activations", "GB"), ("sharded_state", "GB"), ("state_and_activations", "GB")),
    {P: MODELS, N: RANKS, L: ("22", "32", "40", "48"), b: ("3", "5", "6", "7"), s: ("2048", "4096"), d: ("2048", "4096", "5120"), b_a: ("2 B",)}, MIXED,
)  # fmt: skip

ACTIVATIONS = (    Value(
        "C-one-tensor", "C", "compute", "activation_tensor",
        "A micro-batch has [[b]] sequences of [[s]] tokens; the hidden size is [[d]] and an activation takes [[b_a]]. The model is sharded over [[N]] ranks. "
        "How large is the activation tensor of one layer on one GPU?",
        "MB", {b: ("3", "5", "6", "7"), s: ("2048", "4096", "8192"), d: ("2048", "4096", "5120", "8192", "12288"), b_a: ("2 B",), N: RANKS},
    ),
    Value(
        "C-all-layers", "C", "compute", "all_activations",
        "Each of [[L]] layers keeps one tensor for [[b]] sequences of [[s]] tokens with hidden size [[d]], [[b_a]] an element, and there are no checkpoints. "
        "The model is sharded over [[N]] ranks. How much is that on one GPU?",
        "GB", {L: ("22", "32", "40", "48", "80", "96"), b: ("3", "5", "6", "7"), s: ("2048", "4096"), d: ("4096", "5120", "8192"), b_a: ("2 B",), N: RANKS},
    ),
    Value(
        "C-peak", "C", "compute", "recompute_peak",
        "A model has [[L]] layers. A layer keeps [[A]] of activations and a checkpoint takes [[c]]; there is a checkpoint every [[k]] layers. "
        "What is the peak of the activations in the backward pass?",
        "GB", {L: ("24", "48", "96", "72"), A: ("0.9 GB", "1.3 GB", "2.2 GB"), c: ("67 MB", "110 MB", "150 MB"), k: ("2", "3", "4", "6", "8")},
    ),
    Value(
        "C-best-interval", "C", "backwards", "best_interval",
        "A model has [[L]] layers; a layer keeps [[A]] and a checkpoint takes [[c]]. At which interval, as a real number, is the peak lowest?",
        "", {L: ("24", "32", "48", "80", "96", "126"), A: ("0.9 GB", "1.3 GB", "2.2 GB", "3.1 GB"), c: ("67 MB", "110 MB", "150 MB")},
    ),
    Value(
        "C-sqrt-checkpoints", "C", "compute", "sqrt_checkpoints_kept",
        "A model has [[L]] layers; a layer keeps [[A]] and a checkpoint takes [[c]]. At the interval with the lowest peak, taken as a real number, "
        "how many bytes do the checkpoints alone take?",
        "GB", {L: ("24", "32", "48", "80", "96", "126"), A: ("0.9 GB", "1.3 GB", "2.2 GB", "3.1 GB"), c: ("67 MB", "110 MB", "150 MB")},
    ),
    Value(
        "C-recompute", "C", "compute", "recompute_overhead",
        "A forward pass takes [[T_f]] and a backward pass [[T_b]]. Every activation is recomputed once. What share of the step's compute is that in addition?",
        "", {T_f: ("3 ms", "5 ms", "7 ms", "11 ms"), T_b: ("6 ms", "8 ms", "10 ms", "13 ms", "19 ms")},
    ),
    Written(
        "C-write-activations", "C", "all_activations",
        "Each of [[L]] layers keeps one tensor for b sequences of s tokens with hidden size d, [[b_a]] an element, and there are no checkpoints. "
        "FSDP shards the model over N ranks. How many bytes of activations does one GPU keep?",
        {L: ("22", "32", "40", "80"), b_a: ("2 B",)},
    ),
    WrongLine("C-wrong-line", "C", _HELD),
    Faded("C-faded", "C", _HELD, 2),
    Justify(
        "C-principle", "C",
        (
            Reason("all_activations", 0, LAYERS, (STATE_ONLY,)),
            Reason("state_and_activations", 0, STATE_ONLY, (LAYERS, PEAK)),
            Reason("best_interval", 2, BALANCE, (PEAK,)),
        ),
    ),
)  # fmt: skip
