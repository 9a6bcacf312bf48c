"""What goes wrong about pipelines and about the degrees beside them (cell R)."""

from __future__ import annotations

from sympy import S, ceiling, floor

from ...algebra.vocabulary import A, K_mb, L, N_c, N_d, N_e, N_p, N_t, a, a_kv, b, b_a, b_r, n_chk, n_stage, t_b, t_f, x_slow
from .form import Misconception
from .pipeline_principles import BORDERS, BUBBLE, DENOMINATOR, EXPERTS, IN_FLIGHT, PACE, WHOLE_LAYERS
from .principles import COLLECTIVES, OWN_SHARD, PRODUCT

_OF_IDEAL = ("bubble_over_ideal", "interleaved_bubble_over_ideal")
_OF_TOTAL = ("bubble_over_total", "interleaved_bubble_over_total")
_CHUNKED = ("interleaved_bubble_over_ideal", "interleaved_bubble_over_total", "interleaved_pipeline_time", "run_time")
_TIMES = ("pipeline_time", "interleaved_pipeline_time")
_FLYING = ("micro_batches_in_flight", "stage_activations")
_RINGS = ("context_traffic", "context_backward_traffic")
_UNDER_GPIPE = ("gpipe_in_flight", "gpipe_activations")

PIPELINES = (
    Misconception(
        "bubble-of-the-total", _OF_IDEAL, lambda truth: truth / (1 + truth),
        "A share is taken of the whole step.", DENOMINATOR,
        "That is a share of the total; the ideal time leaves the bubble itself out.",
    ),
    Misconception(
        "ideal-time-for-the-total", _OF_TOTAL, lambda truth: truth / (1 - truth),
        "The bubble is set against the time that is worked.", DENOMINATOR,
        "That is a share of the ideal time; the total has the bubble in it as well.",
    ),
    Misconception(
        "bubble-of-every-stage", (*_OF_IDEAL, *_OF_TOTAL, *_TIMES, "run_time"), lambda truth: truth.xreplace({N_p: N_p + 1}),
        "There are as many places to fill as there are stages.", BUBBLE,
        "The first stage waits for nobody: a pipeline has to be filled on all stages but one.",
    ),
    Misconception(
        "chunks-change-nothing", _CHUNKED, lambda truth: truth.xreplace({n_chk: S.One}),
        "A stage has the same layers, in however many chunks.", BUBBLE,
        "The pipeline fills and empties a chunk at a time, and a chunk takes a part of the stage's time.",
    ),
    Misconception(
        "chunks-divide-the-total-too", ("interleaved_bubble_over_total",), lambda _: (N_p - 1) / (K_mb + N_p - 1) / n_chk,
        "Chunks divide the bubble, so they divide its share.", DENOMINATOR,
        "They divide the bubble, and so the total gets shorter too: its share falls by less.",
    ),
    Misconception(
        "bubble-left-out", _TIMES, lambda _: K_mb * (t_f + t_b),
        "One micro-batch leaves the pipeline after another.", BUBBLE,
        "So they do once it is full; filling and emptying it comes on top.",
    ),
    Misconception(
        "one-at-a-time-through-all-stages", ("pipeline_time",), lambda _: K_mb * N_p * (t_f + t_b),
        "Every micro-batch has to pass every stage.", BUBBLE,
        "Several are on their way at a time, each on another stage.",
    ),
    Misconception(
        "chunks-divide-the-step", ("interleaved_pipeline_time",), lambda _: (K_mb + N_p - 1) * (t_f + t_b) / n_chk,
        "A chunk takes a part of the time, so the step does.", BUBBLE,
        "A stage works through all of its chunks; only filling and emptying gets shorter.",
    ),
    Misconception(
        "mean-stage-sets-the-pace", ("uneven_pipeline_time",), lambda _: (K_mb + N_p - 1) * (t_f + t_b) * (N_p - 1 + x_slow) / N_p,
        "What one stage is slower, the others make up for.", PACE,
        "They cannot: they wait for it at every micro-batch.",
    ),
    Misconception(
        "every-stage-as-slow", ("uneven_pipeline_time",), lambda _: (K_mb + N_p - 1) * x_slow * (t_f + t_b),
        "The slowest stage sets the pace of everything.", PACE,
        "Of the micro-batches it does; filling and emptying passes the quick stages at their own pace.",
    ),
    Misconception(
        "slowness-paid-once", ("uneven_pipeline_time",), lambda _: (K_mb + N_p - 2 + x_slow) * (t_f + t_b),
        "The slow stage delays the way through the pipeline.", PACE,
        "It delays every micro-batch, not just the first.",
    ),
    Misconception(
        "all-micro-batches-on-every-stage", _FLYING, lambda truth: A * L * K_mb / N_p if truth.has(A) else K_mb + S.Zero,
        "All micro-batches go forward before one comes back.", IN_FLIGHT,
        "So it is under GPipe; alternating, a stage takes one back before it takes another.",
    ),
    Misconception(
        "every-stage-like-the-first", _FLYING, lambda truth: truth.xreplace({n_stage: S.Zero}),
        "As many are in flight as there are stages.", IN_FLIGHT,
        "On the first stage; the nearer to the end, the sooner a micro-batch is back.",
    ),
    Misconception(
        "own-micro-batch-not-in-flight", _FLYING, lambda truth: truth.xreplace({n_stage: n_stage + 1}),
        "In flight is what is on the stages behind.", IN_FLIGHT,
        "The one that the stage itself works on is kept as well.",
    ),
    Misconception(
        "stages-before-are-in-flight", ("micro_batches_in_flight",), lambda _: n_stage + 1,
        "The further down the pipeline, the more have gathered.", IN_FLIGHT,
        "It is the first stage that waits longest for one to come back.",
    ),
    Misconception(
        "gpipe-stops-at-the-stages", _UNDER_GPIPE, lambda truth: A * L if truth.has(A) else N_p + S.Zero,
        "No more are in flight than there are stages.", IN_FLIGHT,
        "Nothing comes back before everything has gone forward, so they all are.",
    ),
    Misconception(
        "gpipe-frees-one-early", _UNDER_GPIPE, lambda truth: truth.xreplace({K_mb: K_mb - 1}),
        "The last one comes straight back and is never kept.", IN_FLIGHT,
        "It has gone forward when it turns, and its activations are what it turns with.",
    ),
    Misconception(
        "a-stage-keeps-all-layers", ("stage_activations", "gpipe_activations"), lambda truth: truth * N_p,
        "A micro-batch leaves activations in every layer.", IN_FLIGHT,
        "In every layer of the model; a stage holds only its own.",
    ),
    Misconception(
        "chunks-in-flight-fill-the-stages", ("chunks_in_flight",), lambda _: N_p * n_chk,
        "Each chunk has one in flight for every stage.", IN_FLIGHT,
        "And as many more as must reach the end and come back before the first is returned.",
    ),
    Misconception(
        "chunks-in-flight-like-stages", ("chunks_in_flight",), lambda _: N_p,
        "As many are in flight as there are stages.", IN_FLIGHT,
        "Of each chunk: a micro-batch passes the stage once for every chunk it holds.",
    ),
    Misconception(
        "all-chunks-in-flight", ("chunks_in_flight",), lambda _: K_mb * n_chk,
        "Everything goes forward first.", IN_FLIGHT,
        "After the warm-up, one comes back for each that goes forward.",
    ),
    Misconception(
        "layers-rounded-down", ("layers_of_stage", "layers_with_ends"), floor,
        "What is left over hardly matters.", WHOLE_LAYERS,
        "Somebody holds the layers that are left over, and the fullest stage is asked for.",
    ),
    Misconception(
        "remainder-on-one-stage", ("layers_of_stage",), lambda _: L - (N_p - 1) * floor(L / N_p),
        "The last stage takes what is left over.", WHOLE_LAYERS,
        "They are dealt out one to a stage, so that no stage has more than one too many.",
    ),
    Misconception(
        "ends-take-no-place", ("layers_with_ends",), lambda _: ceiling(L / N_p),
        "Only layers are dealt out.", WHOLE_LAYERS,
        "Embedding and head lie on the first and the last stage, and here each stands for a layer.",
    ),
    Misconception(
        "one-end-counted", ("layers_with_ends",), lambda _: ceiling((L + 1) / N_p),
        "The head costs as much as a layer; an embedding is a look-up.", WHOLE_LAYERS,
        "Here both stand for a layer: the embedding takes the memory, the head the time as well.",
    ),
    Misconception(
        "forth-and-back-at-once", ("handover", "split_handover"), lambda truth: 2 * truth,
        "A hidden vector goes forth and a gradient comes back.", BORDERS,
        "The gradient is a message of its own, the other way; asked for is what is handed on.",
    ),
    Misconception(
        "one-sequence-handed-on", ("handover", "split_handover"), lambda truth: truth / b,
        "A stage hands on a sequence.", BORDERS,
        "It hands on all sequences of the micro-batch.",
    ),
    Misconception(
        "handover-always-split", ("handover",), lambda truth: truth / N_t,
        "The ranks of a tensor group share what they send.", BORDERS,
        "Without sequence parallelism each of them holds the whole vector and sends it.",
    ),
    Misconception(
        "handover-never-split", ("split_handover",), lambda truth: truth * N_t,
        "Every rank hands on a whole hidden vector.", BORDERS,
        "A rank holds its own tokens alone, and hands on no others.",
    ),
    Misconception(
        "hidden-vectors-alone", ("pipeline_traffic",), lambda truth: truth / 2,
        "What a stage receives is hidden vectors.", BORDERS,
        "Backward it receives a gradient of the same size for each of them.",
    ),
    Misconception(
        "borders-of-a-plain-pipeline", ("pipeline_traffic",), lambda truth: truth.xreplace({n_chk: S.One}),
        "Two neighbours have one border.", BORDERS,
        "They have one for every chunk: interleaving is paid for in messages.",
    ),
    Misconception(
        "one-micro-batch-crosses", ("pipeline_traffic",), lambda truth: truth.xreplace({K_mb: S.One}),
        "A border is crossed once in a step.", BORDERS,
        "Once for every micro-batch.",
    ),
    Misconception(
        "own-part-comes-round", _RINGS, lambda truth: truth.xreplace({N_c - 1: N_c}),
        "Keys and values of the whole sequence pass by.", OWN_SHARD,
        "Those of its own part a rank has already.",
    ),
    Misconception(
        "keys-without-values", _RINGS, lambda truth: truth / 2,
        "To score a query, its rank needs the keys.", OWN_SHARD,
        "The scores then weigh values, and those come from the same ranks.",
    ),
    Misconception(
        "all-heads-go-round", _RINGS, lambda truth: truth.xreplace({a_kv: a}),
        "There are keys and values for every attention head.", OWN_SHARD,
        "With grouped queries several heads share one, and only those pass by.",
    ),
    Misconception(
        "gradients-of-keys-stay-at-home", ("context_backward_traffic",), lambda truth: truth.xreplace({b_r: S.Zero}),
        "Backward the same goes round as forward.", COLLECTIVES,
        "Every rank adds to the gradients of the keys and values that it met, so these go round too.",
    ),
    Misconception(
        "keys-kept-from-the-forward-pass", ("context_backward_traffic",), lambda truth: truth.xreplace({b_a: S.Zero}),
        "Keys and values came by in the forward pass; backward only their gradients go round.", COLLECTIVES,
        "What passed by was not kept: it would be the whole sequence. So it comes once more.",
    ),
    Misconception(
        "context-divides-nothing", ("mesh_data_degree",), lambda truth: truth.xreplace({N_c: S.One}),
        "A context degree cuts sequences, not the world.", PRODUCT,
        "Each part of a sequence lies on a GPU of its own: the context degree divides the world like the others.",
    ),
    Misconception(
        "experts-take-gpus", ("mesh_data_degree",), lambda truth: truth / N_e,
        "Every degree takes its own GPUs.", EXPERTS,
        "Experts are dealt out over ranks that are counted already.",
    ),
    Misconception(
        "context-ranks-hold-no-experts", ("expert_copies",), lambda _: N_d / N_e,
        "Experts are shared out over the data-parallel ranks.", EXPERTS,
        "Ranks with parts of one sequence hold the same layers and share the experts out as well.",
    ),
    Misconception(
        "every-rank-holds-every-expert", ("expert_copies",), lambda _: N_d * N_c,
        "All these ranks hold the same layers, so each has the expert.", EXPERTS,
        "Experts are shared out among them: as many ranks as the expert degree says hold one set.",
    ),
    Misconception(
        "expert-degree-multiplies", ("expert_copies",), lambda _: N_d * N_c * N_e,
        "An expert degree multiplies like the other degrees.", EXPERTS,
        "It adds no ranks; it divides those that hold the same layers.",
    ),
)  # fmt: skip
