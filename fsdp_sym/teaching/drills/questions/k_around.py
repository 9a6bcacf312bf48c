"""What surrounds training (cell K): loading, saving, offloading, averaging and buckets, a question each."""

from __future__ import annotations

from ....algebra.vocabulary import (
    A,
    B,
    K_mb,
    L,
    M_g,
    M_max,
    M_one,
    M_over,
    M_tmp,
    M_two,
    M_w,
    N,
    N_e,
    N_p,
    P,
    P_exp,
    T_comp,
    W,
    b_c,
    b_e,
    b_g,
    b_m,
    b_t,
    b_v,
    b_w,
    b_x,
    n_buf,
    n_chk,
    n_el,
    n_proc,
    r,
    u_sync,
    x_host,
)
from ..givens import Draws
from ..value import Value
from .common import MODELS, RANKS

_STATE = "Of each of its [[P]] parameters a run keeps the parameter at [[b_w]], a master copy of [[b_c]], a momentum of [[b_m]] and a variance of [[b_v]]; a checkpoint has all of them."
_WIDTHS: Draws = {b_w: ("2 B/param",), b_c: ("4 B/param",), b_m: ("4 B/param", "2 B/param"), b_v: ("4 B/param",), b_x: ("0 B/param",)}

AROUND = (
    Value(
        "K-buckets", "K", "compute", "bucket_bytes",
        "Gradients are sent in buckets of [[n_el]] elements of [[b_e]], and [[n_buf]] buckets are alive at a time. How much do they take?", "GB", {n_el: ("200e6", "300e6", "500e6", "700e6"), b_e: ("2 B", "4 B"), n_buf: ("2", "3")},
    ),
    Value("K-checkpoint", "K", "compute", "checkpoint_bytes", f"{_STATE} How large is it?", "GB", {P: MODELS, **_WIDTHS}),
    Value("K-save", "K", "compute", "save_time", f"{_STATE} It is written at [[W]] by all ranks together. How long does that take?", "s", {P: MODELS, **_WIDTHS, W: ("2 GB/s", "5 GB/s", "10 GB/s", "25 GB/s")}),
    Value(
        "K-average", "K", "compute", "ema_bytes",
        "A running average of [[P]] parameters is kept at [[b_t]] each and sharded over [[N]] ranks. How much of it does a rank hold?", "GB", {P: MODELS, N: RANKS, b_t: ("4 B/param", "2 B/param")},
    ),
    Value(
        "K-load", "K", "compute", "host_at_load",
        "Each of [[n_proc]] processes on a host reads a whole model of [[P]] parameters, [[b_w]] each, before it keeps its shard. How much host memory does that take at its fullest?", "GB", {n_proc: ("4", "8", "6"), P: MODELS, b_w: ("2 B/param", "4 B/param")},
    ),
    Value(
        "K-offload-link", "K", "compute", "offload_bandwidth",
        "The activations of a layer, [[A]], are carried to the host while the next layer computes for [[T_comp]]. From which bandwidth on does that add nothing to the step?", "GB/s", {A: ("0.4 GB", "0.6 GB", "0.9 GB", "1.5 GB"), T_comp: ("10 ms", "20 ms", "25 ms", "40 ms")},
    ),
    Value(
        "K-offload-down", "K", "compute", "offload_down",
        "Gradients are offloaded to the host: a rank's shard of [[M_g]] goes down after every reduction, and each of [[K_mb]] micro-batches reduces. How much goes down in a step?", "GB", {M_g: ("0.5 GB", "0.9 GB", "1.7 GB"), K_mb: ("3", "4", "5", "6", "8"), u_sync: ("1",)},
    ),
    Value(
        "K-offload-up", "K", "compute", "offload_up",
        "Parameters are offloaded to the host: a rank's shard of [[M_w]] goes up before every gathering, and blocks are gathered for the forward pass and again for the backward pass (r = [[r]]). How much goes up in a micro-batch?", "GB", {M_w: ("0.5 GB", "0.9 GB", "1.7 GB", "3.4 GB"), r: ("1",)},
    ),
    Value(
        "K-unshared", "K", "compute", "unshared_part",
        "A run peaks at [[M_one]] on one GPU and at [[M_two]] on two; a peak is a part that the ranks share and a part that nobody does. How large is the part that nobody shares?", "GB", {M_one: ("33 GB", "28 GB", "41 GB"), M_two: ("19 GB", "17 GB", "23 GB")},
    ),
    Value(
        "K-offload-host", "K", "compute", "deepspeed_host",
        "A stage is offloaded to the host, which then holds [[B]] of each of [[P]] parameters; an estimator asks for [[x_host]] times what is held. How much host memory does it ask for?", "GB", {x_host: ("1.5", "1.25", "1.4"), P: MODELS, B: ("16 B/param", "18 B/param", "4 B/param")},
    ),
    Value(
        "K-first-stage", "K", "compute", "first_stage_activations",
        "A model of [[L]] layers runs on [[N_p]] pipeline stages, each with [[n_chk]] interleaved chunks of layers, and [[K_mb]] micro-batches go through it in a step. A layer keeps [[A]] of a micro-batch. How much does the first stage keep at its fullest?", "GB",
        {A: ("0.1 GB", "0.3 GB", "0.6 GB"), L: ("48", "96", "144"), N_p: ("4", "8"), n_chk: ("2", "3"), K_mb: ("32", "64", "128")},
    ),
    Value(
        "K-mixture", "K", "compute", "mixture_optimizer",
        "A rank holds [[P]] parameters that are in no expert and [[P_exp]] that are, each with [[b_w]] for the parameter and [[b_g]] for its gradient. Master copy ([[b_c]]), momentum ([[b_m]]) and variance ([[b_v]]) are divided by a distributed optimizer among the [[N]] data-parallel ranks, of which [[N_e]] at a time share out the experts. How much does the rank hold?", "GB",
        {P: ("1e9", "2e9", "3e9"), P_exp: ("1e9", "4e9", "5e9"), N: ("32", "64", "128"), N_e: ("4", "8"), b_w: ("2 B/param",), b_g: ("4 B/param",), b_c: ("4 B/param",), b_m: ("4 B/param",), b_v: ("4 B/param",)},
    ),
    Value(
        "K-stage-for-step", "K", "compute", "stage_for_step",
        "[[N]] GPUs of [[M_max]] train [[P]] parameters; of each there are [[b_w]] of parameter, [[b_g]] of gradient, [[b_c]] of master copy, [[b_m]] of momentum and [[b_v]] of variance. The optimizer's step holds temporaries of [[M_tmp]] beside them, and [[M_over]] go to what no formula counts. Which is the smallest ZeRO stage whose step fits? Give its number.", "",
        {P: ("7e9", "8e9", "13e9"), N: ("16", "32", "64"), M_max: ("48 GB", "56 GB", "64 GB", "72 GB"), M_tmp: ("8 GB", "12 GB", "16 GB"), M_over: ("1 GB",), b_w: ("2 B/param",), b_g: ("4 B/param",), b_c: ("4 B/param",), b_m: ("4 B/param",), b_v: ("4 B/param",), b_x: ("0 B/param",)},
    ),
)  # fmt: skip
