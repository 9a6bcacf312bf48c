"""Which ZeRO stage (cell G): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import M_max, N, P, S, r
from ...misconceptions.principles import COLLECTIVES, EVERY_BUFFER, SHARED_OUT, STAGES, STATE_ONLY, WIDTHS
from ..chain import Chain
from ..choose import Decide, Stage
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import GATHERED, KEPT, MIXED, MODELS, RANKS, TENSORS

_STAGES = Chain(
    "the-stages", f"A model of [[P]] parameters trains on [[N]] GPUs. {KEPT} Its state on a GPU is worked stage by stage.",
    (("replicated_state", "GB"), ("zero_1_state", "GB"), ("zero_2_state", "GB"), ("sharded_state", "GB")), {P: MODELS, N: RANKS}, MIXED,
)  # fmt: skip
_SAVING = Chain(
    "what-stage-1-saves", f"A model of [[P]] parameters trains under ZeRO-1 on [[N]] GPUs. {KEPT}",
    (("replicated_state", "GB"), ("zero_1_state", "GB"), ("zero_1_saving", "")), {P: MODELS, N: RANKS}, MIXED,
)  # fmt: skip
_AGAINST = Chain(
    "traffic-of-the-stages",
    "[[N]] ranks train a model whose gradients take [[S]], and its parameters as much. Compared are the bytes that a rank receives in a step under plain data parallel, which all-reduces the gradients; "
    "under a ZeRO-1 that all-reduces them too and then has every rank broadcast the shard of the parameters that it updated; and under ZeRO-2, which reduce-scatters the gradients and all-gathers the updated parameters.",
    (("all_reduce", "MB"), ("broadcast_shards", "MB"), ("zero_1_broadcast_traffic", "MB"), ("zero_2_traffic", "MB"), ("zero_2_over_all_reduce", "")), {S: TENSORS, N: RANKS},
)  # fmt: skip

WHICH_STAGE = (
    Value(
        "G-stage-1", "G", "compute", "zero_1_state",
        f"A model of [[P]] parameters trains under ZeRO-1 on [[N]] GPUs. {KEPT} How much model state does each GPU hold?", "GB", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "G-stage-2", "G", "compute", "zero_2_state",
        f"A model of [[P]] parameters trains under ZeRO-2 on [[N]] GPUs. {KEPT} How much model state does each GPU hold?", "GB", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "G-stage-1-limit", "G", "limit", "zero_1_state",
        f"A model of [[P]] parameters trains under ZeRO-1. {KEPT} To what does the state of a GPU tend, as the number of GPUs grows?", "GB", {P: MODELS}, MIXED,
    ),
    Value(
        "G-each-1", "G", "compute", "zero_1_bytes_per_parameter",
        f"A model of [[P]] parameters trains under ZeRO-1 on [[N]] GPUs. {KEPT} How many bytes does each GPU hold per parameter of the model?", "B/param", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "G-each-2", "G", "compute", "zero_2_bytes_per_parameter",
        f"A model of [[P]] parameters trains under ZeRO-2 on [[N]] GPUs. {KEPT} How many bytes does each GPU hold per parameter of the model?", "B/param", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "G-saving-2", "G", "compute", "zero_2_saving",
        f"A model of [[P]] parameters trains under ZeRO-2 on [[N]] GPUs. {KEPT} How many times smaller is the model state of a GPU than under plain data parallel?", "", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "G-saving-2-limit", "G", "limit", "zero_2_saving",
        f"A model trains under ZeRO-2. {KEPT} How many times smaller than under plain data parallel can the model state of a GPU become, as the number of GPUs grows?",
        "", {}, ("fp32 Adam", "fp32 AdamW with amsgrad", *MIXED),
    ),
    Value(
        "G-saving-3", "G", "compute", "zero_3_saving",
        f"A model of [[P]] parameters is sharded with FSDP over [[N]] GPUs. {KEPT} How many times smaller is the model state of a GPU than under plain data parallel?", "", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "G-traffic", "G", "compute", "zero_2_traffic",
        "Under ZeRO-2, gradients of [[S]] are reduce-scattered over [[N]] ranks and the updated parameters, as large, all-gathered. How many bytes does each rank receive in a step?",
        "GB", {S: TENSORS, N: RANKS},
    ),
    Value(
        "G-traffic-broadcast", "G", "compute", "zero_1_broadcast_traffic",
        "A ZeRO-1 implementation all-reduces gradients of [[S]] over [[N]] ranks; then every rank broadcasts the shard of the parameters that it updated, which are as large in all. How many bytes does each rank receive in a step?",
        "GB", {S: TENSORS, N: RANKS},
    ),
    Stage(
        "G-stage", "G", f"A model of [[P]] parameters trains on [[N]] GPUs with [[M_max]] each for model state. {KEPT} Which is the smallest ZeRO stage whose state fits?",
        {P: MODELS, N: RANKS, M_max: ("2 GB", "5 GB", "10 GB", "16 GB", "24 GB", "40 GB", "80 GB")}, MIXED,
    ),
    Decide(
        "G-moves-more", "G", "sharding_moves_more", "traffic_over_all_reduce",
        f"{GATHERED} Does a rank receive more bytes for it in a training step than in plain data parallel's all-reduce of the gradients?",
        {S: TENSORS, N: RANKS, r: ("0", "1")},
    ),
    Written(
        "G-write-each-3", "G", "zero_3_bytes_per_parameter",
        f"A model of P parameters trains under ZeRO-3 on N GPUs. {KEPT} How many bytes does each GPU hold per parameter of the model?", plans=("fp32 Adam", "fp32 AdamW with amsgrad", *MIXED),
    ),
    Written(
        "G-write-stage-2", "G", "zero_2_state",
        f"A model of P parameters trains under ZeRO-2 on N GPUs. {KEPT} How many bytes of model state does each GPU hold?", plans=MIXED,
    ),
    WrongLine("G-wrong-line", "G", _STAGES),
    WrongLine("G-traffic-wrong-line", "G", _AGAINST),
    Faded("G-faded", "G", _SAVING, 2),
    Faded("G-traffic-faded", "G", _AGAINST, 3),
    Justify(
        "G-principle", "G",
        (
            Reason("zero_1_state", 0, STAGES, (SHARED_OUT, EVERY_BUFFER, WIDTHS, STATE_ONLY)),
            Reason("zero_2_state", 0, STAGES, (SHARED_OUT, EVERY_BUFFER, WIDTHS, STATE_ONLY)),
            Reason("zero_2_traffic", 0, COLLECTIVES, (STAGES,)),
        ),
    ),
)  # fmt: skip
