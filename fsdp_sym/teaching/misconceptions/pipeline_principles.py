"""The principles that the lesson on pipelines rests on, one sentence each."""

from __future__ import annotations

from .form import Principle

BUBBLE = Principle("one-for-each-stage-but-one", "A pipeline fills and empties for as long as one micro-batch, or one chunk of it, takes on each stage but one.")
DENOMINATOR = Principle("a-share-names-its-denominator", "A bubble is a share of the ideal time, in which a stage works, or of the total; the two are different numbers.")
PACE = Principle("the-slowest-sets-the-pace", "Every micro-batch passes every stage, so the slowest stage paces them all.")
IN_FLIGHT = Principle("forth-and-not-yet-back", "A stage keeps the activations of whatever has gone forward through it and not come back.")
WHOLE_LAYERS = Principle("layers-are-not-cut", "A pipeline stage holds whole layers, and the fullest stage is what must fit.")
BORDERS = Principle("borders-carry-hidden-vectors", "Over a border between stages pass hidden vectors forward and their gradients backward, however many layers lie behind it.")
EXPERTS = Principle("experts-share-ranks", "An expert degree takes no GPUs of its own: it divides ranks that are there already.")
