"""Cell A: the bytes a parameter drags along in fp32, and what sharding does to them; N = 1."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="A-memory-in-fp32",
    title="Memory in fp32",
    cell="A",
    blocks=(
        Say(
            "question",
            "You want to train a model of [[@P]] parameters with Adam, everything in fp32, on GPUs with [[@M_max]] each. "
            "Does it fit on one? How much of it does each GPU hold once FSDP has sharded it?",
        ),
        Forecast(
            "forecast",
            "How many bytes does a GPU keep for **one parameter** while it trains with Adam in fp32? "
            "The parameter itself takes four; what else must stay in memory from one step to the next?",
            of="per-parameter",
            example="24 B/param",
        ),
        Say(
            "buffers",
            "### Count the buffers\n\nTraining drags more along than the parameters. Each has a gradient, and Adam keeps two running averages "
            "of it, the momentum and the variance. Every one of these buffers has one number for each parameter, so each is $P$ times a width in bytes. "
            "A width of zero means that this plan keeps no such buffer.",
        ),
        Derive("replica", "replicated_state"),
        Derive("bytes", "bytes_per_parameter"),
        Work("per-parameter", "bytes_per_parameter"),
        Reveal("reveal"),
        Say(
            "convention-matters",
            "If your forecast was half as large again, you may have seen Adam's two moments counted with eight bytes each: "
            "that convention gives [[eight-byte]], and [lesson E](E-is-sharding-worth-it.ipynb) uses it. "
            "Neither is wrong. A number of bytes per parameter means nothing until the widths are said.",
        ),
        Conventions("conventions"),
        Fact("eight-byte", "bytes_per_parameter", cell="E"),
        Say("whole", "### On one GPU\n\nPlain data parallel puts a full replica of all buffers on every GPU."),
        Work("full", "replicated_state"),
        Derive("replica-fits", "replica_fits"),
        Work("full-fits", "replica_fits"),
        Say("shard-why", "### Sharded\n\nFSDP deals every buffer out over $N$ ranks. If $N$ does not divide $P$, the shards are padded to equal length."),
        Derive("shard", "sharded_state"),
        Work("sharded", "sharded_state", {"N": 8}),
        Derive("shard-fits-why", "shard_fits"),
        Work("shard-fits", "shard_fits", {"N": 8}),
        Plot("picture", "memory_against_ranks"),
        Say(
            "edge",
            "### The edge: a single rank\n\nThe formula at $N = 1$ divides by one. Sharding over yourself is keeping everything: "
            "FSDP on one GPU has the same state as plain training, and nobody to talk to.",
        ),
        Derive("alone-why", "single_rank_state"),
        Work("alone", "single_rank_state"),
        Say("fewest-why", "### Backwards: how many GPUs does it take?\n\nThe same arithmetic answers the question one really has. A device of [[@M_max]] holds so many whole parameters and no more; the rest follows."),
        Derive("fewest-derive", "ranks_for_budget"),
        Work("fewest", "ranks_for_budget", {"B": "[[per-parameter]]"}),
        Say("fewest-read", "Two things to keep in mind: this is the *persistent* state alone, without activations and without the layers that are gathered for a moment; and [[@M_max]] is taken as decimal gigabytes. Leave room."),
        Derive("more-why", "marginal_saving"),
        Work("more-2", "marginal_saving", {"N": 1}),
        Work("more-8", "marginal_saving", {"N": 7}),
        Say("more-read", "The first GPU that joins saves every rank [[more-2]]; from [[more-8.N]] ranks on, one more saves [[more-8]]. Memory falls as $1/N$, so each further GPU buys less."),
        Ask("ask-half", "How much state does each GPU hold with [[four.N]] ranks, and why is that not a quarter of what it is with [[sixteen.N]]?",
            "[[four]] with [[four.N]] ranks and [[sixteen]] with [[sixteen.N]]: it is four *times* as much. The state is inversely proportional to $N$."),
        Fact("four", "sharded_state", {"N": 4}),
        Fact("sixteen", "sharded_state", {"N": 16}),
        Ask("ask-sgd", "Which buffers go if you train with plain SGD instead of Adam, and how many bytes a parameter are left?",
            "Both moments go; the parameter and its gradient stay: [[sgd]]. Adam doubles the state of an fp32 model."),
        Fact("sgd", "bytes_per_parameter", {"b_m": 0, "b_v": 0}),
        Ask("ask-gib", "A GPU is sold with [[@M_max]] and the driver reports a little under [[gib.M_max]]. Which of the two is more memory, and can the answer to *does it fit* depend on it?",
            "One GiB is $2^{30}$ bytes and one GB is $10^9$, so the budget read as GiB is the larger one: [[gib.M_max|GB|3]]. For a state between the two readings the answer does depend on it; this cell's [[sharded]] is far from both."),
        Fact("gib", "shard_fits", {"N": 8, "M_max": "80 GiB"}),
        YourNumbers(
            "yours",
            'print(work("A", "sharded_state", P="13B", N=16))\n'
            'print(solve("A", "sharded_state", "N", at_most="80 GB", P="70B").text)',
        ),
    ),
)
