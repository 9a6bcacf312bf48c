"""What a training plan keeps of each parameter: widths by name, never just their sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sympy import Symbol

from ..algebra.vocabulary import b_c, b_g, b_m, b_v, b_w, b_x
from .rows import Row

BUFFERS: Final = {b_w: "parameter", b_g: "gradient", b_c: "master copy", b_m: "momentum", b_v: "variance", b_x: "other"}
WIDTHS: Final = tuple(BUFFERS)


def kept(name: str, source: str, **widths: int) -> Row:
    """A plan that keeps these bytes of each parameter, and nothing that is not named."""
    letters = {s.name: s for s in WIDTHS}
    given: Mapping[Symbol, object] = {letters[n]: w for n, w in ({s.name: 0 for s in WIDTHS} | widths).items()}
    return Row(name, given, source)


PLANS: Final[dict[str, Row]] = {
    row.name: row
    for row in (
        kept("fp32 Adam", "four fp32 buffers a parameter: itself, its gradient, Adam's two moments", b_w=4, b_g=4, b_m=4, b_v=4),
        kept("ZeRO mixed precision", "arXiv:1910.02054, section 3.1: 2 + 2 + 12", b_w=2, b_g=2, b_c=4, b_m=4, b_v=4),
        kept("FSDP2 mixed precision", "PyTorch fully_shard: fp32 shards, low precision is transient: 4 + 4 + 8", b_w=4, b_g=4, b_m=4, b_v=4),
        kept("8-byte Adam", "mixed precision with both moments in 8 bytes: 2 + 2 + 4 + 16", b_w=2, b_g=2, b_c=4, b_m=8, b_v=8),
        kept("pure bf16 Adam", "everything in bf16, no master copy: 2 + 2 + 4", b_w=2, b_g=2, b_m=2, b_v=2),
        kept("fp32 SGD", "no optimizer state: 4 + 4", b_w=4, b_g=4),
        kept("fp32 SGD with momentum", "one moment: 4 + 4 + 4", b_w=4, b_g=4, b_m=4),
        kept("fp32 AdamW with amsgrad", "Adam and the largest second moment so far: 4 + 4 + 12", b_w=4, b_g=4, b_m=4, b_v=4, b_x=4),
    )
}
