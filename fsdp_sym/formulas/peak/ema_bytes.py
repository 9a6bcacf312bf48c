"""A running average of the parameters costs one more copy, sharded or not.

Bytes per rank of an exponential moving average that is sharded like the parameters, b_t bytes each.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import M_ema, N, P, b_t
from ..memory.buffers import shares

ema_bytes = Formula(
    __name__,
    defines=M_ema,
    start=ceiling(P / N) * b_t,
    steps=(Same(P * b_t / N, "an N-th of the parameters", given=(Divides(N, P),)),),
    source=Source("PyTorch documentation", "torch.optim.swa_utils.AveragedModel"),
    counted=lambda P, N, b_t: max(shares(P, N)) * b_t,
)
