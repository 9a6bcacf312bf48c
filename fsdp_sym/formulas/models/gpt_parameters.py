"""A GPT has about 12 L d² parameters, and the corrections are counted exactly.

Parameters without the last norm: the heads together span the hidden size and none is grouped, the feed-forward layer is four times
as wide, everything has a bias, every norm too, positions are learned and the head is tied. Written over 12 L d² the corrections are
13/(12 d) for biases and norms and (v + n_pos)/(12 L d) for the embeddings.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import L, P_att, P_gpt, P_mlp, a, a_kv, d, d_h, f, n_mlp, n_pos, u_mlp, u_out, u_qkv, v
from .attention_parameters import attention_parameters
from .matrices import Matrix, attention, feed_forward, norms, parameters
from .mlp_parameters import mlp_parameters


def count(L: int, d: int, v: int, n_pos: int) -> int:
    """The tensors of each block, whose heads are taken as one that spans the hidden size, and both embeddings."""
    block = parameters(attention(d, d, 1, 1, True, True) + feed_forward(d, 4 * d, 2, True) + norms(d, 2, 2))
    return sum(block for _ in range(L)) + parameters([Matrix("embedding", v, d), Matrix("positions", n_pos, d)])


_PAPER = Source("arXiv:2104.04473", "equation 2")

gpt_parameters = Formula(
    __name__,
    defines=P_gpt,
    start=L * (P_att + P_mlp + 4 * d) + (v + n_pos) * d,
    steps=(
        Using(
            L * (4 * d**2 + 8 * d + P_mlp) + (v + n_pos) * d, "four square matrices with their biases",
            lemma=attention_parameters, at={a_kv: a, d_h: d / a, u_qkv: 1, u_out: 1},
        ),
        Using(
            L * (12 * d**2 + 13 * d) + (v + n_pos) * d, "two matrices of 4d² with their biases",
            lemma=mlp_parameters, at={f: 4 * d, n_mlp: 2, u_mlp: 1},
        ),
    ),
    source=_PAPER,
    counted=count,
    published=(
        Published({L: 48, d: 6144, v: 51200, n_pos: 2048}, 22074261504, _PAPER),
        Published({L: 96, d: 12288, v: 51200, n_pos: 2048}, 174615822336, _PAPER),
    ),
)  # fmt: skip
