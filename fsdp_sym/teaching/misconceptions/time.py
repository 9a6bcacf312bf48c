"""What goes wrong with links, overlap and slowdown (cells E and F)."""

from __future__ import annotations

from sympy import Integer, Max
from sympy import S as NUMBER

from ...algebra.vocabulary import N, R_bit, S, T_comm, T_comp, V, W, n_bit, phi, r, sigma_goal
from .form import Misconception
from .principles import BITS, COLLECTIVES, EXPOSED, ONE_WAY, OWN_SHARD, RATIO

_LINK = ("link_bandwidth", "all_gather_time")
_PASSING = ("transfer_time", "hiding_bandwidth", "hiding_bandwidth_all_gather")

TIME = (
    Misconception(
        "bits-taken-for-bytes", _LINK, lambda truth: truth.xreplace({n_bit: NUMBER.One}),
        "Ten gigabits per second are ten gigabytes per second.", BITS,
        "A line rate is in bits: divide it by the bits in a byte before it meets a tensor's bytes.",
    ),
    Misconception(
        "multiplied-by-the-bits", _LINK, lambda truth: truth.xreplace({n_bit: 1 / n_bit}),
        "There are eight bits to a byte, so I multiply the rate by eight.", BITS,
        "Bits are smaller than bytes, so the same rate is a smaller number of bytes: divide.",
    ),
    Misconception(
        "whole-tensor-on-the-link", ("all_gather_time",), lambda _: S * n_bit / R_bit,
        "The whole tensor has to cross the link.", OWN_SHARD,
        "A rank's own shard never crosses the link; the whole tensor is only the limit for many ranks.",
    ),
    Misconception(
        "one-shard-on-the-link", ("all_gather_time",), lambda _: S * n_bit / (N * R_bit),
        "A shard is what is sent.", OWN_SHARD,
        "The other ranks' shards arrive one after the other: one step for each of them.",
    ),
    Misconception(
        "bandwidth-over-data", ("transfer_time",), lambda _: W / V,
        "Time is bandwidth over data.", RATIO,
        "More bytes take longer: time is data over bandwidth.",
    ),
    Misconception(
        "both-directions-carry-it", _PASSING, lambda truth: truth / 2,
        "A link works both ways, so it carries twice as much.", ONE_WAY,
        "What a rank receives comes in one direction; the other one carries what it sends.",
    ),
    Misconception(
        "sent-and-received-in-turn", _PASSING, lambda truth: truth * 2,
        "What I receive I also send, so everything crosses the link twice.", ONE_WAY,
        "A rank sends while it receives, each in its own direction: the bytes are counted once.",
    ),
    Misconception(
        "ratio-upside-down", ("comm_to_compute", "slowdown_without_overlap"), lambda _: T_comp / T_comm,
        "The ratio is compute over communication.", RATIO,
        "The ratio is communication over compute; yours grows when communication gets cheaper.",
    ),
    Misconception(
        "share-of-the-step", ("comm_to_compute", "slowdown_without_overlap"), lambda _: T_comm / (T_comp + T_comm),
        "The share of communication in the whole step is the slowdown.", RATIO,
        "Slowdown compares with the compute time alone, not with the step that is already slower.",
    ),
    Misconception(
        "difference-over-compute", ("comm_to_compute", "slowdown_without_overlap"), lambda _: 1 - T_comm / T_comp,
        "What is left of compute is the measure.", RATIO,
        "Divide communication by compute; nothing is taken away from one.",
    ),
    Misconception(
        "step-over-compute", ("slowdown_without_overlap",), lambda truth: 1 + truth,
        "The step over the compute time is the slowdown.", RATIO,
        "That is the whole step; the slowdown is only what was added.",
    ),
    Misconception(
        "communication-always-adds", ("step_with_overlap", "slowdown_with_overlap", "exposed_time", "step_when_hidden"),
        lambda truth: T_comp + T_comm if truth == T_comp else truth.xreplace({phi: NUMBER.Zero}),
        "Communication comes on top of compute.", EXPOSED,
        "What runs beside compute costs nothing; only the rest is added.",
    ),
    Misconception(
        "communication-always-hides", ("step_with_overlap", "step_without_overlap"), lambda _: Max(T_comp, T_comm),
        "Communication runs beside compute, so only the longer one counts.", EXPOSED,
        "Only the overlapping share is hidden; the rest still lengthens the step.",
    ),
    Misconception(
        "overlap-halves-the-step", ("step_when_hidden", "step_without_overlap"), lambda _: (T_comp + T_comm) / 2,
        "Two things at a time take half as long.", EXPOSED,
        "Two things at a time take as long as the longer of them; only where they are equal is that half.",
    ),
    Misconception(
        "hidden-time-taken-off", ("step_when_hidden", "step_without_overlap"), lambda _: T_comp - T_comm,
        "What overlaps is taken off the compute time.", EXPOSED,
        "Hidden communication adds nothing to the compute time, and it takes nothing off.",
    ),
    Misconception(
        "overlap-inverted", ("step_with_overlap", "slowdown_with_overlap", "exposed_time"), lambda truth: truth.xreplace({phi: 1 - phi}),
        "The overlap is what is exposed.", EXPOSED,
        "The overlapping share is hidden; what costs is one minus it.",
    ),
    Misconception(
        "overlap-of-compute", ("step_with_overlap", "exposed_time"), lambda truth: truth.xreplace({(1 - phi) * T_comm: T_comm - phi * T_comp}),
        "The overlap is a share of the compute time.", EXPOSED,
        "The overlap is a share of the communication time: that is what is hidden.",
    ),
    Misconception(
        "exposed-taken-for-overlap", ("overlap_for_slowdown",), lambda _: sigma_goal * T_comp / T_comm,
        "The share I computed is the overlap.", EXPOSED,
        "That is the share which stays exposed; the overlap is the rest of it.",
    ),
    Misconception(
        "slowdown-of-communication", ("overlap_for_slowdown", "exposed_for_slowdown"), lambda truth: truth.xreplace({T_comp: T_comm}),
        "A slowdown of so much means that so much is not hidden.", EXPOSED,
        "The slowdown is measured on compute and the overlap on communication: convert between the two.",
    ),
    Misconception(
        "step-for-exposed", ("exposed_for_slowdown",), lambda truth: T_comp + truth,
        "The slowdown says how long the step may take.", EXPOSED,
        "That is the whole step; exposed is only what is added to the compute time.",
    ),
    Misconception(
        "rest-for-exposed", ("exposed_for_slowdown",), lambda truth: T_comp - truth,
        "What the slowdown leaves is exposed.", EXPOSED,
        "The slowdown itself is what may be added: that share of the compute time, not the rest of it.",
    ),
    Misconception(
        "slower-than-no-communication", ("slowdown_over_data_parallel",), lambda _: T_comm / T_comp,
        "Slowdown compares with the compute time.", RATIO,
        "Plain data parallel communicates as well: compare the two steps, each with its communication.",
    ),
    Misconception(
        "more-over-compute", ("slowdown_over_data_parallel",), lambda _: r * T_comm / ((2 + r) * T_comp),
        "What FSDP communicates more is set against the compute time.", RATIO,
        "Set it against data parallel's whole step, its own communication included.",
    ),
    Misconception(
        "more-over-the-sharded-step", ("slowdown_over_data_parallel",), lambda _: r * T_comm / ((2 + r) * (T_comp + T_comm)),
        "What FSDP communicates more is a share of its step.", RATIO,
        "Slower than data parallel is measured on data parallel's step, not on the longer one.",
    ),
    Misconception(
        "as-slow-as-its-traffic", ("slowdown_over_data_parallel",), lambda _: r / 2,
        "Half as much traffic again makes a step half as long again.", COLLECTIVES,
        "Only communication grows by that much; the compute of a step stays what it is.",
    ),
    Misconception(
        "ratio-inverted-in-overlap", ("overlap_for_slowdown",), lambda _: 1 - sigma_goal * T_comm / T_comp,
        "The target slowdown times communication over compute stays exposed.", RATIO,
        "The exposed time is the slowdown times the compute time; set it over the communication time.",
    ),
    Misconception(
        "three-times-data-parallel", ("data_parallel_time",), lambda _: T_comm / 3,
        "FSDP has three collectives and data parallel one.", COLLECTIVES,
        "Data parallel's one all-reduce is itself two passes: three against two.",
    ),
    Misconception(
        "half-of-sharded", ("data_parallel_time",), lambda _: T_comm / 2,
        "Data parallel moves half of what FSDP moves.", COLLECTIVES,
        "With a second gather it is three passes against two, so two thirds.",
    ),
    Misconception(
        "same-as-sharded", ("data_parallel_time",), lambda _: T_comm + Integer(0),
        "Both move the gradients once.", COLLECTIVES,
        "FSDP that gathers again for the backward pass moves half as much again.",
    ),
)  # fmt: skip
