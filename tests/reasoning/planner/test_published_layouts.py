"""Layouts and memory that were published: they are found, they fit with the recomputation that was used, and the bytes are those."""

from __future__ import annotations

from math import prod

import pytest

from fsdp_sym.algebra.vocabulary import M_max
from fsdp_sym.reasoning.planner.job import Job
from fsdp_sym.reasoning.planner.layouts import Layout
from fsdp_sym.reasoning.planner.parts import memory_of, time_of
from fsdp_sym.reasoning.planner.plan import layouts_of
from fsdp_sym.scenarios.shapes import SHAPES

LLAMA = SHAPES["Llama-3-405B"]


def small(number):
    return round(float(number) / 1e9, 1)


@pytest.mark.parametrize(("recompute", "size"), [("none", 96.8), ("gate", 70.6)])
def test_the_second_stage_of_405b_is_the_fullest_and_holds_this(recompute, size):
    """8,192 GPUs, tensor 8, pipeline 16, data 64, 32 micro-batches of one: stages of 7, 14 x 8 and 7 layers (arXiv:2407.21783, table 4)."""
    job = Job(LLAMA, 8192, 8192, 2048 * 8192, margin=0)
    found = memory_of(job, Layout(1, 64, 1, 8, 16, "ZeRO-1", recompute, 1, 1))
    assert found.stage == 1
    assert small(found.whole) == size
    # Eight layers, fifteen of sixteen stages' micro-batches in flight.
    assert found.parts["activations in flight"] / (8 * 15) == {"none": 642260992, "gate": 424157184}[recompute]


@pytest.mark.parametrize(
    ("split", "tokens"), [((1, 64, 1, 8, 16), 8192), ((1, 128, 1, 8, 16), 8192), ((1, 8, 16, 8, 16), 131072)], ids=str
)
def test_405bs_layouts_in_chunks_of_a_layer_come_first_and_without_chunks_they_wait_for_their_pipeline(split, tokens):
    job = Job(LLAMA, tokens, prod(split), 2**24, margin=0)
    found = layouts_of(job)
    ranked, every = found.of_split(split)
    assert every
    rank, first = ranked[0]
    assert rank == 1
    assert (first.layout.sharding, first.layout.recompute, first.layout.micro, first.layout.chunks) == ("ZeRO-1", "gate", 1, 8)
    plain = next(one for _, one in ranked if one.layout.chunks == 1)
    assert (plain.layout.sharding, plain.layout.recompute) == ("ZeRO-1", "gate")
    mine, best = time_of(job, plain.layout).parts, time_of(job, first.layout).parts
    lost = {name: mine[name] / plain.sequences - best[name] / first.sequences for name in mine}
    assert max(lost, key=lambda name: lost[name]) == "pipeline bubble"


@pytest.mark.parametrize(
    ("model", "split", "chunks"),
    [("175B", (1, 1, 1, 8, 8), 3), ("530B", (1, 1, 1, 8, 35), 3), ("1T", (1, 1, 1, 8, 64), 1)],
)
def test_megatrons_layouts_fit_with_the_recomputation_they_used(model, split, chunks):
    """arXiv:2205.05198, table 5: micro-batches of one, scores run again, on A100s of 80 GB."""
    world = prod(split)
    job = Job(SHAPES[f"Megatron {model}"], 2048, world, 2048 * world, machine="a100-node", attention="plain", margin=0)
    found = layouts_of(job)
    ranked, _ = found.of_split(split)
    used = [rank for rank, one in ranked if (one.layout.recompute, one.layout.micro, one.layout.chunks) == ("scores", 1, chunks)]
    assert used
    assert used[0] <= found.fit / 10


@pytest.mark.parametrize(
    ("model", "split", "chunks", "size"),
    [("Mixtral-8x7B", (1, 16, 1, 1, 4, 8), 8, 65.3), ("Mixtral-8x22B", (1, 4, 1, 4, 8, 2), 7, 52.3)],
)
def test_mixtrals_layouts_fit_with_everything_kept(model, split, chunks, size):
    """NVIDIA/Megatron-LM, core/transformer/moe/README.md, reference mappings: H100s of 80 GB, 256 sequences of 4,096, one a micro-batch."""
    job = Job(SHAPES[model], 4096, prod(split[:5]), 256 * 4096)
    ranked, _ = layouts_of(job).of_split(split)
    used = [one for _, one in ranked if (one.layout.recompute, one.layout.micro, one.layout.chunks) == ("none", 1, chunks)]
    assert {one.layout.sharding for one in used} >= {"ZeRO-1"}
    assert small(next(one.peak for one in used if one.layout.sharding == "ZeRO-1")) == size


def test_405b_in_fp8_takes_a_quarter_longer_nominally_than_was_measured():
    """NVIDIA-NeMo/Megatron-Bridge, docs/performance-summary.md, DGX-H100: 292 tokens a second and GPU. In bf16 it would be 86 % longer."""
    layout = Layout(1, 8, 2, 8, 8, "ZeRO-1", "gate", 1, 8)
    measured = 512 * 8192 / 1024 / 292
    for precision, off in (("fp8", 0.26), ("bf16", 0.86)):
        job = Job(LLAMA, 8192, 1024, 512 * 8192, precision=precision)
        assert round(float(time_of(job, layout).whole) / measured - 1, 2) == off
        assert memory_of(job, layout).whole <= job.device[M_max]


@pytest.mark.parametrize(("world", "measured"), [(8, 82.4), (128, 67.0)])
def test_a_measured_peak_is_predicted_within_a_tenth(world, measured):
    """pytorch/torchtitan, benchmarks/llama3_h100_202412_torchtitan.md, tables 1 and 3: GiB on every rank, two sequences of 8,192 tokens."""
    job = Job(SHAPES["Llama-3-8B"], 8192, world, 2 * world * 8192, machine="h100-96gb-node")
    found = memory_of(job, Layout(1, world, 1, 1, 1, "FSDP", "gate", 2, 1)).whole / 2**30
    assert 0 < found / measured - 1 < 0.1
