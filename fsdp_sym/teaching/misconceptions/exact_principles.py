"""The principles that the lessons on real runs rest on, one sentence each."""

from __future__ import annotations

from .form import Principle

DIVIDED = Principle("what-is-divided-is-named", "A convention says which buffers are divided among the ranks; the others stay whole on each.")
WHOLE_ROWS = Principle("whole-rows-are-dealt", "A tensor is cut along its rows into shards of whole rows, full ones first.")
EQUAL_SHARDS = Principle("shards-have-one-size", "A collective joins shards of one size, so what is missing from the last of them is padded.")
NOT_ROWS = Principle("a-scalar-is-not-sharded", "What has no rows cannot be dealt out: every rank keeps it whole.")
