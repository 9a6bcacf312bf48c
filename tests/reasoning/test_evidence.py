"""Every record agrees with its formula, and a wrong convention is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from fsdp_sym.evidence.form import Record
from fsdp_sym.evidence.values import FILE, VALUES, written
from fsdp_sym.measure.run import GROUPS
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.evidence import disagreement, records, records_of
from fsdp_sym.reasoning.work import values_at

RECORDS = {name: list(records_of(name)) for name in dict.fromkeys(record.formula for record in records().values())}
# By formula: a thousand tests of a millisecond each would mostly wait for one another.
EACH = pytest.mark.parametrize("name", RECORDS)


def twice(*letters: str) -> Callable[[dict], dict]:
    return lambda at: {letter: 2 * at[letter] for letter in letters}


def toggled(letter: str) -> Callable[[dict], dict]:
    return lambda at: {letter: 1 - at[letter]}


# What somebody may take for true of each formula that has records, and what it makes of the record's letters.
WRONG: dict[str, tuple[str, Callable[[dict], dict]]] = {
    "all_gather": ("its own shard counted as received", lambda at: {"N": at["N"] + 1}),
    "all_reduce": ("one way round alone", lambda at: {"S": at["S"] // 2}),
    "allocator_rounding": ("pages of half the size", lambda at: {"S_page": at["S_page"] // 2}),
    "backward_peak": ("buffers as wide as the parameters are kept", twice("S_unit", "S_rg", "S_red", "A_all")),
    "buffer_shard": ("gradients in bf16", lambda at: {"b_buf": at["b_buf"] // 2}),
    "bytes_per_parameter": ("a wider gradient", lambda at: {"b_g": at["b_g"] + 2}),
    "clip_traffic": ("the norms in bf16", lambda at: {"b_step": 2}),
    "deepspeed_zero_2": ("gradients in half precision", lambda at: {"b_g": 2}),
    "deepspeed_zero_3": ("gradients in half precision", lambda at: {"b_g": 2}),
    "distributed_optimizer": ("gradients in half precision", lambda at: {"b_g": 2}),
    "dry_activations": ("no statistics", lambda at: {"b_n": 0}),
    "dtensor_activations": ("no statistics", lambda at: {"b_n": 0}),
    "empty_ranks": ("rows that divide", lambda at: {"d_0": 1024}),
    "first_forward_peak": ("the root group freed like a block", lambda at: {"S_root": 0}),
    "flat_temporaries": ("temporaries in bf16", lambda at: {"b_t": 2}),
    "foreach_temporaries": ("temporaries in bf16", lambda at: {"b_t": 2}),
    "full_recompute": ("kept in fp32", lambda at: {"b_a": 4}),
    "fused_activations": ("logarithms in bf16", lambda at: {"b_l": 2}),
    "gathered_in_step": ("freed in between or not", toggled("r")),
    "gathers_in_step": ("freed in between or not", toggled("r")),
    "gathers_kept": ("the root group a block like any", lambda at: {"L": at["L"] + 1}),
    "later_forward_peak": ("no optimizer states yet", lambda at: {"M_o": at["M_o"] // 2}),
    "llama_activations": ("the statistic in bf16", lambda at: {"b_n": 2}),
    "loop_temporaries": ("the quotient let go", lambda at: {"S_big": at["S_big"] // 2}),
    "lora_traffic": ("adapters not gathered", lambda at: {"S": at["S"] - at["S_ad"]}),
    "loss_activations": ("one tensor less", lambda at: {"n_log": at["n_log"] - 1}),
    "mixture_parameters": ("the experts that a token uses", lambda at: {"n_exp": 2}),
    "model_on_rank": ("a master copy beside it", lambda at: {"b_s": at["b_s"] + 4}),
    "model_parameters": ("tied or not", toggled("u_tied")),
    "optimizer_step_peak": ("a temporary of one number", lambda at: {"M_tmp": at["M_tmp"] + 4}),
    "padded_bytes": ("nothing padded", lambda at: {"d_0": 1000 // 64 * 64}),
    "replica_all_reduce": ("every replica a shard", lambda at: {"N": at["N"] * at["R_rep"]}),
    "replica_reduces_in_step": ("held back or not", toggled("u_all")),
    "replicated_over_tensor": ("everything split", lambda at: {"P_split": at["P_split"] + at["P_whole"], "P_whole": 0}),
    "resharded_to_group": ("the root group in the smaller group too", lambda at: {"S_blk": at["S_blk"] + at["S_root"], "S_root": 0}),
    "rows_of_rank": ("ranks counted from 1", lambda at: {"n_rank": at["n_rank"] + 1}),
    "saved_activations": ("statistics in the other width", lambda at: {"b_n": 6 - at["b_n"]}),
    "scatters_in_step": ("the root group not reduced", lambda at: {"L": at["L"] - 1}),
    "scatters_with_frozen": ("frozen blocks reduced", lambda at: {"L_frozen": 0}),
    "selective_recompute": ("statistics in fp32", lambda at: {"b_n": 4}),
    "sequence_parallel_pairs": ("forward alone", lambda at: {"L": at["L"] + 1}),
    "sequence_parallel_traffic": ("in fp32", twice("b_a")),
    "shard_rows": ("rounded down", lambda at: {"d_0": at["d_0"] // at["N"] * at["N"]}),
    "sharded_state": ("the world, not the shard group", twice("N")),
    "step_counters": ("counters of 8 bytes", twice("b_step")),
    "step_traffic": ("every micro-batch twice", twice("K_mb")),
    "tensor_on_rank": ("states padded too", lambda at: {"b_e": at["b_e"] + at["b_s"], "b_s": at["b_s"] + 1}),
    "tensor_parallel_activations": ("statistics split", lambda at: {"b_n": 0}),
    "tensor_parallel_reduces": ("a gradient of every input", lambda at: {"n_in": 6 - at["n_in"]}),
    "tensor_parallel_traffic": ("in fp32", twice("b_a")),
    "whole_tensors": ("tensors cut as shares fall", lambda at: {"n_T": 4}),
    "zero_1_broadcast_traffic": ("the paper's two thirds", lambda at: {"S": at["S"] * 2 // 3}),
}


@EACH
def test_a_record_is_what_its_formula_gives(name):
    assert [wrong for record in RECORDS[name] if (wrong := disagreement(record))] == []
    assert [r.id for r in RECORDS[name] if not set(values_at(dict(r.at), {})) >= set(formula(name).letters)] == []


@EACH
def test_a_figure_off_by_a_percent_is_noticed(name):
    off = {r.id: Fraction(r.value) * (Fraction(102, 100) + r.within) + (not r.value) for r in RECORDS[name]}
    assert [r.id for r in RECORDS[name] if not disagreement(replace(r, value=off[r.id]))] == []


def test_a_record_is_printed_somewhere_or_can_be_measured():
    assert [r.id for r in records().values() if bool(r.reproduce) != (r.id in VALUES)] == []
    assert [r.id for r in records().values() if r.reproduce and r.group not in GROUPS] == []


@EACH
def test_a_wrong_convention_is_noticed(name):
    assert name in WRONG, f"say in WRONG what could be taken for true of {name}"
    thought, change = WRONG[name]
    # One rank moves nothing, however often: that is noticed by a second one.
    changes = {r.id: twice("N") if r.id == "bytes-alone" else change for r in RECORDS[name]}
    unnoticed = [r.id for r in RECORDS[name] if not disagreement(replace(r, at={**r.at, **changes[r.id](dict(r.at))}))]
    assert unnoticed == [], thought


def test_a_printed_gib_is_not_a_gb():
    record = records()["deepspeed-29.01"]
    assert "printed 29.01" in (disagreement(replace(record, unit="GB")) or "")


def test_a_bound_is_never_below():
    record = records()["gated-many-later-forward-pass"]
    assert disagreement(replace(record, value=record.value + 1))
    assert disagreement(replace(record, value=record.value - 1)) is None
    assert disagreement(replace(record, value=record.value - 1, within=Fraction(0)))


def test_a_record_that_cannot_be_worked_says_why():
    broken = Record("x", "all_gather", {"S": "1 GB"}, 1, "a gather", "1", "nowhere")
    assert "all_gather needs N" in (disagreement(broken) or "")
    with pytest.raises(ValueError, match="needs what it is, a version and a source"):
        Record("x", "all_gather", {}, 1, "", "1", "nowhere")


def test_a_record_that_was_never_measured_says_how():
    fresh = replace(records()["all-reduce-2"], value=None)
    assert disagreement(fresh) == "all-reduce-2 was never measured: run fsdp-sym measure --only wire --record"


def test_formulas_find_their_records():
    assert {"all-reduce-2", "gloo-scatter-4"} < {r.id for r in records_of("all_reduce")}
    assert len([r for r in records_of("optimizer_step_peak") if r.group == "peaks"]) >= 12


def test_the_file_of_values_is_as_it_is_written():
    assert written("2.13.0", VALUES) == FILE.read_text(encoding="utf-8")
    assert set(VALUES) <= set(records())
