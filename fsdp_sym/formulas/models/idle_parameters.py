"""The experts that a token is not sent to stand idle.

Parameters of a mixture of experts that one token leaves aside, over all layers.
"""

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import L, P_idle, P_mlp, n_act, n_exp
from .matrices import feed_forward, parameters
from .mlp_parameters import mlp_parameters


def count(L: int, d: int, f: int, n_mlp: int, u_mlp: int, n_exp: int, n_act: int) -> int:
    """Expert by expert in every layer, those beyond the ones that a token is sent to."""
    expert = parameters(feed_forward(d, f, n_mlp, u_mlp))
    return sum(expert for _ in range(L) for _ in range(n_act, n_exp))


idle_parameters = Formula(
    __name__,
    defines=P_idle,
    start=L * (n_exp - n_act) * P_mlp,
    steps=(Using(L * (n_exp - n_act) * mlp_parameters.exact, "an expert is a feed-forward part", lemma=mlp_parameters),),
    source=Source("arXiv:2401.04088", "section 2"),
    counted=count,
    where=(AtMost(n_act, n_exp),),
)
