"""A sheet as a notebook: a cell a question, and a cell for each answer. It is made from the sheet alone, which holds no key."""

from __future__ import annotations

import json
from typing import Any

from ...teaching.classroom.sheet import Sheet
from .sheet_text import pieces

SUFFIX = ".ipynb"


def export(sheet: Sheet) -> bytes:
    """The notebook's bytes, as Jupyter itself would write them. Cell ids are the same on every sheet of an assignment."""
    cells = [_cell(name.lower(), text) for name, text in pieces(sheet)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"fsdp_sym": {"sheet": sheet.id}, "kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def _cell(name: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}
