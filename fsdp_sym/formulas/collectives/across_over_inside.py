"""Where the ranks of a shard group sit decides how long it gathers.

The same N ranks and the same bytes, once in N nodes and once in one. Latencies count for small tensors; for large ones what is left is the
bandwidth of a GPU's link inside the node over its share of the links that lead out. So hybrid sharding puts the shard group inside a
node and lets the replicas, which exchange only a shard's gradients, lie across.
"""

from fractions import Fraction

from sympy import Integer, oo

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, T_lat, T_net, T_out, T_rag, W, W_net, n_link, n_node, x_out
from ..communication.ring import ring_all_gather
from ..time.timeline import Number
from .gather_across_nodes_time import count as across
from .gather_across_nodes_time import gather_across_nodes_time
from .messages import one_after_another
from .ring_all_gather_time import ring_all_gather_time


def count(S: int, N: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number) -> Fraction:
    """Both played, one over the other."""
    return across(S, N, n_node, n_link, W_net, T_net) / one_after_another(ring_all_gather(S, N), W, T_lat)


_ACROSS = T_net + n_node * S / (n_link * N * W_net)
_INSIDE = T_lat + S / (N * W)

across_over_inside = Formula(
    __name__,
    defines=x_out,
    start=T_out / T_rag,
    steps=(
        Using((N - 1) * _ACROSS / T_rag, "a rank in each node", lemma=gather_across_nodes_time),
        Using((N - 1) * _ACROSS / ((N - 1) * _INSIDE), "all ranks in one node", lemma=ring_all_gather_time),
        Near(n_node * W / (n_link * W_net), "latency vanishes beside the bytes of a large tensor", limit=(S, oo)),
    ),
    source=Source("PyTorch documentation", "hybrid sharding: the mesh says which ranks form a shard group"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)
