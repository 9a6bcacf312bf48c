"""Devices, nodes and links, each with its source. Links are per direction, peaks dense and of 16-bit products, and of fp8 where they are named: a data sheet
prints twice as many, with sparsity.

"80 GB" on a data sheet is sometimes 80e9 bytes and sometimes 80 GiB: a row says which it means.
"""

from __future__ import annotations

from typing import Final

from ..algebra.vocabulary import M_max, R_bit, W, W_net, X_fp8, X_peak, n_bit, n_link, n_node
from .rows import Row

_ROUND = "a round budget in decimal gigabytes, as in the worked scenarios"

MACHINES: Final[dict[str, Row]] = {
    row.name: row
    for row in (
        Row("80 GB device", {M_max: "80 GB"}, _ROUND),
        Row("10 GB budget", {M_max: "10 GB"}, _ROUND),
        Row("V100 SXM 32 GB", {M_max: "31.75 GiB", W: "150 GB/s", X_peak: "125 TFLOP/s"}, "NVIDIA V100 data sheet; usable memory as the driver reports it"),
        Row("A100 SXM 40 GB", {M_max: "40 GiB", W: "300 GB/s", X_peak: "312 TFLOP/s"}, "NVIDIA A100 data sheet; NVLink one way"),
        Row("A100 SXM 80 GB", {M_max: "80 GiB", W: "300 GB/s", X_peak: "312 TFLOP/s"}, "NVIDIA A100 data sheet: 81,920 MiB; NVLink one way"),
        Row("H100 SXM 80 GB", {M_max: "81559 MiB", W: "450 GB/s", X_peak: "989 TFLOP/s", X_fp8: "1979 TFLOP/s"}, "NVIDIA H100 data sheet; memory as the driver reports it; NVLink one way"),
        Row("H200 SXM 141 GB", {M_max: "143771 MiB", W: "450 GB/s", X_peak: "989 TFLOP/s", X_fp8: "1979 TFLOP/s"}, "NVIDIA H200 data sheet; memory as the driver reports it; NVLink one way"),
        Row("L40S 48 GB", {M_max: "46068 MiB", W: "32 GB/s", X_peak: "362 TFLOP/s"}, "NVIDIA L40S data sheet; memory as the driver reports it; PCIe 4 x16"),
        Row("10 GbE", {R_bit: "10 Gbps", n_bit: 8}, "IEEE 802.3ae line rate"),
        Row("100 GbE", {R_bit: "100 Gbps", n_bit: 8}, "IEEE 802.3ba line rate"),
        Row("InfiniBand HDR", {R_bit: "200 Gbps", n_bit: 8}, "InfiniBand HDR, four lanes, data rate one way"),
        Row("InfiniBand NDR", {R_bit: "400 Gbps", n_bit: 8}, "InfiniBand NDR, four lanes, data rate one way"),
        Row("8-GPU node", {n_node: 8}, "the common size of a node with NVLink"),
        Row("a100-node", {n_node: 8, W: "300 GB/s", n_link: 8, W_net: "25 GB/s"}, "NVIDIA DGX A100 data sheet: NVLink one way, an HDR link of 200 Gb/s for each GPU"),
        Row("h100-node", {n_node: 8, W: "450 GB/s", n_link: 8, W_net: "50 GB/s"}, "NVIDIA DGX H100 data sheet: NVLink one way, an NDR link of 400 Gb/s for each GPU"),
    )
}
