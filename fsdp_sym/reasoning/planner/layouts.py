"""Layouts, one by one and many at a time: the bytes of their fullest rank, and the seconds of their step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from sympy import Symbol

from ...algebra.vocabulary import A_more, K_gat, K_mb, K_red, L_st, N_mesh, N_p, R_rep, n_chk, r, u_ar
from . import quantities as q
from .job import Job
from .space import SHARDINGS, Array, Columns
from .stages import Stage, stages
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

    def held(self, recompute: str) -> list[list[dict[Symbol, Array]]]:
        """The letters of each stage's peak that differ from candidate to candidate, once for each kind of parameters.

        Chunks may differ in size, so what is in flight is counted in chunks of one layer.
        """
        job = self.job
        logits = q.value_of("logit_activations", q.one_sequence(job))
        run_again = q.block(job)["none"].bytes if recompute == "full" else 0
        found = []
        for stage, letters in zip(self.stages, self._letters, strict=True):
            last = stage.number == self.columns.pipeline - 1
            more = np.where(last, float(max(run_again, logits)), float(run_again))
            found.append(self._kinds(letters | {n_chk: letters[L_st], A_more: more}))
        return found

    @cached_property
    def stages(self) -> list[Stage]:
        """Those that may be the fullest or the slowest."""
        return stages(self.job.shape.layers, self.columns.pipeline, self.columns.chunks, self.rounds)

    @cached_property
    def _letters(self) -> list[dict[Symbol, Array]]:
        return [_floats(q.of_stage(self.job, self.columns, self.again, stage)) for stage in self.stages]

    @cached_property
    def _experts(self) -> list[dict[Symbol, Array]]:
        return [_floats(q.of_experts(self.job, self.columns))] if self.job.shape.experts else []

    def _kinds(self, stage: dict[Symbol, Array]) -> list[dict[Symbol, Array]]:
        """A stage with what all ranks share of it, and with its experts where it has any."""
        return [stage, *(stage | experts for experts in self._experts)]

    def times(self, recompute: str) -> Times:
        """Of an optimizer step."""
        return step_times(*self.timed(recompute), q.fixed(self.job) | q.of_recompute(self.job, recompute))

    def timed(self, recompute: str) -> tuple[list[list[dict[Symbol, Array]]], dict[Symbol, Array]]:
        """The letters of each stage, as a micro-batch passes it and once for each kind of parameters, and those of the whole step."""
        whole = self._whole | q.routed(self.job, self.columns, recompute)
        every = zip(self.stages, self._letters, strict=True)
        return [[letters | {L_st: stage.paced}, *self._kinds(letters)] for stage, letters in every], whole

    @cached_property
    def _whole(self) -> dict[Symbol, Array]:
        job, c, rounds = self.job, self.columns, self.rounds
        return _floats(q.links(job, c) | {
            N_mesh: c.shard * c.context, R_rep: c.replicas, u_ar: c.stage == 0, r: self.again, N_p: c.pipeline, n_chk: c.chunks,
            K_mb: rounds, K_gat: np.where(c.stage == 3, rounds, c.stage > 0), K_red: np.where(c.stage >= 2, rounds, 1),
        })  # fmt: skip


def _floats(columns: dict[Symbol, Any]) -> dict[Symbol, Array]:
    """Once, and not again in every formula; whole numbers stay exact."""
    return {x: column.astype(np.float64, copy=False) for x, column in columns.items()}
