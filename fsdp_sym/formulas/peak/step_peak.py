"""A step needs as much as its fullest phase.

Bytes on one rank over a later step, which holds at least what the first one did: the fullest moments of its forward pass, its
backward pass and its optimizer step compared.
"""

from sympy import Max

from ...algebra.formula import Formula
from ...algebra.vocabulary import M_bwd, M_fwd, M_opt, M_peak
from .first_forward_peak import FSDP2

step_peak = Formula(
    __name__,
    defines=M_peak,
    start=Max(M_fwd, M_bwd, M_opt),
    steps=(),
    source=FSDP2,
    counted=lambda M_fwd, M_bwd, M_opt: sorted((M_fwd, M_bwd, M_opt))[-1],
)
