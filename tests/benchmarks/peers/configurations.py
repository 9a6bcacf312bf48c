"""Distinct configurations, the same for everybody who is measured; the standard library is enough to draw them."""

from __future__ import annotations

from random import Random
from typing import NamedTuple


class Configuration(NamedTuple):
    """A model's shape, a step of it and the machine, in base units; the fields are letters of the vocabulary, in its order."""

    N_d: int
    N_t: int
    L: int
    b: int
    s: int
    d: int
    f: int
    a: int
    W: int
    v: int
    d_h: int
    a_kv: int
    W_net: int
    X_peak: int


def drawn(count: int, seed: int) -> list[tuple[int, ...]]:
    """So many of them as plain rows: all different, and such that a tensor group divides what it shares out."""
    draw = Random(seed)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < count:
        group = draw.choice((1, 2, 4, 8))
        kv = group * draw.choice((1, 2, 4))
        heads = kv * draw.choice((1, 2, 4))
        size = draw.choice((64, 96, 128))
        row = Configuration(
            N_d=draw.randint(1, 1024), N_t=group, L=draw.randint(2, 128), b=draw.randint(1, 8), s=128 * draw.randint(1, 64),
            d=heads * size, f=4 * heads * size, a=heads, W=10**9 * draw.randint(25, 900), v=64 * draw.randint(500, 4000),
            d_h=size, a_kv=kv, W_net=10**9 * draw.randint(3, 100), X_peak=10**12 * draw.randint(100, 2000),
        )  # fmt: skip
        found[tuple(row)] = None
    return list(found)
