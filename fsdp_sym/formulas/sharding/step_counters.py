"""Adam counts its steps for every tensor, and nobody shards the counters.

Bytes of the optimizer's step counters: one for each parameter tensor, held whole on every rank, whichever rows it holds.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import M_count, b_step, i, n_T

ADAM = Source("PyTorch 2.13.0, torch.optim.Adam", "the state's step is a float32 tensor of its own")

step_counters = Formula(
    __name__,
    defines=M_count,
    start=Sum(b_step, (i, 1, n_T)),
    steps=(Same(n_T * b_step, "all counters are alike"),),
    source=ADAM,
    counted=lambda n_T, b_step: sum(b_step for _ in range(n_T)),
    published=(Published({n_T: 291, b_step: 4}, 1164, Source("Llama-2-7B", "291 tensors")),),
)
