"""How many collectives one optimizer step issues under FSDP2, recorded op by op: L blocks and a root group."""

from __future__ import annotations

from typing import Final

from .form import TORCH, Record

_HOW: Final = "every op of the namespaces c10d and _c10d_functional, recorded by a dispatch mode"
_RUN: Final = "fsdp-sym measure --only collectives"


def _gathers(name: str, value: int, what: str, **at: int) -> Record:
    given = {"L": 4, "K_mb": 1, "r": 1, "u_root": 0} | at
    return Record(f"gathers-{name}", "gathers_in_step", given, value, f"all-gathers, {what}", TORCH, _HOW, _RUN)


def _scatters(name: str, value: int, what: str, **at: int) -> Record:
    given = {"L": 4, "K_mb": 1, "u_sync": 1} | at
    return Record(f"scatters-{name}", "scatters_in_step", given, value, f"reduce-scatters, {what}", TORCH, _HOW, _RUN)


COLLECTIVES: Final = (
    _gathers("reshard", 9, "reshard_after_forward=True"),
    _gathers("kept", 5, "reshard_after_forward=False", r=0),
    _gathers("root-too", 10, "resharding the root group as well", u_root=1),
    _gathers("three-micro-batches", 27, "3 micro-batches", K_mb=3),
    Record(
        "gathers-kept-after-backward", "gathers_kept", {"L": 4, "K_mb": 3}, 17,
        "all-gathers, 3 micro-batches, set_reshard_after_backward on the last alone", TORCH, _HOW, _RUN,
    ),
    _scatters("one", 5, "one micro-batch"),
    _scatters("three", 15, "3 micro-batches, each reduced", K_mb=3),
    _scatters("deferred", 5, "3 micro-batches, set_requires_gradient_sync on the last alone", K_mb=3, u_sync=0),
    Record("scatters-frozen", "scatters_with_frozen", {"L": 4, "L_frozen": 1}, 4, "reduce-scatters, one block frozen", TORCH, _HOW, _RUN),
)  # fmt: skip
