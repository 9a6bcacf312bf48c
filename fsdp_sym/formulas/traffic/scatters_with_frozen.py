"""A frozen block is still gathered, but nothing of it is reduced.

Reduce-scatters in one micro-batch where some of the L blocks are frozen; the root group trains.
"""

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import AtMost
from ...algebra.vocabulary import L, L_frozen, n_rs_frozen
from .gathers_in_step import FSDP2
from .schedule import how_many, step

scatters_with_frozen = Formula(
    __name__,
    defines=n_rs_frozen,
    start=(L + 1) - L_frozen,
    steps=(),
    source=FSDP2,
    counted=lambda L, L_frozen: how_many(step(L, frozen=L_frozen), "reduce"),
    where=(AtMost(L_frozen, L),),
    published=(Published({L: 32, L_frozen: 1}, 32, FSDP2),),
)
