"""Cell S: what a rank of a stage holds, how long a step takes, and which of several layouts to run."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_LLAMA: At = {"a_kv": 8, "d_h": 128}
_BLOCK: At = {**_LLAMA, "n_mlp": 3, "n_op": 2, "x_pair": "1/2"}
_KEPT: At = {**_LLAMA, "b_a": 2, "b_in": 2, "b_nrm": 0, "b_n": 4, "b_l": 4}
# The stage that waits longest.
_FIRST: At = {"L_st": 7, "P_end": 2101346304}
_WAITS: At = {"L_st": 7, "T_gat": "[[gather]]", "T_red": "[[reduce]]"}

# Eight chunks of a layer on each stage.
_CHUNKS: At = {"n_chk": 8}
# Twice the stages, and four ranks that share a sequence.
_DEEP: At = {"L_st": 4, "N_c": 4}
_DEEP_MICRO: At = {**_DEEP, "D_blk": 15414263808}
_DEEP_FIRST: At = {**_FIRST, "L_st": 3, "N_mesh": 32}
# FSDP: no pipeline, the whole model on a tensor group, every block run again.
_FSDP: At = {"L_st": 126, "P_end": 4202708992}
_FSDP_MESH: At = {**_FSDP, "N_mesh": 1024}
_FSDP_MICRO: At = {"b": 2, "F_seq": 218802813927424, "V_hid": 3758096384, "D_blk": 20283916288, "n_pass": 4, "u_last": 1, "u_hop": 0}
_FSDP_WAITS: At = {"L_st": 126, "r": 1, "n_pass": 4, "T_mb": "[[micro-fsdp]]"}
_FSDP_PEAK: At = {
    **_FSDP, "b": 2, "n_w": 1024, "n_g": 1024, "n_o": 1024, "A": "[[hop]]", "A_more": 6304038912, "n_live": 1, "n_held": 2, "u_w": 1, "u_g": 1,
}  # fmt: skip
_SLOW: At = {"W_shd": "25 GB/s"}

LESSON = Lesson(
    id="S-planning-a-run",
    title="Planning a run",
    cell="S",
    blocks=(
        Say(
            "question",
            "[[@G]] GPUs are yours for some weeks, and a model of [[@P]] parameters is to be trained. Every lesson so far answered a part of the question. Here the parts come together: what should be run, why, and what would change the answer? "
            "We take one layout that was published, work out what a GPU holds and how long a step takes, and then set others beside it. A program does the same for every layout there is, with the formulas of this lesson: `fsdp-sym plan`.",
        ),
        Conventions(
            "conventions",
            without=("n_node", "n_link", "X_fp8"),
            folded=(
                "R_rep", "d", "f", "a", "F_log", "V_ctx", "W_con", "W_rep", "n_held", "A_more", "u_last", "u_hop", "u_w", "u_g", "u_ar", "r", "T_lay",
                "n_stage", "M_over", *_KEPT, "n_wide", "n_mlp", "n_op", "x_pair", "x_att", "P_all", "n_tok", "X_gpu", "u_lin",
            ),
        ),
        Forecast(
            "forecast",
            "[[@N_p]] stages, tensor groups of [[@N_t]], [[@K_mb]] micro-batches of [[@b]] sequence with [[@s]] tokens, and no chunks. How many seconds does an optimizer step take?",
            of="run",
            example="10 s",
        ),
        Say(
            "peak-why",
            "### Does it fit?\n\nA rank holds its part of its stage: the tensor group splits it, and of what the optimizer keeps the shard group leaves one share. On top come the activations of every micro-batch in flight. "
            "The second stage is looked at because it is the fullest: it has a layer more than the first, and nearly as many micro-batches in flight.",
        ),
        Derive("peak-derive", "stage_peak"),
        Work("live", "micro_batches_in_flight", {"n_stage": 1}),
        Work("kept-all", "llama_activations", {**_KEPT, "n_wide": 4}, unit="GB"),
        Work("kept", "llama_activations", {**_KEPT, "n_wide": 2}, unit="GB"),
        Work("peak-all", "stage_peak", {"A": "[[kept-all]]"}),
        Work("fits-all", "peak_fits", {"M_peak": "[[peak-all]]", "M_over": "4 GB"}),
        Work("peak", "stage_peak"),
        Work("fits", "peak_fits", {"M_peak": "[[peak]]", "M_over": "4 GB"}),
        Say(
            "peak-read",
            "With all that a block keeps, [[kept-all|GB|4]] of a sequence, the stage would take [[peak-all|GB|4]], and that does not fit. So of the feed-forward layer only gate and up are kept. The activated gate, and its product with up, are made again from them; that takes no matrix product, and so next to no time. "
            "[[kept|GB|4]] are left, the stage takes [[peak|GB|4]], and that fits, with [[fits.M_over]] of the GPU's [[@M_max|GB|4]] left free for what is not counted.",
        ),
        Say(
            "micro-why",
            "### A micro-batch on a stage\n\nThen time. Matrix products take their operations over the operations a second that are really reached. [Lesson Q](Q-hiding-communication.ipynb) counted them; a block takes these for one sequence, forward and backward. From a stage to the next goes a hidden vector for each token.",
        ),
        Work("forward", "block_flops", _BLOCK),
        Work("backward", "block_backward_flops", {**_BLOCK, "x_att": "5/2"}),
        Work("hop", "handover", {"b_a": 2}),
        Say(
            "micro-sizes",
            "From these come the sizes that a time is worked from, those of one block and one sequence before any group splits them. They depend on what is made again on the way back.\n\n"
            "| letter | what it is made of | nothing | the activated gate and its product | the whole block |\n|:---|:---|---:|---:|---:|\n"
            "| $A$ | what the block keeps; of a block that is run again, its input | [[kept-all|GB|4]] | [[kept|GB|4]] | [[hop|GB|4]] |\n"
            "| $F_{\\mathrm{seq}}$ | its products forward and backward, and forward once more where they are run again | [[@F_seq|TFLOP|4]] | [[@F_seq|TFLOP|4]] | [[micro-fsdp.F_seq|TFLOP|4]] |\n"
            "| $V_{\\mathrm{hid}}$ | its hidden vectors, as often as the tensor group gathers or scatters them: four times in a forward pass, and six backward | [[@V_hid|GB|4]] | [[@V_hid|GB|4]] | [[micro-fsdp.V_hid|GB|4]] |\n"
            "| $D_{\\mathrm{blk}}$ | all it would keep, thrice: written, read, and its gradient written; and once what is made again | [[micro-deep.D_blk|GB|4]] | [[@D_blk|GB|4]] | [[micro-fsdp.D_blk|GB|4]] |\n",
        ),
        Say(
            "micro-parts",
            "Beside the products, kernels pass activations through memory, and every pass reads a layer's weights there, however small the micro-batch. The tensor group passes hidden vectors on, and nothing can run beside that: the next product waits for it. "
            "The stage hands its micro-batch on, too. Each part goes at a share of the speed on the data sheet, and such shares are measured, never derived; here they are round figures.",
        ),
        Derive("micro-derive", "micro_batch_time"),
        Work("micro", "micro_batch_time"),
        Say(
            "exposed-why",
            "### What sticks out\n\nOnce in a step the new parameters are gathered, and the gradients reduced. Both have whole passes of a micro-batch to hide behind, and those we take as equally long: the gather has the first of the [[@n_pass]], which is the forward pass, and the reduction the others. "
            "All stages do that at the same time, and the first one waits longest: it has a layer less to hide behind, and to the other [[gather.L_st]] comes the embedding, with a hidden vector for each word that makes [[gather.P_end]] parameters.",
        ),
        Work("micro-first", "micro_batch_time", {"L_st": 7}),
        Derive("gather-derive", "gather_time"),
        Work("gather", "gather_time", _FIRST),
        Derive("reduce-derive", "reduce_time"),
        Work("reduce", "reduce_time", _FIRST),
        Derive("exposed-derive", "exposed_in_step"),
        Work("exposed", "exposed_in_step", {**_WAITS, "T_mb": "[[micro-first]]"}),
        Say("optimizer-why", "Then the optimizer changes what it has a share of. It computes next to nothing; reading and writing is what takes time."),
        Derive("optimizer-derive", "optimizer_time"),
        Work("optimizer", "optimizer_time", unit="µs"),
        Say("run-why", "### The step\n\nA stage works through all micro-batches, waits while the pipeline fills and empties, and for what was not hidden."),
        Derive("run-derive", "run_time"),
        Work("run", "run_time", {"T_mb": "[[micro]]", "T_show": "[[exposed]]", "T_opt": "[[optimizer]]"}),
        Reveal("reveal"),
        Work("alone", "run_time", {"N_p": 1, "T_mb": "[[micro]]", "T_show": "[[exposed]]", "T_opt": "[[optimizer]]"}),
        Say(
            "run-read",
            "[[run|s|4]]. A micro-batch takes [[micro|ms|4]], and the pipeline fills and empties for as long as one takes on all stages but one. Without that, the step would last [[alone|s|4]]: the bubble is what costs most beside the work itself. [[exposed|ms|4]] of communication stick out, and the optimizer's [[optimizer|µs|3]] are nothing. "
            "So what the plan is about is known: get rid of the bubble, and don't pay more for that than it is worth.",
        ),
        Say(
            "chunks-why",
            "### Three ways to get rid of it\n\n**Chunks.** Cut each stage into [[micro-chunks.n_chk]] chunks of a layer, as [lesson R](R-pipelines.ipynb) did. The bubble gets [[micro-chunks.n_chk]] times shorter, each chunk is handed on by itself, and more of a stage is in flight. "
            "On the second stage there are two chunks fewer than on the first, since it is one stage nearer to the end.",
        ),
        Work("micro-chunks", "micro_batch_time", _CHUNKS),
        Work("micro-chunks-first", "micro_batch_time", {**_CHUNKS, "L_st": 7}),
        Work("exposed-chunks", "exposed_in_step", {**_WAITS, "T_mb": "[[micro-chunks-first]]"}),
        Work("run-chunks", "run_time", {**_CHUNKS, "T_mb": "[[micro-chunks]]", "T_show": "[[exposed-chunks]]", "T_opt": "[[optimizer]]"}),
        Work("live-chunks", "chunks_in_flight", _CHUNKS),
        Work("peak-chunks", "stage_peak", {**_CHUNKS, "n_live": 141}),
        Work("fits-chunks", "peak_fits", {"M_peak": "[[peak-chunks]]", "M_over": "4 GB"}),
        Say(
            "deep-why",
            "**More micro-batches.** A batch has only so many sequences, but [[micro-deep.N_c]] ranks can share one. Then fewer pipelines run side by side, and each takes more micro-batches, of which a rank has a part of a sequence: [[run-deep.K_mb]] go through [[run-deep.N_p]] stages. "
            "So little is in flight on a rank that nothing need be made again. But with so few tokens at a time, the weights pass through memory all the more often, and keys and values go round.",
        ),
        Work("micro-deep", "micro_batch_time", _DEEP_MICRO),
        Work("micro-deep-first", "micro_batch_time", {**_DEEP_MICRO, "L_st": 3}),
        Work("gather-deep", "gather_time", _DEEP_FIRST),
        Work("reduce-deep", "reduce_time", _DEEP_FIRST),
        Work("exposed-deep", "exposed_in_step", {"L_st": 3, "T_mb": "[[micro-deep-first]]", "T_gat": "[[gather-deep]]", "T_red": "[[reduce-deep]]"}),
        Work("optimizer-deep", "optimizer_time", {"L_st": 4, "n_o": 32}, unit="µs"),
        Work("run-deep", "run_time", {"N_p": 32, "K_mb": 256, "T_mb": "[[micro-deep]]", "T_show": "[[exposed-deep]]", "T_opt": "[[optimizer-deep]]"}),
        Work("peak-deep", "stage_peak", {**_DEEP, "n_o": 32, "A": "[[kept-all]]", "n_live": 31}),
        Say(
            "fsdp-why",
            "**No pipeline.** [[gather-fsdp.N_mesh]] ranks share all parameters of the model, and gather them layer by layer: FSDP beside tensor groups. There is a single micro-batch, of [[micro-fsdp.b]] sequences, and each block is run again on the way back, since all "
            "[[micro-fsdp.L_st]] layers would keep too much. That is one pass more, and so a gather has only a quarter of the micro-batch to hide behind. There is no bubble, but forward and backward the whole model is gathered over the links between nodes: "
            "embedding, head and last norm, [[gather-fsdp.P_end]] parameters, come to the layers. For a moment a rank also holds its part of the logits, an entry in bf16 and one in fp32 for each token and word: [[peak-fsdp.A_more|GB|4]] of a sequence.",
        ),
        Work("micro-fsdp", "micro_batch_time", {"L_st": 126, **_FSDP_MICRO}),
        Work("gather-fsdp", "gather_time", _FSDP_MESH),
        Work("reduce-fsdp", "reduce_time", _FSDP_MESH),
        Work("exposed-fsdp", "exposed_in_step", {**_FSDP_WAITS, "T_gat": "[[gather-fsdp]]", "T_red": "[[reduce-fsdp]]"}),
        Work("optimizer-fsdp", "optimizer_time", {**_FSDP, "n_o": 1024}, unit="µs"),
        Work("run-fsdp", "run_time", {"N_p": 1, "K_mb": 1, "T_mb": "[[micro-fsdp]]", "T_show": "[[exposed-fsdp]]", "T_opt": "[[optimizer-fsdp]]"}),
        Work("peak-fsdp", "stage_peak", _FSDP_PEAK),
        Say(
            "decision",
            "### The decision\n\n"
            "| layout | a step | a GPU holds |\n|:---|---:|---:|\n"
            "| [[run-chunks.N_p]] stages in chunks of a layer | [[run-chunks|s|4]] | [[peak-chunks|GB|4]] |\n"
            "| [[run-deep.N_p]] stages, sequences shared by [[micro-deep.N_c]] | [[run-deep|s|4]] | [[peak-deep|GB|4]] |\n"
            "| FSDP over [[gather-fsdp.N_mesh]] ranks | [[run-fsdp|s|4]] | [[peak-fsdp|GB|4]] |\n"
            "| [[run.N_p]] stages without chunks | [[run|s|4]] | [[peak|GB|4]] |\n\n"
            "Chunks are the fastest, and still fit, by little. The runner-up takes about a sixth longer. It loses by what it pays to be rid of the bubble: weights that pass through memory in every one of its small micro-batches. FSDP has no bubble at all, but most of what this saves goes into "
            "blocks that are run again, and [[exposed-fsdp|s|4]] of gathers and reductions stick out. What binds is memory: larger chunks would be fewer messages, but half as many of them keep even more, [[peak-larger|GB|4]], and don't fit. And the one that leaves the most memory free is far from the fastest: free memory buys nothing. (`fsdp-sym plan` finds none faster than the one in chunks. The first chunk of all has the embedding and no layer, and the last one the head and no layer.)",
        ),
        Fact("peak-larger", "stage_peak", {"n_chk": 4, "n_live": 77}),
        Plot("picture", "parts_of_a_step"),
        Say(
            "edge-why",
            "### The edge: how sure is that?\n\nBytes are counts, and counts are exact. Times are made with round shares of what data sheets print. On the published runs that this package keeps, such times were off by about a fifth on average, and by more than a third in the worst tenth. "
            "Layouts that lie closer together than that are ties, whatever their order, and the runner-up above is one of them. What the run really took can be told from what was printed of it, in operations that each GPU delivered.",
        ),
        Work("printed", "training_time", {"P_all": 405853388800, "n_tok": 16777216, "X_gpu": "430 TFLOP/s", "u_lin": 0, "n_op": 2}, unit="s"),
        Say(
            "edge-read",
            "[[printed.X_gpu]] were printed, which makes a step of [[printed|s|3]]. Chunks come within about a seventh of that; without them a step is said to take half as long again. The paper says that its stages were interleaved, and so does the time; our round shares seem a little too low here. "
            "With some steps measured on your own machine, `fsdp-sym plan` fits them, says by how much runs left out of the fit were off, and calls ties what lies closer.",
        ),
        Ask(
            "ask-lean",
            "FSDP leaves the most memory free. Is that an argument for it?",
            "Only if the memory is then used. It takes [[peak-fsdp|GB|4]]; to run no block again it would need [[peak-fsdp-all|GB|4]], and even where the activated gate and its product are made again far too much. The room counts for longer sequences, and on GPUs with less memory.",
        ),
        Fact("peak-fsdp-all", "stage_peak", {**_FSDP_PEAK, "A": "[[kept-all]]"}),
        Ask(
            "ask-link",
            "The links between nodes turn out to be half as fast. Whose step suffers most?",
            "FSDP's: gathering takes it [[gather-slow|s|4]] and reducing [[reduce-slow|s|4]], and of both together [[exposed-slow|s|4]] stick out instead of [[exposed-fsdp|s|4]]. The published layout has far less to gather, [[gather-slow-stage|ms|4]], and to reduce, [[reduce-slow-stage|ms|4]]: "
            "[[exposed-slow-stage|s|4]] stick out instead of [[exposed|s|4]].",
        ),
        Fact("gather-slow", "gather_time", {**_FSDP_MESH, **_SLOW}),
        Fact("reduce-slow", "reduce_time", {**_FSDP_MESH, **_SLOW}),
        Fact("exposed-slow", "exposed_in_step", {**_FSDP_WAITS, "T_gat": "[[gather-slow]]", "T_red": "[[reduce-slow]]"}),
        Fact("gather-slow-stage", "gather_time", {**_FIRST, **_SLOW}),
        Fact("reduce-slow-stage", "reduce_time", {**_FIRST, **_SLOW}),
        Fact("exposed-slow-stage", "exposed_in_step", {"L_st": 7, "T_mb": "[[micro-first]]", "T_gat": "[[gather-slow-stage]]", "T_red": "[[reduce-slow-stage]]"}),
        Ask(
            "ask-batch",
            "Half the batch: [[half.K_mb]] micro-batches. Does a step without chunks take half as long?",
            "No: [[half|s|4]] instead of [[run|s|4]]. The bubble is as long as before, and so it is a larger share. With chunks it is [[half-chunks|s|4]] instead of [[run-chunks|s|4]]: the smaller the batch, the more they are worth.",
        ),
        Fact("half", "run_time", {"K_mb": 16, "T_mb": "[[micro]]", "T_show": "[[exposed]]", "T_opt": "[[optimizer]]"}),
        Fact("half-chunks", "run_time", {"K_mb": 16, **_CHUNKS, "T_mb": "[[micro-chunks]]", "T_show": "[[exposed-chunks]]", "T_opt": "[[optimizer]]"}),
        YourNumbers(
            "yours",
            "from fsdp_sym import plan\n"
            'print(solve("S", "stage_peak", "n_live", at_most="81.5 GB").text)\n'
            'print(work("S", "micro_batch_time", x_gemm="7/10").shown("ms", 4))\n'
            'print(plan("Llama-3-405B", 8192, seq_len=8192, tokens_per_step=2**24))\n'
            'print(plan("Llama-3-405B", 8192, seq_len=8192, tokens_per_step=2**24).why_not("tensor=8 pipeline=16"))',
        ),
    ),
)
