"""An all-gather always costs more with one more rank.

The bytes one rank receives rise with every rank that joins, although they never reach the whole tensor.
Said of a tensor that N and N + 1 ranks both share out evenly.
"""

from sympy import Gt

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import N, S, V_gain, grows
from .all_gather_gain import all_gather_gain
from .all_gather_gain import count as gain

all_gather_grows = Formula(
    __name__,
    defines=grows,
    start=V_gain,
    steps=(
        Using(S / (N * (N + 1)), "what one more rank adds", lemma=all_gather_gain),
        Decision(Gt(S / (N * (N + 1)), 0, evaluate=False), "a tensor has bytes and a group has ranks", always=True),
    ),
    source=Source("by definition", "the sign of a difference"),
    counted=lambda S, N: gain(S, N) > 0,
    where=(Divides(N * (N + 1), S),),
)
