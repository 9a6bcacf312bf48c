"""What goes wrong when traffic is counted (cells D and G, and the shard group of H)."""

from __future__ import annotations

from sympy import Integer
from sympy import S as ZERO

from ...algebra.vocabulary import G, N, S, r
from .form import Misconception
from .principles import COLLECTIVES, OWN_SHARD, SHARD_GROUP, WHOLE_TENSOR

_ONE = ("all_gather", "reduce_scatter")
_MANY = ("all_reduce", "layer_traffic", "zero_2_traffic", "zero_1_broadcast_traffic")

COMMUNICATION = (
    Misconception(
        "received-its-own-shard", _ONE + _MANY, lambda truth: truth.xreplace({N - 1: N}),
        "A rank ends up with the whole tensor, so it receives the whole tensor.", OWN_SHARD,
        "A rank holds its own shard from the start and receives only those of the others.",
    ),
    Misconception(
        "received-one-shard", _ONE, lambda _: S / N,
        "Each rank gets a shard.", OWN_SHARD,
        "One shard is what a rank has; it receives the shards of all the others.",
    ),
    Misconception(
        "one-rank-too-many", _ONE + _MANY, lambda truth: truth.xreplace({N - 1: N + 1}),
        "There is one transfer for each rank and one for good measure.", OWN_SHARD,
        "There are as many foreign shards as there are other ranks: one fewer than ranks.",
    ),
    Misconception(
        "s-is-the-shard", _ONE + _MANY, lambda truth: truth * N,
        "S is what one rank holds.", WHOLE_TENSOR,
        "S is the whole tensor; taken as a shard it makes the traffic too large by the number of ranks.",
    ),
    Misconception(
        "counted-one-shard-a-collective", _MANY, lambda truth: truth / (N - 1),
        "Each collective moves one shard.", OWN_SHARD,
        "A collective takes a step for every other rank, and each step brings a shard.",
    ),
    Misconception(
        "all-reduce-counted-once", ("all_reduce", "zero_2_traffic"), lambda truth: truth / 2,
        "An all-reduce is one pass around the ring.", COLLECTIVES,
        "An all-reduce is a reduce-scatter and then an all-gather: two passes.",
    ),
    Misconception(
        "forgot-the-second-gather", ("layer_traffic",), lambda _: 2 * S * (N - 1) / N,
        "Parameters are gathered for the forward pass and gradients scattered.", COLLECTIVES,
        "With resharding after the forward pass the parameters are gathered a second time for the backward pass.",
    ),
    Misconception(
        "forgot-the-reduce-scatter", ("layer_traffic",), lambda _: (1 + r) * S * (N - 1) / N,
        "FSDP gathers parameters, and the gradients are local.", COLLECTIVES,
        "The gradients of all ranks must be summed: that is a reduce-scatter on top of the gathers.",
    ),
    Misconception(
        "sharding-on-top-of-all-reduce", ("layer_traffic",), lambda _: (3 + r) * S * (N - 1) / N,
        "FSDP gathers parameters and then all-reduces gradients as before.", COLLECTIVES,
        "The gradients are reduce-scattered, which is half an all-reduce; nobody needs the other half.",
    ),
    Misconception(
        "higher-stage-always-costs", ("zero_2_traffic",), lambda truth: truth * Integer(3) / 2,
        "Every higher ZeRO stage moves more.", COLLECTIVES,
        "The first two stages move what plain data parallel moves, only in two halves; just the third moves more.",
    ),
    Misconception(
        "world-for-shard-group", ("shard_group",), lambda _: G,
        "N is the number of GPUs.", SHARD_GROUP,
        "Only ranks with the same part of the model share it: pipeline and tensor degrees divide the world first.",
    ),
    Misconception(
        "ring-steps-are-ranks", ("ring_steps",), lambda _: N + ZERO.Zero,
        "There is one step for each rank.", OWN_SHARD,
        "A rank needs a step for each shard it does not have, one fewer than there are ranks.",
    ),
)  # fmt: skip
