"""A step costs every block three passes, attention's core as many and a bit, and whatever is recomputed.

Operations of one micro-batch, forward and backward: L blocks and the logits, which are not recomputed. Under FSDP every GPU computes
all of this for its own micro-batch: sharding divides bytes, not operations.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import (
    F_back,
    F_blk,
    F_head,
    F_re,
    F_step,
    L,
    a,
    a_kv,
    b,
    d,
    d_h,
    f,
    n_mlp,
    n_op,
    s,
    u_core,
    u_lin,
    v,
    x_att,
    x_pair,
)
from ..models.matrices import Matrix
from .block_backward_flops import block_backward_flops
from .block_backward_flops import count as backward
from .block_flops import block_flops
from .block_flops import count as forward
from .logit_flops import logit_flops
from .operations import products
from .recomputed_flops import count as again
from .recomputed_flops import recomputed_flops


def count(
    b: int, s: int, L: int, d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int, v: int, x_pair: int | Fraction, x_att: int | Fraction,
    u_lin: int, u_core: int, n_op: int,
) -> Fraction:  # fmt: skip
    """Down through the blocks, the head forward and its two products backward, and up through the blocks again."""
    shape = (b, s, d, f, a, d_h, a_kv, n_mlp, x_pair)
    down, up = forward(*shape, n_op), again(*shape, u_lin, u_core, n_op) + backward(*shape, x_att, n_op)
    logits = products([Matrix("head", v, d), Matrix("for its input", d, v), Matrix("for itself", v, d)], b * s, n_op)
    return sum((down for _ in range(L)), Fraction(0)) + logits + sum((up for _ in range(L)), Fraction(0))


_BLOCK, _BACK, _AGAIN = block_flops.exact, block_backward_flops.exact, recomputed_flops.exact

step_flops = Formula(
    __name__,
    defines=F_step,
    start=L * (F_blk + F_re + F_back) + 3 * F_head,
    steps=(
        Using(L * (_BLOCK + F_re + F_back) + 3 * F_head, "each block forward", lemma=block_flops),
        Using(L * (_BLOCK + _AGAIN + F_back) + 3 * F_head, "what it computes once more", lemma=recomputed_flops),
        Using(L * (_BLOCK + _AGAIN + _BACK) + 3 * F_head, "and backward", lemma=block_backward_flops),
        Using(L * (_BLOCK + _AGAIN + _BACK) + 3 * n_op * b * s * d * v, "the logits, forward and twice backward", lemma=logit_flops),
        Same(
            n_op * b * s * (
                L * ((3 + u_lin) * d * (2 * d_h * (a + a_kv) + n_mlp * f) + 2 * (1 + x_att + u_core) * x_pair * a * s * d_h) + 3 * d * v
            ),
            "matrices apart from attention's core",
        ),
    ),
    source=Source("arXiv:2104.04473", "appendix: floating-point operations"),
    counted=count,
)  # fmt: skip
