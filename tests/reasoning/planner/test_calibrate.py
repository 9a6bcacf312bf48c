"""Constants that are fitted to measured steps: published ones are predicted as well as is promised, and a wrong table is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sympy import Rational

import fsdp_sym
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.reasoning.planner.calibrate import calibrate
from fsdp_sym.reasoning.planner.job import NOMINAL, Constants
from fsdp_sym.reasoning.planner.parts import time_of
from fsdp_sym.reasoning.planner.runs import COLUMNS, Timed, numbers_of, read_runs
from fsdp_sym.reasoning.planner.told import NOMINAL_ERROR, NOMINAL_RUNS, sureness_of

EVIDENCE = Path(fsdp_sym.__file__).parent / "evidence"
MEGATRON, FOUNDRY = (read_runs(EVIDENCE / f"step_times_{name}.csv") for name in ("megatron", "foundry"))
MPT = [run for run in FOUNDRY if run.group.startswith("MPT")]
TITAN = [run for run in FOUNDRY if run not in MPT]


def test_table_5_is_predicted_within_a_twentieth_on_average_each_model_by_the_others():
    found = calibrate(MEGATRON)
    assert found.average < 0.05
    assert found.ninth_of_ten < 0.05
    run, error = found.worst
    assert (run.group, run.row) == ("Megatron 1T", 9)
    assert 0.04 < error < 0.05
    assert sureness_of(found).says.endswith("the worst, row 9 (Megatron 1T), by 4.25 %")


def test_fsdp_on_8_to_512_gpus_is_predicted_within_what_is_promised():
    found = calibrate(MPT)
    assert found.average < 0.08
    assert found.ninth_of_ten < 0.20
    assert found.worst[0].group == "MPT 7B"


@pytest.mark.parametrize(("one", "other"), [(TITAN[0], TITAN[1]), (TITAN[1], TITAN[0])])
def test_one_world_predicts_another(one, other):
    """8 GPUs and 128: their groups are told apart by what they are, so that each is left out in turn."""
    from dataclasses import replace

    found = calibrate([replace(one, group="this"), replace(other, group="that")])
    assert found.average < 0.05


def test_what_a_nominal_plan_says_of_itself_is_so():
    runs = [*MEGATRON, *FOUNDRY]
    timed = Timed(runs)
    off = np.abs(timed.seconds([numbers_of(NOMINAL)])[0] / timed.measured - 1)
    assert len(runs) == NOMINAL_RUNS
    assert round(float(off.mean()), 2) == NOMINAL_ERROR.average
    assert round(float(np.quantile(off, 0.9, method="higher")), 2) == NOMINAL_ERROR.most
    assert NOMINAL_ERROR.most <= 0.40


def test_runs_made_with_constants_give_them_back():
    from dataclasses import replace

    known = Constants(Rational(1, 2), Rational(1, 3), Rational(2, 5), Rational(3, 5), Rational(1, 1000))
    made = Timed([*MEGATRON[::2], *MPT[::3]]).seconds([numbers_of(known)])[0]
    runs = [replace(run, seconds=float(seconds)) for run, seconds in zip([*MEGATRON[::2], *MPT[::3]], made, strict=True)]
    found = calibrate(runs)
    assert set(found.fitted) == {"gemm", "tensor", "data", "memory", "layer"}
    assert found.average < 1e-6
    for name in found.fitted:
        assert float(getattr(found.constants, name)) == pytest.approx(float(getattr(known, name)), rel=1e-4)


def test_a_run_takes_what_its_parts_add_up_to():
    run = MEGATRON[3]
    (seconds,) = Timed([run]).seconds([numbers_of(NOMINAL)])[0]
    assert float(time_of(run.job, run.layout).whole) == pytest.approx(seconds, rel=1e-12)


ROW = {
    "group": "g", "model": "Llama-2-7B", "machine": "h100-node", "sharding": "FSDP", "recompute": "none", "attention": "fused",
    "gpus": "8", "tokens": "2048", "batch": "16", "replicas": "1", "shard": "8", "context": "1", "tensor": "1", "pipeline": "1",
    "chunks": "1", "micro": "2", "split_sequence": "no", "seconds": "1.5",
}  # fmt: skip


def table(tmp_path, rows, columns=COLUMNS):
    path = tmp_path / "runs.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(row[name] for name in columns) for row in rows)]))
    return path


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"model": "Llama-9"}, "row 2: no model is called 'Llama-9'"),
        ({"gpus": "16"}, "row 2: its degrees multiply to 8, and gpus says 16"),
        ({"seconds": "-1"}, "row 2: seconds is '-1': a positive number of seconds is wanted"),
        ({"seconds": "nan"}, "row 2: seconds is 'nan'"),
        ({"seconds": "sNaN"}, "row 2: seconds is 'sNaN'"),
        ({"batch": "17"}, "row 2: its batch of 17 sequences is not made of whole micro-batches of 16 on all ranks"),
        ({"seconds": "1.5,extra"}, "row 2: it has more cells than the first line"),
        ({"micro": "2.5"}, "row 2: micro is '2.5': a positive whole number is wanted"),
        ({"sharding": "ZeRO-4"}, "row 2: sharding is 'ZeRO-4': it is one of data parallel, ZeRO-1"),
        ({"recompute": "scores"}, "row 2: recompute is 'scores': it is one of none, gate, full"),
        ({"chunks": "2"}, "row 2: it cannot have run like this: only the stages of a pipeline are cut into chunks"),
        ({"machine": "my desk"}, "row 2: no machine is called 'my desk'"),
        ({"model": "Mixtral-8x7B"}, "row 2: Mixtral-8x7B has experts"),
    ],
)
def test_a_row_that_cannot_be_is_named(tmp_path, change, says):
    with pytest.raises(FsdpSymError) as error:
        read_runs(table(tmp_path, [ROW | change]))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_runs_that_do_not_predict_each_other_are_refused_and_small_constants_are_kept(tmp_path):
    slow, slower = (ROW | {"group": group, "seconds": seconds} for group, seconds in (("this", "90000000"), ("that", "90000001")))
    found = calibrate(read_runs(table(tmp_path, [slow, slower])))
    assert all(getattr(found.constants, name) > 0 for name in found.fitted)
    with pytest.raises(FsdpSymError, match="do not predict each other"):
        calibrate(read_runs(table(tmp_path, [slow, ROW | {"group": "that", "seconds": "0.001"}])))


def test_a_table_without_a_column_or_rows_or_a_second_group_is_refused(tmp_path):
    with pytest.raises(FsdpSymError, match="has no column seconds"):
        read_runs(table(tmp_path, [ROW], COLUMNS[:-1]))
    with pytest.raises(FsdpSymError, match="has a column twice: seconds"):
        read_runs(table(tmp_path, [ROW], (*COLUMNS, "seconds")))
    with pytest.raises(FsdpSymError, match="has no runs"):
        read_runs(table(tmp_path, []))
    with pytest.raises(FsdpSymError, match="give runs of two groups"):
        calibrate(read_runs(table(tmp_path, [ROW, ROW])))
    with pytest.raises(FsdpSymError, match="No such file"):
        read_runs(tmp_path / "none.csv")
