"""Lessons and questions -> the committed notebooks and exercises: executed, confirmed by the counting route, written only if different.

The stored output of an answer cell is not the kernel's: it is written from the count, and a build whose kernel says
anything else is refused. A later run of nbval therefore compares the formulas with plain arithmetic.

A course's notebooks are made in the same way, into a folder of its own and with the student editions beside them. Other files
may lie in such a folder: none is touched.

Nothing is written unless the audit and every notebook agree. A build of ours audits every formula, while the notebooks are executed.
A course's build first audits what its notebooks rest on: the formulas that the course brings, those that its lessons name, and the
lemmas of all of them, at every cell there is. The rest of our formulas were audited when this package was made; ``fsdp-sym audit``
tries them at a course's cells too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..algebra.errors import FsdpSymError
from ..algebra.formula import Bracket, Formula
from ..figures.picture import draw
from ..reasoning.audit import Finding, audit
from ..reasoning.work import count, counted_line
from ..teaching.course import Course
from ..teaching.course.relied_on import relied_on
from ..teaching.exercises import exercises, practice_name, practised
from ..teaching.forecast import reveal_text, truth
from ..teaching.lessons import OURS
from ..teaching.lessons.blocks import Fact, Lesson, Measured, Reveal, Work
from ..teaching.lessons.words import worked
from ..teaching.safely import write_whole
from .evidence_table import by_counting, evidence_text
from .exporters.notebook import ANSWER, IMPORTS, OUR_SHELF, SUFFIX, Shelf, export, notebook, to_bytes
from .exporters.practice_notebook import practice_notebook
from .kernel import BuildRefused, run
from .learn import EXERCISES, NOTEBOOKS, WORKED
from .worked_practice import executed as worked_practice

if TYPE_CHECKING:
    from nbformat import NotebookNode

COVER = "stages_against_budget"  # the README's picture
STUDENT = "student"  # where the student editions of exercises lie, and those of a course's lessons
PICTURES_DRAWN_WITH = "3.11.2"  # the matplotlib of constraints.txt; another one draws other pixels
_AT_ONCE = 4  # kernels: while one is awaited, another can work
Progress = Callable[[str], None]


def build(to: Path, progress: Progress = lambda _: None, course: Course | None = None) -> list[str]:
    """Write every notebook, every exercise and the README's picture into a checkout; or a course's notebooks into a folder.

    Parameters
    ----------
    to : Path
        The checkout, or the folder for a course's notebooks; made if it is missing.
    progress : callable
        Told in a few words what is being done.
    course : Course, optional
        What to build in place of our own lessons and exercises.

    Returns
    -------
    list of str
        The names of the files that changed.

    Raises
    ------
    BuildRefused
        Where the audit, a notebook or the counting route disagrees, or where a file that no build made is in a course's way;
        no file is touched then.
    """
    made = _made(progress, to, course)
    if course:
        _refuse_foreign(to, made)
    changed = []
    for name, content in made.items():
        if not (to / name).exists() or (to / name).read_bytes() != content:
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(to / name, content)
            changed.append(name)
    for stale in sorted(set(_built_files(to, course)) - set(made)):
        (to / stale).unlink()
        changed.append(stale)
    return changed


def check(at: Path, progress: Progress = lambda _: None, course: Course | None = None) -> list[str]:
    """What a build would change, one line for each file, naming the first cell that drifted; empty where nothing would."""
    made = _made(progress, at, course)
    drift = [f"{stale}: nothing makes this file" for stale in sorted(set(_built_files(at, course)) - set(made))]
    for name, content in made.items():
        if not (at / name).exists():
            drift.append(f"{name}: missing")
        elif (at / name).read_bytes() != content:
            drift += _first_difference(name, (at / name).read_bytes(), content)
    return drift


def _built_files(folder: Path, course: Course | None) -> Iterator[str]:
    """What earlier builds left: in our own folders every notebook, in another those that open this course."""
    if course is None:
        yield from (p.relative_to(folder).as_posix() for ours in (NOTEBOOKS, EXERCISES) for p in (folder / ours).rglob(f"*{SUFFIX}"))
        return
    for at in (folder, folder / STUDENT):
        opening = _shelf(at, course).opening
        yield from (p.relative_to(folder).as_posix() for p in at.glob(f"*{SUFFIX}") if _opening(p) == opening)


def _refuse_foreign(to: Path, made: dict[str, bytes]) -> None:
    for name in made:
        if (to / name).exists() and not _opening(to / name).startswith("from fsdp_sym import course"):
            raise BuildRefused(f"{to / name} is in the way and no build of a course made it: move it away")


def _opening(path: Path) -> str:
    """The code that a built notebook begins with; nothing of any other file."""
    try:
        cells = json.loads(path.read_bytes())["cells"]
        return next("".join(cell["source"]) for cell in cells if cell["id"] == IMPORTS)
    except (OSError, ValueError, KeyError, TypeError, StopIteration, RecursionError):
        return ""


def _shelf(folder: Path, course: Course) -> Shelf:
    """The course's lessons as they lie in a folder, each of which opens the course by the way from there."""
    return Shelf(course.lessons, Path(os.path.relpath(course.folder, folder.resolve())).as_posix())


