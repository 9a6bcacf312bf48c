"""Bytes that crossed the sockets of real processes: TCP's own counters."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .form import Record, measured

_HOW: Final = "gloo over TCP, tcpi_bytes_received of every socket of a rank"
_FRAMING: Final = Fraction(4, 10000)  # the share that the transport adds
_S: Final = 12 * 10**6
_UNIT: Final = 4 * 1024**2  # bytes of one matrix of the stack


def _wire(id: str, formula: str, what: str, **at: int) -> Record:
    return measured(id, formula, at, what, "wire", _HOW, _FRAMING)


def _step(id: str, what: str, ranks: int, r: int, reduced: int = 1) -> Record:
    """A step whose gradients cross the wire `reduced` times."""
    sizes = {"N": ranks, "S_blk": 4 * _UNIT, "S_root": 2 * _UNIT, "S_g": reduced * 6 * _UNIT}
    return _wire(f"{id}-{ranks}", "step_traffic", f"{what}, {ranks} processes", **sizes, r=r, u_root=0, K_mb=1, u_sync=1)


WIRE: Final = (
    *(_wire(f"all-gather-{n}", "all_gather", f"all-gather of 12 MB, {n} processes", S=_S, N=n) for n in (2, 3, 4)),
    *(_wire(f"all-reduce-{n}", "all_reduce", f"all-reduce of 12 MB, {n} processes", S=_S, N=n) for n in (2, 3, 4)),
    *(
        _wire(f"gloo-scatter-{n}", "all_reduce", f"gloo's reduce-scatter, an all-reduce on the wire, {n} processes", S=_S, N=n)
        for n in (2, 4)
    ),
    *(_step("fsdp2", "FSDP2 with a reduce-scatter of its own, resharding", n, 1) for n in (2, 4)),
    *(_step("fsdp2-kept", "FSDP2 with a reduce-scatter of its own, not resharding", n, 0) for n in (2, 4)),
    *(_step("gloo-fsdp2", "FSDP2 as it is, gradients all-reduced by gloo, resharding", n, 1, reduced=2) for n in (2, 4)),
    *(_step("gloo-fsdp2-kept", "FSDP2 as it is, gradients all-reduced by gloo, not resharding", n, 0, reduced=2) for n in (2, 4)),
    *(_wire(f"zero-1-{n}", "zero_1_broadcast_traffic", f"DDP with ZeroRedundancyOptimizer, {n} processes", S=8 * _UNIT, N=n) for n in (2, 4)),
    *(
        measured(
            f"zero-1-state-{n}", "buffer_shard", {"P": 8 * 1024**2, "N": n, "b_buf": 8}, f"its optimizer states on a rank, {n} processes",
            "wire", "states of Adam added up: eight equal tensors, each assigned whole",
        )
        for n in (2, 4)
    ),
    *(
        measured(
            f"zero-1-whole-{n}", "whole_tensors", {"n_T": 6, "N": n, "S_big": 2 * _UNIT}, f"its states of six equal tensors, the fullest of {n} processes",
            "wire", "states of Adam added up on rank 0, which is dealt to first",
        )
        for n in (2, 4)
    ),
)  # fmt: skip
