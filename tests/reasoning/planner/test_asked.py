"""A plan as it is asked for and told."""

from __future__ import annotations

import pytest

from fsdp_sym import plan
from fsdp_sym.algebra.errors import FsdpSymError


@pytest.fixture(scope="module")
def seven():
    return plan("Llama-2-7B", 8, seq_len=2048, tokens_per_step=2**18)


def test_the_table_names_degrees_memory_time_and_how_far_behind_the_others_are(seven):
    head, first, second, *_ = seven.table()
    assert head[:6] == ["rank", "replicas", "shard", "context", "tensor", "pipeline"]
    assert first[0] == "1"
    assert first[-2] == ""
    assert second[-2].startswith("~")  # closer than such times are sure
    assert f"{seven.plan.size:,} layouts: {seven.plan.fit:,} fit" in seven.text
    assert "nominal, not calibrated" in seven.text


def test_where_a_context_group_shares_the_state_the_lines_above_the_table_say_so():
    found = plan("Llama-2-70B", 24, seq_len=8192, tokens_per_step="4e6", memory="80 GB")
    assert found.table(1)[1][2:4] == ["1", "2"]
    assert found.table(1)[1][6] == "FSDP"
    assert found.above(1)[-1] == "FSDP and ZeRO share the state out over the ranks of shard and context degree together"


def test_where_there_is_no_context_group_nothing_is_said_of_one(seven):
    assert not any("context degree" in line for line in seven.above(1))
    assert {row[3] for row in seven.table(1)[1:]} == {"1"}


def test_what_binds_is_said(seven):
    assert seven.below[0].startswith("memory binds: shard 8, FSDP, micro-batches of 16 would be ")
    roomy = plan("Llama-2-7B", 8, seq_len=2048, tokens_per_step=2**18, memory="100 TB")
    assert roomy.below == ["memory does not bind: the fastest layout of all fits"]


def test_the_decision_is_derived_part_by_part(seven):
    text = seven.why()
    for part in ("matrix products", "weights through memory", "exposed gathers and reductions", "activations in flight", "together"):
        assert part in text
    for formula in ("run_time: T_run = ", "stage_peak: M_st = "):
        assert formula in text


@pytest.mark.parametrize(
    ("split", "says"),
    [
        ("tensor=8", "is rank "),
        ("pipeline=8", "is rank "),
        ("replicas=8", "does not fit: even replicas 8, data parallel"),
        ("pipeline=4 tensor=2 shard=1", "is rank"),
    ],
)
def test_what_becomes_of_a_split_is_told(seven, split, says):
    assert says in seven.why_not(split)


def test_a_split_that_cannot_be_is_ruled_out_with_the_reason():
    text = plan("Llama-2-7B", 64, seq_len=2048, tokens_per_step=2**20).why_not("tensor=16")
    assert "node rules out" in text
    assert "a tensor group stays inside a node" in text


def test_an_expert_degree_takes_no_gpus_and_without_one_any_is_meant():
    found = plan("Mixtral-8x7B", 16, seq_len=2048, tokens_per_step=2**18)
    splits = ("", "expert=1", "expert=4", "expert=8")
    ranks = {name: found.why_not(f"tensor=2 {name}").split("\n")[1].split(" at its best")[0] for name in splits}
    assert all(text.startswith("is rank ") for text in ranks.values())
    assert ranks[""] in (ranks["expert=4"], ranks["expert=8"])
    assert "experts rules out" in found.why_not("tensor=8 expert=4")


@pytest.mark.parametrize(
    ("split", "says"),
    [
        ("tensor=3", "makes 3, and there are 8 GPUs"),
        ("tensor=2 shard=2", "makes 4, and there are 8 GPUs"),
        ("tensor=2 tensor=4", "gives tensor twice"),
        ("width=8", "'width=8' is no degree"),
        ("tensor=", "is no degree"),
        ("tensor=99999999999999999999", "is no degree"),
        ("tensor=0", "is no degree"),
        ("tensor=2 expert=2", "Llama-2-7B has no experts to share out: leave expert=2 out of the split"),
    ],
)
def test_what_is_no_split_is_refused(seven, split, says):
    with pytest.raises(FsdpSymError) as error:
        seven.why_not(split)
    assert says in str(error.value)


