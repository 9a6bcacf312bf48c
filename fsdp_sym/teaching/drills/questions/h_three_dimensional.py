"""3-D parallelism (cell H): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import G, N_d, N_p, N_t, S, r
from ...misconceptions.principles import PRODUCT, SHARD_GROUP, WHOLE_RANKS
from ..chain import Chain
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

THREE_DIMENSIONAL = (    Value(
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
        "H-missing-degree", "H", "missing", "data_degree",
        "[[G]] GPUs are to run [[N_p]] pipeline stages with tensor groups of [[N_t]], none left idle. What is the data-parallel degree?",
        "", {G: ("96", "100", "192", "384", "520", "768", "1000", "1024", "1536", "2048"), N_p: ("3", "5", "6", "7", "8", "12"), N_t: ("2", "4", "8")},
    ),
    Split(
        "H-split", "H", "[[G]] GPUs, all of them, are to run [[N_p]] pipeline stages with tensor groups of [[N_t]]. What is the split?",
        {G: ("96", "100", "192", "384", "520", "768", "1000", "1024", "1536", "2048"), N_p: ("3", "5", "6", "7", "8", "12"), N_t: ("2", "4", "8")},
    ),
    Written(
        "H-write-degree", "H", "data_degree", "G GPUs run N_p pipeline stages with tensor groups of [[N_t]]. What is the data-parallel degree?", {N_t: ("2", "4", "8")},
    ),
    WrongLine("H-wrong-line", "H", _GROUP),
    Faded("H-faded", "H", _GROUP, 2),
    Justify(
        "H-principle", "H",
        (Reason("world_size", 3, PRODUCT), Reason("shard_group", 0, SHARD_GROUP, (PRODUCT,)), Reason("data_degree", 0, PRODUCT, (WHOLE_RANKS,))),
    ),
)  # fmt: skip
