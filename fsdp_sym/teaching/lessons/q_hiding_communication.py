"""Cell Q: operations against bytes; from how many tokens on FSDP hides its communication, and what no overlap hides."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_LINK_TIMES = {"T_ag": "[[gather]]", "T_rs": "[[reduction]]"}
_ONE = {**_LINK_TIMES, "T_lf": "[[forward]]", "T_lb": "[[backward]]"}
_TWO = {**_LINK_TIMES, "T_lf": "[[forward-two]]", "T_lb": "[[backward-two]]"}
_MEASURED: At = {"G": 8, "y_tok": "46096 tokens/s"}

LESSON = Lesson(
    id="Q-hiding-communication",
    title="Hiding communication",
    cell="Q",
    blocks=(
        Say(
            "question",
            "[Lesson F](F-a-slow-link.ipynb) took the compute of a layer as given and found that a slow link cannot hide. But compute is no "
            "constant: it grows with every token that a GPU is given, and the bytes of a layer do not. So there is a batch from which on FSDP's "
            "communication disappears behind it. Here both sides are counted, for [[@N]] GPUs that share one model of [[@P_all]] parameters.",
        ),
        Conventions("conventions", without=("X_fp8",)),
        Forecast(
            "forecast",
            "A GPU delivers [[@X_gpu]] and its link carries [[@W]]. How many tokens must it be given for the gather of one layer to hide behind "
            "the forward pass of another?",
            of="critical",
            example="1000",
        ),
        Say(
            "operations-why",
            "### Operations, term by term\n\nA product with a matrix is a multiply-add for each of its numbers and each token, and a multiply-add "
            "counts as two operations: the peak on a data sheet counts it so, too.",
        ),
        Derive("matrices-derive", "linear_flops"),
        Work("matrices", "linear_flops"),
        Say(
            "core-why",
            "Attention's core has no parameters. It computes a score for each head and pair of tokens, and adds the values up by those weights. "
            "A causal mask leaves little more than half of the pairs, and a good kernel skips the others.",
        ),
        Derive("pairs-derive", "causal_share"),
        Work("pairs", "causal_share"),
        Derive("core-derive", "attention_core_flops"),
        Work("core", "attention_core_flops"),
        Say(
            "block-read",
            "On sequences of [[@s]] tokens the core takes [[core|TFLOP|3]] beside the matrices' [[matrices|TFLOP|3]]. Together the forward pass of a "
            "block takes [[block|TFLOP|3]]. Twice the sequence would double the matrices' part and make the core's four times as large: [[core-long|TFLOP|3]].",
        ),
        Fact("block", "block_flops"),
        Fact("core-long", "attention_core_flops", {"s": 16384}),
        Say(
            "backward-why",
            "Backward there are two products for each one forward: for the gradient of the input and for that of the matrix. Only attention "
            "costs a little more, since a fused kernel has not kept its scores.",
        ),
        Derive("backward-derive", "block_backward_flops"),
        Work("back", "block_backward_flops"),
        Say(
            "critical-why",
            "### When does a gather hide?\n\nWhile one layer computes, the parameters of the next come in. Set the time on the link equal to the "
            "time of the operations and ask for the tokens. To be on the safe side only the parameters' operations are counted: attention's core helps.",
        ),
        Derive("critical-derive", "critical_tokens"),
        Work("critical", "critical_tokens"),
        Reveal("reveal"),
        Say(
            "critical-read",
            "The size of the layer has dropped out, and so has the model. What is left is the machine: operations a second over bytes a second. "
            "On however many GPUs, [[critical-limit]] tokens are enough. Inside a node, over NVLink at [[critical-nvlink.W]] in each direction, "
            "it takes [[critical-nvlink|tokens|4]]. A GPU that delivered its whole peak would need [[critical-peak|tokens|5]]: the faster the GPU, "
            "the harder it is to hide behind it.",
        ),
        Fact("critical-limit", "critical_tokens", {"N": "oo"}),
        Fact("critical-nvlink", "critical_tokens", {"W": "450 GB/s", "N": 8}),
        Fact("critical-peak", "critical_tokens", {"X_gpu": "989 TFLOP/s"}),
        Say(
            "critical-back-why",
            "### The backward pass is not easier\n\nIt computes twice as much. But the link gathers the layer again *and* reduces the gradients of the one "
            "before, in [[@b_r]] an element.",
        ),
        Derive("critical-back-derive", "critical_tokens_backward"),
        Work("critical-back", "critical_tokens_backward"),
        Say(
            "critical-back-read",
            "Reduced in [[narrow.b_r]] an element it would be [[narrow]], as many as forward. If the forward pass is recomputed, the "
            "backward pass has more to hide behind: [[recomputed]] tokens. That is no gain, of course: the GPU is busy with work it has done already.",
        ),
        Fact("narrow", "critical_tokens_backward", {"b_r": "2 B"}),
        Fact("recomputed", "critical_tokens_backward", {"u_lin": 1}),
        Say(
            "link-why",
            "### Backwards: how slow may the link be?\n\nWith [[@b]] sequence of [[@s]] tokens a GPU, which is the slowest link on which the forward pass hides its gathers?",
        ),
        Derive("link-derive", "break_even_link"),
        Work("link", "break_even_link"),
        Work("link-two", "break_even_link", {"b": 2}),
        Say("link-read", "The link of [[@W]] is a little too slow for [[@b]] sequence, and for two it is fast enough: [[link|GB/s|3]] are needed against [[link-two|GB/s|3]]."),
        Say(
            "schedule-why",
            "### What no overlap hides\n\nNow the schedule. A layer's [[@P_block]] parameters are [[gathered.S|MB]] when they are gathered, and their gradients [[reduced.S|MB]] when they are reduced. Both take their time on the link, and the layer's products take theirs on the GPU.",
        ),
        Work("gathered", "all_gather", {"S": "436,224,000 B"}),
        Work("gather", "transfer_time", {"V": "[[gathered]]"}),
        Work("reduced", "reduce_scatter", {"S": "872,448,000 B"}),
        Work("reduction", "transfer_time", {"V": "[[reduced]]"}),
        Work("forward", "compute_time", {"F": "[[matrices]]"}),
        Work("backward", "compute_time", {"F": "[[turned]]"}),
        Fact("turned", "linear_flops", {"b": 2}),
        Work("hides", "communication_hides", {"T_comm": "[[gather]]", "T_comp": "[[forward]]"}),
        Say(
            "schedule-read",
            "Counted are the matrices alone, [[matrices|TFLOP|3]] forward and twice that, [[turned|TFLOP|3]], backward: [[forward|ms|3]] and [[backward|ms|3]]. The gather takes longer than the forward pass, and cannot hide behind it. "
            "While one layer computes the next is gathered, so that each takes the longer of the two times. The first gather has nothing to hide behind.",
        ),
        Derive("forward-derive", "prefetched_forward"),
        Work("pass", "prefetched_forward", {"T_ag": "[[gather]]", "T_lf": "[[forward]]"}),
        Say(
            "backward-schedule-why",
            "Backward the link has two things to do beside each layer: gather the next, and reduce the one before. At the top nothing is reduced yet, at the bottom "
            "nothing is left to gather, and behind the last layer its reduction stands alone.",
        ),
        Derive("backward-schedule-derive", "prefetched_backward"),
        Work("pass-back", "prefetched_backward", {**_LINK_TIMES, "T_lb": "[[backward]]"}),
        Work("step", "prefetched_step", _ONE),
        Derive("exposed-derive", "exposed_with_prefetch"),
        Work("exposed", "exposed_with_prefetch", _ONE),
        Say(
            "exposed-read",
            "The last line holds where each layer hides what lies beside it, and here neither does: [[exposed|ms|3]] of the step are exposed. With two sequences a GPU "
            "both do: forward a layer computes for [[forward-two|ms|3]], and backward, with [[turned-two|TFLOP|3]], for [[backward-two|ms|3]]. What is left are "
            "two gathers and a reduction, whatever the number of layers.",
        ),
        Fact("forward-two", "compute_time", {"F": "[[turned]]"}),
        Fact("turned-two", "linear_flops", {"b": 4}),
        Fact("backward-two", "compute_time", {"F": "[[turned-two]]"}),
        Work("exposed-two", "exposed_with_prefetch", _TWO),
        Say(
            "picture-read",
            "The picture takes all parameters of a layer, its two norms included. It has three regimes, and two corners where the critical numbers of tokens lie.",
        ),
        Plot("picture", "exposed_against_tokens"),
        Say(
            "buckets-why",
            "### Plain data parallel has an end as well\n\nIt gathers nothing and reduces its gradients in buckets, each as soon as its layers are through. Take [[buckets.n_bkt]] buckets of [[buckets.k_bkt]] layers, each of which computes for [[buckets.T_lb]] and is reduced in [[buckets.T_lr]].",
        ),
        Derive("buckets-derive", "bucketed_backward"),
        Work("buckets", "bucketed_backward", {"n_bkt": 5, "k_bkt": 2, "T_lb": "5 ms", "T_lr": "3 ms"}),
        Say(
            "buckets-read",
            "The last bucket is exposed. Buckets of one layer would end after [[buckets-small]]; but each message has its latency, and so buckets are not made arbitrarily small.",
        ),
        Fact("buckets-small", "bucketed_backward", {"n_bkt": 10, "k_bkt": 1, "T_lb": "5 ms", "T_lr": "3 ms"}),
        Say(
            "utilisation-why",
            "### What comes out: utilisation\n\nReports tell how well all of this went by one number: the operations that training asks for, over those the GPUs could have "
            "computed at their dense peak. Asked for are six operations for every parameter and token.",
        ),
        Derive("model-derive", "model_flops"),
        Derive("mfu-derive", "model_utilisation"),
        Say(
            "mfu-why",
            "torchtitan's benchmarks print [[mfu.y_tok]] for [[mfu.G]] GPUs with this model.",
        ),
        Work("mfu", "model_utilisation", _MEASURED, unit="%"),
        Say(
            "mfu-read",
            "That is [[mfu|%|3]] of the peak. Whoever takes the peak with sparsity finds [[mfu-sparse|%|3]], half as much. And a GPU that recomputes its forward pass is busier than it trains: the "
            "hardware's utilisation would be [[hfu|%|3]] at the same tokens a second.",
        ),
        Fact("mfu-sparse", "model_utilisation", {**_MEASURED, "X_peak": "1978 TFLOP/s"}),
        Derive("hfu-derive", "hardware_utilisation"),
        Fact("hfu", "hardware_utilisation", {**_MEASURED, "u_lin": 1}),
        Say(
            "run-why",
            "### Days and dollars\n\nThe same count tells how long a run takes: [[@n_tok]] tokens on [[@G]] GPUs that wait for nothing, at [[@c_gpu]] for each.",
        ),
        Derive("run-derive", "training_time"),
        Work("run", "training_time", unit="d"),
        Work("hours", "gpu_time", unit="h"),
        Work("price", "run_cost"),
        Say(
            "run-read",
            "[[run|d|3]], [[hours|h|4]] of GPU time, [[price|USD|4]]. On twice the GPUs it would take half the days and as many dollars, as long as each delivers the same. "
            "Communication that does not hide is paid for in just this currency.",
        ),
        Ask(
            "ask-recompute",
            "Activations do not fit, so the forward pass is recomputed in full. What does the run cost now?",
            "[[price-again|USD|4]] instead of [[price|USD|4]]: four passes instead of three.",
        ),
        Fact("price-again", "run_cost", {"u_lin": 1}),
        Ask(
            "ask-printed",
            "A paper prints [[printed.T_step]] for a step of GPT-3's shape, [[printed.b_all]] sequences on [[printed.G]] GPUs with a peak of [[printed.X_peak]], with attention's core counted. Which utilisation does it print beside it?",
            "[[printed|%|3]]. The operations of one step are [[printed-flops|PFLOP|4]]; six a parameter and token leave out the core, and come to less by a factor of [[six||4]].",
        ),
        Fact("printed", "gpt_utilisation", {"L": 96, "d": 12288, "v": 51200, "s": 2048, "b_all": 64, "G": 64, "X_peak": "312 TFLOP/s", "T_step": "13.75 s"}),
        Fact("printed-flops", "gpt_flops", {"L": 96, "d": 12288, "v": 51200, "s": 2048, "b_all": 64, "u_lin": 0}),
        Fact("six", "six_flops_share", {"L": 96, "d": 12288, "v": 51200, "s": 2048, "n_pos": 2048}),
        Ask(
            "ask-link",
            "The network is replaced by one of half the rate. How many tokens a GPU does the forward pass need now?",
            "[[half]], twice as many as before: on a slower link only a larger batch hides the gathers, or a smaller group of GPUs that gathers within a node.",
        ),
        Fact("half", "critical_tokens", {"W": "25 GB/s"}),
        YourNumbers(
            "yours",
            'print(work("Q", "critical_tokens", N=256, X_gpu="400 TFLOP/s", W="25 GB/s"))\n'
            'print(work("Q", "step_flops", b=2))\n'
            'print(work("Q", "model_utilisation", G=128, y_tok="900000 tokens/s"))',
        ),
    ),
)  # fmt: skip
