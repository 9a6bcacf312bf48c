"""What Sphinx complains of is a refusal in one line; it stands here because the default suite has no Sphinx."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PAGE = "# A page\n\n[a link](/gone.md)\n"
RUN = """
import sys
from pathlib import Path
from fsdp_sym.publishing.book.site import make_pages
from fsdp_sym.publishing.kernel import BuildRefused
here = Path(sys.argv[1])
try:
    make_pages(here / "sources", here / "static", here / "made")
except BuildRefused as refused:
    print(refused)
"""


def test_a_link_to_no_page_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    for name, text in {"sources/index.md": PAGE, "static/icon.svg": "<svg/>"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    done = subprocess.run([sys.executable, "-c", RUN, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Sphinx refuses the book: index.md:3: WARNING: 'myst' cross-reference target not found: '/gone.md'")
    assert done.stdout.count("\n") == 1
