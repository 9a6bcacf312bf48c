"""Whatever is typed, the reader answers with a reading, a helping line, or "not answered"."""

from __future__ import annotations

import pickle
import re
from itertools import islice
from time import process_time

import pytest
from answer_fuzz import ASKED, texts

from fsdp_sym.teaching.answers import Invalid, NotAnswered, Read, Symbolic, read

READINGS = 20_000
# What may stand in an echo: it is made from values, so that nothing typed comes back unread.
ECHOED = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;()=+-*·^/%≈µ_")

REMEDY = re.compile(r"\b(write|type|leave|delete|close it|did you mean|add one|put it|as in)\b")


def test_only_readings_and_helping_lines():
    kinds = {Read: 0, Invalid: 0, NotAnswered: 0}
    for number, text in enumerate(islice(texts(seed=3), READINGS)):
        expects = ASKED[number % len(ASKED)]
        outcome = read(text, expects)
        kinds[type(outcome)] += 1
        if isinstance(outcome, Read):
            assert set(outcome.echo) <= ECHOED, (text, outcome)
        if isinstance(outcome, Invalid):
            assert all(" " <= c <= "~" or c in "⌈⌉⌊⌋" for c in outcome.message), (text, outcome)
            assert len(outcome.message) < 250, (text, outcome)
            assert REMEDY.search(outcome.message.lower()), (text, outcome)
            if outcome.column is not None:
                line, pointer = outcome.caret.split("\n")
                assert len(line) == len(text)
                assert pointer == " " * outcome.column + "^"
                assert 0 <= outcome.column <= len(text)
        if number % 50 == 0:
            assert pickle.loads(pickle.dumps(outcome)) == outcome == read(text, expects)
    assert kinds[Read] > READINGS // 16
    assert kinds[Invalid] > READINGS // 4


def test_what_was_read_as_a_formula_reads_back_from_its_echo():
    for text in islice(texts(seed=5), READINGS // 4):
        expects = next(asked for asked in ASKED[9:] if isinstance(asked, Symbolic))
        outcome = read(text, expects)
        if isinstance(outcome, Read) and len(outcome.echo) <= 200:
            again = read(outcome.echo, expects)
            assert isinstance(again, Read), (text, outcome, again)
            assert again.echo == outcome.echo


HOSTILE = [
    "(" * 30_000, "1+" * 20_000, "a" * 1_000_000, "9" * 5_000, "((((1" * 40, "-" * 200, "√" * 200, "2^" * 99 + "2", "1/T_comm" * 20,
    "9**9**9**9", "10**(10**8)", "1e400", "1e-400", "1e" + "9" * 190, "/".join(["T_comm"] * 28), "+".join(["1/phi^64"] * 22), "q " * 100,
    "NS" * 100, "+".join(f"1/(S+{n})^64" for n in range(16)),
    "0" * 200, "," * 200, "1," * 100, "max(" * 50, r"\frac{" * 33, "½" * 200, "½" * 1_000_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: f"{text[:12]}, {len(text)}")
def test_a_hostile_answer_is_refused_or_read_in_no_time(text):
    for expects in ASKED:
        quickest = 1.0
        for _ in range(5):
            begun = process_time()
            read(text, expects)
            quickest = min(quickest, process_time() - begun)
        assert quickest < 0.005
