"""A layer of experts is one feed-forward part for each, and a router.

Parameters of one layer, all experts counted; the router has a row of width d for every expert.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import P_mlp, P_moe, d, n_exp
from .matrices import experts, parameters
from .mlp_parameters import mlp_parameters

expert_parameters = Formula(
    __name__,
    defines=P_moe,
    start=n_exp * P_mlp + n_exp * d,
    steps=(Using(n_exp * mlp_parameters.exact + n_exp * d, "an expert is a feed-forward part", lemma=mlp_parameters),),
    source=Source("arXiv:2401.04088", "section 2"),
    counted=lambda d, f, n_mlp, u_mlp, n_exp: parameters(experts(d, f, n_mlp, u_mlp, n_exp)),
)
