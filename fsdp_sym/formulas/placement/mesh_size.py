"""A mesh takes as many GPUs as its degrees multiply to, the context degree among them.

Replicas of shard groups, context, pipeline and tensor degree each take their own GPUs; an expert degree does not, for experts are
dealt out over ranks that are counted already.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import G, G_mesh, N_c, N_d, N_p, N_t, R_rep, i, j
from .world_size import world_size

TITAN = Source("pytorch/torchtitan, distributed/parallel_dims.py", "the degrees multiply to the world")
_LLAMA = Source("arXiv:2407.21783", "table 4: 8 x 16 x 16 x 8")


def count(R_rep: int, N_d: int, N_c: int, N_p: int, N_t: int) -> int:
    """Ranks are numbered from 0, the last degree fastest: one more than the number of the last rank."""
    number = 0
    for degree in (R_rep, N_d, N_c, N_p, N_t):
        number = number * degree + (degree - 1)
    return number + 1


mesh_size = Formula(
    __name__,
    defines=G_mesh,
    start=Sum(G, (i, 1, R_rep), (j, 1, N_c)),
    steps=(
        Using(Sum(N_d * N_p * N_t, (i, 1, R_rep), (j, 1, N_c)), "each of them a world of three degrees", lemma=world_size),
        Same(R_rep * N_d * N_c * N_p * N_t, "and so many there are"),
    ),
    source=TITAN,
    counted=count,
    published=(
        Published({R_rep: 1, N_d: 8, N_c: 16, N_p: 16, N_t: 8}, 16384, _LLAMA),
        Published({R_rep: 1, N_d: 8, N_c: 8, N_p: 1, N_t: 1}, 64, Source("pytorch/torchtitan, issue 1184", "8 GPUs do not make 8 x 8")),
    ),
)
