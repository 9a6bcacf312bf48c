"""Collectives in time (cell P): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, S, T_comm, T_lat, T_net, V, W, W_net, e, n_link, n_node, x_lat
from ...misconceptions.collectives import LATENCY, SHARE_OF_ALL, SHARED_LINK, SLOWEST
from ...misconceptions.principles import COLLECTIVES, OWN_SHARD, SHARED_OUT, WHOLE_TENSOR
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import RANKS, TENSORS

_SMALL = ("150 kB", "270 kB", "404.8 kB", "436.2 kB", "700 kB", "871 kB", "1.2 MB", "1.75 MB", "2.3 MB")
_MEDIUM = ("1.5 MB", "2.7 MB", "4.04 MB", "4.36 MB", "7 MB", "8.7 MB", "12 MB", "17.5 MB", "23 MB")
_LATENCIES = ("3 µs", "4 µs", "5 µs", "7 µs")
_LONG = ("20 µs", "30 µs", "50 µs", "70 µs")
_LINKS = ("1.25 GB/s", "3 GB/s", "12.5 GB/s", "25 GB/s")
_NARROW = ("1.25 GB/s", "3 GB/s", "5 GB/s")
_TWO_LEVELS: Draws = {S: _MEDIUM, n_node: ("8",), W: ("150 GB/s", "300 GB/s"), T_lat: ("2 µs", "3 µs"), W_net: ("12.5 GB/s", "25 GB/s", "50 GB/s"), T_net: ("7 µs", "9 µs", "11 µs")}
_LINK = "Each message has a latency of [[T_lat]], and a link carries [[W]] in each direction."
_NODES = "Nodes have [[n_node]] GPUs each. Inside a node a GPU's link carries [[W]] and a message waits [[T_lat]]; a node has [[n_link]] network links of [[W_net]] each, where a message waits [[T_net]]. All bandwidths are of one direction."
_APART = f"{_NODES} Shard groups of [[N]] ranks all-gather tensors of [[S]] in rings, all groups at once."

_MEASURED = Chain(
    "bandwidths-of-a-run", "An all-reduce of [[S]] on [[N]] ranks was measured to take [[T_comm]].",
    (("algorithm_bandwidth", "GB/s"), ("all_reduce", "MB"), ("bus_bandwidth", "GB/s")), {S: TENSORS, N: RANKS, T_comm: ("70 ms", "80 ms", "110 ms", "130 ms")},
)  # fmt: skip
_PLACED = Chain(
    "where-a-group-sits", f"{_APART} Worked out are the time where each rank of a group sits in another node, the time where a group lies inside one node, and how many times as long the first is.",
    (("gather_across_nodes_time", "ms"), ("ring_all_gather_time", "ms"), ("across_over_inside", "")), {**_TWO_LEVELS, N: ("3", "4", "5", "6", "7"), n_link: ("2", "4")},
)  # fmt: skip

COLLECTIVES_IN_TIME = (
    Value("P-message", "P", "compute", "message_time", f"A message has [[V]]. {_LINK} How long does it take, latency included?", "ms", {V: _SMALL, W: _LINKS, T_lat: _LONG}),
    Value(
        "P-ring-gather", "P", "compute", "ring_all_gather_time",
        f"[[N]] ranks all-gather a tensor of [[S]] in a ring. {_LINK} How long does it take, latencies included?", "ms", {S: _SMALL, N: RANKS, W: _NARROW, T_lat: _LATENCIES},
    ),
    Value(
        "P-ring-reduce", "P", "compute", "ring_all_reduce_time",
        f"[[N]] ranks all-reduce a tensor of [[S]] in a ring. {_LINK} How long does it take, latencies included?", "ms", {S: _SMALL, N: RANKS, W: _NARROW, T_lat: _LATENCIES},
    ),
    Value(
        "P-tree-reduce", "P", "compute", "tree_all_reduce_time",
        f"Ranks all-reduce a tensor of [[S]] in a binary tree of [[e]] levels, up and down again, the whole tensor in each message. {_LINK} How long does it take, latencies included?",
        "ms", {S: _SMALL, e: ("3", "4", "5", "6", "7", "8"), W: _LINKS, T_lat: _LONG},
    ),
    Value(
        "P-bus", "P", "compute", "bus_bandwidth",
        "An all-reduce of [[S]] on [[N]] ranks was measured to take [[T_comm]]. What is its bus bandwidth, as nccl-tests defines it?",
        "GB/s", {S: TENSORS, N: RANKS, T_comm: ("70 ms", "80 ms", "110 ms", "130 ms")},
    ),
    Value(
        "P-latency-share", "P", "compute", "latency_share",
        f"A message has [[V]]. {_LINK} Which share of its time is latency?", "", {V: _SMALL, W: _LINKS, T_lat: _LONG},
    ),
    Value(
        "P-bucket", "P", "backwards", "bucket_for_efficiency",
        f"{_LINK} How large must a bucket be for latency to be [[x_lat]] of its time?", "kB", {W: _LINKS, T_lat: _LATENCIES, x_lat: ("1/5", "1/6", "1/8", "1/10", "1/20")},
    ),
    Written(
        "P-write-bucket", "P", "bucket_for_efficiency",
        "A message has a latency of T_lat seconds, and a link carries W bytes per second in each direction. How many bytes must a bucket have for latency to be [[x_lat]] of its time?",
        {x_lat: ("1/5", "1/8", "1/10", "1/20")},
    ),
    Value(
        "P-ring-scatter", "P", "compute", "ring_reduce_scatter_time",
        f"[[N]] ranks reduce-scatter a tensor of [[S]] in a ring. {_LINK} How long does it take, latencies included and the adding aside?", "ms", {S: _SMALL, N: RANKS, W: _NARROW, T_lat: _LATENCIES},
    ),
    Value(
        "P-all-to-all", "P", "compute", "all_to_all_time",
        f"Each of [[N]] ranks has [[S]] to deal out, an equal part to every rank, and keeps its own part. In a round it sends one part and receives one. {_LINK} How long does it take, latencies included?",
        "ms", {S: _SMALL, N: RANKS, W: _NARROW, T_lat: _LATENCIES},
    ),
    Value(
        "P-algorithm", "P", "compute", "algorithm_bandwidth",
        "An all-reduce of [[S]] on [[N]] ranks was measured to take [[T_comm]]. What is its algorithm bandwidth, as nccl-tests defines it?",
        "GB/s", {S: TENSORS, N: RANKS, T_comm: ("70 ms", "80 ms", "110 ms", "130 ms")},
    ),
    Value(
        "P-flat", "P", "compute", "flat_ring_time",
        f"{_NODES} [[N]] GPUs all-reduce a tensor of [[S]] in [[n_link]] rings of an equal part each. Every ring passes all GPUs and leaves each node once, by a link of its own, from another GPU; a step of the rings is over when its slowest message has come. How long does it take?",
        "ms", {**_TWO_LEVELS, N: ("16", "24", "32", "48", "64"), n_link: ("2", "4", "8")},
    ),
    Value(
        "P-hierarchy", "P", "compute", "hierarchical_all_reduce_time",
        f"{_NODES} [[N]] GPUs all-reduce a tensor of [[S]] in three phases, one after the other: a ring reduce-scatter inside each node, ring all-reduces of the shards across the nodes, all at once, and a ring all-gather inside each node. How long does it take?",
        "ms", {**_TWO_LEVELS, N: ("16", "24", "32", "48", "64"), n_link: ("2", "4")},
    ),
    Value(
        "P-across", "P", "compute", "gather_across_nodes_time",
        "Nodes have [[n_node]] GPUs and [[n_link]] network links of [[W_net]] each in one direction, where a message waits [[T_net]]. Shard groups of [[N]] ranks, each rank in another node, all-gather tensors of [[S]] in rings, all groups at once and spread evenly over the links. How long does it take?",
        "ms", {S: _SMALL, N: ("4", "6", "8", "12", "16"), n_node: ("8",), n_link: ("2", "4"), W_net: ("12.5 GB/s", "25 GB/s", "50 GB/s"), T_net: ("7 µs", "9 µs", "11 µs")},
    ),
    Value(
        "P-placement", "P", "compute", "across_over_inside",
        f"{_APART} Each rank of a group sits in another node, and groups are spread evenly over the links. How many times as long does it take as if each group lay inside one node?",
        "", {**_TWO_LEVELS, N: ("3", "4", "5", "6", "7"), n_link: ("2", "4")},
    ),
    Value(
        "P-crossover", "P", "backwards", "tree_ring_crossover",
        f"2^[[e]] ranks all-reduce a tensor, in a ring or in a binary tree of [[e]] levels, up and down again, the whole tensor in each message. {_LINK} At which size do both take the same time?",
        "kB", {e: ("2", "3", "4", "5", "6", "7", "8"), W: _LINKS, T_lat: _LATENCIES},
    ),
    Decide(
        "P-tree-or-ring", "P", "tree_is_faster", "tree_is_faster",
        f"2^[[e]] ranks all-reduce a tensor of [[S]]. {_LINK} A binary tree of [[e]] levels sends the whole tensor in each message, up and down again; a ring sends a shard in each. Is the tree faster?",
        {e: ("3", "4", "5", "6"), S: ("2 kB", "8 kB", "150 kB", "700 kB", "2.3 MB"), W: _LINKS, T_lat: _LATENCIES},
    ),
    Written(
        "P-write-ring", "P", "ring_all_reduce_time",
        "[[N]] ranks all-reduce a tensor of S bytes in a ring. A message has a latency of T_lat seconds, and a link carries W bytes per second in each direction. How long does it take, latencies included, in seconds?",
        {N: ("4", "6", "8", "12", "16", "24", "32")},
    ),
    WrongLine("P-wrong-line", "P", _MEASURED),
    WrongLine("P-placement-wrong-line", "P", _PLACED),
    Faded("P-faded", "P", _PLACED, 2),
    Justify(
        "P-principle", "P",
        (
            Reason("message_time", 0, LATENCY, (SHARE_OF_ALL,)),
            Reason("ring_all_reduce_time", 0, COLLECTIVES, (OWN_SHARD,)),
            Reason("latency_share", 2, SHARE_OF_ALL, (LATENCY,)),
            Reason("gather_across_nodes_time", 1, SHARED_LINK, (SHARED_OUT, SLOWEST)),
            Reason("flat_ring_time", 0, SLOWEST, (OWN_SHARD, LATENCY, COLLECTIVES)),
            Reason("all_to_all_time", 2, OWN_SHARD, (WHOLE_TENSOR,)),
        ),
    ),
)  # fmt: skip
