"""The backward pass begins with all activations and ends with all gradients.

Bytes on one rank at the fullest moment of a later backward pass: a bound that takes both at once, with one unit's unsharded
gradients and the buffer they are reduced from.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import A_all, M_bwd, M_fwd, M_g, M_o, M_w, S_red, S_ug, S_unit, n_held
from .first_forward_peak import FSDP2
from .later_forward_peak import later_forward_peak
from .phases import backward, held


def count(M_w: int, M_g: int, M_o: int, n_held: int, S_unit: int, S_ug: int, S_red: int, A_all: int) -> int:
    """The phase's buffers by name."""
    return held(backward(M_w, M_g, M_o, n_held, S_unit, S_ug, S_red, A_all))


backward_peak = Formula(
    __name__,
    defines=M_bwd,
    start=M_fwd + M_g + S_ug + S_red,
    steps=(Using(M_w + n_held * S_unit + A_all + M_o + M_g + S_ug + S_red, "what the forward pass leaves", lemma=later_forward_peak),),
    source=FSDP2,
    counted=count,
)
