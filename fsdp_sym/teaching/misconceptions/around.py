"""What goes wrong around training: loading, saving, offloading, averaging, buckets (cell K)."""

from __future__ import annotations

from sympy import S

from ...algebra.vocabulary import A, L, M_one, M_tmp, M_two, N, N_e, N_p, P, W, b_e, b_w, n_buf, n_chk, n_proc, r, u_sync, x_host
from ...algebra.vocabulary import b_m as MOMENTUM
from ...algebra.vocabulary import b_v as VARIANCE
from .exact_principles import DIVIDED, GATHERED_AGAIN, LIFETIMES, TEMPORARIES, UNSHARED
from .form import Misconception
from .principles import COLLECTIVES, EVERY_BUFFER, ONE_WAY, PEAK, SHARED_OUT, WIDTHS

_SAVED = ("checkpoint_bytes", "save_time")

AROUND = (
    Misconception(
        "one-bucket-at-a-time", ("bucket_bytes",), lambda truth: truth.xreplace({n_buf: S.One}),
        "A bucket is emptied before the next is filled.", TEMPORARIES,
        "Where communication runs beside compute, one bucket is sent while another is filled.",
    ),
    Misconception(
        "bucket-counted-in-bytes", ("bucket_bytes",), lambda truth: truth / b_e,
        "The size of a bucket is given in bytes.", WIDTHS,
        "It is given in elements, each as wide as what is sent.",
    ),
    Misconception(
        "only-weights-are-saved", _SAVED, lambda truth: P * b_w / W if truth.has(W) else P * b_w,
        "A checkpoint is the model.", EVERY_BUFFER,
        "To go on training, the optimizer's states are needed as well.",
    ),
    Misconception(
        "moments-not-saved", _SAVED, lambda truth: truth.xreplace({MOMENTUM: S.Zero, VARIANCE: S.Zero}),
        "Moments build up again.", EVERY_BUFFER,
        "A run that goes on as if it had not stopped needs them, so they are saved.",
    ),
    Misconception(
        "average-kept-whole", ("ema_bytes",), lambda truth: truth * N,
        "Each rank keeps the average of the model.", SHARED_OUT,
        "The average is sharded like the parameters that it follows.",
    ),
    Misconception(
        "moments-averaged-too", ("ema_bytes",), lambda truth: 3 * truth,
        "What is averaged is the training state: parameters and moments.", EVERY_BUFFER,
        "A running average follows the parameters alone.",
    ),
    Misconception(
        "host-loads-once", ("host_at_load",), lambda truth: truth / n_proc,
        "A host holds the model once.", PEAK,
        "Processes share no memory here: each reads a copy of its own.",
    ),
    Misconception(
        "host-loads-one-fewer", ("host_at_load",), lambda truth: truth * (n_proc - 1) / n_proc,
        "The first process reads the model, and its copy needs no other.", PEAK,
        "The first process holds a copy like all the others.",
    ),
    Misconception(
        "a-link-carries-both-ways-in-turn", ("offload_bandwidth",), lambda truth: 2 * truth,
        "The link has to carry the activations there and back in that time.", ONE_WAY,
        "They come back in the backward pass, and a bandwidth is that of one direction.",
    ),
    Misconception(
        "two-layers-to-hide-behind", ("offload_bandwidth",), lambda truth: truth / 2,
        "One layer's activations may travel while the next two compute.", PEAK,
        "Every layer leaves as much, so that they would pile up.",
    ),
    Misconception(
        "gradients-go-down-once", ("offload_down",), lambda truth: truth.xreplace({u_sync: S.Zero}),
        "The optimizer needs the gradients once a step.", COLLECTIVES,
        "They go down after every reduction, and each micro-batch reduces.",
    ),
    Misconception(
        "gradients-go-both-ways", ("offload_down",), lambda truth: 2 * truth,
        "Gradients go down to be kept, and up again for the update.", COLLECTIVES,
        "The optimizer's states are on the host, so the update is made there and gradients never come back.",
    ),
    Misconception(
        "parameters-go-up-once", ("offload_up",), lambda truth: truth.xreplace({r: S.Zero}),
        "What is on the device stays there for the backward pass.", GATHERED_AGAIN,
        "After the forward pass it is resharded, and the shard goes up again.",
    ),
    Misconception(
        "parameters-come-down-again", ("offload_up",), lambda truth: truth * (2 + r) / (1 + r),
        "After the backward pass the parameters travel once more.", GATHERED_AGAIN,
        "The host has kept them; only gradients come down.",
    ),
    Misconception(
        "fall-is-what-is-shared", ("unshared_part",), lambda _: M_two + S.Zero,
        "What a second rank takes off is what is shared.", UNSHARED,
        "It takes off half of what is shared; the other half is still there.",
    ),
    Misconception(
        "fall-is-what-stays", ("unshared_part",), lambda _: M_one - M_two,
        "The difference of the two peaks is the part that nobody shares.", UNSHARED,
        "What falls is shared; what nobody shares does not fall.",
    ),
    Misconception(
        "no-room-on-the-host", ("deepspeed_host",), lambda truth: truth / x_host,
        "A host is asked for what it is to hold.", PEAK,
        "The estimator asks for room beside it, so many times as much as is held.",
    ),
    Misconception(
        "room-on-the-host-alone", ("deepspeed_host",), lambda truth: truth * (x_host - 1) / x_host,
        "The factor says how much comes on top.", PEAK,
        "The factor is of everything: what is held and the room beside it.",
    ),
    Misconception(
        "one-micro-batch-in-flight", ("first_stage_activations", "stage_activations", "gpipe_activations"), lambda _: A * L / N_p,
        "A stage keeps the activations of its own layers.", LIFETIMES,
        "Of each micro-batch that has gone forward and not come back, and there are several.",
    ),
    Misconception(
        "interleaving-is-free", ("first_stage_activations",), lambda truth: truth.xreplace({n_chk: S.One}),
        "Interleaving cuts the same layers in smaller pieces.", LIFETIMES,
        "How many pieces a stage holds decides how many micro-batches are in flight.",
    ),
    Misconception(
        "interleaving-keeps-no-more", ("first_stage_activations",), lambda _: A * L,
        "As many micro-batches are in flight as there are stages, so the first one keeps a whole model's worth.", LIFETIMES,
        "Interleaved, the first stage starts more of them before the first one comes back.",
    ),
    Misconception(
        "experts-divided-like-the-rest", ("mixture_optimizer",), lambda truth: truth.xreplace({N_e: S.One}),
        "Optimizer states are divided among all data-parallel ranks.", DIVIDED,
        "An expert's states are divided among those that hold a copy of it, and they are fewer.",
    ),
    Misconception(
        "states-of-experts-whole", ("mixture_optimizer",), lambda truth: truth.xreplace({N_e: N}),
        "Experts are dealt out already; nothing is left to divide.", DIVIDED,
        "Each expert still has copies, and they divide its states among them.",
    ),
    Misconception(
        "step-without-temporaries", ("stage_for_step",), lambda truth: truth.xreplace({M_tmp: S.Zero}),
        "A stage that fits between steps fits.", TEMPORARIES,
        "In the step the optimizer's temporaries come on top.",
    ),
    Misconception(
        "temporaries-of-the-step-twice", ("stage_for_step",), lambda truth: truth.xreplace({M_tmp: 2 * M_tmp}),
        "A step reads one set of temporaries and writes another.", TEMPORARIES,
        "What is given is all that the step holds at a time.",
    ),
)  # fmt: skip
