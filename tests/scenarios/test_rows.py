"""Every row is what its label says: plans keep their widths, counts follow from the shapes, machines have their data-sheet values."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest

from fsdp_sym.algebra.units import parse_amount
from fsdp_sym.algebra.vocabulary import (
    LETTERS,
    L,
    M_max,
    P,
    R_bit,
    W,
    W_net,
    X_fp8,
    X_peak,
    a,
    b_c,
    b_g,
    b_m,
    b_v,
    b_w,
    b_x,
    d,
    f,
    letter,
    n_bit,
    n_link,
    n_node,
)
from fsdp_sym.scenarios.machines import MACHINES
from fsdp_sym.scenarios.models import MODELS
from fsdp_sym.scenarios.plans import PLANS, WIDTHS

# Parameter, gradient, master copy, momentum, variance, other, in bytes.
KEPT = {
    "fp32 Adam": (4, 4, 0, 4, 4, 0),
    "ZeRO mixed precision": (2, 2, 4, 4, 4, 0),
    "FSDP2 mixed precision": (4, 4, 0, 4, 4, 0),
    "8-byte Adam": (2, 2, 4, 8, 8, 0),
    "pure bf16 Adam": (2, 2, 0, 2, 2, 0),
    "fp32 SGD": (4, 4, 0, 0, 0, 0),
    "fp32 SGD with momentum": (4, 4, 0, 4, 0, 0),
    "fp32 AdamW with amsgrad": (4, 4, 0, 4, 4, 4),
}


def widths(name):
    return [int(PLANS[name].values[width].value) for width in WIDTHS]


def test_plans_keep_what_they_are_called_by():
    assert {name: tuple(widths(name)) for name in PLANS} == KEPT


@pytest.mark.parametrize("name", [name for name, plan in PLANS.items() if "+" in plan.source])
def test_a_sum_in_a_plans_source_is_that_of_its_widths(name):
    (said,) = re.findall(r"\d+(?: \+ \d+)+", PLANS[name].source)
    parts = list(map(int, said.split(" + ")))
    kept = [width for width in widths(name) if width]
    assert parts[:2] == widths(name)[:2]
    assert set(accumulate(parts)) <= set(accumulate(kept))
    assert sum(parts) == sum(kept)


def test_most_plans_say_their_sum():
    assert sum("+" in plan.source for plan in PLANS.values()) >= 7


@pytest.mark.parametrize(
    ("width", "buffer"),
    [(b_w, "one parameter"), (b_g, "gradient"), (b_c, "master copy"), (b_m, "momentum"), (b_v, "variance"), (b_x, "whatever else")],
)
def test_a_width_says_which_buffer_it_is_of(width, buffer):
    assert [s for s in WIDTHS if buffer in letter(s).says] == [width]


def test_the_widths_are_all_of_them_in_the_vocabularys_order():
    assert list(WIDTHS) == [b_w, b_g, b_c, b_m, b_v, b_x] == [s for s in LETTERS if s in WIDTHS]


# Hidden size, feed-forward width, layers, heads, heads of keys and values, words.
LLAMAS = {
    "Llama-2-7B": (4096, 11008, 32, 32, 32, 32000),
    "Llama-2-13B": (5120, 13824, 40, 40, 40, 32000),
    "Llama-2-70B": (8192, 28672, 80, 64, 8, 32000),
    "Llama-3-8B": (4096, 14336, 32, 32, 8, 128256),
    "Llama-3-405B": (16384, 53248, 126, 128, 8, 128256),
    "Mistral-7B": (4096, 14336, 32, 32, 8, 32000),
    "TinyLlama-1.1B": (2048, 5632, 22, 32, 4, 32000),
}
GPT_2 = {"GPT-2 small": (768, 3072, 12, 12), "GPT-2 XL": (1600, 6400, 48, 25)}
GPT_2_WORDS, GPT_2_POSITIONS = 50257, 1024


def llama(hidden, wide, layers, heads, kept_heads, words):
    """Untied embeddings, no biases, a gated feed-forward layer of three matrices, two norms a layer and one at the end."""
    head = hidden // heads
    attention = [hidden * hidden, hidden * kept_heads * head, hidden * kept_heads * head, hidden * hidden]
    layer = sum(attention) + 3 * hidden * wide + 2 * hidden
    return 2 * words * hidden + layers * layer + hidden


def gpt_2(hidden, wide, layers):
    """Tied embedding and learned positions; biases everywhere; each of the two norms has a weight and a bias."""
    attention = 3 * (hidden * hidden + hidden) + hidden * hidden + hidden
    forward = hidden * wide + wide + wide * hidden + hidden
    return (GPT_2_WORDS + GPT_2_POSITIONS) * hidden + layers * (attention + forward + 4 * hidden) + 2 * hidden


def shape(name):
    values = MODELS[name].values
    return tuple(int(values[symbol].value) for symbol in (d, f, L, a))


@pytest.mark.parametrize("name", LLAMAS)
def test_a_llamas_count_follows_from_its_shape(name):
    assert shape(name) == LLAMAS[name][:4]
    assert MODELS[name].values[P].value == llama(*LLAMAS[name])


@pytest.mark.parametrize("name", GPT_2)
def test_a_gpt_2s_count_follows_from_its_shape(name):
    assert shape(name) == GPT_2[name]
    assert MODELS[name].values[P].value == gpt_2(*GPT_2[name][:3])


def test_gpt_3_has_the_shape_of_its_paper():
    assert shape("GPT-3 175B") == (12288, 49152, 96, 96)


def test_every_model_is_counted_or_round():
    rounded = {"7B", "3B", "1.3B", "GPT-3 175B"}
    assert set(MODELS) == {*LLAMAS, *GPT_2, *rounded}
    assert all(MODELS[name].values[P].value == parse_amount(name.split()[-1]).value for name in rounded)


@pytest.mark.parametrize("name", [name for name in MODELS if re.search(r"\d+B$", name)])
def test_a_size_in_a_models_name_is_its_count_rounded(name):
    size = parse_amount(re.search(r"[\d.]+B$", name)[0]).value
    assert abs(MODELS[name].values[P].value - size) < size * 4 / 100


GiB, MiB, GB = 2**30, 2**20, 10**9
GIVEN = {
    "80 GB device": {M_max: 80 * GB},
    "10 GB budget": {M_max: 10 * GB},
    "V100 SXM 32 GB": {M_max: 127 * GiB // 4, W: 150 * GB, X_peak: 125 * 10**12},
    "A100 SXM 40 GB": {M_max: 40 * GiB, W: 300 * GB, X_peak: 312 * 10**12},
    "A100 SXM 80 GB": {M_max: 81920 * MiB, W: 300 * GB, X_peak: 312 * 10**12},
    "H100 SXM 80 GB": {M_max: 81559 * MiB, W: 450 * GB, X_peak: 989 * 10**12, X_fp8: 1979 * 10**12},
    "H200 SXM 141 GB": {M_max: 143771 * MiB, W: 450 * GB, X_peak: 989 * 10**12, X_fp8: 1979 * 10**12},
    "L40S 48 GB": {M_max: 46068 * MiB, W: 32 * GB, X_peak: 362 * 10**12},
    "10 GbE": {R_bit: 10 * GB, n_bit: 8},
    "100 GbE": {R_bit: 100 * GB, n_bit: 8},
    "InfiniBand HDR": {R_bit: 200 * GB, n_bit: 8},
    "InfiniBand NDR": {R_bit: 400 * GB, n_bit: 8},
    "8-GPU node": {n_node: 8},
    "a100-node": {n_node: 8, W: 300 * GB, n_link: 8, W_net: 25 * GB},
    "h100-node": {n_node: 8, W: 450 * GB, n_link: 8, W_net: 50 * GB},
}


def test_machines_have_their_data_sheet_values():
    assert {name: {s: amount.value for s, amount in row.values.items()} for name, row in MACHINES.items()} == GIVEN


@pytest.mark.parametrize("name", [name for name in MACHINES if re.search(r"\d GB$", name)])
def test_a_machine_has_about_the_memory_in_its_name(name):
    said = parse_amount(re.search(r"\d+ GB$", name)[0]).value
    assert abs(MACHINES[name].values[M_max].value - said) < said * 8 / 100
