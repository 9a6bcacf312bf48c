"""The first forward pass knows neither gradients nor optimizer states.

Bytes on one rank at a moment of it: sharded parameters, the root group, which stays gathered, the units gathered at that moment,
and the activations kept so far. Frameworks make the optimizer's states in the first step, so a run that survives this pass
may still fail there.
"""

from ...algebra.formula import Formula, Source
from ...algebra.vocabulary import A_all, M_fwd1, M_w, S_root, S_unit, n_held
from .phases import first_forward, held

FSDP2 = Source("PyTorch 2.13.0, torch.distributed.fsdp.fully_shard", "lifetimes of buffers, recorded")

first_forward_peak = Formula(
    __name__,
    defines=M_fwd1,
    start=M_w + S_root + n_held * S_unit + A_all,
    steps=(),
    source=FSDP2,
    counted=lambda M_w, S_root, n_held, S_unit, A_all: held(first_forward(M_w, S_root, n_held, S_unit, A_all)),
)
