"""A block is its attention, its feed-forward part and two norms.

Parameters of one transformer block of a dense model.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import P_att, P_block, P_mlp, a, a_kv, d, d_h, f, n_mlp, n_norm, u_mlp, u_out, u_qkv
from .attention_parameters import attention_parameters
from .matrices import attention, feed_forward, norms, parameters
from .mlp_parameters import mlp_parameters


def count(d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int, n_norm: int, u_qkv: int, u_out: int, u_mlp: int) -> int:
    """Every tensor of the block."""
    return parameters(attention(d, d_h, a, a_kv, u_qkv, u_out) + feed_forward(d, f, n_mlp, u_mlp) + norms(d, n_norm, 2))


_ATTENTION, _FEED_FORWARD = attention_parameters.exact, mlp_parameters.exact

block_parameters = Formula(
    __name__,
    defines=P_block,
    start=P_att + P_mlp + 2 * n_norm * d,
    steps=(
        Using(_ATTENTION + P_mlp + 2 * n_norm * d, "four matrices", lemma=attention_parameters),
        Using(_ATTENTION + _FEED_FORWARD + 2 * n_norm * d, "two matrices, or three with a gate", lemma=mlp_parameters),
    ),
    source=Source("by definition", "the tensors of a block"),
    counted=count,
    published=(
        Published(
            {d: 4096, f: 11008, a: 32, d_h: 128, a_kv: 32, n_mlp: 3, n_norm: 1, u_qkv: 0, u_out: 0, u_mlp: 0}, 202383360,
            Source("arXiv:2307.09288", "one layer of the 7B model"),
        ),
    ),
)  # fmt: skip
