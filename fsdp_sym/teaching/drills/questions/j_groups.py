"""What replicas, smaller groups, experts and adapters move (cell J): more of its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import K_mb, L, L_frozen, N, R_rep, S, S_ad, S_blk, S_g, S_root, b_step, n_grp, n_T, r, u_all, x_hot
from ..value import Value
from .j_traffic import LAYERS, WRAPPED

_NORMS = "Before gradients are clipped, their norms are summed over [[N]] ranks: one all-reduce of a number of [[b_step]] for each of a model's [[n_T]] tensors."

GROUPS = (
    Value("J-clip", "J", "compute", "clip_traffic", f"{_NORMS} How much does a rank receive?", "kB", {N: ("2", "4"), n_T: ("148", "196", "292", "388", "436", "484", "580", "772"), b_step: ("4 B",)}),
    Value(
        "J-experts", "J", "compute", "expert_all_to_all",
        "Experts are spread over [[N]] ranks. If all were equally popular a rank would be sent tokens of [[S]] in all, its own among them; the rank of the most popular one is sent [[x_hot]] times as many, from all ranks alike. How much does it receive over its links?",
        "MB", {N: ("4", "8", "16", "32"), S: ("64 MB", "96 MB", "134 MB", "268 MB"), x_hot: ("1.5", "2", "2.5", "3")},
    ),
    Value(
        "J-adapters", "J", "compute", "lora_traffic",
        "Adapters are trained on a frozen base of [[S]], sharded over [[N]] ranks and gathered again for the backward pass (r = [[r]]). The gradients of the adapters, [[S_ad]], are reduced. How much does a rank receive in a step?",
        "GB", {N: ("4", "8", "16"), S: ("13 GB", "16 GB", "26 GB"), S_ad: ("0.8 GB", "1.6 GB"), r: ("1",)},
    ),
    Value(
        "J-replicas", "J", "compute", "replica_all_reduce",
        "Gradients of [[S_g]] are reduced inside a shard group of [[N]] ranks, and then across [[R_rep]] replicas of it. How much does a rank receive in the all-reduce across the replicas?",
        "GB", {N: ("8", "16", "32"), S_g: ("16 GB", "32 GB", "64 GB"), R_rep: ("2", "4", "8")},
    ),
    Value(
        "J-replica-reduces", "J", "compute", "replica_reduces_in_step",
        f"{WRAPPED} Under hybrid sharding each of [[K_mb]] micro-batches reduces across the replicas as well. How many all-reduces does a step issue?", "",
        {L: LAYERS, K_mb: ("2", "3", "4", "6", "8"), u_all: ("1",)},
    ),
    Value(
        "J-small-group", "J", "compute", "resharded_to_group",
        "Blocks of [[S_blk]] and a root group of [[S_root]] are gathered over [[N]] ranks for the forward pass. The blocks are then shared by groups of [[n_grp]] and gathered inside them for the backward pass; the root group stays gathered. Gradients, as wide, are reduced over all ranks. How much does a rank receive in the step?",
        "GB", {S_blk: ("13 GB", "26 GB"), S_root: ("1 GB", "2 GB"), N: ("16", "32", "64"), n_grp: ("2", "4", "8")},
    ),
    Value(
        "J-frozen", "J", "compute", "scatters_with_frozen",
        f"{WRAPPED} The first [[L_frozen]] blocks are frozen. How many reduce-scatters does a micro-batch issue?", "", {L: ("32", "40", "48", "80", "126"), L_frozen: ("4", "8", "12", "16", "24")},
    ),
)  # fmt: skip
