"""What this course asks, a row each; a letter takes one of the values that are listed for it."""

from fsdp_sym.algebra.vocabulary import N, P, R_bit, b_w
from fsdp_sym.teaching.drills.value import Value

QUESTIONS = (
    Value(
        id="LAB1-model-gather",
        cell="LAB1",
        kind="compute",
        formula="model_gather_time",
        ask=(
            "A model of [[P]] parameters, [[b_w]] each, is sharded over [[N]] desktops on a link of [[R_bit]]. "
            "How long does it take to gather the whole model?"
        ),
        unit="s",
        draws={
            P: ("410e6", "1.4e9", "2.8e9", "6.9e9"),
            b_w: ("2 B/param", "4 B/param"),
            N: ("3", "4", "6", "8", "12"),
            R_bit: ("1 Gbps", "2.5 Gbps", "10 Gbps"),
        },
    ),
)
