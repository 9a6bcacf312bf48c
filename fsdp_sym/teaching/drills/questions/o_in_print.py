"""Find the mistake (cell O): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import M_max, N, P, P_big, S, b_c, b_g, b_m, b_v, b_w, r
from ...misconceptions.exact_principles import DIVIDED
from ...misconceptions.principles import COLLECTIVES, EVERY_BUFFER, PEAK, SHARED_OUT, STAGES, STATE_ONLY, WIDTHS
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import KEPT, MODELS, RANKS, TENSORS

_WIDTHS: Draws = {b_w: ("2 B/param",), b_g: ("4 B/param",), b_c: ("4 B/param",), b_m: ("4 B/param",), b_v: ("4 B/param",)}
_ESTIMATED = (
    "An estimator counts for a parameter [[b_w]] as it computes, its gradient in the same width and, as it is added up, in [[b_g]], and for Adam a master copy and two moments of [[b_c]] each."
)
_STAGE_3 = f"{_ESTIMATED} Under ZeRO-3 the master copy stands for the sharded parameters: it, the moments and both gradients are divided by the GPUs; parameter and gradient of the largest layer come on top, whole, in the width of the compute."
_STAGE_2 = f"{_ESTIMATED} Under ZeRO-2 the parameters as they compute are whole; master copy, moments and both gradients are divided by the GPUs."
_MODELS: Draws = {P: ("2.5e9", "6805e6", "8030261248", "13e9", "33e9", "70e9"), N: RANKS}
_LAYERS: Draws = {P_big: ("131e6", "262e6", "525e6", "1050e6")}

_SHEET = Chain(
    "an-estimate",
    f"A model has [[P]] parameters, [[P_big]] of them in its largest layer, and trains on [[N]] GPUs. {_STAGE_3} Worked out is first the estimate for ZeRO-2, which leaves the parameters whole as they compute, then the one for ZeRO-3.",
    (("deepspeed_zero_2", "GB"), ("deepspeed_zero_3", "GB")),
    {**_MODELS, **_LAYERS, **_WIDTHS},
)  # fmt: skip
_TRAFFIC = Chain(
    "a-claim-about-traffic",
    "A text compares sharding with plain data parallel: a layer of [[S]] on [[N]] ranks, gathered again for the backward pass (r = [[r]]). Worked out are an all-gather, a reduce-scatter, the layer's step, data parallel's all-reduce, and the ratio.",
    (("all_gather", "MB"), ("reduce_scatter", "MB"), ("layer_traffic", "MB"), ("all_reduce", "MB"), ("traffic_over_all_reduce", "")),
    {S: TENSORS, N: RANKS, r: ("1",)},
)  # fmt: skip

IN_PRINT = (
    Value(
        "O-estimate-3", "O", "compute", "deepspeed_zero_3",
        f"A model has [[P]] parameters, [[P_big]] of them in its largest layer, and trains on [[N]] GPUs. {_STAGE_3} What does it say for a GPU?", "GB", {**_MODELS, **_LAYERS, **_WIDTHS},
    ),
    Value("O-estimate-2", "O", "compute", "deepspeed_zero_2", f"A model has [[P]] parameters and trains on [[N]] GPUs. {_STAGE_2} What does it say for a GPU?", "GB", {**_MODELS, **_WIDTHS}),
    Value(
        "O-sum", "O", "compute", "replicated_state",
        f"A page says how many GiB of model state a model of [[P]] parameters has. {KEPT} How many are they?", "GiB", {P: MODELS}, ("ZeRO mixed precision", "8-byte Adam", "fp32 AdamW with amsgrad"),
    ),
    Decide(
        "O-fits", "O", "replica_fits", "replicated_state",
        f"Somebody adds up the model state of [[P]] parameters and sets it against [[M_max]]. {KEPT} Does it fit?",
        {P: ("494032768", "1.1e9", "1557611200", "2.5e9"), M_max: ("8 GiB", "16 GiB", "24 GiB", "36 GiB")}, ("ZeRO mixed precision", "8-byte Adam"),
    ),
    Written(
        "O-write-estimate", "O", "deepspeed_zero_3",
        f"A model has P parameters, P_big of them in its largest layer, and trains on N GPUs. {_STAGE_3} How many bytes does it say for a GPU?", {**_WIDTHS, b_g: ("4 B/param", "3 B/param", "8 B/param")},
    ),
    WrongLine("O-wrong-line", "O", _SHEET),
    WrongLine("O-traffic-wrong-line", "O", _TRAFFIC),
    Faded("O-faded", "O", _SHEET, 2),
    Justify(
        "O-principle", "O",
        (
            Reason("deepspeed_zero_2", 0, DIVIDED, (SHARED_OUT, STAGES, EVERY_BUFFER, WIDTHS, STATE_ONLY)),
            Reason("deepspeed_zero_3", 0, PEAK, (DIVIDED, SHARED_OUT, STAGES, EVERY_BUFFER, WIDTHS, STATE_ONLY)),
            Reason("traffic_over_all_reduce", 0, COLLECTIVES),
        ),
    ),
)  # fmt: skip
