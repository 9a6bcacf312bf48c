"""With the operations counted term by term, printed times of a step give the printed utilisation.

Model FLOPs of one step of a model of GPT's form, attention's core and logits included, nothing recomputed, over what the GPUs could have
computed in its time at their dense peak.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import F_gpt, G, L, T_step, X_peak, b_all, d, n_op, s, u_lin, v, x_mfu
from .gpt_flops import count as operations
from .gpt_flops import gpt_flops


def count(
    b_all: int, s: int, L: int, d: int, v: int, G: int, X_peak: int | Fraction, T_step: int | Fraction, n_op: int
) -> Fraction:  # fmt: skip
    """How long all GPUs would take at their peak, as a part of the time they took."""
    return operations(b_all, s, L, d, v, 0, n_op) / (X_peak * Fraction(G)) / T_step


gpt_utilisation = Formula(
    __name__,
    defines=x_mfu,
    start=F_gpt / (G * X_peak * T_step),
    steps=(
        Using(
            36 * n_op * b_all * s * L * d**2 * (1 + s / (6 * d) + v / (12 * L * d)) / (G * X_peak * T_step),
            "the closed form", lemma=gpt_flops, at={u_lin: 0},
        ),
    ),
    source=Source("arXiv:2205.05198", "section 6.3"),
    counted=count,
    published=tuple(
        Published(
            {L: layers, d: hidden, v: 51200, s: 2048, b_all: batch, G: gpus, X_peak: 312 * 10**12, T_step: Fraction(time, 100), n_op: 2},
            Fraction(share, 1000), Source("arXiv:2205.05198", "table 5"), digits=3,
        )
        for layers, hidden, batch, gpus, time, share in (
            (96, 12288, 64, 64, 1375, 514), (105, 20480, 280, 280, 3783, 560), (128, 25600, 512, 512, 7149, 563),
        )
    ),
)  # fmt: skip
