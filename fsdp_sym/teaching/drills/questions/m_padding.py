"""Shards that don't divide (cell M): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import L, N, S_big, a, a_kv, b_e, b_s, b_step, d, d_0, d_h, f, n_d, n_f, n_kv, n_q, n_rank, n_rest, n_T, n_v, v
from ...misconceptions.exact_principles import EQUAL_SHARDS, NOT_ROWS, WHOLE_ROWS
from ...misconceptions.principles import EVERY_BUFFER, LAYERS, SHARED_OUT, WHOLE_RANKS, WHOLE_TENSOR
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

_DEALT = "FSDP2 deals the [[d_0]] rows of a tensor out over [[N]] ranks, numbered from 0."
_ROWS = ("1000", "2730", "5000", "11008", "13824", "14336", "28672", "32000", "50257", "128256")
_RANKS = ("24", "48", "96", "100", "192", "384", "768", "1000")
_MANY = ("384", "500", "768", "1000", "1536", "3000")
_LATE: Draws = {d_0: ("200", "260", "330", "450", "1000", "1500", "2000", "2600"), N: ("64",), n_rank: ("49", "50", "51", "57", "60", "61", "62", "63")}
_PARTLY: Draws = {d_0: ("993", "995", "998", "1000", "1003", "1006"), N: ("64",), n_rank: ("62",)}
_LONG: Draws = {n_rest: ("2048", "4096", "5120", "8192"), b_e: ("2 B", "4 B")}

_SHARDING = Chain(
    "rows-and-bytes",
    f"{_DEALT} A row has [[n_rest]] elements of [[b_e]]. Worked out are the rows of a shard, the rows of padding in all, and the bytes of the tensor as a collective carries it.",
    (("shard_rows", ""), ("padding_rows", ""), ("padded_bytes", "MB")),
    {d_0: _ROWS, N: _RANKS, **_LONG},
)  # fmt: skip
_HOLDING = Chain(
    "rows-of-a-rank",
    f"{_DEALT} Worked out are the rows of a shard, the rows of padding in all, and the rows that rank [[n_rank]] really holds.",
    (("shard_rows", ""), ("padding_rows", ""), ("rows_of_rank", "")),
    {**_PARTLY, n_rank: ("60", "61", "62")},
)  # fmt: skip

PADDING = (
    Value("M-shard-rows", "M", "compute", "shard_rows", f"{_DEALT} How many rows does a shard have, as it is allocated?", "", {d_0: _ROWS, N: ("3", "5", "7", "12", "24", "48", "96", "100")}),
    Value("M-own-rows", "M", "compute", "rows_of_rank", f"{_DEALT} How many of them does rank [[n_rank]] really hold?", "", _LATE),
    Value("M-padding", "M", "compute", "padding_rows", f"{_DEALT} How many rows of padding are there in all shards together?", "", {d_0: _ROWS, N: _RANKS}),
    Value("M-empty", "M", "compute", "empty_ranks", f"{_DEALT} How many ranks hold no row of it?", "", {d_0: _ROWS, N: _MANY}),
    Value(
        "M-carried", "M", "compute", "padded_bytes",
        f"{_DEALT} A row has [[n_rest]] elements, gathered at [[b_e]] each. How large is the tensor as an all-gather carries it?", "MB", {d_0: _ROWS, N: _MANY, **_LONG},
    ),
    Value(
        "M-allocated", "M", "compute", "tensor_on_rank",
        f"{_DEALT} A row has [[n_rest]] elements. Parameter and gradient of an element take [[b_e]] together, Adam's two moments [[b_s]]. How much does rank [[n_rank]] allocate for the tensor, step counters aside?",
        "MB", {**_PARTLY, n_rest: ("2048", "4096", "5120", "8192"), b_e: ("4 B", "8 B"), b_s: ("8 B",)},
    ),
    Value(
        "M-model", "M", "compute", "model_rows",
        "A rank of FSDP2 was found to hold [[n_v]] rows of the embedding and as many of the head; in each of [[L]] layers [[n_q]] rows of the queries, [[n_kv]] of the keys and of the values, [[n_f]] of the way up and of the gate; "
        "and [[n_d]] rows of each layer's output, way down and two norms, and of the last norm. The hidden size is [[d]], the feed-forward width [[f]], and there are [[a]] heads of [[d_h]]. "
        "Parameter and gradient of an element take [[b_e]] together, Adam's two moments [[b_s]]. How much of the model does the rank hold?",
        "MB", {L: ("32", "40", "80"), d: ("4096",), f: ("11008", "14336"), a: ("32",), d_h: ("128",), n_v: ("126", "251", "502"), n_q: ("16", "32", "64"), n_kv: ("4", "8"), n_f: ("43", "56", "112"), n_d: ("16", "32", "64"), b_e: ("8 B",), b_s: ("8 B",)},
    ),
    Value(
        "M-model-rank", "M", "compute", "model_on_rank",
        "FSDP2 deals the rows of a model's tensors out to [[N]] ranks, each tensor by its own: embedding and head of [[v]] rows, and in each of [[L]] layers queries and output for [[a]] heads of [[d_h]], keys and values for [[a_kv]], a gate, a way up and a way down of width [[f]]. "
        "The hidden size is [[d]], and norms have a weight alone. Parameter and gradient of an element take [[b_e]] together, Adam's two moments [[b_s]]. How much of the model does rank [[n_rank]] hold, counted from zero?",
        "MB", {N: ("1024", "768", "640"), L: ("32",), d: ("4096",), f: ("11008", "14336"), a: ("32",), a_kv: ("8", "32"), v: ("32000",), d_h: ("128",), n_rank: ("600", "620", "630"), b_e: ("8 B",), b_s: ("8 B",)},
    ),
    Written(
        "M-write-counters", "M", "step_counters",
        "Adam keeps a step counter of [[b_step]] for every one of a model's n_T parameter tensors. FSDP2 shards the model over N ranks. How many bytes of counters does each rank hold?",
        {b_step: ("4 B", "8 B", "2 B")}, also=(N,),
    ),
    Value(
        "M-counters", "M", "compute", "step_counters",
        "Adam keeps a step counter of [[b_step]] for every one of a model's [[n_T]] parameter tensors. FSDP2 shards the model over [[N]] ranks. How many bytes of counters does each rank hold?",
        "kB", {b_step: ("4 B",), n_T: ("148", "201", "291", "363", "723", "1138"), N: ("8", "16", "24", "64")},
    ),
    WrongLine("M-wrong-line", "M", _HOLDING),
    WrongLine("M-bytes-wrong-line", "M", _SHARDING),
    Faded("M-faded", "M", _SHARDING, 2),
    Justify(
        "M-principle", "M",
        (
            Reason("shard_rows", 0, WHOLE_ROWS, (SHARED_OUT, WHOLE_RANKS, EQUAL_SHARDS)),
            Reason("padded_bytes", 0, EQUAL_SHARDS, (WHOLE_ROWS, SHARED_OUT, WHOLE_TENSOR)),
            Reason("step_counters", 0, NOT_ROWS, (EVERY_BUFFER, LAYERS)),
        ),
    ),
    Value(
        "M-whole-tensors", "M", "compute", "whole_tensors",
        "A ZeRO-1 gives every tensor whole to one of [[N]] ranks, the next one to whoever has least. The model has [[n_T]] equal tensors with [[S_big]] of optimizer states each. How much do the states take on the fullest rank?", "MB",
        {N: ("8", "16", "24", "32"), n_T: ("50", "75", "100", "150", "291"), S_big: ("64 MB", "80 MB", "96 MB", "135 MB")},
    ),
)  # fmt: skip
