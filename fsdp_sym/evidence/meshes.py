"""Tensor and sequence parallelism, recorded on one rank of a fake group: collectives, kept bytes, and what is replicated."""

from __future__ import annotations

from typing import Final

from .form import Record, measured

_HOW: Final = "parallelize_module on a block with biases and dropout, collectives and saved tensors recorded; bf16"
_BLOCK: Final = {"b": 2, "s": 64, "d": 128, "b_a": 2, "N_t": 4}
_KEPT: Final = {**_BLOCK, "f": 512, "a": 8, "b_k": 1, "b_n": 2}
_H: Final = 8192


def _mesh(id: str, formula: str, what: str, **at: int) -> Record:
    return measured(id, formula, at, what, "parallel", _HOW)


MESHES: Final = (
    _mesh("tp-reduces", "tensor_parallel_reduces", "all-reduces of a tensor-parallel block", L=1, n_in=4),
    _mesh("tp-reduces-prepared", "tensor_parallel_reduces", "all-reduces, inputs prepared", L=1, n_in=2),
    _mesh("tp-bytes", "tensor_parallel_traffic", "bytes received", L=1, n_in=4, **_BLOCK),
    _mesh("tp-bytes-prepared", "tensor_parallel_traffic", "bytes received, inputs prepared", L=1, n_in=2, **_BLOCK),
    _mesh("tp-kept", "tensor_parallel_activations", "bytes kept on a rank of 4", **_KEPT),
    _mesh("sp-pairs", "sequence_parallel_pairs", "pairs of an all-gather and a reduce-scatter, split along the sequence too", L=1),
    _mesh("sp-bytes", "sequence_parallel_traffic", "bytes received, split along the sequence too", L=1, **_BLOCK),
    _mesh("sp-kept", "dtensor_activations", "bytes kept on a rank of 4, gathered inputs stay", **_KEPT),
    measured(
        "eighty-blocks", "replicated_over_tensor",
        {"N_d": 16, "N_p": 8, "N_t": 8, "B": 16, "P_split": 80 * (12 * _H**2 + 7 * _H), "P_whole": 80 * 6 * _H},
        "80 blocks of h = 8192 with biases on 16 x 8 x 8 ranks, bytes a rank", "parallel",
        "parallelize_module and fully_shard on the meta device, one stage of ten blocks, local tensors after a step of Adam",
    ),
)  # fmt: skip
