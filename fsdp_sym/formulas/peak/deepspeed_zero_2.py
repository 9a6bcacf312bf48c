"""DeepSpeed's estimate of ZeRO-2 counts two bytes whole and eighteen shared.

Bytes per rank without offload: fp16 parameters on every rank; gradients in both widths, master copy and moments divided.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.vocabulary import M_ds2, N, P, b_c, b_g, b_m, b_v, b_w
from .estimated import shared_out

DEEPSPEED = Source("DeepSpeed 0.19.8", "docs/code-docs/source/memory.rst")

deepspeed_zero_2 = Formula(
    __name__,
    defines=M_ds2,
    start=P * b_w + P * (b_w + b_g + b_c + b_m + b_v) / N,
    steps=(),
    source=DEEPSPEED,
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v: P * b_w + shared_out(P, N, b_w, b_g, b_c, b_m, b_v),
    published=(Published({P: 6738415616, N: 8, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}, 28638266368, DEEPSPEED),),
)
