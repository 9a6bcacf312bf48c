"""How many parameters a model has (cell N): more of its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import L, a, a_kv, d, d_h, f, n_act, n_exp, n_mlp, n_norm, n_pos, u_mlp, u_out, u_qkv, u_tied, v
from ..givens import Draws
from ..value import Value

_HEADS = "The hidden size is [[d]]; attention has [[a]] query heads of [[d_h]] and [[a_kv]] heads of keys and of values, and no biases."
_GATED = "A feed-forward part has [[n_mlp]] matrices between the hidden size and a width of [[f]] (a gate, a way up, a way down) and no biases."
_EXPERT = "Every expert has [[n_mlp]] matrices between the hidden size and a width of [[f]] (a gate, a way up, a way down) and no biases."
_ENDS = "The vocabulary has [[v]] words, the head has a matrix of its own, positions are rotated in, and every norm is one vector: two in a layer and one behind the last."
_ATTENTION: Draws = {d: ("4096", "8192"), a: ("32", "64"), d_h: ("128",), a_kv: ("4", "8"), u_qkv: ("0",), u_out: ("0",)}
_WIDE: Draws = {f: ("11008", "14336", "28672"), n_mlp: ("3",), u_mlp: ("0",)}
_WORDS: Draws = {v: ("32000", "128256", "151936"), n_pos: ("0",), n_norm: ("1",), u_tied: ("0",)}
_LAYERS: Draws = {L: ("24", "32", "40", "80")}
_EXPERTS: Draws = {n_exp: ("8", "16", "64")}
_SENT: Draws = {n_act: ("2", "4")}
_MIXTURE = f"{_HEADS} Each of [[L]] layers has [[n_exp]] experts and a router with a row for each. {_EXPERT} {_ENDS}"

PARAMETERS = (
    Value("N-attention-parameters", "N", "compute", "attention_parameters", f"{_HEADS} How many parameters does the attention of a layer have?", "", _ATTENTION),
    Value("N-feed-forward-parameters", "N", "compute", "mlp_parameters", f"The hidden size is [[d]]. {_GATED} How many parameters does it have?", "", {d: ("4096", "5120", "8192"), **_WIDE}),
    Value("N-block-parameters", "N", "compute", "block_parameters", f"{_HEADS} {_GATED} A block has two norms of one vector each beside them. How many parameters does it have?", "", {**_ATTENTION, **_WIDE, n_norm: ("1",)}),
    Value("N-end-parameters", "N", "compute", "end_parameters", f"The hidden size is [[d]]. {_ENDS} How many parameters stand outside the blocks: embedding, last norm and head?", "", {d: ("2048", "4096", "8192"), **_WORDS}),
    Value("N-model-parameters", "N", "compute", "model_parameters", f"A model has [[L]] layers. {_HEADS} {_GATED} {_ENDS} How many parameters does the model have?", "", {**_LAYERS, **_ATTENTION, **_WIDE, **_WORDS}),
    Value(
        "N-gpt-parameters", "N", "compute", "gpt_parameters",
        "A GPT has [[L]] blocks of hidden size [[d]] with biases everywhere: attention of four square matrices, a feed-forward part four times as wide, two norms with weight and bias. Before them stand embeddings of [[v]] words and [[n_pos]] positions. The last norm is left aside, and the head is the matrix of the words once more. How many parameters does it have?",
        "", {L: ("12", "24", "36", "48"), d: ("768", "1024", "1280", "1600"), v: ("50257",), n_pos: ("1024", "2048")},
    ),
    Value("N-expert-parameters", "N", "compute", "expert_parameters", f"The hidden size is [[d]]. A layer has [[n_exp]] experts and a router with a row for each. {_EXPERT} How many parameters does the layer of experts have?", "", {d: ("4096", "5120"), **_WIDE, **_EXPERTS}),
    Value("N-mixture-parameters", "N", "compute", "mixture_parameters", f"{_MIXTURE} How many parameters does the model have?", "", {**_LAYERS, **_ATTENTION, **_WIDE, **_WORDS, **_EXPERTS}),
    Value(
        "N-idle-parameters", "N", "compute", "idle_parameters",
        f"The hidden size is [[d]]. Each of [[L]] layers has [[n_exp]] experts, and a token is sent to [[n_act]] of them. {_EXPERT} How many parameters does a token leave aside?", "", {**_LAYERS, d: ("4096", "5120"), **_WIDE, **_EXPERTS, **_SENT},
    ),
    Value("N-active-parameters", "N", "compute", "active_parameters", f"{_MIXTURE} A token is sent to [[n_act]] experts. How many parameters take part in its forward pass?", "", {**_LAYERS, **_ATTENTION, **_WIDE, **_WORDS, **_EXPERTS, **_SENT}),
)  # fmt: skip
