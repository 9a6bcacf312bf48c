"""Under 1F1B a stage keeps its layers' activations of every micro-batch in flight.

Bytes on the stage numbered n_stage, from 0; A bytes a layer and micro-batch, a stage's layers rounded up. The first stage keeps most: as
many bytes as the whole model keeps of one micro-batch, however many stages share it.
"""

from collections import Counter

from sympy import Min

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import A, A_stage, K_mb, L, L_stage, N_p, n_fly, n_stage
from .layers_of_stage import layers_of_stage
from .micro_batches_in_flight import micro_batches_in_flight
from .schedule import in_flight, one_forward_one_backward


def count(A: int, L: int, N_p: int, K_mb: int, n_stage: int) -> int:
    """Books every layer of a full stage for each micro-batch that is in flight when most are."""
    fullest = max(Counter(layer % N_p for layer in range(L)).values())
    flying = range(in_flight(one_forward_one_backward(n_stage, N_p, K_mb)))
    return sum(A for _ in flying for _ in range(fullest))


stage_activations = Formula(
    __name__,
    defines=A_stage,
    start=A * L_stage * n_fly,
    steps=(
        Using(A * L * n_fly / N_p, "layers of a full stage", lemma=layers_of_stage),
        Using(A * L * Min(K_mb, N_p - n_stage) / N_p, "micro-batches on their way", lemma=micro_batches_in_flight),
    ),
    source=Source("arXiv:2104.04473", "section 2.2.1: in-flight micro-batches of 1F1B"),
    counted=count,
    where=(AtMost(n_stage + 1, N_p),),
)
