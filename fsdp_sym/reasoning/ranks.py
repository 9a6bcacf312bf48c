"""What every rank of a large world holds of a model under FSDP2, as arrays: the formulas of sharding over all ranks at once.

Tensors with the same rows are dealt out alike, so that a model has a handful of columns, however many tensors it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sympy import Symbol

from ..algebra.errors import OutOfRange
from ..algebra.vocabulary import b_c, b_g, b_m, b_v, b_w, b_x
from ..scenarios.plans import PLANS
from ..scenarios.rows import Row
from ..scenarios.shapes import Shape, Tensor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_COUNTER = 4  # bytes: a float32 for each tensor, on every rank


class RankBytes(NamedTuple):
    """Bytes on each rank, one entry a rank.

    Attributes
    ----------
    logical : array of int64
        What the rank's own rows come to: parameters, gradients and states.
    allocated : array of int64
        What is really allocated: parameters and gradients padded to a full shard, states not, and the step counters.
    """

    logical: NDArray[np.int64]
    allocated: NDArray[np.int64]


def rank_bytes(shape: Shape, ranks: int, plan: Row | str = "FSDP2 mixed precision") -> RankBytes:
    """Persistent bytes of every rank between steps, gradients held.

    Parameters
    ----------
    shape : Shape
    ranks : int
        The shard group: how many ranks share the model.
    plan : Row or str
        What is kept of each parameter; all of it is sharded.

    Returns
    -------
    RankBytes

    Raises
    ------
    OutOfRange
        Where there is no rank.
    """
    import numpy as np

    if ranks < 1:
        raise OutOfRange(f"{ranks} ranks share nothing: give at least 1")
    values: Mapping[Symbol, int] = {s: int(x.value) for s, x in (PLANS[plan] if isinstance(plan, str) else plan).values.items()}
    padded, exact = values[b_w] + values[b_g], sum(values[s] for s in (b_c, b_m, b_v, b_x))
    rank = np.arange(ranks, dtype=np.int64)
    own = np.zeros(ranks, dtype=np.int64)
    shard = 0
    for rows, elements in _by_rows(shape.tensors).items():
        chunk = -(-rows // ranks)
        own += np.clip(rows - rank * chunk, 0, chunk) * elements
        shard += chunk * elements
    return RankBytes(own * (padded + exact), shard * padded + own * exact + STEP_COUNTER * shape.tensor_count)


def _by_rows(tensors: tuple[Tensor, ...]) -> dict[int, int]:
    """Elements of a row, of all tensors with so many rows together."""
    found: dict[int, int] = {}
    for tensor in tensors:
        found[tensor.rows] = found.get(tensor.rows, 0) + tensor.rest * tensor.alike
    return found
