"""A step under FSDP2 as named buffers that come and go: what the formulas of the peak are counted on.

Each phase is the list of what is held at its fullest moment. Gradients live from the backward pass until zero_grad, the
optimizer's states from the first step on; a unit is gathered while it is used.
"""

from __future__ import annotations

from typing import NamedTuple


class Buffer(NamedTuple):
    """Something held, and its bytes."""

    name: str
    size: int


def units(how_many: int, size: int) -> list[Buffer]:
    """The gathered units held at a time."""
    return [Buffer(f"gathered unit {number}", size) for number in range(1, how_many + 1)]


def first_forward(M_w: int, n_held: int, S_unit: int, A_all: int) -> list[Buffer]:
    """No gradients and no optimizer states yet."""
    return [Buffer("sharded parameters", M_w), *units(n_held, S_unit), Buffer("activations", A_all)]


def later_forward(M_w: int, M_o: int, n_held: int, S_unit: int, A_all: int) -> list[Buffer]:
    """Gradients were let go by zero_grad; the optimizer's states stay."""
    return [*first_forward(M_w, n_held, S_unit, A_all), Buffer("optimizer states", M_o)]


def backward(M_w: int, M_g: int, M_o: int, n_held: int, S_unit: int, S_ug: int, S_red: int, A_all: int) -> list[Buffer]:
    """At its fullest: all activations, a unit with its unsharded gradients on the way into the reduction, and sharded gradients."""
    held = later_forward(M_w, M_o, n_held, S_unit, A_all)
    return [*held, Buffer("sharded gradients", M_g), Buffer("unsharded gradients", S_ug), Buffer("reduction buffer", S_red)]


def optimizer_step(M_w: int, M_g: int, M_o: int, M_tmp: int) -> list[Buffer]:
    """No activations and no gathered units; the optimizer's temporaries."""
    states = [Buffer("sharded parameters", M_w), Buffer("sharded gradients", M_g), Buffer("optimizer states", M_o)]
    return [*states, Buffer("temporaries", M_tmp)]


def held(buffers: list[Buffer]) -> int:
    """Bytes of all of them."""
    return sum(buffer.size for buffer in buffers)
