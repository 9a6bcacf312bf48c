"""What goes wrong when GPUs are split (cell H)."""

from __future__ import annotations

from sympy import floor

from ...algebra.vocabulary import G, N_d, N_p, N_t
from .form import Misconception
from .principles import PRODUCT, SHARD_GROUP, WHOLE_RANKS

_MISSING = ("data_degree", "shard_group")

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
        "divided-by-the-sum", _MISSING, lambda _: G / (N_p + N_t),
        "A replica takes as many GPUs as stages and tensor ranks together.", PRODUCT,
        "A replica takes stages times tensor ranks.",
    ),
    Misconception(
        "forgot-the-pipeline", _MISSING, lambda _: G / N_t,
        "Only the tensor groups cut the world down.", PRODUCT,
        "Every replica also has all pipeline stages: divide by them too.",
    ),
    Misconception(
        "forgot-the-tensor-groups", _MISSING, lambda _: G / N_p,
        "Only the pipeline stages cut the world down.", PRODUCT,
        "Every stage is also split over a tensor group: divide by it too.",
    ),
    Misconception(
        "whole-world", ("data_degree",), lambda _: G + floor(0),
        "Every GPU has its own data.", SHARD_GROUP,
        "The GPUs of one replica work on the same data; only replicas differ.",
    ),
    Misconception(
        "idle-gpus", ("data_degree",), lambda _: floor(G / (N_p * N_t)) - 1,
        "One replica's worth of GPUs is kept in reserve.", WHOLE_RANKS,
        "No GPU is left over: the product must be the world exactly.",
    ),
)  # fmt: skip
