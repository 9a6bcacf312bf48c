"""Gradients travel down after every reduction.

Bytes one rank carries from device to host in an optimizer step under FSDP2's CPU offload: its gradient shard, once for every
micro-batch that reduces.
"""

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, M_g, V_down, i, u_sync
from .offload_up import OFFLOAD

offload_down = Formula(
    __name__,
    defines=V_down,
    start=Sum(u_sync * M_g, (i, 1, K_mb - 1)) + M_g,
    steps=(Same(M_g * (1 + u_sync * (K_mb - 1)), "the last micro-batch always reduces"),),
    source=OFFLOAD,
    counted=lambda M_g, K_mb, u_sync: sum(M_g for number in range(1, K_mb + 1) if u_sync or number == K_mb),
)
