"""The cells: each composes a model, a machine and a plan, adds its own givens, and prints its conventions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sympy import Symbol

from ..algebra.errors import UnknownName
from ..algebra.units import Amount, show
from ..algebra.vocabulary import (
    A,
    A_more,
    D_blk,
    F_log,
    F_seq,
    G,
    K_gat,
    K_mb,
    K_red,
    L,
    L_st,
    M_over,
    N,
    N_c,
    N_mesh,
    N_p,
    N_t,
    P,
    P_all,
    P_block,
    P_end,
    P_lay,
    R_rep,
    S,
    S_blk,
    S_g,
    S_root,
    T_b,
    T_comm,
    T_comp,
    T_f,
    T_lat,
    T_lay,
    T_net,
    V_ctx,
    V_hid,
    V_hop,
    W,
    W_con,
    W_rep,
    W_shd,
    X_gpu,
    a_kv,
    b,
    b_a,
    b_e,
    b_k,
    b_n,
    b_r,
    b_s,
    c,
    c_gpu,
    d_h,
    e,
    k,
    m,
    n_chk,
    n_g,
    n_held,
    n_live,
    n_mlp,
    n_o,
    n_op,
    n_pass,
    n_stage,
    n_tok,
    n_w,
    phi,
    r,
    read_value,
    rho_max,
    s,
    sigma_goal,
    symbol_named,
    t_b,
    t_f,
    u_ar,
    u_core,
    u_g,
    u_hop,
    u_last,
    u_lin,
    u_root,
    u_sync,
    u_w,
    v,
    x_att,
    x_dp,
    x_gemm,
    x_mem,
    x_pair,
    x_tp,
)
from .conventions import CONVENTIONS
from .machines import MACHINES
from .models import MODELS
from .nodes import NODES
from .plans import PLANS
from .rows import Row

_GIVEN: Final = re.compile(r"\[\[@(\w+)\]\]")


@dataclass(frozen=True)
class Cell:
    """One scenario, from which the lesson, the exercise and the command line are views.

    ``[[@N]]`` in a text stands for what the cell gives for a letter, so that no text can contradict the values.

    Parameters
    ----------
    id : str
        Its letter, or a short name of a course's own.
    title : str
        A few words.
    question : str
        What it asks, as the scenario matrix shows it.
    edge : str
        The degenerate case to watch.
    parts : tuple of Row
        The model, the machine and the plan it composes; later ones win.
    given : mapping
        Its own values, by symbol.
    conventions : tuple of str
        Sentences, without their points, that must be said before a number means anything; printed with the cell.
    source : str
    """

    id: str
    title: str
    question: str
    edge: str
    parts: tuple[Row, ...]
    given: Mapping[Symbol, object]
    conventions: tuple[str, ...]
    source: str

    def __post_init__(self) -> None:
        if not self.source.strip() or not self.conventions:
            raise ValueError(f"cell {self.id} needs a source and its conventions")
        for name in ("question", "edge", "source"):
            object.__setattr__(self, name, self._filled(getattr(self, name)))
        object.__setattr__(self, "conventions", tuple(map(self._filled, self.conventions)))

    def _filled(self, text: str) -> str:
        return _GIVEN.sub(lambda found: show(self._given(found[1])), text)

    def _given(self, name: str) -> Amount:
        symbol = symbol_named(name)
        if symbol not in self.values:
            raise ValueError(f"cell {self.id} speaks of [[@{name}]] and gives no {name}")
        return self.values[symbol]

    @cached_property
    def values(self) -> dict[Symbol, Amount]:
        merged: dict[Symbol, Amount] = {}
        for part in self.parts:
            merged |= part.values
        return merged | {symbol: read_value(symbol, value) for symbol, value in self.given.items()}


_DECIMAL = "GB is 10^9 bytes and MB is 10^6 bytes"
_STATE = "Memory is the persistent model state: parameters, gradients, optimizer states; no activations, no gathered units"
_SHARED = "Every state is divided by N, the ranks of the shard group"
_FP32 = "Kept of each parameter: itself [[@b_w]], gradient [[@b_g]], momentum [[@b_m]], variance [[@b_v]]"
_MIXED = "Kept of each parameter: itself [[@b_w]], gradient [[@b_g]], master copy [[@b_c]], momentum [[@b_m]], variance [[@b_v]]"
_S = "S is the whole, unsharded tensor, counted in bytes"

CELLS: Final[dict[str, Cell]] = {
    cell.id: cell
    for cell in (
        Cell(
            "A", "Memory in fp32", "How many bytes of model state does each GPU hold without mixed precision?",
            "at N = 1 sharding saves nothing",
            (MODELS["7B"], MACHINES["80 GB device"], PLANS["fp32 Adam"]), {N: 8},
            (_DECIMAL, _FP32 + ", all fp32", _STATE, _SHARED),
            "a 7B model under fp32 Adam",
        ),
        Cell(
            "B", "Memory in mixed precision", "How many bytes a parameter when fp16 weights and an fp32 master copy live side by side?",
            "the master copy is easily forgotten",
            (MODELS["7B"], MACHINES["80 GB device"], PLANS["ZeRO mixed precision"]), {N: 64},
            (_DECIMAL, _MIXED + "; the first two fp16, the others fp32", _STATE, _SHARED),
            "the same 7B model in the ZeRO paper's bookkeeping",
        ),
        Cell(
            "C", "The activations", "What does a GPU hold once activations, which FSDP does not shard, are counted?",
            "which batch stays the same as ranks are added: a GPU's own or that of all GPUs",
            (MODELS["GPT-3 175B"], MACHINES["80 GB device"], PLANS["8-byte Adam"]),
            {N: 1024, b: 8, s: 2048, b_a: 2, b_k: 1, A: 402653184, c: 402653184, k: 8, T_f: "1 s", T_b: "2 s"},
            (
                _DECIMAL, "b is the batch per GPU", "One tensor of b x s x d elements in fp16 is counted for each layer, not all that a real layer keeps",
                "A checkpoint is the layer's input, the same tensor, so it costs as much as the layer",
                "The state set beside the activations is the persistent one: parameters, gradients, optimizer states; no gathered units",
                _MIXED, "A rank's share is averaged over [[@N]] ranks", "A backward pass costs two forward passes",
            ),
            "GPT-3's shape with two-byte activations and eight-byte Adam moments",
        ),
        Cell(
            "D", "Communication volume", "How many bytes does each rank receive in an all-gather and a reduce-scatter?",
            "a single rank, and more ranks than anyone has",
            (), {S: "700 MB", N: 4, r: 0},
            (_DECIMAL, _S, "Counted are the bytes that one rank receives in one collective", "Parameters stay gathered from forward to backward where r = 0 and are gathered again where r = 1"),
            "a group of parameters of [[@S]]",
        ),
        Cell(
            "E", "Is sharding worth it?", "Is FSDP faster or slower than plain data parallel here?",
            "a small model that already fits only pays for sharding",
            (MODELS["1.3B"], MACHINES["80 GB device"], PLANS["8-byte Adam"]),
            {N: 8, T_comm: "3 ms", T_comp: "8 ms", rho_max: "3/10", sigma_goal: "17.5 %", phi: "1/2", r: 1},
            (
                _DECIMAL, _MIXED + "; a moment this wide is more than fp32", _STATE,
                "Times are of one layer; slowdown is time added over compute time", "The ratio [[@rho_max]] is a rule of thumb, not a theorem",
            ),
            "a 1.3B model on a fast link; times of one layer given",
        ),
        Cell(
            "F", "A slow link", "How long does one layer's all-gather take on a real network?",
            "the bandwidth, not the GPU, sets the pace",
            (MACHINES["10 GbE"],), {S: "700 MB", N: 8, T_comp: "8 ms"},
            (_DECIMAL, _S, "Gbps is 10^9 bits per second and a byte has [[@n_bit]] bits", "Time is bytes over bandwidth: no latency, no overlap", "Compute per layer is taken as in cell E"),
            "[[@S]] over [[@R_bit]]",
        ),
        Cell(
            "G", "Which ZeRO stage?", "Which is the smallest ZeRO stage whose state fits?",
            "sharding more than needed costs traffic",
            (MODELS["3B"], MACHINES["10 GB budget"], PLANS["ZeRO mixed precision"]), {N: 8, S: "6 GB", r: 1},
            (
                _DECIMAL, _MIXED, _STATE,
                "Stage 1 divides optimizer states by N, stage 2 gradients too, stage 3 everything", "Traffic is in the ZeRO paper's schedule; S is the fp16 parameters",
            ),
            "a 3B model on [[@N]] GPUs with [[@M_max]] each to spend",
        ),
        Cell(
            "H", "3-D parallelism", "How do [[@G]] GPUs split into data, pipeline and tensor groups?",
            "the product must be the GPU count exactly",
            (MACHINES["8-GPU node"],), {G: 1024, N_p: 4, N_t: 8, e: 10, m: 3},
            ("A GPU has exactly one (data, pipeline, tensor) coordinate", "Splits are ordered: which group is which matters", "A tensor group stays inside a node of [[@n_node]]", "The shard group of FSDP is the data-parallel group, not the world"),
            "[[@G]] GPUs in nodes of [[@n_node]], [[@N_p]] pipeline stages, tensor groups of [[@N_t]]",
        ),
        Cell(
            "I", "Conventions", "Why do frameworks count different bytes for one parameter, and all of them rightly?",
            "what stays on a rank however many there are",
            (MODELS["7B"], CONVENTIONS["Megatron"].plan), {N: 8},
            (
                _DECIMAL, _MIXED + "; parameter in bf16, all else in fp32", _STATE,
                "Master copy, momentum and variance are divided by N, the ranks of the data-parallel group; nothing else is",
                "Of what is divided a rank's share is averaged over the ranks",
            ),
            "a 7B model in Megatron's bookkeeping",
        ),
        Cell(
            "J", "What really moves", "How many collectives does one training step issue, and how many bytes do they carry?",
            "one rank, which issues none at all",
            (), {N: 8, L: 32, K_mb: 1, r: 1, u_root: 0, u_sync: 1, S_blk: "12,952,535,040 B", S_root: "524,296,192 B", S_g: "26,953,662,464 B"},
            (
                _DECIMAL, "Each of [[@L]] blocks is wrapped alone; embedding, last norm and head are left to the root group", "Parameters are gathered in bf16; gradients are reduced in fp32",
                "Counted are the bytes that one rank receives in one optimizer step", "Sizes are of whole, unsharded groups, padded where rows do not divide",
            ),
            "Llama-2-7B on [[@N]] ranks under FSDP2",
        ),
        Cell(
            "K", "Where the memory goes", "Which phase of a step needs most, and does that fit where the state fits?",
            "a state that fits, and a step that does not",
            (MODELS["Llama-2-7B"], MACHINES["V100 SXM 32 GB"], PLANS["ZeRO mixed precision"]), {N: 8, b: 1, s: 2048, M_over: "0.5 GiB"},
            (
                "GB is 10^9 bytes and GiB is 2^30 bytes; the cards report GiB", _MIXED + "; the first two fp16, the others fp32",
                "A step fits when its fullest moment does, with [[@M_over]] left for what is not counted: the device's context, fragmentation, libraries",
                "In the first part memory is the model's state with what the optimizer step adds; in the second also gathered units and activations",
            ),
            "Llama-2-7B on [[@N]] cards of [[@M_max]]",
        ),
        Cell(
            "L", "A transformer's activations", "Which tensors does a transformer block keep for its backward pass, and how many bytes are they?",
            "what grows with the square of the sequence, and what makes it vanish",
            (MODELS["GPT-3 175B"],), {b: 1, s: 2048, b_a: 2, b_k: 1, b_n: 2, N_t: 8},
            (
                _DECIMAL, "Kept are the tensors that the backward pass needs, each storage once; parameters are left out",
                "An activation takes [[@b_a]], an element of a dropout mask [[@b_k]], a statistic of a norm [[@b_n]]", "The block has LayerNorm, biases, GELU and dropout, and spells out its scores unless another is named",
                "b is the batch per GPU, and FSDP does not divide it",
            ),
            "one block of GPT-3, [[@b]] sequence of [[@s]] tokens",
        ),
        Cell(
            "M", "Shards that don't divide", "What does each rank hold when the rows of a tensor do not divide by the ranks?",
            "more ranks than a tensor has rows",
            (MODELS["Llama-2-7B"],), {N: 1024, a_kv: 32, d_h: 128, v: 32000, b_e: 8, b_s: 8},
            (
                _DECIMAL, "Every parameter tensor is cut along its rows, dimension 0, into equal shards of whole rows, rounded up", "Ranks are numbered from 0",
                "Of each element a rank keeps [[@b_e]] of parameter and gradient and [[@b_s]] of Adam's two moments, all fp32", "Counted are a rank's own rows, without padding and without step counters unless they are named",
            ),
            "Llama-2-7B on [[@N]] ranks under FSDP2",
        ),
        Cell(
            "N", "Reality check", "Do real runs hold, move and keep what the formulas say, to the byte?",
            "a prediction that is a bound, and what no formula counts",
            (MODELS["Llama-2-70B"], PLANS["FSDP2 mixed precision"]), {N: 64, a_kv: 8, d_h: 128, v: 32000, b_e: 8, b_s: 8},
            (
                _DECIMAL, _FP32 + ", all fp32; low precision is transient", _SHARED,
                "Predicted is what a formula says from the inputs alone; found is what a run showed or a page printed, as it was recorded with its version",
                "Counts and bytes must be equal; peaks of passes are bounds",
            ),
            "Llama-2-70B on [[@N]] ranks under FSDP2, and every run that was recorded",
        ),
        Cell(
            "O", "Find the mistake", "Which numbers in print does the algebra refute, and where did they go wrong?",
            "a wrong number that looks more plausible than the right one",
            (MODELS["7B"], PLANS["ZeRO mixed precision"]), {N: 8, S: "14 GB", r: 1, T_comp: "1 ms", T_comm: "2 ms"},
            (
                "GB is 10^9 bytes and GiB is 2^30 bytes", _MIXED + "; the first two fp16, the others fp32", "Every claim brings its own numbers; where it brings none, those of this cell are taken",
                "The claims are retold in our own words, with the kind of page they were found on",
            ),
            "numbers found in print",
        ),
        Cell(
            "P", "Collectives in time", "How long does a collective take once latencies, steps and two kinds of link are counted?",
            "a tensor so small that latency is all, and a link that a whole node shares",
            (MACHINES["h100-node"], MACHINES["80 GB device"], PLANS["FSDP2 mixed precision"]),
            {N: 16, S: "436,224,000 B", e: 4, T_lat: "3.4 µs", T_net: "14 µs", P: 8030261248, r: 1},
            (
                _DECIMAL, _S, "N counts the ranks that take part in a collective",
                "Bandwidths are nominal and of one direction: [[@W]] for each GPU's NVLink inside a node, [[@W_net]] for each of the [[@n_link]] network links of a node",
                "A message waits [[@T_lat]] inside a node and [[@T_net]] between nodes, as NCCL's own model has it for a step of a ring under its simple protocol",
                "A step is over when its slowest message has come; the adding of numbers, protocols and other traffic are left out",
                _FP32 + ", all fp32; low precision is transient", _STATE,
            ),
            "gradients of one block of Llama-3-8B in bf16, on [[@N]] GPUs in nodes of [[@n_node]]",
        ),
        Cell(
            "Q", "Hiding communication", "From how many tokens a GPU on does FSDP's communication hide behind compute?",
            "what no overlap hides: the first gather and the last reduction",
            (MODELS["Llama-3-8B"], MACHINES["H100 SXM 80 GB"], MACHINES["InfiniBand NDR"]),
            {
                N: 64, G: 64, b: 1, s: 8192, a_kv: 8, d_h: 128, n_mlp: 3, v: 128256, P_block: 218112000, P_all: 8030261248,
                b_e: "2 B", b_r: "4 B", W: "50 GB/s", X_gpu: "500 TFLOP/s", n_op: "2 FLOP", x_pair: "1/2", x_att: "5/2",
                u_lin: 0, u_core: 0, n_tok: "1e12", c_gpu: "2.5 USD/h",
            },
            (
                _DECIMAL, "A multiply-add is two operations, and a peak is the dense one", "While a GPU computes it delivers [[@X_gpu]], about half of its peak; waiting is counted apart",
                "[[@N]] GPUs share one copy over links of [[@R_bit]], which is [[@W]] in each direction; latency is left out", "Parameters are gathered in [[@b_e]] an element and gradients reduced in [[@b_r]]",
                "b is the batch per GPU; nothing is recomputed unless it is said", "Half of attention's scores are computed, and its backward pass costs [[@x_att]] forward passes",
            ),
            "Llama-3-8B on [[@N]] GPUs, [[@b]] sequence of [[@s]] tokens each",
        ),
        Cell(
            "R", "Pipelines and three dimensions", "What does a pipeline of [[@N_p]] stages waste, and what do its stages keep?",
            "fewer micro-batches than stages, and layers that the stages do not divide",
            (MODELS["GPT-3 175B"],),
            {
                G: 1024, N_p: 8, N_t: 8, N_c: 1, K_mb: 32, n_chk: 4, n_stage: 0, b: 1, s: 2048, b_a: 2, a_kv: 96, d_h: 128,
                A: "102 MiB", t_f: "80 ms", t_b: "160 ms", b_r: 2,
            },
            (
                "GB is 10^9 bytes and GiB is 2^30 bytes", "A bubble is a share of the ideal time, in which a stage works, or of the total time of the step; which one is always said",
                "Stages are alike and numbered from 0; sending takes no time unless it is asked for", "On each stage a micro-batch takes [[@t_f]] forward and [[@t_b]] backward, for all of its chunks together",
                "Micro-batches are those that one replica takes through its pipeline in an optimizer step",
                "A layer keeps [[@A]] of a micro-batch on a rank: split over the tensor group, scores recomputed",
            ),
            "GPT-3 on [[@G]] GPUs: [[@N_p]] stages, tensor groups of [[@N_t]], [[@K_mb]] micro-batches of [[@b]] sequence",
        ),
        Cell(
            "S", "Planning a run", "What should [[@G]] GPUs run, how long does a step take, and what would change the answer?",
            "times that are nominal: layouts that lie close together are ties",
            (MODELS["Llama-3-405B"], NODES["h100-node"], CONVENTIONS["Megatron"].plan),
            {  # degrees and micro-batches: arXiv:2407.21783, table 4
                G: 8192, N_t: 8, N_c: 1, N_p: 16, N_mesh: 64, R_rep: 1, K_mb: 32, b: 1, s: 8192, n_chk: 1, n_live: 15,
                L_st: 8, P_lay: 3187703808, P_end: 0, A: 3393257472, A_more: 0, n_w: 1, n_g: 1, n_o: 64, n_held: 8, u_w: 0, u_g: 0,
                F_seq: 164376988352512, F_log: 103285373534208, V_hid: 2684354560, V_ctx: 100663296, V_hop: 268435456, D_blk: 17159094272,
                n_pass: 3, u_last: 0, u_hop: 1, W_con: "50 GB/s", W_shd: "50 GB/s", W_rep: "50 GB/s", u_ar: 0, K_gat: 1, K_red: 1, r: 0,
                x_gemm: "3/5", x_tp: "3/4", x_dp: "1/2", x_mem: "3/4", T_lay: 0,
            },
            (
                _DECIMAL, _MIXED + "; parameter in bf16, all else in fp32", "ZeRO's stage 1: master copy, momentum and variance are divided by the [[@N_mesh]] ranks of the shard group, nothing else is",
                "The stage is the second: [[@L_st]] layers and neither embedding nor head; the first and the last have a layer less",
                "A is what a block keeps of one sequence of [[@s]] tokens in bf16 before any group splits it, gate and up among it; the activated gate, and its product with up, are made again",
                "F_seq counts a block forward and backward for one sequence, V_hid its ten all-gathers and reduce-scatters, and D_blk three passes of all that is saved, and what is made again",
                "Bandwidths are nominal and of one direction, and the peak is the dense one",
                "Reached are [[@x_gemm]] of the peak by matrix products, [[@x_tp]] of the node's links, [[@x_dp]] of the links between nodes, [[@x_mem]] of the memory's bandwidth: round figures, not measured",
                "A GPU's memory is what the driver reports; of it some GB are left for what is not counted",
            ),
            "Llama-3-405B on [[@G]] GPUs as its authors ran it: tensor groups of [[@N_t]], [[@N_p]] stages, [[@N_mesh]] data ranks, [[@K_mb]] micro-batches of [[@b]] sequence",
        ),
    )
}  # fmt: skip

READING_PATH: Final = tuple("ABGCDFEHIJKLMNOPQRS")


def cell_named(name: str) -> Cell:
    """The cell with this id.

    Raises
    ------
    UnknownName
        With the ids there are.
    """
    if name not in CELLS:
        raise UnknownName("cell", name, CELLS, f"the cells are {', '.join(CELLS)}")
    return CELLS[name]
