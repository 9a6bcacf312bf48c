"""What a plan computes of its candidates: the formulas of planning, and the numbers that they are given.

Experts are parameters of their own kind: N_e of the ranks of shard and context degree share them out, and those that hold the same ones
share these as all of them share the rest. So each formula of parameters is worked twice, and added up. Tokens are spread evenly, and
none is dropped. Where experts are shared out each copy of a token goes to its expert's tensor group, which gathers it there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, Final, NamedTuple

import numpy as np
from sympy import Integer, Rational, Symbol

from ...algebra.vocabulary import (
    A,
    A_more,
    D_blk,
    F_log,
    F_seq,
    L_st,
    N_c,
    N_e,
    N_mesh,
    N_t,
    P_end,
    P_lay,
    T_lay,
    V_ctx,
    V_hid,
    V_hop,
    W_con,
    W_rep,
    W_shd,
    X_peak,
    b,
    b_a,
    b_f,
    b_in,
    b_k,
    b_l,
    b_n,
    b_nrm,
    b_rt,
    f,
    n_act,
    n_chk,
    n_exp,
    n_g,
    n_held,
    n_live,
    n_near,
    n_o,
    n_op,
    n_pass,
    n_swap,
    n_w,
    n_wide,
    s,
    u_core,
    u_g,
    u_hop,
    u_last,
    u_lin,
    u_w,
    v,
    x_att,
    x_dp,
    x_gemm,
    x_mem,
    x_pair,
    x_tp,
)
from ...algebra.vocabulary import W as W_node
from ...algebra.vocabulary import W_net as W_out
from ..catalogue import formula
from ..sweeps.nodes import Column, Nodes
from ..sweeps.program import BLOCK, Array, Program
from ..work import evaluate
from .job import WIDTHS, Job
from .space import Columns
from .stages import Stage

ACTIVATION: Final = 2  # bytes of an activation's element: bf16
_LOSS: Final = 4  # the loss is taken in fp32
_STATISTIC: Final = 4
_HALVES, _HALVES_AGAIN = 10, 4  # all-gathers and reduce-scatters of a block: with sequence parallelism; those of one more forward pass
_NOTHING: Final = {u_lin: Integer(0), u_core: Integer(0)}
_RUN_AGAIN: Final = {"scores": {u_lin: Integer(0), u_core: Integer(1)}, "full": {u_lin: Integer(1), u_core: Integer(1)}}
_ROUTED: Final = 4  # tokens go to their experts and back, and so do their gradients; those of one more forward pass are half as many
_PROBABILITY: Final = 4
_KV_PASSES: Final = 3  # keys and values go round forward, again backward, and their gradients
SHARED: Final = {n_w: 3, n_g: 2, n_o: 1}  # from which stage of ZeRO on what is shared out
Numbers = Mapping[Symbol, Rational]


class Kept(NamedTuple):
    """What a recomputation keeps of a block, and what it costs: for one sequence, before any group splits it."""

    bytes: Rational
    again: Rational
    flops: Rational
    passes: int
    halves: int
    swaps: int


def value_of(name: str, at: Numbers) -> Rational:
    """A formula at these numbers."""
    return Rational(evaluate(formula(name), at))


@cache
def one_sequence(job: Job) -> dict[Symbol, Rational]:
    """The letters of a block at one sequence: a causal attention in one kernel leaves half of the pairs out, and makes its scores again."""
    fused = job.attention == "fused"
    return {x: Integer(value) for x, value in job.shape.letters().items()} | {
        b: Integer(1), s: Integer(job.tokens), b_a: Integer(ACTIVATION), b_f: Integer(_LOSS), b_in: Integer(ACTIVATION), b_nrm: Integer(0),
        b_n: Integer(_STATISTIC), b_l: Integer(_STATISTIC), b_k: Integer(1), n_op: Integer(2),
        x_pair: Rational(1, 2) if fused else Integer(1), x_att: Rational(5, 2) if fused else Integer(2), b_rt: Integer(_PROBABILITY),
    }  # fmt: skip


@cache
def products(job: Job) -> dict[str, Rational]:
    """Operations of a block for one sequence: of its matrices once, forward, backward, and of each recomputation.

    The experts that a token goes to are one feed-forward layer so many times as wide, and the router is a head with as many words as
    there are experts.
    """
    at, router = one_sequence(job), Rational(0)
    if job.shape.experts:
        router = value_of("logit_flops", at | {v: at[n_exp]})
        at = at | {f: at[n_act] * at[f]}
    again = {name: value_of("recomputed_flops", at | _RUN_AGAIN.get(name, _NOTHING)) for name in job.recomputes}
    found = {
        "matrices": value_of("linear_flops", at), "forward": value_of("block_flops", at) + router,
        "backward": value_of("block_backward_flops", at) + 2 * router,
    }  # fmt: skip
    return found | again | {"full": again["full"] + router}


@cache
def block(job: Job) -> dict[str, Kept]:
    """By the name of the recomputation."""
    shape, at = job.shape, one_sequence(job)
    if job.attention == "plain":
        kept = {"none": value_of("saved_activations", at), "scores": value_of("selective_recompute", at)}
    elif shape.gated:
        wide, of_block = {"none": 4, "gate": 2}, "mixture_activations" if shape.experts else "llama_activations"
        kept = {name: value_of(of_block, at | {n_wide: Integer(often)}) for name, often in wide.items()}
    else:
        whole = value_of("fused_activations", at)
        kept = {"none": whole, "gate": whole - job.tokens * shape.wide * ACTIVATION}
    kept["full"] = value_of("full_recompute", at)
    flops = products(job)
    return {
        name: Kept(
            size, kept["none"] - size, flops["forward"] + flops["backward"] + flops[name],
            3 + (name == "full"), _HALVES + _HALVES_AGAIN * (name == "full"), _ROUTED + _ROUTED // 2 * (name == "full"),
        )
        for name, size in kept.items()
    }  # fmt: skip


def asked_flops(job: Job) -> Rational:
    """Of one sequence, what training asks for: forward and twice that backward, nothing that is computed again."""
    return 3 * (job.shape.layers * products(job)["forward"] + value_of("logit_flops", one_sequence(job)))


class Ends(NamedTuple):
    """Parameters of a layer, of its experts alone, before the first and behind the last one."""

    layer: int
    experts: int
    first: int
    last: int


@cache
def ends(job: Job) -> Ends:
    groups = dict.fromkeys(("block", "embedding", "norm", "head"), 0)
    for t in job.shape.tensors:
        groups[t.group] += t.elements * t.alike
    layer = groups["block"] // job.shape.layers
    experts = job.shape.experts * int(value_of("mlp_parameters", one_sequence(job)))
    return Ends(layer - experts, experts, groups["embedding"], groups["norm"] + groups["head"])


@cache
def fixed(job: Job) -> dict[Symbol, Rational]:
    """What is the same for every candidate."""
    shape, known = job.shape, job.constants
    at = one_sequence(job)
    return {
        **{x: Integer(width) for x, width in WIDTHS.items()}, **job.device,
        x_gemm: known.gemm, x_tp: known.tensor, x_dp: known.data, x_mem: known.memory, T_lay: known.layer,
        P_lay: Integer(ends(job).layer), F_log: 3 * value_of("logit_flops", at), V_hop: value_of("handover", at),
        V_ctx: Integer(_KV_PASSES * 2 * job.tokens * shape.kv_heads * shape.head_size * ACTIVATION),
    }  # fmt: skip


def of_recompute(job: Job, name: str) -> dict[Symbol, Rational]:
    """What is the same for every candidate with one recomputation."""
    kept = block(job)[name]
    hidden = value_of("handover", one_sequence(job))
    saved = (1 - job.device[X_peak] / job.peak) * kept.passes * products(job)["matrices"]  # in operations that bf16 would take as long for
    return {
        A: kept.bytes, F_seq: kept.flops - saved, V_hid: kept.halves * hidden, n_pass: Integer(kept.passes),
        D_blk: 3 * block(job)["none"].bytes + kept.again,  # written, read, and a gradient written; and what is made again
        n_swap: Integer(kept.swaps), n_act: Integer(job.shape.active),
    }  # fmt: skip


def shared_by(c: Columns) -> dict[Symbol, Any]:
    """How many ranks share what."""
    return {x: np.where(c.stage >= least, c.shard * c.context, 1) for x, least in SHARED.items()}


def of_stage(job: Job, c: Columns, again: Any, stage: Stage) -> dict[Symbol, Any]:
    """The letters of a stage that differ from candidate to candidate."""
    first, last = stage.number == 0, stage.number == c.pipeline - 1
    own = ends(job)
    head = own.last + (own.first * np.logical_not(first) if job.shape.tied else 0)  # a tied matrix is kept at both ends
    whole = c.stage == 3
    return {
        L_st: stage.layers, P_end: own.first * first + head * last, N_t: c.tensor, N_c: c.context, b: c.micro, n_chk: c.chunks,
        u_w: whole, u_g: c.stage >= 2, n_held: np.where(again, np.minimum(2, stage.layers), stage.layers), u_last: last,
        u_hop: c.pipeline > 1, n_live: stage.flying, **shared_by(c),
    }  # fmt: skip


def of_experts(job: Job, c: Columns) -> dict[Symbol, Any]:
    """The letters of a stage where its experts are concerned: their parameters on one of N_e ranks, and the ranks that hold the same."""
    copies = c.shard * c.context // c.expert
    nothing = np.zeros_like(c.expert)
    near, _ = _placed(job, c.expert, c.tensor)
    return {
        P_lay: ends(job).experts // c.expert, P_end: nothing, A: nothing, A_more: nothing, N_e: c.expert, n_near: near,
        N_mesh: copies, W_shd: _bandwidth(job, copies, c.tensor * c.expert), W_out: np.full(c.expert.shape, float(job.device[W_out])),
        **{x: np.where(c.stage >= least, copies, 1) for x, least in SHARED.items()},
    }  # fmt: skip


def routed(job: Job, c: Columns, recompute: str) -> dict[Symbol, Any]:
    """Where experts are shared out, a tensor group gathers in the feed-forward half each token as often as it is sent."""
    if not job.shape.experts:
        return {}
    whole = float(of_recompute(job, recompute)[V_hid])
    return {V_hid: np.where(c.expert > 1, whole / 2 * (1 + job.shape.active), whole)}


def links(job: Job, c: Columns) -> dict[Symbol, Any]:
    """Bandwidths of the groups, each by where its ranks sit: tensor ranks side by side, then context, shard, stages, replicas.

    A group has the node's link where every such group lies in one node. Else it has the links of its ranks in that node where it has the
    fewest. A stage hands over by one link: the node's where every pipeline lies in one.
    """
    inside, out = float(job.device[W_node]), float(job.device[W_out])
    mesh, slot = c.shard * c.context, c.tensor
    found = {}
    for letter, size, stride in ((W_con, c.context, slot), (W_shd, mesh, slot), (W_rep, c.replicas, slot * mesh * c.pipeline)):
        found[letter] = _bandwidth(job, size, stride)
    _, alone = _placed(job, c.pipeline, slot * mesh)
    return found | {W_out: np.where(alone, inside, out)}


def _bandwidth(job: Job, size: Any, stride: Any) -> Any:
    fewest, alone = _placed(job, size, stride)
    inside, out = float(job.device[W_node]), float(job.device[W_out])
    return np.where(alone, inside, np.minimum(inside, fewest * out))


def _placed(job: Job, size: Any, stride: Any) -> tuple[Any, Any]:
    """Of groups of so many ranks, so far apart: the ranks in the node where a group has the fewest, and whether each lies in one node."""
    pairs, which = np.unique(size * (job.world + 1) + stride, return_inverse=True)
    found = np.array([_in_nodes(*divmod(int(pair), job.world + 1), job.world, job.node) for pair in pairs], np.int64).reshape(-1, 2)
    return found[which, 0], found[which, 1] == 1


@cache
def _in_nodes(size: int, stride: int, world: int, node: int) -> tuple[int, bool]:
    """Counted over the ranks until their places repeat."""
    span = size * stride
    ranks = np.arange(min(world, lcm(span, node)))
    groups, nodes = ranks // span * stride + ranks % stride, ranks // node
    _, counts = np.unique(groups * world + nodes, return_counts=True)
    return int(counts.min()), len(counts) == len(ranks) // size


def computed(names: Sequence[str], numbers: Mapping[Symbol, Any], columns: Mapping[Symbol, Any]) -> list[Array]:
    """Formulas over candidates, in floats."""
    program = _program(tuple(names), tuple(sorted(numbers, key=str)), tuple(sorted(columns, key=str)))
    size = max(map(np.size, columns.values()))
    found = [np.empty(size) for _ in names]
    scalars = {x: np.float64(value) for x, value in numbers.items()}
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        values = scalars | {x: column[start:stop].astype(np.float64, copy=False) for x, column in columns.items()}
        for into, part in zip(found, program.run(values, stop - start), strict=True):
            into[start:stop] = part
    return found


@cache
def _program(names: tuple[str, ...], numbers: tuple[Symbol, ...], columns: tuple[Symbol, ...]) -> Program:
    any_size = Column(Fraction(0), Fraction(10**40), whole=False)
    nodes = Nodes([formula(name).closed for name in names], dict.fromkeys((*numbers, *columns), any_size))
    return Program(nodes, np.float64, columns)
