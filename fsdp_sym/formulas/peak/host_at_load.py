"""Every process that loads the whole model needs it in the host's memory.

Bytes on one host while n_proc processes each read a full copy of the parameters before they shard it; loading on one rank, or
on the meta device, avoids it.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import M_host, P, b_w, i, n_proc

host_at_load = Formula(
    __name__,
    defines=M_host,
    start=Sum(P * b_w, (i, 1, n_proc)),
    steps=(Same(n_proc * P * b_w, "a copy for each process"),),
    source=Source("PyTorch documentation", "FSDP2 tutorial: initialise on the meta device"),
    counted=lambda n_proc, P, b_w: sum(P * b_w for _ in range(n_proc)),
)
