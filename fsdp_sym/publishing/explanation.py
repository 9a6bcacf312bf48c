"""A formula or a cell explained: derivations with their verdicts, then the numbers; as text, or as data for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from textwrap import indent

from ..algebra.errors import FsdpSymError, UnknownName
from ..algebra.formula import Formula
from ..algebra.units import Amount, show
from ..algebra.vocabulary import letter, read_value, symbol_named
from ..reasoning.catalogue import formula as formula_named
from ..reasoning.catalogue import formulas
from ..reasoning.work import Worked, work
from ..scenarios.cells import CELLS, Cell
from ..teaching.lessons import LESSONS
from ..teaching.lessons.blocks import Derive, Fact, Lesson, Work
from ..teaching.lessons.words import referred
from .record import Record, derivation_record, value_record, worked_record

Settings = Mapping[str, object]


def letters_of(formula: Formula) -> list[str]:
    """The names of the letters a formula takes: those it depends on, and those its range speaks of."""
    ranges = {s for h in formula.where for s in h.symbols if s not in formula.letters}
    return [s.name for s in (*formula.letters, *sorted(ranges, key=lambda s: letter(s).order))]


def refuse_unused(settings: Settings, who: str, used: list[str]) -> None:
    """A letter that changes nothing is a mistake, and is named."""
    for name in settings:
        symbol_named(name)
        if name not in used:
            takes = f"it takes {', '.join(used)}" if used else "it takes none"
            raise FsdpSymError(f"{who} does not depend on {name}: {takes}")


@dataclass(frozen=True)
class FormulaExplained:
    """A formula's story and derivation, worked where values are given."""

    formula: Formula
    settings: Settings

    def __post_init__(self) -> None:
        refuse_unused(self.settings, self.formula.id, letters_of(self.formula))

    @cached_property
    def worked(self) -> Worked | None:
        if self.formula.letters and not self.settings:
            return None
        found = work({}, self.formula, **self.settings)
        _ = found.value  # a letter that is missing or out of range is refused before anything is said
        return found

    @property
    def text(self) -> str:
        return self._told(self._story)

    @property
    def flowing(self) -> str:
        """The same, a paragraph of prose a line, for whoever sets lines of their own."""
        return self._told("\n\n".join(" ".join(paragraph.split()) for paragraph in self._story.split("\n\n")))

    @property
    def _story(self) -> str:
        return self.formula.story.partition("\n")[2].strip()

    def _told(self, story: str) -> str:
        parts = [self.formula.derivation.text, *([story] if story else [])]
        parts.append("\n".join(f"  {name}: {letter(symbol_named(name)).says}" for name in letters_of(self.formula)))
        if self.worked:
            parts.append(indent(worked_text(self.worked), "  "))
        return "\n\n".join(part for part in parts if part)

    @property
    def record(self) -> Record:
        record = derivation_record(self.formula.derivation)
        return record | worked_record(self.worked) if self.worked else record


@dataclass(frozen=True)
class CellExplained:
    """A cell's question, conventions and givens, then every formula of its lesson, derived and worked at its numbers.

    Where `settings` change a letter they win over the cell and over the values that the lesson tries.
    """

    cell: Cell
    settings: Settings

    def __post_init__(self) -> None:
        blocks = [block for block in self.lesson.blocks if isinstance(block, Derive | Work)]
        used = dict.fromkeys(name for block in blocks for name in letters_of(formula_named(block.formula)))
        refuse_unused(self.settings, f"cell {self.cell.id}", list(used))
        _ = self.givens  # a value out of range is refused before anything is said

    @cached_property
    def lesson(self) -> Lesson:
        for lesson in LESSONS.values():
            if lesson.cell == self.cell.id:
                return lesson
        raise FsdpSymError(
            f"cell {self.cell.id} has no lesson to explain it by: write one in the course's lessons.py, or work one formula at it with "
            f"fsdp-sym evaluate FORMULA --cell {self.cell.id}"
        )

    @cached_property
    def givens(self) -> dict[str, Amount]:
        changed = {s: read_value(s, value) for name, value in self.settings.items() for s in (symbol_named(name),)}
        merged = self.cell.values | changed
        return {s.name: merged[s] for s in sorted(merged, key=lambda s: letter(s).order)}

    @cached_property
    def worked(self) -> dict[Formula, dict[str, Worked | None]]:
        """Each formula that the lesson derives or works, with its lines, none twice; a line without a value says why there is none."""
        found: dict[Formula, dict[str, Worked | None]] = {}
        for block in self.lesson.blocks:
            if isinstance(block, Derive):
                found.setdefault(formula_named(block.formula), {})
            elif isinstance(block, Work) and not isinstance(block, Fact) and block.cell in (None, self.cell.id):
                lines = found.setdefault(formula_named(block.formula), {})
                try:
                    one = self.work(block)
                    lines[worked_text(one, block.unit)] = one
                except FsdpSymError as error:
                    lines[str(error)] = None
        return found

    def work(self, block: Work) -> Worked:
        """A block of the lesson at this cell's numbers, and so every work that it takes a number from."""
        chosen = formula_named(block.formula)
        at = {name: self.work(other).value if (other := referred(self.lesson, value)) else value for name, value in block.at.items()}
        return work(block.cell or self.cell, chosen, **at | {k: v for k, v in self.settings.items() if k in letters_of(chosen)})

    @property
    def flowing(self) -> str:
        """The same text: nothing in it is prose over several lines."""
        return self.text

    @property
    def text(self) -> str:
        cell = self.cell
        givens = "\n".join(f"  {name} = {show(amount)}: {letter(symbol_named(name)).says}" for name, amount in self.givens.items())
        conventions = "\n".join(f"  {line}" for line in cell.conventions)
        head = f"{cell.id}. {cell.title}\n{cell.question}\nThe edge to watch: {cell.edge}.\n\nConventions\n{conventions}\n\nGiven\n{givens}"
        derived = ["\n".join([f.derivation.text, *(indent(line, "  ") for line in lines)]) for f, lines in self.worked.items()]
        return "\n\n".join([head, *derived])

    @property
    def record(self) -> Record:
        cell = self.cell
        return {
            "cell": cell.id,
            "title": cell.title,
            "question": cell.question,
            "edge": cell.edge,
            "conventions": list(cell.conventions),
            "given": {name: value_record(amount) for name, amount in self.givens.items()},
            "formulas": [
                derivation_record(f.derivation)
                | {"worked": [worked_record(one) if one else {"formula": f.id, "value": None, "why": line} for line, one in lines.items()]}
                for f, lines in self.worked.items()
            ],
        }


def explained(name: str, settings: Settings) -> FormulaExplained | CellExplained:
    """The explanation of the cell or the formula of this name.

    Raises
    ------
    FsdpSymError
        In one line, where nothing has the name, or a letter is unknown, unused or out of range.
    """
    if name in CELLS:
        return CellExplained(CELLS[name], settings)
    if name in formulas():
        return FormulaExplained(formulas()[name], settings)
    remedy = f"the cells are {', '.join(CELLS)}, and fsdp-sym list formulas shows the formulas"
    raise UnknownName("cell or formula", name, [*CELLS, *formulas()], remedy)


def worked_text(worked: Worked, unit: str | None = None) -> str:
    """The line formula, numbers, result, and what is violated."""
    return "\n".join([worked.line(unit=unit), *worked.remarks(unit)])
