"""The timeline of a step against recorded runs: nothing in it is idle, and nothing is counted twice."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from fsdp_sym.reasoning import step
from fsdp_sym.reasoning.evidence import disagreement, of_run, runs
from fsdp_sym.reasoning.timeline import Part, Sizes


def off(sizes, name):
    """The same sizes, but for one that is left out or changed."""
    match getattr(sizes, name):
        case bool() as flag:
            other = not flag
        case int() as number:
            other = number + 1 if name == "layers" else 0
        case Part() as part:
            other = part._replace(size=0)
        case _:
            other = ()
    return replace(sizes, **{name: other})


def test_recorded_runs_are_what_the_timeline_says():
    assert len(runs()) >= 12
    assert [d for run in runs() for record in of_run(run) if (d := disagreement(record))] == []


@pytest.mark.parametrize("name", [field.name for field in fields(Sizes)])
def test_a_size_left_out_is_noticed_by_some_run(name, monkeypatch):
    sizes = step._sizes
    monkeypatch.setattr(step, "_sizes", lambda *given: off(sizes(*given), name))
    assert any(disagreement(record) for run in runs() for record in of_run(run))


def test_forward_passes_and_optimizer_steps_are_met_to_the_byte():
    """But for those that are checkpointed, whose blocks keep nothing of what passes through."""
    kept = [record for run in runs() if run.step.get("recompute") != "full" for record in of_run(run) if record.formula != "backward_peak"]
    assert len(kept) >= 36
    assert all(disagreement(replace(record, within=0)) is None for record in kept)