def audited(progress: Progress, chosen: Iterable[Formula] | None = None) -> list[Finding]:
    """What the audit says of formulas, of every one by default.

    Raises
    ------
    BuildRefused
        Naming the first formula that does not hold.
    """
    progress("auditing the formulas")
    findings = audit(chosen)
    broken = [finding for finding in findings if not finding.ok]
    if broken:
        first = next(iter(broken[0].problems), f"{broken[0].formula.id} has no count")
        raise BuildRefused(f"the audit refuses {len(broken)} formula(s), first {first}: mend it and run fsdp-sym audit")
    progress(f"audited {len(findings)} formulas{'' if chosen is None else ': those that the notebooks rest on'}")
    return findings


def _made(progress: Progress, to: Path, course: Course | None) -> dict[str, bytes]:
    return _made_of_ours(progress) if course is None else _made_of_theirs(progress, to, course)


def _made_of_ours(progress: Progress) -> dict[str, bytes]:
    cells = {cell: exercises(cell) for cell in practised()}
    running: dict[str, Callable[[], NotebookNode]] = {
        **{f"{NOTEBOOKS}/{name}{SUFFIX}": partial(executed, lesson) for name, lesson in OURS.items()},
        **{f"{EXERCISES}/{WORKED}/{practice_name(c)}{SUFFIX}": partial(worked_practice, c, mine) for c, mine in cells.items()},
    }
    made = _run(running, progress, meanwhile=lambda: audited(progress))
    for cell, mine in cells.items():
        made[f"{EXERCISES}/{STUDENT}/{practice_name(cell)}{SUFFIX}"] = to_bytes(practice_notebook(cell, mine, "student"))
    return made | {f"{NOTEBOOKS}/{COVER}.svg": draw(COVER).svg()}


def _made_of_theirs(progress: Progress, to: Path, course: Course) -> dict[str, bytes]:
    audited(progress, relied_on(course.added.get("formula", ()), course.lessons.values()))
    shelf, theirs = _shelf(to, course), _shelf(to / STUDENT, course)
    running = {name + SUFFIX: partial(executed, lesson, shelf, to) for name, lesson in course.lessons.items()}
    made = _run(running, progress)
    return made | {f"{STUDENT}/{name}{SUFFIX}": export(lesson, "student", theirs) for name, lesson in course.lessons.items()}


