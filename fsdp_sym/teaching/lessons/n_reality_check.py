"""Cell N: what was predicted beside what was found, for every run on record, and what stays open."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Measured, Plot, Reveal, Say, Work, YourNumbers

_SMALL: At = {"P": 6738415616}
_LLAMA_7B: At = {"L": 32, "d": 4096, "f": 11008, "a": 32, "a_kv": 32}
_MESH: At = {"N_d": 16, "N_p": 8, "N_t": 8, "P_split": 64429096960, "P_whole": 3932160}

LESSON = Lesson(
    id="N-reality-check",
    title="Reality check",
    cell="N",
    blocks=(
        Say(
            "question",
            "Nobody should believe a memory calculator that was never set beside a machine. In the tables below the column *found* was written by real runs of PyTorch, or printed by somebody else, and is read from records; "
            "the column *predicted* is worked now, by the formulas of these lessons, from the inputs alone. Where do they part?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "A run sharded Llama-2-70B over [[@N]] ranks with Adam, took a step, and added up what a rank holds: parameters, gradients, moments. How many gigabytes did it find?",
            of="even",
            example="20 GB",
        ),
        Say("state-why", "### What stays\n\nThe law is lesson A's; the exact rows are those of [lesson M](M-shards-that-dont-divide.ipynb)."),
        Derive("state-derive", "sharded_state"),
        Work("even", "sharded_state"),
        Reveal("reveal"),
        Work("even-8", "sharded_state", {"N": 8}),
        Work("even-1024", "sharded_state", {"N": 1024}),
        Work("small-8", "sharded_state", {**_SMALL, "N": 8}),
        Work("small-64", "sharded_state", _SMALL),
        Work("small-1024", "sharded_state", {**_SMALL, "N": 1024}),
        Measured("persistent", "persistent"),
        Say(
            "state-read",
            "On [[even-8.N]] and on [[even.N]] ranks the plain law is met to the byte, by the large model as by the small one. On [[even-1024.N]] it is not, because rows no longer divide: an even share of the large model would be [[even-1024|MB|7]], and the fullest rank "
            "holds [[fullest|MB|7]]; of the small one [[small-1024|MB|7]] and [[small-fullest|MB|7]]. The formula that deals out rows is right about both.",
        ),
        Fact("fullest", "model_on_rank", {"N": 1024, "n_rank": 0}),
        Fact("small-fullest", "model_on_rank", {**_LLAMA_7B, "N": 1024, "n_rank": 0}),
        Say(
            "mesh-why",
            "### Three degrees at once\n\nData, pipeline and tensor parallelism divide the parameters together, as in [lesson H](H-3-d-parallelism.ipynb), but tensor parallelism leaves some of them whole on every rank: norms, and the biases behind the last matrices. "
            "Take [[mesh.N_d]] replicas, [[mesh.N_p]] stages, and tensor groups of [[mesh.N_t]].",
        ),
        Derive("mesh-derive", "replicated_over_tensor"),
        Work("mesh", "replicated_over_tensor", {**_MESH, "B": "16 B/param"}),
        Work("mesh-even", "replicated_over_tensor", {**_MESH, "B": "16 B/param", "P_split": 64433029120, "P_whole": 0}),
        Measured("parallel", "parallel"),
        Say(
            "mesh-read",
            "[[mesh|B]], where an even share of everything would be [[mesh-even|B]]. The difference is small because what is left whole is small; a formula that is exact has to have it all the same.",
        ),
        Say("moves-why", "### What moves\n\nEvery collective of one step, under each setting of [lesson J](J-what-really-moves.ipynb), and the bytes that crossed real sockets."),
        Measured("collectives", "collectives"),
        Measured("wire", "wire"),
        Say("kept-why", "### What blocks keep\n\nEvery tensor that autograd held on to, by [lesson L](L-a-block-term-by-term.ipynb)'s terms."),
        Measured("activations", "activations"),
        Say("step-why", "### What a step needs\n\nTemporaries of the optimizer step, and then the fullest moment of each phase of whole training runs."),
        Measured("optimizer", "optimizer"),
        Measured("peaks", "peaks"),
        Say("counts-why", "### What a model has\n\nParameters of published configurations, built without memory and counted; and figures that others printed."),
        Measured("counts", "counts"),
        Measured("printed", "printed"),
        Plot("picture", "predicted_and_found"),
        Say(
            "open",
            "### The edge: where they part\n\nWhat is left, by name:\n\n"
            "* **Backward passes are bounds.** While half a block is turned back its activations go as its gradients come; the formula counts both at their fullest, so it lies above what a run needs: in the runs above by less than a twentieth, and never below. A search for the worst small models found less than a tenth. Forward passes and optimizer steps are met exactly.\n"
            "* **Sockets frame what they carry**, so that a little more crosses the wire than the tensor has.\n"
            "* **Gloo has no reduce-scatter of its own** and sends an all-reduce in its place. The formula of the step holds for a library that has one: the runs above were given one, but for those that say otherwise, and in these the gradients count twice.\n"
            "* **A sharded optimizer beside plain data parallel** is the implementation that all-reduces and then broadcasts, not the paper's schedule.\n"
            "* **Kernels are part of a prediction.** Masks of two bytes, norms in several kernels and repeated keys are predicted when they are named, and not before.\n\n"
            "And what no formula here counts at all: the device's context and libraries, fragmentation, and what a compiler keeps. Runs on a CPU say nothing about those; leave a margin.",
        ),
        Ask(
            "ask-more",
            "By how much is the fullest of [[small-1024.N]] ranks above an even share, for the small model and for the large one, and why does the larger model come off better?",
            "The small one holds [[small-fullest|MB|4]] for [[small-1024|MB|4]], about one percent more; the large one [[fullest|MB|5]] for [[even-1024|MB|5]], next to nothing. "
            "Its feed-forward width and hidden size divide by the ranks, and only the vocabulary does not.",
        ),
        Ask(
            "ask-count",
            "A calculator predicts the total to within a percent of a run. Is it right?",
            "It may still have the wrong parts: one sum has many breakdowns. Set part beside part, and change an input: what is right moves as the run does.",
        ),
        Ask(
            "ask-traffic",
            "One block on a tensor group of [[tp.N_t]] met its group in all-reduces, and moved a hidden vector a token each time. What did each rank receive, and what if the inputs are prepared so that only half as many meet backward?",
            "[[tp|B]] and [[tp-prepared|B]], as the table says of the runs.",
        ),
        Fact("tp", "tensor_parallel_traffic", {"N_t": 4, "L": 1, "b": 2, "s": 64, "d": 128, "b_a": "2 B", "n_in": 4}),
        Fact("tp-prepared", "tensor_parallel_traffic", {"N_t": 4, "L": 1, "b": 2, "s": 64, "d": 128, "b_a": "2 B", "n_in": 2}),
        YourNumbers(
            "yours",
            'for ranks in (8, 64, 1024):\n'
            '    print(ranks, work("N", "model_on_rank", N=ranks, n_rank=ranks - 1).shown())'
        ),
    ),
)
