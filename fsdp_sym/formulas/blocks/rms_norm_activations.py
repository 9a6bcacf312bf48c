"""An RMSNorm keeps one statistic of every token, and what its kernel does not make again.

Bytes the two RMSNorms of a block keep. One fused kernel keeps its input in the activations' width and the reciprocal root. Spelled
out, in bf16, the input is kept in fp32, and the normalised vector beside it: in fp32 where the weight is applied there (PyTorch's
composite), in bf16 where it is applied after the cast (Transformers).
"""

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import A_rms, b, b_in, b_n, b_nrm, d, i, s
from .kept import rms_norms, total
from .norm_activations import TORCH

rms_norm_activations = Formula(
    __name__,
    defines=A_rms,
    start=Sum(b * s * d * b_in + b * s * d * b_nrm + b * s * b_n, (i, 1, 2)),
    steps=(Same(2 * b * s * (d * (b_in + b_nrm) + b_n), "a block has two norms"),),
    source=TORCH,
    counted=lambda b, s, d, b_in, b_nrm, b_n: total(rms_norms(b, s, d, b_in, b_nrm, b_n)),
)
