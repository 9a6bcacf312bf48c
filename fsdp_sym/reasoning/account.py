"""One rank's full account: every buffer by name, the phases of a step, the fullest of them, and whether it fits.

All figures are exact bytes. What is not counted is said with the answer: fragmentation, the device's context, compilation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, Literal

from ..algebra.arithmetic import compiled
from ..algebra.errors import FsdpSymError, OutOfRange, UnknownName
from ..algebra.vocabulary import b_c, b_g, b_m, b_v, b_w, b_x
from ..scenarios.conventions import CONVENTIONS, Convention
from ..scenarios.shapes import Shape
from .catalogue import formula

Optimizer = Literal["fused", "foreach", "for-loop"]
Recompute = Literal["none", "full"]
OPTIMIZERS: Final = ("fused", "foreach", "for-loop")
RECOMPUTES: Final = ("none", "full")
NOT_COUNTED: Final = "fragmentation, the device's context and libraries, compilation"
_STATISTIC, _LOGARITHM, _LOGIT = 4, 4, 4  # bytes: fp32 in fused kernels
_COUNTER: Final = 4


@dataclass(frozen=True)
class Part:
    """One buffer on the rank.

    Attributes
    ----------
    name : str
    size : int
        Bytes.
    formula : str
        The formula that gives it, by id.
    """

    name: str
    size: int
    formula: str


@dataclass(frozen=True)
class Phase:
    """What is held at the fullest moment of a phase."""

    name: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)


@dataclass(frozen=True)
class Account:
    """A rank's account.

    Attributes
    ----------
    convention : Convention
        What is kept of each parameter, and what is divided.
    persistent : tuple of Part
        Held between steps, gradients included.
    phases : tuple of Phase
        In the order of a step.
    """

    shape: Shape
    ranks: int
    rank: int
    convention: Convention
    persistent: tuple[Part, ...]
    phases: tuple[Phase, ...]

    @property
    def peak(self) -> Phase:
        """The fullest phase."""
        return max(self.phases, key=lambda phase: phase.size)

    def headroom(self, budget: int, margin: int = 0) -> int:
        """Bytes left of a device beside the peak and a margin; negative where it does not fit."""
        return budget - margin - self.peak.size


@dataclass(frozen=True)
class Step:
    """How a step is run.

    Parameters
    ----------
    batch, tokens : int
        Sequences of a micro-batch on this rank, and tokens of each.
    compute : int
        Bytes of an element as it is gathered and computed with.
    reduce : int
        Bytes of a gradient element as it is reduced.
    units_held : int
        Gathered units held at a time: the one in use, and those that are prefetched.
    recompute : str
        ``none``, or ``full``: a block keeps its input, and one block at a time is kept in full.
    optimizer : str
        How the optimizer walks the tensors, which decides its temporaries.
    fused_gate : bool
        Whether gate, activation and product are one kernel.
    """

    batch: int = 1
    tokens: int = 2048
    compute: int = 2
    reduce: int = 4
    units_held: int = 2
    recompute: Recompute = "none"
    optimizer: Optimizer = "foreach"
    fused_gate: bool = False

    def __post_init__(self) -> None:
        for name in ("batch", "tokens", "compute", "reduce", "units_held"):
            if type(value := getattr(self, name)) is not int or value < 1:
                raise OutOfRange(f"{name} is {value!r}: a positive whole number is wanted")
        for name, allowed in (("optimizer", OPTIMIZERS), ("recompute", RECOMPUTES)):
            if getattr(self, name) not in allowed:
                raise UnknownName(name, str(getattr(self, name)), allowed, f"it is one of {', '.join(allowed)}")


def account(shape: Shape, ranks: int, step: Step | None = None, *, convention: str = "FSDP2", rank: int = 0) -> Account:
    """What one rank holds, to the byte.

    Parameters
    ----------
    shape : Shape
    ranks : int
        The ranks that share the model: the shard group, not the world.
    step : Step, optional
    convention : str
        A convention that divides everything, by name.
    rank : int
        The rank's number, from 0.

    Raises
    ------
    FsdpSymError
        For an unknown convention, one that does not divide everything, a rank that is not there, or a mixture of experts.
    """
    step = step or Step()
    if convention not in CONVENTIONS:
        raise UnknownName("convention", convention, CONVENTIONS, f"they are {', '.join(CONVENTIONS)}")
    chosen = CONVENTIONS[convention]
    if not set(chosen.widths) <= chosen.divided:
        raise FsdpSymError(f"{chosen.name} leaves buffers whole, and an account is of fully sharded state: choose FSDP2 or ZeRO-3")
    if not 0 <= rank < ranks:
        raise OutOfRange(f"there is no rank {rank} of {ranks}: ranks are numbered from 0 to {ranks - 1}")
    persistent = _persistent(shape, ranks, rank, chosen)
    return Account(shape, ranks, rank, chosen, persistent, tuple(_phases(shape, ranks, rank, chosen, persistent, step)))


def _value(name: str, at: Mapping[str, int]) -> int:
    function, letters = _function(name)
    return int(function(*[at[x] for x in letters]))


@cache
def _function(name: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
    chosen = formula(name)
    return compiled(chosen.closed, chosen.letters), tuple(str(s.name) for s in chosen.letters)


@cache
def _sizes(shape: Shape) -> tuple[tuple[int, int, int], ...]:
    """Rows, elements of a row and how many alike, tensors of the same rows put together."""
    found: dict[tuple[int, int], int] = {}
    for t in shape.tensors:
        found[t.rows, t.rest] = found.get((t.rows, t.rest), 0) + t.alike
    return tuple((rows, rest, alike) for (rows, rest), alike in found.items())


@lru_cache(maxsize=1024)
def _rows(shape: Shape, ranks: int, rank: int) -> tuple[int, int]:
    """Elements of the rank's shards as allocated, and those that are really its own."""
    padded = own = 0
    for rows, rest, alike in _sizes(shape):
        at = {"d_0": rows, "N": ranks, "n_rank": rank}
        padded += alike * rest * _value("shard_rows", at)
        own += alike * rest * _value("rows_of_rank", at)
    return padded, own


