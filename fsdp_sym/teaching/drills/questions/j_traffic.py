"""What really moves (cell J): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import K_mb, L, N, S_blk, S_g, S_root, r, u_root, u_sync
from ...misconceptions.exact_principles import GATHERED_AGAIN
from ...misconceptions.principles import COLLECTIVES, OWN_SHARD, SHARED_OUT, WHOLE_TENSOR
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

WRAPPED = "FSDP2 wraps the [[L]] blocks of a model one by one and leaves the rest to a root group."
_FREED = "Blocks are freed after their forward pass, the root group only at the end of the backward pass; each optimizer step has [[K_mb]] micro-batches."
_SIZES = "All blocks together are gathered as [[S_blk]], the root group as [[S_root]], and the gradients are reduced as [[S_g]], over [[N]] ranks."
LAYERS = ("12", "22", "24", "32", "40", "48", "80", "126")
_DEFAULT: Draws = {L: LAYERS, K_mb: ("2", "3", "4", "6", "8"), r: ("1",), u_root: ("0",)}
_BYTES: Draws = {
    S_blk: ("13 GB",), S_root: ("1 GB",), S_g: ("28 GB",), N: ("4", "5", "8", "10", "16", "20", "25", "32", "40", "50", "64"), K_mb: ("2", "3", "4", "6"), r: ("1",), u_root: ("0",),
}  # fmt: skip

_COUNTS = Chain(
    "collectives-of-a-step",
    f"{WRAPPED} {_FREED} Every micro-batch reduces its gradients. Worked out are all-gathers, reduce-scatters, and the all-gathers there would be if only the last micro-batch freed its blocks after the backward pass.",
    (("gathers_in_step", ""), ("scatters_in_step", ""), ("gathers_kept", "")),
    {**_DEFAULT, u_sync: ("1",)},
)  # fmt: skip
_WEIGHTS = Chain(
    "bytes-of-a-step",
    f"{_SIZES} {_FREED} Every micro-batch reduces its gradients. Worked out is what one rank receives in a step: in gathers, in reductions, and altogether.",
    (("gathered_in_step", "GB"), ("reduced_in_step", "GB"), ("step_traffic", "GB")),
    {**_BYTES, u_sync: ("1",)},
)  # fmt: skip

TRAFFIC = (
    Value("J-gathers", "J", "compute", "gathers_in_step", f"{WRAPPED} {_FREED} How many all-gathers does a step issue?", "", _DEFAULT),
    Value(
        "J-gathers-kept", "J", "compute", "gathers_kept",
        f"{WRAPPED} Blocks are freed after every forward pass, but of the [[K_mb]] backward passes of a step only the last frees what it has gathered. How many all-gathers does a step issue?",
        "", {L: LAYERS, K_mb: ("2", "3", "4", "6", "8")},
    ),
    Value(
        "J-scatters", "J", "compute", "scatters_in_step",
        f"{WRAPPED} Each of [[K_mb]] micro-batches reduces its gradients. How many reduce-scatters does a step issue?", "", {L: LAYERS, K_mb: ("2", "3", "4", "6", "8"), u_sync: ("1",)},
    ),
    Value(
        "J-deferred", "J", "compute", "scatters_in_step",
        f"{WRAPPED} Of [[K_mb]] micro-batches only the last synchronises its gradients. How many reduce-scatters does a step issue?", "", {L: LAYERS, K_mb: ("2", "3", "4", "6", "8"), u_sync: ("0",)},
    ),
    Value("J-gathered", "J", "compute", "gathered_in_step", f"{_SIZES} {_FREED} How much does a rank receive in the all-gathers of a step?", "GB", _BYTES),
    Value(
        "J-step", "J", "compute", "step_traffic",
        f"{_SIZES} {_FREED} Every micro-batch reduces its gradients. How much does a rank receive in a step?", "GB", {**_BYTES, u_sync: ("1",)},
    ),
    Written(
        "J-write-gathers", "J", "gathers_in_step",
        "FSDP2 wraps the L blocks of a model one by one and leaves the rest to a root group. " + _FREED + " How many all-gathers does a step issue?",
        {K_mb: ("2", "3", "4", "6", "8"), r: ("1",), u_root: ("0",)},
    ),
    WrongLine("J-wrong-line", "J", _COUNTS),
    Faded("J-faded", "J", _WEIGHTS, 2),
    Justify(
        "J-principle", "J",
        (
            Reason("gathers_in_step", 0, GATHERED_AGAIN, (COLLECTIVES,)),
            Reason("gathered_in_step", 1, OWN_SHARD, (WHOLE_TENSOR, SHARED_OUT)),
            Reason("step_traffic", 0, COLLECTIVES, (GATHERED_AGAIN,)),
        ),
    ),
)  # fmt: skip
