"""A link carries one byte for every eight bits.

Line rates are printed in bits per second and tensors are counted in bytes: forgetting the division is an
error of a factor of 8.
"""

from sympy import Eq

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import R_bit, W, n_bit
from .timeline import byte_time

link_bandwidth = Formula(
    __name__,
    defines=W,
    start=Eq(W * n_bit, R_bit),
    steps=(Solved(R_bit / n_bit, "every byte is n_bit bits on the line"),),
    source=Source("ISO/IEC 80000-13", "byte: eight bits"),
    counted=lambda R_bit, n_bit: 1 / byte_time(R_bit, n_bit),
    published=(Published({R_bit: 400 * 10**9, n_bit: 8}, 50 * 10**9, Source("InfiniBand NDR", "400 Gb/s are 50 GB/s")),),
)
