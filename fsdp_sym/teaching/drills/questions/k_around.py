"""What surrounds training (cell K): loading, saving, offloading, averaging and buckets, a question each."""

from __future__ import annotations

from ....algebra.vocabulary import (
    A,
    K_mb,
    M_g,
    M_one,
    M_two,
    M_w,
    N,
    P,
    T_comp,
    W,
    b_c,
    b_e,
    b_m,
    b_t,
    b_v,
    b_w,
    b_x,
    n_buf,
    n_el,
    n_proc,
    r,
    u_sync,
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
)  # fmt: skip
