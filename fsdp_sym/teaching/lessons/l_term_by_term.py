"""Cell L: what a block keeps, tensor by tensor; dropout, fused kernels, gates, tensor parallelism and logits."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Measured, Plot, Reveal, Say, Work, YourNumbers

_HEADS: At = {"a_kv": 96, "d_h": 128, "b_l": "4 B"}
# A layer of Llama-3-8B, its norms one kernel each; statistics and logarithms in fp32.
_LLAMA: At = {
    "d": 4096, "f": 14336, "a": 32, "a_kv": 8, "d_h": 128, "b_n": "4 B", "b_l": "4 B", "b_in": "2 B", "b_nrm": "0 B", "n_wide": 4,
}  # fmt: skip
_PAPER: At = {"b_n": "0 B"}

LESSON = Lesson(
    id="L-a-block-term-by-term",
    title="A transformer's activations",
    cell="L",
    blocks=(
        Say(
            "question",
            "[Lesson C](C-activations.ipynb) counted one tensor a layer and found at its edge that a real block keeps far more. Which tensors are they? The answer decides what "
            "checkpointing saves, what a fused attention kernel saves, and why a long sequence does not fit. What is derived here was also read off running blocks, to the byte.",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "A block of GPT-3 is given one sequence of [[@s]] tokens, each a vector of [[@d]] numbers of [[@b_a]]. How many gigabytes does this *one block* keep for its backward pass?",
            of="saved",
            example="0.2 GB",
        ),
        Say(
            "rule-why",
            "### One rule\n\nA product needs both its factors again to be differentiated, so the *input* of every matrix is kept. A non-linearity needs its input. A dropout needs its mask. A norm needs its input and the "
            "statistics that it normalised by. What can be had from something already kept is not kept twice. For scale, here is one hidden tensor:",
        ),
        Work("hidden", "full_recompute"),
        Say("norm-why", "### The norms"),
        Derive("norm-derive", "norm_activations"),
        Work("norms", "norm_activations"),
        Say(
            "attention-why",
            "### The attention\n\nOne input serves queries, keys and values. Those three are kept to be multiplied with one another, and the result is the input of the projection. That is all a vector for each token. "
            "Between them lie the scores: for every head a number for every *pair* of tokens, kept as the softmax, as the mask of its dropout, and as what the dropout let through.",
        ),
        Derive("attention-derive", "attention_activations"),
        Work("attention", "attention_activations"),
        Derive("score-derive", "score_activations"),
        Work("scores", "score_activations"),
        Say("mlp-why", "### The feed-forward layer\n\nTwo matrices with a non-linearity between them: one narrow input and two wide ones. The last dropout leaves a mask."),
        Derive("mlp-derive", "mlp_activations"),
        Work("mlp", "mlp_activations"),
        Say("saved-why", "### Together"),
        Derive("saved-derive", "saved_activations"),
        Work("saved", "saved_activations"),
        Reveal("reveal"),
        Work("paper", "block_activations"),
        Say(
            "saved-read",
            "[[saved|GB|4]] for one block and one sequence: [[saved|B]], while the well-known formula of the paper gives [[paper|B]]. They differ by the statistics of the two norms, which the paper leaves out and a running block "
            "does not. Of it all the scores are [[scores|GB|4]], more than two thirds.",
        ),
        Plot("picture", "kept_by_a_block"),
        Say("without-why", "### What saves how much\n\nFour ways to keep less, and one to keep more by accident."),
        Work("dry", "dry_activations"),
        Work("selective", "selective_recompute"),
        Derive("fused-derive", "fused_attention_activations"),
        Work("fused", "fused_activations", _HEADS),
        Work("wide-masks", "saved_activations", {"b_k": "2 B"}),
        Say(
            "without-read",
            "* **No dropout**: the masks go, and the softmax is kept once instead of twice: [[dry|GB|4]].\n"
            "* **Selective recomputation** runs the attention between queries and output again in the backward pass. The square of the sequence is gone, and [[selective|MB|4]] stay.\n"
            "* **A fused attention** does the same inside its kernel and keeps one logarithm for each head and token: [[fused|MB|4]], without dropout.\n"
            "* **Full recomputation** keeps the input, [[hidden|MB|3]], and pays a forward pass.\n"
            "* **Masks of two bytes**, as a CPU's dropout makes them, turn [[saved|GB|4]] into [[wide-masks|GB|4]]. An estimate is about a kernel, not only about a model.",
        ),
        Say(
            "square-why",
            "### The edge: a short sequence\n\nThe scores are about pairs and the rest is about tokens. So which is larger depends on the length. Take a quarter of the tokens.",
        ),
        Work("short-scores", "score_activations", {"s": 512}),
        Work("short-rest", "selective_recompute", {"s": 512}),
        Say(
            "square-read",
            "With [[short-scores.s]] tokens the scores take [[short-scores|MB|4]] and all the rest [[short-rest|MB|4]]; with [[scores.s]] they were more than twice the rest. A quarter of the tokens has a "
            "quarter of the rest and a sixteenth of the scores.",
        ),
        Say(
            "gated-why",
            "### A modern block\n\nLlama's blocks have no dropout and no biases, norms with one statistic, fewer heads for keys and values, a fused attention, and a *gated* feed-forward layer: three matrices, and up to four "
            "wide tensors, depending on which kernels do the work. Here is a layer of Llama-3-8B at the same [[@s]] tokens.",
        ),
        Derive("gated-derive", "gated_mlp_activations"),
        Derive("llama-derive", "llama_activations"),
        Work("llama", "llama_activations", _LLAMA),
        Work("llama-alike", "llama_activations", {**_LLAMA, "a_kv": 32}),
        Work("llama-two", "llama_activations", {**_LLAMA, "n_wide": 2}),
        Work("llama-spelled", "llama_activations", {**_LLAMA, "b_in": "4 B", "b_nrm": "4 B"}),
        Say(
            "gated-read",
            "[[llama|MB|4]] with [[llama.a_kv]] heads of keys and values; with as many as there are queries it would be [[llama-alike|MB|4]]. Grouped queries hardly matter here: they are about the cache that generating text needs. The gate "
            "does matter. A kernel that makes gate and product again keeps [[llama-two|MB|4]]. And norms that are spelled out in fp32 instead of fused bring it to [[llama-spelled|MB|4]]. Which kernels run matters as much as which model it is.",
        ),
        Say(
            "parallel-why",
            "### Over a tensor group\n\nTensor parallelism of [[@N_t]] splits what lies between the matrices, and leaves norms, inputs and the last masks whole on every rank. Sequence parallelism splits those along the tokens as well, and "
            "then somebody has to gather the inputs of the matrices: in the backward pass again, or once, keeping them. As the paper counts, without statistics:",
        ),
        Derive("tp-derive", "tensor_parallel_activations"),
        Work("tp", "tensor_parallel_activations", _PAPER, unit="MiB"),
        Work("sp", "sequence_parallel_activations", _PAPER, unit="MiB"),
        Work("sp-kept", "dtensor_activations", _PAPER, unit="MiB"),
        Say(
            "parallel-read",
            "[[tp]], [[sp]] and [[sp-kept]] a layer. The second and the third are two implementations of one idea: Megatron gathers the inputs again, PyTorch's keeps them gathered. Each has its own memory *and* its own traffic; take both from the same one.",
        ),
        Say(
            "logits-why",
            "### After the last block\n\nThe head turns every token into a number for each word, and the loss is taken from a wider copy. With a large vocabulary this one layer can outweigh a block. Say [[logits.s]] tokens and [[logits.v]] words.",
        ),
        Derive("logits-derive", "logit_activations"),
        Work("logits", "logit_activations", {"s": 32768, "v": 151936, "b_f": "4 B"}),
        Work("logits-fp32", "loss_activations", {"s": 32768, "v": 151936, "b_f": "4 B", "n_log": 1}),
        Say(
            "logits-read",
            "[[logits|GiB|4]], of which the fp32 copy is [[logits-fp32|GiB|4]]. No rank shares it with another under FSDP, and no checkpoint inside the blocks touches it. The gradient comes on top, as wide again. Chunked or fused losses exist for this reason.",
        ),
        Say("measured-why", "### What a running block keeps\n\nRecorded from blocks that ran: every storage that autograd held on to, once, in bf16."),
        Measured("measured", "activations"),
        Ask(
            "ask-fsdp",
            "FSDP shards this model over [[many.N]] ranks. How much of the block's [[@s]] tokens' activations does each rank keep?",
            "All of it, [[saved|GB|4]], for its own batch. The state of the whole model is down to [[many|GB|3]] a rank by then: less than one block keeps.",
        ),
        Fact("many", "mean_state", {"N": 1024, "b_w": "2 B/param", "b_g": "2 B/param", "b_c": "4 B/param", "b_m": "4 B/param", "b_v": "4 B/param", "b_x": "0 B/param"}),
        Ask(
            "ask-model",
            "A model of [[seven-all.L]] blocks has a hidden size of [[seven.d]], [[seven.a]] heads, and a plain feed-forward layer four times as wide. What does it keep of [[@s]] tokens, by the paper's formula?",
            "[[seven|GiB|3]] a block and [[seven-all|GiB|3]] in all. The coefficients are bytes already, two for an activation and one for a mask: there is no further width to multiply by.",
        ),
        Fact("seven", "block_activations", {"d": 4096, "f": 16384, "a": 32}),
        Fact("seven-all", "kept_checkpoints", {"L": 32, "k": 1, "c": "[[seven]]"}),
        Ask(
            "ask-double",
            "You double the micro-batch, or you double the length of the sequence. Which costs more, and what does a fused attention change?",
            "Twice the sequences keep [[batch-two|GB|4]], twice the tokens [[length-two|GB|4]]: the same number of tokens, but twice as many pairs for each of them. With a fused attention both keep the same.",
        ),
        Fact("batch-two", "saved_activations", {"b": 2}),
        Fact("length-two", "saved_activations", {"s": 4096}),
        YourNumbers(
            "yours",
            'print(work("L", "saved_activations", s=8192).shown("GB", 4))\n'
            'print(work("L", "fused_activations", s=8192, a_kv=96, d_h=128, b_l="4 B").shown("GB", 4))\n'
            'print(solve("L", "saved_activations", "s", at_most="10 GB").text)',
        ),
    ),
)
