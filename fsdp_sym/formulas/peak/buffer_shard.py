"""One buffer alone, on one rank, is an N-th of its entries.

Bytes of a single sharded buffer of b_buf for each parameter, padded to equal shards; at N = 1 the whole buffer, which is what
every rank holds of one that is not sharded. A step's peak is added up from such buffers.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import M_buf, N, P, b_buf
from ..memory.buffers import shares

buffer_shard = Formula(
    __name__,
    defines=M_buf,
    start=ceiling(P / N) * b_buf,
    steps=(Same(P * b_buf / N, "no shard is padded", given=(Divides(N, P),)),),
    source=Source("by definition"),
    counted=lambda P, N, b_buf: max(shares(P, N)) * b_buf,
    published=(
        Published({P: 6738415616, N: 8, b_buf: 4}, 3369207808, Source("hiyouga/LlamaFactory, issue 1221", "3.14 GiB: one fp32 buffer")),
    ),
)
