"""ZeRO-1 and ZeRO-2 scatter summed gradients and gather updated parameters.

In the paper's schedule each rank receives the gradients of its own shard, updates that shard, and then
receives everyone else's updated parameters. S is the parameters in bytes, and gradients are as wide;
counted are the bytes one rank receives in one step.
"""

from sympy import oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, V_ag, V_rs, V_z2
from .all_gather import all_gather
from .reduce_scatter import reduce_scatter
from .ring import ring_all_gather, ring_reduce_scatter

_PAPER = Source("arXiv:1910.02054", "section 7.2.1")

zero_2_traffic = Formula(
    __name__,
    defines=V_z2,
    start=V_rs + V_ag,
    steps=(
        Using(S * (N - 1) / N + V_ag, "the gradients are reduce-scattered", lemma=reduce_scatter),
        Using(2 * S * (N - 1) / N, "the updated parameters are all-gathered", lemma=all_gather),
        Near(2 * S, "each collective tends to the whole", limit=(N, oo)),
    ),
    source=_PAPER,
    counted=lambda S, N: sum(ring_reduce_scatter(S, N)) + sum(ring_all_gather(S, N)),
    published=(Published({S: 1024, N: 64}, 2016, _PAPER),),
)
