"""A gated feed-forward layer has three matrices, a plain one two.

Parameters of one layer, or of one expert: all matrices join the hidden size and the wider one; only the last maps back, so that
the biases are one of d numbers and the others of f.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import P_mlp, d, f, n_mlp, u_mlp
from .matrices import feed_forward, parameters

mlp_parameters = Formula(
    __name__,
    defines=P_mlp,
    start=(n_mlp - 1) * (f * d + u_mlp * f) + d * f + u_mlp * d,
    steps=(Same(n_mlp * d * f + u_mlp * ((n_mlp - 1) * f + d), "each matrix has d f entries, and each but the last a bias of f"),),
    source=Source("arXiv:2002.05202", "section 2: gated linear units"),
    counted=lambda d, f, n_mlp, u_mlp: parameters(feed_forward(d, f, n_mlp, u_mlp)),
)
