"""What the stories of the pipeline's formulas say beside their formulas: slow stages, long rounds, too few micro-batches."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from fsdp_sym.formulas.pipeline.schedule import all_forward_all_backward, alternating_orders, in_flight, step_end, step_time

SIZES = list(product((1, 2, 3, 5), (1, 2, 4, 7, 11)))


@pytest.mark.parametrize(("stages", "micro_batches"), SIZES)
def test_where_a_slow_stage_stands_does_not_matter_to_gpipe_and_1f1b_is_never_longer(stages, micro_batches):
    for slow in range(stages):
        forward, backward = ([long * (3 if at == slow else 1) for at in range(stages)] for long in (2, 5))
        gpipe = step_end(all_forward_all_backward(stages, micro_batches), forward, backward)
        assert gpipe == (stages - 1 + 3 * micro_batches) * 7
        assert 3 * micro_batches * 7 <= step_end(alternating_orders(stages, micro_batches), forward, backward) <= gpipe


@pytest.mark.parametrize("stages", [2, 3, 4, 6])
@pytest.mark.parametrize("left_over", [0, 1, "one less"])
@pytest.mark.parametrize("chunks", [2, 3])
def test_a_longer_round_takes_no_longer_and_keeps_more(stages, left_over, chunks):
    more = stages - 1 if left_over == "one less" else left_over
    micro_batches = 3 * stages + more
    assert step_time(stages, micro_batches, chunks, 1, 2) == 3 * (micro_batches + Fraction(stages - 1, chunks))
    kept = in_flight(alternating_orders(stages, micro_batches, chunks)[0])
    assert kept == stages * chunks + stages - 1 + more * (chunks - 1)


@pytest.mark.parametrize(("stages", "micro_batches", "chunks"), [(4, 2, 2), (4, 3, 3), (6, 5, 2), (8, 1, 4)])
def test_fewer_micro_batches_than_stages_leave_gaps_between_the_chunks(stages, micro_batches, chunks):
    assert step_time(stages, micro_batches, chunks, 1, 2) > 3 * (micro_batches + Fraction(stages - 1, chunks))


def test_stages_that_wait_for_each_other_are_noticed():
    first, second = alternating_orders(2, 2)
    with pytest.raises(AssertionError, match="wait for each other"):
        step_end([first[::-1], second], [1, 1], [1, 1])
