"""A step needs as much as its fullest phase, and a later step always as much as the first.

Bytes on one rank: the backward pass contains what its forward pass held, so that it and the optimizer step are left to compare.
"""

from sympy import Max

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import M_bwd, M_opt, M_peak
from .backward_peak import backward_peak
from .first_forward_peak import FSDP2
from .optimizer_step_peak import optimizer_step_peak
from .phases import backward, first_forward, held, later_forward, optimizer_step


def count(M_w: int, M_g: int, M_o: int, M_tmp: int, n_held: int, S_unit: int, S_ug: int, S_red: int, A_all: int) -> int:
    """All four phases, the fullest of them."""
    phases = (
        first_forward(M_w, n_held, S_unit, A_all),
        backward(M_w, M_g, M_o, n_held, S_unit, S_ug, S_red, A_all),
        optimizer_step(M_w, M_g, M_o, M_tmp),
        later_forward(M_w, M_o, n_held, S_unit, A_all),
    )
    return max(map(held, phases))


_BACKWARD, _STEP = backward_peak.exact, optimizer_step_peak.exact

step_peak = Formula(
    __name__,
    defines=M_peak,
    start=Max(M_bwd, M_opt),
    steps=(
        Using(Max(_BACKWARD, M_opt), "a backward pass holds more than any forward pass", lemma=backward_peak),
        Using(Max(_BACKWARD, _STEP), "the optimizer step has no activations but temporaries", lemma=optimizer_step_peak),
    ),
    source=FSDP2,
    counted=count,
)
