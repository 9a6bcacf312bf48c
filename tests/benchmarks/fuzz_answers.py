"""A million random, mutated and hostile answers: no crash, and none that takes more than five milliseconds of process time.

    python tests/benchmarks/fuzz_answers.py [HOW_MANY [SEED]]

A reading over a third of the limit is read again, so that a page fault or the garbage collector is not taken for the reader: the
quickest of three counts. Speed is measured on typical answers.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "teaching" / "answers"))

from answer_fuzz import ASKED, SEEDS, texts

from fsdp_sym.algebra.units import byte
from fsdp_sym.algebra.vocabulary import N, S
from fsdp_sym.teaching.answers import Expects, Quantity, Symbolic, read, same_expression

LIMIT = 0.005
NUMERIC = ("112 GB", "0.112 TB", "112000 MB", "1.12e11 bytes", "896e9 bit", "104.31 GiB", "112,000,000,000 B", "16*7e9/8 B", "9/16 GB")
SYMBOLIC = ("(N-1)S/N", "(N-1)*S/N", "S(1-1/N)", "S - S/N", r"\frac{N-1}{N}S", "2*(N-1)/N*S")


def timed(text: str, expects: Expects) -> tuple[float, type]:
    """Process time of one reading, and what it came to."""
    begun = process_time()
    outcome = read(text, expects)
    return process_time() - begun, type(outcome)


def fuzz(how_many: int, seed: int) -> float:
    """Read them all; the longest time a reading takes."""
    kinds: Counter[str] = Counter()
    slowest, which, again = 0.0, "", 0
    for number, text in enumerate(islice(texts(seed), how_many)):
        expects = ASKED[number % len(ASKED)]
        spent, kind = timed(text, expects)
        kinds[kind.__name__] += 1
        if spent > LIMIT / 3:
            again += 1
            spent = min(spent, *(timed(text, expects)[0] for _ in range(2)))
        if spent > slowest:
            slowest, which = spent, f"{text[:60]!a} as {expects!r:.60}"
    print(f"{how_many:,} readings: {dict(kinds)}; {again} read again; the slowest took {1000 * slowest:.2f} ms: {which}")
    return slowest


def rate(answers: tuple[str, ...], expects: Expects) -> float:
    """Readings a second of process time, the best of five rounds."""
    rounds = []
    for _ in range(5):
        begun = process_time()
        for _ in range(1000):
            for text in answers:
                read(text, expects)
        rounds.append(1000 * len(answers) / (process_time() - begun))
    return max(rounds)


def rate_of_comparing() -> float:
    """Symbolic answers read and compared with the truth, a second."""
    expects = Symbolic((N, S))
    begun = process_time()
    for _ in range(1000):
        for text in SYMBOLIC:
            same_expression(read(text, expects).value, (N - 1) * S / N, (N, S))  # type: ignore[union-attr]
    return 1000 * len(SYMBOLIC) / (process_time() - begun)


if __name__ == "__main__":
    how_many, seed = (*map(int, sys.argv[1:]), *(1_000_000, 1)[len(sys.argv) - 1 :])
    for asked in ASKED:
        for text in SEEDS:
            read(text, asked)  # first calls fill tables
    print(f"numbers with units: {rate(NUMERIC, Quantity(byte, 'GB')):,.0f} a second")
    print(f"formulas: {rate(SYMBOLIC, Symbolic((N, S))):,.0f} a second, {rate_of_comparing():,.0f} with the comparison")
    if fuzz(how_many, seed) > LIMIT:
        sys.exit("a reading took too long")
