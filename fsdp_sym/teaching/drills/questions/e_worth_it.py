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

_GIVEN = "A layer computes for [[T_comp]] and communicates for [[T_comm]]; a share of [[phi]] of the communication overlaps compute."
_TIMES = {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), phi: ("0.3", "0.4", "0.6", "0.7", "0.8")}
_STEP = Chain(
    "step-with-overlap", f"{_GIVEN} It is sharded with FSDP and gathered again for the backward pass (r = [[r]]); plain data parallel would use the same link.",
    (("exposed_time", "ms"), ("step_with_overlap", "ms"), ("data_parallel_time", "ms")), {**_TIMES, r: ("1",)},
)  # fmt: skip
_SLOWDOWN = Chain(
    "slowdown-with-overlap", _GIVEN, (("exposed_time", "ms"), ("step_with_overlap", "ms"), ("slowdown_with_overlap", "%")), _TIMES,
)  # fmt: skip
_AGAINST = Chain(
    "against-data-parallel",
    "A layer computes for [[T_comp]]. With FSDP, which gathers again for the backward pass (r = [[r]]), it communicates for [[T_comm]], and nothing overlaps. "
    "It is compared with plain data parallel on the same link, which has the same compute and then waits for its all-reduce.",
    (("step_without_overlap", "ms"), ("data_parallel_time", "ms"), ("slowdown_over_data_parallel", "%")),
    {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms", "9 ms"), r: ("1",)},
)  # fmt: skip

WORTH_IT = (
    Value(
        "E-ratio", "E", "compute", "comm_to_compute",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. A rule of thumb says that sharding hurts where a certain ratio of the two is above a bound. What is that ratio here?",
        "", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms")},
    ),
    Value(
        "E-slowdown", "E", "compute", "slowdown_without_overlap",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]], and nothing overlaps. What is the slowdown against a layer that does not communicate?",
        "%", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms")},
    ),
    Value(
        "E-step", "E", "compute", "step_with_overlap",
        f"{_GIVEN} How long does the layer take?", "ms", _TIMES,
    ),
    Value(
        "E-overlap", "E", "backwards", "overlap_for_slowdown",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. What share of the communication must overlap compute, if the layer may be slower by [[sigma_goal]] of its compute time?",
        "", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), sigma_goal: ("10 %", "12 %", "15 %", "17.5 %", "20 %")},
    ),
    Value(
        "E-data-parallel", "E", "compute", "data_parallel_time",
        "FSDP, which gathers again for the backward pass, communicates for [[T_comm]] on [[N]] ranks. How long would plain data parallel's all-reduce take on the same link?",
        "ms", {T_comm: ("3 ms", "4.5 ms", "7 ms", "11 ms", "13 ms"), r: ("1",), N: ("8", "16", "32")},
    ),
    Value(
        "E-no-overlap", "E", "compute", "step_without_overlap",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]], and the GPU computes nothing while it waits for bytes. How long does the layer take?",
        "ms", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms", "9 ms")},
    ),
    Value(
        "E-side-by-side", "E", "compute", "step_when_hidden",
        "A layer's compute takes [[T_comp]] and its communication [[T_comm]]; they start together and run side by side without slowing each other. How long does the layer take?",
        "ms", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "5 ms", "6 ms", "9 ms", "12 ms", "16 ms")},
    ),
    Value(
        "E-exposed-budget", "E", "backwards", "exposed_for_slowdown",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. How much of the communication may stay exposed, if the layer may be slower by [[sigma_goal]] of its compute time?",
        "ms", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms"), sigma_goal: ("10 %", "12 %", "15 %", "17.5 %", "20 %")},
    ),
    Value(
        "E-against-data-parallel", "E", "compute", "slowdown_over_data_parallel",
        "A layer computes for [[T_comp]]. FSDP, which gathers again for the backward pass, communicates for [[T_comm]] on [[N]] ranks; plain data parallel all-reduces on the same link. "
        "Nothing overlaps. By how many per cent is the layer slower with FSDP than with plain data parallel?",
        "%", {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("3 ms", "4 ms", "5 ms", "6 ms", "9 ms"), r: ("1",), N: ("8", "16", "32")},
    ),
    Written(
        "E-write-step", "E", "step_with_overlap",
        "A layer computes for T_comp and communicates for T_comm; a share of [[phi]] of the communication overlaps compute. How long does the layer take?",
        {phi: ("0.3", "0.4", "0.6", "0.7", "0.8")},
    ),
    Written(
        "E-write-overlap", "E", "overlap_for_slowdown",
        "A layer computes for T_comp and communicates for T_comm. What share of the communication must overlap compute, if the layer may be slower by [[sigma_goal]] of its compute time?",
        {sigma_goal: ("10 %", "12 %", "15 %", "17.5 %", "20 %")},
    ),
    Decide(
        "E-hurts", "E", "sharding_hurts", "comm_to_compute",
        "A layer computes for [[T_comp]] and communicates for [[T_comm]]. The rule of thumb allows a ratio of [[rho_max]]. Does communication hurt by this rule?",
        {T_comp: ("7 ms", "8 ms", "11 ms", "13 ms", "17 ms"), T_comm: ("2 ms", "3 ms", "4 ms", "5 ms", "6 ms"), rho_max: ("0.25", "0.3", "0.4")},
    ),
    WrongLine("E-wrong-line", "E", _STEP),
    Faded("E-faded", "E", _SLOWDOWN, 3),
    Faded("E-against-faded", "E", _AGAINST, 2),
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
