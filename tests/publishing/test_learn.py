"""Handing out: an edited notebook is never touched, an untouched one follows its edition, a missing one comes back."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.cli import DONE, NO, WRONG, main
from fsdp_sym.publishing import learn
from fsdp_sym.publishing.learn import MANIFEST, due, editions, hand_out
from fsdp_sym.teaching.lessons.blocks import Lesson, Say
from fsdp_sym.teaching.progress import FILE, Attempt, Progress, save

FIRST = {"start.ipynb": b"start 1", "A.ipynb": b"A 1", "worked/start.ipynb": b"start worked", "worked/A.ipynb": b"A worked"}
SECOND = FIRST | {"A.ipynb": b"A 2"}
LESSONS = {name: Lesson(name, name, (Say("words", "Words."),), cell) for name, cell in (("start-here", None), ("D-lesson", "D"))}


def held(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file() and p.name != MANIFEST}


def test_the_first_time_everything_is_handed_out_and_the_first_lesson_opened(tmp_path: Path) -> None:
    given = hand_out(tmp_path / "new" / "folder", FIRST)
    assert held(given.folder) == FIRST
    assert set(given.fates.values()) == {"new"}
    assert given.opens == given.folder / "start.ipynb"
    assert set(json.loads((given.folder / MANIFEST).read_bytes())) == set(FIRST)


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")}
    given = hand_out(tmp_path, FIRST)
    assert set(given.fates.values()) == {"unchanged"}
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")} == before
    assert given.opens.name == "start.ipynb"


def test_an_untouched_notebook_follows_its_edition(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    given = hand_out(tmp_path, SECOND)
    assert given.those("updated") == ["A.ipynb"]
    assert held(tmp_path) == SECOND


def test_an_edited_notebook_is_kept_and_opened_and_a_newer_edition_is_named(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    (tmp_path / "A.ipynb").write_bytes(b"mine")
    given = hand_out(tmp_path, FIRST)
    assert (given.those("kept"), given.outdated, given.opens) == (["A.ipynb"], (), tmp_path / "A.ipynb")
    for _ in range(2):  # it stays edited however often it is handed out
        given = hand_out(tmp_path, SECOND)
        assert (given.those("kept"), given.outdated) == (["A.ipynb"], ("A.ipynb",))
        assert (tmp_path / "A.ipynb").read_bytes() == b"mine"
    assert "rename yours" in given.lines[-1]
    (tmp_path / "A.ipynb").rename(tmp_path / "A-mine.ipynb")
    assert hand_out(tmp_path, SECOND).those("restored") == ["A.ipynb"]
    assert (tmp_path / "A-mine.ipynb").read_bytes() == b"mine"


def test_the_last_saved_of_the_edited_lessons_is_opened_and_never_a_worked_one(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    for saved, name in enumerate(("A.ipynb", "start.ipynb", "worked/A.ipynb")):
        (tmp_path / name).write_bytes(b"mine")
        os.utime(tmp_path / name, (1000 + saved, 1000 + saved))
    assert hand_out(tmp_path, FIRST).opens == tmp_path / "start.ipynb"


def test_a_missing_notebook_is_put_back(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    (tmp_path / "worked" / "A.ipynb").unlink()
    (tmp_path / "worked" / "start.ipynb").unlink()
    (tmp_path / "worked").rmdir()
    assert hand_out(tmp_path, FIRST).those("restored") == ["worked/start.ipynb", "worked/A.ipynb"]
    assert held(tmp_path) == FIRST


def test_a_notebook_of_the_student_s_own_under_a_lesson_s_name_is_kept(tmp_path: Path) -> None:
    (tmp_path / "A.ipynb").write_bytes(b"mine")
    assert hand_out(tmp_path, FIRST).those("kept") == ["A.ipynb"]
    assert (tmp_path / "A.ipynb").read_bytes() == b"mine"


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"A.ipynb": 1}', b"\xff", b"[" * 100_000])
def test_with_a_damaged_memory_what_differs_counts_as_edited(damage: bytes, tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    (tmp_path / MANIFEST).write_bytes(damage)
    given = hand_out(tmp_path, SECOND)
    assert given.those("kept") == ["A.ipynb"]
    assert (tmp_path / "A.ipynb").read_bytes() == b"A 1"
    assert MANIFEST in given.lines[1]
    assert not hand_out(tmp_path, SECOND).forgotten


def test_after_a_damaged_memory_only_a_later_edition_is_newer(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    (tmp_path / MANIFEST).write_bytes(b"{")
    (tmp_path / "A.ipynb").write_bytes(b"mine")
    assert hand_out(tmp_path, FIRST).outdated == hand_out(tmp_path, FIRST).outdated == ()
    assert hand_out(tmp_path, SECOND).outdated == ("A.ipynb",)
    assert (tmp_path / "A.ipynb").read_bytes() == b"mine"


def test_of_a_worked_notebook_that_differs_it_is_said_how_to_have_it_back(tmp_path: Path) -> None:
    hand_out(tmp_path, FIRST)
    (tmp_path / "A.ipynb").write_bytes(b"mine")
    (tmp_path / "worked" / "A.ipynb").write_bytes(b"damaged")
    edited, other = hand_out(tmp_path, FIRST).lines[1:]
    assert edited == "kept as you edited them: A.ipynb"
    assert other == "kept, though not as handed out: worked/A.ipynb: delete and run this again to have it back"
    (tmp_path / "worked" / "A.ipynb").unlink()
    hand_out(tmp_path, FIRST)
    assert (tmp_path / "worked" / "A.ipynb").read_bytes() == b"A worked"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc")
def test_where_nothing_can_be_made_another_place_is_the_remedy() -> None:
    with pytest.raises(FsdpSymError, match=r"cannot be written: .*: choose another place$"):
        hand_out(Path("/proc/lessons"), FIRST)


def block_with_folder(place: Path) -> None:
    place.mkdir(parents=True)


def block_with_link(place: Path) -> None:
    place.symlink_to(place.with_name("elsewhere"))


@pytest.mark.parametrize("name", ["A.ipynb", MANIFEST])
@pytest.mark.parametrize("block", [block_with_folder, block_with_link])
def test_what_is_in_the_way_is_named_and_nothing_is_written(name: str, block: object, tmp_path: Path) -> None:
    block(tmp_path / name)  # type: ignore[operator]
    with pytest.raises(FsdpSymError, match=f"{name} is .*: move it away"):
        hand_out(tmp_path, FIRST)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_file_where_the_worked_folder_goes_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "worked").write_bytes(b"mine")
    with pytest.raises(FsdpSymError, match="worked is in the way"):
        hand_out(tmp_path, FIRST)


def test_a_full_disk_leaves_whole_files_and_the_next_call_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = learn.write_whole

    def full(path: Path, content: bytes) -> None:
        if path.name == "A.ipynb":
            raise OSError(28, "No space left on device")
        whole(path, content)

    monkeypatch.setattr(learn, "write_whole", full)
    with pytest.raises(FsdpSymError, match=r"A.ipynb cannot be written: No space left on device: free some space"):
        hand_out(tmp_path, FIRST)
    assert held(tmp_path) == {"start.ipynb": b"start 1"}
    monkeypatch.undo()
    assert hand_out(tmp_path, FIRST).those("new") == ["A.ipynb", "worked/start.ipynb", "worked/A.ipynb"]


def test_an_interrupted_update_remembers_what_it_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_out(tmp_path, FIRST)
    whole = learn.write_whole

    def interrupted(path: Path, content: bytes) -> None:
        if path.name == "A.ipynb":
            raise KeyboardInterrupt
        whole(path, content)

    monkeypatch.setattr(learn, "write_whole", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hand_out(tmp_path, SECOND | {"start.ipynb": b"start 2"})
    assert held(tmp_path) == FIRST | {"start.ipynb": b"start 2"}
    monkeypatch.undo()
    given = hand_out(tmp_path, SECOND | {"start.ipynb": b"start 3"})
    assert given.those("updated") == ["start.ipynb", "A.ipynb"]
    assert given.those("kept") == []


def commit(at: Path) -> None:
    for name in ("notebooks/start-here", "notebooks/D-lesson", "exercises/student/D-practice", "exercises/worked/D-practice"):
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / f"{name}.ipynb").write_bytes(f"{name} as committed".encode())


def test_the_editions_are_the_student_s_and_the_committed_ones(tmp_path: Path) -> None:
    commit(tmp_path)
    files = editions(LESSONS, tmp_path)
    names = ["start-here", "D-lesson", "D-practice"]
    assert list(files) == [f"{name}.ipynb" for name in names] + [f"worked/{name}.ipynb" for name in names]
    assert json.loads(files["start-here.ipynb"])["nbformat"] == 4
    assert b"[D-practice](D-practice.ipynb)" in files["D-lesson.ipynb"]
    assert files["D-practice.ipynb"] == b"exercises/student/D-practice as committed"
    assert files["worked/D-practice.ipynb"] == b"exercises/worked/D-practice as committed"
    assert files["worked/D-lesson.ipynb"] == b"notebooks/D-lesson as committed"


@pytest.mark.parametrize("name", ["notebooks/start-here", "exercises/student/D-practice", "exercises/worked/D-practice"])
def test_a_missing_committed_notebook_is_named_with_the_remedy(name: str, tmp_path: Path) -> None:
    commit(tmp_path)
    (tmp_path / f"{name}.ipynb").unlink()
    with pytest.raises(FsdpSymError, match=rf"{name}\.ipynb is missing: install fsdp_sym again"):
        editions(LESSONS, tmp_path)


def test_what_is_due_is_said_from_the_progress_in_the_folder(tmp_path: Path) -> None:
    assert due(tmp_path) == ""
    missed, other = Attempt("D-all-gather", 1, "1 MB", "wrong"), Attempt("A-shard", 1, "1 GB", "right")
    save(tmp_path, Progress((missed, other, other, other)))
    assert due(tmp_path) == "due again, with new numbers: D-all-gather: run the last cells of D-practice.ipynb"
    save(tmp_path, Progress((Attempt("LAB1-gone", 1, "1", "wrong"), other, other, other)))
    assert due(tmp_path) == "due again, with new numbers: LAB1-gone: call practice()"
    (tmp_path / FILE).write_bytes(b"{")
    assert "move it away to begin anew" in due(tmp_path)


# The command.


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(learn, "editions", lambda: FIRST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_learn_without_a_browser_hands_out_and_says_how_to_open(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--no-browser"]) == DONE
    out, err = capsys.readouterr()
    assert held(small / "fsdp_sym-lessons") == FIRST
    assert f"To open it by hand: {sys.executable} -m jupyterlab" in out
    assert out.endswith("fsdp_sym-lessons/start.ipynb\n")
    assert err == ""


def test_learn_says_what_is_due(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "mine").mkdir()
    other = Attempt("A-shard", 1, "1 GB", "right")
    save(small / "mine", Progress((Attempt("D-steps", 1, "1", "wrong"), other, other, other)))
    assert main(["learn", "--no-browser", "mine"]) == DONE
    assert "\ndue again, with new numbers: D-steps: run the last cells of D-practice.ipynb\n" in capsys.readouterr().out


def test_a_folder_without_a_name_is_refused(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--no-browser", ""]) == WRONG
    assert "learn needs a folder with a name: fsdp-sym learn my-lessons" in capsys.readouterr().err
    assert list(small.iterdir()) == []


def test_learn_without_jupyter_hands_out_and_names_the_remedy(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learn, "has_jupyter", lambda: False)
    assert main(["learn", "mine"]) == NO
    assert held(small / "mine") == FIRST
    err = capsys.readouterr().err
    assert err.endswith("pip install 'fsdp_sym[lab]'\n")
    assert err.count("\n") == 1


def stands_in_for_jupyter(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(learn, "has_jupyter", lambda: True)
    monkeypatch.setattr(learn, "_command", lambda path: [sys.executable, "-c", program, str(path)])


def test_learn_opens_the_lesson_and_says_where_the_work_is(
    small: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stands_in_for_jupyter(monkeypatch, "import sys; print('opened', sys.argv[1])")
    assert main(["learn", "mine"]) == DONE
    lines = capfd.readouterr().out.splitlines()
    assert lines[-2:] == [f"opened {Path('mine/start.ipynb')}", "Jupyter has stopped; your work is in mine"]


def test_a_jupyter_that_fails_is_said(small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stands_in_for_jupyter(monkeypatch, "import sys; sys.exit(3)")
    assert main(["learn", "mine"]) == NO
    assert "exit code 3" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("heeds", [True, False], ids=["heeds", "ignores"])
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_what_ends_learn_ends_jupyter_and_nothing_stays_behind(ending: signal.Signals, heeds: bool, small: Path) -> None:
    """Ctrl-C reaches both; a program that is told to end alone has to pass it on."""
    ignoring = "" if heeds else f"signal.signal({ending.value}, signal.SIG_IGN); "
    server = f"import signal, time; {ignoring}print('serving', flush=True); time.sleep(60)"
    program = (
        # A shell without job control starts what it puts in the background with Ctrl-C ignored.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys\nfrom pathlib import Path\nfrom fsdp_sym.publishing import learn\n"
        f"learn._SECONDS_TO_STOP = 1\nlearn._command = lambda path: [sys.executable, '-c', {server!r}]\n"
        "print('ended', learn.open_in_jupyter(Path('a')))"
    )
    root = Path(__file__).parents[2]
    started = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=root, start_new_session=True
    )
    with started:
        assert started.stdout is not None
        assert started.stdout.readline() == "serving\n"
        if ending == signal.SIGINT:
            os.killpg(started.pid, ending)
        else:
            started.send_signal(ending)
        said = started.communicate(timeout=30)[0]
        assert (said, started.returncode) == (("ended 0\n", 0) if ending == signal.SIGINT else ("", 143))
    with pytest.raises(ProcessLookupError):
        os.killpg(started.pid, 0)


def test_where_home_cannot_be_written_jupyter_s_files_go_beside_the_lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "JUPYTER_DATA_DIR" not in learn._environment(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "missing"))
    assert Path(learn._environment(tmp_path)["JUPYTER_DATA_DIR"]).is_relative_to(tmp_path)


@pytest.mark.parametrize("folder", ["file", "file/below", "file/far/below"])
def test_a_folder_that_cannot_be_is_one_line(folder: str, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "file").write_text("mine")
    assert main(["learn", "--no-browser", folder]) == WRONG
    assert capsys.readouterr() == ("", "fsdp-sym: file is no folder: name another one\n")
    assert (small / "file").read_text() == "mine"


def test_learn_refuses_a_link_in_the_way_with_one_line(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "mine").mkdir()
    (small / "mine" / "A.ipynb").symlink_to(small / "precious")
    assert main(["learn", "mine"]) == WRONG
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"fsdp-sym: {Path('mine/A.ipynb')} is a symbolic link, which is not written through: move it away\n"
