"""Temporaries of Adam's step beyond parameters, gradients and states: six matrices of 64 x 64 on four ranks."""

from __future__ import annotations

from typing import Final

from .form import measured

_HOW: Final = "live storages added up after every operation of the step"
_P: Final = 6 * 64**2
_SHARD: Final = 4 * 64**2 // 4

TEMPORARIES: Final = (
    measured("foreach-temporaries", "foreach_temporaries", {"P": _P, "N": 4, "b_t": 4}, "all tensors at once", "optimizer", _HOW),
    measured(
        "loop-temporaries", "loop_temporaries", {"S_big": _SHARD, "S_prev": _SHARD}, "tensor after tensor, all alike", "optimizer", _HOW
    ),
    measured("loop-temporaries-first", "loop_temporaries", {"S_big": _SHARD, "S_prev": 0}, "one tensor alone", "optimizer", _HOW),
    measured("flat-temporaries", "flat_temporaries", {"P": _P, "N": 4, "b_t": 4}, "one flat shard", "optimizer", _HOW),
    measured(
        "tracker-total", "optimizer_step_peak", {"M_w": _P, "M_g": _P, "M_o": 2 * _P + 24, "M_tmp": 0},
        "FSDPMemTracker's total after a step, inputs left aside", "optimizer", "torch.distributed._tools.fsdp2_mem_tracker",
    ),
    measured(
        "fused-step", "optimizer_step_peak", {"M_w": _P, "M_g": _P, "M_o": 2 * _P + 24, "M_tmp": 0},
        "a fused step at its fullest: no temporaries", "optimizer", _HOW,
    ),
)  # fmt: skip
