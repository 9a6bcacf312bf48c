"""A node is used up when it is a whole number of tensor groups.

A group of 3 fits in a node of 8, but two of them leave two GPUs whose group would reach into the next node.
"""

from collections import Counter

from sympy import Eq, Sum, floor

from ...algebra.formula import Formula, Source
from ...algebra.steps import Decision, Same
from ...algebra.vocabulary import N_t, fits, i, n_node


def count(N_t: int, n_node: int) -> bool:
    """Numbers the node's GPUs through into groups: is every group complete?"""
    sizes = Counter(gpu // N_t for gpu in range(n_node))
    return set(sizes.values()) == {N_t}


tensor_group_tiles_node = Formula(
    __name__,
    defines=fits,
    start=Sum(N_t, (i, 1, floor(n_node / N_t))),
    steps=(
        Same(N_t * floor(n_node / N_t), "GPUs of the node in whole groups"),
        Decision(Eq(N_t * floor(n_node / N_t), n_node), "none is left over"),
    ),
    source=Source("arXiv:2104.04473", "section 3.2, takeaway 1"),
    counted=count,
)
