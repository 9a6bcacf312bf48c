"""Memory in mixed precision (cell B): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import M_max, N, P
from ...misconceptions.principles import EVERY_BUFFER, SHARED_OUT, STAGES, STATE_ONLY, WHOLE_RANKS, WIDTHS
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import KEPT, MIXED, MODELS, RANKS

_SHARD = Chain(
    "shard-in-mixed-precision",
    f"A model of [[P]] parameters trains in mixed precision, sharded with FSDP over [[N]] ranks. {KEPT}",
    (("replicated_state", "GB"), ("sharded_state", "GB")),
    {P: MODELS, N: RANKS}, MIXED,
)  # fmt: skip

MIXED_PRECISION = (
    Value(
        "B-shard-mixed", "B", "compute", "sharded_state",
        f"A model of [[P]] parameters trains in mixed precision, sharded with FSDP over [[N]] ranks. {KEPT} How much model state does one rank hold?",
        "GB", {P: MODELS, N: RANKS}, MIXED,
    ),
    Value(
        "B-bytes-mixed", "B", "compute", "bytes_per_parameter", f"In mixed precision {KEPT[0].lower()}{KEPT[1:]} What does a parameter cost in bytes, all buffers together?", "B/param", {}, MIXED,
    ),
    Written(
        "B-write-bytes", "B", "replicated_state",
        f"{KEPT} How many bytes of model state does a model of P parameters have?", plans=("FSDP2 mixed precision", *MIXED),
    ),
    Decide(
        "B-replica-fits", "B", "replica_fits", "replicated_state",
        f"A model of [[P]] parameters trains in mixed precision under plain data parallel on GPUs with [[M_max]] for model state. {KEPT} Does it fit?",
        {P: ("494032768", "1.1e9", "1557611200", "2.5e9", "6738415616", "8030261248"), M_max: ("16 GB", "24 GB", "40 GB", "80 GB")}, MIXED,
    ),
    WrongLine("B-wrong-line", "B", _SHARD),
    Faded("B-faded", "B", _SHARD, 1),
    Justify(
        "B-principle", "B",
        (
            Reason("replicated_state", 0, EVERY_BUFFER, (WIDTHS,)),
            Reason("sharded_state", 0, SHARED_OUT, (STAGES, STATE_ONLY, EVERY_BUFFER, WIDTHS, WHOLE_RANKS)),
            Reason("bytes_per_parameter", 1, EVERY_BUFFER, (WIDTHS,)),
        ),
    ),
)  # fmt: skip
