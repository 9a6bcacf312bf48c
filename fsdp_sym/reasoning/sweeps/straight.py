"""Operations written out as one function, which goes through a block from the first to the last.

A loop over them would find, after each operation on a block, that what it looks things up in has left the processor's cache.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .nodes import Node

Held = Any  # an array, or a number where nothing in a block changes it
Step = tuple[Callable[..., Any], np.dtype[Any] | None]  # what is done, and the type of the buffer it fills; none for a number


def straight(
    nodes: Sequence[Node], steps: Mapping[int, Step], given: Sequence[int], constants: Mapping[int, Held], results: Sequence[int]
) -> tuple[Callable[..., list[Held]], list[np.dtype[Any]]]:  # fmt: skip
    """The function of what stands in the given places and then of buffers, and the types of these.

    A buffer is free for another result as soon as the one in it is read for the last time.
    """
    names = {place: f"x{place}" for place in range(len(nodes))}
    # Beside an array numpy takes in an array of one number faster than a number.
    space: dict[str, Any] = {names[place]: np.asarray(value) for place, value in constants.items()}
    last: dict[int, int | None] = {arg: place for place in steps for arg in nodes[place].places}
    last.update(dict.fromkeys(results))
    filled: dict[int, int] = {}
    free: dict[np.dtype[Any], list[int]] = defaultdict(list)
    dtypes: list[np.dtype[Any]] = []
    lines: list[str] = []
    for place, (function, dtype) in steps.items():
        node = nodes[place]
        name = f"{node.op}_{'whole' if node.whole else 'real'}"
        space[name] = function
        args = ", ".join(names[arg] for arg in node.places)
        if dtype is None:
            lines.append(f"{names[place]} = {name}({args})")
            continue
        for arg in set(node.places):
            if arg in filled and last[arg] == place:
                free[dtypes[filled[arg]]].append(filled[arg])
        if not free[dtype]:
            free[dtype].append(len(dtypes))
            dtypes.append(dtype)
        filled[place] = free[dtype].pop()
        names[place] = f"buffer{filled[place]}"
        lines.append(f"{name}({args}, out={names[place]})")
    lines.append(f"return [{', '.join(names[place] for place in results)}]")
    head = ", ".join([*(names[place] for place in given), *(f"buffer{at}" for at in range(len(dtypes)))])
    exec("\n    ".join([f"def straight({head}):", *lines]), space)  # printed from our own operations
    return space["straight"], dtypes
