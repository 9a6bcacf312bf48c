"""One rank's full account: every buffer by name, the phases of a step, the fullest of them, and whether it fits.

All figures are exact bytes. What is not counted is said with the answer: fragmentation, the device's context, compilation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..algebra.errors import FsdpSymError, OutOfRange, UnknownName
from ..algebra.vocabulary import b_c, b_g, b_m, b_v, b_w, b_x
from ..scenarios.conventions import CONVENTIONS, Convention
from ..scenarios.plans import BUFFERS
from ..scenarios.shapes import Shape
from .step import FP32, Step, phases, rows_held, value_of
from .timeline import Part, Phase

__all__ = ["NOT_COUNTED", "Account", "Part", "Phase", "Step", "account"]

NOT_COUNTED: Final = "fragmentation, the device's context and libraries, compilation"


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
        For an unknown convention, one that does not divide everything or has no gradients, more tokens than positions, a rank that
        is not there, or a mixture of experts.
    """
    step = step or Step()
    if convention not in CONVENTIONS:
        raise UnknownName("convention", convention, CONVENTIONS, f"they are {', '.join(CONVENTIONS)}")
    chosen = CONVENTIONS[convention]
    if not set(chosen.widths) <= chosen.divided:
        raise FsdpSymError(f"{chosen.name} leaves buffers whole, and an account is of fully sharded state: choose FSDP2 or ZeRO-3")
    if b_g not in chosen.widths:
        raise FsdpSymError(f"{chosen.name} keeps no gradients, and an account is of a training step: choose FSDP2 or ZeRO-3")
    if shape.positions and step.tokens > shape.positions:
        raise OutOfRange(
            f"{shape.name} has learned {shape.positions} positions, fewer than a sequence of {step.tokens} tokens has: take so many at most"
        )
    if ranks < 1:
        raise OutOfRange(f"{ranks} GPUs hold nothing of {shape.name}: give 1 GPU at least")
    if not 0 <= rank < ranks:
        raise OutOfRange(f"there is no rank {rank} of {ranks}: ranks are numbered from 0 to {ranks - 1}")
    persistent = _persistent(shape, ranks, rank, chosen)
    return Account(shape, ranks, rank, chosen, persistent, phases(shape, ranks, rank, persistent, step))


def _persistent(shape: Shape, ranks: int, rank: int, chosen: Convention) -> tuple[Part, ...]:
    padded, own = rows_held(shape, ranks, rank)
    widths = chosen.widths
    parts = [Part("sharded parameters", padded * widths[b_w], "tensor_on_rank")]
    if widths.get(b_g):
        parts.append(Part("sharded gradients", padded * widths[b_g], "tensor_on_rank"))
    states = {s: BUFFERS[s] for s in (b_c, b_m, b_v)} | {b_x: f"{BUFFERS[b_x]} optimizer state"}
    parts += [Part(name, own * widths[s], "tensor_on_rank") for s, name in states.items() if widths.get(s)]
    if widths.get(b_m):
        parts.append(Part("step counters", value_of("step_counters", {"n_T": shape.tensor_count, "b_step": FP32}), "step_counters"))
    return tuple(parts)
