"""The self-test: what to know by heart, and a question or two for each cell, answers folded."""

from .blocks import Ask, Fact, Lesson, Say

LESSON = Lesson(
    id="self-test",
    title="Self-test",
    blocks=(
        Say(
            "how",
            "Answer each question aloud or on paper before you open its answer. Where you hesitate, follow the link to the lesson. "
            "The order is that of the reading path.",
        ),
        Say("a", "## Memory in fp32\n\n[Lesson A](A-memory-in-fp32.ipynb)"),
        Ask(
            "a-bytes",
            "Training in fp32 with Adam: which buffers does a parameter drag along, and how many bytes are they together?",
            "Itself, its gradient, the momentum and the variance, [[a-bytes-fact.b_w]] each: [[a-bytes-fact]].",
        ),
        Fact("a-bytes-fact", "bytes_per_parameter", cell="A"),
        Ask(
            "a-alone",
            "How does the memory of FSDP compare with plain data parallel at $N = 1$?",
            "It is identical: a model of [[a-alone-fact.P]] parameters has [[a-alone-fact]] of state either way. Sharding takes at least two ranks to save anything.",
        ),
        Fact("a-alone-fact", "single_rank_state", cell="A"),
        Say("b", "## Memory in mixed precision\n\n[Lesson B](B-memory-in-mixed-precision.ipynb)"),
        Ask(
            "b-bytes",
            "How many bytes does a parameter take in mixed precision with an fp32 master copy and fp32 Adam moments? Name the parts.",
            "fp16 parameter and gradient with [[b-bytes-fact.b_w]] and [[b-bytes-fact.b_g]], then the master copy, momentum and variance with "
            "[[b-bytes-fact.b_c]] each: [[b-bytes-fact]].",
        ),
        Fact("b-bytes-fact", "bytes_per_parameter", cell="B"),
        Ask(
            "b-less",
            "So does mixed precision shrink the model state compared with all-fp32 Adam?",
            "No: [[b-bytes-fact]] against [[a-bytes-fact]]. The master copy costs exactly what the narrow parameter and gradient save; "
            "what gets smaller is the activations, and what gets faster is the compute.",
        ),
        Say("g", "## Which ZeRO stage?\n\n[Lesson G](G-which-zero-stage.ipynb)"),
        Ask(
            "g-floors",
            "Which buffers does each ZeRO stage shard, and what is left per parameter when $N$ grows without bound?",
            "ZeRO-1 the optimizer states, which leaves [[g-floor-1]]; ZeRO-2 the gradients too, which leaves [[g-floor-2]]; "
            "ZeRO-3, or FSDP, everything, so that nothing is left.",
        ),
        Fact("g-floor-1", "zero_1_bytes_per_parameter", {"N": "oo"}, cell="G"),
        Fact("g-floor-2", "zero_2_bytes_per_parameter", {"N": "oo"}, cell="G"),
        Ask(
            "g-pick",
            "A model of [[g-pick-fact.P]] parameters on [[g-pick-fact.N]] GPUs, [[g-pick-fact.M_max]] of state allowed on each: which is the smallest stage that fits?",
            "Stage [[g-pick-fact]]: stage one needs [[g-1]] and stage two [[g-2]], both above the budget; stage three needs [[g-3]].",
        ),
        Fact("g-pick-fact", "stage_for_budget", cell="G"),
        Fact("g-1", "zero_1_state", cell="G"),
        Fact("g-2", "zero_2_state", cell="G"),
        Fact("g-3", "sharded_state", cell="G"),
        Say("c", "## The activations\n\n[Lesson C](C-activations.ipynb)"),
        Ask(
            "c-sharded",
            "Does FSDP shard activations?",
            "No. Combine it with activation checkpointing. At a fixed batch per GPU the activations of that lesson's model are [[c-all|GB|4]] on every GPU, however many "
            "there are, beside [[c-state|GB|3]] of state on [[c-state.N]] ranks at [[c-width]]. Only a fixed *global* batch makes them smaller as ranks are added, because each rank gets fewer sequences.",
        ),
        Fact("c-all", "all_activations", cell="C"),
        Fact("c-state", "mean_state", cell="C"),
        Fact("c-width", "bytes_per_parameter", cell="C"),
        Ask(
            "c-root",
            "When is a checkpoint every $\\sqrt{L}$ layers best, and how much smaller does it make the peak?",
            "Only when a checkpoint costs as much as a layer. The checkpoints alone are $\\sqrt{L}$ times smaller than all activations, but the peak also holds the segment being recomputed: "
            "with [[c-cut.L]] layers the cut is [[c-cut||2]], not [[c-kept||2]]. A real transformer block keeps far more than its input and is best checkpointed every layer.",
        ),
        Fact("c-cut", "peak_cut", cell="C"),
        Fact("c-kept", "kept_cut", cell="C"),
        Say("d", "## Communication volume\n\n[Lesson D](D-communication-volume.ipynb)"),
        Ask(
            "d-gather",
            "What does an all-gather of a tensor of size $S$ cost each of $N$ ranks? For instance [[d-gather-fact.S]] on [[d-gather-fact.N]] ranks?",
            "$\\frac{N-1}{N} S$, which is [[d-gather-fact]]: every shard but one's own.",
        ),
        Fact("d-gather-fact", "all_gather", {"N": 64}, cell="D"),
        Ask(
            "d-layer",
            "What does a layer cost per training step, with one all-gather and one reduce-scatter? And when is that not enough?",
            "$2 \\cdot \\frac{N-1}{N} S$, or [[d-kept]] in the same instance. It holds where parameters stay gathered from forward to backward. The default frees them "
            "and gathers again, which makes it $3 \\cdot \\frac{N-1}{N} S$, or [[d-again]]: [[d-ratio]] times plain data parallel's all-reduce.",
        ),
        Fact("d-kept", "layer_traffic", {"N": 64, "r": 0}, cell="D"),
        Fact("d-again", "layer_traffic", {"N": 64, "r": 1}, cell="D"),
        Fact("d-ratio", "traffic_over_all_reduce", {"N": 64, "r": 1}, cell="D"),
        Say("f", "## A slow link\n\n[Lesson F](F-a-slow-link.ipynb)"),
        Ask(
            "f-time",
            "How long does a link of [[f-limit.R_bit]] need for a tensor of [[f-limit.S]], and how long does an all-gather of it take on [[f-gather.N]] ranks?",
            "[[f-limit]] for the whole tensor, which is also the bound for many ranks; [[f-gather]] for the all-gather, because one's own shard need not travel. "
            "The link moves [[f-width]]: divide the bits by [[f-gather.n_bit]] first.",
        ),
        Fact("f-limit", "all_gather_time", {"N": "oo"}, cell="F"),
        Fact("f-gather", "all_gather_time", cell="F"),
        Fact("f-width", "link_bandwidth", cell="F"),
        Say("e", "## Is sharding worth it?\n\n[Lesson E](E-is-sharding-worth-it.ipynb)"),
        Ask(
            "e-rule",
            "Above which ratio of communication to compute time is FSDP said to hurt? And which ratio does complete hiding ask for?",
            "Above [[e-hurts.rho_max]], which is a rule of thumb. Complete hiding asks only for communication that is no longer than compute. At [[e-hurts.T_comm]] over [[e-hurts.T_comp]] "
            "the rule says that it hurts ([[e-hurts]]) and the bound that it could hide ([[e-hides]]).",
        ),
        Fact("e-hurts", "sharding_hurts", cell="E"),
        Fact("e-hides", "communication_hides", cell="E"),
        Ask(
            "e-against",
            "At these times and without overlap, how much slower is FSDP than no communication at all, and than plain data parallel?",
            "[[e-none|%]] and [[e-dp|%]]: plain data parallel has its all-reduce to wait for as well.",
        ),
        Fact("e-none", "slowdown_without_overlap", cell="E"),
        Fact("e-dp", "slowdown_over_data_parallel", cell="E"),
        Say("h", "## 3-D parallelism\n\n[Lesson H](H-3-d-parallelism.ipynb)"),
        Ask(
            "h-product",
            "What must the data, pipeline and tensor degrees satisfy? Which data degree completes [[h-data.N_p]] stages and tensor groups of [[h-data.N_t]] on [[h-data.G]] GPUs?",
            "$N_{\\mathrm{data}} \\times N_{\\mathrm{pipeline}} \\times N_{\\mathrm{tensor}}$ is the number of GPUs, exactly. Here $N_{\\mathrm{data}}$ is [[h-data]].",
        ),
        Fact("h-data", "data_degree", cell="H"),
        Ask(
            "h-group",
            "Over how many ranks does FSDP shard in that layout, and where should a tensor group lie?",
            "Over [[h-shard]], the ranks with the same stage and the same slot, not over all [[h-shard.G]]. A tensor group belongs inside one node.",
        ),
        Fact("h-shard", "shard_group", cell="H"),
        Say("i", "## Conventions\n\n[Lesson I](I-conventions.ipynb)"),
        Ask(
            "i-sum",
            "The ZeRO paper and FSDP2 count the same bytes a parameter, Megatron counts more. What are the parts in each?",
            "The paper has a narrow parameter and gradient beside a master copy and moments, [[i-zero]]; FSDP2 has fp32 shards of parameter, gradient and moments and casts them while they are gathered, [[i-fsdp2]]; "
            "Megatron adds up gradients in fp32, [[i-megatron]].",
        ),
        Fact("i-zero", "bytes_per_parameter", cell="G"),
        Fact("i-fsdp2", "bytes_per_parameter", cell="N"),
        Fact("i-megatron", "bytes_per_parameter", cell="I"),
        Ask(
            "i-floor",
            "What stays of a model of [[i-floor-fact.P]] parameters on each rank, however many there are, under Megatron's distributed optimizer and under FSDP2?",
            "[[i-floor-fact]] of parameters and fp32 gradients, which it does not divide; nothing under FSDP2. A convention is its parts *and* what of them is divided.",
        ),
        Fact("i-floor-fact", "distributed_optimizer", {"N": "oo"}, cell="I"),
        Say("j", "## What really moves\n\n[Lesson J](J-what-really-moves.ipynb)"),
        Ask(
            "j-count",
            "How many all-gathers and reduce-scatters does a step of [[j-gathers.L]] wrapped blocks and a root group issue by default? Which group is gathered once?",
            "[[j-gathers]] and [[j-scatters]]. The root group alone is gathered once; the last block is not spared.",
        ),
        Fact("j-gathers", "gathers_in_step", cell="J"),
        Fact("j-scatters", "scatters_in_step", cell="J"),
        Ask(
            "j-widths",
            "Parameters are gathered in bf16 and gradients reduced in fp32. How does full sharding compare with plain data parallel that reduces in fp32 too?",
            "It moves [[j-step|GB|4]] against [[j-plain|GB|4]] a rank in that lesson's step: hardly less and hardly more. The ratio of three to two belongs to one width for both.",
        ),
        Fact("j-step", "step_traffic", cell="J"),
        Fact("j-plain", "all_reduce", {"S": "26,953,662,464 B"}, cell="J"),
        Say("k", "## Where the memory goes\n\n[Lesson K](K-where-the-memory-goes.ipynb)"),
        Ask(
            "k-stage",
            "A state fits its device under ZeRO-2, and the run dies in the optimizer's step. What did the state leave out?",
            "The gradient shard in the width of the step, and the temporaries of the update: with one flat shard two buffers of its size, [[k-flat|GiB|4]] on that lesson's cards. A fused optimizer makes none.",
        ),
        Fact("k-flat", "flat_temporaries", {"b_t": "4 B/param"}, cell="K"),
        Ask(
            "k-phase",
            "Which phase of a step is the fullest?",
            "It depends: with all activations kept it is often the backward pass, with blocks recomputed often the optimizer step. The first forward pass, without gradients and states, is the emptiest.",
        ),
        Say("l", "## A transformer's activations\n\n[Lesson L](L-a-block-term-by-term.ipynb)"),
        Ask(
            "l-square",
            "Which tensors of a block grow with the square of the sequence, and how much of GPT-3's block are they at [[l-scores.s]] tokens?",
            "The scores: softmax, its mask, and what dropout lets through. [[l-scores|GB|3]] of [[l-saved|GB|3]]. A fused attention keeps one logarithm for each head and token in their place.",
        ),
        Fact("l-scores", "score_activations", cell="L"),
        Fact("l-saved", "saved_activations", cell="L"),
        Ask(
            "l-shared",
            "Does FSDP divide activations, and does tensor parallelism?",
            "FSDP does not. Tensor parallelism splits what lies between a block's matrices and leaves the rest whole unless the sequence is split as well.",
        ),
        Say("m", "## Shards that don't divide\n\n[Lesson M](M-shards-that-dont-divide.ipynb)"),
        Ask(
            "m-rows",
            "FSDP2 deals [[m-chunk.d_0]] rows out over [[m-chunk.N]] ranks. How many rows does a shard have, and what do the last two ranks hold?",
            "A shard has [[m-chunk]]; the last rank but one holds [[m-left]], and the last [[m-none]].",
        ),
        Fact("m-chunk", "shard_rows", {"d_0": 1000, "N": 64}, cell="M"),
        Fact("m-left", "rows_of_rank", {"d_0": 1000, "N": 64, "n_rank": 62}, cell="M"),
        Fact("m-none", "rows_of_rank", {"d_0": 1000, "N": 64, "n_rank": 63}, cell="M"),
        Ask(
            "m-travel",
            "Does padding travel, and is it allocated?",
            "It travels: collectives join shards of one size. Parameter and gradient are allocated with it; Adam's moments are not.",
        ),
        Say("n", "## Reality check\n\n[Lesson N](N-reality-check.ipynb)"),
        Ask(
            "n-bounds",
            "Which predictions are bounds, and what does no formula here count?",
            "The backward pass is bounded from above; in the runs recorded the bound is less than a twentieth too high. The device's context and libraries, fragmentation, and what a compiler keeps are not counted: leave a margin.",
        ),
        Ask(
            "n-whole",
            "Why is a rank's share under tensor parallelism a little more than the model over all GPUs?",
            "Norms and the biases behind a block's last matrices stand on every rank of the tensor group: [[n-mesh|MB|5]] instead of [[n-even|MB|5]] in that lesson's layout.",
        ),
        Fact("n-mesh", "replicated_over_tensor", {"N_d": 16, "N_p": 8, "N_t": 8, "P_split": 64429096960, "P_whole": 3932160, "B": "[[b-bytes-fact]]"}, cell="N"),
        Fact("n-even", "replicated_over_tensor", {"N_d": 16, "N_p": 8, "N_t": 8, "P_split": 64433029120, "P_whole": 0, "B": "[[b-bytes-fact]]"}, cell="N"),
        Say("o", "## Find the mistake\n\n[Lesson O](O-find-the-mistake.ipynb)"),
        Ask(
            "o-unit",
            "A program prints that a model needs so many GB. Which unit is it likely to mean, and how large is the error?",
            "GiB. An estimate of [[o-printed|GB|4]] is printed as [[o-printed|GiB|4]] without its i: seven percent, enough to decide whether it fits.",
        ),
        Fact("o-printed", "deepspeed_zero_3", {"P": "6805e6", "N": 4, "P_big": "131e6", "b_g": "4 B/param"}, cell="O"),
        Ask(
            "o-three",
            "\"Sharding moves three times as much.\" What is the ratio, and where does the three come from?",
            "[[o-ratio]]. Three collectives were set against one all-reduce, which is itself two passes.",
        ),
        Fact("o-ratio", "traffic_over_all_reduce", cell="O"),
        Say("r", "## Pipelines and three dimensions\n\n[Lesson R](R-pipelines.ipynb)"),
        Ask(
            "r-share",
            "[[r-total.N_p]] stages, [[r-total.K_mb]] micro-batches: how large is the bubble, and of what? What do [[r-chunks.n_chk]] chunks a stage make of it?",
            "[[r-ideal|%|4]] of the ideal time, [[r-total|%|4]] of the total. With the chunks it is [[r-chunks|%|4]] of the ideal time: exactly so many times less.",
        ),
        Fact("r-ideal", "bubble_over_ideal", cell="R"),
        Fact("r-total", "bubble_over_total", cell="R"),
        Fact("r-chunks", "interleaved_bubble_over_ideal", cell="R"),
        Ask(
            "r-price",
            "What does 1F1B save over GPipe, and what does interleaving cost?",
            "Not time: memory. The first stage keeps [[r-flight]] micro-batches instead of all [[r-gpipe]]. Interleaving keeps more on the first stage, and every chunk adds a border that all micro-batches cross.",
        ),
        Fact("r-flight", "micro_batches_in_flight", cell="R"),
        Fact("r-gpipe", "gpipe_in_flight", cell="R"),
        Say("s", "## Planning a run\n\n[Lesson S](S-planning-a-run.ipynb)"),
        Ask(
            "s-parts",
            "Of which parts is the time of a step made, and which of them hide?",
            "A stage's products, its memory traffic and what its tensor, context and pipeline groups wait for, in every micro-batch; the bubble; what sticks out of gathers and reductions; the optimizer. Gathers and reductions alone hide: a stage's gather of [[s-gather|ms|4]] behind the third of a micro-batch, its reduction behind the rest.",
        ),
        Fact("s-gather", "gather_time", cell="S"),
        Ask(
            "s-sure",
            "Two plans differ by a tenth. Which one do you run?",
            "Either. Bytes are counted, and a layout fits or does not; times made with nominal shares are off by more than that. Measure some steps of both.",
        ),
    ),
)