def test_nothing_fits_and_it_says_by_how_much_and_what_would_do():
    found = plan("Llama-2-70B", 8, seq_len=2048, tokens_per_step=2**18)
    assert not found.plan.fit
    assert "nothing fits: the leanest layout, tensor 8" in found.text
    assert found.text.endswith("the smallest change that would do: 16 of these GPUs")
    with pytest.raises(FsdpSymError, match="no decision to explain"):
        found.why()


def test_where_no_number_of_gpus_would_do_it_says_so_and_does_not_look_for_ever():
    found = plan("Llama-2-70B", 8, seq_len=2**20, tokens_per_step=2**20, memory="4.1 GB")
    assert found.below[-1] == "no number of these GPUs would do"
    with pytest.raises(FsdpSymError, match="no number of these GPUs holds Llama-2-70B at 1,048,576 tokens"):
        plan("Llama-2-70B", None, seq_len=2**20, tokens_per_step=2**20, memory="4.1 GB")


def test_the_fewest_gpus_for_a_70b_model_and_what_binds():
    found = plan("Llama-2-70B", None, seq_len=8192, tokens_per_step="4e6", memory="80 GB")
    assert found.plan.job.world == 24
    assert found.above()[0] == "the fewest, in whole nodes or even parts of one: 24"
    assert "on 16 GPUs nothing fits" in found.above()[1]
    assert "3.281 GB more than a margin of 4.000 GB leaves" in found.above()[1]


def test_the_fewest_gpus_for_a_mixture_say_why_fewer_do_not():
    found = plan("Mixtral-8x7B", None, seq_len=2048, tokens_per_step=2**20)
    assert found.above()[0].endswith(": 16")
    assert found.above()[1].startswith("on 8 GPUs nothing fits: the leanest layout, ")
    single = plan("TinyLlama-1.1B", None, seq_len=2048, tokens_per_step=2**20)
    assert single.above()[1].startswith("TinyLlama-1.1B, "), "none are fewer than 1"


def test_which_of_two_splits_is_better_and_why():
    found = plan("Llama-3-405B", 1024, seq_len=8192, tokens_per_step="4e6")
    one, other = (found.why_not(split) for split in ("tensor=8 pipeline=16", "tensor=8 pipeline=8"))
    assert "a sequence takes the split" in one
    assert "pipeline bubble" in one
    assert one != other


def test_a_model_is_named_or_given_by_its_configuration(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(
        '{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,'
        ' "vocab_size": 32000, "max_position_embeddings": 4096, "rms_norm_eps": 1e-5, "hidden_act": "silu"}'
    )
    named, read = (plan(model, 8, seq_len=2048, tokens_per_step=2**18) for model in ("Llama-2-7B", str(config)))
    assert named.plan.best(3) == read.plan.best(3)
    with pytest.raises(FsdpSymError, match="for another give"):
        plan("my model", 8, seq_len=2048, tokens_per_step=2**18)
    with pytest.raises(FsdpSymError, match=r"of the model 'GPT-3 175B' only counts are known, .*: shapes are known of GPT-2 small, "):
        plan("GPT-3 175B", 8, seq_len=2048, tokens_per_step=2**18)


def test_a_margin_that_leaves_nothing_is_named_beside_the_memory():
    with pytest.raises(FsdpSymError, match="the margin, 4 GB, leaves nothing of a GPU's 3 GB: give a smaller margin, or more memory"):
        plan("Llama-2-7B", 8, seq_len=2048, tokens_per_step=2**18, memory="3 GB")


@pytest.mark.parametrize("tokens", ["4 GB", "0", "1/3", "lots", "nan", "oo", 0.5, float("nan")])
def test_tokens_that_are_no_count_are_refused(tokens):
    with pytest.raises(FsdpSymError, match="tokens a step: give a positive whole number, such as 4e6"):
        plan("Llama-2-7B", 8, seq_len=2048, tokens_per_step=tokens)