def _run(
    running: Mapping[str, Callable[[], NotebookNode]], progress: Progress, meanwhile: Callable[[], object] = lambda: None
) -> dict[str, bytes]:
    """Execute notebooks, some at a time in kernels of their own; what is refused `meanwhile` is told first, and no further one begins."""
    made = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            executing = {name: pool.submit(one) for name, one in running.items()}
            meanwhile()
            for name, node in executing.items():
                made[name] = to_bytes(node.result())
                progress(f"executed {name}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return made


def executed(lesson: Lesson, shelf: Shelf = OUR_SHELF, at: Path | None = None) -> NotebookNode:
    """The worked edition, run in a fresh kernel, its answers confirmed and written by the counting route.

    Parameters
    ----------
    lesson : Lesson
    shelf : Shelf
        What it stands among.
    at : Path, optional
        Where the notebook will lie; it is run elsewhere, so that nothing it does is left there.

    Raises
    ------
    BuildRefused
        Naming the notebook and the cell.
    """
    from nbformat import v4

    try:
        node = notebook(lesson, "worked", shelf)
    except FsdpSymError as error:
        raise BuildRefused(f"{lesson.id}{SUFFIX}: {error}") from None
    opening = next(cell for cell in node.cells if cell.id == IMPORTS)
    if shelf.course and at:
        opening.source = replace(shelf, course=str((at / shelf.course).resolve())).opening
    run(node, lesson.id + SUFFIX, "mend the lesson or the formula it works")
    opening.source = shelf.opening
    try:
        counts = counted_outputs(lesson)
        confirm_facts(lesson)
    except FsdpSymError as error:
        raise BuildRefused(f"{lesson.id}{SUFFIX}: {error}") from None
    for cell in node.cells:
        if ANSWER in cell.metadata.get("tags", ()):
            said, counted = _stdout(cell), counts[cell.id] + "\n"
            if said != counted:
                both = f"the kernel says {said.strip()!r} and the count {counted.strip()!r}"
                raise BuildRefused(f"{lesson.id}{SUFFIX}, cell {cell.id}: {both}: mend the formula or its count")
            cell.outputs = [v4.new_output("stream", name="stdout", text=counted)]
    return node


def counted_outputs(lesson: Lesson) -> dict[str, str]:
    """What each answer cell of a lesson must print, by the counting route."""
    found: dict[str, str] = {}
    for block in lesson.blocks:
        if isinstance(block, Work) and not isinstance(block, Fact):
            found[block.slug] = counted_line(worked(lesson, block), block.unit)
        elif isinstance(block, Measured):
            found[block.slug] = evidence_text(block.group, by_counting)
        elif isinstance(block, Reveal):
            value = count(truth(lesson.cell or ""))
            if isinstance(value, Bracket):
                raise FsdpSymError(f"{block.slug}: a forecast is compared with a rational value, and this one is not")
            found[block.slug] = reveal_text(lesson.cell or "", value)
    return found


def confirm_facts(lesson: Lesson) -> None:
    """The numbers that prose alone speaks of are counted too."""
    for block in lesson.blocks:
        if isinstance(block, Fact):
            fact = worked(lesson, block)
            if fact.line(unit=block.unit) != counted_line(fact, block.unit):
                both = f"the formula says {fact.line()!r} and the count {counted_line(fact)!r}"
                raise FsdpSymError(f"{block.slug}: {both}: mend the formula or its count")


def _stdout(cell: NotebookNode) -> str:
    return "".join(out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stdout")


def _first_difference(name: str, old: bytes, new: bytes) -> list[str]:
    import nbformat

    if not name.endswith(SUFFIX):
        return [] if _drawn_elsewhere() else [f"{name}: the picture differs"]
    try:
        before = nbformat.reads(old.decode(), as_version=4)
    except (ValueError, nbformat.ValidationError):
        return [f"{name}: not a notebook"]
    after = nbformat.reads(new.decode(), as_version=4)
    if _drawn_elsewhere():
        for node in (before, after):
            _drop_pixels(node)
        if before == after:
            return []
    theirs: list[Any] = list(before.cells)
    for at, cell in enumerate(after.cells):
        if at >= len(theirs) or theirs[at] != cell:
            what = "is missing" if at >= len(theirs) else "differs"
            return [f"{name}: cell {cell.id} {what}"]
    if len(theirs) > len(after.cells):
        return [f"{name}: cell {theirs[len(after.cells)].get('id', '?')} is extra"]
    return [f"{name}: its metadata or layout differs"]


def _drawn_elsewhere() -> bool:
    """Whether this matplotlib is another than the one the pictures were committed with: then tables are compared, not pixels."""
    import matplotlib

    return str(matplotlib.__version__) != PICTURES_DRAWN_WITH


def _drop_pixels(node: NotebookNode) -> None:
    for cell in node.cells:
        for out in cell.get("outputs", ()):
            if "data" in out:
                out.data.pop("image/png", None)
