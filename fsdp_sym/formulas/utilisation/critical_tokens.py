"""A gather hides behind the forward pass from a certain number of tokens a GPU on, whatever the size of the layer.

A layer's parameters are received once and multiplied with every token: both grow with the layer, so that its size drops out. What is
left is a property of machine and precision: operations a second over bytes a second. Attention's core is left out; it only helps.
"""

from fractions import Fraction

from sympy import Eq, Integer, oo

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Near, Solved, Using
from ...algebra.vocabulary import N, P_block, S, V_ag, W, X_gpu, b_e, n_crit, n_op
from ..communication.all_gather import all_gather
from ..communication.ring import ring_all_gather
from ..time.timeline import Number, passing_time


def count(N: int, W: Number, P_block: int, b_e: int, X_gpu: Number, n_op: int) -> Fraction:
    """How many tokens the GPU gets through while the ring passes the layer's shards; a token passes each parameter."""
    on_the_link = sum((passing_time(shard, W) for shard in ring_all_gather(b_e * P_block, N)), Fraction(0))
    of_a_token = Fraction(P_block * n_op) / X_gpu
    return on_the_link / of_a_token


critical_tokens = Formula(
    __name__,
    defines=n_crit,
    start=Eq(V_ag / W, n_op * n_crit * P_block / X_gpu),
    steps=(
        Solved(V_ag * X_gpu / (W * n_op * P_block), "the tokens whose compute lasts as long as the gather"),
        Using(b_e * X_gpu * (N - 1) / (n_op * N * W), "the other ranks' shards of the layer", lemma=all_gather, at={S: b_e * P_block}),
        Near(b_e * X_gpu / (n_op * W), "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source("How to Scale Your Model", "training: when fully sharded data parallelism is bound by communication"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)
