"""Mistakes that are none: the mutant means the same, and why."""

from __future__ import annotations

_FINER = "the grid of the search may be finer: the bounds still hold the value, only closer"
_LONGER = "the search may look further than it needs to: the first rise stays where it is"
_WIDER = "the bounds may lie one step of the grid further out: they stay far narrower than the audit asks"
_SAME_RATIO = "the ratio is the same for every number of ranks, so any range of them will do"

EQUIVALENTS: dict[str, dict[str, str]] = {
    "activations.first_stage_activations": {
        "2 * N_p -> 3 * N_p": "a pipeline that is fuller than it needs to be is full as well",
    },
    "activations.checkpoints": {
        "2 ** 20 -> 3 ** 20": _FINER,
        "2 ** 20 -> 2 ** 21": _FINER,
        "layers * checkpoint // layer -> layers * checkpoint": _LONGER,
        "layers * checkpoint // layer + 1 -> layers * checkpoint // layer + 2": _LONGER,
        "lo=1 -> lo=2": "the best interval is never as short as a millionth of a layer, where the search starts",
        "at - 1 -> at - 2": _WIDER,
        "at + 1 -> at + 2": "a peak that has not risen after two steps has not risen after one, but for the step at the bottom itself",
        "at + 1 -> at + 2 (no. 2)": _WIDER,
        "(layers, 0) -> (layers, 1)": "the peak is at least one byte, so it may as well start from there",
    },
    "communication.zero_2_over_all_reduce": {
        "range(2, 9) -> range(2, 10)": _SAME_RATIO,
        "range(2, 9) -> range(3, 9)": _SAME_RATIO,
    },
    "memory.buffers": {
        "range(4) -> range(5)": "a guard against a stage that no formula asks for",
    },
    "pipeline.pipeline_traffic": {
        "alternating_orders(3, K_mb, n_chk) -> alternating_orders(4, K_mb, n_chk)": (
            "a stage in the middle has two neighbours, however many there are"
        ),
    },
    "placement.layout": {
        "isqrt(number) + 1 -> isqrt(number) + 2": "beyond the root only the other half of a pair is met, which is taken already",
    },
    "placement.ordered_splits": {
        "2 ** e -> 3 ** e": "any prime has as many splits: it is its exponent that is shared out",
    },
}
