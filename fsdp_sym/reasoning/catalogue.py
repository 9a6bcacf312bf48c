"""Everything of a kind in a package, found by walking it. It knows no wing and no names."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Final, TypeVar

from ..algebra.errors import UnknownName
from ..algebra.formula import Formula

T = TypeVar("T")
_LONGEST_NAME: Final = 100


def modules(package: ModuleType) -> list[ModuleType]:
    """The package's modules, in the order of their names."""
    names = sorted(m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + "."))
    return [importlib.import_module(name) for name in names]


def find(package: ModuleType, kind: type[T]) -> list[T]:
    """Every module-level value of a kind, once, where it was defined first by module name.

    Parameters
    ----------
    package : module
        A package such as ``fsdp_sym.formulas`` or a course of one's own.
    kind : type
        For instance `Formula`; see `held`.
    """
    return held(modules(package), kind)


def held(holders: Iterable[ModuleType], kind: type[T]) -> list[T]:
    """Every module-level value of a kind in some modules, once; lists, tuples and dictionaries of the kind are looked into."""
    found: dict[int, T] = {}
    for module in holders:
        for value in vars(module).values():
            rows = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else (value,)
            for item in rows:
                if isinstance(item, kind):
                    found.setdefault(id(item), item)
    return list(found.values())


@cache
def formulas() -> dict[str, Formula]:
    """Every formula by its id, in the order of topics and names; a course that is opened adds its own behind them."""
    from .. import formulas as wing

    found = find(wing, Formula)
    return {f.id: f for f in sorted(found, key=lambda f: f.module)}


def formula(name: str) -> Formula:
    """The formula with this id.

    Raises
    ------
    UnknownName
        With the nearest ids.
    """
    from .. import formulas as wing

    # One file is imported, not all of them: a notebook uses a handful. No file has a name of more letters.
    found = getattr(wing, name, None) if name.isidentifier() and len(name) <= _LONGEST_NAME else None
    if not isinstance(found, Formula):
        found = formulas().get(name)
    if found is None:
        raise UnknownName("formula", name, formulas(), "fsdp-sym list formulas shows them all")
    return found
