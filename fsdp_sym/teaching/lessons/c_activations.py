"""Cell C: the activations, which no rank shares; when they outgrow the state, and what checkpoints really save."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="C-activations",
    title="The activations",
    cell="C",
    blocks=(
        Say(
            "question",
            "FSDP deals the model state out over the ranks, and with [[@N]] of them not much is left on each. But a training step remembers "
            "something else: the **activations** of the forward pass, which the backward pass needs again. FSDP leaves them where they are. "
            "What does a GPU hold once they are counted?",
        ),
        Conventions("conventions", without=("A", "c")),
        Forecast(
            "forecast",
            "Each GPU keeps one activation tensor of $b \\times s \\times d$ elements for each of the [[@L]] layers. "
            "How many gigabytes is that? And is it more or less than the GPU's share of the model state?",
            of="all-layers",
            example="5 GB",
        ),
        Say(
            "tensor-why",
            "### One tensor\n\nThe layer hands on a vector of $d$ numbers for every token of every sequence. Count the numbers, then the bytes. "
            "The sequences are those of *this* GPU, so the count has no $N$ in it.",
        ),
        Derive("elements-why", "activation_elements"),
        Work("elements", "activation_elements"),
        Derive("tensor-derive", "activation_tensor"),
        Work("tensor", "activation_tensor"),
        Say("layers-why", "### All layers\n\nWhen the forward pass has ended, nothing has been freed yet: every layer's tensor is there."),
        Derive("layers", "all_activations"),
        Work("all-layers", "all_activations"),
        Reveal("reveal"),
        Say(
            "rounding",
            "If you got [[rounded-first]], you rounded too early: that is [[@L]] times [[rounded-first.c]]. The exact product is [[all-layers]], "
            "[[all-layers|GB|4]] when it is rounded once, at the end.",
        ),
        Fact("rounded-first", "kept_checkpoints", {"k": 1, "c": "0.40 GB"}),
        Say(
            "state-why",
            "### The share of the state beside it\n\nHow large the other side is depends on the bytes per parameter, so that has to be said first. "
            "This cell keeps each of Adam's two moments [[@b_m]] wide. We take the average over the ranks, then look at the fullest one.",
        ),
        Derive("mean-why", "mean_state"),
        Work("per-parameter", "bytes_per_parameter"),
        Work("mean", "mean_state"),
        Work("mean-fp32", "mean_state", {"b_m": 4, "b_v": 4}),
        Work("padded", "sharded_state"),
        Say(
            "state-read",
            "At [[per-parameter]] a rank's share is [[mean]]; with fp32 moments, at [[per-parameter-fp32]], it would be [[mean-fp32]]. "
            "And [[@N]] does not divide the [[@P]] parameters: padded to equal shards, each rank holds [[padded|B]] instead of [[mean|B]]. "
            "The padding is negligible; the choice of widths is not.",
        ),
        Fact("per-parameter-fp32", "bytes_per_parameter", {"b_m": 4, "b_v": 4}),
        Say(
            "ratio-why",
            "### The blind spot\n\nSet one over the other. One side is divided by $N$ and the other is not, so the ratio grows with every rank you add. "
            "The fraction that is printed is exact, and the decimal behind it is rounded.",
        ),
        Derive("ratio-derive", "activations_over_state"),
        Work("ratio", "activations_over_state"),
        Derive("held-derive", "state_and_activations"),
        Work("held", "state_and_activations"),
        Work("held-endless", "state_and_activations", {"N": "oo"}),
        Say(
            "ratio-read",
            "The activations are [[ratio||3]] times the state that was so carefully sharded. Together a GPU holds [[held|GB|4]], and with any number of ranks "
            "it never gets below the [[held-endless|GB|4]] of the activations.",
        ),
        Derive("cross-derive", "overtaking_ranks"),
        Work("cross", "overtaking_ranks"),
        Say(
            "cross-read",
            "The two are equal at [[cross||4]] ranks, which is no whole number: with [[ratio-below.N]] ranks the ratio is still "
            "[[ratio-below||3]], with [[ratio-above.N]] it is [[ratio-above||4]]. Beyond that, sharding further works on the smaller part.",
        ),
        Fact("ratio-below", "activations_over_state", {"N": 108}),
        Fact("ratio-above", "activations_over_state", {"N": 109}),
        Plot("picture", "activations_against_state"),
        Say(
            "global-why",
            "### Which batch is fixed?\n\nAll this holds for a fixed batch *per GPU*. Fix the *global* batch instead and every further rank "
            "gets fewer sequences. Then activations per GPU do fall as $1/N$, not because they are sharded but because the work is shared out.",
        ),
        Derive("global-derive", "activations_over_state_at_fixed_global_batch"),
        Work("global", "activations_at_fixed_global_batch", {"b_all": 8192}),
        Work("global-double", "activations_at_fixed_global_batch", {"b_all": 8192, "N": 2048}),
        Say(
            "global-read",
            "A global batch of [[global.b_all]] sequences is [[global]] a GPU on [[global.N]] ranks and [[global-double]] on [[global-double.N]]. "
            "The ratio to the state is [[global-ratio||3]] on [[global-ratio.N]] ranks and [[global-ratio-double||3]] on [[global-ratio-double.N]]: "
            "$N$ has cancelled, and no number of ranks changes it as long as it divides the batch.",
        ),
        Fact("global-ratio", "activations_over_state_at_fixed_global_batch", {"b_all": 8192}),
        Fact("global-ratio-double", "activations_over_state_at_fixed_global_batch", {"b_all": 8192, "N": 2048}),
        Say(
            "checkpoint-why",
            "### The cure: activation checkpointing\n\nKeep the input of every $k$-th layer only, the *checkpoints*, and recompute the rest in the "
            "backward pass, one segment of $k$ layers at a time. Two things are then in memory at once: the checkpoints, and the "
            "segment that is just being recomputed. Count both.",
        ),
        Derive("kept-why", "kept_checkpoints"),
        Derive("peak-why", "recompute_peak"),
        Work("kept-8", "kept_checkpoints", {"k": 8}),
        Work("peak-8", "recompute_peak", {"k": 8}),
        Say(
            "best-why",
            "### The best interval\n\nA longer interval means fewer checkpoints and a larger segment. For the moment let $k$ be any real number. "
            "The peak is lowest where both parts weigh the same, and if a checkpoint costs as much as a layer, that is at $k = \\sqrt{L}$.",
        ),
        Derive("best-derive", "best_interval"),
        Derive("sqrt-derive", "sqrt_interval"),
        Work("sqrt", "sqrt_interval"),
        Work("kept-sqrt", "sqrt_checkpoints_kept"),
        Derive("best-peak-derive", "best_peak"),
        Work("peak-sqrt", "best_peak"),
        Work("cut-kept", "kept_cut"),
        Work("cut-peak", "peak_cut"),
        Say(
            "best-read",
            "At an interval of [[sqrt||2]] layers the checkpoints alone are [[kept-sqrt|GB|4]], [[cut-kept||2]] times smaller than all activations, and that is "
            "the saving one often reads. No GPU ever sees it: the backward pass needs a segment of the same size beside them, so the peak is twice as much, "
            "[[peak-sqrt|GB|4]], and the cut is [[cut-peak||2]].",
        ),
        Say(
            "whole-why",
            "### Intervals are whole\n\nNobody checkpoints at a fraction of a layer. Try the whole intervals on either side of the root that divide "
            "the [[@L]] layers; then count in tensors, as if each weighed one byte.",
        ),
        Work("cut-8", "interval_cut", {"k": 8}),
        Work("cut-12", "interval_cut", {"k": 12}),
        Work("tensors-8", "recompute_peak", {"k": 8, "c": "1 B", "A": "1 B"}),
        Work("tensors-12", "recompute_peak", {"k": 12, "c": "1 B", "A": "1 B"}),
        Say(
            "whole-read",
            "At $k$ = [[cut-8.k]] the peak is [[tensors-8]] where all layers would be [[all-bytes]], and at $k$ = [[cut-12.k]] it is [[tensors-12]]: "
            "both cut by [[cut-8]]. An interval that does *not* divide $L$ can do slightly better ([[tensors-9]] at $k$ = [[tensors-9.k]]), because the "
            "last segment is then short, and when a full one is recomputed a checkpoint has already been freed.",
        ),
        Fact("tensors-9", "recompute_peak", {"k": 9, "c": "1 B", "A": "1 B"}),
        Fact("all-bytes", "kept_checkpoints", {"k": 1, "c": "1 B"}),
        Say(
            "price-why",
            "### The price\n\nEvery layer is computed once more: one extra forward pass, however long the interval. What share of the compute that is depends "
            "on what a backward pass costs.",
        ),
        Derive("overhead-derive", "recompute_overhead"),
        Work("overhead", "recompute_overhead"),
        Say(
            "price-read",
            "The familiar [[overhead|%|2]] is this [[overhead]] of the forward and backward pass together. It assumes that a backward pass costs two forward "
            "passes; optimizer and communication are left out.",
        ),
        Say(
            "real-why",
            "### The edge: a real layer\n\nOne tensor a layer is a minimum. A transformer block keeps the inputs of all its matrix products and "
            "non-linearities, its dropout masks and, without a fused attention kernel, a score for every pair of tokens in every head. "
            "Its checkpoint is still a single tensor. So a checkpoint does *not* cost as much as a layer, and $\\sqrt{L}$ is not its best interval.",
        ),
        Derive("block-derive", "block_activations"),
        Work("block", "block_activations"),
        Work("k-real", "best_interval", {"A": "[[block]]"}),
        Work("real-1", "recompute_peak", {"k": 1, "A": "[[block]]"}),
        Work("real-2", "recompute_peak", {"k": 2, "A": "[[block]]"}),
        Work("real-8", "recompute_peak", {"k": 8, "A": "[[block]]"}),
        Say(
            "real-read",
            "Where we counted [[tensor]] a layer, this block keeps [[block|GB|4]]. Its best interval is [[k-real||2]] layers, and of the whole ones "
            "$k$ = [[real-1.k]] wins: [[real-1|GB|3]], against [[real-2|GB|3]] at $k$ = [[real-2.k]]. The square-root rule applied here, say $k$ = [[real-8.k]], "
            "would need [[real-8|GB|4]]. So transformers are checkpointed layer by layer; that cuts the activations by [[real-cut||3]], and a lower peak takes a "
            "smaller micro-batch or tensor parallelism.",
        ),
        Fact("real-cut", "interval_cut", {"k": 1, "A": "[[block]]"}),
        Ask(
            "ask-double",
            "You go from [[@N]] to [[mean-double.N]] ranks and keep the batch per GPU. What happens to each GPU's state, to its activations, and to their ratio?",
            "The state falls from [[mean|GB|3]] to [[mean-double|GB|3]], the activations stay at [[all-layers|GB|3]], and the ratio doubles "
            "from [[ratio||3]] to [[ratio-double||3]].",
        ),
        Fact("mean-double", "mean_state", {"N": 2048}),
        Fact("ratio-double", "activations_over_state", {"N": 2048}),
        Ask(
            "ask-batch",
            "You halve the batch per GPU to [[half.b]] sequences. What is left of the activations, and at how many ranks do they overtake the state now?",
            "Half: [[half|GB|3]]. The crossing moves out to twice as many ranks, from [[cross||4]] to [[cross-half||4]].",
        ),
        Fact("half", "all_activations", {"b": 4}),
        Fact("cross-half", "overtaking_ranks", {"b": 4}),
        Ask(
            "ask-backward",
            "Suppose a backward pass cost no more than a forward pass. What share of extra compute would checkpointing be then?",
            "[[overhead-equal|%]] instead of [[overhead|%|2]]: the extra forward pass is the same, but the step it is compared with is shorter.",
        ),
        Fact("overhead-equal", "recompute_overhead", {"T_b": "1 s"}),
        YourNumbers(
            "yours",
            'print(work("C", "all_activations", b=2, s=4096))\n'
            'print(solve("C", "all_activations", "b", at_most="40 GB").text)\n'
            'print(solve("C", "activations_over_state_at_fixed_global_batch", "N", at_most=1, b_all=8192).text)',
        ),
    ),
)
