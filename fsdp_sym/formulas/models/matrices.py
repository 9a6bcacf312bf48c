"""A model's parameter tensors laid out by name, one entry a tensor: what the parameter formulas are counted on."""

from __future__ import annotations

from typing import NamedTuple


class Matrix(NamedTuple):
    """A parameter tensor, or a bias or norm vector of one column."""

    name: str
    rows: int
    columns: int = 1


def parameters(matrices: list[Matrix]) -> int:
    """How many numbers they hold."""
    return sum(m.rows * m.columns for m in matrices)


def attention(d: int, d_h: int, a: int, a_kv: int, u_qkv: int, u_out: int) -> list[Matrix]:
    """Head by head: each reads the hidden vector and writes back into it; keys and values have heads of their own."""
    heads = [Matrix(f"query {head}", d_h, d) for head in range(a)] + [Matrix(f"output {head}", d, d_h) for head in range(a)]
    heads += [Matrix(f"{what} {head}", d_h, d) for what in ("key", "value") for head in range(a_kv)]
    biases = [Matrix(f"bias of {m.name}", m.rows) for m in heads if not m.name.startswith("output")] if u_qkv else []
    return heads + biases + ([Matrix("bias of the output", d)] if u_out else [])


def feed_forward(d: int, f: int, n_mlp: int, u_mlp: int) -> list[Matrix]:
    """Up, perhaps a gate beside it, and down again."""
    found = [Matrix(name, f, d) for name in ("up", "gate")[: n_mlp - 1]] + [Matrix("down", d, f)]
    return found + ([Matrix(f"bias of {m.name}", m.rows) for m in found] if u_mlp else [])


def experts(d: int, f: int, n_mlp: int, u_mlp: int, n_exp: int) -> list[Matrix]:
    """As many feed-forward parts as there are experts, and a router with a row for each."""
    each = [feed_forward(d, f, n_mlp, u_mlp) for _ in range(n_exp)]
    return [Matrix("router", n_exp, d), *(m for expert in each for m in expert)]


def norms(d: int, n_norm: int, how_many: int) -> list[Matrix]:
    """A weight, and for LayerNorm a bias, for every norm."""
    return [Matrix(f"norm {at}, {part}", d) for at in range(how_many) for part in range(n_norm)]


def ends(v: int, d: int, n_pos: int, n_norm: int, u_tied: int) -> list[Matrix]:
    """What stands before and after the blocks."""
    head = [] if u_tied else [Matrix("head", v, d)]
    return [Matrix("embedding", v, d), Matrix("positions", n_pos, d), *norms(d, n_norm, 1), *head]
