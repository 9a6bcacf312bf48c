"""Sharding over several nodes, and which way wins (cell P): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import M_max, N, P, S, T_lat, T_net, W, W_net, n_link, n_node, r
from ..choose import Decide
from ..givens import Draws
from ..value import Value
from .common import KEPT

_NODES = "Nodes have [[n_node]] GPUs each. Inside a node a GPU's link carries [[W]] and a message waits [[T_lat]]; a node has [[n_link]] network links of [[W_net]] each, where a message waits [[T_net]]. All bandwidths are of one direction."
_LAYER = "A layer of [[S]] is gathered for the forward pass and [[r]] more times for the backward pass, and its gradients, as large, are reduced."
_OVER_ALL = "gathers and reductions go in [[n_link]] rings of an equal part each, every ring through all GPUs and out of each node once, by a link of its own, from another GPU; a step of the rings is over when its slowest message has come"
_IN_NODES = "gathers and reductions go in rings inside each node, and then all GPUs all-reduce their shards of the gradients with their like in the other nodes, in rings, all at once and spread evenly over the links"

_LINKS: Draws = {n_node: ("8",), W: ("150 GB/s", "300 GB/s", "450 GB/s"), T_lat: ("2 µs", "3 µs"), n_link: ("2", "4", "8"), W_net: ("12.5 GB/s", "25 GB/s", "50 GB/s"), T_net: ("9 µs", "11 µs", "14 µs")}
_STEP: Draws = {S: ("24 MB", "40.4 MB", "87 MB", "175 MB", "436.2 MB"), N: ("16", "24", "32", "48", "64"), r: ("1",), **_LINKS}

HYBRID = (
    Value("P-full-sharding", "P", "compute", "full_sharding_time", f"{_NODES} [[N]] GPUs share one copy of a model. {_LAYER} All {_OVER_ALL}. How long do the layer's collectives of a step take together?", "ms", _STEP),
    Value(
        "P-hybrid-sharding", "P", "compute", "hybrid_sharding_time",
        f"{_NODES} [[N]] GPUs train a model under hybrid sharding, each node with a copy of its own. {_LAYER} All {_IN_NODES}. One collective follows the other. How long do the layer's collectives of a step take together?", "ms", {**_STEP, n_link: ("2", "4")},
    ),
    Decide(
        "P-hybrid-or-full", "P", "hybrid_is_no_slower", "hybrid_is_no_slower",
        f"{_NODES} [[N]] GPUs train a model. {_LAYER} Where all GPUs share one copy, {_OVER_ALL}. Under hybrid sharding {_IN_NODES}. Does hybrid sharding take no longer?",
        {**_STEP, r: ("0", "1")},
    ),
    Value(
        "P-which-wins", "P", "compute", "winning_sharding",
        f"[[N]] GPUs with [[M_max]] each for model state train a model of [[P]] parameters. {KEPT} {_NODES} {_LAYER} Where all GPUs share one copy, {_OVER_ALL}. Under hybrid sharding {_IN_NODES}. "
        "Which is the quickest that fits? Stages that leave parameters whole are no slower than the others; of equals take the one that shards least. Give its number: 0 plain data parallel, 1, 2 or 3 that ZeRO stage over all GPUs, 4 hybrid sharding.",
        "", {P: ("8030261248", "13e9", "24e9", "27e9", "33e9", "47e9"), **_STEP, n_link: ("8",), W: ("150 GB/s", "450 GB/s"), W_net: ("12.5 GB/s", "50 GB/s"), N: ("16", "32", "64"), M_max: ("72 GB", "80 GB")}, ("FSDP2 mixed precision",),
    ),
)  # fmt: skip
