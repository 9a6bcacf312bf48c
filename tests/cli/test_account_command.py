"""The account at a terminal: every buffer, the peak, and an exit code that answers whether it fits."""

from __future__ import annotations

import json

import pytest

from fsdp_sym import cli


def test_an_account_names_its_buffers_and_the_phase_that_peaks(capsys):
    assert cli.main(["account", "Llama-2-7B", "--gpus", "8", "--budget", "80 GB"]) == 0
    out = capsys.readouterr().out
    assert "rank 0 of 8; bytes a parameter: (4 (parameter) + 4 (gradient) + 4 (momentum) + 4 (variance))/N" in out
    assert "backward pass, when block 31's feed-forward layer is turned back: 22.752 GB = 21.190 GiB  <- the peak" in out
    assert "3,369,207,808 B" in out
    assert "Not counted: fragmentation" in out
    assert "It fits 80 GB" in out


def test_what_does_not_fit_says_how_much_more(capsys):
    assert cli.main(["account", "Llama-2-7B", "--gpus", "8", "--budget", "20 GB"]) == 1
    assert "It does not fit 20 GB: the backward pass wants 2.752 GB = 2.563 GiB more." in capsys.readouterr().out


def test_a_config_is_as_good_as_a_name(tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_text(
        json.dumps(
            {
                "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
                "num_attention_heads": 32, "vocab_size": 32000,
            }
        )
    )  # fmt: skip
    assert cli.main(["account", "--config", str(path), "--json"]) == 0
    mine = json.loads(capsys.readouterr().out)
    assert cli.main(["account", "Llama-2-7B", "--json"]) == 0
    ours = json.loads(capsys.readouterr().out)
    assert mine["phases"] == ours["phases"]
    assert mine["peak"] == {"phase": "backward pass", "bytes": 22752226456}


def test_a_huge_account_is_shown_to_the_digit(capsys):
    assert cli.main(["account", "Llama-2-7B", "--tokens", "999999999999999999"]) == 0
    out = capsys.readouterr().out
    assert "first forward pass, when the loss is taken: 5,191,940,000,000,004.293 GB = 4,835,370,928,049,091.523 GiB" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "account needs a model"),
        (["Llama-2-7B", "--config", "x.json"], "and not both"),
        (["Llama-7B"], "did you mean Llama-2-7B"),
        (["--config", "nowhere.json"], "cannot be read"),
        (["Llama-2-7B", "--budget", "80"], "M_max"),
        (["Llama-2-7B", "--gpus", "0"], "give 1 GPU at least"),
    ],
)
def test_refusals(arguments, said, capsys):
    assert cli.main(["account", *arguments]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
