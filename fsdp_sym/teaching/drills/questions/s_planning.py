"""Planning a run (cell S): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import (
    A,
    A_more,
    D_blk,
    F_log,
    F_seq,
    K_gat,
    K_mb,
    K_red,
    L_st,
    N_c,
    N_e,
    N_mesh,
    N_p,
    N_t,
    P_end,
    P_lay,
    R_rep,
    T_gat,
    T_lay,
    T_mb,
    T_opt,
    T_red,
    T_show,
    V_ctx,
    V_hid,
    V_hop,
    W,
    W_con,
    W_mem,
    W_net,
    W_rep,
    W_shd,
    X_peak,
    b,
    b_g,
    b_w,
    n_act,
    n_chk,
    n_g,
    n_held,
    n_live,
    n_near,
    n_o,
    n_pass,
    n_swap,
    n_w,
    r,
    u_ar,
    u_g,
    u_hop,
    u_last,
    u_w,
    x_dp,
    x_gemm,
    x_mem,
    x_tp,
)
from ...misconceptions.hiding import ENDS
from ...misconceptions.pipeline_principles import BUBBLE, IN_FLIGHT, PACE
from ...misconceptions.planning import REACHED, STAGE_SHARE, THROUGH_MEMORY
from ...misconceptions.principles import COLLECTIVES, EXPOSED, OWN_SHARD
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

_STAGE = "A pipeline stage has [[L_st]] layers of [[P_lay]] parameters each and [[P_end]] parameters besides; a tensor group of [[N_t]] splits all of them."
_RUN = "A pipeline of [[N_p]] stages, each of [[n_chk]] interleaved chunks, takes [[K_mb]] micro-batches through a step; each takes the slowest stage [[T_mb]]."
_HIDES = (
    "For each of [[K_gat]] micro-batches it gathers its parameters in [[T_gat]], behind the forward pass; backward each gathers them "
    "again (r = [[r]]) and reduces its gradients in [[T_red]], behind the backward pass. The first layer's gather and the last layer's reduction have nothing to hide behind."
)

_SIZES: Draws = {L_st: ("4", "5", "6", "8", "10"), P_lay: ("8e8", "1.2e9", "2e9", "3.2e9"), P_end: ("5e8", "1.1e9", "2.1e9"), N_t: ("2", "4", "8")}
_LINK: Draws = {W_shd: ("25 GB/s", "50 GB/s"), x_dp: ("0.5", "0.6", "0.7")}
_STEP_SIZES: Draws = {K_mb: ("16", "24", "32", "48"), N_p: ("6", "8", "12", "16"), n_chk: ("2", "3", "4")}
_STEP_TIMES: Draws = {T_mb: ("0.3 s", "0.36 s", "0.45 s"), T_show: ("0.7 s", "1.1 s", "1.6 s"), T_opt: ("0.2 s", "0.4 s")}

_STEP = Chain(
    "a-step-of-a-plan",
    f"{_STAGE} Its parameters are shared out over [[N_mesh]] ranks, gathered in [[b_w]] and reduced in [[b_g]] over links of [[W_shd]] one way, of which [[x_dp]] is reached; there are no replicas. "
    "All [[K_mb]] micro-batches of a step gather forward, gather again backward and reduce; each takes [[T_mb]], a third of it forward. There are [[N_p]] stages and no chunks, and the optimizer takes [[T_opt]]. "
    "Worked out are one gather, one reduction, what is exposed in the step, and the step.",
    (("gather_time", "s"), ("reduce_time", "s"), ("exposed_in_step", "s"), ("run_time", "s")),
    {
        L_st: ("8", "10"), P_lay: ("8e8", "1.2e9"), P_end: ("5e8", "1.1e9"), N_t: ("4",), N_mesh: ("4", "8", "16"), **_LINK,
        b_w: ("2 B/param",), b_g: ("4 B/param",), R_rep: ("1",), W_rep: ("50 GB/s",), u_ar: ("0",), T_mb: ("0.3 s", "0.4 s", "0.5 s"), r: ("1",),
        K_mb: ("8",), K_gat: ("8",), K_red: ("8",), n_pass: ("3",), N_p: ("2", "3", "4"), n_chk: ("1",), T_opt: ("50 ms", "80 ms"),
    },
)  # fmt: skip

PLANNING = (
    Value(
        "S-peak", "S", "compute", "stage_peak",
        f"{_STAGE} Each parameter keeps [[plan]]. Master copy, momentum and variance are shared out over [[n_o]] ranks (ZeRO-1), and nothing else is. "
        "A layer keeps [[A]] of a sequence before the tensor group splits it, and [[A_more]] of a sequence, to be split as well, come on top. Micro-batches have [[b]] sequences, and [[n_live]] of the [[K_mb]] of a step are in flight on this stage. "
        "What does a rank hold at its fullest?",
        "GB",
        {
            **_SIZES, n_o: ("8", "16", "32", "64"), A: ("0.9 GB", "1.7 GB", "3.4 GB"), A_more: ("2.3 GB", "6.3 GB"), b: ("1", "2"), n_live: ("3", "5", "7", "11"), K_mb: ("16", "24", "32"),
            n_w: ("1",), n_g: ("1",), N_c: ("1",), n_chk: ("1",), n_held: ("1",), u_w: ("0",), u_g: ("0",),
        },
        ("ZeRO mixed precision", "8-byte Adam"),
    ),
    Value(
        "S-micro-batch", "S", "compute", "micro_batch_time",
        "A stage of [[L_st]] layers of [[P_lay]] parameters each runs micro-batches of [[b]] sequences on a tensor group of [[N_t]]. For a sequence a layer takes [[F_seq]], passes [[D_blk]] of activations through memory, and its tensor group passes on [[V_hid]], of which a rank receives all but its own part; "
        "the group splits all three. For a micro-batch each weight of a rank ([[b_w]]) is read twice, and each gradient ([[b_g]]) read and written. A GPU has a peak of [[X_peak]], of which [[x_gemm]] is reached, a memory of [[W_mem]], of which [[x_mem]] is reached, and a link of [[W]] to its tensor group, of which [[x_tp]] is reached. "
        "Nothing hides behind anything, and there are no other stages. How long does the micro-batch take, forward and backward?",
        "ms",
        {
            L_st: ("4", "6", "8", "10"), P_lay: ("8e8", "1.2e9", "3.2e9"), b: ("2", "3", "4"), N_t: ("2", "4", "8"), F_seq: ("45 TFLOP", "90 TFLOP", "160 TFLOP"), D_blk: ("9 GB", "17 GB"), V_hid: ("1.4 GB", "2.7 GB"),
            X_peak: ("312 TFLOP/s", "989 TFLOP/s"), x_gemm: ("0.5", "0.6", "0.7"), W_mem: ("2039 GB/s", "3350 GB/s"), x_mem: ("0.6", "0.75"), W: ("300 GB/s", "450 GB/s"), x_tp: ("0.6", "0.75"), b_w: ("2 B/param",), b_g: ("4 B/param",),
            n_pass: ("3",), N_c: ("1",), u_last: ("0",), u_hop: ("0",), n_chk: ("1",), F_log: ("1 TFLOP",), V_ctx: ("1 GB",), V_hop: ("1 GB",), W_con: ("50 GB/s",), W_net: ("50 GB/s",), x_dp: ("0.5",), T_lay: ("0 ms",),
        },
    ),
    Value(
        "S-experts", "S", "compute", "expert_time",
        "A stage of [[L_st]] layers runs micro-batches of [[b]] sequences, whose hidden vectors are [[V_hop]] each. In every layer a copy of each hidden vector goes to [[n_act]] experts, to each expert as often as to another. [[N_e]] ranks share the experts out, [[n_near]] of them in one node. "
        "A layer makes [[n_swap]] such exchanges, there and back, forward and backward. Inside the node a rank sends at [[W]], out of it at [[W_net]], both at the same time, and of both [[x_dp]] is reached. Nothing hides. How long does a micro-batch wait for its way to the experts and back?",
        "ms",
        {
            L_st: ("4", "8", "10"), b: ("1", "2", "3"), V_hop: ("33.6 MB", "50.3 MB", "67.1 MB"), n_act: ("2", "4"), N_e: ("16", "32"), n_near: ("8",), n_swap: ("4",), W: ("300 GB/s", "450 GB/s"), W_net: ("25 GB/s", "50 GB/s"),
            x_dp: ("0.5", "0.6", "0.7"), N_t: ("1",), N_c: ("1",),
        },
    ),
    Value(
        "S-gather", "S", "compute", "gather_time",
        f"{_STAGE} [[N_mesh]] ranks share each part, and gather it in [[b_w]] over links of [[W_shd]] one way, of which [[x_dp]] is reached. How long does it take to gather a rank's part of the stage?",
        "ms", {**_SIZES, N_mesh: ("3", "4", "6", "8", "16"), **_LINK, b_w: ("2 B/param",)},
    ),
    Value(
        "S-reduce", "S", "compute", "reduce_time",
        f"{_STAGE} [[N_mesh]] ranks share each part and reduce-scatter its gradients, [[b_g]] each, over links of [[W_shd]] one way; then [[R_rep]] replicas all-reduce the shares over links of [[W_rep]]. Of both [[x_dp]] is reached. How long does it take to reduce the gradients of a rank's part?",
        "ms", {**_SIZES, N_mesh: ("3", "4", "6", "8"), R_rep: ("2", "3", "4", "8"), **_LINK, W_rep: ("12.5 GB/s", "25 GB/s"), b_g: ("2 B/param", "4 B/param"), u_ar: ("0",)},
    ),
    Value(
        "S-exposed", "S", "compute", "exposed_in_step",
        f"A micro-batch takes a stage of [[L_st]] layers [[T_mb]]. Every block is run again on the way back, so that these are [[n_pass]] passes, all as long as the first, which is the forward pass. {_HIDES} For how long does the stage wait in a step of [[K_red]] micro-batches?",
        "ms",
        {
            L_st: ("4", "5", "8"), T_mb: ("300 ms", "330 ms", "360 ms"), T_gat: ("92 ms", "95 ms", "98 ms"), T_red: ("230 ms", "310 ms", "370 ms"), r: ("1",),
            K_gat: ("4",), K_red: ("4",), n_pass: ("4",),
        },
    ),
    Value(
        "S-optimizer", "S", "compute", "optimizer_time",
        f"{_STAGE} Each parameter keeps [[plan]]. [[n_o]] ranks share what the optimizer works on. It reads gradients and writes parameters once; master copy, momentum and variance it reads and writes. A GPU's memory has [[W_mem]], of which [[x_mem]] is reached. How long does the optimizer take?",
        "ms", {**_SIZES, n_o: ("2", "4", "8", "16"), W_mem: ("2039 GB/s", "3350 GB/s", "4800 GB/s"), x_mem: ("0.6", "0.7", "0.75")}, ("ZeRO mixed precision", "8-byte Adam"),
    ),
    Value("S-step", "S", "compute", "run_time", f"{_RUN} Gathers and reductions stick out for [[T_show]], and the optimizer takes [[T_opt]]. How long does the step take?", "s", {**_STEP_SIZES, **_STEP_TIMES}),
    Written(
        "S-write-step", "S", "run_time",
        "A pipeline of N_p stages, each of [[n_chk]] interleaved chunks, takes K_mb micro-batches through a step; each takes the slowest stage T_mb. Gathers and reductions stick out for T_show, and the optimizer takes T_opt. How long does the step take?",
        {n_chk: ("2", "3", "4", "6")},
    ),
    WrongLine("S-wrong-line", "S", _STEP),
    Faded("S-faded", "S", _STEP, 2),
    Justify(
        "S-principle", "S",
        (
            Reason("stage_peak", 0, STAGE_SHARE, (IN_FLIGHT,)), Reason("micro_batch_time", 0, REACHED, (STAGE_SHARE, THROUGH_MEMORY, OWN_SHARD, PACE)), Reason("gather_time", 1, OWN_SHARD, (REACHED, STAGE_SHARE)),
            Reason("reduce_time", 0, COLLECTIVES, (OWN_SHARD, REACHED, STAGE_SHARE)), Reason("exposed_in_step", 0, EXPOSED, (ENDS, COLLECTIVES)), Reason("optimizer_time", 0, THROUGH_MEMORY, (REACHED, STAGE_SHARE)),
            Reason("run_time", 0, BUBBLE, (EXPOSED, PACE)),
        ),
    ),
)  # fmt: skip
