"""Compute time is operations over the operations a second that a GPU delivers.

What a GPU delivers while it computes is less than its peak: matrices have edges, and norms and softmax wait for memory.
"""

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import F, T_comp, X_gpu
from ..time.timeline import passing_time

compute_time = Formula(
    __name__,
    defines=T_comp,
    start=Eq(X_gpu * T_comp, F),
    steps=(Solved(F / X_gpu, "in that time the GPU computes so many a second, and that must be all of them"),),
    source=Source("by definition", "operations per second"),
    counted=lambda F, X_gpu: passing_time(F, X_gpu),
)
