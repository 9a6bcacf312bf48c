"""Cell P: messages, rings and trees on a clock; which bandwidth is meant; two kinds of link, and where a group sits."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_NODE: At = {"N": 8}
_LEVELS: At = {"e": 3}
_SMALL: At = {"S": "1 MB"}
_ONE_WAY_OUT: At = {"n_link": 1}
_MANY: At = {"N": 128}
_LARGE: At = {"N": 64, "P": 33000000000}
_RUN: At = {"S": "17,179,869,184 B", "N": 8, "T_comm": "127,997 µs"}

LESSON = Lesson(
    id="P-collectives-in-time",
    title="Collectives in time",
    cell="P",
    blocks=(
        Say(
            "question",
            "[Lesson F](F-a-slow-link.ipynb) divided bytes by bandwidth and had a time. That left two things out: every message also has a *latency*, whatever its size, and a real cluster "
            "has two kinds of link, fast ones inside a node and slow ones between nodes. How long does a collective take when both are counted?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "The [[reduce.N]] GPUs of one node all-reduce [[@S|MB]] in a ring over NVLink, at [[@W]] in each direction. How many milliseconds does that take?",
            of="reduce",
            example="5 ms",
        ),
        Say(
            "message-why",
            "### One message\n\nA message waits for its latency, and then its bytes pass. Send a kilobyte, and then what one GPU of the node sends in a step: an eighth of the whole.",
        ),
        Derive("message-derive", "message_time"),
        Work("small", "message_time", {"V": "1 kB"}),
        Work("large", "message_time", {"V": "54,528,000 B"}),
        Derive("share-derive", "latency_share"),
        Work("small-share", "latency_share", {"V": "1 kB"}, unit="%"),
        Work("large-share", "latency_share", {"V": "54,528,000 B"}, unit="%"),
        Say(
            "message-read",
            "The large message takes [[large|µs|4]], the small one [[small|µs|4]]. Of the small one's time [[small-share|%|4]] is latency, of the large one's [[large-share|%|3]].",
        ),
        Say(
            "ring-why",
            "### A ring\n\nIn a ring reduce-scatter every rank passes on one shard's partial sum a step, in an all-gather one finished shard. A shard reaches the last rank after $N - 1$ steps, not $N$, since its owner has it "
            "from the start; and each step is a message with its latency. An all-reduce is both rounds, one after the other.",
        ),
        Derive("scatter-derive", "ring_reduce_scatter_time"),
        Work("scatter", "ring_reduce_scatter_time", _NODE),
        Work("gather", "ring_all_gather_time", _NODE),
        Derive("reduce-derive", "ring_all_reduce_time"),
        Work("reduce", "ring_all_reduce_time", _NODE),
        Reveal("reveal"),
        Say(
            "ring-read",
            "Each round takes [[scatter|ms|4]], and the all-reduce [[reduce|ms|4]]. A forecast near half of it has forgotten a round. Or it took the bandwidth of both directions together, as data sheets print it: with "
            "[[both-ways.W]] it would be [[both-ways|ms|4]], but a message comes in one direction. Latency hardly matters here. It is all that matters for a few bytes: [[reduce-tiny.S]] take [[reduce-tiny|µs|4]], and no link, however fast, makes that less.",
        ),
        Fact("both-ways", "ring_all_reduce_time", {**_NODE, "W": "900 GB/s"}),
        Work("reduce-tiny", "ring_all_reduce_time", {**_NODE, "S": "8 B"}),
        Say(
            "tree-why",
            "### A tree\n\nFor small tensors there is another way. In a binary tree pairs add up what they hold, then pairs of pairs, until one rank has the sum, which comes down the same way. A level doubles the ranks, so few messages wait for "
            "each other; but each of them is the whole tensor. (This is the plain tree. Libraries cut the tensor into pieces that follow each other down two trees at once, and lose much less.)",
        ),
        Derive("tree-derive", "tree_all_reduce_time"),
        Work("tree", "tree_all_reduce_time", _LEVELS),
        Work("tree-small", "tree_all_reduce_time", {**_LEVELS, **_SMALL}),
        Work("reduce-small", "ring_all_reduce_time", {**_NODE, **_SMALL}),
        Derive("cross-derive", "tree_ring_crossover"),
        Work("cross", "tree_ring_crossover", _LEVELS),
        Derive("faster-derive", "tree_is_faster"),
        Work("faster", "tree_is_faster", _LEVELS),
        Work("faster-small", "tree_is_faster", {**_LEVELS, **_SMALL}),
        Say(
            "tree-read",
            "[[tree-small.S]] take [[tree-small|µs|4]] in the tree and [[reduce-small|µs|4]] in the ring: the tree is faster. The whole [[@S|MB]] take [[tree|ms|4]] in the tree and [[reduce|ms|4]] in the ring: "
            "now the ring is. Neither always wins: they cross at [[cross]]. On more ranks the tree saves more latencies, and on a link with longer latency each of them is worth more bytes.",
        ),
        Plot("picture", "ring_and_tree"),
        Say(
            "bandwidth-why",
            "### Which bandwidth was measured?\n\nA run on the [[bus.N]] GPUs of an older node was seen to all-reduce [[bus.S]] in [[bus.T_comm]]. The tensor over the time is the *algorithm bandwidth*. What each link carried in that time is more, and the *bus bandwidth* counts it, "
            "so that it can be held against the link.",
        ),
        Derive("algorithm-derive", "algorithm_bandwidth"),
        Work("algorithm", "algorithm_bandwidth", {"S": "17,179,869,184 B", "T_comm": "127,997 µs"}),
        Derive("bus-derive", "bus_bandwidth"),
        Work("bus", "bus_bandwidth", _RUN),
        Work("nominal", "ring_all_reduce_time", {"N": 8, "S": "17,179,869,184 B", "W": "300 GB/s"}),
        Say(
            "bandwidth-read",
            "An algorithm bandwidth of [[algorithm|GB/s|4]] looks poor beside a link of [[nominal.W]], nominal and one way. It is the bus bandwidth, [[bus|GB/s|4]], that compares with it: the links reached more than three quarters of their rate. At the nominal rate the ring would have taken "
            "[[nominal|ms|4]]. So a nominal rate is a bound, and a time from it the least that a ring can take; where a measured bus bandwidth is known, put that for $W$.",
        ),
        Say(
            "flat-why",
            "### Two kinds of link\n\nNow all [[@N]] GPUs, in nodes of [[@n_node]]. A ring through both nodes leaves each node once, and its slowest link sets the pace: in every step a piece crosses there, so the slow link carries as much as any other, and no less for being one of many. "
            "What helps is several rings at once, each with a part of the tensor and with a network link of its own.",
        ),
        Derive("flat-derive", "flat_ring_time"),
        Work("flat", "flat_ring_time"),
        Work("flat-one", "flat_ring_time", _ONE_WAY_OUT),
        Say(
            "hier-why",
            "The other way is a hierarchy: reduce-scatter inside each node, all-reduce each shard across the nodes, all-gather inside. The three follow each other, so times add up, but only a node's sums cross, and far fewer latencies are long.",
        ),
        Derive("hier-derive", "hierarchical_all_reduce_time"),
        Work("hier", "hierarchical_all_reduce_time"),
        Work("hier-one", "hierarchical_all_reduce_time", _ONE_WAY_OUT),
        Work("flat-many", "flat_ring_time", _MANY),
        Work("hier-many", "hierarchical_all_reduce_time", _MANY),
        Say(
            "levels-read",
            "With a network link for each GPU, the rings through everything take [[flat|ms|4]] and the hierarchy [[hier|ms|4]]: the rings use both levels side by side. Where all GPUs of a node share one link it is [[flat-one|ms|4]] against [[hier-one|ms|4]], and the hierarchy wins, since fewer bytes cross. "
            "On [[flat-many.N]] GPUs it wins with all links, [[hier-many|ms|4]] against [[flat-many|ms|4]]: a ring through everything has as many long latencies as steps.",
        ),
        Say(
            "place-why",
            "### Where a group sits\n\nHybrid sharding has shard groups and replicas of them. Take groups of [[gather.N]]. Lay each inside a node, and its ranks have NVLink to themselves. Lay it across [[across.N]] nodes, and every GPU of a node belongs to another group: all of them want the network at once.",
        ),
        Derive("across-derive", "gather_across_nodes_time"),
        Work("across", "gather_across_nodes_time", _NODE),
        Work("across-one", "gather_across_nodes_time", {**_NODE, **_ONE_WAY_OUT}),
        Derive("ratio-derive", "across_over_inside"),
        Work("ratio", "across_over_inside", _NODE),
        Work("ratio-one", "across_over_inside", {**_NODE, **_ONE_WAY_OUT}),
        Work("replicas", "ring_all_reduce_time", {"N": 8, "S": "54,528,000 B", "W": "50 GB/s", "T_lat": "14 µs"}),
        Say(
            "place-read",
            "Inside a node the all-gather takes [[gather|ms|4]]. Across nodes it takes [[across|ms|4]] with a link for every GPU, [[ratio||3]] times as long, and [[across-one|ms|4]] with one link for the node, [[ratio-one||3]] times. "
            "So the shard group goes inside the node. The replicas then lie across, but they all-reduce one shard of the gradients only: [[replicas|ms|4]], once a step, where parameters are gathered for every pass.",
        ),
        Say(
            "hybrid-why",
            "### Which way of sharding wins\n\nThat is hybrid sharding: a copy in each node. It gathers inside the node and pays twice for it, with more memory, and with the all-reduce of a shard across the nodes. Sharding over all [[@N]] GPUs sends its gathers and reductions in rings through all nodes. "
            "Which is quicker, for a layer that is gathered for each of its passes?",
        ),
        Derive("hybrid-derive", "hybrid_sharding_time"),
        Work("hybrid", "hybrid_sharding_time"),
        Derive("full-derive", "full_sharding_time"),
        Work("full", "full_sharding_time"),
        Derive("keeps-derive", "hybrid_is_no_slower"),
        Work("keeps", "hybrid_is_no_slower"),
        Work("hybrid-many", "hybrid_sharding_time", _MANY),
        Work("full-many", "full_sharding_time", _MANY),
        Work("keeps-one", "hybrid_is_no_slower", _ONE_WAY_OUT),
        Say(
            "hybrid-read",
            "On two nodes with a network link for every GPU the rings take [[full|ms|4]] and hybrid sharding [[hybrid|ms|4]], so it loses, if narrowly: rings use both levels side by side. On [[full-many.N]] GPUs it is [[full-many|ms|4]] against [[hybrid-many|ms|4]], since a long ring waits for many latencies between nodes. "
            "With one link for a node hybrid sharding wins on two nodes already. \"What stays inside the node is faster\" is loose: the inequality decides.",
        ),
        Say(
            "wins-why",
            "Quick is no use unless it fits. Put [lesson G](G-which-zero-stage.ipynb)'s states beside these times, and five ways to train have an order. Plain data parallel and the first two stages leave parameters whole, so they need no gathers; their all-reduce may go in rings or by the hierarchy, whichever is quicker, and then takes no longer than what the others do. Of these take the first that fits. "
            "Where none of them fits, hybrid sharding and the third stage are left.",
        ),
        Derive("wins-derive", "winning_sharding"),
        Work("wins", "winning_sharding"),
        Work("wins-large", "winning_sharding", _LARGE),
        Fact("wins-fast", "winning_sharding", {"P": 33000000000}),
        Fact("wins-none", "winning_sharding", {"P": 90000000000}),
        Say(
            "wins-read",
            "For [[@P]] parameters on [[@N]] GPUs it is ZeRO-[[wins]]. [[wins-large.P]] on [[wins-large.N]] GPUs are too many for a whole copy of the parameters: hybrid sharding wins, which the formula calls [[wins-large]]. On [[@N]] GPUs as many would go to stage [[wins-fast]], since there the rings through both nodes are quicker. And [[wins-none.P]] fit nowhere on [[@N]]: [[wins-none]]. "
            "Over a range of both, `fsdp-sym sweep winning_sharding --cell P --over N=16..1024+16 --over P=2e9..200e9+2e9 --plot ways.svg` draws where each wins, with the inequality that decides written into its region.",
        ),
        Say(
            "bucket-why",
            "### Buckets\n\nMany small tensors need not mean many small messages: they are put into buckets. How large must a bucket be for latency to take no more than a given share of its time?",
        ),
        Derive("bucket-derive", "bucket_for_efficiency"),
        Work("bucket", "bucket_for_efficiency", {"W": "12.5 GB/s", "T_lat": "100 µs", "x_lat": "1/10"}),
        Work("bucket-here", "bucket_for_efficiency", {"x_lat": "1/10"}),
        Say(
            "bucket-read",
            "Where latency may take a tenth of the time, a bucket has [[bucket]] on a network of [[bucket.W]] with [[bucket.T_lat]] of latency. On this node's NVLink it has [[bucket-here]], for although the latency is shorter, more bytes pass in it. That is for one message: in a ring, where a message is one shard, the bucket must be larger by the number of ranks.",
        ),
        Ask(
            "ask-sixteen",
            "[[sixteen.N]] ranks all-reduce [[sixteen.S]] in one ring, at [[sixteen.W]] and [[sixteen.T_lat]] a message. How long does it take, and how long an all-gather?",
            "The all-reduce takes [[sixteen]], the all-gather half of it, [[sixteen-gather]]. An all-to-all of as much takes [[sixteen-exchange]] as well: as many messages, each as large, though none is passed on.",
        ),
        Fact("sixteen", "ring_all_reduce_time", {"N": 16, "S": "100 MB", "W": "100 GB/s", "T_lat": "10 µs"}),
        Fact("sixteen-gather", "ring_all_gather_time", {"N": 16, "S": "100 MB", "W": "100 GB/s", "T_lat": "10 µs"}),
        Fact("sixteen-exchange", "all_to_all_time", {"N": 16, "S": "100 MB", "W": "100 GB/s", "T_lat": "10 µs"}),
        Ask(
            "ask-bus",
            "A benchmark on [[printed.N]] ranks all-reduces [[printed.S]] in [[printed.T_comm]]. Which algorithm bandwidth does it print, and which bus bandwidth?",
            "[[printed-algorithm]] and [[printed]]: every rank received the shards of the others twice.",
        ),
        Fact("printed-algorithm", "algorithm_bandwidth", {"S": "20 GB", "T_comm": "1 s"}),
        Fact("printed", "bus_bandwidth", {"S": "20 GB", "N": 8, "T_comm": "1 s"}),
        Ask(
            "ask-doubled",
            "The network links of the [[@N]] GPUs are made twice as fast, and the rings go through both nodes as before. Is the all-reduce twice as fast?",
            "No: [[doubled|ms|4]] instead of [[flat|ms|4]]. Latency stays, and now the links inside the node carry their pieces more slowly than the network does: the slower level is another one.",
        ),
        Fact("doubled", "flat_ring_time", {"W_net": "100 GB/s"}),
        YourNumbers(
            "yours",
            'print(work("P", "tree_ring_crossover", e=6, T_lat="14 µs", W="50 GB/s"))\n'
            'for nodes in (2, 3, 5, 9):\n'
            '    flat, hier = (work("P", name, N=8 * nodes) for name in ("flat_ring_time", "hierarchical_all_reduce_time"))\n'
            '    print(8 * nodes, "GPUs:", flat.shown(digits=4), "in rings,", hier.shown(digits=4), "in two levels")\n'
            'print(work("P", "bucket_for_efficiency", x_lat="1/20"))',
        ),
    ),
)
