"""A token uses only the experts that it is sent to.

Parameters that take part in one token's forward pass: compute goes by this count. The router scores all experts, so it is
used whole.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import (
    P_active,
    P_idle,
    P_total,
    n_act,
    n_exp,
)
from .idle_parameters import idle_parameters
from .matrices import Matrix, attention, ends, feed_forward, norms, parameters
from .mixture_parameters import MIXTRAL, mixture_parameters


def count(
    L: int, d: int, f: int, a: int, v: int, d_h: int, a_kv: int, n_mlp: int, n_norm: int, n_pos: int,
    u_qkv: int, u_out: int, u_mlp: int, u_tied: int, n_exp: int, n_act: int,
) -> int:  # fmt: skip
    """What a token passes through, layer after layer."""
    chosen = [m for _ in range(n_act) for m in feed_forward(d, f, n_mlp, u_mlp)]
    layer = parameters([*attention(d, d_h, a, a_kv, u_qkv, u_out), Matrix("router", n_exp, d), *chosen, *norms(d, n_norm, 2)])
    return sum(layer for _ in range(L)) + parameters(ends(v, d, n_pos, n_norm, u_tied))


active_parameters = Formula(
    __name__,
    defines=P_active,
    start=P_total - P_idle,
    steps=(
        Using(mixture_parameters.exact - P_idle, "all that is held", lemma=mixture_parameters),
        Using(mixture_parameters.exact - idle_parameters.exact, "less the experts that are left aside", lemma=idle_parameters),
    ),
    source=Source("arXiv:2401.04088", "section 2"),
    counted=count,
    where=(AtMost(n_act, n_exp),),
    published=(Published(MIXTRAL | {n_act: 2}, 12879925248, Source("arXiv:2401.04088", "8x7B, active")),),
)
