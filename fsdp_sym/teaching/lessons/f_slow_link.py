"""Cell F: an all-gather over a slow link; bits against bytes, and the bandwidth that would hide it."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="F-a-slow-link",
    title="A slow link",
    cell="F",
    blocks=(
        Say(
            "question",
            "[Lesson D](D-communication-volume.ipynb) counted the bytes of an all-gather. Here they meet a network: a link of [[@R_bit]], "
            "as between two ordinary machines. How long does one layer wait for its parameters, and what does the GPU do meanwhile?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "[[@R_bit]] sounds fast. How many milliseconds does it take to move [[@S]] over such a link?",
            of="whole",
            example="100 ms",
        ),
        Say(
            "bits-why",
            "### Bits and bytes\n\nNetworks are sold in bits per second, tensors are counted in bytes. Before anything is divided, both must "
            "speak of the same thing.",
        ),
        Derive("bandwidth-derive", "link_bandwidth"),
        Work("bandwidth", "link_bandwidth"),
        Say("time-why", "### Bytes over bandwidth\n\nNow the time is distance over speed: so many bytes, so many bytes a second."),
        Derive("time-derive", "transfer_time"),
        Work("whole", "transfer_time", {"V": "700 MB", "W": "[[bandwidth]]"}),
        Reveal("reveal"),
        Say(
            "slip-read",
            "A forecast near [[slip]] is the classic slip: it reads [[@R_bit]] as [[slip.W]]. A byte has [[@n_bit]] bits, "
            "so the slip is always wrong by the same factor, and always in the hopeful direction.",
        ),
        Fact("slip", "transfer_time", {"V": "700 MB", "W": "10 GB/s"}),
        Plot("picture", "time_against_bandwidth"),
        Say(
            "gather-why",
            "### The all-gather itself\n\nThat was the whole tensor. In an all-gather a rank has its own shard already and receives the others only, "
            "so it waits a little less. The derivation takes the bytes from lesson D and the bandwidth from above.",
        ),
        Derive("gather-derive", "all_gather_time"),
        Work("gather", "all_gather_time"),
        Say(
            "limit-why",
            "### The edges\n\nAlone, a rank receives nothing and waits for nothing. With more and more ranks its own shard vanishes, and the wait "
            "tends to that of the whole tensor.",
        ),
        Work("alone", "all_gather_time", {"N": 1}),
        Work("limit", "all_gather_time", {"N": "oo"}),
        Say(
            "limit-read",
            "So there are two right answers: [[gather]] with [[gather.N]] ranks, and [[limit]] as the bound that is never exceeded where $N$ divides $S$. "
            "Whoever divides the whole tensor by the bandwidth has computed the bound. Both leave latency out, which grows with every "
            "step of the ring ([lesson P](P-collectives-in-time.ipynb) counts it), and both assume that no other traffic uses the link.",
        ),
        Say(
            "compare-why",
            "### Who waits for whom?\n\nThe layer computes for [[@T_comp]], as in [lesson E](E-is-sharding-worth-it.ipynb). "
            "Put the communication time of one all-gather over it.",
        ),
        Derive("ratio-derive", "comm_to_compute"),
        Work("ratio", "comm_to_compute", {"T_comm": "[[gather]]"}),
        Work("hides", "communication_hides", {"T_comm": "[[gather]]"}),
        Work("step", "step_without_overlap", {"T_comm": "[[gather]]"}),
        Say(
            "compare-read",
            "The link is busy [[ratio]] times as long as the GPU. Without overlap the layer takes [[step]]; with perfect overlap it still takes "
            "[[step-best]]. Prefetching cannot hide what is longer than the compute: the GPU idles, and the network sets the pace. "
            "The memory that sharding saves is paid for in time, and this link makes it dear.",
        ),
        Fact("step-best", "step_when_hidden", {"T_comm": "[[gather]]"}),
        Say(
            "hide-why",
            "### Backwards: how fast must the link be?\n\nAsk for the bandwidth at which the bytes have just arrived when the compute ends. "
            "Anything faster gains nothing; anything slower leaves the GPU waiting.",
        ),
        Derive("hide-derive", "hiding_bandwidth_all_gather"),
        Work("hide", "hiding_bandwidth_all_gather"),
        Work("hide-limit", "hiding_bandwidth_all_gather", {"N": "oo"}),
        Say(
            "hide-read",
            "[[hide|GB/s|3]], or [[hide|Gbps]] as networks are sold; [[hide-limit]] is enough for any number of ranks where $N$ divides $S$. "
            "A link of [[infiniband.R_bit]] is not quite there: it takes [[infiniband]] (can that hide? [[infiniband-hides]]). NVLink inside a node, at "
            "[[nvlink.R_bit]] one way, takes [[nvlink|ms|3]] (can that hide? [[nvlink-hides]]). "
            "This is why the heaviest traffic belongs inside a node, which [lesson H](H-3-d-parallelism.ipynb) makes a rule.",
        ),
        Fact("infiniband", "all_gather_time", {"R_bit": "400 Gbps"}),
        Fact("infiniband-hides", "communication_hides", {"T_comm": "[[infiniband]]"}),
        Fact("nvlink", "all_gather_time", {"R_bit": "450 GB/s"}),
        Fact("nvlink-hides", "communication_hides", {"T_comm": "[[nvlink]]"}),
        Ask(
            "ask-faster",
            "The link is replaced by one of [[faster.R_bit]]. How long does the all-gather take now, and does it hide behind [[@T_comp]] of compute?",
            "[[faster]] instead of [[gather]]: the time falls by as much as the rate rises. Whether it hides: [[faster-hides]]. It is still [[faster-ratio]] times the compute.",
        ),
        Fact("faster", "all_gather_time", {"R_bit": "100 Gbps"}),
        Fact("faster-hides", "communication_hides", {"T_comm": "[[faster]]"}),
        Fact("faster-ratio", "comm_to_compute", {"T_comm": "[[faster]]"}),
        Ask(
            "ask-ranks",
            "Somebody proposes [[more.N]] ranks instead of [[@N]], so that every rank has less to carry. Does the all-gather get faster?",
            "No, slower: [[more]] instead of [[gather]]. The shards are smaller, but more of the tensor lies elsewhere, and all of that must come in. "
            "More ranks lower the memory of each, not its traffic.",
        ),
        Fact("more", "all_gather_time", {"N": 64}),
        Ask(
            "ask-step",
            "In a training step that gathers twice and scatters once, how long is the [[@R_bit]] link busy with this one layer?",
            "Three collectives bring each rank [[step-bytes]], which take [[step-time]] at [[step-time.W]]. Everything above was one collective of the three.",
        ),
        Fact("step-bytes", "layer_traffic", {"r": 1}),
        Fact("step-time", "transfer_time", {"V": "[[step-bytes]]", "W": "[[bandwidth]]"}),
        YourNumbers(
            "yours",
            'print(work("F", "all_gather_time", S="1.2 GB", N=16, R_bit="200 Gbps"))\n'
            'print(solve("F", "all_gather_time", "R_bit", equals="8 ms").text)',
        ),
    ),
)
