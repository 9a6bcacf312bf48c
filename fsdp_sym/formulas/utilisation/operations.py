"""Operations by going through what is computed: products of matrices token by token, scores query by query.

This is the counting route of the FLOPs. A product with a matrix is a multiply-add for each of its numbers and each token.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat

from ..models.matrices import Matrix, attention, feed_forward
from ..time.timeline import Number


def products(matrices: list[Matrix], tokens: int, n_op: int) -> int:
    """Row after row of each matrix is multiplied with every token's vector."""
    return sum(sum(repeat(m.columns * tokens * n_op, m.rows)) for m in matrices)


def block_matrices(d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int) -> list[Matrix]:
    """Those of attention and feed-forward part; biases and norms are no products of matrices."""
    return attention(d, d_h, a, a_kv, False, False) + feed_forward(d, f, n_mlp, False)


def scored(b: int, s: int, a: int, d_h: int, x_pair: Number, n_op: int) -> Fraction:
    """Head by head and query by query: so many keys give a score each, and as many values are added up by their weights."""
    met = Fraction(x_pair) * s
    of_a_query = sum((met * d_h * n_op for _ in ("scores", "weighted sums")), Fraction(0))
    of_a_head = sum((of_a_query for _ in range(s)), Fraction(0))
    return sum((of_a_head for _ in range(b) for _ in range(a)), Fraction(0))
