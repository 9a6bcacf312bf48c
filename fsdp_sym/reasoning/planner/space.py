"""Every layout of a world: how its GPUs are split, what is sharded, what is run again, how large a micro-batch is.

A candidate is a split (replicas, shard, context, tensor, pipeline) with a sharding, a recomputation, a micro-batch and a number of chunks;
of a mixture of experts also with an expert degree, which takes no GPUs: it divides the ranks of shard and context degree.
Those that cannot be are told apart by the first cause that rules them out; causes look at whole arrays of candidates, or at one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ...algebra.vocabulary import STAGES
from .job import Job

Array = np.ndarray[Any, Any]
DEGREES: Final = ("replicas", "shard", "context", "tensor", "pipeline")
EXPERT: Final = "expert"  # the degree that does not multiply with the others
CHUNKS: Final = (1, 2, 3, 4, 5, 6, 7, 8)
_TOGETHER: Final = 4096  # splits looked at in one go, so that memory is bounded
_MICRO: Final = 128  # sequences: no larger micro-batch is looked at


class Sharding(NamedTuple):
    """What the shard group shares out: nothing, the optimizer's states, gradients too, or parameters too."""

    name: str
    stage: int
    again: bool  # parameters are freed after the forward pass, and gathered again


SHARDINGS: Final = (
    *(Sharding(STAGES[stage], stage, False) for stage in (0, 1, 2)),
    Sharding("FSDP, parameters kept", 3, False), Sharding("FSDP", 3, True),
)  # fmt: skip


class Columns(NamedTuple):
    """The degrees of candidates, each an array or a number.

    Attributes
    ----------
    replicas, shard, context, tensor, pipeline : int
    stage : int
        ZeRO's.
    micro : int
        Sequences of a micro-batch.
    chunks : int
        Of a pipeline stage.
    expert : int
        Ranks that share out the experts.
    """

    replicas: Any
    shard: Any
    context: Any
    tensor: Any
    pipeline: Any
    stage: Any
    micro: Any
    chunks: Any
    expert: Any

    def rounds(self, job: Job) -> Any:
        """Micro-batches of a step; 0 where there are fewer sequences than ranks want."""
        return job.batch // (self.replicas * self.shard * self.micro)


def _fits(job: Job, c: Columns) -> Any:
    tiles = (job.node % c.tensor == 0) | (job.world <= job.node)
    return (c.tensor <= job.node) & tiles


def _heads(job: Job, c: Columns) -> Any:
    keys = job.shape.kv_heads
    whole = (keys % c.tensor == 0) | (c.tensor % keys == 0)
    return (job.shape.heads % c.tensor == 0) & whole & (job.shape.wide % c.tensor == 0)


def _sequence(job: Job, c: Columns) -> Any:
    # Causal attention gives each rank an early and a late part, so that all have as much to do.
    parts = np.where(c.context == 1, c.tensor, 2 * c.context * c.tensor)
    return job.tokens % parts == 0


def _layers(job: Job, c: Columns) -> Any:
    return c.pipeline * c.chunks - 2 * (c.chunks > 1) <= job.shape.layers


def _experts(job: Job, c: Columns) -> Any:
    shared_out = (job.shape.experts % c.expert == 0) & (c.shard * c.context % c.expert == 0)
    return (c.expert == 1) | (shared_out if job.shape.experts else False)


def _sharding(job: Job, c: Columns) -> Any:
    return np.where(c.stage == 0, c.shard == 1, c.shard * c.context > 1)


@dataclass(frozen=True)
class Cause:
    """A reason why a layout cannot be: `meets` is true where it does not hold."""

    name: str
    says: str
    meets: Callable[[Job, Columns], Any]


CAUSES: Final = (
    Cause("sharding", "plain data parallelism has no shard group, and a sharding needs two ranks to share", _sharding),
    Cause("experts", "an expert degree divides the experts, and the ranks of shard and context degree", _experts),
    Cause("node", "a tensor group stays inside a node, and nodes are tiled by it", _fits),
    Cause("heads", "a tensor group shares out heads, keys and the feed-forward layer evenly", _heads),
    Cause("sequence", "context and tensor groups share out a sequence evenly", _sequence),
    Cause("layers", "every stage has a layer, and every chunk but those of embedding and head", _layers),
    Cause("chunks", "only the stages of a pipeline are cut into chunks", lambda job, c: (c.chunks == 1) | (c.pipeline > 1)),
    Cause("batch", "each data rank gets one micro-batch at least", lambda job, c: c.rounds(job) >= 1),
    Cause("rounds", "interleaved chunks take micro-batches in rounds of as many as there are stages",
          lambda job, c: (c.chunks == 1) | (c.rounds(job) % c.pipeline == 0)),
)  # fmt: skip


def ordered_splits(world: int, degrees: int) -> Iterator[tuple[int, ...]]:
    """Every way to write a number as a product of so many, in order."""
    if degrees == 1:
        yield (world,)
        return
    for first in _divisors(world):
        for rest in ordered_splits(world // first, degrees - 1):
            yield first, *rest


def _divisors(world: int) -> list[int]:
    low = [n for n in range(1, int(world**0.5) + 1) if world % n == 0]
    return sorted({*low, *(world // n for n in low)})


@dataclass(frozen=True)
class Space:
    """All candidates, and which of them can be but for their memory.

    Attributes
    ----------
    size : int
        How many candidates there are.
    rejected : dict of str to int
        By the first cause that rules them out.
    left : Columns
        The candidates that are left, once for all recomputations.
    sharding : array of int
        Their places in `SHARDINGS`.
    """

    size: int
    rejected: dict[str, int]
    left: Columns
    sharding: Array

    @classmethod
    def of(cls, job: Job) -> Space:
        return cls.among(job, np.array(list(ordered_splits(job.world, len(DEGREES))), np.int64))

    @classmethod
    def among(cls, job: Job, splits: Array, experts: Sequence[int] = ()) -> Space:
        """Of these splits alone, and these expert degrees; else of all that there are."""
        micros = np.array([2**i for i in range(_MICRO.bit_length()) if 2**i <= job.batch], np.int64)
        rejected = dict.fromkeys((cause.name for cause in CAUSES), 0)
        size, left, sharding = 0, [], []
        for first in range(0, len(splits), _TOGETHER):
            alive, grid = _alive(job, splits[first : first + _TOGETHER], micros, np.array(experts or job.expert_degrees), rejected)
            size += alive.size * len(job.recomputes)
            places = np.nonzero(alive)
            left.append(np.stack([np.broadcast_to(column, alive.shape)[places] for column in grid]))
            sharding.append(places[1])
        columns = Columns(*np.concatenate(left, axis=1))
        return cls(size, rejected, columns, np.concatenate(sharding))


def _alive(job: Job, splits: Array, micros: Array, experts: Array, rejected: dict[str, int]) -> tuple[Array, Columns]:
    """Which layouts of these splits can be; those that cannot are added to their causes."""
    stages, chunks = np.array([x.stage for x in SHARDINGS]), np.array(CHUNKS)
    grid = Columns(*splits.T[..., *[None] * 4], *np.ix_(stages, micros, chunks, experts))
    alive = np.ones((len(splits), len(SHARDINGS), len(micros), len(CHUNKS), len(experts)), bool)
    count = alive.size
    for cause in CAUSES:
        alive &= cause.meets(job, grid)
        now = int(np.count_nonzero(alive))
        rejected[cause.name] += (count - now) * len(job.recomputes)
        count = now
    return alive, grid
