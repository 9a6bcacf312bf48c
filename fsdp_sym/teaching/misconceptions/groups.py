"""What goes wrong when replicas, smaller groups, experts and adapters move bytes (cells J and N)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import L, L_frozen, N, N_t, R_rep, S_ad, S_root, b_step, n_grp, r, u_all, x_hot
from ...algebra.vocabulary import S as TENSOR
from .exact_principles import GATHERED_AGAIN, SPLIT
from .form import Misconception
from .principles import COLLECTIVES, OWN_SHARD, SHARD_GROUP

_PAIRS = ("sequence_parallel_pairs", "sequence_parallel_traffic")

GROUPS = (
    Misconception(
        "norms-summed-once", ("clip_traffic",), lambda truth: truth / 2,
        "The norms are added up, and that is one collective.", COLLECTIVES,
        "An all-reduce adds up and hands the sums round: a rank receives in both halves.",
    ),
    Misconception(
        "one-norm-for-the-model", ("clip_traffic",), lambda _: 2 * b_step * (N - 1) / N,
        "Clipping needs one norm.", COLLECTIVES,
        "The norm of each parameter tensor takes part, and only then are they put together.",
    ),
    Misconception(
        "own-norms-received", ("clip_traffic",), lambda truth: truth * N / (N - 1),
        "A rank receives the norms of all ranks.", OWN_SHARD,
        "Its own share of them it has already.",
    ),
    Misconception(
        "experts-equally-popular", ("expert_all_to_all",), lambda truth: truth.xreplace({x_hot: S.One}),
        "Tokens spread evenly over the experts.", COLLECTIVES,
        "The busiest rank receives more than its even share, and all others wait for it.",
    ),
    Misconception(
        "own-tokens-travel", ("expert_all_to_all",), lambda truth: truth * N / (N - 1),
        "All tokens of the busiest experts arrive over the link.", OWN_SHARD,
        "The tokens that the rank has itself do not travel.",
    ),
    Misconception(
        "frozen-base-not-gathered", ("lora_traffic",), lambda truth: truth.xreplace({TENSOR: S.Zero}),
        "What does not train does not move.", GATHERED_AGAIN,
        "The frozen base is computed with, so it is gathered as if it trained.",
    ),
    Misconception(
        "frozen-base-gathered-once", ("lora_traffic",), lambda truth: truth.xreplace({r: S.Zero}),
        "A frozen base is needed in the forward pass.", GATHERED_AGAIN,
        "The backward pass goes through the base as well, and it was freed in between.",
    ),
    Misconception(
        "base-reduced-too", ("lora_traffic",), lambda truth: truth.xreplace({S_ad: TENSOR}),
        "Every parameter that is gathered is reduced.", COLLECTIVES,
        "Only adapters have gradients; nothing of the base is reduced.",
    ),
    Misconception(
        "replicas-reduce-everything", ("replica_all_reduce",), lambda truth: truth * N,
        "Replicas all-reduce the gradients of the model.", SHARD_GROUP,
        "Each rank all-reduces its own shard alone, which the shard group has summed already.",
    ),
    Misconception(
        "replicas-sum-once", ("replica_all_reduce",), lambda truth: truth / 2,
        "Across replicas the shard is added up once.", COLLECTIVES,
        "An all-reduce is a reduce-scatter and an all-gather.",
    ),
    Misconception(
        "own-part-from-the-replicas", ("replica_all_reduce",), lambda truth: truth * R_rep / (R_rep - 1),
        "A rank receives the shards of all replicas.", OWN_SHARD,
        "Its own part it has already.",
    ),
    Misconception(
        "replicas-wait-for-the-last", ("replica_reduces_in_step",), lambda truth: truth.xreplace({u_all: S.Zero}),
        "Replicas meet once in a step.", COLLECTIVES,
        "Unless it is told to wait, every micro-batch reduces across the replicas as well.",
    ),
    Misconception(
        "root-group-has-no-replicas", ("replica_reduces_in_step",), lambda truth: truth * L / (L + 1),
        "Each block is reduced across the replicas.", COLLECTIVES,
        "So is the root group, which holds whatever no block does.",
    ),
    Misconception(
        "second-gathering-over-all", ("resharded_to_group",), lambda truth: truth.xreplace({n_grp: N}),
        "A group is gathered over the same ranks both times.", SHARD_GROUP,
        "After the forward pass the blocks are shared by the smaller group alone, so the second ring is shorter.",
    ),
    Misconception(
        "small-group-keeps-everything", ("resharded_to_group",), lambda truth: truth.xreplace({n_grp: S.One}),
        "Inside the small group nothing has to move.", GATHERED_AGAIN,
        "Each of its ranks keeps a share, and the blocks are gathered from them again.",
    ),
    Misconception(
        "root-group-in-the-small-group", ("resharded_to_group",), lambda truth: truth + S_root * (n_grp - 1) / n_grp,
        "Whatever was gathered forward is gathered again backward.", GATHERED_AGAIN,
        "The root group stays gathered between the passes.",
    ),
    Misconception(
        "frozen-blocks-reduce", ("scatters_with_frozen",), lambda truth: truth.xreplace({L_frozen: S.Zero}),
        "Every block that is gathered is reduced.", COLLECTIVES,
        "A frozen block has no gradients, so there is nothing of it to reduce.",
    ),
    Misconception(
        "root-group-frozen-too", ("scatters_with_frozen",), lambda truth: truth - 1,
        "The blocks that train are reduced.", COLLECTIVES,
        "The root group trains and reduces its gradients as well.",
    ),
    Misconception(
        "pairs-of-the-forward-pass", _PAIRS, lambda truth: truth / 2,
        "Each half of a block gathers and scatters once.", COLLECTIVES,
        "The backward pass does so too, the other way round.",
    ),
    Misconception(
        "a-pair-for-each-block", _PAIRS, lambda truth: truth / 4,
        "A block gathers its input and scatters its output.", COLLECTIVES,
        "Attention and feed-forward part each do so, forward and backward.",
    ),
    Misconception(
        "tokens-are-split-already", ("sequence_parallel_traffic",), lambda truth: truth / N_t,
        "A rank gathers its own tokens.", SPLIT,
        "It gathers the tokens of the whole group, of which it had one share.",
    ),
)  # fmt: skip
