"""A mixture of experts must be held with all its experts.

Parameters of the whole model: memory and traffic go by this count, not by the one that a token uses.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import (
    L,
    P_att,
    P_ends,
    P_moe,
    P_total,
    a,
    a_kv,
    d,
    d_h,
    f,
    n_exp,
    n_mlp,
    n_norm,
    n_pos,
    u_mlp,
    u_out,
    u_qkv,
    u_tied,
    v,
)
from .attention_parameters import attention_parameters
from .end_parameters import end_parameters
from .expert_parameters import expert_parameters
from .matrices import attention, ends, experts, norms, parameters

MIXTRAL = {
    L: 32, d: 4096, f: 14336, a: 32, v: 32000, d_h: 128, a_kv: 8, n_mlp: 3, n_norm: 1, n_pos: 0, u_qkv: 0, u_out: 0, u_mlp: 0,
    u_tied: 0, n_exp: 8,
}  # fmt: skip


def count(
    L: int, d: int, f: int, a: int, v: int, d_h: int, a_kv: int, n_mlp: int, n_norm: int, n_pos: int,
    u_qkv: int, u_out: int, u_mlp: int, u_tied: int, n_exp: int,
) -> int:  # fmt: skip
    """Layer after layer, each with all its experts, then the ends."""
    layer = parameters(attention(d, d_h, a, a_kv, u_qkv, u_out) + experts(d, f, n_mlp, u_mlp, n_exp) + norms(d, n_norm, 2))
    return sum(layer for _ in range(L)) + parameters(ends(v, d, n_pos, n_norm, u_tied))


_EXPERTS, _ATTENTION, _ENDS = expert_parameters.exact, attention_parameters.exact, end_parameters.exact

mixture_parameters = Formula(
    __name__,
    defines=P_total,
    start=L * (P_att + P_moe + 2 * n_norm * d) + P_ends,
    steps=(
        Using(L * (P_att + _EXPERTS + 2 * n_norm * d) + P_ends, "every expert of every layer is held", lemma=expert_parameters),
        Using(L * (_ATTENTION + _EXPERTS + 2 * n_norm * d) + P_ends, "all tokens share the attention", lemma=attention_parameters),
        Using(L * (_ATTENTION + _EXPERTS + 2 * n_norm * d) + _ENDS, "and the ends", lemma=end_parameters),
    ),
    source=Source("arXiv:2401.04088", "section 2"),
    counted=count,
    published=(Published(MIXTRAL, 46702792704, Source("arXiv:2401.04088", "8x7B, total")),),
)
