"""A real browser, a book to open in it from a folder and from a server's sub-path, and a picture of every page on which a test failed."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from visits import Visit, opened_by

from fsdp_sym.publishing.book.vendored import fetched

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "build" / "screenshots"
_ALONE = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of two workers that begin at the first and at the middle test, each begins with one of the two that take longest."""
    longest = [item for item in items if "outside_of_it[" in item.name]
    others = [item for item in items if item not in longest]
    middle = (len(others) + 1) // 2
    items[:] = [*longest[:1], *others[:middle], *longest[1:], *others[middle:]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing the tests fail, for without it nothing was tried."""
    found = shutil.which("chromium")
    assert found, "chromium is missing: run .ci/browser"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=list(_ALONE))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """The book as the README's command builds it, two folders below the one that is served; all workers share the one that is first."""
    base = tmp_path_factory.getbasetemp()
    if there := pytestconfig.getoption("--site"):
        assert (Path(there) / "searchindex.js").is_file(), f"{there} is no book: fsdp-sym build --book {there}"
        at = tmp_path_factory.mktemp("served") / "some" / "where"
        at.parent.mkdir()
        at.symlink_to(Path(there).resolve())
        return at
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = shared / "served" / "some" / "where"
    with open(shared / "building", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not made.exists():
            (said,) = re.findall(r"<!-- command: book -->\n```sh\nfsdp-sym (.*) site\n```", (ROOT / "README.md").read_text())
            command = [sys.executable, "-m", "fsdp_sym", *said.split(), str(made)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    return made


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def addresses(site: Path) -> Iterator[dict[str, str]]:
    """Where the book is opened: from its folder, and from a sub-path of a server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site.parents[1])))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield {"folder": site.as_uri(), "server": f"http://127.0.0.1:{server.server_port}/some/where"}
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker's script."""
    return (fetched(ROOT) / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def opened() -> list[Page]:
    """The pages that a test looks at, for the picture of the last one where it fails."""
    return []


@pytest.fixture
def visit(browser: Browser, opened: list[Page]) -> Iterator[Callable[..., Visit]]:
    """Opens a window on the book that nobody has used, of a width and in a colour scheme."""
    contexts = []

    def visiting(*how: str, **more: object) -> Visit:
        seen = opened_by(browser, *how, **more)
        contexts.append(seen.page.context)
        opened.append(seen.page)
        return seen

    yield visiting
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[Visit]:
    """A window that stays open, for pages that keep nothing. Nothing moves in it: a colour is judged when it is there, not on its way."""
    seen = opened_by(browser, reduced_motion="reduce")
    yield seen
    seen.page.context.close()


@pytest.fixture
def reader(window: Visit, opened: list[Page]) -> Visit:
    """That window, with nothing heard of a page yet."""
    window.forget()
    opened.append(window.page)
    return window


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call" and report.failed and item.funcargs.get("opened"):
        PICTURES.mkdir(parents=True, exist_ok=True)
        with suppress(PlaywrightError):  # a page that hangs has no picture
            item.funcargs["opened"][-1].screenshot(path=PICTURES / f"{re.sub('[^A-Za-z0-9-]+', '-', item.name)}.png")
    return report
