"""What frameworks and papers keep of each parameter, and what of it they divide among how many ranks.

Two conventions can have one sum from different parts: sixteen bytes are 2 + 2 + 12 in the ZeRO paper and 4 + 4 + 8 under FSDP2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sympy import Symbol

from ..algebra.vocabulary import STAGES, b_c, b_g, b_m, b_v, b_x
from .plans import BUFFERS, PLANS, WIDTHS, kept
from .rows import Row

Group = Literal["shard group", "data-parallel group"]

ALL: Final = frozenset(WIDTHS)
OPTIMIZER: Final = frozenset((b_c, b_m, b_v, b_x))


@dataclass(frozen=True)
class Convention:
    """How model state is counted somewhere.

    Parameters
    ----------
    name : str
    plan : Row
        Bytes of each buffer a parameter.
    divided : frozenset of sympy.Symbol
        The widths whose buffers are divided among the ranks.
    group : str
        Which ranks those are.
    state : str
        The formula that adds it up, by id.
    source : str
    """

    name: str
    plan: Row
    divided: frozenset[Symbol]
    group: Group
    state: str
    source: str

    @property
    def widths(self) -> dict[Symbol, int]:
        """Bytes a parameter of every buffer that is kept, in order."""
        return {s: int(self.plan.values[s].value) for s in WIDTHS if self.plan.values[s].value}

    @property
    def total(self) -> int:
        """Bytes a parameter, undivided."""
        return sum(self.widths.values())

    @property
    def said(self) -> str:
        """``2 (parameter) + 2 (gradient) + (4 (master copy) + ...)/N``: whole parts first, then what is divided."""
        whole = [f"{w} ({BUFFERS[s]})" for s, w in self.widths.items() if s not in self.divided]
        shared = [f"{w} ({BUFFERS[s]})" for s, w in self.widths.items() if s in self.divided]
        parts = whole + ([f"({' + '.join(shared)})/N"] if shared else [])
        return " + ".join(parts)


_ZERO: Final = PLANS["ZeRO mixed precision"]
_MEGATRON: Final = kept("Megatron bf16", "fp32 gradients: 2 + 4 + 12", b_w=2, b_g=4, b_c=4, b_m=4, b_v=4)
_MEGATRON_FP16: Final = kept("Megatron fp16", "both gradients: 2 + 2 + 4 + 12", b_w=2, b_g=2, b_x=4, b_c=4, b_m=4, b_v=4)
_PAPER: Final = "arXiv:1910.02054, section 5"
_TORCH: Final = "PyTorch 2.13.0, torch.distributed.fsdp.fully_shard"
_NVIDIA: Final = "NVIDIA/Megatron-LM, docs: distributed optimizer"
_SPEED: Final = "DeepSpeed 0.19.8, docs/code-docs/source/memory.rst"

CONVENTIONS: Final[dict[str, Convention]] = {
    c.name: c
    for c in (
        Convention(STAGES[0], _ZERO, frozenset(), "data-parallel group", "replicated_state", _PAPER),
        Convention(STAGES[1], _ZERO, OPTIMIZER, "data-parallel group", "zero_1_state", _PAPER),
        Convention(STAGES[2], _ZERO, OPTIMIZER | {b_g}, "data-parallel group", "zero_2_state", _PAPER),
        Convention(STAGES[3], _ZERO, ALL, "data-parallel group", "sharded_state", _PAPER),
        Convention("FSDP2", PLANS["FSDP2 mixed precision"], ALL, "shard group", "sharded_state", _TORCH),
        Convention("FSDP2 bf16", PLANS["pure bf16 Adam"], ALL, "shard group", "sharded_state", _TORCH),
        Convention("FSDP2 SGD", PLANS["fp32 SGD"], ALL, "shard group", "sharded_state", _TORCH),
        Convention("FSDP2 SGD momentum", PLANS["fp32 SGD with momentum"], ALL, "shard group", "sharded_state", _TORCH),
        Convention("FSDP2 amsgrad", PLANS["fp32 AdamW with amsgrad"], ALL, "shard group", "sharded_state", _TORCH),
        Convention("FSDP2 8-bit Adam", kept("8-bit Adam", "fp32 shards and one byte a moment: 4 + 4 + 2", b_w=4, b_g=4, b_m=1, b_v=1), ALL, "shard group", "sharded_state", "arXiv:2110.02861; without the scales of its blocks"),
        Convention("8-byte Adam", PLANS["8-byte Adam"], ALL, "shard group", "sharded_state", "moments in eight bytes, as some texts count"),
        Convention("Megatron", _MEGATRON, frozenset(), "data-parallel group", "replicated_state", _NVIDIA),
        Convention("Megatron distributed optimizer", _MEGATRON, OPTIMIZER, "data-parallel group", "distributed_optimizer", _NVIDIA),
        Convention("Megatron fp16 distributed optimizer", _MEGATRON_FP16, OPTIMIZER, "data-parallel group", "zero_1_state", _NVIDIA),
        Convention("Megatron fp32 distributed optimizer", PLANS["fp32 Adam"], OPTIMIZER, "data-parallel group", "zero_1_state", _NVIDIA),
        Convention("DeepSpeed ZeRO-2", _MEGATRON_FP16, OPTIMIZER | {b_g}, "data-parallel group", "zero_2_state", _SPEED),
        Convention("DeepSpeed ZeRO-3", _MEGATRON, ALL, "data-parallel group", "sharded_state", _SPEED),
        Convention("frozen", kept("frozen bf16", "2, no gradient and no optimizer", b_w=2), ALL, "shard group", "sharded_state", "weights that do not train"),
    )
}  # fmt: skip
