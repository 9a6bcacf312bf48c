"""What goes wrong with the times of collectives: latency, steps, levels, which bandwidth is meant, and whose link it is."""

from __future__ import annotations

from sympy import Add, Lt, Max, ceiling
from sympy import S as NUMBER

from ...algebra.vocabulary import N, S, T_comm, T_lat, T_net, V, W, W_net, e, n_link, n_node, x_lat
from .form import Misconception, Principle
from .principles import COLLECTIVES, ONE_WAY, OWN_SHARD, RATIO, WHOLE_TENSOR

LATENCY = Principle("each-message-has-its-latency", "Each message costs its latency once, however few its bytes, and messages that wait for each other add theirs.")
SHARE_OF_ALL = Principle("a-share-is-of-the-whole", "A share of a message's time is taken of the whole time, latency and bytes together.")
SHARED_LINK = Principle("messages-on-a-link-share-it", "Messages that take the same link at the same time share its bandwidth; on links of their own they don't.")
SLOWEST = Principle("the-slowest-link-sets-the-pace", "Links that work side by side are waited for until the slowest is through; what happens one after the other adds up.")

_FLAT = ("flat_ring_time", "full_sharding_time")
_LEVELS = ("hierarchical_all_reduce_time", "hybrid_sharding_time")
_RINGS = ("ring_all_gather_time", "ring_reduce_scatter_time", "ring_all_reduce_time", *_FLAT, "gather_across_nodes_time")
_SINGLE = ("ring_all_gather_time", "ring_reduce_scatter_time", "all_to_all_time", "gather_across_nodes_time")
_TIMES = ("message_time", *_RINGS, "all_to_all_time", "tree_all_reduce_time", *_LEVELS)
_SHARED = ("gather_across_nodes_time", *_LEVELS, "across_over_inside")

