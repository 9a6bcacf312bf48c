"""A dense model is its blocks and what stands before and after them.

Parameters of all L blocks and of the ends; a tied matrix is counted once.
"""

from typing import Any

from sympy import Symbol

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import (
    L,
    P_all,
    P_block,
    P_ends,
    a,
    a_kv,
    d,
    d_h,
    f,
    n_mlp,
    n_norm,
    n_pos,
    u_mlp,
    u_out,
    u_qkv,
    u_tied,
    v,
)
from .block_parameters import block_parameters
from .block_parameters import count as of_a_block
from .end_parameters import end_parameters
from .matrices import ends, parameters


def count(
    L: int,
    d: int,
    f: int,
    a: int,
    v: int,
    d_h: int,
    a_kv: int,
    n_mlp: int,
    n_norm: int,
    n_pos: int,
    u_qkv: int,
    u_out: int,
    u_mlp: int,
    u_tied: int,
) -> int:
    """Block after block, then the ends."""
    block = of_a_block(d, f, a, d_h, a_kv, n_mlp, n_norm, u_qkv, u_out, u_mlp)
    return sum(block for _ in range(L)) + parameters(ends(v, d, n_pos, n_norm, u_tied))


_BLOCK = block_parameters.exact
_CARD = "the published parameter count"


def _shape(
    layers: int,
    hidden: int,
    wide: int,
    heads: int,
    kv: int,
    words: int,
    head: int = 128,
    *,
    gated: bool = True,
    biases: tuple[Symbol, ...] = (),
    layer_norm: bool = False,
    positions: int = 0,
    tied: int = 0,
) -> dict[Symbol, int]:
    return {
        L: layers, d: hidden, f: wide, a: heads, a_kv: kv, v: words, d_h: head, n_mlp: 3 if gated else 2,
        n_norm: 2 if layer_norm else 1, n_pos: positions, u_tied: tied,
        **{u: int(u in biases) for u in (u_qkv, u_out, u_mlp)},
    }  # fmt: skip


_GPT: dict[str, Any] = {"gated": False, "biases": (u_qkv, u_out, u_mlp), "layer_norm": True, "positions": 1024, "tied": 1}

model_parameters = Formula(
    __name__,
    defines=P_all,
    start=L * P_block + P_ends,
    steps=(
        Using(L * _BLOCK + P_ends, "attention, feed-forward part and two norms", lemma=block_parameters),
        Using(L * _BLOCK + d * (v * (2 - u_tied) + n_pos + n_norm), "embedding, positions, last norm and head", lemma=end_parameters),
    ),
    source=Source("by definition", "the tensors of a decoder-only transformer"),
    counted=count,
    published=(
        Published(_shape(12, 768, 3072, 12, 12, 50257, 64, **_GPT), 124439808, Source("GPT-2 small", _CARD)),
        Published(_shape(48, 1600, 6400, 25, 25, 50257, 64, **_GPT), 1557611200, Source("GPT-2 XL", _CARD)),
        Published(_shape(32, 4096, 11008, 32, 32, 32000), 6738415616, Source("arXiv:2307.09288", "7B")),
        Published(_shape(40, 5120, 13824, 40, 40, 32000), 13015864320, Source("arXiv:2307.09288", "13B")),
        Published(_shape(80, 8192, 28672, 64, 8, 32000), 68976648192, Source("arXiv:2307.09288", "70B, grouped-query")),
        Published(_shape(32, 4096, 14336, 32, 8, 128256), 8030261248, Source("arXiv:2407.21783", "8B")),
        Published(_shape(126, 16384, 53248, 128, 8, 128256), 405853388800, Source("arXiv:2407.21783", "405B")),
        Published(_shape(32, 4096, 14336, 32, 8, 32000), 7241732096, Source("arXiv:2310.06825", "7B")),
        Published(_shape(22, 2048, 5632, 32, 4, 32000, 64), 1100048384, Source("arXiv:2401.02385", "1.1B")),
        Published(_shape(24, 896, 4864, 14, 2, 151936, 64, biases=(u_qkv,), tied=1), 494032768, Source("arXiv:2412.15115", "0.5B")),
        Published(_shape(18, 2048, 16384, 8, 1, 256000, 256, tied=1), 2506172416, Source("arXiv:2403.08295", "2B")),
    ),
)
