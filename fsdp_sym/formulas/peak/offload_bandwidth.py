"""Offloaded activations hide where the link carries a layer's in the time that a layer computes.

Bandwidth to the host, one way, at which a layer's activations are gone before the next layer's come. A slower link adds
to the step, a faster one does not.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import A, T_comp, W_hide


def count(A: int, T_comp: Fraction) -> Fraction:
    """Bytes that must go in every equal part of the time."""
    parts = T_comp.numerator if isinstance(T_comp, Fraction) else T_comp
    return Fraction(A, parts) * (Fraction(T_comp).denominator)


offload_bandwidth = Formula(
    __name__,
    defines=W_hide,
    start=Eq(A / W_hide, T_comp),
    steps=(Solved(A / T_comp, "as long on the link as in the layer"),),
    source=Source("PyTorch documentation", "torch.autograd.graph.save_on_cpu"),
    counted=count,
)
