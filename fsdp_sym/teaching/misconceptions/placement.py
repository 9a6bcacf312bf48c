"""What goes wrong when GPUs are split (cell H)."""

from __future__ import annotations

from sympy import Eq, Ge, Le, S, floor

from ...algebra.vocabulary import G, N_d, N_p, N_t, e, m, n_node
from .form import Misconception
from .principles import NODE, PRODUCT, SHARD_GROUP, WHOLE_RANKS

_MISSING = ("data_degree", "shard_group")
_CUT = (*_MISSING, "slice_parameters", "world_size", "mesh_data_degree")

PLACEMENT = (
    Misconception(
        "degrees-added", ("world_size",), lambda _: N_d + N_p + N_t,
        "The degrees add up to the number of GPUs.", PRODUCT,
        "Every replica has all stages and every stage all tensor ranks: the degrees multiply.",
    ),
    Misconception(
        "subtracted-the-degrees", _MISSING, lambda _: G - N_p - N_t,
        "What stages and tensor groups leave over is for data parallelism.", PRODUCT,
        "The degrees multiply to the world, so the missing one is found by dividing.",
    ),
    Misconception(
        "divided-by-the-sum", (*_MISSING, "slice_parameters"), lambda truth: truth * N_p * N_t / (N_p + N_t),
        "A replica takes as many GPUs as stages and tensor ranks together.", PRODUCT,
        "A replica takes stages times tensor ranks.",
    ),
    Misconception(
        "forgot-the-pipeline", _CUT, lambda truth: truth.xreplace({N_p: S.One}),
        "Only the tensor groups cut it up.", PRODUCT,
        "A replica also has all pipeline stages, each with GPUs and parameters of its own.",
    ),
    Misconception(
        "forgot-the-tensor-groups", _CUT, lambda truth: truth.xreplace({N_t: S.One}),
        "Only the pipeline stages cut it up.", PRODUCT,
        "Every stage is also split over a tensor group, slot by slot.",
    ),
    Misconception(
        "whole-world", ("data_degree",), lambda _: G + floor(0),
        "Every GPU has its own data.", SHARD_GROUP,
        "The GPUs of one replica work on the same data; only replicas differ.",
    ),
    Misconception(
        "remainder-dropped", ("data_degree",), lambda _: floor(G / (N_p * N_t)),
        "The quotient is not whole, so I drop the fraction.", WHOLE_RANKS,
        "With the fraction dropped some GPUs have no place: the product is not the world, and there is no such degree.",
    ),
    Misconception(
        "degrees-chosen-alone", ("ordered_splits", "ordered_splits_in_node"), lambda truth: (e + 1) * ((m if truth.has(m) else e) + 1),
        "Tensor and pipeline degree are chosen one by one, and data takes the rest.", PRODUCT,
        "The degrees multiply to the world: what one of them takes the others cannot have.",
    ),
    Misconception(
        "every-two-goes-anywhere", ("ordered_splits",), lambda _: S(3) ** e,
        "Each factor of two goes to one of the three degrees.", PRODUCT,
        "The factors of two are alike: only how many of them a degree gets makes a split.",
    ),
    Misconception(
        "no-degree-of-one", ("ordered_splits",), lambda _: (e - 1) * (e - 2) / 2,
        "Each of the three kinds of parallelism is used.", PRODUCT,
        "A degree may be one: a job without a pipeline is a split as well.",
    ),
    Misconception(
        "node-limit-ignored", ("ordered_splits_in_node",), lambda _: (e + 1) * (e + 2) / 2,
        "All splits of the world count.", NODE,
        "Splits whose tensor group is larger than a node do not count here.",
    ),
    Misconception(
        "split-within-a-node", ("ordered_splits_in_node",), lambda truth: truth.xreplace({e: m}),
        "The node is what is split.", NODE,
        "Only the tensor group must stay in a node; the job is split as a whole.",
    ),
    Misconception(
        "replica-in-a-node", ("tensor_group_fits_node", "tensor_group_tiles_node"), lambda truth: truth.xreplace({N_t: N_t * N_p}),
        "A replica with all its stages has to sit in one node.", NODE,
        "Stages pass little between them and may lie in different nodes; it is the tensor group that must not.",
    ),
    Misconception(
        "group-spans-a-node", ("tensor_group_fits_node",), lambda _: Ge(N_t, n_node, evaluate=False),
        "A tensor group should use all of a node.", NODE,
        "A group that is larger than a node reaches over the slow links between nodes.",
    ),
    Misconception(
        "stages-in-a-node", ("tensor_group_fits_node",), lambda _: Le(N_p, n_node, evaluate=False),
        "The pipeline stages have to sit in one node.", NODE,
        "Stages pass little between them and may lie in different nodes.",
    ),
    Misconception(
        "fitting-is-enough", ("tensor_group_tiles_node",), lambda _: Le(N_t, n_node, evaluate=False),
        "A group that fits in a node leaves nothing over.", NODE,
        "A group can fit and still leave GPUs over that make no whole group.",
    ),
    Misconception(
        "group-is-the-node", ("tensor_group_tiles_node",), lambda _: Eq(N_t, n_node, evaluate=False),
        "Only a group as large as the node uses it up.", NODE,
        "Several groups can share a node, as long as each of them is whole.",
    ),
    Misconception(
        "idle-gpus", ("data_degree",), lambda _: floor(G / (N_p * N_t)) - 1,
        "One replica's worth of GPUs is kept in reserve.", WHOLE_RANKS,
        "No GPU is left over: the product must be the world exactly.",
    ),
)  # fmt: skip
