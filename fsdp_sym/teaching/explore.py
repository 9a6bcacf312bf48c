"""Turning a cell's givens: which values each may take, what follows from them, and what is to be said at an edge.

Everything here is a value; what draws it and puts sliders on it stands in publishing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final

from sympy import Piecewise, Symbol
from sympy.core.relational import Relational

from ..algebra.agreement import exact
from ..algebra.errors import FsdpSymError, UnknownName
from ..algebra.formula import Formula
from ..algebra.units import Amount, one, show
from ..algebra.vocabulary import letter, read_value, symbol_named
from ..reasoning.catalogue import formula
from ..reasoning.work import Value, Worked, show_readable, work
from ..scenarios.cells import cell_named

_COUNTS: Final = (*range(1, 17), 24, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096)
_FACTORS: Final = tuple(Fraction(*pair) for pair in ((1, 8), (1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1), (4, 1), (8, 1)))
_TENTHS: Final = tuple(Fraction(at, 10) for at in range(11))


@dataclass(frozen=True)
class Knobs:
    """What can be turned at a cell, and what is shown.

    Parameters
    ----------
    cell : str
    turned : tuple of str
        The letters with a slider; the figure runs over the first.
    shows : tuple of str
        The formulas whose numbers follow.
    drawn : tuple of str
        Those of one dimension that the figure draws.
    level : str
        A letter that the figure draws as a line to stay below, or nothing.
    given : mapping
        What the formulas need and the cell leaves open.
    alone : str
        What is to be said where the first letter is at its least.
    """

    cell: str
    turned: tuple[str, ...]
    shows: tuple[str, ...]
    drawn: tuple[str, ...]
    alone: str
    level: str = ""
    given: Mapping[str, object] | None = None


_STATES: Final = ("replicated_state", "zero_1_state", "zero_2_state", "sharded_state")
_ONE_RANK: Final = "One rank holds everything: there is nobody to share with, and sharding saves nothing."
_NO_TRAFFIC: Final = "One rank has nobody to receive from: nothing moves."

_REPLICA: Final = ("replicated_state", "sharded_state")
_BY_STAGE: Final = ("zero_1_state", "zero_2_state", "sharded_state")
_STEP_TRAFFIC: Final = ("gathered_in_step", "step_traffic")
_BLOCK: Final = ("saved_activations", "full_recompute")
_ROWS: Final = ("shard_rows", "rows_of_rank")
_OVERLAP: Final = ("exposed_time", "step_with_overlap")
_ROUNDS: Final = ("ring_all_gather_time", "ring_all_reduce_time")
_HELD: Final = ("mean_state", "all_activations")
_CRITICAL: Final = ("critical_tokens", "critical_tokens_backward")
_BUBBLES: Final = ("bubble_over_ideal", "bubble_over_total", "interleaved_bubble_over_total")

KNOBS: Final[dict[str, Knobs]] = {
    k.cell: k
    for k in (
        Knobs("A", ("N", "P"), (*_REPLICA, "replica_fits", "shard_fits"), _REPLICA, _ONE_RANK, "M_max"),
        Knobs("B", ("N", "P"), ("bytes_per_parameter", *_REPLICA, "shard_fits"), _REPLICA, _ONE_RANK, "M_max"),
        Knobs("C", ("N", "b", "k"), (*_HELD, "recompute_peak"), _HELD, _ONE_RANK, "M_max"),
        Knobs("D", ("N", "S", "r"), ("all_gather", "reduce_scatter", "layer_traffic"), ("all_gather", "layer_traffic"), _NO_TRAFFIC),
        Knobs(
            "E", ("phi", "T_comm", "T_comp"), (*_OVERLAP, "slowdown_with_overlap"), _OVERLAP,
            "Nothing overlaps: all of the communication is added to the step.",
        ),
        Knobs("F", ("N", "S", "R_bit"), ("all_gather", "link_bandwidth", "all_gather_time"), ("all_gather_time",), _NO_TRAFFIC, "T_comp"),
        Knobs("G", ("N", "M_max", "P"), (*_STATES, "stage_for_budget"), _STATES, _ONE_RANK, "M_max"),
        Knobs("H", ("N_t", "N_p", "G"), ("data_degree", "shard_group"), ("data_degree",), "A tensor group of one GPU: no layer is cut."),
        Knobs("I", ("N", "P"), _BY_STAGE, _BY_STAGE, _ONE_RANK),
        Knobs(
            "J", ("N", "L", "K_mb", "r"), ("gathers_in_step", "scatters_in_step", *_STEP_TRAFFIC), _STEP_TRAFFIC,
            "One rank receives nothing, and FSDP2 issues no collective there: the counts are those of two ranks or more.",
        ),
        Knobs("K", ("N", "P", "M_max"), (*_STATES, "stage_for_budget"), _STATES, _ONE_RANK, "M_max"),
        Knobs("L", ("s", "b", "a"), ("score_activations", *_BLOCK), _BLOCK, "One token has only itself to attend to."),
        Knobs(
            "M", ("N", "d_0", "n_rank"), (*_ROWS, "empty_ranks", "padding_rows"), _ROWS,
            "One rank holds every row, and none is padded.", given={"d_0": 128, "n_rank": 0},
        ),
        Knobs("N", ("N", "n_rank"), ("model_on_rank",), ("model_on_rank",), _ONE_RANK, given={"n_rank": 0}),
        Knobs("O", ("N", "P", "S", "r"), ("zero_2_state", "sharded_state", "layer_traffic"), ("zero_2_state", "sharded_state"), _ONE_RANK),
        Knobs("P", ("N", "S", "T_lat", "W"), ("ring_reduce_scatter_time", *_ROUNDS), _ROUNDS, _NO_TRAFFIC),
        Knobs(
            "Q", ("W", "X_gpu", "b_r"), (*_CRITICAL, "break_even_link"), _CRITICAL,
            "On the slowest of these links only a large batch hides anything.",
        ),
        Knobs(
            "R", ("N_p", "K_mb", "n_chk"), (*_BUBBLES, "first_stage_activations"), _BUBBLES, "One stage is no pipeline: it never waits.",
        ),
        Knobs(
            "S", ("n_live", "L_st", "b", "n_o"), ("stage_peak", "micro_batch_time", "optimizer_time"), ("stage_peak",),
            "The last stage turns each micro-batch at once, and keeps no other.", "M_max",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Position:
    """A cell with its givens turned somewhere; `values` by letter's name."""

    knobs: Knobs
    values: Mapping[str, Amount]

    @cached_property
    def worked(self) -> dict[str, Worked]:
        """What is shown, by formula."""
        return {name: self._work(name) for name in self.knobs.shows}

    def _work(self, name: str) -> Worked:
        chosen = formula(name)
        used = {s.name for s in _speaks_of(chosen)}
        return work(self.knobs.cell, chosen, **{k: v for k, v in self.values.items() if k in used})

    @property
    def means_something(self) -> bool:
        """Whether every number that is shown has a value here."""
        try:
            return all(one.value is not None for one in self.worked.values())
        except FsdpSymError:
            return False

    def with_value(self, name: str, value: Amount) -> Position:
        return replace(self, values={**self.values, name: value})

    def choices(self, name: str) -> list[Amount]:
        """The values that a letter may take while the others stay, in rising order."""
        found = {a.value: a for a in (*_candidates(name, start_of(self.knobs)[name]), self.values[name])}
        return [a for _, a in sorted(found.items()) if self.with_value(name, a).means_something]

    def turned(self, name: str, value: Amount) -> Position:
        """One letter turned; whatever then means nothing moves to its nearest value that does.

        Raises
        ------
        FsdpSymError
            Where the letter has no slider, or no others go with the value.
        """
        if name not in self.knobs.turned:
            raise UnknownName(f"slider of cell {self.knobs.cell}", name, self.knobs.turned, f"they are {', '.join(self.knobs.turned)}")
        here = self.with_value(name, value)
        if here.means_something:
            return here
        for other in self.knobs.turned:
            if other == name:
                continue
            near = sorted(_candidates(other, start_of(self.knobs)[other]), key=lambda a: abs(a.value - self.values[other].value))
            moved = next((p for a in near if (p := here.with_value(other, a)).means_something), None)
            if moved is not None:
                return moved
        raise FsdpSymError(
            f"cell {self.knobs.cell} means nothing at {name} = {show(value)}, wherever the others stand: choose another"
        )

    @property
    def edges(self) -> list[str]:
        """What is to be said here: the first letter at its least, an assumption that fails, a verdict one notch from changing."""
        return [*self._at_least(), *self._violated(), *self._about_to_change()]

    def _at_least(self) -> Iterator[str]:
        first = self.knobs.turned[0]
        if self.values[first].value == letter(symbol_named(first)).low:
            yield f"{first} = {show(self.values[first])}. {self.knobs.alone}"

    def _violated(self) -> Iterator[str]:
        for name, found in self.worked.items():
            yield from (f"{name}: {line}" for line in found.remarks())

    def _about_to_change(self) -> Iterator[str]:
        """A comparison or a stage that comes out otherwise one notch further."""
        for name in self.knobs.turned:
            notches = self.choices(name)
            at = next(i for i, a in enumerate(notches) if a.value == self.values[name].value)
            for beside in (at - 1, at + 1):
                if not 0 <= beside < len(notches):
                    continue
                there = self.with_value(name, notches[beside])
                for decided, found in self.worked.items():
                    if _decides(found.formula) and (other := there.worked[decided].value) != found.value:
                        turns = f"{decided} turns from {_said(found.value)} to {_said(other)}"
                        yield f"At the next stop, {name} = {show(notches[beside])}, {turns}."

    def along(self) -> list[Position]:
        """The positions that the figure draws: the first letter over all it may be, the others as they are."""
        first = self.knobs.turned[0]
        return [self.with_value(first, a) for a in self.choices(first)]


