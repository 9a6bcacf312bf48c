"""Cell O: wrong numbers in print, retold, and refuted by a value or a decision."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_SMALL: At = {"P": "6.7e9", "N": 1}
_TWENTY: At = {"b_x": "4 B/param"}
_LLAMA: At = {"b": 1, "s": 2048, "d": 4096, "f": 16384, "a": 32}
_LAYERS: At = {"L": 80, "c": "67 MB", "A": "1 GB"}
_SPEED: At = {"P": "6805e6", "N": 4, "P_big": "131e6", "b_g": "4 B/param"}

LESSON = Lesson(
    id="O-find-the-mistake",
    title="Find the mistake",
    cell="O",
    blocks=(
        Say(
            "question",
            "All of these numbers stand somewhere in print: in tutorials, calculators, estimators, data sheets. Each is wrong, most by a factor that changes a decision, and each went wrong in a way that you now know. "
            "Read a claim, say what is off *before* you run the next cell, and then let the algebra answer.",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "A teaching text adds up the training memory of a model of [[states.P]] parameters in mixed precision. For the optimizer it puts down one fp32 number a parameter. "
            "The optimizer keeps a master copy and both moments, all fp32. How many gigabytes is that really?",
            of="states",
            example="30 GB",
        ),
        Say("states-why", "### A teaching text on the optimizer\n\nThe optimizer's line is what such sums get wrong most often. One fp32 number a parameter would be one of the three buffers that it keeps."),
        Derive("buffer-derive", "buffer_shard"),
        Work("states-said", "buffer_shard", {**_SMALL, "b_buf": "4 B/param"}),
        Work("states", "buffer_shard", {**_SMALL, "b_buf": "12 B/param"}),
        Reveal("reveal"),
        Say("states-read", "[[states]], not [[states-said]]. The text went from the two-byte weights to four bytes and stopped; a third of the optimizer is in it. **Count buffers, then widths.**"),
        Say("unit-why", "### Two units on one page\n\nA page adds up what a model of [[@P]] parameters keeps, both gradients included, gives the sum in GB and, in brackets, what that is in GiB: [[unit.M_max]]. The two can be compared."),
        Work("whole", "replicated_state", _TWENTY),
        Derive("unit-derive", "replica_fits"),
        Work("unit", "replica_fits", {**_TWENTY, "M_max": "133 GiB"}),
        Work("unit-right", "replica_fits", {**_TWENTY, "M_max": "130 GiB"}),
        Say("unit-read", "[[whole]] are less than [[unit.M_max]] ([[unit]]) and more than [[unit-right.M_max]]: they are [[whole|GiB|6]]. Somebody divided by a number between the decimal and the binary giga. **A GiB is $2^{30}$ bytes, exactly.**"),
        Say("traffic-why", "### Two texts on traffic\n\nOne says that sharding moves three times the bytes of plain data parallel, the other that all ZeRO stages move the same. They cannot both be right, and neither is."),
        Derive("traffic-derive", "traffic_over_all_reduce"),
        Work("traffic", "traffic_over_all_reduce"),
        Work("traffic-2", "zero_2_over_all_reduce"),
        Derive("more-derive", "sharding_moves_more"),
        Work("more", "sharding_moves_more"),
        Say("traffic-read", "The first two stages move as much as plain data parallel, a ratio of [[traffic-2]]; the third [[traffic]] times as much. Three collectives stand against an all-reduce that is itself two. **Count passes, not names of collectives.**"),
        Say("width-why", "### A calculator of activations\n\nAn open-source calculator cites the paper's formula for a block in its documentation and multiplies it, in its code, by the four bytes of a number."),
        Work("width", "block_activations", {**_LLAMA, "b_a": "2 B", "b_k": "1 B"}),
        Work("width-said", "block_activations", {**_LLAMA, "b_a": "8 B", "b_k": "4 B"}),
        Say("width-read", "[[width|GiB|3]] a block, not [[width-said|GiB|3]]. The paper's coefficients are bytes, two for an activation and one for an element of a mask. To multiply again is to claim activations of [[width-said.b_a]]. **Ask of every coefficient what it counts.**"),
        Say("largest-why", "### An estimate of Adam in bf16\n\nEight bytes a parameter, it says, because the two fp32 moments are the largest thing there is. A maximum stands where a sum belongs."),
        Work("largest", "bytes_per_parameter", {"b_c": "0 B/param"}),
        Work("largest-all", "bytes_per_parameter"),
        Say("largest-read", "Parameter, gradient and moments are [[largest]] together, and with the master copy [[largest-all]]. Nothing is let go while the optimizer steps, so nothing hides behind the largest. **What is alive at the same time is added.**"),
        Say("printed-why", "### An estimator's unit\n\nA framework's own estimator prints what a model of [[printed.P]] parameters needs on [[printed.N]] GPUs under ZeRO-3, and writes GB behind it. A user has [[printed-fits.M_max]] to spend and reads that it fits."),
        Derive("printed-derive", "deepspeed_zero_3"),
        Work("printed", "deepspeed_zero_3", _SPEED),
        Work("printed-fits", "peak_fits", {"M_peak": "[[printed]]", "M_over": "0 GB", "M_max": "31 GB"}),
        Say("printed-read", "The number that was printed is [[printed|GiB|4]] without its i. It is [[printed|GB|4]], and whether that fits [[printed-fits.M_max]]: [[printed-fits]]. **A GB that a program prints is a GiB until shown otherwise.**"),
        Say("overlap-why", "### A text on overlap\n\nCommunication takes twice as long as compute. With perfect overlap, it says, training gets three times as fast. Take [[@T_comp]] and [[@T_comm]]."),
        Work("overlap-none", "step_without_overlap"),
        Derive("overlap-derive", "step_when_hidden"),
        Work("overlap-full", "step_when_hidden"),
        Say("overlap-read", "[[overlap-none]] become [[overlap-full]]: half as fast again. Hiding one thing behind another can save no more than the shorter of the two, so it at most doubles the speed, and only where both are equal. **The longer one is always left.**"),
        Say("root-why", "### A text with a square root\n\nFor a model of [[best.L]] layers that keep [[best.A]] each and are checkpointed at [[best.c]], it takes a checkpoint every square root of the layers, and plans the memory on that."),
        Derive("best-derive", "best_interval"),
        Work("best", "best_interval", _LAYERS),
        Work("root", "recompute_peak", {**_LAYERS, "k": 9}),
        Work("best-two", "recompute_peak", {**_LAYERS, "k": 2}),
        Say("root-read", "The best interval is [[best||2]] layers, because a checkpoint costs so much less than a layer. At $k$ = [[root.k]] the peak is [[root|GB|3]], at $k$ = [[best-two.k]] it is [[best-two|GB|3]]. **A rule comes with the assumption it was made under.**"),
        Say("twice-why", "### A script with two divisions\n\nIt divides the parameters by the tensor and pipeline degrees, [[slice.N_t]] and [[slice.N_p]], and what is left by the number of GPUs, all [[twice.N]] of them, since ZeRO-3 shards over everybody."),
        Work("slice", "slice_parameters", {"P": "70e9", "N_p": 2, "N_t": 4}),
        Work("group", "shard_group", {"G": 64, "N_p": 2, "N_t": 4}),
        Work("once", "buffer_shard", {"P": "[[slice]]", "N": "[[group]]", "b_buf": "2 B/param"}),
        Work("twice", "buffer_shard", {"P": "[[slice]]", "N": 64, "b_buf": "2 B/param"}),
        Say("twice-read", "[[once]] of parameters a GPU, not [[twice]]. The tensor and pipeline degrees are in the world already; a slice is shared by the [[group]] ranks that hold the same slice. **$N$ is the shard group.**"),
        Say("link-why", "### A data sheet's bandwidth\n\nA GPU's links are sold as [[link-said.R_bit]], and a planner takes that for the bandwidth of a gather of [[@S]] over [[@N]] ranks. The data sheet has added both directions."),
        Work("link-said", "all_gather_time", {"R_bit": "900 GB/s"}),
        Work("link", "all_gather_time", {"R_bit": "450 GB/s"}),
        Say("link-read", "[[link|ms|4]], not [[link-said|ms|4]]. What a rank receives comes in one way. **A bandwidth has a direction.**"),
        Plot("picture", "printed_against_right"),
        Say(
            "edge",
            "### The edge: wrong and close\n\nThe picture sets every printed number over the right one. The factors of two and more are found by anybody who multiplies once. The dangerous ones are close to one: a unit that is off by a few percent passes every "
            "glance and decides whether a plan fits.",
        ),
        Ask(
            "ask-bits",
            "Somebody reads a link of [[bits.R_bit]] as so many gigabytes a second. In which direction is that error, and would the picture show it?",
            "In the hopeful one, by the bits of a byte: the gather takes [[bits|s|3]] and not [[bits-said|s|3]]. It would stand as far to the left as the script with two divisions.",
        ),
        Fact("bits", "all_gather_time", {"R_bit": "100 Gbps"}),
        Fact("bits-said", "all_gather_time", {"R_bit": "100 GB/s"}),
        Ask(
            "ask-hybrid",
            "A page recommends shard groups of [[hybrid.N]] instead of [[@N]] \"to save memory\". What does the state of [[@P]] parameters become?",
            "[[hybrid]] instead of [[full]]: a smaller group has more to hold, not less.",
        ),
        Fact("hybrid", "sharded_state", {"N": 2}),
        Fact("full", "sharded_state"),
        YourNumbers(
            "yours",
            'print(work("O", "replicated_state", P="70e9").shown("GiB", 5))  # check a number you have read\n'
            'print(work("O", "slowdown_without_overlap", T_comm="3 ms"))\n'
            'print(work("O", "sharding_moves_more", r=0))',
        ),
    ),
)
