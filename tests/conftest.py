"""Property tests draw the same examples on every run and every worker, however slow the machine.

What tries an export on the system it is for needs that system, and stands in tests/real: ``pytest --real`` runs it too,
and a package that is missing then is a failure, not a skip. What runs PyTorch stands in
tests/verify, for ``pytest --verify``, and what needs a browser in tests/browser, for ``pytest --browser``, in the same way.
The whole suite says at its end which of them it left out.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", derandomize=True, database=None, deadline=None)
settings.load_profile("suite")

TESTS = Path(__file__).parent
APART = {name: TESTS / name for name in ("browser", "real", "verify")}
LONGEST = (
    "mutation", "reasoning/test_catalogue.py", "publishing/test_exercises.py", "teaching/drills/test_drills.py",
    "publishing/exporters/test_moodle.py", "publishing/test_course_notebooks.py", "teaching/test_course.py", "test_course_page.py",
    "cli/test_process.py", "test_readme.py",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--browser", action="store_true", help="open the book in Chromium too, which must be installed: see .ci/browser")
    parser.addoption("--site", metavar="DIR", help="with --browser: a book that is built already")
    parser.addoption("--real", action="store_true", help="try the exports on nbgrader, Anki and text2qti too, which must be installed")
    parser.addoption(
        "--verify", action="store_true", help="measure everything again with PyTorch and Transformers, which must be installed"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    inside = {name for name, folder in APART.items() if folder in (collection_path, *collection_path.parents)}
    return True if any(not config.getoption(f"--{name}") for name in inside) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest come first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: not item.path.as_posix().removeprefix(f"{TESTS.as_posix()}/").startswith(LONGEST))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = [f"tests/{name} (--{name})" for name in APART if not config.getoption(f"--{name}")]
    if left_out and config.args_source is not pytest.Config.ArgsSource.ARGS:
        terminalreporter.write_line(f"not run: {', '.join(left_out)}")
