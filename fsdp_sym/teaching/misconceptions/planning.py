"""What goes wrong with a plan: what a rank of a stage holds, what is really reached, what hides, what a step is made of (cell S)."""

from __future__ import annotations

from sympy import Max, Min
from sympy import S as NUMBER

from ...algebra.vocabulary import (
    A,
    A_more,
    K_gat,
    K_mb,
    K_red,
    L_st,
    N_mesh,
    N_p,
    N_t,
    P_end,
    P_lay,
    T_gat,
    T_mb,
    T_opt,
    T_red,
    T_show,
    V_hid,
    W_rep,
    W_shd,
    b,
    b_c,
    b_m,
    b_v,
    n_act,
    n_chk,
    n_g,
    n_live,
    n_near,
    n_o,
    n_pass,
    n_w,
    r,
    x_dp,
    x_gemm,
    x_mem,
    x_tp,
)
from .form import Misconception, Principle
from .hiding import ENDS
from .pipeline_principles import BUBBLE, IN_FLIGHT
from .principles import COLLECTIVES, EVERY_BUFFER, EXPOSED, OWN_SHARD, STAGES

REACHED = Principle("nominal-is-not-reached", "Peaks and bandwidths on a data sheet are nominal: a time is worked at the share of them that is reached, and that share is measured.")
STAGE_SHARE = Principle("a-rank-holds-its-part-of-a-stage", "A tensor group splits a stage's parameters and activations, and only then are ranks with the same part asked what they share.")
THROUGH_MEMORY = Principle("what-is-changed-is-read-and-written", "What is changed passes through memory twice, read and written; what is only used is read.")

_ALL_OF_A_STAGE = ("gather_time", "reduce_time", "optimizer_time")

