"""Under GPipe every stage keeps its layers' activations of all micro-batches.

Bytes on any stage, A bytes a layer and micro-batch, its layers rounded up. It grows with the micro-batches without end, where 1F1B stops at
as many as there are stages.
"""

from collections import Counter

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A, A_gpipe, K_mb, L, L_stage, N_p, n_gpipe
from .gpipe_in_flight import gpipe_in_flight
from .layers_of_stage import layers_of_stage


def count(A: int, L: int, N_p: int, K_mb: int) -> int:
    """What the fullest stage holds when the last micro-batch has gone forward."""
    fullest = max(Counter(layer % N_p for layer in range(L)).values())
    held = {(layer, at) for at in range(K_mb) for layer in range(fullest)}
    return sum(A for _ in held)


gpipe_activations = Formula(
    __name__,
    defines=A_gpipe,
    start=A * L_stage * n_gpipe,
    steps=(
        Using(A * L * n_gpipe / N_p, "layers of a full stage", lemma=layers_of_stage),
        Using(A * L * K_mb / N_p, "all micro-batches", lemma=gpipe_in_flight),
    ),
    source=Source("arXiv:2104.04473", "section 2.2.1: all micro-batches' activations are stashed"),
    counted=count,
)
