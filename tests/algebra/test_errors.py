"""An error of ours is one line in a notebook, as it is at a terminal."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell


def test_a_notebook_shows_one_line_and_no_traceback(capsys):
    shell = InteractiveShell()
    shell.run_cell("from fsdp_sym import work\nwork('D', 'all_gathr')")
    out, err = capsys.readouterr()
    shown = (out + err).strip()
    assert shown.startswith("UnknownName: no formula is called 'all_gathr': did you mean all_gather")
    assert "\n" not in shown
