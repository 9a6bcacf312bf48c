"""Outside the blocks stand an embedding, perhaps positions, a last norm, and a head unless it is tied.

Parameters of a model that no block holds. A tied head reuses the embedding's matrix and adds nothing.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import P_ends, d, n_norm, n_pos, u_tied, v
from .matrices import ends, parameters

end_parameters = Formula(
    __name__,
    defines=P_ends,
    start=v * d + n_pos * d + n_norm * d + (1 - u_tied) * v * d,
    steps=(Same(d * (v * (2 - u_tied) + n_pos + n_norm), "all of them are as wide as the hidden size"),),
    source=Source("arXiv:1608.05859", "tied embeddings"),
    counted=lambda d, v, n_norm, n_pos, u_tied: parameters(ends(v, d, n_pos, n_norm, u_tied)),
    published=(
        Published({d: 768, v: 50257, n_pos: 1024, n_norm: 2, u_tied: 1}, 39385344, Source("GPT-2 small", "its embeddings and last norm")),
    ),
)  # fmt: skip
