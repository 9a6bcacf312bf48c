"""A step fits a device when its peak does, with room for what no formula counts.

What is compared is the peak over the phases plus a margin of M_over for the context, fragmentation and libraries, against the
memory of the device.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Decision
from ...algebra.vocabulary import M_max, M_over, M_peak, fits
from .first_forward_peak import FSDP2


def count(M_peak: int, M_over: int, M_max: int) -> bool:
    """What is left of the device once the peak and the margin are taken."""
    left = M_max - M_peak
    return left - M_over >= 0


_V100 = Source("hiyouga/LlamaFactory, issue 1221", "31.75 GiB are there; 28.24 and another 3.14 are wanted, and a context beside them")

peak_fits = Formula(
    __name__,
    defines=fits,
    start=M_peak + M_over,
    steps=(Decision(M_peak + M_over <= M_max, "the peak and the margin have room"),),
    source=FSDP2,
    counted=count,
    published=(
        Published({M_peak: 33692078080, M_over: 500 * 2**20, M_max: 34091302912}, False, _V100),
        Published({M_peak: 78 * 10**9, M_over: 2 * 10**9, M_max: 80 * 10**9}, True, Source("a device of 80 GB", "met to the byte")),
    ),
)
