"""Hiding communication (cell Q): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import (
    L,
    N,
    P_block,
    T_ag,
    T_comm,
    T_comp,
    T_lb,
    T_lf,
    T_lr,
    T_rs,
    W,
    X_gpu,
    b,
    b_e,
    b_r,
    k_bkt,
    n_bkt,
    s,
    u_lin,
)
from ...misconceptions.exact_principles import OWN_WIDTHS
from ...misconceptions.hiding import ENDS, TOKENS
from ...misconceptions.principles import COLLECTIVES, EXPOSED, OWN_SHARD
from ..chain import Chain
from ..choose import Decide
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

_FEW = ("4", "5", "6", "7", "8", "10", "12", "16")
_RATES = ("140 TFLOP/s", "300 TFLOP/s", "400 TFLOP/s", "450 TFLOP/s", "500 TFLOP/s")
_LINKS = ("12.5 GB/s", "25 GB/s", "50 GB/s", "300 GB/s", "450 GB/s")
_LAYER: Draws = {P_block: ("202383360", "218112000", "855654400")}
_MACHINE: Draws = {**_LAYER, N: _FEW, W: _LINKS, X_gpu: _RATES, b_e: ("2 B",)}
_GATHERED = "Layers of [[P_block]] parameters are sharded with FSDP over [[N]] GPUs and gathered in [[b_e]] an element."
_LINK = "A GPU delivers [[X_gpu]] while it computes, and its link carries [[W]] in each direction, latency aside."
_COUNT = "Count the operations of the parameters alone."
_LAYERS = "A model has [[L]] layers alike. To gather one takes [[T_ag]]"
_FORWARD: Draws = {L: ("24", "32", "40"), T_ag: ("5 ms", "6 ms", "8 ms", "9 ms"), T_lf: ("3 ms", "4 ms", "7 ms", "11 ms")}
_BACKWARD: Draws = {T_rs: ("11 ms", "13 ms", "17 ms"), T_lb: ("9 ms", "15 ms", "19 ms", "23 ms")}
_HIDDEN: Draws = {L: ("24", "32", "40"), T_ag: ("5 ms", "6 ms", "8 ms"), T_rs: ("11 ms", "13 ms", "17 ms"), T_lf: ("9 ms", "12 ms"), T_lb: ("27 ms", "31 ms")}
_STEP = Chain(
    "two-passes-with-prefetching",
    f"{_LAYERS}, to reduce its gradients [[T_rs]]; it computes for [[T_lf]] forward and [[T_lb]] backward. The next layer is gathered while one computes, and the gradients of the one before are reduced beside it over the same link.",
    (("prefetched_forward", "ms"), ("prefetched_backward", "ms"), ("prefetched_step", "ms")), {**_FORWARD, **_BACKWARD},
)  # fmt: skip

HIDDEN = (
    Value("Q-critical", "Q", "compute", "critical_tokens", f"{_GATHERED} {_LINK} From how many tokens a GPU on does the gather of the next layer hide behind the forward pass of one? {_COUNT}", "", _MACHINE),
    Value("Q-critical-limit", "Q", "limit", "critical_tokens", f"Layers are sharded with FSDP over more and more GPUs and gathered in [[b_e]] an element. {_LINK} To what does the number of tokens a GPU tend from which on the gather of the next layer hides behind the forward pass of one? {_COUNT}", "", {W: _LINKS, X_gpu: _RATES, b_e: ("2 B", "4 B")}),
    Value(
        "Q-critical-backward", "Q", "compute", "critical_tokens_backward",
        f"{_GATHERED} Gradients are reduced in [[b_r]] an element, over the same link, and nothing is recomputed (u_lin = [[u_lin]]). {_LINK} From how many tokens a GPU on do the gather of the next layer and the reduction of the one before hide behind the backward pass of one? {_COUNT}",
        "", {**_MACHINE, b_r: ("4 B",), u_lin: ("0",)},
    ),
    Value(
        "Q-slowest-link", "Q", "backwards", "break_even_link",
        f"{_GATHERED} A GPU delivers [[X_gpu]] while it computes, on [[b]] sequences of [[s]] tokens. What is the smallest bandwidth of its link, in each direction, at which the gather of the next layer hides behind the forward pass of one, latency aside? {_COUNT}",
        "GB/s", {**_LAYER, N: _FEW, X_gpu: _RATES, b_e: ("2 B",), b: ("2", "3", "4"), s: ("2048", "4096", "8192")},
    ),
    Value("Q-forward", "Q", "compute", "prefetched_forward", f"{_LAYERS}, and it computes for [[T_lf]] forward. While one computes, the next is gathered. How long does the forward pass take?", "ms", _FORWARD),
    Value(
        "Q-backward-pass", "Q", "compute", "prefetched_backward",
        f"{_LAYERS}, to reduce its gradients [[T_rs]], and it computes for [[T_lb]] backward. While one computes, the next is gathered, and after that the gradients of the one before are reduced over the same link. How long does the backward pass take?", "ms", {L: ("24", "32", "40"), T_ag: ("5 ms", "6 ms", "8 ms", "9 ms"), **_BACKWARD},
    ),
    Value(
        "Q-exposed", "Q", "compute", "exposed_with_prefetch",
        f"{_LAYERS}, to reduce its gradients [[T_rs]]; it computes for [[T_lf]] forward and [[T_lb]] backward. The next layer is gathered while one computes, and the gradients of the one before are reduced beside it over the same link. How much communication stays exposed in a step?", "ms", _HIDDEN,
    ),
    Value(
        "Q-buckets", "Q", "compute", "bucketed_backward",
        "Plain data parallel reduces its gradients in [[n_bkt]] buckets of [[k_bkt]] layers. A layer computes for [[T_lb]] backward, and its gradients are on the link for [[T_lr]]. A bucket starts once its last layer is through. How long does the backward pass take until all is reduced?",
        "ms", {n_bkt: ("4", "5", "8"), k_bkt: ("2", "4", "5"), T_lb: ("5 ms", "7 ms", "9 ms"), T_lr: ("3 ms", "4 ms")},
    ),
    Written(
        "Q-write-critical", "Q", "critical_tokens",
        "Layers are sharded with FSDP over N GPUs and gathered in [[b_e]] an element. A GPU delivers X_gpu operations a second while it computes, and its link carries W bytes a second in each direction, latency aside. From how many tokens a GPU on does the gather of the next layer hide behind the forward pass of one? Count the operations of the parameters alone.",
        {b_e: ("1 B", "2 B", "4 B", "8 B")},
    ),
    Decide(
        "Q-hides", "Q", "communication_hides", "comm_to_compute",
        "While a layer computes backward for [[T_comp]], its link gathers the next and reduces the one before for [[T_comm]] in all. Can that hide entirely?",
        {T_comp: ("7 ms", "14 ms", "21 ms", "29 ms"), T_comm: ("9 ms", "13 ms", "18 ms", "26 ms")},
    ),
    WrongLine("Q-hiding-wrong-line", "Q", _STEP),
    Faded("Q-hiding-faded", "Q", _STEP, 3),
    Justify(
        "Q-hiding-principle", "Q",
        (
            Reason("critical_tokens", 1, TOKENS), Reason("critical_tokens", 2, OWN_SHARD, (OWN_WIDTHS,)), Reason("prefetched_forward", 0, ENDS, (EXPOSED,)),
            Reason("exposed_with_prefetch", 2, ENDS, (EXPOSED,)), Reason("prefetched_step", 2, COLLECTIVES, (ENDS, EXPOSED)),
        ),
    ),
)  # fmt: skip
