"""Running a notebook in a fresh kernel, so that what is stored depends on nothing but its cells."""

from __future__ import annotations

import asyncio
import tempfile
from typing import TYPE_CHECKING

from ..algebra.errors import FsdpSymError

if TYPE_CHECKING:
    from nbformat import NotebookNode

_CELL_SECONDS = 120


class BuildRefused(FsdpSymError):
    """The build found something it will not write."""


def run(node: NotebookNode, name: str, remedy: str) -> None:
    """Run a notebook's cells, in a folder that is thrown away afterwards; their outputs are put into it.

    Parameters
    ----------
    node : NotebookNode
    name, remedy : str
        The notebook's file and what to mend where a cell fails, for the refusal.

    Raises
    ------
    BuildRefused
        Where a cell fails or writes to stderr.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            node, timeout=_CELL_SECONDS, kernel_name="python3", record_timing=False, coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"], resources={"metadata": {"path": folder}},
        )  # fmt: skip
        try:
            asyncio.run(client.async_execute())  # a loop of its own, closed afterwards, on whichever thread this is
        except CellExecutionError as error:
            raise BuildRefused(f"{name} fails with {error.ename}: {error.evalue}: {remedy}") from None
    node.metadata.language_info = {"name": "python"}  # the kernel adds its version, which would be drift elsewhere
    for cell in node.cells:
        cell.metadata.pop("execution", None)
        for out in cell.get("outputs", ()):
            if out.output_type == "stream" and out.name == "stderr":
                raise BuildRefused(f"{name}, cell {cell.id} writes to stderr: {out.text.strip()[:200]}")
