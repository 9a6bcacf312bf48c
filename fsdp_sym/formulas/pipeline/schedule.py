"""A pipeline's step played task by task: what the times, the bubble and the micro-batches in flight are counted on.

Stage i of p holds the parts i, p + i, 2 p + i and so on of the model, one for each of its chunks. A schedule is the order in which each
stage takes its tasks; a task starts when its stage is free and what it needs has come. Nothing here knows how long a step should take.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from ..time.timeline import Number, ticks

Task = tuple[bool, int, int]
"""Whether it goes forward, through which part of the model, and which micro-batch."""
Order = list[Task]
"""One stage's tasks, in the order it takes them."""


def all_forward_all_backward(stages: int, micro_batches: int) -> list[Order]:
    """GPipe: every micro-batch goes forward before the first comes back."""
    return [[(forward, stage, at) for forward in (True, False) for at in range(micro_batches)] for stage in range(stages)]


def rounds(stages: int, micro_batches: int) -> list[range]:
    """Micro-batches go through the chunks in rounds of as many as there are stages; the first round takes the remainder as well."""
    first = min(micro_batches, stages + micro_batches % stages)
    return [range(first), *(range(at, at + stages) for at in range(first, micro_batches, stages))]


def one_forward_one_backward(stage: int, stages: int, micro_batches: int, chunks: int = 1) -> Order:
    """1F1B on one stage: it warms up with forward passes, then alternates, and backward passes are left at the end.

    It warms up with a round through each chunk but its last, and with one task more for every stage behind it; with two where there are
    chunks, so that a stage never waits for the way back.
    """
    in_rounds = rounds(stages, micro_batches)
    parts = range(stage, stages * chunks, stages)
    forward = [(True, part, at) for group in in_rounds for part in parts for at in group]
    backward = [(False, part, at) for group in in_rounds for part in parts[::-1] for at in group]
    lead = (stages - 1 - stage) * min(2, chunks) + (chunks - 1) * len(in_rounds[0])
    steady = len(forward[lead:])
    pairs = zip(forward[lead:], backward[:steady], strict=True)
    return [*forward[:lead], *(task for pair in pairs for task in pair), *backward[steady:]]


def alternating_orders(stages: int, micro_batches: int, chunks: int = 1) -> list[Order]:
    """1F1B on every stage."""
    return [one_forward_one_backward(stage, stages, micro_batches, chunks) for stage in range(stages)]


def play(orders: Sequence[Order], forward: Sequence[int], backward: Sequence[int]) -> list[list[int]]:
    """At which tick each stage ends each of its tasks; ``forward`` and ``backward`` are how long one takes on each stage."""
    parts = len({part for order in orders for _, part, _ in order})
    at_first: list[int | None] = [None for _, part, _ in orders[0] if part == 0]
    # Below the first part there is the data, ready from the start; a way back begins where the way forth ends.
    gone: list[list[int | None]] = [[0 for _ in at_first], *(at_first.copy() for _ in range(parts))]
    back: list[list[int | None]] = [*(at_first.copy() for _ in range(parts)), gone[parts]]
    ends: list[list[int]] = [[] for _ in orders]
    clocks = [0 for _ in orders]
    queues = [iter(order) for order in orders]
    heads = [next(queue, None) for queue in queues]
    while any(heads):
        before = list(heads)
        for stage, queue in enumerate(queues):
            head, clock = heads[stage], clocks[stage]
            while head:
                ahead, part, at = head
                came = gone[part][at] if ahead else back[part + 1][at]
                if came is None:
                    break
                clock = (clock if clock > came else came) + (forward if ahead else backward)[stage]
                (gone[part + 1] if ahead else back[part])[at] = clock
                ends[stage].append(clock)
                head = next(queue, None)
            heads[stage], clocks[stage] = head, clock
        assert heads != before, "the stages wait for each other"
    return ends


def step_end(orders: Sequence[Order], forward: Sequence[int], backward: Sequence[int]) -> int:
    """When the last stage to end does so."""
    return max(max(ends) for ends in play(orders, forward, backward))


def step_time(stages: int, micro_batches: int, chunks: int, forward: Number, backward: Number) -> Fraction:
    """When a step under 1F1B is over, of stages that take so long for all their chunks of one micro-batch."""
    return _step_time(stages, micro_batches, chunks, forward, backward)


@lru_cache(maxsize=1024)
def _step_time(stages: int, micro_batches: int, chunks: int, forward: Number, backward: Number) -> Fraction:
    to, back, second = ticks(Fraction(forward) / chunks, Fraction(backward) / chunks, 1)
    return Fraction(step_end(alternating_orders(stages, micro_batches, chunks), [to] * stages, [back] * stages), second)


def work_of_stage(micro_batches: int, forward: Number, backward: Number) -> Fraction:
    """How long a stage works in a step: without a bubble the step would be over."""
    return sum((Fraction(each) for each in (forward, backward) for _ in range(micro_batches)), Fraction(0))


def in_flight(order: Order) -> int:
    """Most tasks of a stage that have gone forth and not come back."""
    most = now = 0
    for ahead, _, _ in order:
        now += 1 if ahead else -1
        most = max(most, now)
    assert now == 0, "some have not come back"
    return most
