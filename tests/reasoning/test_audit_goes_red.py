"""The audit fails on whatever is wrong, and says which formula and why.

Each case spoils one formula that is otherwise in order: the bytes each rank receives in an all-gather, or a
small one beside it.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from fractions import Fraction
from types import ModuleType

import pytest
from sympy import Eq, Integer, Le, Max, Sum, ceiling, floor, oo, sqrt

from fsdp_sym.algebra.formula import Bracket, Formula, Published, Source
from fsdp_sym.algebra.hypotheses import AtMost, Divides, Equal
from fsdp_sym.algebra.steps import Decision, Least, Near, Same, Solved, Tends, Using
from fsdp_sym.algebra.units import byte
from fsdp_sym.algebra.vocabulary import (
    M_0,
    M_3,
    A,
    B,
    L,
    M_max,
    N,
    P,
    S,
    T,
    T_comm,
    T_comp,
    T_exposed,
    T_step,
    V_ag,
    V_layer,
    W,
    c,
    fits,
    i,
    k,
    k_best,
    k_sqrt,
    phi,
    phi_need,
    rho,
    sigma,
    x_1,
)  # fmt: skip
from fsdp_sym.reasoning.audit import Finding, audit, audit_formula
from fsdp_sym.scenarios.cells import CELLS

SOURCE = Source("by definition")


def shards_received(S: int, N: int) -> int:
    return sum(-(-S // N) for _ in range(N - 1))


def formula(name: str, defines, start, *steps, counted=None, **rest) -> Formula:
    """A formula whose file is this one and whose id is `name`."""
    module = f"trial.{name}"
    file = sys.modules.setdefault(module, ModuleType(module, "A formula made for a test."))
    made = Formula(module, defines, start, steps, SOURCE, counted, **rest)
    setattr(file, name, made)
    return made


GATHER = Sum(ceiling(S / N), (i, 1, N - 1))
TOGETHER = Same((N - 1) * ceiling(S / N), "one shard a step")
UNPADDED = Same(S * (N - 1) / N, "no shard is padded", given=(Divides(N, S),))
WHOLE = Near(S, "one's own shard vanishes", limit=(N, oo))
SOUND = formula("sound", V_ag, GATHER, TOGETHER, UNPADDED, WHOLE, counted=shards_received)


def gather(*steps, counted=shards_received, **rest) -> Formula:
    return formula("spoiled", V_ag, GATHER, *steps, counted=counted, **rest)


def found(spoiled: Formula) -> Finding:
    return audit_formula(spoiled, list(CELLS.values()))


def test_the_formula_they_spoil_is_in_order():
    finding = found(SOUND)
    assert finding.ok
    assert finding.status == "proved"
    assert finding.problems == ()
    assert [v.kind for v in finding.steps] == ["proved"] * 3
    assert finding.counted >= 24
    cells = [name for name, cell in CELLS.items() if {S, N} <= set(cell.values)]
    assert finding.counted == 24 + len(cells)


EXPOSED = formula("exposed", T_exposed, Max(0, T_comm - T_comp), counted=lambda T_comm, T_comp: max(T_comm - T_comp, 0))
PEAK = L * c / k + k * A
WRONG_STEPS = {
    "a sign": (gather(Same((N + 1) * ceiling(S / N), "")), "step 1: at N = .* the sides are"),
    "N for N - 1": (gather(TOGETHER, Same(S, "", given=(Divides(N, S),))), "step 2: at .* the sides are"),
    "nothing changes": (gather(TOGETHER, TOGETHER), "step 2: the step changes nothing"),
    "a hypothesis is missing": (gather(TOGETHER, Same(S * (N - 1) / N, "")), "step 2: at N = .* the sides are"),
    "a hypothesis is not needed": (gather(replace(TOGETHER, given=(Divides(N, S),))), "step 1: the hypothesis 'N divides S' is not needed"),
    "one of two is not needed": (
        gather(TOGETHER, replace(UNPADDED, given=(Divides(N, S), AtMost(2, N)))),
        "step 2: the hypothesis '2 is at most N' is not needed",
    ),
    "a number that was rounded down": (gather(Same((N - 1) * floor(S / N), "")), "step 1: at"),
    "sampled and not declared": (
        formula("spoiled", T_exposed, Max(T_comp, T_comm) - T_comp, Same(Max(0, T_comm - T_comp), "")),
        "step 1: only sampled at 32 points, and not declared so",
    ),
    "declared sampled though proved": (gather(replace(TOGETHER, sampled=True)), "step 1: declared as sampled although it is proved"),
    "a limit that is not reached": (gather(TOGETHER, UNPADDED, Near(2 * S, "", limit=(N, oo))), "step 3: the ratio tends to 1/2, not to 1"),
    "a limit at the wrong place": (gather(TOGETHER, UNPADDED, Near(S, "", limit=(N, Integer(2)))), "step 3: the ratio tends to 1/2"),
    "a limit that keeps its letter": (gather(TOGETHER, UNPADDED, Near(S - S / N**2, "", limit=(N, oo))), "step 3: .* still depends on N"),
    "a limit of another letter": (gather(TOGETHER, UNPADDED, Near(S, "", limit=(P, oo))), "step 3: .* does not depend on P"),
    "a wrong bound": (formula("spoiled", M_3, P * B / N, Tends(P * B, "", limit=(N, oo))), "step 1: the limit is 0"),
    "a bound of another letter": (formula("spoiled", M_3, P * B / N, Tends(Integer(0), "", limit=(L, oo))), "does not depend on L"),
    "an approximation in the middle": (gather(TOGETHER, UNPADDED, WHOLE, Same(S * 2 / 2 + 0 * N, "")), "the step changes nothing"),
    "a wrong solution": (
        formula("spoiled", phi_need, Eq(rho * (1 - phi_need), sigma), Solved(1 + sigma / rho, "")),
        "step 1: at .* the sides are",
    ),
    "a solution of something else": (
        formula("spoiled", phi_need, Eq(rho * (1 - phi), sigma), Solved(1 - sigma / rho, "")),
        "step 1: the equation is not solved for φ_need",
    ),
    "no equation": (formula("spoiled", phi_need, rho - sigma, Solved(1 - sigma / rho, "")), "step 1: there is no equation to solve"),
    "one solution of two": (
        formula("spoiled", x_1, Eq(x_1**2 - 3 * x_1 * rho + 2 * rho**2, 0), Solved(rho, "")),
        "step 1: x_1 may have another root",
    ),
    "a peak that is called a trough": (
        formula("spoiled", k_best, -PEAK, Least(sqrt(L * c / A), "", over=k)),
        "step 1: the second derivative .* is not positive",
    ),
    "no slope of zero": (formula("spoiled", k_best, PEAK, Least(sqrt(L * A / c), "", over=k)), "step 1: at .* the sides are"),
    "the least over a letter that is absent": (
        formula("spoiled", k_best, PEAK, Least(sqrt(L), "", over=N)),
        "step 1: nothing is minimised over N",
    ),
    "a decision never in doubt": (
        formula("spoiled", fits, S / N, Decision(Le(S / N, 2 * S), "")),
        "step 1: at all 1024 points it is True: a decision that is never in doubt says so with always=True",
    ),
    "a decision that is in doubt": (
        formula("spoiled", fits, P * B, Decision(Le(P * B, M_max), "", always=True)),
        "step 1: it is not proved for every value",
    ),
    "a decision about something else": (formula("spoiled", fits, P * B, Decision(Le(P * B / N, M_max), "")), "step 1: at .* the sides are"),
    "a decision without a relation": (formula("spoiled", fits, P * B, Decision(M_max, "")), "step 1: a decision needs a relation"),
    "a lemma for a letter that is absent": (
        formula("spoiled", V_layer, 2 * S, Using(2 * S * (N - 1) / N, "", lemma=SOUND)),
        r"step 1: V_ag does not occur in 2·S",
    ),
    "a lemma at a letter it has not": (
        formula("spoiled", V_layer, 2 * V_ag, Using(2 * S * (N - 1) / N, "", lemma=SOUND, at={L: N})),
        "step 1: the lemma sound has no letter L",
    ),
    "a lemma put in wrongly": (
        formula("spoiled", V_layer, 2 * V_ag, Using(S * (N - 1) / N, "", lemma=SOUND)),
        "step 1: at .* the sides are",
    ),
    "a lemma's approximation for the lemma": (
        formula("spoiled", V_layer, 2 * V_ag, Using(2 * S, "", lemma=SOUND)),
        "step 1: at .* the sides are",
    ),
    "a lemma and a rearrangement in one": (
        formula("spoiled", T_step, T_comp + T_exposed, Using(Max(T_comp, T_comm), "", lemma=EXPOSED)),
        "step 1: only sampled",
    ),
    "a step that cannot be checked": (
        formula("spoiled", T_step, Max(T_comp, T_comm) / N, Near(Max(T_comp, 2), "", limit=(N, Le(N, 2)))),
        "step 1: the step cannot be checked: ",
    ),
}

DIMENSIONS = {
    "a step turns bytes into a count": (
        gather(TOGETHER, Same(P * (N - 1) / N, "", given=(Divides(N, P), Equal(S, P)))),
        "a step turns bytes into a count of parameters",
    ),
    "bytes beside seconds": (formula("spoiled", T, S / W + S), "they cannot be added or compared"),
    "the result is no time": (formula("spoiled", T, S * W, counted=lambda S, W: S * W), "the result is .* and T is a time"),
    "a letter of its own": (formula("spoiled", M_3, P * B + byte), "no letter is called 'byte'"),
}

COUNTS = {
    "a wrong count": (replace(SOUND, counted=lambda S, N: S * N), "at N = .* the formula gives .* and the count"),
    "a count without padding": (replace(SOUND, counted=lambda S, N: Fraction(S * (N - 1), N)), "the formula gives"),
    "a count that rounds down": (replace(SOUND, counted=lambda S, N: S // N * (N - 1)), "the formula gives"),
    "a count in floats": (
        replace(SOUND, counted=lambda S, N: float(-(-S // N) * (N - 1))),
        "the count fails at N = .*: TypeError .* is a float",
    ),
    "a count that is a truth": (replace(SOUND, counted=lambda S, N: True), "the formula gives .* and the count True"),
    "a count that covers less": (replace(SOUND, counted=lambda S: S), "the count takes S and the formula depends on N, S"),
    "a count that covers more": (replace(SOUND, counted=lambda S, N, P: S), "the count takes P, N, S and the formula depends on N, S"),
    "a count that raises": (replace(SOUND, counted=lambda S, N: {}[N]), "the count fails at N = .*: KeyError"),
    "a count that asserts": (replace(SOUND, counted=lambda S, N: _refuse()), "the count fails at N = .*: AssertionError shares do not sum"),
    "a bracket beside the value": (
        formula("spoiled", k_sqrt, sqrt(L), counted=lambda L: Bracket(0, Fraction(1, 2))),
        "the formula gives .* and the count between 0 and 1/2",
    ),
    "a bracket that holds anything": (
        formula("spoiled", k_sqrt, sqrt(L), counted=lambda L: Bracket(0, 10**9)),
        "and the count between 0 and 1000000000",
    ),
    "a yes that is a no": (
        formula("spoiled", fits, P * B, Decision(Le(P * B, M_max), ""), counted=lambda P, B, M_max: M_max // 2 > P * B),
        "the formula gives (True|False) and the count (True|False)",
    ),
    "a range no point lies in": (
        formula("spoiled", M_0, P * B, counted=lambda P, B: P * B, where=(AtMost(P, 0),)),
        "only 0 of 24 points could be drawn",
    ),
}

FORMS = {
    "it is defined by itself": (formula("spoiled", S, S + V_ag, Same(V_ag + S * 1, "")), "step 1: the step changes nothing"),
    "by itself, without a step": (formula("spoiled", S, S + V_ag), "S is defined by itself"),
    "an approximation is not last": (
        gather(TOGETHER, UNPADDED, WHOLE, Same(S * N / 2, "", given=(Equal(N, Integer(2)),))),
        "an approximation must be the last step",
    ),
    "a published value disagrees": (
        replace(SOUND, published=(Published({S: 10, N: 7}, 13, Source("a table", "row 2")),)),
        "a table, row 2 has 13, the formula gives 12 at N = 7, S = 10",
    ),
    "a rounded published value disagrees": (
        replace(SOUND, published=(Published({S: 1000, N: 7}, 850, Source("a table"), digits=2),)),
        "a table has 850, the formula gives 858",
    ),
    "a published value lacks a letter": (
        replace(SOUND, published=(Published({S: 10}, 13, Source("a table")),)),
        "the published value of a table cannot be computed: sound needs N",
    ),
}


def _refuse() -> int:
    raise AssertionError("shares do not sum to S")


ALL = WRONG_STEPS | DIMENSIONS | COUNTS | FORMS


@pytest.mark.parametrize(("spoiled", "reason"), ALL.values(), ids=ALL)
def test_it_goes_red(spoiled, reason):
    finding = found(spoiled)
    assert not finding.ok
    assert finding.status == "REFUTED"
    assert any(re.search(reason, problem) for problem in finding.problems), finding.problems
    for problem in finding.problems:
        assert problem.startswith(spoiled.id)
        assert "\n" not in problem


def test_a_formula_without_a_count_is_unverified_and_reported():
    uncounted = replace(SOUND, counted=None)
    (finding,) = audit([uncounted])
    assert finding.status == "UNVERIFIED"
    assert not finding.ok
    assert finding.counted == 0
    assert finding.problems == ()


def test_a_declared_sampled_step_is_told_apart_from_a_proof():
    declared = formula(
        "declared", T_exposed, Max(T_comp, T_comm) - T_comp, Same(Max(0, T_comm - T_comp), "", sampled=True),
        counted=lambda T_comp, T_comm: max(T_comm - T_comp, 0),
    )  # fmt: skip
    finding = found(declared)
    assert finding.ok
    assert finding.status == "sampled"
    assert finding.steps[0].witness == "32 points"


def test_a_formula_not_named_as_its_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsdp_sym.formulas.communication import all_gather as file

    good = file.all_gather
    assert audit_formula(good).problems == ()
    monkeypatch.delattr(file, "all_gather")
    monkeypatch.setattr(file, "gather", good, raising=False)
    assert audit_formula(good).problems == ("all_gather: no formula in the file is named as the file: write all_gather = Formula(...)",)


def test_a_file_without_a_story_is_refused():
    silent = formula("silent", M_0, P * B, counted=lambda P, B: P * B)
    sys.modules[silent.module].__doc__ = None
    assert found(silent).problems == ("silent: the file has no docstring: tell what is counted",)


def test_a_problem_in_a_step_leaves_no_room_for_a_count_to_hide_it():
    spoiled = gather(Same(S, ""), counted=shards_received)
    assert found(spoiled).counted == 0
