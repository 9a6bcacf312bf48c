"""Without overlap a step takes its compute time and then its communication time.

The worst case: the GPU waits for every byte. Times are of one layer or of one step, both alike.
"""

from ...algebra.formula import Formula, Source
from ...algebra.vocabulary import T_comm, T_comp, T_step
from .timeline import finish

step_without_overlap = Formula(
    __name__,
    defines=T_step,
    start=T_comp + T_comm,
    steps=(),
    source=Source("by definition", "one after the other"),
    counted=lambda T_comp, T_comm: finish(T_comp, T_comm),
)
