"""What goes wrong with sharding over several nodes: what crosses the network, who shares a copy, and which way wins (cell P)."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Le, Max, Min, Piecewise, oo
from sympy import S as NUMBER
from sympy.core.relational import Relational

from ...algebra.vocabulary import M_max, N, S, T_lat, T_net, W, W_net, n_link, n_node, r
from .collectives import LATENCY, SHARED_LINK, SLOWEST
from .form import Misconception
from .principles import COLLECTIVES, SHARD_GROUP, STAGES, WHOLE_TENSOR

_FULL, _HYBRID, _FASTER, _WINS = "full_sharding_time", "hybrid_sharding_time", "hybrid_is_no_slower", "winning_sharding"
_CROSSES = 2 * (N / n_node - 1) * (T_net + n_node * S / (n_link * N * W_net))
_INSIDE = (2 + r) * (n_node - 1) * (T_lat + S / (n_node * W))


def _cases(change: Callable[[int | float, Relational], Relational | None]) -> Callable[[Expr], Expr]:
    """The cases of a decision with another condition for some of them, or without it."""

    def changed(truth: Expr) -> Expr:
        kept = [(way, other) for way, when in truth.args if isinstance(when, Relational) and (other := change(way, when)) is not None]
        return Piecewise(*kept, (oo, True))

    return changed


def _memory(when: Relational) -> Relational:
    """Of the two ratios that decide for hybrid sharding the one of the memory alone."""
    return next(when.func(part, when.rhs) for part in when.lhs.args if M_max in part.free_symbols)


HYBRID = (
    Misconception(
        "second-gather-of-the-step-forgotten", (_FULL, _HYBRID), lambda truth: truth.xreplace({r: NUMBER.Zero}),
        "Parameters are gathered, and gradients reduced.", COLLECTIVES,
        "Freed after the forward pass, the parameters are gathered a second time for the backward pass.",
    ),
    Misconception(
        "an-all-reduce-for-every-pass", (_FULL,), lambda truth: 2 * truth,
        "Every collective goes round twice.", COLLECTIVES,
        "Twice goes an all-reduce; a gather or a reduction goes round once.",
    ),
    Misconception(
        "replicas-exchange-nothing", (_HYBRID,), lambda truth: truth - _CROSSES,
        "Hybrid sharding communicates inside the node.", COLLECTIVES,
        "The copies of the nodes would drift apart: each shard of the gradients is all-reduced across them.",
    ),
    Misconception(
        "replicas-exchange-the-whole", (_HYBRID,), lambda truth: truth.xreplace({W_net: W_net / n_node}),
        "The nodes all-reduce the gradients.", WHOLE_TENSOR,
        "They do so after the reduce-scatter, when each GPU has one shard of the node's sums and no more.",
    ),
    Misconception(
        "gathers-cross-the-network-too", (_HYBRID,), lambda _: (2 + r) * (N - 1) * (T_net + S / (n_link * N * W_net)) + _CROSSES,
        "Parameters are gathered from all GPUs.", SHARD_GROUP,
        "Each node has a copy of its own, so its GPUs gather from one another.",
    ),
    Misconception(
        "only-the-insides-compared", (_FASTER,), lambda truth: Le(_INSIDE / _full(truth), 1),
        "Hybrid sharding stays inside the node, so I compare what happens there.", COLLECTIVES,
        "It also all-reduces shards of the gradients across the nodes.",
    ),
    Misconception(
        "links-compared-alone", (_FASTER,), lambda _: Le(n_link * W_net / (n_node * W), 1),
        "NVLink is faster than the network, so what stays on NVLink is faster.", SLOWEST,
        "Rings through all nodes use both kinds of link side by side, and a node's network links add up.",
    ),
    Misconception(
        "latencies-decide-alone", (_FASTER,),
        lambda truth: Le(truth.lhs.xreplace({1 / W: NUMBER.Zero, 1 / W_net: NUMBER.Zero}), 1),
        "A longer ring has more latencies, so it is slower.", LATENCY,
        "For large tensors the bytes take longer than the latencies, and they may turn the comparison.",
    ),
    Misconception(
        "hybrid-wherever-it-fits", (_WINS,), _cases(lambda way, when: _memory(when) if way == 4 else when),
        "What stays inside the node is faster, so hybrid sharding wins where it fits.", SLOWEST,
        "Its gradients cross the network on top; rings through all nodes use both levels at once and can be quicker.",
    ),
    Misconception(
        "after-zero-2-comes-zero-3", (_WINS,), _cases(lambda way, when: None if way == 4 else when),
        "Where stage two is too large, take stage three.", SHARD_GROUP,
        "Between the two lies a copy in each node, which may fit and gather on faster links.",
    ),
    Misconception(
        "hybrid-shards-over-all-ranks", (_WINS,),
        _cases(lambda way, when: when.func(Max(*(x.xreplace({n_node: N}) if M_max in x.free_symbols else x for x in when.lhs.args)), 1) if way == 4 else when),
        "All GPUs share the state, in hybrid sharding as well.", SHARD_GROUP,
        "Only the GPUs of a node share a copy there; the nodes hold the same once more.",
    ),
    Misconception(
        "hybrid-before-whole-parameters", (_WINS,), lambda truth: Piecewise(*sorted(truth.args, key=lambda case: case[0] != 4)),
        "Hybrid sharding communicates where it is fastest, so it comes first.", COLLECTIVES,
        "A way that leaves parameters whole need not gather them at all; where it fits it is no slower.",
    ),
    Misconception(
        "nothing-between-whole-and-all", (_WINS,), _cases(lambda way, when: None if way in (1, 2) else when),
        "Either a model fits whole, or it is sharded.", STAGES,
        "The first two stages share out optimizer states and gradients alone; where that is enough, parameters need not be gathered.",
    ),
    Misconception(
        "most-sharding-wins", (_WINS,), _cases(lambda way, when: when if way == 3 else None),
        "The smaller the state, the better.", SHARED_LINK,
        "What fits need not be smaller: sharding parameters brings gathers that the other ways do without.",
    ),
)  # fmt: skip


def _full(truth: Relational) -> Expr:
    """The time of sharding over all ranks in the comparison: what has the slower of two levels."""
    steps = Max(T_lat + Min(n_link, n_node - 1) * S / (n_link * N * W), T_net + S / (n_link * N * W_net))
    assert truth.has(steps)
    return (2 + r) * (N - 1) * steps
