"""Whether sharding is worth it (cell E): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N, T_comm, T_comp, phi, r, rho_max, sigma_goal
from ...misconceptions.principles import COLLECTIVES, EXPOSED, RATIO
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

_GIVEN = "A layer computes for [[T_comp]] and communicates for [[T_comm]], of which a share of [[phi]] overlaps compute."
_TIMES = {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), phi: ("0.3", "0.4", "0.6", "0.7", "0.8")}
_STEP = Chain(
    "step-with-overlap", f"{_GIVEN} It is sharded and gathered again for the backward pass (r = [[r]]).",
    (("exposed_time", "ms"), ("step_with_overlap", "ms"), ("data_parallel_time", "ms")), {**_TIMES, r: ("1",)},
)  # fmt: skip
_SLOWDOWN = Chain(
    "slowdown-with-overlap", _GIVEN, (("exposed_time", "ms"), ("step_with_overlap", "ms"), ("slowdown_with_overlap", "%")), _TIMES,
)  # fmt: skip

WORTH_IT = (    Value(
        "E-ratio", "E", "compute", "comm_to_compute",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. What is the ratio that the rule of thumb asks for?",
        "", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms")},
    ),
    Value(
        "E-slowdown", "E", "compute", "slowdown_without_overlap",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]], and nothing overlaps. What is the slowdown against no communication?",
        "%", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms")},
    ),
    Value(
        "E-step", "E", "compute", "step_with_overlap",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]], of which a share of [[phi]] overlaps compute. How long does the layer take?",
        "ms", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), phi: ("0.3", "0.4", "0.6", "0.7", "0.8")},
    ),
    Value(
        "E-overlap", "E", "backwards", "overlap_for_slowdown",
        "Compute takes [[T_comp]] and communication [[T_comm]]. What share of the communication must overlap compute for a slowdown of [[sigma_goal]]?",
        "", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), sigma_goal: ("10 %", "12 %", "15 %", "17.5 %", "20 %")},
    ),
    Value(
        "E-data-parallel", "E", "compute", "data_parallel_time",
        "FSDP, which gathers again for the backward pass, communicates for [[T_comm]] on [[N]] ranks. How long would plain data parallel's all-reduce take on the same link?",
        "ms", {T_comm: ("3 ms", "4.5 ms", "7 ms", "11 ms", "13 ms"), r: ("1",), N: ("8", "16", "32")},
    ),
    Written(
        "E-write-step", "E", "step_with_overlap",
        "A layer computes for T_comp and communicates for T_comm, of which a share of [[phi]] overlaps compute. How long does the layer take?",
        {phi: ("0.3", "0.4", "0.6", "0.7", "0.8")},
    ),
    Decide(
        "E-hurts", "E", "sharding_hurts", "comm_to_compute",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. The rule of thumb allows a ratio of [[rho_max]]. Does communication hurt by this rule?",
        {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms"), rho_max: ("0.25", "0.3", "0.4")},
    ),
    WrongLine("E-wrong-line", "E", _STEP),
    Faded("E-faded", "E", _SLOWDOWN, 3),
    Justify(
        "E-principle", "E",
        (
            Reason("exposed_time", 0, EXPOSED),
            Reason("step_with_overlap", 0, EXPOSED),
            Reason("comm_to_compute", 0, RATIO),
            Reason("data_parallel_time", 0, COLLECTIVES, (RATIO,)),
        ),
    ),
)  # fmt: skip
