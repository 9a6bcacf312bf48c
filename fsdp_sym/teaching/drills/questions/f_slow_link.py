"""A slow link (cell F): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, R_bit, S, T_comm, T_comp, V, W
from ...misconceptions.principles import BITS, OWN_SHARD, SHARED_OUT, WHOLE_TENSOR
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import RANKS, TENSORS

_LINK = Chain(
    "all-gather-on-a-link", "[[N]] ranks all-gather a tensor of [[S]] over links of [[R_bit]] each, latency aside.",
    (("link_bandwidth", "GB/s"), ("all_gather", "MB"), ("all_gather_time", "ms")),
    {N: RANKS, S: TENSORS, R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps")},
)  # fmt: skip

SLOW_LINK = (
    Value(
        "F-bandwidth", "F", "compute", "link_bandwidth",
        "A link is sold as [[R_bit]] in each direction. What is that bandwidth in bytes per second?", "GB/s", {R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps", "800 Gbps")},
    ),
    Value(
        "F-all-gather-time", "F", "compute", "all_gather_time",
        "[[N]] ranks all-gather a tensor of [[S]] over links of [[R_bit]]. How long does it take, latency aside?",
        "ms", {S: TENSORS, N: RANKS, R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps")},
    ),
    Value(
        "F-transfer", "F", "compute", "transfer_time",
        "A rank receives [[V]] over a link of [[W]] in each direction. How long does that take, latency aside?", "ms", {V: TENSORS, W: ("1.25 GB/s", "3 GB/s", "12.5 GB/s", "25 GB/s", "50 GB/s")},
    ),
    Value(
        "F-time-limit", "F", "limit", "all_gather_time",
        "More and more ranks all-gather a tensor of [[S]] over links of [[R_bit]] each. To what does the time tend, latency aside?",
        "ms", {S: TENSORS, R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps")},
    ),
    Value(
        "F-hiding", "F", "backwards", "hiding_bandwidth",
        "A rank receives [[V]] while a layer computes for [[T_comp]]. What is the smallest bandwidth of its link, in each direction, at which the bytes hide behind the compute entirely, latency aside?",
        "GB/s", {V: TENSORS, T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms", "23 ms")},
    ),
    Value(
        "F-hiding-all-gather", "F", "backwards", "hiding_bandwidth_all_gather",
        "[[N]] ranks all-gather a tensor of [[S]] while a layer computes for [[T_comp]]. What is the smallest bandwidth of a rank's link, in each direction, at which the all-gather hides behind the compute entirely, latency aside?",
        "GB/s", {N: RANKS, S: TENSORS, T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms", "23 ms")},
    ),
    Written(
        "F-write-hiding", "F", "hiding_bandwidth_all_gather",
        "N ranks all-gather a tensor of S bytes while a layer computes for [[T_comp]]. At which bandwidth of a rank's link, in each direction and in bytes per second, does the all-gather just hide behind the compute, latency aside?",
        {T_comp: ("0.007 s", "0.008 s", "0.011 s", "0.013 s")},
    ),
    Written(
        "F-write-time", "F", "all_gather_time",
        "N ranks all-gather a tensor of S bytes over links of [[R_bit]] each. How long does it take, latency aside, in seconds?",
        {R_bit: ("10 Gbps", "25 Gbps", "100 Gbps", "200 Gbps", "400 Gbps")},
    ),
    Decide(
        "F-hides", "F", "communication_hides", "comm_to_compute",
        "A layer's communication takes [[T_comm]] on a slow link and its compute [[T_comp]]. If all of the communication may run beside the compute, does it hide entirely?",
        {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "6 ms", "9 ms", "12 ms", "15 ms")},
    ),
    WrongLine("F-wrong-line", "F", _LINK),
    Faded("F-faded", "F", _LINK, 3),
    Justify(
        "F-principle", "F", (Reason("link_bandwidth", 0, BITS), Reason("all_gather_time", 1, OWN_SHARD, (WHOLE_TENSOR, SHARED_OUT)), Reason("all_gather_time", 2, BITS)),
    ),
)  # fmt: skip
