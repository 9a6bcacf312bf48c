"""Lessons -> the committed notebooks: executed, confirmed by the counting route, written only if different.

The stored output of an answer cell is not the kernel's: it is written from the count, and a build whose kernel says
anything else is refused. A later run of nbval therefore compares the formulas with plain arithmetic.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..algebra.errors import FsdpSymError
from ..algebra.formula import Bracket
from ..figures.picture import draw
from ..reasoning.audit import audit
from ..reasoning.work import count, counted_line
from ..teaching.forecast import reveal_text, truth
from ..teaching.lessons import LESSONS
from ..teaching.lessons.blocks import Fact, Lesson, Reveal, Work
from ..teaching.lessons.words import worked
from ..teaching.safely import write_whole
from .exporters.notebook import ANSWER, SUFFIX, notebook, to_bytes

if TYPE_CHECKING:
    from nbformat import NotebookNode

COVER = "stages_against_budget"  # the README's picture
PICTURES_DRAWN_WITH = "3.11.2"  # the matplotlib of constraints.txt; another one draws other pixels
Progress = Callable[[str], None]
_CELL_SECONDS = 120


class BuildRefused(FsdpSymError):
    """The build found something it will not write."""


def build(to: Path, progress: Progress = lambda _: None) -> list[str]:
    """Write every notebook, and the README's picture, into a folder.

    Parameters
    ----------
    to : Path
        The notebooks' folder; made if it is missing.
    progress : callable
        Told in a few words what is being done.

    Returns
    -------
    list of str
        The names of the files that changed.

    Raises
    ------
    BuildRefused
        Where the audit, a notebook or the counting route disagrees; no file is touched then.
    """
    made = _made(progress)
    to.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, content in made.items():
        if not (to / name).exists() or (to / name).read_bytes() != content:
            write_whole(to / name, content)
            changed.append(name)
    for stale in sorted(set(_built_files(to)) - set(made)):
        (to / stale).unlink()
        changed.append(stale)
    return changed


def check(at: Path, progress: Progress = lambda _: None) -> list[str]:
    """What a build would change, one line for each file, naming the first cell that drifted; empty where nothing would."""
    made = _made(progress)
    drift = [f"{stale}: no lesson makes this file" for stale in sorted(set(_built_files(at)) - set(made))]
    for name, content in made.items():
        if not (at / name).exists():
            drift.append(f"{name}: missing")
        elif (at / name).read_bytes() != content:
            drift += _first_difference(name, (at / name).read_bytes(), content)
    return drift


def _built_files(folder: Path) -> Iterator[str]:
    return (p.name for p in folder.glob(f"*{SUFFIX}")) if folder.is_dir() else iter(())


def _made(progress: Progress) -> dict[str, bytes]:
    progress("auditing the formulas")
    broken = [finding for finding in audit() if not finding.ok]
    if broken:
        first = next(iter(broken[0].problems), f"{broken[0].formula.id} has no count")
        raise BuildRefused(f"the audit refuses {len(broken)} formula(s), first {first}: mend it and run fsdp-sym audit")
    made: dict[str, bytes] = {}
    with ThreadPoolExecutor(2) as pool:
        for lesson, node in zip(LESSONS.values(), pool.map(executed, LESSONS.values()), strict=True):
            made[lesson.id + SUFFIX] = to_bytes(node)
            progress(f"executed {lesson.id}")
    made[f"{COVER}.svg"] = draw(COVER).svg()
    return made


def executed(lesson: Lesson) -> NotebookNode:
    """The worked edition, run in a fresh kernel, its answers confirmed and written by the counting route.

    Raises
    ------
    BuildRefused
        Naming the notebook and the cell.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from nbformat import v4

    node = notebook(lesson, "worked")
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            node, timeout=_CELL_SECONDS, kernel_name="python3", record_timing=False, coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"], resources={"metadata": {"path": folder}},
        )  # fmt: skip
        try:
            client.execute()
        except CellExecutionError as error:
            what = f"{error.ename}: {error.evalue}"
            raise BuildRefused(f"{lesson.id}{SUFFIX} fails with {what}: mend the lesson or the formula it works") from None
    node.metadata.language_info = {"name": "python"}  # the kernel adds its version, which would be drift elsewhere
    try:
        counts = counted_outputs(lesson)
        confirm_facts(lesson)
    except FsdpSymError as error:
        raise BuildRefused(f"{lesson.id}{SUFFIX}: {error}") from None
    for cell in node.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        _refuse_stderr(lesson, cell)
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


def _refuse_stderr(lesson: Lesson, cell: NotebookNode) -> None:
    for out in cell.outputs:
        if out.output_type == "stream" and out.name == "stderr":
            raise BuildRefused(f"{lesson.id}{SUFFIX}, cell {cell.id} writes to stderr: {out.text.strip()[:200]}")


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
