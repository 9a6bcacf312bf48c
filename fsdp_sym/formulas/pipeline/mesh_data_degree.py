"""With a context degree the data-parallel degree is what the three others leave.

Context, pipeline and tensor degree each take their own GPUs, so all of them divide the world. An expert degree does not: experts are dealt
out over ranks that are there already.
"""

from sympy import Eq

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Solved
from ...algebra.vocabulary import G, N_c, N_d, N_p, N_t
from ..placement.layout import deal

_LLAMA = Source("arXiv:2407.21783", "table 4: tensor, context, pipeline and data degree of Llama 3 405B")


def count(G: int, N_c: int, N_p: int, N_t: int) -> int:
    """Deals tensor groups out of the world, stages of them out of those, and so on: what is left are the replicas."""
    tensor_groups = len(deal(G, N_t))
    return len(deal(len(deal(tensor_groups, N_c)), N_p))


mesh_data_degree = Formula(
    __name__,
    defines=N_d,
    start=Eq(N_d * N_c * N_p * N_t, G),
    steps=(Solved(G / (N_p * N_t * N_c), "one replica takes N_c N_p N_t GPUs"),),
    source=_LLAMA,
    counted=count,
    where=(Divides(N_c * N_p * N_t, G),),
    published=(
        Published({G: 8192, N_t: 8, N_c: 1, N_p: 16}, 64, _LLAMA),
        Published({G: 16384, N_t: 8, N_c: 1, N_p: 16}, 128, _LLAMA),
        Published({G: 16384, N_t: 8, N_c: 16, N_p: 16}, 8, _LLAMA),
    ),
)