COLLECTIVES_IN_TIME = (
    Misconception(
        "latency-forgotten", (*_TIMES, "across_over_inside"), lambda truth: truth.xreplace({T_lat: NUMBER.Zero, T_net: NUMBER.Zero}),
        "Time is bytes over bandwidth.", LATENCY,
        "That is the time of the bytes alone; every message also waits for its latency.",
    ),
    Misconception(
        "bytes-forgotten", (*_TIMES, "across_over_inside"), lambda truth: truth.xreplace({1 / W: NUMBER.Zero, 1 / W_net: NUMBER.Zero}),
        "A message takes its latency.", LATENCY,
        "Latency is only until the first byte comes; the others follow at the link's bandwidth.",
    ),
    Misconception(
        "both-ways-at-once", _TIMES, lambda truth: truth.xreplace({W: 2 * W, W_net: 2 * W_net}),
        "A link carries its bandwidth in each direction, so I take twice as much.", ONE_WAY,
        "A message comes in one direction; what the other direction carries is another message.",
    ),
    Misconception(
        "a-ring-step-for-each-rank", (*_RINGS, "all_to_all_time"), lambda truth: truth * N / (N - 1),
        "There are as many steps in a round as there are ranks.", OWN_SHARD,
        "One's own part is there from the start, so there is one step fewer.",
    ),
    Misconception(
        "a-single-round", ("ring_all_reduce_time", "tree_all_reduce_time", "flat_ring_time"), lambda truth: truth / 2,
        "Once the sums are made, the all-reduce is done.", COLLECTIVES,
        "A sum is at one rank then; it still has to come to all the others.",
    ),
    Misconception(
        "a-tree-with-the-steps-of-a-ring", ("tree_all_reduce_time",), lambda truth: truth * (2**e - 1) / e,
        "Every rank but one sends its part, one after the other.", LATENCY,
        "In a level of a tree all pairs send side by side, so the levels are counted and not the ranks.",
    ),
    Misconception(
        "algorithm-for-bus-bandwidth", ("bus_bandwidth",), lambda _: S / T_comm,
        "Bandwidth is the tensor over the time.", COLLECTIVES,
        "That is the algorithm bandwidth; on the bus an all-reduce brings each rank nearly twice the tensor.",
    ),
    Misconception(
        "bus-bandwidth-by-the-gathers-factor", ("bus_bandwidth",), lambda truth: truth / 2,
        "Each rank receives all shards but its own.", COLLECTIVES,
        "That is an all-gather; an all-reduce has scattered the sums before it.",
    ),
    Misconception(
        "bus-bandwidth-with-ones-own-shard", ("bus_bandwidth",), lambda _: 2 * S / T_comm,
        "The whole tensor goes round twice.", OWN_SHARD,
        "A rank never receives its own shard, in neither of the two rounds.",
    ),
    Misconception(
        "latency-over-the-bytes-time", ("latency_share",), lambda _: T_lat * W / V,
        "I compare the latency with the time of the bytes.", SHARE_OF_ALL,
        "A share is of the whole: the latency itself belongs to the time below the line.",
    ),
    Misconception(
        "efficiency-for-latency", ("latency_share",), lambda truth: 1 - truth,
        "The share of the time in which bytes pass is asked for.", SHARE_OF_ALL,
        "That is the efficiency; what latency takes is the rest.",
    ),
    Misconception(
        "bucket-of-the-whole-time", ("bucket_for_efficiency",), lambda _: T_lat * W / x_lat,
        "The bucket passes during all of the message's time.", SHARE_OF_ALL,
        "During the latency nothing passes, so only the rest of the time is left to the bucket.",
    ),
    Misconception(
        "bucket-of-one-latency", ("bucket_for_efficiency",), lambda _: T_lat * W,
        "A bucket that fills the link during the latency uses it fully.", SHARE_OF_ALL,
        "Such a bucket passes in as long as its latency takes, and reaches just half of the bandwidth.",
    ),
    Misconception(
        "bucket-upside-down", ("bucket_for_efficiency",), lambda _: T_lat * W * x_lat / (1 - x_lat),
        "The bucket is to the latency as the share is to the rest.", SHARE_OF_ALL,
        "The less latency one will spare, the larger the bucket; yours becomes smaller.",
    ),
    Misconception(
        "two-rounds-for-one", _SINGLE, lambda truth: truth * 2,
        "What goes round goes round twice.", COLLECTIVES,
        "Twice is an all-reduce: it scatters sums and then gathers them; this is one of the two.",
    ),
    Misconception(
        "whole-tensor-a-step", (*_SINGLE, "ring_all_reduce_time"), lambda truth: truth.xreplace({S: N * S}),
        "Each step sends the tensor on.", WHOLE_TENSOR,
        "A step sends one part of it, as many as there are ranks; the whole tensor is what all steps together come to.",
    ),
    Misconception(
        "links-for-the-algorithm", ("algorithm_bandwidth",), lambda _: 2 * S * (N - 1) / (N * T_comm),
        "Bandwidth is what the links carry.", COLLECTIVES,
        "That is the bus bandwidth; the algorithm's is the tensor over the time, whatever the links carry for it.",
    ),
    Misconception(
        "gathers-factor-for-the-algorithm", ("algorithm_bandwidth",), lambda _: S * (N - 1) / (N * T_comm),
        "A rank's own shard does not count.", COLLECTIVES,
        "It counts here: the algorithm bandwidth asks how much tensor is done, not how much of it moved.",
    ),
    Misconception(
        "twice-for-the-algorithm", ("algorithm_bandwidth",), lambda _: 2 * S / T_comm,
        "The tensor goes round twice, so twice of it is done.", COLLECTIVES,
        "However often it goes round, one tensor is reduced in this time.",
    ),
    Misconception(
        "everybody-has-the-network-alone", _SHARED, lambda truth: truth.xreplace({n_link: n_node}),
        "A link between nodes has its bandwidth, so that is what a GPU gets.", SHARED_LINK,
        "All GPUs of the node send at the same time, and those that take the same link share it.",
    ),
    Misconception(
        "one-way-out-of-a-node", (*_SHARED, *_FLAT), lambda truth: truth.xreplace({n_link: NUMBER.One}),
        "A node has one link to the network.", SHARED_LINK,
        "It has several, and messages that take different ones do not wait for each other.",
    ),
    Misconception(
        "network-as-fast-as-nvlink", (*_FLAT, *_LEVELS), lambda truth: truth.xreplace({W_net: W, T_net: T_lat}),
        "A link is a link.", SLOWEST,
        "Between nodes bytes pass more slowly and latency is longer, and every step waits for that.",
    ),
    Misconception(
        "levels-of-a-ring-added", _FLAT, lambda truth: truth.replace(Max, Add),
        "Each step first goes through the node and then over the network.", SLOWEST,
        "In a step all links of a ring carry their pieces side by side, so the slower level alone is waited for.",
    ),
    Misconception(
        "slow-link-has-its-nth", _FLAT, lambda truth: truth.xreplace({W_net: N * W_net}),
        "One of all hops leaves the node, so the slow link has a small share of the traffic.", SLOWEST,
        "A piece crosses in every step: in a ring each link carries as much as any other, the slow one too.",
    ),
    Misconception(
        "phases-side-by-side", ("hierarchical_all_reduce_time",), lambda truth: Max(*truth.args),
        "Inside and across use different links, so the longer of the two counts.", SLOWEST,
        "A node's sums must be there before they are sent across: one phase waits for the other.",
    ),
    Misconception(
        "gather-inside-forgotten", ("hierarchical_all_reduce_time",), lambda truth: truth - (n_node - 1) * (T_lat + S / (n_node * W)),
        "After the exchange across nodes the sums are done.", COLLECTIVES,
        "Each GPU then has one shard of them; the node still has to gather the others.",
    ),
    Misconception(
        "whole-tensor-across", ("hierarchical_all_reduce_time",), lambda truth: truth.xreplace({W_net: W_net / n_node}),
        "Every GPU all-reduces the tensor across the nodes.", WHOLE_TENSOR,
        "Each GPU takes the shard alone that it summed inside its node.",
    ),
    Misconception(
        "bandwidths-compared-alone", ("across_over_inside",), lambda _: W / W_net,
        "It is as many times slower as the link is.", SHARED_LINK,
        "Ask also how many messages share that link, and what the latencies come to.",
    ),
    Misconception(
        "latencies-compared-alone", ("across_over_inside",), lambda _: T_net / T_lat,
        "Each step waits for its latency.", LATENCY,
        "That holds for the smallest tensors; here bytes take time as well.",
    ),
    Misconception(
        "inside-over-across", ("across_over_inside",), lambda truth: 1 / truth,
        "I divide the time inside by the time across.", RATIO,
        "How many times as long is the longer one over the shorter one.",
    ),
    Misconception(
        "crossover-of-one-latency", ("tree_ring_crossover",), lambda _: T_lat * W,
        "Small is what passes during one latency.", LATENCY,
        "That is where one message spends half its time waiting; ring and tree differ in how many messages they have.",
    ),
    Misconception(
        "rings-bytes-forgotten", ("tree_ring_crossover",), lambda _: T_lat * W * (2**e - 1 - e) / e,
        "The latencies saved are paid with all bytes of the tree.", COLLECTIVES,
        "The ring has bytes to send as well: the tree pays with what it sends more.",
    ),
    Misconception(
        "trees-latencies-forgotten", ("tree_ring_crossover",), lambda _: 2**e * (2**e - 1) * T_lat * W / (2**e * (e - 1) + 1),
        "The tree saves all latencies of the ring.", LATENCY,
        "A tree has a latency at each level; what it saves is the difference.",
    ),
    Misconception(
        "tree-always-wins", ("tree_is_faster",), lambda _: Lt(2 * e * T_lat, 2 * (2**e - 1) * T_lat),
        "A tree has fewer levels than a ring has steps, so it is faster.", LATENCY,
        "That compares latencies alone; at each level the tree sends the whole tensor.",
    ),
    Misconception(
        "ring-always-wins", ("tree_is_faster",), lambda _: Lt(2 * e * S / W, 2 * (2**e - 1) * S / (2**e * W)),
        "A ring moves the fewest bytes there can be, so it is faster.", LATENCY,
        "That compares bytes alone; a ring pays for them with a latency in each of its steps.",
    ),
    Misconception(
        "ring-of-whole-tensors", ("tree_is_faster",), lambda _: Lt(2 * e * (T_lat + S / W), 2 * (2**e - 1) * (T_lat + S / W)),
        "A message is as large in either.", WHOLE_TENSOR,
        "A message of a ring is one shard; only in a tree it is the whole tensor.",
    ),
    Misconception(
        "tree-of-one-round", ("tree_is_faster",), lambda _: Lt(e * (T_lat + S / W), 2 * (2**e - 1) * (T_lat + ceiling(S / 2**e) / W)),
        "The sum is made once it has come up the tree.", COLLECTIVES,
        "It is at the root then, and has to come down again to all the others.",
    ),
)  # fmt: skip
