"""The composed peak as somebody writes it for numpy by hand: block by block, every result in a buffer that is used again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

BLOCK = 32768
Array = np.ndarray[Any, Any]


def plain_peak(columns: Mapping[str, Array], at: Mapping[str, float]) -> Iterator[Array]:
    """The peak at every point, a block at a time; the next block writes over it."""
    ends, head, block, shard, unit, other, kept, least = (np.empty(BLOCK) for _ in range(8))
    length = len(columns["N"])
    add, sub, mul, div, ceil = np.add, np.subtract, np.multiply, np.divide, np.ceil
    names = ("N", "L", "b", "s", "d", "f", "a", "a_kv", "d_h", "v", "n_held", "b_e", "b_w", "n_log", "u_tied", "b_m")
    states = at["b_g"] + at["b_c"] + at["b_v"] + at["b_x"]
    for first in range(0, length, BLOCK):
        n, layers, b, s, d, f, a, a_kv, d_h, v, held, b_e, b_w, n_log, tied, b_m = (
            columns[name][first : first + BLOCK] for name in names
        )
        if len(n) < BLOCK:
            ends, head, block, shard, unit, other, kept, least = (x[: len(n)] for x in (ends, head, block, shard, unit, other, kept, least))
        # Parameters: outside the blocks, of one block, of all.
        sub(2, tied, out=ends)
        mul(v, ends, out=ends)
        add(ends, at["n_norm"] + at["n_pos"], out=ends)
        mul(ends, d, out=ends)
        add(a, a_kv, out=head)
        mul(head, d_h, out=head)
        mul(head, 2, out=head)  # elements of queries, keys, values and output for each of the hidden size
        mul(f, at["n_mlp"], out=block)
        add(block, head, out=block)
        add(block, 2 * at["n_norm"], out=block)
        mul(block, d, out=block)
        mul(block, layers, out=shard)
        add(shard, ends, out=shard)
        # What a rank keeps, and the optimizer's step.
        div(shard, n, out=shard)
        ceil(shard, out=shard)
        mul(shard, at["b_t"], out=least)
        add(b_w, states, out=other)
        add(other, b_m, out=other)
        mul(shard, other, out=shard)
        add(shard, least, out=least)
        # What a block keeps of each token, and what the loss and the way back take.
        mul(f, at["n_wide"], out=kept)
        add(kept, d, out=kept)
        add(kept, d, out=kept)
        add(kept, head, out=kept)
        mul(kept, at["b_a"], out=kept)
        mul(d, 2 * (at["b_in"] + at["b_nrm"]), out=other)
        add(kept, other, out=kept)
        mul(a, at["b_l"], out=other)
        add(kept, other, out=kept)
        add(kept, 2 * at["b_n"], out=kept)
        mul(kept, layers, out=kept)
        mul(v, at["b_f"], out=other)
        mul(other, n_log, out=other)
        add(kept, other, out=kept)
        mul(f, at["n_way"], out=other)
        add(other, d, out=other)
        mul(other, at["b_a"], out=other)
        add(kept, other, out=kept)
        mul(kept, b, out=kept)
        mul(kept, s, out=kept)
        add(shard, kept, out=shard)
        # What is gathered, waits whole and is reduced.
        div(block, n, out=unit)
        ceil(unit, out=unit)
        mul(unit, n, out=unit)
        div(ends, n, out=other)
        ceil(other, out=other)
        mul(other, n, out=other)
        mul(unit, at["b_r"], out=kept)
        add(shard, kept, out=shard)
        mul(unit, held, out=unit)
        add(unit, other, out=unit)
        add(unit, block, out=unit)
        add(unit, ends, out=unit)
        mul(unit, b_e, out=unit)
        add(shard, unit, out=shard)
        np.maximum(shard, least, out=shard)
        yield shard
