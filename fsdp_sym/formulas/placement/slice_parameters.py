"""A GPU's tensor slot in its pipeline stage owns an equal part of the parameters.

Averaged over the places of one replica, since stages differ a little: the first one also embeds. FSDP shards this slice over
the replicas, and only this slice.
"""

from fractions import Fraction

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import N_p, N_t, P, P_slice, i, j


def count(P: int, N_p: int, N_t: int) -> Fraction:
    """Cuts the parameters where one place ends and the next begins, and takes the average of the cuts."""
    places = [(stage, slot) for stage in range(N_p) for slot in range(N_t)]
    ends = [P * (at + 1) // len(places) for at in range(len(places))]
    owned = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    return Fraction(sum(owned), len(owned))


slice_parameters = Formula(
    __name__,
    defines=P_slice,
    start=P / Sum(Sum(1, (j, 1, N_t)), (i, 1, N_p)),
    steps=(
        Same(P / Sum(N_t, (i, 1, N_p)), "a stage has one place for each slot"),
        Same(P / (N_p * N_t), "a replica has so many stages"),
    ),
    source=Source("arXiv:2104.04473", "section 3: p t d = n"),
    counted=count,
)
