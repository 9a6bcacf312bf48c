"""A model of GPT's form has a closed form for the operations of a step, and printed reports go by it.

Operations for the global batch: heads that together span the hidden size, a feed-forward layer four times as wide, every score computed.
u_lin is 1 where the blocks are recomputed in full, 0 where nothing is: the factor before the bracket is then 96 and 72.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import F_gpt, F_step, L, a, a_kv, b, b_all, d, d_h, f, n_mlp, n_op, s, u_core, u_lin, v, x_att, x_pair
from ..models.matrices import Matrix
from .operations import products, scored
from .step_flops import step_flops


def count(b_all: int, s: int, L: int, d: int, v: int, u_lin: int, n_op: int) -> Fraction:
    """The passes of a step, block after block, on square matrices and heads that are taken as one."""
    square = [Matrix(name, d, d) for name in ("query", "key", "value", "output")]
    wide = [Matrix("up", 4 * d, d), Matrix("down", d, 4 * d)]
    block = products(square + wide, b_all * s, n_op) + scored(b_all, s, 1, d, 1, n_op)
    passes = ["forward", "backward, inputs", "backward, matrices"]
    again = ["once more"] * u_lin
    in_blocks = sum((block for _ in range(L) for _ in passes + again), Fraction(0))
    return in_blocks + sum(products([Matrix("head", v, d)], b_all * s, n_op) for _ in passes)


_GPT_3 = {L: 96, d: 12288, v: 51200, s: 2048, n_op: 2}

gpt_flops = Formula(
    __name__,
    defines=F_gpt,
    start=F_step,
    steps=(
        Using(
            n_op * b_all * s * (L * (12 * (3 + u_lin) * d**2 + 2 * (3 + u_lin) * s * d) + 3 * d * v),
            "four square matrices and two of four times the width",
            lemma=step_flops, at={a_kv: a, d_h: d / a, f: 4 * d, n_mlp: 2, x_pair: 1, x_att: 2, u_core: u_lin, b: b_all},
        ),
        Same(
            12 * (3 + u_lin) * n_op * b_all * s * L * d**2 * (1 + s / (6 * d) + v / (4 * (3 + u_lin) * L * d)),
            "attention's core and the logits as shares of the matrices",
        ),
    ),
    source=Source("arXiv:2104.04473", "equation 3"),
    counted=count,
    published=(
        Published(
            _GPT_3 | {b_all: 1536, u_lin: 1}, 4510970753323106304, Source("arXiv:2104.04473", "equation 3 by hand at GPT-3's shape"),
        ),
        Published(
            _GPT_3 | {b_all: 64, u_lin: 0}, 141091531099471872, Source("arXiv:2205.05198", "appendix, by hand at GPT-3's shape"),
        ),
    ),
)  # fmt: skip
