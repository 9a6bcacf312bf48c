"""One layout exactly: the parts of its fullest rank's memory and of its step's time, each with the letters it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from sympy import Add, Expr, Integer, Rational, Symbol

from ...algebra.agreement import exact
from ...algebra.arithmetic import Number, compiled
from ...algebra.vocabulary import (
    A,
    A_more,
    D_blk,
    K_mb,
    L_st,
    N_p,
    P_lay,
    T_lay,
    T_mb,
    W,
    W_con,
    W_net,
    X_peak,
    b_c,
    b_g,
    b_m,
    b_v,
    b_w,
    n_chk,
    n_g,
    n_o,
    n_w,
    u_g,
    u_w,
)  # fmt: skip
from ..catalogue import formula
from ..work import plain
from . import quantities as q
from .job import Job
from .layouts import Candidates, Layout
from .timing import only

# Each part of a sum is known by letters that no other part has.
_MEMORY: Final[Mapping[str, tuple[tuple[Symbol, ...], ...]]] = {
    "parameters": ((b_w, n_w),),
    "gradients": ((b_g, n_g),),
    "optimizer states": ((b_c, n_o), (b_m, n_o), (b_v, n_o)),
    "activations in flight": ((A,),),
    "a block run again, or logits": ((A_more,),),
    "gathered parameters": ((u_w,),),
    "a layer's whole gradients": ((u_g,),),
}
_TIME: Final[Mapping[str, Symbol]] = {
    "matrix products": X_peak,
    "elementwise kernels": D_blk,
    "weights through memory": P_lay,
    "tensor group": W,
    "context group": W_con,
    "from stage to stage": W_net,
    "layers' own time": T_lay,
}


class Parts(NamedTuple):
    """A sum by its parts, in base units.

    Attributes
    ----------
    stage : int
        The number of the stage, from 0.
    parts : dict of str to Rational
    """

    stage: int
    parts: Mapping[str, Rational]

    @property
    def whole(self) -> Rational:
        return _total(self.parts.values())


def memory_of(job: Job, layout: Layout) -> Parts:
    """The fullest rank's memory, buffer by buffer."""
    one = Candidates.of(job, layout)
    numbers = _exact(only(q.fixed(job) | q.of_recompute(job, layout.recompute), "stage_peak"))
    terms = Add.make_args(formula("stage_peak").start)
    found = []
    for kinds, stage in zip(one.held(layout.recompute), one.stages, strict=True):
        every = [numbers | _exact(only(columns, "stage_peak")) for columns in kinds]
        parts = {name: _total(_sum(terms, at, choices) for at in every) for name, choices in _MEMORY.items()}
        found.append(Parts(int(np.ravel(stage.number)[0]), parts))
    return max(found, key=lambda parts: parts.whole)


def peak_of(job: Job, layout: Layout) -> Rational:
    """Bytes of the fullest rank."""
    return memory_of(job, layout).whole


def time_of(job: Job, layout: Layout) -> Parts:
    """A step's time: what the slowest stage does in all micro-batches, the pipeline's bubble, what is exposed, and the optimizer."""
    one = Candidates.of(job, layout)
    numbers = _exact(q.fixed(job) | q.of_recompute(job, layout.recompute))
    terms = Add.make_args(formula("micro_batch_time").start)
    stages, whole = one.timed(layout.recompute)
    slowest: Parts | None = None
    exposed, optimizer = Rational(0), Rational(0)
    for letters, stage in zip(stages, one.stages, strict=True):
        paced, *every = (numbers | _exact({**whole, **columns}) for columns in letters)
        both, experts = {P_lay: _total(kind[P_lay] for kind in every)}, every[1:]
        found = {name: _sum(terms, paced | both, ((letter,),)) for name, letter in _TIME.items()}
        if experts:
            found["way to the experts"] = q.value_of("expert_time", experts[0] | {L_st: paced[L_st]})
        parts = Parts(int(np.ravel(stage.number)[0]), found)
        alone = [q.value_of("micro_batch_time", every[0] | both), *(q.value_of("expert_time", kind) for kind in experts)]
        given = every[0] | {T_mb: _total(alone)}
        given |= {formula(name).defines: _total(q.value_of(name, kind) for kind in every) for name in ("gather_time", "reduce_time")}
        exposed = max(exposed, q.value_of("exposed_in_step", given))
        optimizer = max(optimizer, _total(q.value_of("optimizer_time", kind) for kind in every))
        slowest = parts if slowest is None or parts.whole > slowest.whole else slowest
    assert slowest is not None
    rounds, depth, chunks = (_exact(whole)[x] for x in (K_mb, N_p, n_chk))
    found = {name: value * rounds for name, value in slowest.parts.items()}
    found |= {"pipeline bubble": slowest.whole * (depth - 1) / chunks, "exposed gathers and reductions": exposed, "optimizer": optimizer}
    return Parts(slowest.stage, found)


def _total(values: Iterable[Rational]) -> Rational:
    return Rational(sum(values))


def _exact(values: Mapping[Symbol, Any]) -> dict[Symbol, Rational]:
    """Exactly, of arrays of one their only value."""
    return {x: _number(np.ravel(value)[0] if isinstance(value, np.ndarray) else value) for x, value in values.items()}


def _number(value: Any) -> Rational:
    if isinstance(value, Rational):
        return value
    return Rational(str(float(value))) if isinstance(value, np.floating) else Integer(int(value))


def _sum(terms: tuple[Expr, ...], at: Mapping[Symbol, Rational], choices: tuple[tuple[Symbol, ...], ...]) -> Rational:
    """Of the terms that have all letters of one of the choices."""
    letters, work = _worked(terms, choices)
    return Rational(exact(work(*(plain(at[x]) for x in letters))))


@cache
def _worked(terms: tuple[Expr, ...], choices: tuple[tuple[Symbol, ...], ...]) -> tuple[list[Symbol], Callable[..., Number | bool]]:
    """The letters of these terms' sum, and the sum as a function of them: the same for every layout."""
    own = [term for term in terms if any(set(letters) <= term.free_symbols for letters in choices)]
    assert len(own) == len(choices), f"{choices}: {own}"
    letters = sorted(Add(*own).free_symbols, key=str)
    return letters, compiled(Add(*own), tuple(letters))
