"""An interleaved pipeline's first stage has n_chk N_p + N_p - 1 chunks in flight, or all there are.

It takes a round of N_p micro-batches through each of its chunks, and N_p - 1 more before the first one comes back from the end. A chunk is
smaller than a stage, but there are more in flight than n_chk N_p, which a plain pipeline would come to. Rounds must be as long as there
are stages: longer ones keep more.
"""

from sympy import Integer, Min, Sum

from ...algebra.formula import Formula
from ...algebra.hypotheses import AtMost, Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, N_p, i, n_chk, n_fly_chk
from .interleaved_pipeline_time import INTERLEAVED
from .schedule import in_flight, one_forward_one_backward

chunks_in_flight = Formula(
    __name__,
    defines=n_fly_chk,
    start=Min(K_mb * n_chk, Sum(N_p, (i, 1, n_chk)) + N_p - 1),
    steps=(Same(Min(K_mb * n_chk, N_p * n_chk + N_p - 1), "a round through each chunk, and the way to the end and back"),),
    source=INTERLEAVED,
    counted=lambda N_p, K_mb, n_chk: in_flight(one_forward_one_backward(0, N_p, K_mb, n_chk)),
    where=(AtMost(Integer(2), n_chk), Divides(N_p, K_mb)),
)
