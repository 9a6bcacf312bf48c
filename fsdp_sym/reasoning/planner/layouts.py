"""Layouts, one by one and many at a time: the bytes of their fullest rank, and the seconds of their step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from sympy import Symbol

from ...algebra.vocabulary import A_more, K_gat, K_mb, K_red, N_mesh, N_p, R_rep, n_chk, n_live, r, u_ar
from . import quantities as q
from .job import Job
from .space import SHARDINGS, Array, Columns
from .timing import Times, only, step_times


class Layout(NamedTuple):
    """One way to train: a candidate in plain numbers.

    Attributes
    ----------
    replicas, shard, context, tensor, pipeline : int
        Degrees; they multiply to the world.
    sharding : str
        A name of `SHARDINGS`.
    recompute : str
    micro : int
        Sequences of a micro-batch on each data rank.
    chunks : int
    expert : int
        Ranks that share out the experts, of those of shard and context degree.
    """

    replicas: int
    shard: int
    context: int
    tensor: int
    pipeline: int
    sharding: str
    recompute: str
    micro: int
    chunks: int
    expert: int = 1

    @property
    def world(self) -> int:
        return self.replicas * self.shard * self.context * self.tensor * self.pipeline

    @property
    def columns(self) -> Columns:
        """As arrays of one."""
        stage = next(x.stage for x in SHARDINGS if x.name == self.sharding)
        numbers = (self.replicas, self.shard, self.context, self.tensor, self.pipeline, stage, self.micro, self.chunks, self.expert)
        return Columns(*(np.array([number]) for number in numbers))


@dataclass(frozen=True)
class Candidates:
    """Columns of candidates with what is computed of them."""

    job: Job
    columns: Columns
    sharding: Array

    @classmethod
    def of(cls, job: Job, layout: Layout) -> Candidates:
        """A single one."""
        return cls(job, layout.columns, np.array([[x.name for x in SHARDINGS].index(layout.sharding)]))

    @property
    def size(self) -> int:
        return len(self.sharding)

    @property
    def again(self) -> Array:
        return np.array([x.again for x in SHARDINGS])[self.sharding]

    @property
    def rounds(self) -> Any:
        return self.columns.rounds(self.job)

    def peaks(self, recompute: str) -> Array:
        """Bytes of the fullest rank of the fullest stage."""
        numbers = only(q.fixed(self.job) | q.of_recompute(self.job, recompute), "stage_peak")
        held = [[q.computed(["stage_peak"], numbers, only(kind, "stage_peak"))[0] for kind in stage] for stage in self.held(recompute)]
        found: Array = np.maximum.reduce([reduce(np.add, kinds) for kinds in held])
        return found

    def held(self, recompute: str) -> list[list[dict[Symbol, Any]]]:
        """The letters of each stage's peak that differ from candidate to candidate, once for each kind of parameters."""
        job, c, rounds = self.job, self.columns, self.rounds
        logits = q.value_of("logit_activations", q.one_sequence(job))
        run_again = q.block(job)["none"].bytes if recompute == "full" else 0
        found = []
        for stage in q.stages(job, c):
            last = stage.number == c.pipeline - 1
            beside = {n_live: q.in_flight(c, rounds, stage.number), A_more: np.where(last, float(max(run_again, logits)), float(run_again))}
            found.append(self._kinds(q.of_stage(job, c, self.again, stage) | beside))
        return found

    def _kinds(self, stage: dict[Symbol, Any]) -> list[dict[Symbol, Any]]:
        """A stage with what all ranks share of it, and with its experts where it has any."""
        return [stage, stage | q.of_experts(self.job, self.columns)] if self.job.shape.experts else [stage]

    def times(self, recompute: str) -> Times:
        """Of an optimizer step."""
        return step_times(*self.timed(recompute), q.fixed(self.job) | q.of_recompute(self.job, recompute))

    def timed(self, recompute: str) -> tuple[list[list[dict[Symbol, Any]]], dict[Symbol, Any]]:
        """The letters of each stage, once for each kind of parameters, and those of the whole step."""
        stages, whole = self._timed
        return stages, whole | q.routed(self.job, self.columns, recompute)

    @cached_property
    def _timed(self) -> tuple[list[list[dict[Symbol, Any]]], dict[Symbol, Any]]:
        job, c, rounds = self.job, self.columns, self.rounds
        whole = q.links(job, c) | {
            N_mesh: c.shard * c.context, R_rep: c.replicas, u_ar: c.stage == 0, r: self.again, N_p: c.pipeline, n_chk: c.chunks,
            K_mb: rounds, K_gat: np.where(c.stage == 3, rounds, c.stage > 0), K_red: np.where(c.stage >= 2, rounds, 1),
        }  # fmt: skip
        return [self._kinds(q.of_stage(job, c, self.again, stage)) for stage in q.stages(job, c)], whole
