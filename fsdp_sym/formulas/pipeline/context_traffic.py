"""Under context parallelism keys and values go round, and each rank receives those of all tokens but its own.

Bytes a rank receives in one layer's forward pass of one micro-batch. Each of N_c ranks keeps the queries of its part of the sequence, and
the keys and values of the other parts pass by (ring attention) or are gathered; a_kv heads of d_h, so that grouped queries make it small.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import N_c, V_kv, a_kv, b, b_a, d_h, i, s
from ..activations.tensors import Tensor, total
from ..communication.ring import passed_on


def count(N_c: int, b: int, s: int, a_kv: int, d_h: int, b_a: int) -> int:
    """Plays the ring: in each step every rank receives its neighbour's block, and at the end has met all tokens."""
    blocks = [range(rank, s, N_c) for rank in range(N_c)]
    met = set(blocks[0])
    found = 0
    for coming in passed_on(N_c):
        block = blocks[coming[0]]
        assert not met & set(block), "a block comes once"
        met |= set(block)
        found += total([Tensor(name, (b, len(block), a_kv, d_h), b_a) for name in ("keys", "values")])
    assert met == set(range(s))
    return found


context_traffic = Formula(
    __name__,
    defines=V_kv,
    start=Sum(2 * b * s * a_kv * d_h * b_a / N_c, (i, 1, N_c - 1)),
    steps=(Same(2 * b * s * a_kv * d_h * b_a * (N_c - 1) / N_c, "keys and values of every other part of the sequence"),),
    source=Source("arXiv:2310.01889", "section 3: blocks of keys and values go round a ring"),
    counted=count,
    where=(Divides(N_c, s),),
)
