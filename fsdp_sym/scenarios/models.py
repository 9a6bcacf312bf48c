"""Models: parameter counts and shapes, each with its source."""

from __future__ import annotations

from typing import Final

from ..algebra.vocabulary import L, P, a, d, f
from .rows import Row

_CARD = "the model's published configuration and parameter count"

MODELS: Final[dict[str, Row]] = {
    row.name: row
    for row in (
        Row("7B", {P: "7B"}, "a round count, as in the worked scenarios"),
        Row("3B", {P: "3B"}, "a round count, as in the worked scenarios"),
        Row("1.3B", {P: "1.3B"}, "a round count, as in the worked scenarios"),
        Row("GPT-3 175B", {P: "175e9", L: 96, d: 12288, f: 49152, a: 96}, "arXiv:2005.14165, table 2.1; P rounded as in its title"),
        Row("GPT-2 small", {P: 124439808, L: 12, d: 768, f: 3072, a: 12}, _CARD),
        Row("GPT-2 XL", {P: 1557611200, L: 48, d: 1600, f: 6400, a: 25}, _CARD),
        Row("Llama-2-7B", {P: 6738415616, L: 32, d: 4096, f: 11008, a: 32}, "arXiv:2307.09288; " + _CARD),
        Row("Llama-2-13B", {P: 13015864320, L: 40, d: 5120, f: 13824, a: 40}, "arXiv:2307.09288; " + _CARD),
        Row("Llama-2-70B", {P: 68976648192, L: 80, d: 8192, f: 28672, a: 64}, "arXiv:2307.09288; " + _CARD),
        Row("Llama-3-8B", {P: 8030261248, L: 32, d: 4096, f: 14336, a: 32}, "arXiv:2407.21783; " + _CARD),
        Row("Llama-3-405B", {P: 405853388800, L: 126, d: 16384, f: 53248, a: 128}, "arXiv:2407.21783; " + _CARD),
        Row("Mistral-7B", {P: 7241732096, L: 32, d: 4096, f: 14336, a: 32}, "arXiv:2310.06825; " + _CARD),
        Row("TinyLlama-1.1B", {P: 1100048384, L: 22, d: 2048, f: 5632, a: 32}, "arXiv:2401.02385; " + _CARD),
    )
}
