"""What goes wrong in this laboratory."""

from sympy import Integer

from fsdp_sym.algebra.vocabulary import b_w, n_bit
from fsdp_sym.teaching.misconceptions import Misconception
from fsdp_sym.teaching.misconceptions.principles import BITS, EVERY_BUFFER

GATHER = (
    Misconception(
        id="gathered-parameters-not-bytes",
        about=("model_gather_time",),
        rival=lambda truth: truth.xreplace({b_w: Integer(1)}),
        thinks="A model of a billion parameters is a gigabyte.",
        violates=EVERY_BUFFER,
        tell="Parameters are a count; each of them travels as the bytes that the forward pass uses.",
    ),
    Misconception(
        id="office-link-in-bytes",
        about=("model_gather_time",),
        rival=lambda truth: truth.xreplace({n_bit: Integer(1)}),
        thinks="The label on the switch is bytes per second.",
        violates=BITS,
        tell="A switch is labelled in bits per second; a byte takes eight of them.",
    ),
)
