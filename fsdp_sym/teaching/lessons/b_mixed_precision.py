"""Cell B: mixed precision, the master copy, and why the total does not fall."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="B-memory-in-mixed-precision",
    title="Memory in mixed precision",
    cell="B",
    blocks=(
        Say(
            "question",
            "Mixed precision computes with fp16 (or bf16) parameters and gradients, half as wide as fp32. "
            "So the model state should be about half as large as in [lesson A](A-memory-in-fp32.ipynb). Should it?",
        ),
        Forecast(
            "forecast",
            "More, less or exactly as many bytes per parameter as in fp32, and how many? Think of what the optimizer step needs "
            "when the gradient times the learning rate is far smaller than the parameter.",
            of="per-parameter",
            example="12 B/param",
        ),
        Say(
            "master",
            "### The buffer that is easily forgotten\n\nA small update added to a number with few digits is rounded away. The optimizer therefore updates an fp32 "
            "**master copy** and rounds it to fp16 for the next forward pass. Mixed precision makes two buffers narrower and adds a third.",
        ),
        Derive("bytes", "bytes_per_parameter"),
        Work("per-parameter", "bytes_per_parameter"),
        Work("per-parameter-fp32", "bytes_per_parameter", cell="A"),
        Reveal("reveal"),
        Say(
            "equal",
            "[[per-parameter]] here and [[per-parameter-fp32]] in fp32: neither more nor less. What the narrow parameter and gradient save, the master copy costs, to the byte. "
            "Mixed precision buys speed and smaller activations; it does not shrink Adam's state.",
        ),
        Conventions("conventions"),
        Plot("picture", "bytes_per_parameter"),
        Say(
            "same-sum",
            "### The same sum from other parts\n\nThe total alone does not tell how a framework keeps its books. The ZeRO paper counts fp16 parameter and gradient, then "
            "master copy and moments in fp32. PyTorch's FSDP2 keeps fp32 shards and casts them only while they are gathered, so it has no persistent fp16 copy at all. "
            "Both come to [[per-parameter]], yet an all-gather moves fp16 numbers in both and the gradient buffer differs. Ask for the parts, never only for the sum.",
        ),
        Say("shard-why", "### Sharded over [[@N]] ranks"),
        Derive("shard", "sharded_state"),
        Work("full", "replicated_state"),
        Work("sharded", "sharded_state", {"N": 64}),
        Work("sharded-8", "sharded_state", {"N": 8}),
        Say(
            "by-eight",
            "A check without the formula: [[sharded-8.N]] ranks hold [[sharded-8]] each. Cut each of those shards into [[sharded-8.N]] again and you have [[sharded.N]] ranks with [[sharded]] each.",
        ),
        Ask(
            "ask-forgot",
            "Someone adds up an fp16 parameter, its fp16 gradient and two fp32 moments. Which buffer did they forget, and what does it cost on [[@N]] ranks?",
            "The master copy: they arrive at [[no-master]]. Without it a rank would hold [[no-master-sharded]] instead of [[sharded]]: a quarter of the state is missing from the plan.",
        ),
        Fact("no-master", "bytes_per_parameter", {"b_c": 0}),
        Fact("no-master-sharded", "sharded_state", {"N": 64, "b_c": 0}),
        Ask(
            "ask-pure",
            "What if everything, Adam's moments too, is kept in bf16 and there is no master copy?",
            "Then it is [[pure]], half. That is a real option with a real price: updates smaller than the spacing of bf16 numbers are lost.",
        ),
        Fact("pure", "bytes_per_parameter", {"b_c": 0, "b_m": "2 B/param", "b_v": "2 B/param"}),
        Ask(
            "ask-keep",
            "Some implementations also keep an fp32 copy of the gradient. What does that make it?",
            "[[fp32-gradient]]. It is one more named width; nothing else in the formula changes.",
        ),
        Fact("fp32-gradient", "bytes_per_parameter", {"b_x": "4 B/param"}),
        YourNumbers(
            "yours",
            'print(work("B", "bytes_per_parameter", b_m="1 B/param", b_v="1 B/param"))  # 8-bit Adam\n'
            'print(solve("B", "sharded_state", "P", at_most="80 GB", N=64).text)',
        ),
    ),
)
