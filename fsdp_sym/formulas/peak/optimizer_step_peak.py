"""The optimizer step holds the whole state and its own temporaries.

Bytes on one rank at the fullest moment of the step: parameters, gradients, states and temporaries; activations and gathered
units are gone.
"""

from ...algebra.formula import Formula
from ...algebra.vocabulary import M_g, M_o, M_opt, M_tmp, M_w
from .first_forward_peak import FSDP2
from .phases import held, optimizer_step

optimizer_step_peak = Formula(
    __name__,
    defines=M_opt,
    start=M_w + M_g + M_o + M_tmp,
    steps=(),
    source=FSDP2,
    counted=lambda M_w, M_g, M_o, M_tmp: held(optimizer_step(M_w, M_g, M_o, M_tmp)),
)
