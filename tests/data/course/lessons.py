"""The lesson of our cell. No number is typed: [[slug]] stands for what a Work or a Fact comes to."""

from fsdp_sym.teaching.lessons.blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Reveal, Say, Work, YourNumbers

LAB = Lesson(
    id="LAB1-our-laboratory",
    title="Our own laboratory",
    cell="LAB1",
    blocks=(
        Say("question", "Sharded over our desktops, does the model's state fit, and how long does the office network hold us up?"),
        Conventions("conventions"),
        Forecast("forecast", "How long does it take to gather the whole model once?", of="gather", example="3 s"),
        Say("state-why", "### Does it fit?\n\nFSDP divides every state by the ranks."),
        Work("state", "sharded_state"),
        Work("fits", "shard_fits"),
        Say("state-read", "Each desktop holds [[state|GB|4]] of state, of a model of [[state.P]] parameters."),
        Say("gather-why", "### What does the network cost?\n\nAn all-gather of everything, on a link of [[gather.R_bit]]."),
        Derive("derive", "model_gather_time"),
        Work("gather", "model_gather_time"),
        Reveal("reveal"),
        Work("limit", "model_gather_time", {"N": "oo"}),
        Fact("faster", "model_gather_time", {"R_bit": "100 Gbps"}),
        Ask("ask", "What would a link of [[faster.R_bit]] make of it?", "[[faster|ms|4]]: the time is the bytes over the rate."),
        YourNumbers("yours", 'print(work("LAB1", "model_gather_time", R_bit="25 Gbps"))'),
    ),
)
