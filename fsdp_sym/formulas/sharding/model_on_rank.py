"""Each tensor is dealt out by its own number of rows, and a model as unevenly as all of them together.

Bytes that one of N ranks, numbered from 0, holds of a model between steps, step counters left aside. Tensors with as many rows
are dealt out alike, however long their rows are: five kinds in a model with grouped queries and a gate.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.substitution import put
from ...algebra.vocabulary import L, M_rank, N, a, a_kv, b_e, b_s, d, d_0, d_h, f, n_d, n_f, n_kv, n_q, n_rank, n_v, v
from .model_rows import count as held
from .model_rows import model_rows
from .rows import dealt
from .rows_of_rank import rows_of_rank
from .shard_rows import FSDP2

ROWS = {n_v: v, n_q: a * d_h, n_kv: a_kv * d_h, n_f: f, n_d: d}


def count(N: int, L: int, d: int, f: int, a: int, v: int, d_h: int, a_kv: int, n_rank: int, b_e: int, b_s: int) -> int:
    """The rows dealt out, tensor by tensor, and what the rank was dealt."""
    words, queries, keys, wide, hidden = (len(dealt(rows, N)[n_rank]) for rows in (v, a * d_h, a_kv * d_h, f, d))
    return held(L, d, f, a, d_h, words, queries, keys, wide, hidden, b_e, b_s)


_LLAMA = {L: 32, d: 4096, f: 11008, a: 32, a_kv: 32, v: 32000, d_h: 128, b_e: 8, b_s: 8}
_RUN = Source("PyTorch 2.13.0", "Llama-2-7B under fully_shard with Adam, 1024 ranks")

model_on_rank = Formula(
    __name__,
    defines=M_rank,
    start=model_rows.exact.xreplace({mine: put(rows_of_rank.full, {d_0: rows}) for mine, rows in ROWS.items()}),
    steps=(),
    source=FSDP2,
    counted=count,
    where=(AtMost(n_rank + 1, N),),
    published=(
        Published({**_LLAMA, N: 1024, n_rank: 0}, 106434624, _RUN),
        Published({**_LLAMA, N: 1024, n_rank: 1023}, 56102976, _RUN),
        Published({**_LLAMA, N: 64, n_rank: 63}, 1684603904, Source("PyTorch 2.13.0", "the same model, 64 ranks: every row divides")),
    ),
)
