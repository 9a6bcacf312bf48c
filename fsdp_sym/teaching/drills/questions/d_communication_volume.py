"""Communication volume (cell D): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, S, r
from ...misconceptions.principles import COLLECTIVES, OWN_SHARD, WHOLE_TENSOR
from ..chain import Chain
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import RANKS, TENSORS

_TRAFFIC = Chain(
    "layer-traffic",
    "A layer of [[S]] is sharded over [[N]] ranks and gathered again for the backward pass (r = [[r]]).",
    (("all_gather", "MB"), ("reduce_scatter", "MB"), ("layer_traffic", "MB"), ("all_reduce", "MB")),
    {S: TENSORS, N: RANKS, r: ("1",)},
)  # fmt: skip

COMMUNICATION_VOLUME = (    Value(
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
        "A layer of [[S]] is sharded over [[N]] ranks and gathered again for the backward pass. How many bytes does each rank receive for it in one training step?",
        "GB", {S: TENSORS, N: RANKS, r: ("1",)},
    ),
    Value(
        "D-all-reduce", "D", "compute", "all_reduce",
        "Plain data parallel on [[N]] GPUs all-reduces gradients of [[S]]. How many bytes does each GPU receive?", "GB", {S: TENSORS, N: RANKS},
    ),
    Value(
        "D-limit", "D", "limit", "layer_traffic",
        "A layer of [[S]] is gathered again for the backward pass. To what do the bytes that each rank receives for it in a step tend, as the number of ranks grows?",
        "GB", {S: TENSORS, r: ("1",)},
    ),
    Written(
        "D-write-all-gather", "D", "all_gather", "A tensor of S bytes is sharded over N ranks. How many bytes does each rank receive in an all-gather?",
    ),
    Written(
        "D-write-layer", "D", "layer_traffic",
        "A layer of S bytes is sharded over [[N]] ranks and gathered again for the backward pass. How many bytes does each rank receive for it in a training step?",
        {N: RANKS, r: ("1",)},
    ),
    Written(
        "D-write-limit", "D", "all_reduce", "To what do the bytes that each GPU receives in an all-reduce of gradients of S bytes tend, as the number of GPUs grows?", limit=True,
    ),
    WrongLine("D-wrong-line", "D", _TRAFFIC),
    Faded("D-faded", "D", _TRAFFIC, 2),
    Justify(
        "D-principle", "D",
        (
            Reason("all_gather", 0, OWN_SHARD, (WHOLE_TENSOR,)),
            Reason("layer_traffic", 0, COLLECTIVES),
            Reason("all_reduce", 0, COLLECTIVES),
        ),
    ),
)  # fmt: skip
