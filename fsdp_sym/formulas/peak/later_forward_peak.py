"""From the second step on the optimizer's states are there in the forward pass too.

Bytes on one rank at a moment of a forward pass after zero_grad: what the first one held then, and the optimizer's states.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import A_all, M_fwd, M_fwd1, M_o, M_w, S_root, S_unit, n_held
from .first_forward_peak import FSDP2, first_forward_peak
from .phases import held, later_forward

later_forward_peak = Formula(
    __name__,
    defines=M_fwd,
    start=M_fwd1 + M_o,
    steps=(Using(M_w + S_root + n_held * S_unit + A_all + M_o, "a forward pass like the first", lemma=first_forward_peak),),
    source=FSDP2,
    counted=lambda M_w, M_o, S_root, n_held, S_unit, A_all: held(later_forward(M_w, M_o, S_root, n_held, S_unit, A_all)),
)
