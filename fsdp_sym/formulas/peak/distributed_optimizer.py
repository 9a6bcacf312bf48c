"""Megatron's distributed optimizer shares what the optimizer keeps, and leaves parameters and gradients whole.

Bytes per rank of the data-parallel group, averaged: with bf16 parameters and fp32 gradients six stay however many ranks there are.
"""

from sympy import oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near
from ...algebra.vocabulary import M_dist, N, P, b_c, b_g, b_m, b_v, b_w
from .estimated import shared_out

MEGATRON = Source("NVIDIA/Megatron-LM", "megatron/training/theoretical_memory_usage.py: 6 + 12/d")

distributed_optimizer = Formula(
    __name__,
    defines=M_dist,
    start=P * (b_w + b_g) + P * (b_c + b_m + b_v) / N,
    steps=(Near(P * (b_w + b_g), "what is shared vanishes", limit=(N, oo)),),
    source=MEGATRON,
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v: sum(P * width for width in (b_w, b_g)) + shared_out(P, N, b_c, b_m, b_v),
    published=(
        Published({P: 7 * 10**9, N: 8, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}, 52500000000, MEGATRON),
        Published({P: 7 * 10**9, N: 1, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}, 126 * 10**9, MEGATRON),
    ),
)
