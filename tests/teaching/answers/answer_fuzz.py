"""Random, mutated and hostile answers, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TypeVar

from fsdp_sym.algebra.units import bit, byte, one, param, second
from fsdp_sym.algebra.vocabulary import A, L, N, P, S, T_comm, b_w, c, e, phi
from fsdp_sym.teaching.answers import Choice, Count, Expects, Number, Quantity, Symbolic, Triple

T = TypeVar("T")
ASKED: tuple[Expects, ...] = (
    Quantity(byte, "GB"), Quantity(second, "ms"), Quantity(byte / param, "B/param"), Quantity(bit / second, "Gbps"), Quantity(one, ""),
    Count(), Count(or_none=True), Number(),
    Symbolic((N, S)), Symbolic((N, P, S, L, A, c, T_comm, b_w, e, phi)), Symbolic(()),
    Choice(("ZeRO-1", "ZeRO-2", "ZeRO-3"), (("FSDP", "ZeRO-3"),)),
    Triple(("data", "pipeline", "tensor")), Triple(("data", "tensor"), or_none=True),
)  # fmt: skip

SEEDS = (
    "112 GB", "0.112 TB", "1.12e11 bytes", "104.31 GiB", "112,000,000,000 B", "112 000 000 000 B", "112_000_000_000 B", "5.6e5 µs",
    "(N-1)S/N", "S(1-1/N)", r"\frac{N-1}{N}S", r"\sqrt{\frac{L \cdot c}{A}}", "⌈P/N⌉·b_w", "max(T_comm, 2^e)", "√(L·c/A)", "16*7e9/8 B",
    "2·10⁹", "½", "−3", "7 billion params", "14 GB / 25 GB/s", "17.5 %", "8 ms + 3 ms", "32 x 4 x 8", "(32, 4, 8)", "ZeRO-3", "none",
    "9**9**9**9", "1e64", "1e-64", "3/7^50", "1/(N-1)^32", "16 bytes per parameter", "400 Gbit/s", "7B", "1,750 GB", "-(-(-3))",
    '__import__("os").system("id")', "<script>alert(1)</script>", r"$\href{x}{y}$", "().__class__", "lambda: 0", "{x!r:>10}", "%s%n",
)  # fmt: skip

PIECES = (
    *"0123456789", *"+-*/^(){}[],.%_ \\=<>&$#'\"`~|;:!?@\t\n\x00\x7f", *"NSPLAceghijkmxXeEBbGMTKsφρ", *"½⅞²³⁹⁻√⌈⌉⌊⌋×·−–µμ≈±∞１",
    "\u200b", "\u202e", "\ufeff", "\ud800", "\U0001d7d9", "é", "e\u0301", "**", "^^", "1e", "e9", "e-9", "000", ",000", " 000", "_000",
    "GB", "GiB", "Gbit", "ms", " per ", "/param", "billion", "sqrt(", "max(", "min(", "ceil(", "floor ", r"\frac{", "}{", r"\sqrt",
    r"\left(",
    r"\mathrm{GB}", "b_{w}", r"T_{\mathrm{comm}}", "phi", "N_", "nan", "inf", "oo", "^64", "^-64", "1/", "/T_comm", "(N-1)", "1/7^60",
    "+1/(S+9)^32", "factorial(",
)  # fmt: skip


NUMBERS = ("0", "1", "2", "8", "7e9", "1.5", "1,024", "½", "10^9", "1e-64", "9e60", "123 456", r"\frac{7}{8}", "2^64", "1/3", "16B",
"7 billion")
WITH_UNITS = tuple(f"{n} {u}" for n in ("3", "0.5", "7e9", "1,750") for u in ("GB", "ms", "B/param", "Gbps", "%", "param",
"bytes per second", "GiB"))
NAMES = ("N", "S", "P", "L", "A", "c", "T_comm", "b_w", "phi", "φ", "(N-1)", "sqrt(L*c/A)", "2", "⌈P/N⌉", "max(N, S)", "1/N", "3^-20")
JOINTS = ("+", "-", "*", "/", " + ", "·", "^", " x ", "", " ", "−")
ODD_JOINTS = ("+", "*", "/", "-", " ", "^", ",")


def texts(seed: int) -> Iterator[str]:
    """Answers without end; most are short, some are just short of too long, few are longer."""
    uniform = random.Random(seed).random
    while True:
        kind = uniform()
        if kind < 0.3:
            yield _mutated(_one_of(SEEDS, uniform), uniform)
        elif kind < 0.55:
            yield _composed(_one_of((NUMBERS, WITH_UNITS, NAMES), uniform), uniform, 2 if kind < 0.5 else 60)
        elif kind < 0.75:
            yield "".join(_one_of(PIECES, uniform) for _ in range(1 + int(uniform() ** 2 * 40)))
        elif kind < 0.85:
            yield (_one_of(PIECES, uniform) * 200)[: 150 + int(uniform() * 55)]
        elif kind < 0.95:
            yield _one_of(ODD_JOINTS, uniform).join(_one_of(SEEDS, uniform) for _ in range(2 + int(uniform() * 12)))[:200]
        else:
            yield "".join(chr(int(uniform() ** 3 * 0x110000)) for _ in range(int(uniform() * 210)))


def _composed(atoms: tuple[str, ...], uniform: Callable[[], float], depth: int) -> str:
    text = _one_of(atoms, uniform)
    while uniform() < 0.6 and depth and len(text) < 150:
        other = _one_of(atoms, uniform) if uniform() < 0.7 else f"({_composed(atoms, uniform, depth - 1)})"
        text = f"{text}{_one_of(JOINTS, uniform)}{other}"
        depth -= 1
    return text


def _one_of(row: tuple[T, ...], uniform: Callable[[], float]) -> T:
    return row[int(uniform() * len(row))]


def _mutated(text: str, uniform: Callable[[], float]) -> str:
    for _ in range(1 + int(uniform() * 4)):
        at, until = sorted(int(uniform() * (len(text) + 1)) for _ in range(2))
        kind = uniform()
        if kind < 0.4:
            text = text[:at] + _one_of(PIECES, uniform) + text[at:]
        elif kind < 0.6:
            text = text[:at] + text[at + 1 :]
        elif kind < 0.8:
            text = text[:at] + _one_of(PIECES, uniform) + text[at + 1 :]
        elif kind < 0.9:
            text = text[:until] + text[at:until] + text[until:]
        else:
            text = text[until:] + text[:until]
    return text
