"""Plans against a plain search, published layouts, and what a user would ask."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest
from brute import Known, Machine, Model, search
from sympy import Rational

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.vocabulary import M_max, W, W_mem, W_net, X_peak, n_node
from fsdp_sym.reasoning.planner import space
from fsdp_sym.reasoning.planner.job import Job
from fsdp_sym.reasoning.planner.layouts import Candidates, Layout
from fsdp_sym.reasoning.planner.parts import memory_of, time_of
from fsdp_sym.reasoning.planner.plan import layouts_of
from fsdp_sym.scenarios.shapes import SHAPES, Shape

SMALL = Shape("small", 512, 1536, 12, 12, 4, 64, 4096, "made up", gated=True)
SPARSE = Shape("sparse", 512, 768, 6, 8, 4, 64, 4096, "made up", experts=6, active=2)
TIED = Shape("tied", 256, 1024, 7, 8, 8, 32, 50000, "made up", gated=False, tied=True, layer_norm=True)


def plainly(job, most=None):
    """The same job by a plain search."""
    shape, device, known = job.shape, job.device, job.constants
    routed = [t for t in shape.tensors if "expert" in t.name]
    rest = [t for t in shape.tensors if t not in routed]
    of = {group: sum(t.elements * t.alike for t in rest if t.group == group) for group in ("block", "embedding", "norm", "head")}
    matrices = sum(t.elements * t.alike for t in rest if t.group == "block" and t.rest > 1)
    model = Model(
        shape.hidden, shape.wide, shape.layers, shape.heads, shape.kv_heads, shape.head_size, shape.words, shape.gated, shape.tied,
        of["block"] // shape.layers, of["embedding"], of["norm"] + of["head"], matrices // shape.layers,
        shape.experts, shape.active, sum(t.elements for t in routed),
    )  # fmt: skip
    machine = Machine(int(device[n_node]), *(float(device[x]) for x in (M_max, X_peak, W, W_net, W_mem)))
    constants = Known(*(float(getattr(known, name)) for name in Known._fields))
    return search(model, machine, constants, job.tokens, job.world, job.batch, most)


def told(one):
    layout = one.layout
    return (*layout[:5], layout.sharding, layout.micro, layout.chunks, layout.expert, layout.recompute)


def agree(job, most=100):
    found, (size, causes, fitting) = layouts_of(job), plainly(job)
    assert found.size == size
    assert {name: count for name, count in found.rejected.items() if count} == causes
    assert sum(found.rejected.values()) + found.fit == size
    assert found.fit == len(fitting)
    best = found.best(most)
    assert [one.seconds for one in best] == pytest.approx([row[2] for row in fitting[:most]], rel=1e-9)
    assert [one.peak for one in best] == pytest.approx([row[1] for row in fitting[:most]], rel=1e-9)
    assert [told(one) for one in best] == [(*row[4][0], row[4][1][0], *row[4][2:], row[5]) for row in fitting[:most]]
    return found.fit


@pytest.mark.parametrize("worlds", [range(first, 65, 8) for first in range(1, 9)], ids=lambda worlds: f"from-{worlds[0]}")
def test_every_world_up_to_64_is_what_a_plain_search_finds(worlds):
    fit = 0
    for world in worlds:
        job = Job(SMALL if world % 2 else TIED, 240, world, 240 * (8 + world % 9), memory=30 * 10**7 + world * 10**6, margin=0)
        fit += agree(job)
    assert fit


@pytest.mark.parametrize("worlds", [range(first, 65, 8) for first in range(1, 9)], ids=lambda worlds: f"from-{worlds[0]}")
def test_every_world_up_to_64_with_experts(worlds):
    fit = 0
    for world in worlds:
        fit += agree(Job(SPARSE, 240, world, 240 * (4 + world % 5), memory=25 * 10**7 + world * 10**6, margin=0), 1000)
    assert fit


def test_memory_rules_some_of_them_out_in_most_worlds():
    """So that the search above has something to find."""
    ruled = [layouts_of(Job(SMALL, 240, world, 240 * 16, memory=30 * 10**7, margin=0)).rejected["memory"] for world in (4, 8, 12, 32)]
    assert all(ruled)


def test_a_layouts_parts_add_up_to_what_the_search_says():
    jobs = [Job(SHAPES[model], 2048, 64, 2**20) for model in ("Llama-2-7B", "Mixtral-8x7B")]
    for job in (*jobs, Job(SHAPES["Llama-3-405B"], 8192, 8192, 2**24)):  # whose best ones have chunks of unlike sizes
        for one in layouts_of(job).best(10):
            assert float(memory_of(job, one.layout).whole) == pytest.approx(one.peak, rel=1e-12)
            assert float(time_of(job, one.layout).whole) == pytest.approx(one.seconds, rel=1e-12)


@pytest.mark.parametrize("off", [-1e-12, 0, 1e-12])
def test_a_budget_is_met_to_the_byte(off, monkeypatch):
    """A peak that floats cannot tell from the budget is worked out exactly, wherever their last bits are."""
    peaks = Candidates.peaks
    monkeypatch.setattr(Candidates, "peaks", lambda self, recompute: peaks(self, recompute) * (1 + off))
    looked = 0
    for world in range(3, 49, 3):
        job = Job(SHAPES["Llama-2-7B"], 2048, world, 2**20, margin=0)
        layout = Layout(1, world, 1, 1, 1, "FSDP", "full", 1, 1)
        peak = memory_of(job, layout).whole
        if not peak.is_integer:
            continue
        for budget in (peak - 1, peak):
            ranked, _ = layouts_of(replace(job, memory=int(budget))).of_split(layout[:5])
            assert (layout in [one.layout for _, one in ranked]) == (budget >= peak)
            looked += 1
    assert looked > 4


def test_single_candidates_are_timed_as_in_a_crowd():
    job = Job(SHAPES["Llama-2-13B"], 4096, 32, 2**21)
    for one in layouts_of(job).best(5):
        alone = Candidates.of(job, one.layout)
        assert alone.times(one.layout.recompute).run[0] == pytest.approx(one.seconds, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"world": 0}, "a plan is for 1 to 1,048,576 GPUs, and 0 were asked for"),
        ({"tokens": 0}, "a sequence of 0 tokens cannot be trained on"),
        ({"step_tokens": 100}, "100 tokens a step are less than one sequence of 2,048"),
        ({"machine": "abacus"}, "no machine is called 'abacus'"),
        ({"shape": replace(SHAPES["Mixtral-8x7B"], gated=False)}, "Mixtral-8x7B has experts without a gate"),
        ({"shape": SHAPES["Mixtral-8x7B"], "attention": "plain"}, "Mixtral-8x7B has a gated feed-forward layer"),
        ({"shape": SHAPES["GPT-2 small"]}, "GPT-2 small has learned 1024 positions"),
        ({"attention": "plain"}, "Llama-2-7B has a gated feed-forward layer"),
        ({"machine": "a100-node", "precision": "fp8"}, "the machine a100-node has no products in fp8"),
        ({"step_tokens": 10**19}, "a plan is for 1e+12 tokens a step at most, and 1e+19 were asked for"),
        ({"margin": 10**12}, "the margin, 1 TB, leaves nothing of a GPU's 85.520809984 GB"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(change, says):
    asked = {"shape": SHAPES["Llama-2-7B"], "tokens": 2048, "world": 8, "step_tokens": 2**18} | change
    with pytest.raises(FsdpSymError) as error:
        Job(**asked)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_splits_may_be_looked_at_few_at_a_time(monkeypatch):
    job = Job(SMALL, 240, 48, 240 * 32, memory=30 * 10**7, margin=0)
    whole = layouts_of(job)
    monkeypatch.setattr(space, "_TOGETHER", 7)
    parts = layouts_of(job)
    assert (parts.size, parts.rejected, parts.fit) == (whole.size, whole.rejected, whole.fit)
    assert parts.best(50) == whole.best(50)


def test_what_lies_in_one_node_does_not_ask_for_the_link_out_of_it_and_what_crosses_does():
    def taken(split, link):
        job = replace(Job(SHAPES["Llama-2-7B"], 2048, prod(split), 2**20), link=Rational(link))
        return layouts_of(job).of_split(split)[0][0][1].seconds

    for split in ((1, 8, 1, 1, 1), (1, 1, 1, 1, 8), (2, 4, 1, 1, 1)):
        assert taken(split, 10**9) == taken(split, 10**11)
    for split in ((2, 6, 1, 1, 1), (4, 3, 1, 1, 1), (1, 16, 1, 1, 1), (2, 8, 1, 1, 1), (1, 1, 1, 8, 2)):
        assert taken(split, 10**9) > taken(split, 10**11)
