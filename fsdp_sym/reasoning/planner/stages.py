"""Which layers a pipeline's stages and their chunks hold, and how many of them are in flight.

A model is cut into as many parts as there are chunks on all stages, and they are dealt out in turn: a part to every stage, then another.
Layers that do not divide go to the last parts but one, then to the last: the parts with embedding and head have fewer, and may have none.
Where chunks differ in size, a stage is timed as if all of its own were as large as its largest: at most a layer more for each chunk. 1F1B
played task by task takes no longer than that, and often less.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

_LOOKED_AT: Final = 3
_TURNS: Final = 3  # through all chunks: then what is in flight repeats


class Stage(NamedTuple):
    """A stage of a pipeline, or of each of many.

    Attributes
    ----------
    number : int
        From 0.
    layers : int
    paced : int
        As many layers as it would have if each of its chunks were as large as its largest, which sets the pace; but the last of all chunks,
        which has the logits beside its layers, counts as it is.
    flying : int
        Layers that are in flight when most are, each counted as often as it has gone forward and not yet back.
    """

    number: Any
    layers: Any
    paced: Any
    flying: Any


def stages(layers: int, pipeline: Any, chunks: Any, rounds: Any) -> list[Stage]:
    """Of many pipelines the stages that may be the fullest or the slowest.

    They are the first, where the most is in flight; the first of those with the most layers; and the last, which has the logits. Others
    have no more layers than one of these that stands before them.
    """
    few = np.minimum(rounds, _TURNS * pipeline)
    span = 1 + int(max(few.max(initial=0), chunks.max(initial=0)))
    keys, which = np.unique((pipeline * span + chunks) * span + few, return_inverse=True)
    found = [_looked_at(layers, *divmod(int(key) // span, span), int(key) % span) for key in keys]
    table = np.array(found, np.int64).reshape(-1, _LOOKED_AT, len(Stage._fields))
    return [Stage(*(table[:, at, field][which] for field in range(len(Stage._fields)))) for at in range(_LOOKED_AT)]


@cache
def _looked_at(layers: int, pipeline: int, chunks: int, rounds: int) -> list[Stage]:
    parts = _filled(layers, pipeline * chunks)
    held = [parts[number::pipeline] for number in range(pipeline)]
    sizes = [sum(own) for own in held]
    return [
        Stage(number, sizes[number], _paced(held[number], number == pipeline - 1), _flying(held[number], number, pipeline, rounds))
        for number in (0, sizes.index(max(sizes)), pipeline - 1)
    ]


def _filled(layers: int, parts: int) -> list[int]:
    each, more = divmod(layers, parts)
    takers = [*range(parts - 2, 0, -1), parts - 1][:more]
    return [each + (part in takers) for part in range(parts)]


def _paced(chunks: Sequence[int], last: bool) -> int:
    largest = max(chunks)
    return largest * len(chunks) - (largest - chunks[-1] if last else 0)


def _flying(chunks: Sequence[int], number: int, pipeline: int, rounds: int) -> int:
    """Of one chunk in as many micro-batches as there are stages from it on; of several after each step forward of 1F1B."""
    if len(chunks) == 1:
        return chunks[0] * min(rounds, pipeline - number)
    ahead, back = (np.tile(np.repeat(order, pipeline), rounds // pipeline).cumsum() for order in (chunks, chunks[::-1]))
    lead = min(2 * (pipeline - 1 - number) + (len(chunks) - 1) * pipeline, len(ahead) - 1)
    returned = np.concatenate(([0], back[: len(ahead) - 1 - lead]))
    return int((ahead[lead:] - returned).max())
