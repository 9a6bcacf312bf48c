"""Communication volume (cell D): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, S, r
from ...misconceptions.principles import COLLECTIVES, OWN_SHARD, SHARED_OUT, WHOLE_TENSOR
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import GATHERED, RANKS, TENSORS

_TRAFFIC = Chain(
    "layer-traffic",
    "A layer of [[S]] is sharded with FSDP over [[N]] ranks and gathered again for the backward pass (r = [[r]]). Plain data parallel would all-reduce its gradients instead.",
    (("all_gather", "MB"), ("reduce_scatter", "MB"), ("layer_traffic", "MB"), ("all_reduce", "MB")),
    {S: TENSORS, N: RANKS, r: ("1",)},
)  # fmt: skip

# Tensors that so many ranks, and one more, share out evenly.
_EVEN = ("315 MB", "420 MB", "630 MB", "840 MB", "1.26 GB", "1.68 GB", "2.52 GB")
_EVENLY = ("3", "4", "5", "6", "7", "8", "9", "14", "15", "20", "24")

COMMUNICATION_VOLUME = (
    Value(
        "D-steps", "D", "compute", "ring_steps",
        "How many steps does a ring all-gather over [[N]] ranks take?", "", {N: RANKS},
    ),
    Value(
        "D-all-gather", "D", "compute", "all_gather",
        "A tensor of [[S]] is sharded over [[N]] ranks. How many bytes does each rank receive in an all-gather?", "MB", {S: TENSORS, N: RANKS},
    ),
    Value(
        "D-reduce-scatter", "D", "compute", "reduce_scatter",
        "Gradients of [[S]] are summed over [[N]] ranks by a reduce-scatter. How many bytes does each rank receive?", "MB", {S: TENSORS, N: RANKS},
    ),
    Value(
        "D-layer", "D", "compute", "layer_traffic",
        "A layer of [[S]] is sharded with FSDP over [[N]] ranks and gathered again for the backward pass. How many bytes does each rank receive for it in one training step?",
        "GB", {S: TENSORS, N: RANKS, r: ("1",)},
    ),
    Value(
        "D-all-reduce", "D", "compute", "all_reduce",
        "Plain data parallel on [[N]] GPUs all-reduces gradients of [[S]] over a ring. How many bytes does each GPU receive?", "GB", {S: TENSORS, N: RANKS},
    ),
    Value(
        "D-broadcast", "D", "compute", "broadcast_shards",
        "Parameters of [[S]] are sharded over [[N]] ranks. Each rank updates its shard and broadcasts it to all the others. How many bytes does each rank receive?", "MB", {S: TENSORS, N: RANKS},
    ),
    Value(
        "D-one-more", "D", "compute", "all_gather_gain",
        "A tensor of [[S]] is all-gathered over [[N]] ranks, each of which holds an equal shard. How many bytes more does a rank receive if one more rank joins and the same tensor is sharded over all of them?",
        "MB", {S: _EVEN, N: _EVENLY},
    ),
    Value(
        "D-over-data-parallel", "D", "compute", "traffic_over_all_reduce",
        f"{GATHERED} What is the ratio of the bytes that a rank receives for the layer in a training step to those of plain data parallel's all-reduce of its gradients?",
        "", {S: TENSORS, N: RANKS, r: ("0", "1")},
    ),
    Value(
        "D-limit", "D", "limit", "layer_traffic",
        "A layer of [[S]] is sharded with FSDP and gathered again for the backward pass. To what do the bytes that each rank receives for it in a training step tend, as the number of ranks grows?",
        "GB", {S: TENSORS, r: ("1",)},
    ),
    Written(
        "D-write-all-gather", "D", "all_gather", "A tensor of S bytes is sharded over N ranks. How many bytes does each rank receive in an all-gather?",
    ),
    Written(
        "D-write-layer", "D", "layer_traffic",
        "A layer of S bytes is sharded with FSDP over [[N]] ranks and gathered again for the backward pass. How many bytes does each rank receive for it in a training step?",
        {N: RANKS, r: ("1",)},
    ),
    Written(
        "D-write-limit", "D", "layer_traffic",
        "A layer of S bytes is sharded with FSDP; its parameters are gathered once for the forward pass and r more times (0 or 1) for the backward pass, and its gradients are as large. "
        "To what do the bytes that each rank receives for it in a training step tend, as the number of ranks grows?", limit=True,
    ),
    Decide(
        "D-grows", "D", "all_gather_grows", "all_gather_gain",
        "A tensor of [[S]] is all-gathered over [[N]] ranks, each of which holds an equal shard. One more rank joins, and the same tensor is sharded over all of them. Does that add to the bytes that a rank receives?",
        {S: _EVEN, N: _EVENLY},
    ),
    WrongLine("D-wrong-line", "D", _TRAFFIC),
    Faded("D-faded", "D", _TRAFFIC, 2),
    Justify(
        "D-principle", "D",
        (
            Reason("all_gather", 0, OWN_SHARD, (WHOLE_TENSOR, SHARED_OUT)),
            Reason("layer_traffic", 0, COLLECTIVES),
            Reason("all_reduce", 0, COLLECTIVES),
        ),
    ),
)  # fmt: skip
