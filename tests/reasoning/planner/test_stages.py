"""What stages and chunks hold and how long they take, against schedules that are played task by task."""

from __future__ import annotations

import numpy as np
import pytest

from fsdp_sym.formulas.pipeline.schedule import alternating_orders
from fsdp_sym.reasoning.planner.stages import stages

SMALL = [(pipeline, chunks) for pipeline in (2, 3, 4, 6) for chunks in (2, 3, 4)]


def of(layers, pipeline, chunks, rounds):
    return stages(layers, np.array([pipeline]), np.array([chunks]), np.array([rounds]))


def dealt(layers, pipeline, chunks):
    """Parts of the model, one after the other: what is too much goes before the last one, and at the end to that."""
    parts = [layers // (pipeline * chunks)] * (pipeline * chunks)
    for at in [*range(len(parts) - 2, 0, -1), len(parts) - 1][: layers - sum(parts)]:
        parts[at] += 1
    return parts


def played(orders, parts):
    """When a step is over, a layer taking one forward and two backward."""
    gone, back, clocks, queues = {}, {}, [0] * len(orders), [list(order) for order in orders]
    while any(queues):
        for stage, queue in enumerate(queues):
            while queue:
                ahead, part, at = queue[0]
                if ahead:
                    came = 0 if part == 0 else gone.get((part - 1, at))
                else:
                    came = gone.get((part, at)) if part == len(parts) - 1 else back.get((part + 1, at))
                if came is None:
                    break
                queue.pop(0)
                clocks[stage] = max(clocks[stage], came) + parts[part] * (1 if ahead else 2)
                (gone if ahead else back)[part, at] = clocks[stage]
    return max(clocks)


def flying(order, parts):
    """Layers in flight when most are."""
    now = most = 0
    for ahead, part, _ in order:
        now += parts[part] if ahead else -parts[part]
        most = max(most, now)
    return most


@pytest.mark.parametrize(("pipeline", "chunks"), SMALL)
def test_a_step_takes_no_longer_than_its_slowest_chunk_lets_it_and_as_long_where_all_are_alike_but_the_ends(pipeline, chunks):
    met = 0
    for layers in range(pipeline * chunks - 2, 2 * pipeline * chunks + 1):
        parts = dealt(layers, pipeline, chunks)
        for rounds in (pipeline, 3 * pipeline):
            pace = max(int(stage.paced[0]) for stage in of(layers, pipeline, chunks, rounds))
            told = 3 * pace * rounds + 3 * pace * (pipeline - 1) / chunks
            real = played(alternating_orders(pipeline, rounds, chunks), parts)
            assert real <= told
            if layers % (pipeline * chunks) == 0:
                assert real == told
                met += 1
            elif (layers + 2) % (pipeline * chunks) == 0 and pipeline > 2:
                assert real >= told * (1 - 1 / rounds)  # an embedding alone, and a head alone, are passed in no time
                met += 1
    assert met > 2


@pytest.mark.parametrize(("pipeline", "chunks"), SMALL)
def test_the_fullest_stage_is_among_those_looked_at_and_what_is_in_flight_is_what_a_schedule_keeps(pipeline, chunks):
    for layers in range(pipeline * chunks - 2, 2 * pipeline * chunks + 1):
        parts = dealt(layers, pipeline, chunks)
        for rounds in (pipeline, 2 * pipeline, 5 * pipeline):
            kept = [flying(order, parts) for order in alternating_orders(pipeline, rounds, chunks)]
            looked = of(layers, pipeline, chunks, rounds)
            for stage in looked:
                number = int(stage.number[0])
                assert int(stage.flying[0]) == kept[number]
                assert int(stage.layers[0]) == sum(parts[number::pipeline])
            assert max(kept) == max(int(stage.flying[0]) for stage in looked)


def test_405b_in_chunks_of_a_layer_has_none_in_its_first_chunk_and_none_in_its_last():
    first, fullest, last = of(126, 16, 8, 32)
    assert [int(stage.layers[0]) for stage in (first, fullest, last)] == [7, 8, 7]
    assert [int(stage.paced[0]) for stage in (first, fullest, last)] == [8, 8, 7]
    assert (int(fullest.number[0]), int(fullest.flying[0])) == (1, 141)
