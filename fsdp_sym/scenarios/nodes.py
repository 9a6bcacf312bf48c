"""Nodes of GPUs as a plan needs them: memory, peak, and the links of one GPU inside and out of its node, one way."""

from __future__ import annotations

from typing import Final

from ..algebra.vocabulary import M_max, W, W_mem, W_net, X_peak, n_node
from .rows import Row

NODES: Final[dict[str, Row]] = {
    row.name: row
    for row in (
        Row(
            "a100-node", {n_node: 8, M_max: "80 GiB", X_peak: "312 TFLOPS", W: "300 GB/s", W_net: "200 Gbps", W_mem: "2039 GB/s"},
            "NVIDIA A100 data sheet, SXM 80 GB: dense bf16 peak, NVLink one way; one HDR link a GPU",
        ),
        Row(
            "h100-node", {n_node: 8, M_max: "81559 MiB", X_peak: "989 TFLOPS", W: "450 GB/s", W_net: "400 Gbps", W_mem: "3350 GB/s"},
            "NVIDIA H100 data sheet, SXM 80 GB: dense bf16 peak, NVLink one way; one NDR link a GPU; memory as the driver reports it",
        ),
        Row(
            "h100-96gb-node", {n_node: 8, M_max: "96 GB", X_peak: "989 TFLOPS", W: "450 GB/s", W_net: "400 Gbps", W_mem: "2400 GB/s"},
            "pytorch/torchtitan, benchmarks/llama3_h100_202412_torchtitan.md: HBM2e, 500 W; its peak is between two parts' and not known",
        ),
        Row(
            "h200-node", {n_node: 8, M_max: "143771 MiB", X_peak: "989 TFLOPS", W: "450 GB/s", W_net: "400 Gbps", W_mem: "4800 GB/s"},
            "NVIDIA H200 data sheet, SXM 141 GB: dense bf16 peak, NVLink one way; one NDR link a GPU; memory as the driver reports it",
        ),
    )
}  # fmt: skip
