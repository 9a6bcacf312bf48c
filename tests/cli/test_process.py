"""The command as a process: what it imports, pipes and terminals, Ctrl-C, a full disk."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from fsdp_sym.scenarios.cells import CELLS

COMMAND = [sys.executable, "-m", "fsdp_sym"]
ROOT = Path(__file__).parents[2]
# Output is buffered, as it is for a user: then it fails at the end, where the interpreter would try again.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
posix = pytest.mark.skipif(os.name == "nt", reason="signals and devices of Unix")


def run(*argv: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | options.pop("env", {})  # type: ignore[operator]
    return subprocess.run([*COMMAND, *argv], capture_output=True, text=True, env=environment, timeout=120, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("command", ["", "list", "explain", "evaluate", "solve", "audit", "build", "learn"])
def test_help_has_an_example_and_does_not_wait_for_sympy(command: str) -> None:
    asked = [command, "--help"] if command else ["--help"]
    program = f"import sys; from fsdp_sym.cli import main; code = main({asked}); print({{'sympy', 'numpy'}} & {{*sys.modules}}, code)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (found.returncode, found.stderr) == (0, "")
    assert f"For example:\n    fsdp-sym {command or 'learn'}" in found.stdout
    assert found.stdout.endswith("set() 0\n")


def test_json_of_a_table_is_not_described_as_a_value() -> None:
    for command in ("list", "audit"):
        assert "a record for each row" in " ".join(run(command, "--help").stdout.split())


def test_no_command_shows_the_help() -> None:
    assert run().stdout == run("--help").stdout


def test_in_a_pipe_a_row_is_a_line_without_colour() -> None:
    found = run("list", "cells", env={"COLUMNS": "40", "FORCE_COLOR": "1"})
    assert len(found.stdout.splitlines()) == 1 + len(CELLS)
    assert found.stdout.replace("\n", "").isprintable()


def test_a_terminal_s_width_is_kept() -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, "list", "cells"], stdout=theirs, stderr=theirs, cwd=ROOT, env={**os.environ, "COLUMNS": "60"}):
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:  # how Linux says that the other side has closed
            pass
    os.close(ours)
    lines = said.decode().split("\r\n")
    assert len(lines) > 10
    assert max(map(len, lines)) <= 60


def test_an_encoding_without_the_signs_still_prints() -> None:
    found = run("explain", "all_gather", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (found.returncode, found.stderr) == (0, "")
    assert "?S/N?" in found.stdout


@posix
def test_a_reader_that_leaves_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:
        found = subprocess.run([*COMMAND, "list", "cells"], stdout=closed, stderr=subprocess.PIPE, cwd=ROOT, env=BUFFERED)
    assert (found.returncode, found.stderr) == (141, b"")


@posix
def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with open("/dev/full", "wb") as full:
        found = subprocess.run([*COMMAND, "list", "cells"], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, env=BUFFERED, text=True)
    assert found.returncode == 2
    assert found.stderr == "fsdp-sym: the output: No space left on device: free some space or choose another place\n"


@posix
@pytest.mark.parametrize("closed", [[1], [2], [1, 2]])
@pytest.mark.parametrize(("argv", "code"), [(["list", "cells"], 0), (["evaluate", "all_gather"], 2)])
def test_a_closed_output_is_no_fault(argv: list[str], code: int, closed: list[int]) -> None:
    command = ["sh", "-c", " ".join(['exec "$@"', *(f"{stream}>&-" for stream in closed)]), "sh", *COMMAND, *argv]
    found = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert found.returncode == code
    assert "Traceback" not in found.stderr
    assert found.stderr.count("\n") == (code == 2 and 2 not in closed)


@pytest.mark.parametrize(("folder", "kind"), [("formulas/memory", "formulas"), ("teaching/lessons", "lessons")])
@pytest.mark.parametrize(("text", "said"), [("\nx = (", "SyntaxError: '(' was never closed"), ("\nfrom math import no", "ImportError: ")])
def test_a_file_that_cannot_be_imported_is_named_with_the_line(text: str, said: str, folder: str, kind: str, tmp_path: Path) -> None:
    copytree(ROOT / "fsdp_sym", tmp_path / "fsdp_sym", ignore=ignore_patterns("__pycache__"))
    broken = tmp_path / "fsdp_sym" / folder / "mine.py"
    broken.write_text(text)
    found = run("list", kind, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"fsdp-sym: {broken}, line 2: {said}")
    assert found.stderr.endswith(": mend the file and run this again\n")


@posix
def test_ctrl_c_is_one_line() -> None:
    program = (
        # A shell without job control starts what it puts in the background with Ctrl-C ignored.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys, fsdp_sym.reasoning.audit as room, fsdp_sym.cli as cli, time\n"
        "def audit():\n    print('started', flush=True)\n    time.sleep(60)\n"
        "room.audit = audit\nsys.exit(cli.main(['audit']))"
    )
    started = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True)
    with started:
        assert started.stdout is not None
        assert started.stdout.readline() == "started\n"
        time.sleep(0.2)
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=30)
    assert (started.returncode, err) == (130, "fsdp-sym: stopped\n")


def test_build_belongs_to_a_checkout(tmp_path: Path) -> None:
    found = run("build", cwd=tmp_path)
    assert found.returncode == 2
    assert found.stderr.startswith(f"fsdp-sym: {tmp_path} is no checkout")
    assert found.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
