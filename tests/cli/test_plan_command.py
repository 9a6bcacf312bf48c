"""fsdp-sym plan."""

from __future__ import annotations

import json

import pytest

from fsdp_sym.cli import DONE, NO, WRONG, main

SEVEN = ("plan", "Llama-2-7B", "--gpus", "8", "--seq-len", "2048", "--tokens-per-step", "262144")


def test_it_prints_the_best_layouts_and_why(capsys):
    assert main([*SEVEN, "--best", "3", "--why"]) == DONE
    out = capsys.readouterr().out
    assert out.startswith("Llama-2-7B, 6,738,415,616 parameters, on 8 GPUs of h100-node, 85.521 GB each; at most 128 sequences")
    assert len([line for line in out.split("\n") if line.startswith(("1 ", "2 ", "3 ", "4 "))]) == 3
    assert "The runner-up is " in out
    assert "run_time: T_run = " in out


def test_what_fits_nowhere_exits_with_no(capsys):
    assert main(["plan", "Llama-2-70B", "--gpus", "8", "--seq-len", "2048", "--tokens-per-step", "1e6", "--why"]) == NO
    assert "the smallest change that would do: 16 of these GPUs" in capsys.readouterr().out


def test_json_is_the_same_in_numbers(capsys):
    assert main([*SEVEN, "--json", "--best", "2"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert sum(found["ruled out"].values()) + found["fit"] == found["layouts"]
    first = found["best"][0]
    assert first["shard"] == 8
    assert sum(part["float"] for part in first["memory"].values()) == pytest.approx(first["peak bytes"])
    assert sum(part["float"] for part in first["time"].values()) == pytest.approx(first["seconds"])


@pytest.fixture
def mixtral(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(
        '{"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,'
        ' "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2}'
    )
    return ("plan", "--config", str(config), "--gpus", "16", "--seq-len", "4096", "--tokens-per-step", "1e6")


def test_a_mixtures_table_has_its_expert_degree_and_its_decision_the_way_to_the_experts(mixtral, capsys):
    assert main([*mixtral, "--best", "3", "--why"]) == DONE
    out = capsys.readouterr().out
    assert "a token goes to 2 of 8 experts, and each is taken to be as busy as the others" in out
    (head,) = [line for line in out.split("\n") if line.startswith("rank ")]
    assert head.split()[:7] == ["rank", "replicas", "shard", "context", "tensor", "pipeline", "expert"]
    assert "way to the experts" in out
    assert "expert_time: T_exp = " in out
    assert main([*mixtral, "--json", "--best", "1"]) == DONE
    first = json.loads(capsys.readouterr().out)["best"][0]
    assert first["expert"] > 1
    assert sum(part["float"] for part in first["time"].values()) == pytest.approx(first["seconds"])
    assert main([*mixtral, "--explain-not", "expert=3"]) == NO
    assert "an expert degree divides the experts, and the ranks of shard and context degree" in capsys.readouterr().out


def test_fp8_is_said_and_halves_the_products(capsys):
    times = []
    for precision in ("bf16", "fp8"):
        assert main([*SEVEN, "--precision", precision, "--json", "--best", "1"]) == DONE
        times.append(json.loads(capsys.readouterr().out)["best"][0]["time"]["matrix products"]["float"])
    assert 0.5 < times[1] / times[0] < 0.6
    assert main([*SEVEN, "--precision", "fp8"]) == DONE
    assert "a layer's matrices are multiplied in fp8" in capsys.readouterr().out


def test_a_split_is_explained(capsys):
    assert main([*SEVEN, "--explain-not", "tensor=8"]) == DONE
    assert "is rank " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("plan",), "plan needs a model"),
        (("plan", "Llama-2-7B", "--config", "config.json"), "and not both"),
        (("plan", "Llama-2-7B", "--gpus", "many"), "--gpus many is no number of GPUs"),
        (("plan", "Llama-2-7B", "--gpus", "-8"), "--gpus -8 is no number of GPUs"),
        (("plan", "Llama-2-7B", "--attention", "flash"), "no attention is called"),
        (("plan", "Llama-2-7B", "--precision", "fp7"), "no precision is called"),
        (("plan", "Llama-2-7B", "--memory", "80 kg"), "kg"),
        (("plan", "Llama-2-7B", "--link", "200 GB"), "W_net"),
        (("plan", "Llama-2-7B", "--calibrate", "none.csv"), "none.csv: No such file"),
        (("plan", "--config", "none.json"), "none.json"),
        (("plan", "Llama-2-7B", "--json", "--why"), "leave --why and --explain-not out"),
        (("plan", "Llama-2-7B", "--json", "--explain-not", "tensor=8"), "leave --why and --explain-not out"),
        (("plan", "Llama-2-7B", "--tokens-per-step", "x"), "x"),
    ],
)
def test_a_wrong_request_is_one_line(capsys, arguments, says):
    assert main(list(arguments)) == WRONG
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
