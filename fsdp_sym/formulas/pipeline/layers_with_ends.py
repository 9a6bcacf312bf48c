"""Where embedding and head take a layer's place each, the fullest stage holds L + 2 over the stages, rounded up.

Llama 3 405B took one layer off its first and its last stage for them: 126 layers and two ends fill 16 stages of 8 places, which hold 7,
14 times 8, and 7 layers. Without the ends 126 does not divide by 16.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import L, L_ends, L_stage, N_p
from .layers_of_stage import layers_of_stage

_LLAMA = Source("arXiv:2407.21783", "section 3.3.2: one layer less on the first and the last of 16 stages")


def count(L: int, N_p: int) -> int:
    """Fills stage after stage, from the embedding to the head, with as few places each as will hold them all."""
    parts = ["embedding", *("layer" for _ in range(L)), "head"]
    places = 1
    while len(range(0, len(parts), places)) > N_p:
        places += 1
    return places


layers_with_ends = Formula(
    __name__,
    defines=L_ends,
    start=L_stage,
    steps=(
        Using((L + 2) / N_p, "embedding and head stand for a layer each", lemma=layers_of_stage, at={L: L + 2}),
    ),
    source=_LLAMA,
    counted=count,
    published=(Published({L: 126, N_p: 16}, 8, _LLAMA),),
)
