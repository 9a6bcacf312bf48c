"""3-D parallelism (cell H): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import G, N_d, N_p, N_t, S, e, m, n_node, r
from ...misconceptions.principles import PRODUCT, SHARD_GROUP, WHOLE_RANKS
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..justify import Justify, Reason
from ..split import Split
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import TENSORS

_GROUP = Chain(
    "gather-in-the-shard-group",
    "[[G]] GPUs run [[N_p]] pipeline stages with tensor groups of [[N_t]]; a GPU's slice of the model, [[S]], is sharded over the data-parallel group "
    "and gathered again for the backward pass (r = [[r]]).",
    (("shard_group", ""), ("all_gather", "MB"), ("reduce_scatter", "MB"), ("layer_traffic", "MB")),
    {G: ("96", "192", "384", "512", "768", "1024", "2048", "4096"), N_p: ("2", "3", "4", "6", "8"), N_t: ("2", "4", "8"), S: TENSORS, r: ("1",)},
)  # fmt: skip
_WORLD = Chain(
    "gather-not-over-the-world",
    "[[G]] GPUs run [[N_p]] pipeline stages with tensor groups of [[N_t]]; a GPU's slice of the model, [[S]], is sharded with FSDP over the GPUs that have the same slice, and all-gathered.",
    (("shard_group", ""), ("all_gather", "MB")),
    {G: ("32", "48", "64", "96", "128", "192", "256"), N_p: ("2", "3", "4"), N_t: ("2", "4", "8"), S: TENSORS},
)  # fmt: skip

THREE_DIMENSIONAL = (
    Value(
        "H-data-degree", "H", "backwards", "data_degree",
        "[[G]] GPUs run [[N_p]] pipeline stages with tensor groups of [[N_t]]. What is the data-parallel degree?",
        "", {G: ("96", "192", "384", "512", "768", "1024", "2048", "4096", "8192"), N_p: ("2", "3", "4", "6", "8", "16"), N_t: ("2", "4", "8")},
    ),
    Value(
        "H-world", "H", "compute", "world_size",
        "A job has [[N_d]] data replicas, [[N_p]] pipeline stages and tensor groups of [[N_t]]. How many GPUs does it take?",
        "", {N_d: ("3", "5", "6", "12", "16", "24", "32", "48"), N_p: ("2", "3", "4", "6", "8", "16"), N_t: ("2", "4", "8")},
    ),
    Value(
        "H-shard-group", "H", "compute", "shard_group",
        "On [[G]] GPUs, with [[N_p]] pipeline stages and tensor groups of [[N_t]], over how many ranks does FSDP shard?",
        "", {G: ("96", "192", "384", "512", "768", "1024", "2048", "4096"), N_p: ("2", "3", "4", "6", "8"), N_t: ("2", "4", "8")},
    ),
    Value(
        "H-splits", "H", "compute", "ordered_splits",
        "A job has 2^[[e]] GPUs. In how many ways can they be split into data, pipeline and tensor degrees, each a power of two from 1 up? Which degree is which matters.",
        "", {e: ("4", "5", "6", "7", "8", "9", "10", "11", "12", "13")},
    ),
    Value(
        "H-splits-in-node", "H", "compute", "ordered_splits_in_node",
        "A job has 2^[[e]] GPUs in nodes of 2^[[m]]. In how many ways can they be split into data, pipeline and tensor degrees, each a power of two from 1 up, if no tensor group is larger than a node? Which degree is which matters.",
        "", {e: ("5", "6", "7", "8", "9", "10", "11", "12", "13"), m: ("2", "3", "4")},
    ),
    Value(
        "H-missing-degree", "H", "missing", "data_degree",
        "[[G]] GPUs are to run [[N_p]] pipeline stages with tensor groups of [[N_t]], none left idle. What is the data-parallel degree?",
        "", {G: ("96", "100", "192", "384", "520", "768", "1000", "1024", "1536", "2048"), N_p: ("3", "5", "6", "7", "8", "12"), N_t: ("2", "4", "8")},
    ),
    Split(
        "H-split", "H", "[[G]] GPUs, all of them, are to run [[N_p]] pipeline stages with tensor groups of [[N_t]]. What is the split?",
        {G: ("96", "100", "192", "384", "520", "768", "1000", "1024", "1536", "2048"), N_p: ("3", "5", "6", "7", "8", "12"), N_t: ("2", "4", "8")},
    ),
    Decide(
        "H-fits-node", "H", "tensor_group_fits_node", "tensor_group_fits_node",
        "A job runs [[N_p]] pipeline stages with tensor groups of [[N_t]] on nodes of [[n_node]] GPUs. Can a tensor group stay inside one node?",
        {N_p: ("2", "4", "8", "16"), N_t: ("2", "4", "8", "16", "32"), n_node: ("4", "8", "16")},
    ),
    Decide(
        "H-fills-node", "H", "tensor_group_tiles_node", "tensor_group_tiles_node",
        "A job runs [[N_p]] pipeline stages with tensor groups of [[N_t]] on nodes of [[n_node]] GPUs. Can all GPUs of a node be dealt out to whole tensor groups?",
        {N_p: ("2", "4", "8", "16"), N_t: ("2", "3", "4", "5", "6", "8", "12"), n_node: ("4", "6", "8", "16")},
    ),
    Written(
        "H-write-slice", "H", "slice_parameters",
        "A model of P parameters runs in N_p pipeline stages with tensor groups of [[N_t]]. How many of the parameters belong to one GPU's slice, on average over the GPUs of a replica?", {N_t: ("2", "4", "8")},
    ),
    Written(
        "H-write-degree", "H", "data_degree", "G GPUs run N_p pipeline stages with tensor groups of [[N_t]]. What is the data-parallel degree?", {N_t: ("2", "4", "8")},
    ),
    WrongLine("H-wrong-line", "H", _GROUP),
    WrongLine("H-gather-wrong-line", "H", _WORLD),
    Faded("H-gather-faded", "H", _WORLD, 2),
    Faded("H-faded", "H", _GROUP, 1),
    Justify(
        "H-principle", "H",
        (Reason("world_size", 3, PRODUCT), Reason("shard_group", 0, SHARD_GROUP, (PRODUCT,)), Reason("data_degree", 0, PRODUCT, (WHOLE_RANKS,))),
    ),
)  # fmt: skip
