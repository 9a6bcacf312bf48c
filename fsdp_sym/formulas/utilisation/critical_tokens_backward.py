"""The backward pass computes twice as much and communicates more: in fp32 gradients it takes more tokens to hide.

While a layer computes backward, the next one is gathered and the gradients of the one before are reduced, over the same link. Reduced in
the width of the parameters it needs as many tokens as the forward pass; in twice that width half as many again. Recomputation adds a
forward pass to hide behind.
"""

from fractions import Fraction

from sympy import Eq, Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Solved, Using
from ...algebra.vocabulary import N, P_block, S, V_ag, V_rs, W, X_gpu, b_e, b_r, n_back, n_op, u_lin
from ..communication.all_gather import all_gather
from ..communication.reduce_scatter import reduce_scatter
from ..communication.ring import ring_all_gather, ring_reduce_scatter
from ..time.timeline import Number, passing_time


def count(N: int, W: Number, P_block: int, b_e: int, b_r: int, X_gpu: Number, u_lin: int, n_op: int) -> Fraction:
    """How many tokens turn back, through each parameter's passes, while both rings run one after the other."""
    rings = [*ring_all_gather(b_e * P_block, N), *ring_reduce_scatter(b_r * P_block, N)]
    on_the_link = sum((passing_time(shard, W) for shard in rings), Fraction(0))
    passes = ["again"] * u_lin + ["inputs", "parameters"]
    return on_the_link / sum(Fraction(P_block * n_op) / X_gpu for _ in passes)


_GATHERED, _COMPUTED = b_e * P_block * (N - 1) / N, W * (2 + u_lin) * n_op * P_block

critical_tokens_backward = Formula(
    __name__,
    defines=n_back,
    start=Eq((V_ag + V_rs) / W, (2 + u_lin) * n_op * n_back * P_block / X_gpu),
    steps=(
        Solved((V_ag + V_rs) * X_gpu / _COMPUTED, "the tokens whose compute lasts as long as both"),
        Using((_GATHERED + V_rs) * X_gpu / _COMPUTED, "the other ranks' shards of a layer", lemma=all_gather, at={S: b_e * P_block}),
        Using(
            (b_e + b_r) * X_gpu * (N - 1) / ((2 + u_lin) * n_op * N * W), "and a layer's gradients",
            lemma=reduce_scatter, at={S: b_r * P_block},
        ),
    ),
    source=Source("How to Scale Your Model", "training: the backward pass gathers and scatters"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)  # fmt: skip
