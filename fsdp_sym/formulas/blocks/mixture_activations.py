"""A block with experts keeps what a gated layer keeps of a token, and what it gave, once for every expert that the token is sent to.

Bytes kept: two RMSNorms, attention in one kernel, the router's input and its probabilities, and for each of n_act experts the copy of the
token that it was sent, its wide vectors, and what it gave back, since that is weighted. Experts are as busy as each other; what ranks
hold of them together is the same wherever they sit.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A_flash, A_gated, A_mix, A_rms, b, b_a, b_rt, d, n_act, n_exp, s
from .fused_attention_activations import fused_attention_activations
from .gated_mlp_activations import gated_mlp_activations
from .kept import Kept, fused_attention, gated, rms_norms, total
from .rms_norm_activations import rms_norm_activations


def count(
    b: int, s: int, d: int, f: int, a: int, a_kv: int, d_h: int, b_a: int, b_in: int, b_nrm: int, b_n: int, b_l: int, b_rt: int,
    n_wide: int, n_exp: int, n_act: int,
) -> int:  # fmt: skip
    """Every tensor of the block, expert after expert."""
    shared = rms_norms(b, s, d, b_in, b_nrm, b_n) + fused_attention(b, s, d, a, a_kv, d_h, b_a, b_l)
    router = [Kept("input of the router", (b, s, d), b_a), *(Kept(f"probability of expert {one}", (b, s), b_rt) for one in range(n_exp))]
    chosen = [*gated(b, s, d, f, b_a, n_wide), Kept("output of the expert", (b, s, d), b_a)]
    return total(shared + router) + sum(total(chosen) for _ in range(n_act))


_NORMS, _ATTENTION, _EXPERT = rms_norm_activations.exact, fused_attention_activations.exact, gated_mlp_activations.exact
_ROUTER, _OUTPUT = b * s * (d * b_a + n_exp * b_rt), b * s * d * b_a

mixture_activations = Formula(
    __name__,
    defines=A_mix,
    start=A_rms + A_flash + _ROUTER + n_act * (A_gated + _OUTPUT),
    steps=(
        Using(_NORMS + A_flash + _ROUTER + n_act * (A_gated + _OUTPUT), "two norms", lemma=rms_norm_activations),
        Using(_NORMS + _ATTENTION + _ROUTER + n_act * (A_gated + _OUTPUT), "the attention", lemma=fused_attention_activations),
        Using(_NORMS + _ATTENTION + _ROUTER + n_act * (_EXPERT + _OUTPUT), "an expert is a gated layer", lemma=gated_mlp_activations),
    ),
    source=Source("arXiv:2401.04088", "section 2.1: outputs of the chosen experts, weighted by the router"),
    counted=count,
)
