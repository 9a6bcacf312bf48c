"""Memory in fp32 (cell A): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import B, M_max, N, P
from ...misconceptions.principles import EVERY_BUFFER, PEAK, SHARED_OUT, STAGES, STATE_ONLY, WHOLE_RANKS, WIDTHS
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import KEPT, MIXED, MODELS, RANKS

_RANKS_NEEDED = Chain(
    "ranks-needed",
    f"A model has [[P]] parameters. {KEPT} It is sharded with FSDP over GPUs that have [[M_max]] for its state.",
    (("bytes_per_parameter", "B/param"), ("ranks_for_budget", "")),
    {P: ("13e9", "33e9", "70e9", "175e9"), M_max: ("10 GB", "16 GB", "20 GB", "24 GB", "40 GB")}, MIXED,
)  # fmt: skip
_MEAN = Chain(
    "mean-state",
    f"A model of [[P]] parameters is sharded with FSDP over [[N]] GPUs. {KEPT}",
    (("replicated_state", "GB"), ("mean_state", "GB"), ("bytes_per_parameter", "B/param")),
    {P: MODELS, N: RANKS}, ("fp32 AdamW with amsgrad", *MIXED),
)  # fmt: skip

MEMORY_IN_FP32 = (
    Value(
        "A-bytes-per-parameter", "A", "compute", "bytes_per_parameter",
        f"{KEPT} How many bytes is that for each parameter?", "B/param", {}, ("fp32 AdamW with amsgrad", "8-byte Adam", "ZeRO mixed precision"),
    ),
    Value(
        "A-replica", "A", "compute", "replicated_state",
        f"A model has [[P]] parameters. {KEPT} How much model state does each GPU hold under plain data parallel?", "GB", {P: MODELS}, MIXED,
    ),
    Value(
        "A-shard", "A", "compute", "sharded_state",
        f"A model of [[P]] parameters is sharded with FSDP over [[N]] GPUs. {KEPT} How much model state does each GPU hold?",
        "GB", {P: MODELS, N: RANKS}, (*MIXED, "fp32 AdamW with amsgrad"),
    ),
    Value(
        "A-fewest-ranks", "A", "backwards", "ranks_for_budget",
        "A model of [[P]] parameters keeps [[B]] of state. Each GPU has [[M_max]] for it. What is the smallest number of GPUs over which FSDP must shard it?",
        "", {P: ("13e9", "33e9", "70e9", "175e9", "405853388800"), M_max: ("10 GB", "16 GB", "20 GB", "24 GB", "40 GB"), B: ("16 B/param", "18 B/param", "20 B/param")},
    ),
    Value(
        "A-one-gpu", "A", "compute", "single_rank_state",
        f"A model of [[P]] parameters is sharded with FSDP over a single GPU. {KEPT} How much model state does that GPU hold?",
        "GB", {P: MODELS}, (*MIXED, "fp32 AdamW with amsgrad"),
    ),
    Value(
        "A-one-more", "A", "compute", "marginal_saving",
        f"A model of [[P]] parameters is sharded with FSDP over [[N]] GPUs. {KEPT} How much less model state does each of them hold once one more GPU joins?",
        "GB", {P: ("7e9", "13e9", "33e9", "70e9", "175e9"), N: ("3", "4", "5", "6", "7", "8", "12", "15", "16", "24", "31", "32")}, (*MIXED, "fp32 AdamW with amsgrad"),
    ),
    Written(
        "A-write-shard", "A", "sharded_state",
        f"A model of P parameters is sharded with FSDP over N ranks. {KEPT} How many bytes of model state does each rank hold?",
        plans=("fp32 Adam", "fp32 AdamW with amsgrad", *MIXED),
    ),
    Decide(
        "A-fits", "A", "shard_fits", "sharded_state",
        f"A model of [[P]] parameters is to be sharded with FSDP over [[N]] GPUs with [[M_max]] each for model state. {KEPT} Does it fit?",
        {P: MODELS, N: RANKS, M_max: ("2 GB", "5 GB", "10 GB", "16 GB", "40 GB")}, MIXED,
    ),
    WrongLine("A-wrong-line", "A", _RANKS_NEEDED),
    Faded("A-faded", "A", _MEAN, 2),
    Justify(
        "A-principle", "A",
        (
            Reason("replicated_state", 0, EVERY_BUFFER, (WIDTHS,)),
            Reason("mean_state", 0, SHARED_OUT, (STATE_ONLY, STAGES)),
            Reason("ranks_for_budget", 0, WHOLE_RANKS, (SHARED_OUT, PEAK)),
        ),
    ),
)  # fmt: skip
