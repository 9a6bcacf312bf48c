"""Conventions (cell I): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, P, b_c, b_g, b_m, b_v, b_w, b_x
from ...misconceptions.exact_principles import DIVIDED
from ...misconceptions.principles import EVERY_BUFFER, SHARED_OUT, STAGES, STATE_ONLY, WIDTHS
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import MODELS, RANKS

_KEEPS = (
    "Megatron's distributed optimizer divides what the optimizer keeps over the data-parallel ranks, and that alone. Of each parameter are kept itself at [[b_w]] "
    "and its gradient at [[b_g]], and for the optimizer a master copy of [[b_c]], a momentum of [[b_m]] and a variance of [[b_v]]."
)
_WIDE: Draws = {
    b_w: ("2 B/param",), b_g: ("2 B/param", "4 B/param"), b_c: ("4 B/param",), b_m: ("4 B/param", "2 B/param"), b_v: ("4 B/param",),
}  # fmt: skip
_THREE_LAWS = Chain(
    "three-laws",
    f"A model has [[P]] parameters. {_KEEPS} Worked out is its state on one rank: not divided at all, under the distributed optimizer on [[N]] ranks, "
    "and with everything divided over them.",
    (("replicated_state", "GB"), ("distributed_optimizer", "GB"), ("mean_state", "GB")),
    {P: MODELS, N: RANKS, **_WIDE, b_x: ("0 B/param",)},
)  # fmt: skip

CONVENTIONS = (
    Value(
        "I-distributed", "I", "compute", "distributed_optimizer",
        f"A model has [[P]] parameters. {_KEEPS} How much does one of [[N]] ranks hold, on average?", "GB", {P: MODELS, N: RANKS, **_WIDE},
    ),
    Value(
        "I-floor", "I", "limit", "distributed_optimizer",
        f"A model has [[P]] parameters. {_KEEPS} To what does the state of a rank tend, as ranks are added?", "GB", {P: MODELS, **_WIDE},
    ),
    Written(
        "I-write-distributed", "I", "distributed_optimizer",
        f"A model has P parameters. {_KEEPS} How many bytes does one of N ranks hold, on average?", _WIDE,
    ),
    WrongLine("I-wrong-line", "I", _THREE_LAWS),
    Faded("I-faded", "I", _THREE_LAWS, 2),
    Justify(
        "I-principle", "I",
        (
            Reason("distributed_optimizer", 0, DIVIDED, (SHARED_OUT, STAGES, EVERY_BUFFER, WIDTHS, STATE_ONLY)),
            Reason("bytes_per_parameter", 1, EVERY_BUFFER, (WIDTHS,)),
        ),
    ),
)  # fmt: skip
