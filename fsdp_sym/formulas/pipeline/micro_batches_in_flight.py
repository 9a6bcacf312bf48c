"""Under 1F1B a stage keeps the activations of as many micro-batches as there are stages from it to the last, or of all.

Before a stage sees the first one come back, a micro-batch is on its way on each stage behind it. The first stage, number 0, keeps most
and the last a single one: more micro-batches make the bubble smaller and cost no memory.
"""

from sympy import Min, Sum

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, N_p, i, n_fly, n_stage
from .schedule import in_flight, one_forward_one_backward

micro_batches_in_flight = Formula(
    __name__,
    defines=n_fly,
    start=Min(K_mb, Sum(1, (i, n_stage, N_p - 1))),
    steps=(Same(Min(K_mb, N_p - n_stage), "one for this stage and one for each behind it"),),
    source=Source("arXiv:2104.04473", "section 2.2.1: in-flight micro-batches of 1F1B"),
    counted=lambda N_p, K_mb, n_stage: in_flight(one_forward_one_backward(n_stage, N_p, K_mb)),
    where=(AtMost(n_stage + 1, N_p),),
)
