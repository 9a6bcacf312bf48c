"""Attention has four matrices, and grouping narrows two of them.

Parameters of one layer: every query head has d_h rows of width d and as many columns back, every head of keys and of values
d_h rows. Biases, where there are any, have one number a row.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import P_att, a, a_kv, d, d_h, u_out, u_qkv
from .matrices import attention, parameters

attention_parameters = Formula(
    __name__,
    defines=P_att,
    start=d * a * d_h + 2 * d * a_kv * d_h + a * d_h * d + u_qkv * (a * d_h + 2 * a_kv * d_h) + u_out * d,
    steps=(
        Same(
            2 * d * d_h * (a + a_kv) + u_qkv * d_h * (a + 2 * a_kv) + u_out * d,
            "queries and output are alike, and so are keys and values",
        ),
    ),
    source=Source("arXiv:2305.13245", "grouped-query attention"),
    counted=lambda d, d_h, a, a_kv, u_qkv, u_out: parameters(attention(d, d_h, a, a_kv, u_qkv, u_out)),
    published=(
        Published(
            {d: 8192, d_h: 128, a: 64, a_kv: 8, u_qkv: 0, u_out: 0}, 150994944, Source("arXiv:2307.09288", "70B: 2d²(1 + 8/64) a layer")
        ),
    ),
)  # fmt: skip
