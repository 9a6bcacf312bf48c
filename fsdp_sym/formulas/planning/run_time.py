"""A step lasts as long as its micro-batches take the slowest stage, the pipeline's filling and emptying, and what is not hidden.

Seconds of an optimizer step. Interleaved chunks shorten the filling; T_mb is of all of a stage's chunks.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.vocabulary import K_mb, N_p, T_mb, T_opt, T_run, T_show, n_chk
from ..time.timeline import Number, finish


def count(K_mb: int, N_p: int, n_chk: int, T_mb: Number, T_show: Number, T_opt: Number) -> Fraction:
    """Chunk after chunk on the last stage, which first waits for one chunk's way through each of the others, there and back."""
    chunk = Fraction(T_mb) / n_chk
    waits = [chunk] * (N_p - 1)
    return finish(*waits, *([chunk] * (K_mb * n_chk)), T_show, T_opt)


run_time = Formula(
    __name__,
    defines=T_run,
    start=(K_mb + (N_p - 1) / n_chk) * T_mb + T_show + T_opt,
    steps=(),
    source=Source("arXiv:2104.04473", "section 2.2: time of the pipeline with and without interleaving"),
    counted=count,
)
