"""Where a sequence is split over the tensor group, each of its ranks hands on its own tokens alone.

Bytes a rank sends for one micro-batch under sequence parallelism: between two blocks a rank of N_t holds the hidden vectors of an
N_t-th of the tokens, and so does its partner in the next stage.
"""

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Using
from ...algebra.vocabulary import N_t, V_hand, V_hand_t, b, b_a, d, s
from .handover import handover


def count(b: int, s: int, d: int, b_a: int, N_t: int) -> int:
    """Deals every sequence's tokens out to the group and sends what the first rank holds, as much as any."""
    held = [[token for _ in range(b) for token in range(rank, s, N_t)] for rank in range(N_t)]
    (sent,) = {len(tokens) * d * b_a for tokens in held}
    assert sum(map(len, held)) == b * s
    return sent


split_handover = Formula(
    __name__,
    defines=V_hand_t,
    start=V_hand / N_t,
    steps=(Using(b * s * d * b_a / N_t, "a hidden vector for each token", lemma=handover),),
    source=Source("NVIDIA/Megatron-LM, core/pipeline_parallel/schedules.py", "the sequence is divided by the tensor degree"),
    counted=count,
    where=(Divides(N_t, s),),
)
