"""A rank's bytes of a model are its rows of every tensor, each as long as that tensor makes it.

Bytes of a rank's own rows: parameter and gradient b_e, optimizer states b_s an element. The model has grouped queries, a gated
feed-forward layer, norms with a weight alone, an untied head, and no biases.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import L, M_rows, a, b_e, b_s, d, d_h, f, n_d, n_f, n_kv, n_q, n_v
from .shard_rows import FSDP2


def count(L: int, d: int, f: int, a: int, d_h: int, n_v: int, n_q: int, n_kv: int, n_f: int, n_d: int, b_e: int, b_s: int) -> int:
    """Tensor after tensor: rows held, and numbers in a row."""
    block = [(n_q, d), (n_kv, d), (n_kv, d), (n_d, a * d_h), (n_f, d), (n_f, d), (n_d, f), (n_d, 1), (n_d, 1)]
    tensors = [(n_v, d), *(tensor for _ in range(L) for tensor in block), (n_d, 1), (n_v, d)]
    return sum(rows * rest * width for rows, rest in tensors for width in (b_e, b_s))


_ENDS = 2 * n_v * d + n_d
_ATTENTION = n_q * d + 2 * n_kv * d + n_d * a * d_h
_FEED_FORWARD = 2 * n_f * d + n_d * f

model_rows = Formula(
    __name__,
    defines=M_rows,
    start=(_ENDS + L * (_ATTENTION + _FEED_FORWARD + 2 * n_d)) * (b_e + b_s),
    steps=(
        Same(
            (d * (2 * n_v + L * (n_q + 2 * n_kv + 2 * n_f)) + n_d * (L * (a * d_h + f + 2) + 1)) * (b_e + b_s),
            "rows as long as a hidden vector on one side, the others beside them",
        ),
    ),
    source=FSDP2,
    counted=count,
)
