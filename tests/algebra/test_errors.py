"""An error of ours is one line in a notebook, as it is at a terminal."""

from __future__ import annotations

import pickle
import subprocess
import sys

from fsdp_sym.algebra.errors import FsdpSymError, UnknownName

# In a process of its own: a shell changes the interpreter it runs in.
_SHELL = """
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell().run_cell("from fsdp_sym import work\\nwork('D', 'all_gathr')")
"""


def test_a_notebook_shows_one_line_and_no_traceback(tmp_path):
    done = subprocess.run([sys.executable, "-c", _SHELL], capture_output=True, text=True, check=False, cwd=tmp_path)
    shown = (done.stdout + done.stderr).strip()
    assert shown.startswith("UnknownName: no formula is called 'all_gathr': did you mean all_gather")
    assert "\n" not in shown


def test_an_error_comes_back_from_another_process_as_its_line():
    error = UnknownName("formula", "all_gathr", ["all_gather"])
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, FsdpSymError)
    assert str(again) == str(error) == "no formula is called 'all_gathr': did you mean all_gather?"