def _persistent(shape: Shape, ranks: int, rank: int, chosen: Convention) -> tuple[Part, ...]:
    padded, own = _rows(shape, ranks, rank)
    widths = chosen.widths
    parts = [Part("sharded parameters", padded * widths[b_w], "tensor_on_rank")]
    if widths.get(b_g):
        parts.append(Part("sharded gradients", padded * widths[b_g], "tensor_on_rank"))
    states = {b_c: "master copy", b_m: "momentum", b_v: "variance", b_x: "other optimizer state"}
    parts += [Part(name, own * widths[s], "tensor_on_rank") for s, name in states.items() if widths.get(s)]
    if widths.get(b_m):
        parts.append(Part("step counters", _value("step_counters", {"n_T": shape.tensor_count, "b_step": _COUNTER}), "step_counters"))
    return tuple(parts)


def _phases(shape: Shape, ranks: int, rank: int, chosen: Convention, persistent: tuple[Part, ...], step: Step) -> list[Phase]:
    parameters, gradients = persistent[0], tuple(p for p in persistent if p.name == "sharded gradients")
    states = tuple(p for p in persistent[1:] if p not in gradients)
    unit = _largest_unit(shape)
    gathered = Part("gathered units", step.units_held * unit * step.compute, "gathered_in_step")
    kept = _activations(shape, step)
    logits = Part("logits and their copy", _value("logit_activations", _letters(shape, step)), "logit_activations")
    forward = (parameters, gathered, *kept, logits)
    unsharded = Part("unsharded gradients", unit * step.compute, "backward_peak")
    reducing = Part("reduction buffer", unit * step.reduce, "backward_peak")
    temporaries = Part("optimizer temporaries", _temporaries(shape, ranks, rank, step.optimizer), f"{step.optimizer} optimizer")
    return [
        Phase("first forward pass", forward),
        Phase("backward pass", (*forward, *states, *gradients, unsharded, reducing)),
        Phase("optimizer step", (*persistent, temporaries)),
        Phase("later forward pass", (*forward, *states)),
    ]


def _largest_unit(shape: Shape) -> int:
    """Elements of the largest wrapped unit: a block, or the root group with embedding, last norm and head."""
    blocks = sum(t.elements * t.alike for t in shape.tensors if t.group == "block") // shape.layers
    root = sum(t.elements * t.alike for t in shape.tensors if t.group != "block")
    return max(blocks, root)


def _letters(shape: Shape, step: Step) -> dict[str, int]:
    letters = {str(s.name): value for s, value in shape.letters().items()}
    return letters | {
        "b": step.batch, "s": step.tokens, "b_a": step.compute, "b_n": _STATISTIC, "b_l": _LOGARITHM, "b_f": _LOGIT,
        "u_fused": int(step.fused_gate),
    }  # fmt: skip


def _activations(shape: Shape, step: Step) -> tuple[Part, ...]:
    if shape.experts:
        raise FsdpSymError(f"{shape.name} has experts, whose activations depend on where the tokens go: no account of its step is given")
    at = _letters(shape, step)
    block = "llama_activations" if shape.gated else "fused_activations"
    one = _value(block, at)
    if step.recompute == "none":
        return (Part("activations of all blocks", shape.layers * one, block),)
    inputs = Part("inputs of all blocks", shape.layers * _value("full_recompute", at), "full_recompute")
    return (inputs, Part("activations of the block being recomputed", one, block))


def _temporaries(shape: Shape, ranks: int, rank: int, optimizer: Optimizer) -> int:
    """Adam's, in the width of the moments, which is that of the sharded parameters under FSDP2."""
    if optimizer == "fused":
        return 0
    if optimizer == "foreach":
        return _rows(shape, ranks, rank)[1] * 4
    largest = max(t.rest * _value("rows_of_rank", {"d_0": t.rows, "N": ranks, "n_rank": rank}) for t in shape.tensors)
    return _value("loop_temporaries", {"S_big": largest * 4}) if largest else 0
