"""The site, from the sources of its pages to the folder that is opened: written, made by Sphinx, its links checked, put in place.

A site that fails is not put in place, and what was there stays.
"""

from __future__ import annotations

import gc
import io
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ...algebra.errors import FsdpSymError
from ...reasoning.audit import Finding
from ..build import Progress, audited
from ..kernel import BuildRefused
from ..practice_page.page import add_practice, practice_text
from ..practice_page.paper import paper_sources
from .check_links import broken_links
from .colours import colours_css
from .command_page import command_text
from .conf import MATHJAX_FILE, settings
from .formula_pages import formula_sources
from .landmarks import name_landmarks
from .lesson_pages import lesson_notebooks
from .matrix_map import home_text
from .misconception_pages import misconception_sources
from .new_cell_page import new_cell_text
from .notation_page import notation_text
from .places import COMMANDS, HOME, NEW_CELL, NOTATION, PRACTICE
from .uses import Uses, uses
from .vendored import MATHJAX, fetched, fonts_css

_ASSETS: Final = Path(__file__).parent / "assets"
_CONTENTS: Final = "_static/contents.txt"  # every file of a site, so that what somebody laid beside them is known
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_LEFT: Final = (".buildinfo", ".nojekyll")


def build_book(checkout: Path, site: Path, program: Any, progress: Progress = lambda _: None) -> int:
    """Build the book and say how many pages it has.

    Parameters
    ----------
    checkout : Path
        Where ``notebooks/`` lie as `build` left them; they are taken as they are.
    site : Path
        The folder to open; an earlier book in it is replaced, anything else is refused.
    program : click.Group
        The command line, for the page about it.
    progress : callable
        Told in a few words what is being done.

    Raises
    ------
    BuildRefused
        Where the audit refuses a formula, Sphinx complains, or a link leads nowhere.
    FsdpSymError
        Where something is missing that the book is made with, or the folder holds something else.
    """
    if find_spec("myst_nb") is None or find_spec("furo") is None:
        raise FsdpSymError("the book is made with Sphinx, myst-nb and furo, which are not all here: pip install 'fsdp_sym[book]'")
    _refuse_what_is_not_ours(site)
    progress("fetching the fonts, MathJax and Pyodide")
    packages = fetched(checkout)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:
        sources, static, made = (Path(folder) / name for name in ("sources", "static", "made"))
        practice = beside.submit(add_practice, checkout, packages, made)  # needs nothing of the rest, and long where nothing is kept
        write_sources(sources, checkout, program, progress)
        _write_static(static, packages)
        progress("making the pages")
        make_pages(sources, static, made)
        name_landmarks(made)
        progress("waiting for the practice page")
        practice.result()
        progress("checking the links")
        if problems := broken_links(made):
            raise BuildRefused(f"{len(problems)} link(s) of the book are broken, first {problems[0]}: mend the page and build again")
        (made / _CONTENTS).write_text("\n".join(sorted([*_files(made), _CONTENTS])) + "\n", encoding="utf-8")
        _refuse_what_is_not_ours(site)  # again: the build took its time
        _put_in_place(made, site)
    return sum(1 for _ in site.rglob("*.html"))


def _files(folder: Path) -> set[str]:
    """What lies in a folder and the folders below it, by its way from there; an empty folder is something too."""
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_symlink() or not p.is_dir() or not any(p.iterdir())}


def _refuse_what_is_not_ours(site: Path) -> None:
    """A folder is replaced only where an earlier build wrote all that lies in it."""
    try:
        site.lstat()
        ours = set((site / _CONTENTS).read_text(encoding="utf-8").splitlines()) if (site / _CONTENTS).is_file() else set()
        foreign = sorted(_files(site) - ours) if site.is_dir() else [site.name]
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise FsdpSymError(f"{str(site)[:80]} cannot be the book's folder: {said}: name another folder") from None
    if foreign:
        raise FsdpSymError(f"{site} holds something that is no book, {foreign[0]}: move it away, or name another folder")


def _put_in_place(made: Path, site: Path) -> None:
    """Copy a site beside its place and rename it: where that fails, what was there is put back."""
    site.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=site.parent, prefix=".book.") as beside:
        new, old = Path(beside) / "new", Path(beside) / "old"
        shutil.copytree(made, new)
        if site.exists():
            site.rename(old)
        try:
            new.rename(site)
        except BaseException:
            if old.exists():
                old.rename(site)
            raise


def pages(checkout: Path, findings: Sequence[Finding], asked: Uses, program: Any) -> Iterator[tuple[str, str]]:
    """Every page that is written in Markdown, by its way from the root without a suffix."""
    yield HOME, home_text()
    yield from formula_sources({finding.formula.id: finding for finding in findings}, asked)
    yield from misconception_sources(asked)
    yield NOTATION, notation_text()
    yield NEW_CELL, new_cell_text((checkout / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    yield COMMANDS, command_text(program)
    yield PRACTICE, practice_text()
    yield from paper_sources()


def write_sources(sources: Path, checkout: Path, program: Any, progress: Progress) -> None:
    """What Sphinx reads: pages in Markdown, the lessons as notebooks. Questions are posed and pictures drawn beside the audit."""
    with ProcessPoolExecutor(1) as beside:
        asked, lessons = beside.submit(uses), beside.submit(lesson_notebooks, checkout)
        findings = audited(progress)
        progress("writing the sources")
        files = {f"{name}.md": text.encode() for name, text in pages(checkout, findings, asked.result(), program)}
        files |= lessons.result()
    for name, content in files.items():
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_bytes(content)


def _write_static(static: Path, packages: Path) -> None:
    shutil.copytree(_ASSETS, static)
    (static / "fonts.css").write_text(fonts_css(packages), encoding="utf-8")
    (static / "colours.css").write_text(colours_css(), encoding="utf-8")
    shutil.copy(packages / MATHJAX, static / MATHJAX_FILE)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Without looking for garbage: it takes a quarter of Sphinx's time, and its trees are few enough to be left until the end."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def make_pages(sources: Path, static: Path, made: Path) -> None:
    """Run Sphinx; a warning is a refusal.

    Raises
    ------
    BuildRefused
        With its first complaint.
    """
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    complaints = io.StringIO()
    with docutils_namespace(), _nothing_collected():
        app = Sphinx(
            sources, None, made, made.with_name("read"), "html",
            confoverrides=settings(static), status=None, warning=complaints, freshenv=True, parallel=os.cpu_count() or 1,
        )  # fmt: skip
        app.build(force_all=True)
    if said := _COLOUR.sub("", complaints.getvalue()).strip():
        first = said.splitlines()[0].replace(f"{sources}/", "")
        raise BuildRefused(f"Sphinx refuses the book: {first}: mend the page and build again")
    for name in _LEFT:
        (made / name).unlink(missing_ok=True)
