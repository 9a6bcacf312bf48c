"""On a single rank FSDP saves nothing: its one shard is the whole state.

The sharded state in bytes at N = 1. The count lays out an unsharded replica, so that the agreement of the two routes
is the proposition itself.
"""

from sympy import Integer

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import M_3, M_alone, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import kept, replica_bytes
from .sharded_state import sharded_state

single_rank_state = Formula(
    __name__,
    defines=M_alone,
    start=M_3,
    steps=(Using(P * (b_w + b_g + b_c + b_m + b_v + b_x), "one rank shares with nobody", lemma=sharded_state, at={N: Integer(1)}),),
    source=Source("by definition"),
    counted=lambda P, b_w, b_g, b_c, b_m, b_v, b_x: replica_bytes(P, kept(b_w, b_g, b_c, b_m, b_v, b_x)),
)