PLANNING = (
    Misconception(
        "the-stage-is-shared-as-well", ("stage_peak",), lambda truth: truth.xreplace({n_w: n_o, n_g: n_o}),
        "The ranks that share the optimizer's states share the stage.", STAGES,
        "ZeRO's first stage shares out what the optimizer keeps; parameters and gradients stay whole on each of these ranks.",
    ),
    Misconception(
        "states-whole-on-every-rank", ("stage_peak", "optimizer_time"), lambda truth: truth.xreplace({n_o: NUMBER.One}),
        "Every rank has an optimizer for its part of the model.", STAGES,
        "Sharded, it has one for its share of that part.",
    ),
    Misconception(
        "every-stage-keeps-all-micro-batches", ("stage_peak",), lambda truth: truth.xreplace({n_live: K_mb}),
        "A step's activations wait for its end.", IN_FLIGHT,
        "One micro-batch comes back for each that goes forward: only those on their way are kept.",
    ),
    Misconception(
        "a-stage-keeps-one-micro-batch", ("stage_peak",), lambda truth: truth.xreplace({n_live: NUMBER.One}),
        "A stage works on one micro-batch at a time.", IN_FLIGHT,
        "It works on one, and keeps all that have passed it and not come back.",
    ),
    Misconception(
        "activations-whole-in-a-tensor-group", ("stage_peak",), lambda truth: truth.xreplace({A: A * N_t, A_more: A_more * N_t}),
        "Tensor parallelism splits weights.", STAGE_SHARE,
        "It splits what they compute as well, and with sequence parallelism all of it.",
    ),
    Misconception(
        "the-state-is-the-peak", ("stage_peak",), lambda truth: truth.xreplace({A: NUMBER.Zero, A_more: NUMBER.Zero}),
        "What must fit is the model's state.", EVERY_BUFFER,
        "In a pipeline the activations in flight are often the larger part.",
    ),
    Misconception(
        "tensor-group-forgotten", (*_ALL_OF_A_STAGE, "stage_peak"), lambda truth: truth.xreplace({P_lay: P_lay * N_t, P_end: P_end * N_t}),
        "A rank has the parameters of its stage.", STAGE_SHARE,
        "It has its tensor group's part of them, and shares or gathers no more than that.",
    ),
    Misconception(
        "a-stage-is-its-layers", _ALL_OF_A_STAGE, lambda truth: truth.xreplace({P_end: NUMBER.Zero}),
        "A stage is so many layers.", STAGE_SHARE,
        "The first one has the embedding too, and the last one the head.",
    ),
    Misconception(
        "the-peak-is-reached", ("micro_batch_time",), lambda truth: truth.xreplace({x_gemm: NUMBER.One}),
        "A GPU computes so many operations a second.", REACHED,
        "That is its peak; matrix products reach a share of it.",
    ),
    Misconception(
        "links-as-on-the-data-sheet", ("micro_batch_time", "gather_time", "reduce_time"),
        lambda truth: truth.xreplace({x_tp: NUMBER.One, x_dp: NUMBER.One}),
        "A link carries its bandwidth.", REACHED,
        "A collective reaches a share of it, and that share is part of what is given.",
    ),
    Misconception(
        "memory-as-on-the-data-sheet", ("micro_batch_time", "optimizer_time"), lambda truth: truth.xreplace({x_mem: NUMBER.One}),
        "Memory delivers its bandwidth.", REACHED,
        "Kernels reach a share of it, and that share is part of what is given.",
    ),
    Misconception(
        "the-tensor-group-hides", ("micro_batch_time",), lambda truth: truth.xreplace({V_hid: NUMBER.Zero}),
        "Communication runs beside compute.", EXPOSED,
        "A tensor group's cannot: the next product waits for the hidden vectors that it brings.",
    ),
    Misconception(
        "weights-lie-still", ("micro_batch_time",), lambda truth: truth.xreplace({P_lay: NUMBER.Zero}),
        "The weights are on the GPU already.", THROUGH_MEMORY,
        "They are in its memory, and every pass brings them to where they are multiplied.",
    ),
    Misconception(
        "a-micro-batch-is-a-sequence", ("micro_batch_time",), lambda truth: truth.xreplace({b: NUMBER.One}),
        "A micro-batch is what passes at once, a sequence.", STAGE_SHARE,
        "It has as many sequences as are given, and all of them are computed.",
    ),
    Misconception(
        "own-part-comes-over-the-link", ("micro_batch_time", "gather_time", "reduce_time"),
        lambda truth: truth.xreplace({V_hid: V_hid * N_t / (N_t - 1), W_shd: W_shd * (N_mesh - 1) / N_mesh}),
        "All of it passes the link.", OWN_SHARD,
        "Its own part a rank has already.",
    ),
    Misconception(
        "tokens-go-to-one-expert", ("expert_time",), lambda truth: truth.xreplace({n_act: NUMBER.One}),
        "A token goes to its expert.", COLLECTIVES,
        "It goes to several, and a copy of it is sent to each.",
    ),
    Misconception(
        "tokens-do-not-come-back", ("expert_time",), lambda truth: truth / 2,
        "Tokens go to their experts.", COLLECTIVES,
        "What the experts make of them comes back, and that is as much again.",
    ),
    Misconception(
        "experts-are-all-far-away", ("expert_time",), lambda truth: truth.xreplace({n_near: NUMBER.One}),
        "What goes to another rank goes over the network.", OWN_SHARD,
        "Ranks of the same node are reached over its own links, beside what the network carries.",
    ),
    Misconception(
        "replicas-reduce-once", ("reduce_time",), lambda truth: truth.xreplace({W_rep: 2 * W_rep}),
        "Among replicas the gradients go round once.", COLLECTIVES,
        "An all-reduce goes round twice: once to add up, and once to hand out.",
    ),
    Misconception(
        "replicas-reduce-the-whole", ("reduce_time",), lambda truth: truth.xreplace({W_rep: W_rep / N_mesh}),
        "Replicas reduce all gradients of the stage.", STAGE_SHARE,
        "After the reduce-scatter each rank has its share, and only that is reduced among replicas.",
    ),
    Misconception(
        "ends-hide-as-well", ("exposed_in_step",), lambda truth: truth - (T_gat * Min(1, K_gat) + T_red) / L_st,
        "What hides, hides in every layer.", ENDS,
        "A first gather has nothing before it, and a last reduction nothing behind it.",
    ),
    Misconception(
        "nothing-hides", ("exposed_in_step",), lambda _: K_gat * T_gat + K_red * (r * T_gat + T_red),
        "Every gather and every reduction is waited for.", EXPOSED,
        "Only what is longer than the pass beside it, and the ends.",
    ),
    Misconception(
        "gathered-forward-only", ("exposed_in_step",), lambda truth: truth.xreplace({r: NUMBER.Zero}),
        "Parameters are gathered once for a micro-batch.", COLLECTIVES,
        "Where they are freed after the forward pass, they are gathered again for the backward pass, beside the reduction.",
    ),
    Misconception(
        "half-forward-half-backward", ("exposed_in_step",),
        lambda _: K_gat * Max(0, T_gat - T_mb / 2) + K_red * Max(0, r * T_gat + T_red - T_mb / 2) + (T_gat * Min(1, K_gat) + T_red) / L_st,
        "Half of a micro-batch's time is its forward pass.", EXPOSED,
        "Backward there are two products for each one forward: it is one pass of three, and of four where all is run again.",
    ),
    Misconception(
        "still-a-third-forward", ("exposed_in_step",), lambda truth: truth.xreplace({n_pass: NUMBER(3)}),
        "A third of a micro-batch's time is its forward pass, run again or not.", EXPOSED,
        "Running all blocks again is one pass more, on the way back: forward is one of four passes then.",
    ),
    Misconception(
        "every-layer-waits-at-the-ends", ("exposed_in_step",), lambda truth: truth.xreplace({L_st: NUMBER.One}),
        "The first gather and the last reduction are exposed.", ENDS,
        "So they are of one layer, not of the whole stage.",
    ),
    Misconception(
        "states-pass-once", ("optimizer_time",), lambda truth: truth.xreplace({b_c: b_c / 2, b_m: b_m / 2, b_v: b_v / 2}),
        "The optimizer goes through its states once.", THROUGH_MEMORY,
        "It reads them and writes them back.",
    ),
    Misconception(
        "no-bubble-in-the-plan", ("run_time",), lambda truth: truth.xreplace({N_p: NUMBER.One}),
        "A stage works on one micro-batch after another.", BUBBLE,
        "So it does once the pipeline is full; filling and emptying it comes on top.",
    ),
    Misconception(
        "stages-one-after-the-other", ("run_time",), lambda _: K_mb * N_p * T_mb + T_show + T_opt,
        "Every micro-batch passes every stage, and that adds up.", BUBBLE,
        "The stages work side by side, each on another micro-batch.",
    ),
    Misconception(
        "chunks-shorten-everything", ("run_time",), lambda _: (K_mb + N_p - 1) * T_mb / n_chk + T_show + T_opt,
        "With smaller chunks everything is quicker.", BUBBLE,
        "A stage works through all of its chunks; only filling and emptying gets shorter.",
    ),
    Misconception(
        "communication-left-out-of-the-step", ("run_time",), lambda truth: truth.xreplace({T_show: NUMBER.Zero}),
        "Communication runs beside compute, so it takes no time.", EXPOSED,
        "What sticks out is waited for, and it was given.",
    ),
    Misconception(
        "optimizer-takes-no-time", ("run_time",), lambda truth: truth.xreplace({T_opt: NUMBER.Zero}),
        "A step is over with its last backward pass.", THROUGH_MEMORY,
        "Then the optimizer changes the parameters, and the next step waits for them.",
    ),
)  # fmt: skip
