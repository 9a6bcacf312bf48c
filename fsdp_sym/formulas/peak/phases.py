"""A step under FSDP2 as named buffers that come and go: what the formulas of the peak are counted on.

Each function lists what is held at a moment of one phase. Gradients live from the backward pass until zero_grad, the
optimizer's states from the first step on, the root group is gathered from the first forward to the last backward; a unit is
gathered while it is used.
"""

from __future__ import annotations

from typing import NamedTuple


class Buffer(NamedTuple):
    """Something held, and its bytes."""

    name: str
    size: int


def units(how_many: int, size: int) -> list[Buffer]:
    """The gathered units held at a moment."""
    return [Buffer(f"gathered unit {number}", size) for number in range(1, how_many + 1)]


def first_forward(M_w: int, S_root: int, n_held: int, S_unit: int, A_all: int) -> list[Buffer]:
    """No gradients and no optimizer states yet."""
    whole = [Buffer("sharded parameters", M_w), Buffer("gathered root group", S_root)]
    return [*whole, *units(n_held, S_unit), Buffer("activations", A_all)]


def later_forward(M_w: int, M_o: int, S_root: int, n_held: int, S_unit: int, A_all: int) -> list[Buffer]:
    """Gradients were let go by zero_grad; the optimizer's states stay."""
    return [*first_forward(M_w, S_root, n_held, S_unit, A_all), Buffer("optimizer states", M_o)]


def backward(
    M_w: int, M_g: int, M_o: int, S_root: int, S_rg: int, n_held: int, S_unit: int, S_ug: int, S_red: int, A_all: int
) -> list[Buffer]:  # fmt: skip
    """What is left of the activations, what there is of sharded gradients, and a unit's on their way into the reduction."""
    left = later_forward(M_w, M_o, S_root, n_held, S_unit, A_all)
    waiting = [Buffer("root group's unsharded gradients", S_rg), Buffer("a unit's unsharded gradients", S_ug)]
    return [*left, Buffer("sharded gradients", M_g), *waiting, Buffer("reduction buffer", S_red)]


def optimizer_step(M_w: int, M_g: int, M_o: int, M_tmp: int) -> list[Buffer]:
    """No activations and no gathered units; the optimizer's temporaries."""
    states = [Buffer("sharded parameters", M_w), Buffer("sharded gradients", M_g), Buffer("optimizer states", M_o)]
    return [*states, Buffer("temporaries", M_tmp)]


def held(buffers: list[Buffer]) -> int:
    """Bytes of all of them."""
    return sum(buffer.size for buffer in buffers)
