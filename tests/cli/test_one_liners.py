"""What people ask backwards is one line: at a terminal, and in Python."""

from __future__ import annotations

import pytest

from fsdp_sym import choose, solve
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.cli import DONE, WRONG, main

LINES = {
    "the largest batch": (
        ["solve", "state_and_activations", "--cell", "C", "--for", "b", "--at-most", "80 GB"],
        lambda: solve("C", "state_and_activations", "b", at_most="80 GB").shown(),
        "b = 15",
    ),
    "the fewest GPUs": (
        ["solve", "sharded_state", "--cell", "B", "--for", "N", "--at-most", "10 GB"],
        lambda: solve("B", "sharded_state", "N", at_most="10 GB").shown(),
        "N = 12",
    ),
    "the fewest GPUs in whole nodes": (
        [
            "choose", "--cell", "B", "--over", "N=1..64", "--smallest", "N",
            "--such-that", "sharded_state <= 10 GB", "--such-that", "8 divides N",
        ],
        lambda: choose({"N": range(1, 65)}, "B", smallest="N", such_that=["sharded_state <= 10 GB", "8 divides N"]).best.text,
        "N = 16",
    ),
    "the slowest link that still hides": (
        ["solve", "transfer_time", "--set", "V=15.5 GB", "--for", "W", "--at-most", "400 ms"],
        lambda: solve({"V": "15.5 GB"}, "transfer_time", "W", at_most="400 ms").shown(),
        "W = 38.75 GB/s",
    ),
    "the slowest link on which a layer's gather hides": (
        ["solve", "critical_tokens", "--cell", "Q", "--for", "W", "--at-most", "8192"],
        lambda: solve("Q", "critical_tokens", "W", at_most=8192).shown(),
        "W = 60.08148193359375 GB/s",
    ),
    "the N beyond which activations are more than half": (
        ["solve", "activations_over_state", "--cell", "C", "--for", "N", "--at-least", "1"],
        lambda: solve("C", "activations_over_state", "N", at_least=1).shown(),
        "N = 109",
    ),
    "from how many GPUs on hybrid sharding keeps up": (
        ["choose", "--cell", "P", "--over", "N=16..4096+16", "--smallest", "N", "--such-that", "hybrid_is_no_slower"],
        lambda: choose({"N": range(16, 4097, 16)}, "P", smallest="N", such_that=["hybrid_is_no_slower"]).best.text,
        "N = 32",
    ),
    "several unknowns, within a node": (
        [
            "choose", "--over", "N_d=1..64", "--over", "N_t=1..16", "--over", "N_p=1..8", "--set", "n_node=8", "--largest", "N_t",
            "--such-that", "world_size = 512", "--such-that", "N_t <= n_node", "--such-that", "N_p divides n_node",
        ],
        lambda: choose(
            {"N_d": range(1, 65), "N_t": range(1, 17), "N_p": range(1, 9)}, n_node=8, largest="N_t",
            such_that=["world_size = 512", "N_t <= n_node", "N_p divides n_node"],
        ).best.text,
        "N_d = 8, N_t = 8, N_p = 8",
    ),
}  # fmt: skip


@pytest.mark.parametrize("asked", LINES)
def test_a_question_is_one_line_and_both_ways_say_the_same(asked, capsys):
    command, python, answer = LINES[asked]
    assert main(command) == DONE
    assert capsys.readouterr().out.splitlines()[0] == answer
    assert answer.endswith(python())


def test_of_several_conditions_those_that_bind_are_said(capsys):
    main(LINES["several unknowns, within a node"][0])
    assert "  N_t <= n_node binds: without it" in capsys.readouterr().out


@pytest.mark.parametrize("several", ["N,P", "N, P"])
def test_several_letters_are_for_choose(several, capsys):
    assert main(["solve", "sharded_state", "--cell", "B", "--for", several, "--at-most", "10 GB"]) == WRONG
    said = capsys.readouterr().err
    assert "fsdp-sym choose --cell B --over N=1..64 --over P=1..64 --smallest N --such-that 'sharded_state <= 10 GB'" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("several", ["N,P", ["N", "P"]])
def test_several_letters_are_for_choose_in_python_too(several):
    with pytest.raises(FsdpSymError, match=r"use choose, over N=\.\.\. and P=\.\.\., such that 'sharded_state <= \.\.\.'"):
        solve("B", "sharded_state", several, at_most="10 GB")


def test_a_range_with_units_says_how_it_is_written(capsys):
    assert main(["choose", "--over", "W=10 GB/s..90 GB/s", "--smallest", "W"]) == WRONG
    assert "has '10 GB/s' as its first value: give a whole number in base units" in capsys.readouterr().err
