"""The backward pass takes gradients on as it gives activations back.

Bytes on one rank at a moment of it: what a forward pass holds, with the activations that are left; the sharded gradients so
far; those of the root group, which wait unsharded for the end; one unit's, unsharded; and the buffer they are reduced from.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import A_all, M_bwd, M_fwd, M_g, M_o, M_w, S_red, S_rg, S_root, S_ug, S_unit, n_held
from .first_forward_peak import FSDP2
from .later_forward_peak import later_forward_peak
from .phases import backward, held


def count(
    M_w: int, M_g: int, M_o: int, S_root: int, S_rg: int, n_held: int, S_unit: int, S_ug: int, S_red: int, A_all: int
) -> int:  # fmt: skip
    """The moment's buffers by name."""
    return held(backward(M_w, M_g, M_o, S_root, S_rg, n_held, S_unit, S_ug, S_red, A_all))


backward_peak = Formula(
    __name__,
    defines=M_bwd,
    start=M_fwd + M_g + S_rg + S_ug + S_red,
    steps=(
        Using(
            M_w + S_root + n_held * S_unit + A_all + M_o + M_g + S_rg + S_ug + S_red,
            "what a forward pass holds", lemma=later_forward_peak,
        ),
    ),
    source=FSDP2,
    counted=count,
)  # fmt: skip
