"""Start here: one training step and a small all-gather, drawn; the cells, the reading path, the notation."""

from .blocks import Fact, Lesson, Matrix, Notation, Plot, Say, YourNumbers

LESSON = Lesson(
    id="start-here",
    title="Start here",
    blocks=(
        Say(
            "what",
            "These notebooks teach the arithmetic of sharded training: how many bytes a GPU holds, how many it receives, how long that takes, and which plan fits. "
            "Every formula is derived in front of you, every step of a derivation is checked by machine while you watch, and every number is confirmed a second time by plain counting.\n\n"
            "You need to know what a gradient is. Everything else is built here, starting with two pictures.",
        ),
        Say(
            "step",
            "### One training step, sharded\n\nTraining repeats one step: a **forward pass** computes the loss layer by layer, a **backward pass** computes a gradient for every parameter, "
            "and the **optimizer step** changes the parameters. Adam, the usual optimizer, keeps two running averages of each gradient, the *momentum* and the *variance*, "
            "so it needs memory from one step to the next.\n\n"
            "With **plain data parallel** every GPU holds all of that in full and works on its own part of the batch; an **all-reduce** averages the gradients. "
            "With **FSDP** each GPU, called a *rank*, holds only a *shard*: one part in $N$ of the parameters, of the gradients and of Adam's averages. "
            "No layer can be computed from a shard, so the ranks fetch the missing parts for a moment and drop them again.",
        ),
        Plot("step-picture", "training_step"),
        Say(
            "collectives",
            "### An all-gather, step by step\n\nRanks communicate in **collectives**, which all of them join. In an **all-gather** every rank ends up with all shards; "
            "in a **reduce-scatter** the gradients of all ranks are added and each rank keeps the sum of its own shard; an **all-reduce** is the one after the other. "
            "Put the ranks in a ring where each passes to its neighbour what reached it last:",
        ),
        Plot("ring-picture", "ring_all_gather"),
        Say(
            "ring-read",
            "After [[ring-steps]] steps all [[ring-steps.N]] ranks hold everything, and each has received every shard but its own. "
            "[Lesson D](D-communication-volume.ipynb) makes a formula of this sentence.",
        ),
        Fact("ring-steps", "ring_steps", {"N": 4}, cell="D"),
        Say(
            "map-why",
            "### The map\n\nEach cell has one question and one trap. The rows are in the order we recommend. The first half is the arithmetic itself: memory, then activations, traffic, time, the choice, and the bookkeeping; "
            "its letters are names, not the order. From I to O the arithmetic meets the world: what frameworks count, what a real step moves and holds, what a real block keeps, shards that do not divide, every prediction beside a run, "
            "and mistakes in print. At the end waits the [self-test](self-test.ipynb).",
        ),
        Matrix("map"),
        Say(
            "how",
            "### How a lesson works\n\nIt asks a question and lets you **forecast** the answer before any number appears; a wrong forecast is the best start. Then it derives the formula. "
            "The last column of a derivation is the machine's verdict on the step: *proved* by exact algebra, or *sampled*, tried at many exact points. "
            "Then it puts in the numbers, looks at the edge, and hands you the code to put in your own. Run the cells from top to bottom with Shift+Enter.\n\n"
            "Numbers are exact fractions until they are shown. If one had to be rounded, a ≈ stands before it. A byte is a capital B and a bit is a small b; GB is $10^9$ bytes and GiB is $2^{30}$ bytes.",
        ),
        Say("notation-why", "### Notation\n\nEvery letter has one meaning everywhere. Come back to these tables when one is new to you."),
        Notation("notation"),
        YourNumbers("yours", 'print(work("D", "ring_steps", N=8))\nderive("ring_steps")'),
    ),
)
