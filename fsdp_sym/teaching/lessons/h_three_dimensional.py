"""Cell H: data, pipeline and tensor degrees multiply to the GPU count exactly; which group FSDP shards over."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_FP32_MOMENTS: At = {"b_m": 4, "b_v": 4}

LESSON = Lesson(
    id="H-3-d-parallelism",
    title="3-D parallelism",
    cell="H",
    blocks=(
        Say(
            "question",
            "You have [[@G]] GPUs in nodes of [[@n_node]]. The model is cut into [[@N_p]] pipeline stages, and inside a stage every matrix is split "
            "over a tensor group of [[@N_t]]. What is left for data parallelism, and over which of these ranks does FSDP shard?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "How many data-parallel replicas do [[@G]] GPUs make, with [[@N_p]] stages and tensor groups of [[@N_t]]?",
            of="data",
            example="64",
        ),
        Say(
            "world-why",
            "### Everyone has one place\n\nGive each GPU a coordinate: its replica, its stage in the replica, its slot in the stage's tensor group. "
            "No coordinate may stay empty and none may be taken twice, so the coordinates are counted by multiplying.",
        ),
        Derive("world-derive", "world_size"),
        Say("data-why", "### The missing factor\n\nStages and slots are fixed by the model and the node. The replicas are what makes the product exact."),
        Derive("data-derive", "data_degree"),
        Work("data", "data_degree"),
        Reveal("reveal"),
        Work("replica", "world_size", {"N_d": 1}),
        Work("world", "world_size", {"N_d": "[[data]]"}),
        Say(
            "data-read",
            "One replica takes [[replica]] GPUs, so there are [[data]] of them. Never trust a division without multiplying back: "
            "[[world]] GPUs, none left over and none counted twice.",
        ),
        Plot("picture", "split_of_1024"),
        Say(
            "node-why",
            "### Where a group may lie\n\nTensor parallelism communicates inside every layer and the layer waits for it, so it needs the fastest links, and those "
            "end at the node. Two questions: does a group fit in a node, and do whole groups use the node up? The second is the stricter one.",
        ),
        Derive("fits-derive", "tensor_group_fits_node"),
        Work("fits", "tensor_group_fits_node"),
        Derive("tiles-derive", "tensor_group_tiles_node"),
        Work("tiles", "tensor_group_tiles_node"),
        Work("fits-3", "tensor_group_fits_node", {"N_t": 3}),
        Work("tiles-3", "tensor_group_tiles_node", {"N_t": 3}),
        Say(
            "node-read",
            "Fits in a node: [[fits]] for groups of [[fits.N_t]], and [[fits-3]] for groups of [[fits-3.N_t]]. Uses the node up: [[tiles]] for the former, "
            "[[tiles-3]] for the latter. Fitting is not enough: where whole groups leave GPUs over, some group has to reach across to the next node.",
        ),
        Say(
            "shard-why",
            "### Which $N$?\n\nRanks in different stages or slots hold *different* parameters; there is nothing they could share a copy of. Ranks with the same stage "
            "and slot, one in each replica, hold the same. They are the shard group, and every $N$ in the earlier lessons means them.",
        ),
        Derive("shard-derive", "shard_group"),
        Work("shard", "shard_group"),
        Work("steps", "ring_steps", {"N": "[[shard]]"}),
        Work("steps-world", "ring_steps", {"N": "[[world]]"}),
        Say(
            "shard-read",
            "So FSDP's $N$ is [[shard]] here, not [[@G]]. That also shortens the ring: [[steps]] steps of an all-gather instead of [[steps-world]], "
            "each with its latency. FSDP's collectives run between nodes, tensor parallelism's inside them.",
        ),
        Say(
            "splits-why",
            "### How many ways are there?\n\nWhich degree is which matters, so we count *ordered* splits. A world of $2^e$ GPUs shares out $e$ twos among "
            "three degrees; a node of $2^m$ GPUs lets the tensor degree take at most $m$ of them. Here $e$ is [[@e]] and $m$ is [[@m]].",
        ),
        Derive("splits-derive", "ordered_splits"),
        Work("splits", "ordered_splits"),
        Derive("splits-node-derive", "ordered_splits_in_node"),
        Work("splits-node", "ordered_splits_in_node"),
        Say(
            "splits-read",
            "Of [[splits]] ordered splits, [[splits-node]] keep the tensor group inside a node. Fixing the number of stages leaves only a handful, "
            "which the last cell of this notebook lists.",
        ),
        Say(
            "edge-why",
            "### The edge: a product that cannot be exact\n\nTake tensor groups of [[short.N_t]] with the same [[@N_p]] stages. "
            "Is there a whole number of replicas that makes [[@G]]? Try the two nearest.",
        ),
        Work("short", "world_size", {"N_d": 42, "N_t": 6}),
        Work("over", "world_size", {"N_d": 43, "N_t": 6}),
        Say(
            "edge-read",
            "[[short.N_d]] replicas use [[short]] GPUs and leave the rest idle; [[over.N_d]] would need [[over]]. There is nothing in between, and "
            "`solve` in the last cell says *never*. A layout with a rounded degree is not almost right: it has ranks without a place.",
        ),
        Ask(
            "ask-node",
            "One node of [[@n_node]] GPUs breaks. How many replicas can go on with the same stages and tensor groups, and how many GPUs do they use?",
            "[[left.N_d]] replicas, [[left]] GPUs. A replica takes [[replica]] GPUs, more than one node, so the healthy rest of the broken replica idles too.",
        ),
        Fact("left", "world_size", {"N_d": 31}),
        Ask(
            "ask-state",
            "A model of [[whole-state.P]] parameters is trained on [[whole-state.N]] GPUs: once with FSDP alone over all of them, once in this layout. "
            "Does a GPU hold more state in one of the two? Assume that stages and slots divide the parameters evenly, and Adam moments of [[whole-state.b_m]].",
            "No, it is [[whole-state]] in both. In this layout a rank's stage and slot own [[slice]] of the parameters, and those are sharded over "
            "[[shard]] ranks: [[slice-state]]. The layout does not change how much each GPU holds, but who must talk to whom.",
        ),
        Fact("whole-state", "mean_state", _FP32_MOMENTS, cell="C"),
        Fact("slice", "slice_parameters", {"P": "175e9"}),
        Fact("slice-state", "mean_state", {"P": "[[slice]]", "N": "[[shard]]", **_FP32_MOMENTS}, cell="C"),
        Ask(
            "ask-tensor",
            "Would a tensor group of [[wide.N_t]] fit a node of [[@n_node]]? And how many replicas would there be?",
            "Does it fit: [[wide]]. It would span two nodes, and every layer would wait for the slow link. The product alone would allow it, with [[wide-data]] replicas. "
            "The product is necessary, not sufficient.",
        ),
        Fact("wide", "tensor_group_fits_node", {"N_t": 16}),
        Fact("wide-data", "data_degree", {"N_t": 16}),
        YourNumbers(
            "yours",
            'print(work("H", "data_degree", G=512, N_p=2))\n'
            'print(splits(1024, N_p=4, N_t_at_most=8))  # (data, pipeline, tensor)\n'
            'print(solve("H", "world_size", "N_d", equals=1024, N_t=6).text)',
        ),
    ),
)