def _said(value: Value) -> str:
    return "∞, which is none" if show_readable(value) == "∞" else show_readable(value)


def _decides(chosen: Formula) -> bool:
    return isinstance(chosen.exact, Relational | Piecewise)


def _speaks_of(chosen: Formula) -> set[Symbol]:
    return {*chosen.letters, *chosen.counted_letters, *(s for h in chosen.where for s in h.symbols)}


def start_of(knobs: Knobs) -> dict[str, Amount]:
    """Where the sliders begin: the cell's own values."""
    given = {k: read_value(symbol_named(k), v) for k, v in (knobs.given or {}).items()}
    own = {s.name: a for s, a in cell_named(knobs.cell).values.items()}
    return given | {name: own[name] for name in (*knobs.turned, knobs.level) if name in own}


def start(cell: str) -> Position:
    """A cell as it is given.

    Raises
    ------
    UnknownName, FsdpSymError
        In one line, where there is no such cell or nothing to turn in it.
    """
    if cell_named(cell).id not in KNOBS:
        raise FsdpSymError(f"cell {cell} has nothing to turn: explore {', '.join(KNOBS)}, or work its formulas at other numbers")
    return Position(KNOBS[cell], start_of(KNOBS[cell]))


def _candidates(name: str, around: Amount) -> list[Amount]:
    """The values that a letter's range allows on a slider, among them the cell's own."""
    entry = letter(symbol_named(name))
    if entry.high is not None:
        numbers = [Fraction(n) for n in range(entry.low, entry.high + 1)] if entry.whole else list(_TENTHS)
    elif entry.whole and entry.dimension == one:
        numbers = [Fraction(n) for n in ((0, *_COUNTS) if entry.low == 0 else _COUNTS)]
    else:
        numbers = [factor * Fraction(int(around.value.p), int(around.value.q)) for factor in _FACTORS]
        numbers = [Fraction(round(n)) for n in numbers] if entry.whole else numbers
    found = [Amount(exact(n), entry.dimension, around.unit) for n in numbers]
    return sorted({a.value: a for a in (*found, around) if entry.holds(a.value)}.values(), key=lambda a: a.value)
