"""A plan, asked for in plain words: the layouts of a model on so many GPUs, or the fewest GPUs that do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sympy import Rational

from ...algebra.errors import FsdpSymError, OutOfRange
from ...algebra.units import Amount, one, parse_amount, to_exact
from ...algebra.vocabulary import M_max, M_over, W_net, read_value
from ...scenarios.config import read_config
from ...scenarios.shapes import Shape, shape_named
from .calibrate import calibrate
from .job import LARGEST_WORLD, MARGIN, WIDTHS, Attention, Job, Precision
from .plan import Plan, layouts_of
from .runs import read_runs
from .told import NOMINAL_ERROR, Sureness, binds, gpus, lines_of, misses, read_split, rows_of, sureness_of, why, why_not


@dataclass(frozen=True)
class Planned:
    """A plan and how sure it is; it shows itself as a table.

    Attributes
    ----------
    plan : Plan
    sure : Sureness
    said_first : tuple of str
        What is said before it, where more than one world was looked at.
    """

    plan: Plan
    sure: Sureness
    said_first: tuple[str, ...] = ()

    def table(self, best: int = 5) -> list[list[str]]:
        """A head, and a row for each of the best."""
        return rows_of(self.plan, best, self.sure)

    def above(self, best: int = 5) -> list[str]:
        """The lines above the table."""
        return [*self.said_first, *lines_of(self.plan, best, self.sure)]

    @property
    def below(self) -> list[str]:
        """The lines below it, or in its place where nothing fits."""
        if self.plan.fit:
            return [binds(self.plan)]
        return [*misses(self.plan), *self._would_do()]

    def _would_do(self) -> list[str]:
        """The smallest change that makes something fit: more GPUs of the same kind, whole nodes at a time."""
        job = self.plan.job
        found = _first_that_fits(job, job.world + 1)
        if found is None:
            return ["no number of these GPUs would do"]
        return [f"the smallest change that would do: {found.job.world:,} of these GPUs"]

    def why(self) -> str:
        """The best beside the runner-up, part by part.

        Raises
        ------
        FsdpSymError
            Where nothing fits.
        """
        if not self.plan.fit:
            raise FsdpSymError("nothing fits, and there is no decision to explain: see what the plan says of the nearest layout")
        return "\n".join(why(self.plan))

    def why_not(self, split: str) -> str:
        """What becomes of a split such as ``"tensor=8 pipeline=16"``; the shard degree takes what is left.

        Raises
        ------
        FsdpSymError
            Where it is no split of this world.
        """
        return "\n".join(why_not(self.plan, read_split(split, self.plan.job)))

    def fits(self, split: str) -> bool:
        """Whether a layout of that split fits."""
        ranked, _ = self.plan.of_split(read_split(split, self.plan.job))
        return bool(ranked)

    @property
    def text(self) -> str:
        rows = self.table() if self.plan.fit else []
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))] if rows else []
        lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*self.above(), *lines, *self.below])

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def plan(
    model: str | Shape, gpus: int | None, *, seq_len: int, tokens_per_step: object, machine: str = "h100-node",
    memory: object = None, margin: object = None, link: object = None, attention: Attention = "fused", precision: Precision = "bf16",
    runs: str | Path | None = None,
) -> Planned:  # fmt: skip
    """Find the fastest layouts of a model on so many GPUs, or on the fewest that do.

    Of a mixture of experts all are taken to be equally busy, and no token is dropped. An expert degree takes no GPUs: it divides the ranks
    of shard and context degree, as in torchtitan and in Megatron's data group, and those that hold the same experts share their state.

    Parameters
    ----------
    model : str or Shape
        The name of a shape, the path of a config.json, or a shape.
    gpus : int or None
        None asks for the fewest, whole nodes at a time.
    seq_len : int
        Tokens of a sequence.
    tokens_per_step : int or str
        Of an optimizer step, at most: ``"4e6"``.
    machine : str
        A node of `fsdp_sym.scenarios.nodes`.
    memory, link : str, optional
        In place of the machine's: memory of a GPU ("80 GB"), and its link out of the node ("25 GB/s").
    margin : str, optional
        Of that memory, what is left for what is not counted; else 4 GB.
    attention : {"fused", "plain"}
        Whether the scores are kept.
    precision : {"bf16", "fp8"}
        Of the products with a layer's matrices.
    runs : path, optional
        A CSV file of measured runs to calibrate with.

    Returns
    -------
    Planned

    Raises
    ------
    FsdpSymError
        In one line, where the request makes no sense.

    >>> plan("Llama-2-7B", 8, seq_len=2048, tokens_per_step=2**18).plan.best(1)[0].layout.sharding
    'ZeRO-2'
    """
    job = Job(
        shape=_shape(model), tokens=seq_len, world=1 if gpus is None else gpus, step_tokens=_tokens(tokens_per_step), machine=machine,
        memory=None if memory is None else int(read_value(M_max, memory).value),
        margin=MARGIN if margin is None else int(read_value(M_over, margin).value),
        link=None if link is None else Rational(read_value(W_net, link).value), attention=attention, precision=precision,
    )  # fmt: skip
    sure = NOMINAL_ERROR
    if runs is not None:
        found = calibrate(read_runs(Path(runs), _named))
        job, sure = replace(job, constants=found.constants), sureness_of(found)
    return _fewest(job, sure) if gpus is None else Planned(layouts_of(job), sure)


def _fewest(job: Job, sure: Sureness) -> Planned:
    """The fewest GPUs on which a layout fits, and by how much the next fewer are too few."""
    found = _first_that_fits(job, 1)
    if found is None:
        raise OutOfRange(f"no number of these GPUs holds {job.shape.name} at {job.tokens:,} tokens: give GPUs with more memory")
    worlds = _worlds(job)
    at = worlds.index(found.job.world)
    said = [f"the fewest, in whole nodes or even parts of one: {found.job.world:,}"]
    said += [f"on {gpus(fewer)} {line}" for fewer in worlds[:at][-1:] for line in misses(layouts_of(replace(job, world=fewer)))]
    return Planned(found, sure, tuple(said))


def _first_that_fits(job: Job, least: int) -> Plan | None:
    """The smallest world from `least` on that a layout fits on; none where doubling finds none either."""
    doubled = (2**power for power in range(LARGEST_WORLD.bit_length()) if 2**power >= least)
    if not any(layouts_of(replace(job, world=world)).fit for world in doubled):
        return None
    # On fewer the state alone is too large, though it is shared out over all of them.
    floor = max(least, int(job.shape.parameters * sum(WIDTHS.values()) / job.device[M_max]))
    plans = (layouts_of(replace(job, world=world)) for world in _worlds(job) if world >= floor)
    return next((found for found in plans if found.fit), None)


def _worlds(job: Job) -> list[int]:
    """Worlds to look at: parts of a node that divide it, then whole nodes."""
    return [*(part for part in range(1, job.node) if job.node % part == 0), *range(job.node, LARGEST_WORLD + 1, job.node)]


def _named(model: str) -> Shape:
    return read_config(Path(model)) if model.endswith(".json") else shape_named(model)


def _shape(model: str | Shape) -> Shape:
    return model if isinstance(model, Shape) else _named(model)


def _tokens(tokens: object) -> int:
    try:
        found = parse_amount(tokens) if isinstance(tokens, str) else Amount(to_exact(tokens))
    except FsdpSymError:
        found = None
    if found is None or found.dimension != one or not found.value.is_integer or found.value < 1:
        raise OutOfRange(f"{str(tokens)[:40]!r} tokens a step: give a positive whole number, such as 4e6")
    return int(found.value)
