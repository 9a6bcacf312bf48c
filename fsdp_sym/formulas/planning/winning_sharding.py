"""Of plain data parallel, ZeRO-1, ZeRO-2, ZeRO-3 and hybrid sharding the quickest that fits wins, and of equals the one that shards least.

The stages that leave parameters whole come first: their all-reduce may go in rings or in two levels, and the quicker of both takes no
longer than what the others do. Where none of them fits, hybrid sharding wins if a node's share of the state fits, and if it is no slower
than sharding over all N ranks; else ZeRO-3, if an N-th fits. S is what is gathered at a time, such as a layer: a step is so many of these,
however many, and that changes no comparison.
"""

import math
from fractions import Fraction

from sympy import Expr, Max, Piecewise, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import (
    M_0,
    M_1,
    M_2,
    M_3,
    M_hyb,
    M_max,
    N,
    P,
    S,
    T_full,
    T_hyb,
    T_lat,
    T_net,
    W,
    W_net,
    b_c,
    b_g,
    b_m,
    b_v,
    b_w,
    b_x,
    n_link,
    n_node,
    r,
    z_win,
)
from ..collectives.full_sharding_time import full_sharding_time
from ..collectives.hybrid_is_no_slower import count as abreast
from ..collectives.hybrid_sharding_time import hybrid_sharding_time
from ..memory.buffers import kept, rank_bytes
from ..memory.replicated_state import replicated_state
from ..memory.sharded_state import sharded_state
from ..memory.stage_for_budget import REPLICA, STAGE_1, STAGE_2, STAGE_3
from ..memory.zero_1_state import zero_1_state
from ..memory.zero_2_state import zero_2_state
from ..placement.layout import deal
from ..time.timeline import Number


def first_win(whole: Expr, one: Expr, two: Expr, hybrid: Expr, three: Expr, in_nodes: Expr, over_all: Expr) -> Piecewise:
    """The first of the ways whose state fits; of hybrid sharding neither the state may be too large nor the time too long."""
    within = Max(hybrid / M_max, in_nodes / over_all) <= 1
    cases = ((0, whole <= M_max), (1, one <= M_max), (2, two <= M_max), (4, within), (3, three <= M_max))
    return Piecewise(*cases, (oo, True))


def count(
    P: int, N: int, M_max: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int,
    S: int, r: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number,
) -> float:  # fmt: skip
    """Every way laid out on all ranks, in the order of their times, until one fits; under hybrid sharding each node deals out a copy."""
    buffers = kept(b_w, b_g, b_c, b_m, b_v, b_x)
    *whole, over_all = (rank_bytes(P, N, buffers, stage) for stage in range(4))
    in_nodes = [held for node in deal(N, n_node) for held in rank_bytes(P, len(node), buffers, stage=3)]
    assert {len(ranks) for ranks in (*whole, over_all, in_nodes)} == {N}, "every rank holds something"
    hybrid = [(4, in_nodes)] if abreast(S, N, r, W, n_node, T_lat, n_link, W_net, T_net) else []
    ways = [*enumerate(whole), *hybrid, (3, over_all)]
    return next((way for way, ranks in ways if max(ranks) <= M_max), math.inf)


_IN_NODE = STAGE_3.xreplace({N: n_node})
_TIMES = hybrid_sharding_time.exact, full_sharding_time.exact
winning_sharding = Formula(
    __name__,
    defines=z_win,
    start=first_win(M_0, M_1, M_2, M_hyb, M_3, T_hyb, T_full),
    steps=(
        Using(first_win(REPLICA, M_1, M_2, M_hyb, M_3, T_hyb, T_full), "plain data parallel keeps all of it", lemma=replicated_state),
        Using(first_win(REPLICA, STAGE_1, M_2, M_hyb, M_3, T_hyb, T_full), "stage 1 shares out optimizer states", lemma=zero_1_state),
        Using(first_win(REPLICA, STAGE_1, STAGE_2, M_hyb, M_3, T_hyb, T_full), "stage 2 gradients as well", lemma=zero_2_state),
        Using(
            first_win(REPLICA, STAGE_1, STAGE_2, _IN_NODE, M_3, T_hyb, T_full), "hybrid sharding everything, within the node",
            lemma=sharded_state, at={N: n_node}, replaces=M_hyb,
        ),
        Using(first_win(REPLICA, STAGE_1, STAGE_2, _IN_NODE, STAGE_3, T_hyb, T_full), "stage 3 over all ranks", lemma=sharded_state),
        Using(
            first_win(REPLICA, STAGE_1, STAGE_2, _IN_NODE, STAGE_3, _TIMES[0], T_full), "gathers inside the node, a shard across",
            lemma=hybrid_sharding_time,
        ),
        Using(
            first_win(REPLICA, STAGE_1, STAGE_2, _IN_NODE, STAGE_3, *_TIMES), "gathers and reduction through all nodes",
            lemma=full_sharding_time,
        ),
    ),
    source=Source("arXiv:1910.02054, section 5; PyTorch documentation", "hybrid sharding: replicate outside, shard inside"),
    counted=count,
    where=full_sharding_time.where,
    # Sixteen bytes a parameter; over slow links between the nodes hybrid sharding takes 122 ms, and sharding over all ranks 225 ms.
    published=tuple(
        Published(
            {
                P: 3 * 10**9 + odd, N: 16, M_max: budget, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0, S: 16 * 10**8, r: 1, n_node: 8,
                W: 10**11, T_lat: Fraction(1, 10**6), n_link: links, W_net: 10**10, T_net: Fraction(1, 10**6),
            },
            way, Source("a 3B model on two nodes of 8", "budgets met to the byte; with a link for every GPU hybrid sharding is slower"),
        )
        for budget, links, odd, way in (
            (48 * 10**9, 2, 0, 0), (48 * 10**9 - 1, 2, 0, 1), (14250000000, 2, 0, 1), (14250000000 - 1, 2, 0, 2), (8625000000, 2, 0, 2),
            (8625000000 - 1, 2, 0, 4), (6 * 10**9, 2, 0, 4), (6 * 10**9 - 1, 2, 0, 3), (6 * 10**9, 8, 0, 3), (6 * 10**9, 2, 1, 3),
            (3 * 10**9, 2, 0, 3), (3 * 10**9 - 1, 2, 0, oo), (3 * 10**9, 2, 1, oo),
        )
    ),
)  # fmt: skip
