"""Nodes of GPUs as a plan needs them: a device's memory and peak, its memory's bandwidth, and its links inside and out of the node."""

from __future__ import annotations

from typing import Final

from ..algebra.vocabulary import M_max, W_mem
from .machines import MACHINES
from .rows import Row


def _node(name: str, links: str, device: str, bandwidth: str, source: str, memory: str | None = None) -> Row:
    """A node of these devices, with the links of that node."""
    own = {W_mem: bandwidth} if memory is None else {W_mem: bandwidth, M_max: memory}
    given = {**MACHINES[device].given, **MACHINES[links].given, **own}
    return Row(name, given, f"{MACHINES[device].source}; {source}")


NODES: Final[dict[str, Row]] = {
    row.name: row
    for row in (
        _node("a100-node", "a100-node", "A100 SXM 80 GB", "2039 GB/s", "links of a DGX A100"),
        _node("h100-node", "h100-node", "H100 SXM 80 GB", "3350 GB/s", "links of a DGX H100"),
        _node(
            "h100-96gb-node", "h100-node", "H100 SXM 80 GB", "2400 GB/s",
            "pytorch/torchtitan, benchmarks/llama3_h100_202412_torchtitan.md: 96 GB of HBM2e, 500 W; its peak is not known", memory="96 GB",
        ),
        _node("h200-node", "h100-node", "H200 SXM 141 GB", "4800 GB/s", "links of a DGX H100"),
    )
}  # fmt: skip
