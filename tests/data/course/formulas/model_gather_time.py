"""On a slow link, gathering a whole model takes as long as the foreign parameters need to pass.

It is an all-gather of all parameters, each b_w bytes wide as the forward pass uses it; no latency. The link's
rate is printed in bits per second. On many ranks it tends to the time of the whole model.
"""

from fractions import Fraction

from sympy import oo

from fsdp_sym.algebra.formula import Formula, Source
from fsdp_sym.algebra.steps import Near, Using
from fsdp_sym.algebra.vocabulary import N, P, R_bit, S, T_ag, V_ag, W, b_w, n_bit
from fsdp_sym.formulas.communication.all_gather import all_gather
from fsdp_sym.formulas.communication.ring import ring_all_gather
from fsdp_sym.formulas.time.link_bandwidth import link_bandwidth


def count(P: int, b_w: int, N: int, R_bit: Fraction, n_bit: int) -> Fraction:
    """A clock that runs while the ring passes the model's shards, one a step."""
    clock = Fraction(0)
    for received in ring_all_gather(P * b_w, N):
        clock += received * n_bit / Fraction(R_bit)
    return clock


model_gather_time = Formula(
    __name__,
    defines=T_ag,
    start=V_ag / W,
    steps=(
        Using(P * b_w * (N - 1) / (N * W), "the tensor is the whole model", lemma=all_gather, at={S: P * b_w}),
        Using(P * b_w * n_bit * (N - 1) / (N * R_bit), "the link's rate in bytes", lemma=link_bandwidth),
        Near(P * b_w * n_bit / R_bit, "one's own shard is a vanishing part of the model", limit=(N, oo)),
    ),
    source=Source("a lecture of our own", "the all-gather of the whole model before its first step"),
    counted=count,
)
