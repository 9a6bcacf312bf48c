"""Which ZeRO stage (cell G): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import M_max, N, P, S
from ...misconceptions.principles import COLLECTIVES, SHARED_OUT, STAGES
from ..chain import Chain
from ..choose import Stage
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import KEPT, MIXED, MODELS, RANKS, TENSORS

_STAGES = Chain(
    "the-stages", f"A model of [[P]] parameters trains on [[N]] GPUs. {KEPT} Its state on a GPU is worked stage by stage.",
    (("replicated_state", "GB"), ("zero_1_state", "GB"), ("zero_2_state", "GB"), ("sharded_state", "GB")), {P: MODELS, N: RANKS}, MIXED,
)  # fmt: skip
_SAVING = Chain(
    "what-stage-1-saves", f"A model of [[P]] parameters trains under ZeRO-1 on [[N]] GPUs. {KEPT}",
    (("replicated_state", "GB"), ("zero_1_state", "GB"), ("zero_1_saving", "")), {P: MODELS, N: RANKS}, MIXED,
)  # fmt: skip

WHICH_STAGE = (    Value(
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
        "G-traffic", "G", "compute", "zero_2_traffic",
        "Gradients of [[S]] are reduce-scattered over [[N]] ranks and the updated parameters, as large, all-gathered. How many bytes does each rank receive in a step?",
        "GB", {S: TENSORS, N: RANKS},
    ),
    Stage(
        "G-stage", "G", f"A model of [[P]] parameters trains on [[N]] GPUs with [[M_max]] each for model state. {KEPT} Which is the smallest ZeRO stage whose state fits?",
        {P: MODELS, N: RANKS, M_max: ("2 GB", "5 GB", "10 GB", "16 GB", "24 GB", "40 GB", "80 GB")}, MIXED,
    ),
    Written(
        "G-write-stage-2", "G", "zero_2_state",
        f"A model of P parameters trains under ZeRO-2 on N GPUs. {KEPT} How many bytes of model state does each GPU hold?", plans=MIXED,
    ),
    WrongLine("G-wrong-line", "G", _STAGES),
    Faded("G-faded", "G", _SAVING, 2),
    Justify(
        "G-principle", "G",
        (Reason("zero_1_state", 0, STAGES, (SHARED_OUT,)), Reason("zero_2_state", 0, STAGES, (SHARED_OUT,)), Reason("zero_2_traffic", 0, COLLECTIVES)),
    ),
)  # fmt: skip
