"""The eight worked scenarios come out exactly, by the formulas and by plain counting.

The expected values stand in data/worked_values.json, which only tests read.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Integer, Rational, sqrt

from fsdp_sym.algebra.agreement import exact
from fsdp_sym.algebra.formula import Bracket
from fsdp_sym.algebra.units import Amount
from fsdp_sym.algebra.vocabulary import (
    A,
    G,
    L,
    M_max,
    N,
    N_p,
    N_t,
    P,
    R_bit,
    S,
    T_comm,
    T_comp,
    b,
    b_a,
    c,
    d,
    n_bit,
    n_node,
    rho_max,
    s,
    sigma_goal,
)  # fmt: skip
from fsdp_sym.reasoning.work import count, work
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.scenarios.plans import WIDTHS

EXPECTED = json.loads((Path(__file__).parent / "data" / "worked_values.json").read_text())

# Which formula gives an answer, and at which other values of the cell's letters.
ROUTES = {
    "A": {
        "bytes_per_param": ("bytes_per_parameter", {}),
        "M_full_B": ("replicated_state", {}),
        "M_at_N=1_B": ("single_rank_state", {}),
        "M_at_N=8_B": ("sharded_state", {"N": 8}),
        "full_replica_fits": ("replica_fits", {}),
        "N=8_fits": ("shard_fits", {"N": 8}),
    },
    "B": {
        "bytes_per_param": ("bytes_per_parameter", {}),
        "M_full_B": ("replicated_state", {}),
        "M_at_N=64_B": ("sharded_state", {}),
    },
    "C": {
        "elements_per_layer": ("activation_elements", {}),
        "bytes_per_layer": ("activation_tensor", {}),
        "bytes_all_layers": ("all_activations", {}),
        "sharded_state_B": ("mean_state", {}),
        "activations_over_state": ("activations_over_state", {}),
        "sqrt_L_checkpoints": ("sqrt_interval", {}),
        "bytes_with_sqrt_L_checkpoints": ("sqrt_checkpoints_kept", {}),
    },
    "D": {
        "all_gather_N=4_B": ("all_gather", {}),
        "all_gather_N=64_B": ("all_gather", {"N": 64}),
        "limit_B": ("all_gather", {"N": "oo"}),
        "per_layer_AG+RS_N=64_B": ("layer_traffic", {"N": 64, "r": 0}),
        "per_layer_AG+AG+RS_N=64_B": ("layer_traffic", {"N": 64, "r": 1}),
    },
    "E": {
        "bytes_per_param": ("bytes_per_parameter", {}),
        "M_full_B": ("replicated_state", {}),
        "fits": ("replica_fits", {}),
        "ratio": ("comm_to_compute", {}),
        "worst_case_step_s": ("step_without_overlap", {}),
        "worst_case_slowdown": ("slowdown_without_overlap", {}),
        "exposed_for_target_s": ("exposed_for_slowdown", {}),
        "overlap_for_target": ("overlap_for_slowdown", {}),
        "decision": ("sharding_hurts", {}),
    },
    "F": {
        "link_B_per_s": ("link_bandwidth", {}),
        "time_s": ("all_gather_time", {"N": "oo"}),
    },
    "G": {
        "stage0_B": ("replicated_state", {}),
        "stage1_B_per_param": ("zero_1_bytes_per_parameter", {}),
        "stage1_B": ("zero_1_state", {}),
        "stage2_B_per_param": ("zero_2_bytes_per_parameter", {}),
        "stage2_B": ("zero_2_state", {}),
        "stage3_B_per_param": ("zero_3_bytes_per_parameter", {}),
        "stage3_B": ("sharded_state", {}),
        "pick": ("stage_for_budget", {}),
    },
    "H": {
        "N_data": ("data_degree", {}),
        "tensor_group_inside_node": ("tensor_group_fits_node", {}),
        "product": ("world_size", {"N_d": 32}),
    },
}  # fmt: skip

# The answers that are no rational number, and the one that is a sentence.
SPOKEN = {
    "4*sqrt(6)": 4 * sqrt(6),
    "402653184*4*sqrt(6)": 402653184 * 4 * sqrt(6),
    "plain data parallel": True,
}

# What the scenarios give, by the letter that holds it.
LETTER = {
    "P": P, "N": N, "S_B": S, "b": b, "s": s, "d": d, "L": L, "activation_width_B": b_a,
    "device_memory_B": M_max, "budget_B": M_max, "T_comm_s": T_comm, "T_comp_s": T_comp, "threshold": rho_max,
    "target_slowdown": sigma_goal,
    "link_bit_per_s": R_bit, "total": G, "N_pipeline": N_p, "N_tensor": N_t, "node_size": n_node,
}  # fmt: skip
WIDTH = dict(zip(("parameter", "gradient", "master", "momentum", "variance", "other"), WIDTHS, strict=True))


def said(value: object) -> object:
    """An expected value as SymPy's number, or a truth value."""
    if isinstance(value, bool):
        return value
    if value in SPOKEN:
        return SPOKEN[value]
    return Rational(value)


def number(found: object) -> object:
    return found.value if isinstance(found, Amount) else found


CHECKS = [(cell, key) for cell, routes in ROUTES.items() for key in routes]


@pytest.mark.parametrize(("cell", "key"), CHECKS)
def test_by_formula(cell, key):
    formula, at = ROUTES[cell][key]
    assert number(work(cell, formula, **at).value) == said(EXPECTED[cell]["answers"][key])


@pytest.mark.parametrize(("cell", "key"), CHECKS)
def test_by_counting(cell, key):
    formula, at = ROUTES[cell][key]
    found, expected = count(work(cell, formula, **at)), said(EXPECTED[cell]["answers"][key])
    if isinstance(found, Bracket):
        assert not expected.is_Rational
        assert exact(found.low) < expected < exact(found.high)
        assert (found.high - found.low) * 10**4 < found.high
    else:
        assert number(found) == expected


def test_every_expected_value_is_checked():
    assert {cell: set(row["answers"]) for cell, row in EXPECTED.items()} == {cell: set(routes) for cell, routes in ROUTES.items()}


@pytest.mark.parametrize("cell", EXPECTED)
def test_the_cell_has_the_givens(cell):
    values = {symbol: amount.value for symbol, amount in CELLS[cell].values.items()}
    for key, value in EXPECTED[cell]["given"].items():
        if key == "widths_B":
            named = {symbol: width for word, symbol in WIDTH.items() for name, width in value.items() if word in name}
            assert len(named) == len(value)
            assert {w: values[w] for w in WIDTHS} == {w: named.get(w, 0) for w in WIDTHS}
        elif key == "sharded_state":
            assert (values[P], values[N], sum(values[w] for w in WIDTHS)) == (value["P"], value["N"], value["bytes_per_param"])
        elif isinstance(value, list):
            assert values[LETTER[key]] in value
        else:
            assert values[LETTER[key]] == exact(Fraction(value))


def test_the_tensor_that_cell_c_is_given_is_the_one_it_works():
    values = CELLS["C"].values
    assert values[A] == values[c] == work("C", "activation_tensor").value


def test_a_byte_has_eight_bits_where_a_link_is_given():
    assert CELLS["F"].values[n_bit].value == Integer(8)
