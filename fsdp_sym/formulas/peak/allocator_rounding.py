"""The allocator takes whole pages.

Bytes that a large tensor really takes: rounded up to a multiple of S_page, which is 2 MiB in PyTorch's caching allocator on CUDA.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import S, S_page, S_round


def count(S: int, S_page: int) -> int:
    """Page after page until it fits."""
    taken = S_page * (S // S_page)
    return taken if taken == S else taken + S_page


_LAYER = Source("tatsu-lab/stanford_alpaca, issue 223", "388.00 MiB for one gathered layer of 202,383,360 parameters")

allocator_rounding = Formula(
    __name__,
    defines=S_round,
    start=ceiling(S / S_page) * S_page,
    steps=(Same(S, "whole pages are not rounded", given=(Divides(S_page, S),)),),
    source=Source("PyTorch documentation", "CUDA semantics, memory management"),
    counted=count,
    published=(Published({S: 404766720, S_page: 2097152}, 388 * 2**20, _LAYER),),
)
