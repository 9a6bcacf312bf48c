"""What goes wrong when tensor parallelism meets the other degrees (cell N)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import B, L, N_c, N_d, N_p, N_t, P_split, P_whole, R_rep, n_in
from .exact_principles import SPLIT
from .form import Misconception
from .principles import COLLECTIVES, LAYERS, OWN_SHARD, PRODUCT, SHARD_GROUP

_MEETINGS = ("tensor_parallel_reduces", "tensor_parallel_traffic")

MESHES = (
    Misconception(
        "all-degrees-divide-everything", ("replicated_over_tensor",), lambda _: (P_split + P_whole) * B / (N_d * N_p * N_t),
        "So many bytes a parameter, over all GPUs.", SPLIT,
        "What tensor parallelism leaves whole stands on every rank of its group: the tensor degree does not divide it.",
    ),
    Misconception(
        "tensor-degree-left-out", ("replicated_over_tensor",), lambda truth: truth.xreplace({N_t: S.One}),
        "Sharding divides over data ranks and stages.", PRODUCT,
        "Most parameters are split over the tensor group as well.",
    ),
    Misconception(
        "stages-left-out", ("replicated_over_tensor",), lambda truth: truth.xreplace({N_p: S.One}),
        "Every rank has all layers.", PRODUCT,
        "A stage has its own layers alone.",
    ),
    Misconception(
        "whole-means-undivided", ("replicated_over_tensor",), lambda _: P_split * B / (N_t * N_p * N_d) + P_whole * B,
        "What is not split is on every GPU.", SPLIT,
        "It is whole within a tensor group; stages and data-parallel ranks still divide it.",
    ),
    Misconception(
        "whole-part-forgotten", ("replicated_over_tensor",), lambda truth: truth.xreplace({P_whole: S.Zero}),
        "Norms and biases are nothing.", SPLIT,
        "They are little, and they are on every rank of the group.",
    ),
    Misconception(
        "backward-like-forward", _MEETINGS, lambda truth: truth.xreplace({n_in: S(2)}),
        "Backward is the mirror of forward: two meetings and two.", COLLECTIVES,
        "Every input that is taken on its own has its gradient reduced on its own.",
    ),
    Misconception(
        "forward-meetings-alone", _MEETINGS, lambda truth: truth.xreplace({n_in: S.Zero}),
        "The group meets once a half, and a block has two halves.", COLLECTIVES,
        "That is the forward pass; backward the gradients of the inputs are reduced.",
    ),
    Misconception(
        "meetings-of-one-block", _MEETINGS, lambda truth: truth.xreplace({L: S.One}),
        "The group meets so many times.", LAYERS,
        "So many times for every block.",
    ),
    Misconception(
        "meeting-is-one-pass", ("tensor_parallel_traffic",), lambda truth: truth / 2,
        "An all-reduce brings the vector once.", COLLECTIVES,
        "An all-reduce is a reduce-scatter and an all-gather: two passes.",
    ),
    Misconception(
        "own-part-reduced-too", ("tensor_parallel_traffic",), lambda truth: truth.xreplace({N_t - 1: N_t}),
        "Each rank receives the whole vector.", OWN_SHARD,
        "Its own part it has already, in either pass.",
    ),
    Misconception(
        "context-takes-no-gpus", ("mesh_size",), lambda truth: truth.xreplace({N_c: S.One}),
        "Ranks that share a sequence are counted already.", PRODUCT,
        "Each of them is a GPU of its own: the context degree multiplies like the others.",
    ),
    Misconception(
        "replicas-take-no-gpus", ("mesh_size",), lambda truth: truth.xreplace({R_rep: S.One}),
        "A mesh is as large as one replica of it.", PRODUCT,
        "Every replica has all of its ranks: the replicas multiply as well.",
    ),
    Misconception(
        "context-has-other-weights", ("mesh_shard_group",), lambda _: N_d,
        "A copy is shared by the ranks of the shard degree.", SHARD_GROUP,
        "Ranks with parts of one sequence use the same weights, and share the copy too.",
    ),
    Misconception(
        "shard-and-context-added", ("mesh_shard_group",), lambda _: N_d + N_c,
        "Both kinds of ranks share the copy, so their numbers add up.", PRODUCT,
        "Every part of the sequence is on every rank of the shard degree: the degrees multiply.",
    ),
)  # fmt: skip
