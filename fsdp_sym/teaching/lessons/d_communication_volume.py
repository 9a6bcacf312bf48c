"""Cell D: what an all-gather and a reduce-scatter cost each rank, and what happens as N grows."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="D-communication-volume",
    title="Communication volume",
    cell="D",
    blocks=(
        Say(
            "question",
            "A sharded layer cannot compute on its shards. Before the layer runs, an **all-gather** gives every rank the whole "
            "tensor; after its backward pass, a **reduce-scatter** adds up the gradients and leaves each rank the sum of its own shard. "
            "Both move bytes, and this lesson counts them: first for a few ranks, then for more and more.",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "A tensor of [[@S]] is sharded over [[gather-64.N]] ranks. How many bytes does each rank receive in one all-gather? "
            "Is that more or less than with [[gather-4.N]]?",
            of="gather-64",
            example="500 MB",
        ),
        Say(
            "derive-why",
            "### One all-gather\n\nPut the ranks in a ring. In each step every rank hands on the shard that reached it last, "
            "and receives one it does not have yet. Count the steps and the size of a shard, and the formula is there.",
        ),
        Derive("gather", "all_gather"),
        Work("gather-4", "all_gather", {"N": 4}),
        Work("gather-64", "all_gather", {"N": 64}),
        Reveal("reveal"),
        Say(
            "gather-read",
            "With [[gather-4.N]] ranks each receives [[gather-4]], with [[gather-64.N]] it is [[gather-64]]. More ranks means *more* bytes a rank, "
            "because the part that it already holds shrinks; but the growth runs out of room.",
        ),
        Plot("picture", "all_gather_volume"),
        Say(
            "limit-why",
            "### The limit, and what it hides\n\nAs $N$ grows, a rank's own shard shrinks to nothing and it receives the whole tensor, "
            "no more. What does keep growing is the number of ring steps, and every step has a latency: the volume saturates, the waiting does not.",
        ),
        Work("gather-limit", "all_gather", {"N": "oo"}),
        Derive("steps", "ring_steps"),
        Fact("steps-4", "ring_steps", {"N": 4}),
        Fact("steps-64", "ring_steps", {"N": 64}),
        Fact("padded", "all_gather", {"S": "10 B", "N": 7}),
        Say(
            "limit-read",
            "[[steps-4.N]] ranks take [[steps-4]] steps and [[steps-64.N]] take [[steps-64]].\n\n"
            "\"Never more than the whole tensor\" has small print: it holds where $N$ divides $S$. Shards are padded to equal length, and a "
            "tensor of [[padded.S]] over [[padded.N]] ranks brings each of them [[padded]].",
        ),
        Say(
            "scatter-why",
            "### The way back: reduce-scatter\n\nRun the ring with partial sums instead of copies. Each step brings one shard's worth of "
            "gradients, to which the rank adds its own before it passes them on. It is the same number of steps of the same size.",
        ),
        Derive("scatter", "reduce_scatter"),
        Work("scatter-64", "reduce_scatter", {"N": 64}),
        Say(
            "layer-why",
            "### A layer in a training step: two collectives or three?\n\nTwo is right when the parameters *stay* gathered from the forward to the "
            "backward pass (`reshard_after_forward=False`, here $r = 0$), which costs the memory of the whole layer in between. The default for "
            "a wrapped block frees them and gathers them again ($r = 1$): three. Only the root group is exempt by default.",
        ),
        Derive("layer", "layer_traffic"),
        Work("layer-kept", "layer_traffic", {"N": 64, "r": 0}),
        Work("layer-again", "layer_traffic", {"N": 64, "r": 1}),
        Derive("ratio", "traffic_over_all_reduce"),
        Work("ratio-kept", "traffic_over_all_reduce", {"N": 64, "r": 0}),
        Work("ratio-again", "traffic_over_all_reduce", {"N": 64, "r": 1}),
        Say(
            "ratio-read",
            "Plain data parallel pays one all-reduce, and an all-reduce *is* a reduce-scatter followed by an all-gather. So sharding that keeps "
            "its parameters gathered moves exactly the bytes of plain data parallel (a ratio of [[ratio-kept]]), and sharding that gathers again moves "
            "[[ratio-again]] times as many. It is not three times as many, as is sometimes said: that compares three with one where the one is already two.",
        ),
        Fact("alone", "all_gather", {"N": 1}),
        Ask("ask-alone", "What does an all-gather cost at $N = 1$?", "[[alone]]: there is no other rank to receive from. Put it into the formula: the fraction is zero."),
        Ask(
            "ask-double",
            "You double the number of ranks from [[gather-4.N]] to [[gather-8.N]]. By how much does the traffic of each rank grow?",
            "From [[gather-4]] to [[gather-8]]. The part a rank already holds was halved, and the other half of it is what now has to come in as well.",
        ),
        Fact("gather-8", "all_gather", {"N": 8}),
        Ask(
            "ask-shard",
            "A colleague puts the size of *one shard* where the formula wants $S$. How wrong is the result at [[gather-64.N]] ranks?",
            "Too small by a factor of [[gather-64.N]]. $S$ is always the whole tensor. Libraries differ in what they call the size of a collective, so check before you compare.",
        ),
        YourNumbers(
            "yours",
            'print(work("D", "layer_traffic", S="1.2 GB", N=16, r=1))\n'
            'print(solve("D", "all_gather", "N", at_most="600 MB").text)',
        ),
    ),
)
