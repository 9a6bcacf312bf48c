"""The data-parallel degree is whatever makes the product exact.

Pipeline and tensor degrees are fixed by the model and the node; the GPUs that are left make replicas. Where
the product of the two does not divide the world there is no such degree: some GPU would have no place.
"""

from sympy import Eq

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Solved
from ...algebra.vocabulary import G, N_d, N_p, N_t
from .layout import deal

data_degree = Formula(
    __name__,
    defines=N_d,
    start=Eq(N_d * N_p * N_t, G),
    steps=(Solved(G / (N_p * N_t), "one replica takes N_p N_t GPUs"),),
    source=Source("arXiv:2104.04473", "section 3: p t d = n"),
    counted=lambda G, N_p, N_t: len(deal(G, N_p * N_t)),
    where=(Divides(N_p * N_t, G),),
    published=(Published({G: 8192, N_p: 16, N_t: 8}, 64, Source("arXiv:2407.21783", "table 4")),),
)
