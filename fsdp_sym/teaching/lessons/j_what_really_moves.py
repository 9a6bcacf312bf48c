"""Cell J: the collectives of one step, counted and weighed, beside what a recorder saw."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Measured, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="J-what-really-moves",
    title="What really moves",
    cell="J",
    blocks=(
        Say(
            "question",
            "[Lesson D](D-communication-volume.ipynb) weighed one collective. A training step issues dozens: FSDP2 wraps the [[@L]] blocks of a model one by one, and whatever no block "
            "holds, embedding, last norm and head, makes up a *root group*. How many collectives is that in one step, and what do they carry? This time nobody has to believe the "
            "formula: a recorder wrote down every collective of real steps, and its list stands at the end beside the predictions.",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "One step, one micro-batch: [[@L]] wrapped blocks and the root group, with parameters freed after the forward pass as is the default. How many all-gathers does it issue?",
            of="gathers",
            example="32",
        ),
        Say(
            "count-why",
            "### Counting them\n\nA block is gathered before its forward pass and freed after it, so it is gathered again for its backward pass. The root group is used first and last in the forward pass "
            "and first in the backward pass, so FSDP2 does not free it in between unless it is told to. Every group reduces its gradients once.",
        ),
        Derive("gathers-derive", "gathers_in_step"),
        Work("gathers", "gathers_in_step"),
        Reveal("reveal"),
        Work("gathers-kept", "gathers_in_step", {"r": 0}),
        Work("gathers-root", "gathers_in_step", {"u_root": 1}),
        Derive("scatters-derive", "scatters_in_step"),
        Work("scatters", "scatters_in_step"),
        Say(
            "count-read",
            "[[gathers]]: two for each block and one for the root group. The *last block* is no exception, although its backward pass follows its forward pass at once; only the root group "
            "is spared. Told to free that too, a step issues [[gathers-root]]; told to keep everything, [[gathers-kept]]. The reduce-scatters are [[scatters]] in every case.",
        ),
        Plot("picture", "collectives_of_a_step"),
        Say(
            "micro-why",
            "### Several micro-batches\n\nA larger batch is often cut into micro-batches whose gradients are added up before the one optimizer step. Say [[gathers-4.K_mb]] of them. What repeats depends on three switches.",
        ),
        Work("gathers-4", "gathers_in_step", {"K_mb": 4}),
        Work("scatters-4", "scatters_in_step", {"K_mb": 4}),
        Work("deferred", "scatters_in_step", {"K_mb": 4, "u_sync": 0}),
        Derive("held-derive", "gathers_kept"),
        Work("held", "gathers_kept", {"K_mb": 4}),
        Say(
            "micro-read",
            "Left alone, everything repeats: [[gathers-4]] gathers and [[scatters-4]] reductions. With `set_requires_gradient_sync` on the last micro-batch alone the reductions are [[deferred]], and the "
            "gradients of the others are held unsharded in the meantime. With `set_reshard_after_backward` on the last alone a block that the backward pass gathered is still there for the next forward pass: "
            "[[held]] gathers, and all parameters are held in full. Traffic is saved with memory, every time.",
        ),
        Say(
            "bytes-why",
            "### Weighing them\n\nA gather carries parameters in the width they are computed with, a reduction gradients in the width they are added up with. Here these are two bytes and four.",
        ),
        Derive("gathered-derive", "gathered_in_step"),
        Work("gathered", "gathered_in_step"),
        Work("reduced", "reduced_in_step"),
        Derive("step-derive", "step_traffic"),
        Work("step", "step_traffic"),
        Work("step-kept", "step_traffic", {"r": 0}),
        Work("step-root", "step_traffic", {"u_root": 1}),
        Work("plain", "all_reduce", {"S": "26,953,662,464 B"}),
        Say(
            "bytes-read",
            "A parameter is gathered twice at two bytes and its gradient reduced once at four. That makes eight bytes a parameter, six where parameters are kept, each times $\\frac{N-1}{N}$: "
            "[[step-root|GB|4]] and [[step-kept|GB|4]]. With the root group spared its second gather it is [[step|GB|4]].\n\n"
            "Now look at plain data parallel that all-reduces fp32 gradients: [[plain|GB|4]], as much as FSDP2 that frees everything. The \"three against two\" of lesson D holds where parameters and gradients "
            "have one width. Here the gradients are twice as wide, and full sharding costs no more traffic than none.",
        ),
        Say("vary-why", "### Variations\n\nThe same bookkeeping, four more times: shards inside a group and replicas between groups; a second gather inside a smaller group; a frozen block; and clipping by the norm of all gradients."),
        Work("replicas", "replica_all_reduce", {"R_rep": 4}),
        Work("small-group", "resharded_to_group", {"N": 64, "n_grp": 8}),
        Work("all-ranks", "step_traffic", {"N": 64, "S_g": "13,476,831,232 B"}),
        Work("frozen", "scatters_with_frozen", {"L_frozen": 1}),
        Work("clip", "clip_traffic", {"n_T": 291, "b_step": "4 B"}),
        Say(
            "vary-read",
            "With [[replicas.R_rep]] replicas every rank all-reduces its own shard of the gradients across them, [[replicas|GB|4]] more. Gathering for the backward pass inside [[small-group.n_grp]] of [[small-group.N]] ranks brings a step that "
            "also reduces in bf16 from [[all-ranks|GB|4]] to [[small-group|GB|4]]: hardly less, but a third of it now travels on the fast links of a node. A frozen block is gathered like any other and only its reduction goes, which leaves [[frozen]]. "
            "And clipping moves one number a tensor, [[clip|B]] in all: nothing in bytes, though everybody waits for it.",
        ),
        Say(
            "measured-why",
            "### What the recorder saw\n\nThe runs are small, four blocks and a root group, so that they can be repeated on a laptop; the counts do not depend on size. First the collectives and bytes of a step, "
            "read from every operation that was issued; then bytes on the wire, read from the counters of real sockets, which frame what they carry and are therefore a little above.",
        ),
        Measured("collectives", "collectives"),
        Measured("wire", "wire"),
        Say(
            "edge-why",
            "### The edge: one rank\n\nThe bytes vanish at $N = 1$, as they must. The *count* does not follow the formula there: FSDP2 on a single rank issues no collective at all. A count of messages and a count of bytes "
            "have different edges.",
        ),
        Work("alone", "step_traffic", {"N": 1}),
        Ask(
            "ask-last",
            "A colleague expects the last block to be spared its second gather, since its backward pass comes next anyway, and the root group not. How many gathers does that make, and what does the recorder say?",
            "The same number, and that is the trap: one group spared of all is [[gathers]] either way. It differs in bytes. The root group holds embedding and head and is larger than a block: "
            "sparing it leaves [[gathered|GB|4]] of gathers, sparing a block [[block-spared|GB|4]].",
        ),
        Fact("block-spared", "gathered_in_step", {"S_blk": "13,072,064,512 B", "S_root": "404,766,720 B"}),
        Ask(
            "ask-checkpoint",
            "Activation checkpointing runs the forward pass of a block a second time. Does it need another gather for that?",
            "No. It runs when the block's backward pass is due, and for that the block has just been gathered. The formula has no letter for checkpoints, and the recorder saw none.",
        ),
        Ask(
            "ask-fp32",
            "The same model, but parameters are gathered in fp32 too. What does a step move then, and how does that compare with plain data parallel?",
            "[[fp32|GB|4]]: half as much again as [[plain|GB|4]], but for the root group's second gather. With one width everywhere lesson D's ratio is back.",
        ),
        Fact("fp32", "step_traffic", {"S_blk": "25,905,070,080 B", "S_root": "1,048,592,384 B"}),
        YourNumbers(
            "yours",
            'print(work("J", "gathers_in_step", L=80, K_mb=8))\n'
            'print(work("J", "step_traffic", N=64, K_mb=8, u_sync=0))\n'
            'print(solve("J", "step_traffic", "K_mb", at_most="200 GB").text)',
        ),
    ),
)
