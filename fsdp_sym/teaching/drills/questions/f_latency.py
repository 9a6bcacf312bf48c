"""A slow link (cell F), latency included: its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, S, T_comm, T_lat, V, W, e, x_lat
from ..value import Value
from ..written import Written
from .common import RANKS, TENSORS

_LATENCIES = ("3 ms", "4 ms", "5 ms", "7 ms")
_LINKS = ("1.25 GB/s", "3 GB/s", "12.5 GB/s", "25 GB/s")
_NARROW = ("1.25 GB/s", "3 GB/s", "5 GB/s")
_LINK = "Each message has a latency of [[T_lat]], and a link carries [[W]] in each direction."

LATENCY = (
    Value("F-message", "F", "compute", "message_time", f"A message has [[V]]. {_LINK} How long does it take, latency included?", "ms", {V: TENSORS, W: _LINKS, T_lat: ("20 ms", "30 ms", "50 ms", "70 ms")}),
    Value(
        "F-ring-gather", "F", "compute", "ring_all_gather_time",
        f"[[N]] ranks all-gather a tensor of [[S]] in a ring. {_LINK} How long does it take, latencies included?", "ms", {S: TENSORS, N: RANKS, W: _NARROW, T_lat: _LATENCIES},
    ),
    Value(
        "F-ring-reduce", "F", "compute", "ring_all_reduce_time",
        f"[[N]] ranks all-reduce a tensor of [[S]] in a ring. {_LINK} How long does it take, latencies included?", "ms", {S: TENSORS, N: RANKS, W: _NARROW, T_lat: _LATENCIES},
    ),
    Value(
        "F-tree-reduce", "F", "compute", "tree_all_reduce_time",
        f"Ranks all-reduce a tensor of [[S]] in a binary tree of [[e]] levels, up and down again, the whole tensor in each message. {_LINK} How long does it take, latencies included?",
        "ms", {S: TENSORS, e: ("3", "4", "5", "6", "7", "8"), W: _LINKS, T_lat: ("20 ms", "30 ms", "50 ms")},
    ),
    Value(
        "F-bus", "F", "compute", "bus_bandwidth",
        "An all-reduce of [[S]] on [[N]] ranks was measured to take [[T_comm]]. What is its bus bandwidth, as nccl-tests defines it?",
        "GB/s", {S: TENSORS, N: RANKS, T_comm: ("70 ms", "80 ms", "110 ms", "130 ms")},
    ),
    Value(
        "F-latency-share", "F", "compute", "latency_share",
        f"A message has [[V]]. {_LINK} Which share of its time is latency?", "", {V: TENSORS, W: _LINKS, T_lat: ("20 ms", "30 ms", "50 ms", "70 ms")},
    ),
    Value(
        "F-bucket", "F", "backwards", "bucket_for_efficiency",
        f"{_LINK} How large must a bucket be for latency to be [[x_lat]] of its time?", "MB", {W: _LINKS, T_lat: _LATENCIES, x_lat: ("1/5", "1/6", "1/8", "1/10", "1/20")},
    ),
    Written(
        "F-write-bucket", "F", "bucket_for_efficiency",
        "A message has a latency of T_lat seconds, and a link carries W bytes per second in each direction. How many bytes must a bucket have for latency to be [[x_lat]] of its time?",
        {x_lat: ("1/5", "1/8", "1/10", "1/20")},
    ),
)  # fmt: skip
