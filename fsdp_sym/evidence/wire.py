"""Bytes that crossed the sockets of real processes, over the bytes of the tensor: TCP's own counters."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .form import TORCH, Record

_HOW: Final = "gloo over TCP, tcpi_bytes_received of every socket; framing is less than 0.04 %"
_RUN: Final = "fsdp-sym measure --only wire"
_FRAMING: Final = Fraction(4, 10000)
_S: Final = 12 * 10**6


def _ratio(name: str, formula: str, ranks: int, ratio: str) -> Record:
    value = Fraction(ratio) * _S
    return Record(f"{name}-{ranks}", formula, {"S": _S, "N": ranks}, value, f"{name} of 12 MB over {ranks} processes", TORCH, _HOW, _RUN, _FRAMING)


WIRE: Final = (
    _ratio("all-gather", "all_gather", 2, "0.50007"),
    _ratio("all-gather", "all_gather", 3, "0.6668"),
    _ratio("all-gather", "all_gather", 4, "0.7502"),
    _ratio("all-reduce", "all_reduce", 2, "1.00014"),
    _ratio("all-reduce", "all_reduce", 3, "1.33361"),
    _ratio("all-reduce", "all_reduce", 4, "1.50041"),
)
