"""The eight cells: each composes a model, a machine and a plan, adds its own givens, and prints its conventions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sympy import Symbol

from ..algebra.errors import UnknownName
from ..algebra.units import Amount
from ..algebra.vocabulary import (
    A,
    G,
    N,
    N_p,
    N_t,
    S,
    T_b,
    T_comm,
    T_comp,
    T_f,
    b,
    b_a,
    b_k,
    c,
    e,
    k,
    m,
    phi,
    r,
    read_value,
    rho_max,
    s,
    sigma,
)
from .machines import MACHINES
from .models import MODELS
from .plans import PLANS
from .rows import Row


@dataclass(frozen=True)
class Cell:
    """One scenario, from which the lesson, the exercise and the command line are views.

    Parameters
    ----------
    id : str
        Its letter.
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
        What must be said before a number means anything; printed with the cell.
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
        if not self.source or not self.conventions:
            raise ValueError(f"cell {self.id} needs a source and its conventions")

    @cached_property
    def values(self) -> dict[Symbol, Amount]:
        merged: dict[Symbol, Amount] = {}
        for part in self.parts:
            merged |= part.values
        return merged | {symbol: read_value(symbol, value) for symbol, value in self.given.items()}


_DECIMAL = "GB is 10^9 bytes and MB is 10^6 bytes"
_STATE = "memory is the persistent model state: parameters, gradients, optimizer states; no activations, no gathered units"
_SHARED = "every state is divided by N, the ranks of the shard group"
_S = "S is the whole, unsharded tensor, counted in bytes"

CELLS: Final[dict[str, Cell]] = {
    cell.id: cell
    for cell in (
        Cell(
            "A", "Memory in fp32", "How many bytes of model state does each GPU hold without mixed precision?",
            "at N = 1 sharding saves nothing",
            (MODELS["7B"], MACHINES["80 GB device"], PLANS["fp32 Adam"]), {N: 8},
            (_DECIMAL, "each parameter keeps 4 + 4 + 4 + 4 bytes: itself, gradient, momentum, variance, all fp32", _STATE, _SHARED),
            "a 7B model under fp32 Adam",
        ),
        Cell(
            "B", "Memory in mixed precision", "How many bytes a parameter when fp16 weights and an fp32 master copy live side by side?",
            "the master copy is easily forgotten",
            (MODELS["7B"], MACHINES["80 GB device"], PLANS["ZeRO mixed precision"]), {N: 64},
            (_DECIMAL, "each parameter keeps 2 + 2 + 4 + 4 + 4 bytes: itself and gradient in fp16; master copy, momentum, variance in fp32", _STATE, _SHARED),
            "the same 7B model in the ZeRO paper's bookkeeping",
        ),
        Cell(
            "C", "The activations", "What does a GPU hold once activations, which FSDP does not shard, are counted?",
            "activations can dwarf the sharded state",
            (MODELS["GPT-3 175B"], MACHINES["80 GB device"], PLANS["8-byte Adam"]),
            {N: 1024, b: 8, s: 2048, b_a: 2, b_k: 1, A: 402653184, c: 402653184, k: 8, T_f: "1 s", T_b: "2 s"},
            (
                _DECIMAL, "b is the batch per GPU", "one tensor of b x s x d elements in fp16 is counted for each layer, not all that a real layer keeps",
                "a checkpoint is the layer's input, the same tensor, so it costs as much as the layer", _STATE + " beside which activations are set",
                "the state is 2 + 2 + 4 + 8 + 8 bytes a parameter, averaged over 1024 ranks",
                "a backward pass costs two forward passes",
            ),
            "GPT-3's shape with two-byte activations and eight-byte Adam moments",
        ),
        Cell(
            "D", "Communication volume", "How many bytes does each rank receive in an all-gather and a reduce-scatter?",
            "as N grows, the cost per rank tends to the whole tensor",
            (), {S: "700 MB", N: 4, r: 0},
            (_DECIMAL, _S, "bytes received by one rank in one collective", "parameters stay gathered from forward to backward where r = 0 and are gathered again where r = 1"),
            "a group of parameters of 700 MB",
        ),
        Cell(
            "E", "Is sharding worth it?", "Is FSDP faster or slower than plain data parallel here?",
            "a small model that already fits only pays for sharding",
            (MODELS["1.3B"], MACHINES["80 GB device"], PLANS["8-byte Adam"]),
            {N: 8, T_comm: "3 ms", T_comp: "8 ms", rho_max: "3/10", sigma: "17.5 %", phi: "1/2", r: 1},
            (
                _DECIMAL, "each parameter keeps 2 + 2 + 4 + 8 + 8 bytes: the two Adam moments are 8 bytes wide, which is more than fp32", _STATE,
                "times are of one layer; slowdown is time added over compute time", "the 0.3 is a rule of thumb, not a theorem",
            ),
            "a 1.3B model on a fast link; times of one layer given",
        ),
        Cell(
            "F", "A slow link", "How long does one layer's all-gather take on a real network?",
            "the bandwidth, not the GPU, sets the pace",
            (MACHINES["10 GbE"],), {S: "700 MB", N: 8, T_comp: "8 ms"},
            (_DECIMAL, _S, "Gbps is 10^9 bits per second and a byte has 8 bits", "time is bytes over bandwidth: no latency, no overlap", "compute per layer is taken as in cell E"),
            "700 MB over 10 Gbps",
        ),
        Cell(
            "G", "Which ZeRO stage?", "Which is the smallest ZeRO stage whose state fits?",
            "sharding more than needed costs traffic",
            (MODELS["3B"], MACHINES["10 GB budget"], PLANS["ZeRO mixed precision"]), {N: 8, S: "6 GB", r: 1},
            (
                _DECIMAL, "each parameter keeps 2 + 2 + 4 + 4 + 4 bytes", _STATE,
                "stage 1 divides optimizer states by N, stage 2 gradients too, stage 3 everything", "traffic is in the ZeRO paper's schedule; S is the fp16 parameters",
            ),
            "a 3B model on 8 GPUs with 10 GB each to spend",
        ),
        Cell(
            "H", "3-D parallelism", "How do 1024 GPUs split into data, pipeline and tensor groups?",
            "the product must be the GPU count exactly",
            (MACHINES["8-GPU node"],), {G: 1024, N_p: 4, N_t: 8, e: 10, m: 3},
            ("a GPU has exactly one (data, pipeline, tensor) coordinate", "splits are ordered: which group is which matters", "a tensor group stays inside a node of 8", "the shard group of FSDP is the data-parallel group, not the world"),
            "1024 GPUs in nodes of 8, four pipeline stages, tensor groups of 8",
        ),
    )
}  # fmt: skip

READING_PATH: Final = tuple("ABGCDFEH")


def cell_named(name: str) -> Cell:
    """The cell with this letter.

    Raises
    ------
    UnknownName
        With the letters there are.
    """
    if name not in CELLS:
        raise UnknownName("cell", name, CELLS, f"the cells are {', '.join(CELLS)}")
    return CELLS[name]
