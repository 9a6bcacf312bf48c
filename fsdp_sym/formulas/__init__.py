"""Every formula, one proposition a file, grouped in topics.

``from fsdp_sym import formulas`` then ``formulas.all_gather``: a formula's file is imported when it is first named.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any


def __getattr__(name: str) -> Any:
    for file in Path(__file__).parent.glob(f"*/{name}.py*"):  # where modules came translated, as on the practice page, there is no .py
        module = import_module(f".{file.parent.name}.{name}", __name__)
        if hasattr(module, name):
            globals()[name] = found = getattr(module, name)  # named once, it is here the next time
            return found
    raise AttributeError(f"no formula is called {name!r}")


def __dir__() -> list[str]:
    files = Path(__file__).parent.glob("*/*.py")
    return sorted(file.stem for file in files if f"\n{file.stem} = Formula(" in file.read_text(encoding="utf-8"))
