"""The questions, a row each. Values look real: models, device sizes, links and rank counts that people use."""

from __future__ import annotations

from typing import Final

from ...algebra.vocabulary import (
    A,
    B,
    G,
    L,
    M_max,
    N,
    N_d,
    N_p,
    N_t,
    P,
    R_bit,
    S,
    T_b,
    T_comm,
    T_comp,
    T_f,
    V,
    W,
    b,
    b_a,
    c,
    d,
    k,
    phi,
    r,
    s,
    sigma_goal,
)
from .form import Question

_RANKS = ("3", "4", "5", "6", "7", "8", "10", "12", "14", "16", "20", "24", "28", "32", "40", "48", "56", "64", "72", "80", "96")
_MODELS = ("494032768", "1.1e9", "1557611200", "2.5e9", "6738415616", "7e9", "8030261248", "13e9", "33e9", "70e9")
_TENSORS = ("150 MB", "270 MB", "404.8 MB", "436.2 MB", "700 MB", "871 MB", "1.2 GB", "1.75 GB", "2.3 GB")
_MIXED = ("ZeRO mixed precision", "8-byte Adam")
_KEPT = "Each parameter keeps [[plan]]."

QUESTIONS: Final = (
    Question(
        "A-bytes-per-parameter", "A", "compute", "bytes_per_parameter",
        f"{_KEPT} How many bytes is that for each parameter?", "B/param", {}, ("fp32 AdamW with amsgrad", "8-byte Adam", "ZeRO mixed precision"),
    ),
    Question(
        "A-replica", "A", "compute", "replicated_state",
        f"A model has [[P]] parameters. {_KEPT} How much model state does each GPU hold under plain data parallel?", "GB", {P: _MODELS}, _MIXED,
    ),
    Question(
        "A-shard", "A", "compute", "sharded_state",
        f"A model of [[P]] parameters is sharded with FSDP over [[N]] GPUs. {_KEPT} How much model state does each GPU hold?",
        "GB", {P: _MODELS, N: _RANKS}, (*_MIXED, "fp32 AdamW with amsgrad"),
    ),
    Question(
        "A-fewest-ranks", "A", "backwards", "ranks_for_budget",
        "A model of [[P]] parameters keeps [[B]] of state. Each GPU has [[M_max]] for it. What is the smallest number of GPUs over which FSDP must shard it?",
        "", {P: ("13e9", "33e9", "70e9", "175e9", "405853388800"), M_max: ("10 GB", "16 GB", "20 GB", "24 GB", "40 GB"), B: ("16 B/param", "18 B/param", "20 B/param")},
    ),
    Question(
        "B-shard-mixed", "B", "compute", "sharded_state",
        f"In mixed precision a model of [[P]] parameters is sharded over [[N]] ranks. {_KEPT} What does one rank hold of it?",
        "GB", {P: _MODELS, N: _RANKS}, _MIXED,
    ),
    Question(
        "B-bytes-mixed", "B", "compute", "bytes_per_parameter", f"{_KEPT} How many bytes for each parameter?", "B/param", {}, _MIXED,
    ),
    Question(
        "C-one-tensor", "C", "compute", "activation_tensor",
        "A micro-batch has [[b]] sequences of [[s]] tokens; the hidden size is [[d]] and an activation takes [[b_a]]. The model is sharded over [[N]] ranks. "
        "How large is the activation tensor of one layer on one GPU?",
        "MB", {b: ("3", "5", "6", "7"), s: ("2048", "4096", "8192"), d: ("2048", "4096", "5120", "8192", "12288"), b_a: ("2 B",), N: _RANKS},
    ),
    Question(
        "C-all-layers", "C", "compute", "all_activations",
        "Each of [[L]] layers keeps one tensor for [[b]] sequences of [[s]] tokens with hidden size [[d]], [[b_a]] an element, and there are no checkpoints. "
        "The model is sharded over [[N]] ranks. How much is that on one GPU?",
        "GB", {L: ("22", "32", "40", "48", "80", "96"), b: ("3", "5", "6", "7"), s: ("2048", "4096"), d: ("4096", "5120", "8192"), b_a: ("2 B",), N: _RANKS},
    ),
    Question(
        "C-peak", "C", "compute", "recompute_peak",
        "A model has [[L]] layers. A layer keeps [[A]] of activations and a checkpoint takes [[c]]; there is a checkpoint every [[k]] layers. "
        "What is the peak of the activations in the backward pass?",
        "GB", {L: ("24", "48", "96", "72"), A: ("0.9 GB", "1.3 GB", "2.2 GB"), c: ("67 MB", "110 MB", "150 MB"), k: ("2", "3", "4", "6", "8")},
    ),
    Question(
        "C-best-interval", "C", "backwards", "best_interval",
        "A model has [[L]] layers; a layer keeps [[A]] and a checkpoint takes [[c]]. At which interval, as a real number, is the peak lowest?",
        "", {L: ("24", "32", "48", "80", "96", "126"), A: ("0.9 GB", "1.3 GB", "2.2 GB", "3.1 GB"), c: ("67 MB", "110 MB", "150 MB")},
    ),
    Question(
        "C-sqrt-checkpoints", "C", "compute", "sqrt_checkpoints_kept",
        "A model has [[L]] layers; a layer keeps [[A]] and a checkpoint takes [[c]]. At the interval with the lowest peak, taken as a real number, "
        "how many bytes do the checkpoints alone take?",
        "GB", {L: ("24", "32", "48", "80", "96", "126"), A: ("0.9 GB", "1.3 GB", "2.2 GB", "3.1 GB"), c: ("67 MB", "110 MB", "150 MB")},
    ),
    Question(
        "C-recompute", "C", "compute", "recompute_overhead",
        "A forward pass takes [[T_f]] and a backward pass [[T_b]]. Every activation is recomputed once. What share of the step's compute is that in addition?",
        "", {T_f: ("3 ms", "5 ms", "7 ms", "11 ms"), T_b: ("6 ms", "8 ms", "10 ms", "13 ms", "19 ms")},
    ),
    Question(
        "D-steps", "D", "compute", "ring_steps",
        "How many steps does a ring all-gather over [[N]] ranks take?", "", {N: _RANKS},
    ),
    Question(
        "D-all-gather", "D", "compute", "all_gather",
        "A tensor of [[S]] is sharded over [[N]] ranks. How many bytes does each rank receive in an all-gather?", "MB", {S: _TENSORS, N: _RANKS},
    ),
    Question(
        "D-reduce-scatter", "D", "compute", "reduce_scatter",
        "Gradients of [[S]] are summed over [[N]] ranks by a reduce-scatter. How many bytes does each rank receive?", "MB", {S: _TENSORS, N: _RANKS},
    ),
    Question(
        "D-layer", "D", "compute", "layer_traffic",
        "A layer of [[S]] is sharded over [[N]] ranks and gathered again for the backward pass. How many bytes does each rank receive for it in one training step?",
        "GB", {S: _TENSORS, N: _RANKS, r: ("1",)},
    ),
    Question(
        "D-all-reduce", "D", "compute", "all_reduce",
        "Plain data parallel on [[N]] GPUs all-reduces gradients of [[S]]. How many bytes does each GPU receive?", "GB", {S: _TENSORS, N: _RANKS},
    ),
    Question(
        "D-limit", "D", "limit", "layer_traffic",
        "A layer of [[S]] is gathered again for the backward pass. To what do the bytes that each rank receives for it in a step tend, as the number of ranks grows?",
        "GB", {S: _TENSORS, r: ("1",)},
    ),
    Question(
        "E-ratio", "E", "compute", "comm_to_compute",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. What is the ratio that the rule of thumb asks for?",
        "", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms")},
    ),
    Question(
        "E-slowdown", "E", "compute", "slowdown_without_overlap",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]], and nothing overlaps. What is the slowdown against no communication?",
        "%", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms")},
    ),
    Question(
        "E-step", "E", "compute", "step_with_overlap",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]], of which a share of [[phi]] overlaps compute. How long does the layer take?",
        "ms", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), phi: ("0.3", "0.4", "0.6", "0.7", "0.8")},
    ),
    Question(
        "E-overlap", "E", "backwards", "overlap_for_slowdown",
        "Compute takes [[T_comp]] and communication [[T_comm]]. What share of the communication must overlap compute for a slowdown of [[sigma_goal]]?",
        "", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), sigma_goal: ("10 %", "12 %", "15 %", "17.5 %", "20 %")},
    ),
    Question(
        "E-data-parallel", "E", "compute", "data_parallel_time",
        "FSDP, which gathers again for the backward pass, communicates for [[T_comm]] on [[N]] ranks. How long would plain data parallel's all-reduce take on the same link?",
        "ms", {T_comm: ("3 ms", "4.5 ms", "7 ms", "11 ms", "13 ms"), r: ("1",), N: ("8", "16", "32")},
    ),
    Question(
        "F-bandwidth", "F", "compute", "link_bandwidth",
        "A link is sold as [[R_bit]]. What is its bandwidth in bytes per second?", "GB/s", {R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps", "800 Gbps")},
    ),
    Question(
        "F-all-gather-time", "F", "compute", "all_gather_time",
        "[[N]] ranks all-gather a tensor of [[S]] over links of [[R_bit]]. How long does it take, latency aside?",
        "ms", {S: _TENSORS, N: _RANKS, R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps")},
    ),
    Question(
        "F-transfer", "F", "compute", "transfer_time",
        "[[V]] cross a link of [[W]]. How long does that take?", "ms", {V: _TENSORS, W: ("1.25 GB/s", "3 GB/s", "12.5 GB/s", "25 GB/s", "50 GB/s")},
    ),
    Question(
        "G-stage-1", "G", "compute", "zero_1_state",
        f"A model of [[P]] parameters trains under ZeRO-1 on [[N]] GPUs. {_KEPT} How much model state does each GPU hold?", "GB", {P: _MODELS, N: _RANKS}, _MIXED,
    ),
    Question(
        "G-stage-2", "G", "compute", "zero_2_state",
        f"A model of [[P]] parameters trains under ZeRO-2 on [[N]] GPUs. {_KEPT} How much model state does each GPU hold?", "GB", {P: _MODELS, N: _RANKS}, _MIXED,
    ),
    Question(
        "G-stage-1-limit", "G", "limit", "zero_1_state",
        f"A model of [[P]] parameters trains under ZeRO-1. {_KEPT} To what does the state of a GPU tend, as the number of GPUs grows?", "GB", {P: _MODELS}, _MIXED,
    ),
    Question(
        "G-traffic", "G", "compute", "zero_2_traffic",
        "Gradients of [[S]] are reduce-scattered over [[N]] ranks and the updated parameters, as large, all-gathered. How many bytes does each rank receive in a step?",
        "GB", {S: _TENSORS, N: _RANKS},
    ),
    Question(
        "H-data-degree", "H", "backwards", "data_degree",
        "[[G]] GPUs run [[N_p]] pipeline stages with tensor groups of [[N_t]]. What is the data-parallel degree?",
        "", {G: ("96", "192", "384", "512", "768", "1024", "2048", "4096", "8192"), N_p: ("2", "3", "4", "6", "8", "16"), N_t: ("2", "4", "8")},
    ),
    Question(
        "H-world", "H", "compute", "world_size",
        "A job has [[N_d]] data replicas, [[N_p]] pipeline stages and tensor groups of [[N_t]]. How many GPUs does it take?",
        "", {N_d: ("3", "5", "6", "12", "16", "24", "32", "48"), N_p: ("2", "3", "4", "6", "8", "16"), N_t: ("2", "4", "8")},
    ),
    Question(
        "H-shard-group", "H", "compute", "shard_group",
        "On [[G]] GPUs, with [[N_p]] pipeline stages and tensor groups of [[N_t]], over how many ranks does FSDP shard?",
        "", {G: ("96", "192", "384", "512", "768", "1024", "2048", "4096"), N_p: ("2", "3", "4", "6", "8"), N_t: ("2", "4", "8")},
    ),
)  # fmt: skip
