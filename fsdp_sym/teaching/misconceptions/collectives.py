"""What goes wrong with the times of collectives: latency, steps, levels, and which bandwidth is meant."""

from __future__ import annotations

from sympy import S as NUMBER

from ...algebra.vocabulary import N, S, T_comm, T_lat, V, W, e, x_lat
from .form import Misconception, Principle
from .principles import COLLECTIVES, ONE_WAY, OWN_SHARD

LATENCY = Principle("each-message-has-its-latency", "Each message costs its latency once, however few its bytes, and messages that wait for each other add theirs.")
SHARE_OF_ALL = Principle("a-share-is-of-the-whole", "A share of a message's time is taken of the whole time, latency and bytes together.")

_RINGS = ("ring_all_gather_time", "ring_all_reduce_time")
_TIMES = ("message_time", *_RINGS, "tree_all_reduce_time")

COLLECTIVES_IN_TIME = (
    Misconception(
        "latency-forgotten", _TIMES, lambda truth: truth.xreplace({T_lat: NUMBER.Zero}),
        "Time is bytes over bandwidth.", LATENCY,
        "That is the time of the bytes alone; every message also waits for its latency.",
    ),
    Misconception(
        "bytes-forgotten", _TIMES, lambda truth: truth.xreplace({1 / W: NUMBER.Zero}),
        "A message takes its latency.", LATENCY,
        "Latency is only until the first byte comes; the others follow at the link's bandwidth.",
    ),
    Misconception(
        "both-ways-at-once", _TIMES, lambda truth: truth.xreplace({W: 2 * W}),
        "A link carries its bandwidth in each direction, so I take twice as much.", ONE_WAY,
        "A message comes in one direction; what the other direction carries is another message.",
    ),
    Misconception(
        "a-ring-step-for-each-rank", _RINGS, lambda truth: truth * N / (N - 1),
        "There are as many steps in a round as there are ranks.", OWN_SHARD,
        "A shard reaches the last rank one step earlier: its owner has it from the start.",
    ),
    Misconception(
        "a-single-round", ("ring_all_reduce_time", "tree_all_reduce_time"), lambda truth: truth / 2,
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
)  # fmt: skip
