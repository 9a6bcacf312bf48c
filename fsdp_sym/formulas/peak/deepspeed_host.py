"""Under offload DeepSpeed's estimator asks the host for half as much again.

Bytes of host memory: so many bytes a parameter, times a factor that leaves room for buffers. It, too, prints GiB and calls them GB.
"""

from ...algebra.formula import Formula
from ...algebra.vocabulary import B, M_dsh, P, x_host
from .deepspeed_zero_2 import DEEPSPEED

deepspeed_host = Formula(
    __name__,
    defines=M_dsh,
    start=x_host * P * B,
    steps=(),
    source=DEEPSPEED,
    counted=lambda x_host, P, B: P * B + (x_host - 1) * P * B,  # what it holds, and the room beside it
)
