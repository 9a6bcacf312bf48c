"""What goes wrong when traffic is counted (cells D and G, and the shard group of H)."""

from __future__ import annotations

from sympy import Expr, Integer, S

from ...algebra.vocabulary import G, N, V_rs, r
from .form import Misconception
from .principles import COLLECTIVES, OWN_SHARD, SHARD_GROUP, WHOLE_TENSOR

_ONE = ("all_gather", "reduce_scatter", "broadcast_shards", "hiding_bandwidth_all_gather")
_SHARDING = ("layer_traffic", "traffic_over_all_reduce")
_MANY = ("all_reduce", "layer_traffic", "zero_2_traffic", "zero_1_broadcast_traffic")



def _reductions(truth: Expr, times: int) -> Expr:
    """The gradients are scattered so many times instead of once: a collective among the others, or one of those that are counted."""
    return truth.xreplace({V_rs: times * V_rs}) if truth.has(V_rs) else truth.xreplace({r: r + times - 1})


COMMUNICATION = (
    Misconception(
        "received-its-own-shard", _ONE + _MANY, lambda truth: truth.xreplace({N - 1: N}),
        "A rank ends up with the whole tensor, so it receives the whole tensor.", OWN_SHARD,
        "A rank holds its own shard from the start and receives only those of the others.",
    ),
    Misconception(
        "received-one-shard", _ONE, lambda truth: truth / (N - 1),
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
        "forgot-the-second-gather", _SHARDING, lambda truth: truth.xreplace({r: S.Zero}),
        "Parameters are gathered for the forward pass and gradients scattered.", COLLECTIVES,
        "With resharding after the forward pass the parameters are gathered a second time for the backward pass.",
    ),
    Misconception(
        "forgot-the-reduce-scatter", _SHARDING, lambda truth: _reductions(truth, 0),
        "FSDP gathers parameters, and the gradients are local.", COLLECTIVES,
        "The gradients of all ranks must be summed: that is a reduce-scatter on top of the gathers.",
    ),
    Misconception(
        "sharding-on-top-of-all-reduce", _SHARDING, lambda truth: _reductions(truth, 2),
        "FSDP gathers parameters and then all-reduces gradients as before.", COLLECTIVES,
        "The gradients are reduce-scattered, which is half an all-reduce; nobody needs the other half.",
    ),
    Misconception(
        "higher-stage-always-costs", ("zero_2_traffic", "zero_2_over_all_reduce"), lambda truth: truth * Integer(3) / 2,
        "Every higher ZeRO stage moves more.", COLLECTIVES,
        "The first two stages move what plain data parallel moves, only in two halves; just the third moves more.",
    ),
    Misconception(
        "collectives-for-passes", ("traffic_over_all_reduce", "zero_2_over_all_reduce"), lambda truth: 2 * truth,
        "Plain data parallel has one collective, so sharding costs as many times more as it has.", COLLECTIVES,
        "Data parallel's one all-reduce is itself two passes: count passes, not collectives.",
    ),
    Misconception(
        "world-size-in-the-gather", ("all_gather",), lambda truth: truth.xreplace({N: G}),
        "An all-gather runs over all GPUs of the job.", SHARD_GROUP,
        "The gather runs over the ranks that share this slice of the model, not over the world.",
    ),
    Misconception(
        "world-for-shard-group", ("shard_group",), lambda _: G,
        "N is the number of GPUs.", SHARD_GROUP,
        "Only ranks with the same part of the model share it: pipeline and tensor degrees divide the world first.",
    ),
    Misconception(
        "ring-goes-round-twice", ("ring_steps",), lambda truth: 2 * truth,
        "A ring goes round twice.", COLLECTIVES,
        "Twice is an all-reduce, which scatters sums and then gathers them; a gather alone goes round once.",
    ),
    Misconception(
        "ring-steps-are-ranks", ("ring_steps",), lambda _: N + S.Zero,
        "There is one step for each rank.", OWN_SHARD,
        "A rank needs a step for each shard it does not have, one fewer than there are ranks.",
    ),
)  # fmt: skip
