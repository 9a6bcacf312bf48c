"""A tensor group should not be larger than a node.

Tensor parallelism communicates inside every layer and needs the fastest links, which end at the node.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Decision
from ...algebra.vocabulary import N_t, fits, n_node


def count(N_t: int, n_node: int) -> bool:
    """Seats the group's ranks on the node until a seat is missing."""
    seats = list(range(n_node))
    for _ in range(N_t):
        if not seats:
            return False
        seats.pop()
    return True


tensor_group_fits_node = Formula(
    __name__,
    defines=fits,
    start=N_t,
    steps=(Decision(N_t <= n_node, "there is a GPU in the node for every rank of the group"),),
    source=Source("arXiv:2104.04473", "section 3.2, takeaway 1"),
    counted=count,
)
