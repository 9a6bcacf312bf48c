"""A plan in words: the best layouts and their margins, why one is before another, and why one is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Final, NamedTuple

from sympy import Rational

from ...algebra.errors import FsdpSymError, OutOfRange
from ...algebra.printing import to_text
from ...algebra.units import Amount, byte, second, show
from ...algebra.vocabulary import M_max
from ..catalogue import formula
from . import quantities as q
from .calibrate import Calibration
from .job import Job
from .layouts import Layout
from .parts import Parts, memory_of, time_of
from .plan import Plan, Ranked
from .space import CAUSES, DEGREES, EXPERT

_HEAD: Final = ("sharding", "run again", "micro-batch", "chunks", "sequences", "peak", "step", "slower", "MFU")
_FORMULAS: Final = ("run_time", "micro_batch_time", "gather_time", "reduce_time", "exposed_in_step", "optimizer_time", "stage_peak")
_EQUAL: Final = 5e-4  # of a time: what lies closer is called equal
_AGAIN: Final = {"gate": "wide activations made again", "scores": "scores made again", "full": "whole layers run again"}
NOT_COUNTED: Final = "the device's context, fragmentation, libraries' buffers, and activations of the embedding"


class Sureness(NamedTuple):
    """How far off predictions were, as shares of what was measured.

    Attributes
    ----------
    average : float
        Of the errors' sizes.
    most : float
        Their 90th percentile.
    says : str
    """

    average: float
    most: float
    says: str


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


# Of the published runs in evidence/, which a test works out again.
NOMINAL_RUNS: Final = 24
NOMINAL_ERROR: Final = Sureness(
    0.19, 0.37,
    f"nominal, not calibrated: on {NOMINAL_RUNS} published runs such times were off by {_percent(0.19)} on average, "
    f"and by {_percent(0.37)} in the worst tenth",
)  # fmt: skip


def sureness_of(calibration: Calibration) -> Sureness:
    """What a calibration says of itself."""
    mean, most = calibration.average, calibration.ninth_of_ten
    run, error = calibration.worst
    return Sureness(
        mean, most,
        f"calibrated ({', '.join(calibration.fitted)}): runs left out of the fit were off by {_percent(mean)} on average, "
        f"{_percent(most)} in the worst tenth; the worst, row {run.row} ({run.group}), by {_percent(error)}",
    )  # fmt: skip


def gpus(count: int) -> str:
    """``1 GPU``, ``1,024 GPUs``."""
    return f"{count:,} GPU{'' if count == 1 else 's'}"


def useful_share(job: Job, ranked: Ranked) -> float:
    """MFU: the operations that the model asks for, over what the GPUs could have done in that time at their dense peak.

    In fp8 that is fp8's.
    """
    return float(q.asked_flops(job) / job.peak) / (ranked.each * job.world)


def degrees_of(job: Job) -> tuple[str, ...]:
    """Those that multiply to the world, and the expert degree where there are experts."""
    return (*DEGREES, EXPERT) if job.shape.experts else DEGREES


def rows_of(plan: Plan, count: int, sure: Sureness) -> list[list[str]]:
    """The best, a row each, under a head. Those closer to the best than predictions are sure are ties, marked ~."""
    best = plan.best(count)
    degrees = degrees_of(plan.job)
    rows = [["rank", *degrees, *_HEAD]]
    for rank, one in enumerate(best, 1):
        slower = one.each / best[0].each - 1
        tie = "~" if rank > 1 and slower <= sure.average else ""
        layout = one.layout
        rounds = one.sequences // (layout.replicas * layout.shard * layout.micro)
        rows.append([
            str(rank), *(str(getattr(layout, name)) for name in degrees), layout.sharding, layout.recompute,
            f"{layout.micro} x {rounds}", str(layout.chunks), f"{one.sequences:,}",
            _bytes(one.peak), _seconds(one.seconds), f"{tie}{_percent(slower)}" if rank > 1 else "",
            _percent(useful_share(plan.job, one)),
        ])  # fmt: skip
    return rows


def lines_of(plan: Plan, count: int, sure: Sureness) -> Iterator[str]:
    """What stands above the table: what was asked and looked at, and how sure the times are."""
    job = plan.job
    yield (
        f"{job.shape.name}, {job.shape.parameters:,} parameters, on {gpus(job.world)} of {job.machine}, "
        f"{_bytes(float(job.device[M_max] + job.margin))} each; at most {job.batch:,} sequences of {job.tokens:,} tokens a step"
    )
    gone = ", ".join(f"{name} {count:,}" for name, count in plan.rejected.items() if count)
    yield f"{plan.size:,} layouts: {plan.fit:,} fit; ruled out by {gone}"
    yield sure.says
    if job.precision == "fp8":
        yield "a layer's matrices are multiplied in fp8, and MFU is of its peak; all else is in bf16, and what is kept and sent is"
    if job.shape.experts:
        yield f"a token goes to {job.shape.active} of {job.shape.experts} experts, and each is taken to be as busy as the others"
    yield f"{_bytes(job.margin)} of each GPU are left for what is not counted: {NOT_COUNTED}"
    if any(one.layout.context > 1 for one in plan.best(count)):
        yield "FSDP and ZeRO share the state out over the ranks of shard and context degree together"


def binds(plan: Plan) -> str:
    """Whether memory keeps a faster layout out."""
    (best,) = plan.best(1)
    free = plan.unlimited
    if free is None or free.each >= best.each:
        return "memory does not bind: the fastest layout of all fits"
    faster = _percent(1 - free.each / best.each)
    return f"memory binds: {described(free.layout)} would be {faster} faster, and would take {_bytes(free.peak)}"


def misses(plan: Plan) -> Iterator[str]:
    """Where nothing fits: by how much, or why no layout can be."""
    lean = plan.leanest
    if lean is None:
        yield "no layout can be, whatever the memory: " + "; ".join(f"{c.name}: {c.says}" for c in CAUSES if plan.rejected[c.name])
        return
    yield f"nothing fits: the leanest layout, {described(lean.layout)}, takes {_too_much(plan.job, lean)}"


def _too_much(job: Job, one: Ranked) -> str:
    """What a layout takes, and by how much that passes what it may."""
    over = one.peak - float(job.device[M_max])
    return f"{_bytes(one.peak)}, {_bytes(over)} more than a margin of {_bytes(job.margin)} leaves"


def described(layout: Layout) -> str:
    """A layout in a few words: degrees of 1 are left out."""
    degrees = [f"{name} {getattr(layout, name)}" for name in (*DEGREES, EXPERT) if getattr(layout, name) > 1]
    chunks = [f"{layout.chunks} chunks"] if layout.chunks > 1 else []
    again = [_AGAIN[layout.recompute]] if layout.recompute in _AGAIN else []
    shared = layout.replicas * layout.shard * layout.context > 1
    return ", ".join([*degrees, *([layout.sharding] if shared else []), f"micro-batches of {layout.micro}", *chunks, *again])


def why(plan: Plan) -> Iterator[str]:
    """The best beside the runner-up, part by part, with the formulas that they come from."""
    best = plan.best(2)
    first = best[0]
    yield f"1: {described(first.layout)}"
    if len(best) > 1:
        yield f"2: {described(best[1].layout)}"
    yield ""
    yield "The time of a step, part by part (the slowest stage's):"
    yield from _beside([time_of(plan.job, one.layout) for one in best], _time)
    if len(best) > 1:
        yield _margin(plan, best)
    yield ""
    yield "The memory of the fullest rank, part by part:"
    yield from _beside([memory_of(plan.job, one.layout) for one in best], _size)
    yield f"of {_bytes(float(plan.job.device[M_max]))}; {binds(plan)}"
    yield ""
    yield "By these formulas (fsdp-sym explain NAME proves each):"
    for name in (*_FORMULAS, *(["expert_time"] if plan.job.shape.experts else [])):
        stated = formula(name)
        yield f"  {name}: {to_text(stated.defines)} = {to_text(stated.exact)}"


def _margin(plan: Plan, best: Sequence[Ranked]) -> str:
    """By which part the runner-up lost most."""
    gap = best[1].each / best[0].each - 1
    lost = _lost(plan.job, best[1], best[0])
    if gap < _EQUAL or not lost:
        return f"The runner-up is as fast within {_percent(_EQUAL)}, and comes second by that or by its memory."
    return f"The runner-up is {_percent(gap)} slower, and loses most by its {lost[0][0]}."


def _timed(one: Ranked) -> str:
    """A layout with what it takes."""
    return f"{described(one.layout)}; {_bytes(one.peak)}, {_seconds(one.seconds)} for {one.sequences:,} sequences"


def _lost(job: Job, one: Ranked, other: Ranked) -> list[tuple[str, Rational]]:
    """By how much longer each part of a layout's step takes than the other's, a sequence: the most first, and equal ones left out."""
    mine, theirs = (time_of(job, x.layout).parts for x in (one, other))
    found = {name: mine[name] / one.sequences - theirs[name] / other.sequences for name in mine}
    return sorted(((name, value) for name, value in found.items() if value), key=lambda row: -row[1])


def _beside(columns: Sequence[Parts], shown: Callable[[Rational], str]) -> Iterator[str]:
    for name in columns[0].parts:
        values = [column.parts[name] for column in columns]
        if any(values):
            yield f"  {name:<32}" + "".join(f"{shown(value):>22}" for value in values)
    yield f"  {'together':<32}" + "".join(f"{shown(column.whole):>22}" for column in columns)


def read_split(text: str, job: Job) -> tuple[int, ...]:
    """A split as it is typed: ``tensor=8 pipeline=16``; the shard degree takes what is left, others that are not named are 1.

    The expert degree takes no GPUs: without it any is meant.

    Raises
    ------
    FsdpSymError
        Where it is no split of the job's world.
    """
    world = job.world
    given: dict[str, int] = {}
    for pair in text.replace(",", " ").split():
        name, _, value = pair.partition("=")
        if name not in (*DEGREES, EXPERT) or not value.isdecimal() or not 0 < len(value) < 8 or int(value) < 1:
            raise FsdpSymError(f"{pair!r} is no degree: write a split like 'tensor=8 pipeline=16', of {', '.join((*DEGREES, EXPERT))}")
        if name in given:
            raise FsdpSymError(f"{text!r} gives {name} twice: name each degree once")
        given[name] = int(value)
    expert = [given.pop(EXPERT)] if EXPERT in given else []
    if expert > [1] and not job.shape.experts:
        raise FsdpSymError(f"{job.shape.name} has no experts to share out: leave {EXPERT}={expert[0]} out of the split")
    taken = prod(given.values())
    if world % taken or ("shard" in given and taken != world):
        raise OutOfRange(f"{text} makes {taken:,}, and there are {world:,} GPUs: degrees but the expert one multiply to the world")
    split = dict.fromkeys(DEGREES, 1) | {"shard": world // taken} | given
    return (*(split[name] for name in DEGREES), *expert)


def why_not(plan: Plan, split: tuple[int, ...]) -> Iterator[str]:
    """What becomes of a split: its rank and how much slower it is, or what rules it out."""
    yield "the split " + ", ".join(f"{name} {degree}" for name, degree in zip((*DEGREES, EXPERT), split, strict=False))
    ranked, every = plan.of_split(split)
    if ranked:
        rank, one = ranked[0]
        (best,) = plan.best(1)
        yield f"is rank {rank:,} of {plan.fit:,} at its best: {_timed(one)}"
        if rank == 1:
            return
        yield f"rank 1: {_timed(best)}"
        yield f"a sequence takes the split {_percent(one.each / best.each - 1)} longer; part by part"
        for name, value in _lost(plan.job, one, best):
            yield f"  {name:<32}{'+' if value > 0 else '-'}{_time(abs(value)).removeprefix('≈ '):>10}"
        return
    if every:
        yield f"does not fit: even {described(every[0].layout)} takes {_too_much(plan.job, every[0])}"
        return
    yield "cannot be:"
    for cause, count in plan.causes_of(split):
        yield f"  {cause.name} rules out {count:,} of its layouts: {cause.says}"


def _time(value: Rational) -> str:
    return show(Amount(value, second), digits=4)


def _size(value: Rational) -> str:
    return show(Amount(value, byte), digits=5)


def _bytes(size: float) -> str:
    return f"{size / 1e9:,.3f} GB"


def _seconds(value: float) -> str:
    return f"{value:.4g} s"
