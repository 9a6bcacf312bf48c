"""Where the memory goes (cell K): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import (
    A_all,
    M_bwd,
    M_fwd,
    M_g,
    M_max,
    M_o,
    M_one,
    M_opt,
    M_over,
    M_peak,
    M_tmp,
    M_two,
    M_w,
    N,
    P,
    S,
    S_big,
    S_page,
    S_prev,
    S_red,
    S_rg,
    S_root,
    S_ug,
    S_unit,
    b_buf,
    b_t,
    n_held,
)
from ...misconceptions.exact_principles import LIFETIMES, TEMPORARIES
from ...misconceptions.principles import EVERY_BUFFER, PEAK, SHARED_OUT, STATE_ONLY, WIDTHS
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import MODELS, RANKS

_SHARES = "A model of [[P]] parameters is shared evenly by [[N]] ranks."
_ADAM = "Adam's update takes the root of the variance, divides the momentum by it, and changes the parameters; a temporary has [[b_t]] for each parameter."
_HOLDS: Draws = {
    M_w: ("2.7 GB", "3.4 GB", "4.1 GB"), S_root: ("0.5 GB", "1.1 GB"), n_held: ("2", "3"), S_unit: ("0.4 GB", "0.7 GB"), A_all: ("2.9 GB", "5.3 GB", "9.2 GB"),
}  # fmt: skip
_RANK = "A rank of FSDP2 holds [[M_w]] of sharded parameters. In its passes the root group of [[S_root]] is gathered, [[n_held]] units of [[S_unit]] at the fullest moment, and the blocks keep [[A_all]] of activations then."

_PASSES = Chain(
    "fullest-moments-of-passes",
    f"{_RANK} The optimizer's states take [[M_o]]. At the fullest moment of the backward pass, which is taken to hold as many units and activations, there are [[M_g]] of sharded gradients besides, [[S_rg]] of the root group's and [[S_ug]] of a unit's unsharded ones, "
    "and a reduction buffer of [[S_red]]. Worked out are the peaks of the first forward pass, of a later one, and of the backward pass.",
    (("first_forward_peak", "GB"), ("later_forward_peak", "GB"), ("backward_peak", "GB")),
    {**_HOLDS, M_o: ("5.4 GB", "6.8 GB"), M_g: ("0.3 GB", "1.3 GB"), S_rg: ("0.6 GB",), S_ug: ("0.8 GB",), S_red: ("1.6 GB",)},
)  # fmt: skip

PEAKS = (
    Value("K-buffer", "K", "compute", "buffer_shard", f"{_SHARES} A sharded buffer has [[b_buf]] for each of them. How much of it does a rank hold?", "GB", {P: MODELS, N: RANKS, b_buf: ("2 B/param", "4 B/param", "12 B/param")}),
    Value(
        "K-flat", "K", "compute", "flat_temporaries",
        f"{_SHARES} Each rank's share is one flat tensor. {_ADAM} The root and the quotient are alive at the same time. How much do they take on a rank?", "GB", {P: MODELS, N: RANKS, b_t: ("4 B/param",)},
    ),
    Value(
        "K-all-at-once", "K", "compute", "foreach_temporaries",
        f"{_SHARES} {_ADAM} The optimizer takes all tensors of the rank at once and computes in place as far as it can, so that one temporary for each parameter of the rank is alive. How much is that on a rank?", "GB", {P: MODELS, N: RANKS, b_t: ("4 B/param",)},
    ),
    Value(
        "K-one-by-one", "K", "compute", "loop_temporaries",
        "Adam walks a rank's tensors one by one. At the largest, a shard of [[S_big]], it makes the root of the variance and the quotient, each as large as the shard; the quotient of the tensor before, [[S_prev]], still has its name. How much do all temporaries take then?",
        "MB", {S_big: ("65.5 MB", "131 MB", "262 MB", "43 MB"), S_prev: ("22.5 MB", "9 MB", "14 MB")},
    ),
    Value(
        "K-step", "K", "compute", "optimizer_step_peak",
        "In the optimizer step a rank holds [[M_w]] of sharded parameters, [[M_g]] of sharded gradients and [[M_o]] of optimizer states, and the update makes temporaries of [[M_tmp]]. How much does it hold at its fullest?",
        "GB", {M_w: ("1.7 GB", "3.4 GB"), M_g: ("3.5 GB", "4.4 GB"), M_o: ("6.9 GB", "10.1 GB"), M_tmp: ("2.6 GB", "3.3 GB")},
    ),
    Value("K-first-forward", "K", "compute", "first_forward_peak", f"{_RANK} How much does the rank hold at the fullest moment of the first forward pass?", "GB", _HOLDS),
    Value(
        "K-fullest-phase", "K", "compute", "step_peak",
        "A rank holds at most [[M_fwd]] in the forward pass of a later step, [[M_bwd]] in its backward pass and [[M_opt]] in its optimizer step. How much does the step need?",
        "GB", {M_fwd: ("11 GB", "18 GB", "22 GB"), M_bwd: ("14 GB", "19 GB", "23 GB"), M_opt: ("13 GB", "17 GB", "25 GB")},
    ),
    Value(
        "K-law", "K", "compute", "peak_by_two",
        "A run peaks at [[M_one]] on one GPU and at [[M_two]] on two; a peak is a part that the ranks share and a part that nobody does. What should it be on [[N]]?", "GB", {M_one: ("33 GB", "28 GB", "41 GB"), M_two: ("19 GB", "17 GB", "23 GB"), N: ("4", "5", "6", "8", "10", "16")},
    ),
    Value(
        "K-page", "K", "compute", "allocator_rounding",
        "A tensor of [[S]] is allocated in whole pages of [[S_page]]. How much does it really take?", "MiB", {S: ("404766720 B", "262144003 B", "101191680 B", "33554433 B", "67895296 B", "14680065 B"), S_page: ("2 MiB", "20 MiB")},
    ),
    Decide(
        "K-fits", "K", "peak_fits", "peak_fits",
        "A step peaks at [[M_peak]] on cards of [[M_max]], of which [[M_over]] are left for the context, fragmentation and libraries. Does it fit?",
        {M_peak: ("22 GB", "23.8 GB", "31 GB", "38.9 GB", "39.6 GB", "79 GB"), M_max: ("24 GB", "40 GB", "80 GB"), M_over: ("0.5 GB", "1.5 GB")},
    ),
    Written(
        "K-write-temporaries", "K", "flat_temporaries",
        f"A model of P parameters is shared evenly by N ranks. Each rank's share is one flat tensor. {_ADAM} The root and the quotient are alive at the same time. How many bytes do they take on a rank?", {b_t: ("4 B/param", "2 B/param", "8 B/param")},
    ),
    WrongLine("K-wrong-line", "K", _PASSES),
    Faded("K-faded", "K", _PASSES, 2),
    Justify(
        "K-principle", "K",
        (
            Reason("flat_temporaries", 0, TEMPORARIES, (SHARED_OUT, EVERY_BUFFER, WIDTHS, PEAK)),
            Reason("later_forward_peak", 0, LIFETIMES, (EVERY_BUFFER, PEAK, STATE_ONLY)),
            Reason("step_peak", 0, PEAK, (LIFETIMES,)),
        ),
    ),
)  # fmt: skip
