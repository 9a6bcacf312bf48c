"""Only the part of the communication that does not overlap compute costs time.

Prefetching gathers the next layer's parameters while this layer computes; a share phi of the communication
time then passes unnoticed, and the rest is exposed.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import T_comm, T_exposed, phi
from .timeline import exposed, in_a_row


def count(T_comm: int | Fraction, phi: int | Fraction) -> Fraction:
    """What sticks out of a cover that ends when a share of the communication is through."""
    (communication,), (cover,) = in_a_row(T_comm), in_a_row(phi * T_comm)
    return exposed(communication, cover)


exposed_time = Formula(
    __name__,
    defines=T_exposed,
    start=T_comm - phi * T_comm,
    steps=(Same((1 - phi) * T_comm, "what is not hidden is exposed"),),
    source=Source("by definition", "the share of a time that does not overlap"),
    counted=count,
)
