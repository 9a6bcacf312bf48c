"""Pipelines and three dimensions (cell R): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import A, G, K_mb, L, N_c, N_d, N_e, N_p, N_t, a, a_kv, b, b_a, b_r, d, d_h, n_chk, n_stage, s, t_b, t_f, x_slow
from ...misconceptions.pipeline_principles import BORDERS, BUBBLE, DENOMINATOR, EXPERTS, IN_FLIGHT, PACE, WHOLE_LAYERS
from ...misconceptions.principles import LAYERS, OWN_SHARD, PRODUCT, WHOLE_RANKS
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

_PLAIN = "A pipeline of [[N_p]] equal stages takes [[K_mb]] micro-batches through a step."
_CHUNKS = "A pipeline of [[N_p]] stages, each of [[n_chk]] interleaved chunks, takes [[K_mb]] micro-batches through a step."
_EACH = "On each stage a micro-batch takes [[t_f]] forward and [[t_b]] backward"
_KEEPS = "A model of [[L]] layers runs on a pipeline of [[N_p]] stages. A layer keeps [[A]] of a micro-batch, and a step has [[K_mb]] micro-batches."
_HIDDEN = "A micro-batch has [[b]] sequences of [[s]] tokens, and a hidden vector [[d]] elements of [[b_a]]."

_STAGES: Draws = {N_p: ("4", "6", "8", "12", "16")}
_SIZES: Draws = {**_STAGES, K_mb: ("24", "32", "48", "64", "96")}
_INTERLEAVED: Draws = {**_SIZES, n_chk: ("2", "3", "4", "5", "6")}
_TIMES: Draws = {t_f: ("20 ms", "35 ms", "50 ms", "80 ms"), t_b: ("40 ms", "75 ms", "90 ms", "160 ms")}
_SHAPE: Draws = {L: ("48", "96", "144", "192"), A: ("0.1 GB", "0.3 GB", "0.6 GB"), N_p: ("6", "8", "12", "16"), K_mb: ("20", "32", "48", "64")}
_VECTORS: Draws = {b: ("2", "3", "4"), s: ("2048", "4096", "8192"), d: ("4096", "5120", "8192", "12288"), b_a: ("2 B",)}

_SHARES = Chain(
    "bubble-and-its-shares",
    f"{_CHUNKS} {_EACH}, for all chunks together. Worked out are the time of the step as it would be without chunks, and with them; the bubble without chunks as a share of the total time, and the bubble with them as a share of the ideal time.",
    (("pipeline_time", "s"), ("interleaved_pipeline_time", "s"), ("bubble_over_total", ""), ("interleaved_bubble_over_ideal", "")),
    {**_INTERLEAVED, **_TIMES},
)  # fmt: skip
_MEMORY = Chain(
    "what-a-stage-keeps",
    f"{_KEEPS} The schedule alternates one forward with one backward pass. Worked out are the layers of a stage, the micro-batches in flight on the stage numbered [[n_stage]], counted from 0, and what that stage keeps.",
    (("layers_of_stage", ""), ("micro_batches_in_flight", ""), ("stage_activations", "GB")),
    {**_SHAPE, n_stage: ("1", "2", "3")},
)  # fmt: skip

PIPELINES = (
    Value("R-bubble-ideal", "R", "compute", "bubble_over_ideal", f"{_PLAIN} How large is the bubble, as a share of the ideal time in which a stage works?", "%", _SIZES),
    Value("R-bubble-total", "R", "compute", "bubble_over_total", f"{_PLAIN} How large is the bubble, as a share of the total time of the step?", "%", _SIZES),
    Value("R-chunks-ideal", "R", "compute", "interleaved_bubble_over_ideal", f"{_CHUNKS} How large is the bubble, as a share of the ideal time in which a stage works?", "%", _INTERLEAVED),
    Value("R-chunks-total", "R", "compute", "interleaved_bubble_over_total", f"{_CHUNKS} How large is the bubble, as a share of the total time of the step?", "%", _INTERLEAVED),
    Value("R-time", "R", "compute", "pipeline_time", f"{_PLAIN} {_EACH}, and sending takes no time. How long does the step take?", "s", {**_SIZES, **_TIMES}),
    Value("R-chunks-time", "R", "compute", "interleaved_pipeline_time", f"{_CHUNKS} {_EACH}, for all chunks together, and sending takes no time. How long does the step take?", "s", {**_INTERLEAVED, **_TIMES}),
    Value(
        "R-slowest", "R", "compute", "uneven_pipeline_time",
        "A pipeline of [[N_p]] stages takes [[K_mb]] micro-batches through a step, all of them forward before the first comes back. A micro-batch takes [[t_f]] forward and [[t_b]] backward on each stage but the last, which takes [[x_slow]] times as long. How long does the step take?",
        "s", {**_SIZES, **_TIMES, x_slow: ("1.25", "1.4", "1.5", "2")},
    ),
    Value(
        "R-in-flight", "R", "compute", "micro_batches_in_flight",
        f"{_PLAIN} The schedule alternates one forward with one backward pass as soon as it can. Of how many micro-batches does the stage numbered [[n_stage]], counted from 0, keep activations at its fullest?",
        "", {**_SIZES, n_stage: ("1", "2", "3")},
    ),
    Value("R-gpipe", "R", "compute", "gpipe_in_flight", f"{_PLAIN} All go forward before the first comes back. Of how many micro-batches does a stage keep activations at its fullest?", "", _SIZES),
    Value(
        "R-chunks-in-flight", "R", "compute", "chunks_in_flight", f"{_CHUNKS} How many chunks are in flight on the first stage at its fullest: gone forward and not yet come back?",
        "", {N_p: ("4", "8", "16"), K_mb: ("32", "48", "64", "128"), n_chk: ("2", "3", "4", "5", "6")},
    ),
    Value(
        "R-layers", "R", "compute", "layers_of_stage", "A model of [[L]] layers is dealt out over [[N_p]] pipeline stages as evenly as it goes, layers alone. How many layers are on the fullest stage?",
        "", {L: ("30", "40", "61", "78", "80", "94", "126"), N_p: ("4", "6", "8", "12", "14", "16")},
    ),
    Value(
        "R-layers-ends", "R", "compute", "layers_with_ends",
        "A model of [[L]] layers is dealt out over [[N_p]] pipeline stages as evenly as it goes, embedding and head counting as a layer each. How many places are on the fullest stage?",
        "", {L: ("31", "32", "47", "63", "64", "79", "80", "95", "96"), N_p: ("4", "6", "8", "12", "16")},
    ),
    Value(
        "R-keeps", "R", "compute", "stage_activations", f"{_KEEPS} The schedule alternates one forward with one backward pass. How much does the stage numbered [[n_stage]], counted from 0, keep at its fullest?",
        "GB", {**_SHAPE, n_stage: ("1", "2", "3")},
    ),
    Value("R-gpipe-keeps", "R", "compute", "gpipe_activations", f"{_KEEPS} All go forward before the first comes back. How much does a stage keep at its fullest?", "GB", _SHAPE),
    Value(
        "R-handover", "R", "compute", "handover", f"{_HIDDEN} A stage runs on a tensor group of [[N_t]] without sequence parallelism. How much does each of its ranks hand to the next stage for a micro-batch?",
        "MB", {**_VECTORS, N_t: ("2", "4", "8")},
    ),
    Value(
        "R-handover-split", "R", "compute", "split_handover", f"{_HIDDEN} A stage runs on a tensor group of [[N_t]] that splits every sequence between blocks as well. How much does each of its ranks hand to the next stage for a micro-batch?",
        "MB", {**_VECTORS, N_t: ("2", "4", "8")},
    ),
    Value(
        "R-traffic", "R", "compute", "pipeline_traffic", f"{_HIDDEN} A pipeline whose stages hold [[n_chk]] interleaved chunks each takes [[K_mb]] micro-batches through a step, without sequence parallelism. How much does a rank of a middle stage receive from its neighbours in the step?",
        "GB", {**_VECTORS, n_chk: ("2", "3", "4"), K_mb: ("24", "32", "48", "64")},
    ),
    Value(
        "R-context", "R", "compute", "context_traffic",
        "[[N_c]] context-parallel ranks share [[b]] sequences of [[s]] tokens. A layer has [[a]] attention heads and [[a_kv]] heads of keys and as many of values, each of [[d_h]] elements of [[b_a]]. How much does each rank receive in the layer's forward pass?",
        "MB", {N_c: ("4", "8", "16"), b: ("1", "2", "3"), s: ("32768", "65536", "131072"), a: ("64", "128"), a_kv: ("8", "16"), d_h: ("128",), b_a: ("2 B",)},
    ),
    Value(
        "R-context-backward", "R", "compute", "context_backward_traffic",
        "[[N_c]] context-parallel ranks share [[b]] sequences of [[s]] tokens. A layer has [[a]] attention heads and [[a_kv]] heads of keys and as many of values, each of [[d_h]] elements of [[b_a]], whose gradients have elements of [[b_r]]. "
        "Blocks of keys and values go round in a ring and their gradients with them, each in as many hops as blocks come to a rank from the others. How much does each rank receive in the layer's backward pass?",
        "MB", {N_c: ("4", "8", "16"), b: ("1", "2", "3"), s: ("32768", "65536", "131072"), a: ("64", "128"), a_kv: ("8", "16"), d_h: ("128",), b_a: ("2 B",), b_r: ("2 B", "4 B")},
    ),
    Value(
        "R-data-degree", "R", "backwards", "mesh_data_degree",
        "[[G]] GPUs run [[N_p]] pipeline stages with tensor groups of [[N_t]] and a context degree of [[N_c]]; in every layer experts are shared out over [[N_e]] ranks. What is the data-parallel degree?",
        "", {G: ("2048", "4096", "8192", "12288", "16384"), N_p: ("4", "6", "8", "16"), N_t: ("4", "8"), N_c: ("2", "4", "8", "16"), N_e: ("4", "8")},
    ),
    Value(
        "R-missing-degree", "R", "missing", "mesh_data_degree", "[[G]] GPUs are to run [[N_p]] pipeline stages with tensor groups of [[N_t]] and a context degree of [[N_c]], none left idle. What is the data-parallel degree?",
        "", {G: ("1000", "1536", "2048", "4096", "6144", "12288"), N_p: ("3", "5", "6", "8", "12"), N_t: ("4", "8"), N_c: ("2", "4")},
    ),
    Value(
        "R-experts", "R", "compute", "expert_copies",
        "The ranks of one pipeline stage and tensor slot are [[N_d]] data-parallel times [[N_c]] context-parallel ones. They share the experts of their layers out with an expert degree of [[N_e]]. How many copies of each expert are there among them?",
        "", {N_d: ("8", "16", "32", "64"), N_c: ("2", "4", "8"), N_e: ("4", "8", "16")},
    ),
    Written("R-write-total", "R", "bubble_over_total", "A pipeline of N_p equal stages takes [[K_mb]] micro-batches through a step. How large is the bubble, as a share of the total time of the step?", {K_mb: ("16", "24", "32", "64")}),
    Written("R-write-chunks", "R", "interleaved_bubble_over_total", "A pipeline of [[N_p]] stages, each of n_chk interleaved chunks, takes K_mb micro-batches through a step. How large is the bubble, as a share of the total time of the step?", {N_p: ("4", "8", "16")}),
    WrongLine("R-wrong-line", "R", _SHARES),
    WrongLine("R-memory-wrong-line", "R", _MEMORY),
    Faded("R-faded", "R", _SHARES, 2),
    Faded("R-memory-faded", "R", _MEMORY, 2),
    Justify(
        "R-principle", "R",
        (
            Reason("pipeline_time", 0, BUBBLE, (PACE,)), Reason("bubble_over_ideal", 0, DENOMINATOR, (BUBBLE,)), Reason("uneven_pipeline_time", 0, PACE, (BUBBLE,)),
            Reason("micro_batches_in_flight", 0, IN_FLIGHT, (BUBBLE,)), Reason("layers_of_stage", 0, WHOLE_LAYERS, (LAYERS, WHOLE_RANKS)), Reason("pipeline_traffic", 0, BORDERS, ()),
            Reason("expert_copies", 0, EXPERTS, (PRODUCT,)), Reason("context_traffic", 0, OWN_SHARD, ()),
        ),
    ),
)  # fmt: skip
