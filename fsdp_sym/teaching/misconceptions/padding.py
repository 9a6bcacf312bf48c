"""What goes wrong when rows do not divide by the ranks (cell M)."""

from __future__ import annotations

from sympy import S, ceiling, floor

from ...algebra.vocabulary import L, N, S_big, b_e, b_s, b_step, d_0, n_f, n_kv, n_rank, n_rest, n_T
from ...formulas.sharding.model_on_rank import ROWS
from ...formulas.sharding.model_rows import model_rows
from ...formulas.sharding.rows_of_rank import rows_of_rank
from .exact_principles import DIVIDED, EQUAL_SHARDS, NOT_ROWS, WHOLE_ROWS
from .form import Misconception
from .principles import EVERY_BUFFER, LAYERS, SHARED_OUT

_SHARD = ceiling(d_0 / N)

PADDING = (
    Misconception(
        "rows-rounded-down", ("shard_rows",), lambda _: floor(d_0 / N),
        "What does not divide is dropped.", WHOLE_ROWS,
        "With the fraction dropped some rows would belong to nobody: round up.",
    ),
    Misconception(
        "one-row-to-be-safe", ("shard_rows",), lambda _: _SHARD + 1,
        "I round up and add a row for the rest.", WHOLE_ROWS,
        "Rounded up, the shards have room for every row already.",
    ),
    Misconception(
        "rest-for-the-last-rank", ("shard_rows",), lambda _: ceiling(d_0 / (N - 1)),
        "The last rank takes the rest, so the others share by one fewer.", SHARED_OUT,
        "All ranks are counted when the rows are dealt out; the last ones get what is left, perhaps nothing.",
    ),
    Misconception(
        "every-rank-a-full-shard", ("rows_of_rank",), lambda _: _SHARD,
        "All shards are alike, so every rank holds as many rows.", WHOLE_ROWS,
        "Shards are allocated alike, but the rows run out: the last ranks hold fewer, or none.",
    ),
    Misconception(
        "dealt-like-cards", ("rows_of_rank",), lambda _: floor(d_0 / N),
        "The ranks differ by one row at most, and the last ones have the fewer.", WHOLE_ROWS,
        "Rows are dealt out in full shards from the front; only when they run out does a rank get fewer.",
    ),
    Misconception(
        "ranks-numbered-from-one", ("rows_of_rank",), lambda _: d_0 - (n_rank - 1) * _SHARD,
        "The ranks before mine are one fewer than my number.", WHOLE_ROWS,
        "Ranks are numbered from zero, so that as many ranks come before yours as its number says.",
    ),
    Misconception(
        "padding-is-the-remainder", ("padding_rows",), lambda _: d_0 - N * floor(d_0 / N),
        "What is left over when I divide is the padding.", EQUAL_SHARDS,
        "The remainder is real rows; padding is what is missing to the next multiple of the ranks.",
    ),
    Misconception(
        "a-row-of-padding-a-rank", ("padding_rows",), lambda _: N,
        "Every rank pads its shard by a row.", EQUAL_SHARDS,
        "The first ranks have full shards of real rows; the padding is all at the end.",
    ),
    Misconception(
        "a-padded-row-is-an-empty-rank", ("empty_ranks",), lambda _: N * _SHARD - d_0,
        "Each missing row leaves a rank empty.", EQUAL_SHARDS,
        "A rank is empty when a whole shard is missing; the padded rows gather on the last ranks.",
    ),
    Misconception(
        "ranks-beyond-the-rows", ("empty_ranks",), lambda _: N - (d_0 - N * floor(d_0 / N)),
        "The ranks that get nothing of the remainder are empty.", WHOLE_ROWS,
        "That would be so if the remainder were dealt out row by row; it is the rows of full shards that run out.",
    ),
    Misconception(
        "padding-stays-at-home", ("padded_bytes",), lambda _: d_0 * n_rest * b_e,
        "Nobody sends rows that are not there.", EQUAL_SHARDS,
        "A collective joins shards of one size, so that the padding travels with them.",
    ),
    Misconception(
        "one-shard-for-the-tensor", ("padded_bytes",), lambda _: _SHARD * n_rest * b_e,
        "A rank carries its shard.", EQUAL_SHARDS,
        "Asked is the whole tensor as it travels: a shard of every rank.",
    ),
    Misconception(
        "rows-without-their-length", ("padded_bytes",), lambda _: N * _SHARD * b_e,
        "Rows times bytes.", EQUAL_SHARDS,
        "A row has many elements, and each of them has those bytes.",
    ),
    Misconception(
        "moments-padded-too", ("tensor_on_rank",), lambda _: _SHARD * n_rest * (b_e + b_s),
        "Everything is allocated with a full shard's rows.", EQUAL_SHARDS,
        "Only the parameter and its gradient are; the optimizer makes its moments from the rows that the rank really holds.",
    ),
    Misconception(
        "nothing-allocated-for-padding", ("tensor_on_rank",), lambda _: rows_of_rank.full * n_rest * (b_e + b_s),
        "A rank allocates what it holds.", EQUAL_SHARDS,
        "The shard of a parameter and the buffer of its gradient have a full shard's rows on every rank, real ones or not.",
    ),
    Misconception(
        "moments-forgotten", ("tensor_on_rank", "model_rows", "model_on_rank"), lambda truth: truth.xreplace({b_s: S.Zero}),
        "A rank holds its parameters and gradients.", EVERY_BUFFER,
        "Adam's two moments of the rank's rows are there as well.",
    ),
    Misconception(
        "every-rank-like-the-first", ("model_on_rank",), lambda truth: truth.xreplace({n_rank: S.Zero}),
        "Sharding is fair: all ranks hold as much.", WHOLE_ROWS,
        "Full shards are dealt out from the front, and the last ranks get what is left of each tensor.",
    ),
    Misconception(
        "model-shared-to-the-byte", ("model_on_rank",), lambda _: model_rows.exact.xreplace({mine: rows / N for mine, rows in ROWS.items()}),
        "A rank holds an N-th of the model.", WHOLE_ROWS,
        "Only whole rows are dealt out, so that some ranks hold more than an even share and others less.",
    ),
    Misconception(
        "one-layer-of-rows", ("model_rows",), lambda truth: truth.xreplace({L: S.One}),
        "The matrices of a layer are the model.", LAYERS,
        "Every layer has matrices of its own.",
    ),
    Misconception(
        "gate-forgotten", ("model_rows",), lambda truth: truth.xreplace({n_f: n_f / 2}),
        "A feed-forward layer goes up and down again.", LAYERS,
        "A gated layer has a second matrix as large as the way up.",
    ),
    Misconception(
        "keys-without-values", ("model_rows",), lambda truth: truth.xreplace({n_kv: n_kv / 2}),
        "Attention has queries, keys and an output.", LAYERS,
        "The values have a matrix as large as the keys'.",
    ),
    Misconception(
        "counters-sharded", ("step_counters",), lambda truth: truth / N,
        "Optimizer states are sharded, so the counters are too.", NOT_ROWS,
        "A counter is one number and has no rows to deal out: every rank keeps all of them.",
    ),
    Misconception(
        "one-counter-for-all", ("step_counters",), lambda _: b_step,
        "All parameters take the same steps, so one counter does.", NOT_ROWS,
        "Each parameter tensor has a counter of its own.",
    ),
    Misconception(
        "counters-of-two-moments", ("step_counters",), lambda _: 2 * n_T * b_step,
        "Each moment counts its steps.", NOT_ROWS,
        "Both moments of a tensor share one counter.",
    ),
    Misconception(
        "tensors-cut-evenly", ("whole_tensors",), lambda _: n_T * S_big / N,
        "The states are shared out evenly.", DIVIDED,
        "Each tensor goes whole to one rank, so some have one more than the mean.",
    ),
    Misconception(
        "emptiest-rank-taken", ("whole_tensors",), lambda _: floor(n_T / N) * S_big,
        "Every rank has as many as divide.", DIVIDED,
        "What is left over goes somewhere: the fullest rank has one more.",
    ),
)  # fmt: skip
