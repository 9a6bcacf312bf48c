"""Collectives of one optimizer step under FSDP2, recorded op by op: four blocks and a root group of two matrices, 64 x 64 each."""

from __future__ import annotations

from typing import Final

from .form import Record, measured

_HOW: Final = "every op of the namespaces c10d and _c10d_functional, recorded by a dispatch mode"
_BLOCKS: Final = 4 * 4 * 64**2  # bytes in fp32
_ROOT: Final = 2 * 4 * 64**2


def _record(id: str, formula: str, what: str, **at: int) -> Record:
    return measured(id, formula, at, what, "collectives", _HOW)


def _gathers(name: str, what: str, **at: int) -> Record:
    return _record(f"gathers-{name}", "gathers_in_step", f"all-gathers, {what}", **{"L": 4, "K_mb": 1, "r": 1, "u_root": 0} | at)


def _scatters(name: str, what: str, **at: int) -> Record:
    return _record(f"scatters-{name}", "scatters_in_step", f"reduce-scatters, {what}", **{"L": 4, "K_mb": 1, "u_sync": 1} | at)


def _bytes(name: str, what: str, ranks: int = 4, width: int = 1, **at: int) -> Record:
    """Bytes received in a step; `width` bytes are gathered where fp32 has four."""
    sizes = {"N": ranks, "S_blk": _BLOCKS // width, "S_root": _ROOT // width, "S_g": _BLOCKS + _ROOT}
    return _record(f"bytes-{name}", "step_traffic", f"bytes received, {what}", **sizes | {"r": 1, "u_root": 0, "K_mb": 1, "u_sync": 1} | at)


COLLECTIVES: Final = (
    _gathers("reshard", "reshard_after_forward=True"),
    _scatters("reshard", "reshard_after_forward=True"),
    _gathers("default", "reshard_after_forward=None"),
    _gathers("kept", "reshard_after_forward=False", r=0),
    _scatters("kept", "reshard_after_forward=False"),
    _gathers("root-too", "resharding the root group as well", u_root=1),
    _scatters("root-too", "resharding the root group as well"),
    _gathers("group-of-2", "reshard_after_forward=2"),
    _scatters("group-of-2", "reshard_after_forward=2"),
    _gathers("no-grad", "a forward pass under no_grad: nothing is gathered again", r=0),
    _gathers("frozen", "one block frozen"),
    _record("scatters-frozen", "scatters_with_frozen", "reduce-scatters, one block frozen", L=4, L_frozen=1),
    _gathers("checkpointed", "activation checkpointing inside"),
    _scatters("checkpointed", "activation checkpointing inside"),
    _gathers("micro", "3 micro-batches", K_mb=3),
    _scatters("micro", "3 micro-batches, each reduced", K_mb=3),
    _gathers("deferred", "3 micro-batches, set_requires_gradient_sync on the last alone", K_mb=3),
    _scatters("deferred", "3 micro-batches, set_requires_gradient_sync on the last alone", K_mb=3, u_sync=0),
    _record(
        "gathers-kept-after-backward", "gathers_kept", "all-gathers, 3 micro-batches, set_reshard_after_backward on the last alone", L=4, K_mb=3
    ),
    _scatters("kept-after-backward", "3 micro-batches, gradients and resharding on the last alone", K_mb=3, u_sync=0),
    _gathers("replicas", "3 micro-batches on 2 replicas, set_requires_all_reduce on the last alone", K_mb=3),
    _scatters("replicas", "the same: every micro-batch reduces inside the shard group", K_mb=3),
    _record("reduces-replicas", "replica_reduces_in_step", "all-reduces, the same: across replicas in the last alone", L=4, K_mb=3, u_all=0),
    _record("reduces-each", "replica_reduces_in_step", "all-reduces, 3 micro-batches on 2 replicas, each reduced", L=4, K_mb=3, u_all=1),
    _gathers("ends", "embedding a block of its own, the head's group not resharded", L=5),
    _scatters("ends", "embedding a block of its own, the head's group not resharded", L=5),
    _bytes("reshard", "reshard_after_forward=True"),
    _bytes("kept", "reshard_after_forward=False", r=0),
    _bytes("root-too", "resharding the root group as well", u_root=1),
    _bytes("mixed", "bf16 parameters, fp32 reduction", width=2),
    _bytes("mixed-root-too", "bf16 parameters, fp32 reduction, the root group resharded: 8 B a parameter", width=2, u_root=1),
    _bytes("mixed-kept", "bf16 parameters, fp32 reduction, not resharded: 6 B a parameter", width=2, r=0),
    _bytes("micro", "3 micro-batches", K_mb=3),
    _bytes("deferred", "3 micro-batches, gradients synchronised in the last", K_mb=3, u_sync=0),
    _bytes("alone", "one rank: it makes no collective", ranks=1),
    _record(
        "bytes-group-of-2", "resharded_to_group", "bytes received, reshard_after_forward=2 on 4 ranks", N=4, S_blk=_BLOCKS, S_root=_ROOT, n_grp=2
    ),
    _record(
        "bytes-no-grad", "gathered_in_step", "bytes received, a forward pass under no_grad: nothing is reduced", N=4, S_blk=_BLOCKS, S_root=_ROOT,
        r=0, u_root=0, K_mb=1,
    ),
    _record("bytes-replicas", "replica_all_reduce", "bytes received across 2 replicas of 4 ranks", N=4, S_g=_BLOCKS + _ROOT, R_rep=2),
    _record("bytes-clip", "clip_traffic", "bytes received in clip_grad_norm_, 6 tensors", N=4, n_T=6, b_step=4),
    _record(
        "bytes-adapters", "lora_traffic", "bytes received, adapters of rank 8 on four frozen matrices, all in blocks", N=4,
        S=_BLOCKS + 4 * 4 * 2 * 8 * 64, S_ad=4 * 4 * 2 * 8 * 64, r=1,
    ),
)  # fmt: skip
