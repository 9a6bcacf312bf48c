"""Quantities worked together are what each of them is alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fsdp_sym.algebra.agreement import drawn_points
from fsdp_sym.algebra.arithmetic import Surd
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.vocabulary import N, S, T, T_ag, V, V_ag, V_gather, W
from fsdp_sym.reasoning.catalogue import formula, formulas
from fsdp_sym.reasoning.together import together
from fsdp_sym.reasoning.work import evaluator, plain

CHAIN = ("model_parameters", "step_flops", "gathered_in_step", "step_peak", "best_peak", "sharded_state", "micro_batches_in_flight")


def test_all_of_them_are_what_each_is_alone():
    """Formulas that share letters, among them ceilings over the same ranks, maxima and a root."""
    chosen = [formula(name) for name in CHAIN]
    every = together({f.defines: f for f in chosen})
    assert every.quantities == tuple(f.defines for f in chosen)
    for point in drawn_points(every.letters, 40, 3):
        numbers = [plain(point[s]) for s in every.letters]
        alone = [(evaluator(f), [plain(point[s]) for s in f.letters]) for f in chosen]
        floats = every.in_floats(*numbers)
        try:
            expected = tuple(each(*given) for each, given in alone)
        except Surd:
            with pytest.raises(Surd):
                every.exactly(*numbers)
        else:
            assert every.exactly(*numbers) == expected
            assert floats == pytest.approx([float(x) for x in expected], rel=1e-12)


@pytest.mark.parametrize("name", [f.id for f in formulas().values() if f.letters])
def test_one_alone_is_exactly_what_it_is(name):
    chosen = formula(name)
    own = together({chosen.defines: chosen})
    for point in drawn_points(own.letters, 3, 5, [h for h in chosen.where if h.symbols <= set(own.letters)]):
        numbers = [plain(point[s]) for s in own.letters]
        try:
            assert own.exactly(*numbers) == (evaluator(chosen)(*numbers),)
        except Surd:
            continue


def test_one_uses_those_before_it():
    chain = together({V: formula("all_gather"), T: formula("transfer_time"), T_ag: 2 * T})
    assert chain.letters == (N, S, W)
    assert chain.exactly(3, 100, 7) == (68, Fraction(68, 7), Fraction(136, 7))


def test_floats_round_a_shard_from_its_own_quotient():
    """49 times a shared 1/49 is not 1 in floats."""
    gathered = together({V_ag: formula("all_gather"), V_gather: formula("gathered_in_step")})
    names = [s.name for s in gathered.letters]
    for ranks in range(1, 400):
        at = {"N": ranks, "S": 49, "r": 1, "K_mb": 3, "u_root": 0, "S_blk": 49, "S_root": 4900}
        assert gathered.in_floats(*(at[x] for x in names)) == gathered.exactly(*(at[x] for x in names))


def test_what_is_the_same_everywhere_is_given_once():
    chain = together({V: formula("all_gather"), T: formula("transfer_time")}, {W: Fraction(7, 2)})
    assert chain.letters == (N, S)
    assert chain.exactly(3, 100) == (68, Fraction(136, 7))
    assert chain.in_floats(3, 100) == (68, 136 / 7)


def test_an_order_that_cannot_be_is_one_line():
    with pytest.raises(FsdpSymError, match=r"^V is worked out after another quantity needs it: put it before$"):
        together({T: formula("transfer_time"), V: formula("all_gather")})
