"""An optimizer that takes all tensors at once needs a temporary as large as its shard.

Bytes of temporaries on one rank: the denominator of Adam's update for all of its parameters at the same time, b_t bytes each. A
fused optimizer needs none.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import M_each, N, P, b_t
from ..memory.buffers import shares

ADAM = Source("PyTorch 2.13.0, torch.optim.Adam", "temporaries of its step, recorded")

foreach_temporaries = Formula(
    __name__,
    defines=M_each,
    start=ceiling(P / N) * b_t,
    steps=(Same(P * b_t / N, "an N-th of the parameters", given=(Divides(N, P),)),),
    source=ADAM,
    counted=lambda P, N, b_t: max(shares(P, N)) * b_t,
    published=(Published({P: 6738415616, N: 8, b_t: 4}, 3369207808, ADAM),),
)
