"""What several cells draw from: rank counts, models and tensor sizes that people use."""

from __future__ import annotations

from typing import Final

RANKS: Final = ("3", "4", "5", "6", "7", "8", "10", "12", "14", "16", "20", "24", "28", "32", "40", "48", "56", "64", "72", "80", "96")
MODELS: Final = ("494032768", "1.1e9", "1557611200", "2.5e9", "6738415616", "7e9", "8030261248", "13e9", "33e9", "70e9")
TENSORS: Final = ("150 MB", "270 MB", "404.8 MB", "436.2 MB", "700 MB", "871 MB", "1.2 GB", "1.75 GB", "2.3 GB")
MIXED: Final = ("ZeRO mixed precision", "8-byte Adam")
GATHERED: Final = "A layer of [[S]] is sharded with FSDP over [[N]] ranks; its parameters are gathered once for the forward pass and [[r]] more times for the backward pass, and its gradients are as large."
KEPT: Final = "Each parameter keeps [[plan]]."
