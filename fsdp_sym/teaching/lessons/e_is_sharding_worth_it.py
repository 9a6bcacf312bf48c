"""Cell E: a model that already fits; ratio, slowdown, overlap, and what the slowdown is measured against."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="E-is-sharding-worth-it",
    title="Is sharding worth it?",
    cell="E",
    blocks=(
        Say(
            "question",
            "Sharding buys memory and pays in communication. Here is a small model on a fast link: [[@P]] parameters, [[@M_max]] a device, "
            "[[@T_comp]] of compute and [[@T_comm]] of communication for each layer. Should you shard it?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "If no communication overlaps compute, by how many percent is a layer slower than with no communication at all?",
            of="worst-slowdown",
            example="20 %",
        ),
        Say("memory-first", "### First: is there a memory problem at all?\n\nFSDP pays off when a replica overflows. Size the replica before you time anything."),
        Derive("bytes", "bytes_per_parameter"),
        Work("per-parameter", "bytes_per_parameter"),
        Work("full", "replicated_state"),
        Work("full-fits", "replica_fits"),
        Say(
            "eight-byte",
            "[[per-parameter]] is more than in lessons A and B because both Adam moments are [[@b_m]] wide here. That width is sometimes labelled fp32, "
            "wrongly: fp32 is half of it, and would make this [[fp32-total]]. Even with the wide moments the replica of [[full]] fits the [[@M_max]], so the memory that sharding saves is memory nobody needs.",
        ),
        Fact("fp32-total", "bytes_per_parameter", {"b_m": "4 B/param", "b_v": "4 B/param"}),
        Say("ratio-why", "### The ratio, and a rule of thumb\n\nCompare the two times. The larger their ratio, the harder it is to hide the one behind the other."),
        Derive("ratio-derive", "comm_to_compute"),
        Work("ratio", "comm_to_compute"),
        Derive("rule", "sharding_hurts"),
        Work("hurts", "sharding_hurts"),
        Derive("hides-derive", "communication_hides"),
        Work("hides", "communication_hides"),
        Say(
            "rule-read",
            "The ratio [[ratio]] is above the [[@rho_max]] that people quote. But keep the rule of thumb apart from the theorem: complete hiding needs only that communication takes "
            "*no longer than* compute, a ratio of at most one, and that every byte can be sent while something else is computed. The [[@rho_max]] is experience about how far real schedules are from that.",
        ),
        Say("worst-why", "### No overlap: the worst case"),
        Derive("step-derive", "step_without_overlap"),
        Work("worst-step", "step_without_overlap"),
        Derive("slow-derive", "slowdown_without_overlap"),
        Work("worst-slowdown", "slowdown_without_overlap", unit="%"),
        Reveal("reveal"),
        Say(
            "overlap-why",
            "### Overlap\n\nFSDP prefetches: while one layer computes, the next one's parameters are already on the way. If a share $\\varphi$ of the communication time runs beside compute, only the rest is exposed.",
        ),
        Derive("overlap-derive", "slowdown_with_overlap"),
        Work("half", "slowdown_with_overlap", {"phi": "1/2"}, unit="%"),
        Derive("need-derive", "overlap_for_slowdown"),
        Work("exposed", "exposed_for_slowdown"),
        Work("need", "overlap_for_slowdown"),
        Work("need-15", "overlap_for_slowdown", {"sigma_goal": "15 %"}),
        Work("need-20", "overlap_for_slowdown", {"sigma_goal": "20 %"}),
        Plot("picture", "overlap"),
        Say(
            "overlap-read",
            "A slowdown of [[need.sigma_goal]] needs an overlap of [[need]]; the band from [[need-15.sigma_goal]] to [[need-20.sigma_goal]] that is often quoted for fast links needs [[need-15]] and [[need-20]]. "
            "About half of the communication hidden is nothing unusual, and that is why measured slowdowns are far below the worst case.",
        ),
        Say(
            "against-what",
            "### Slower than what?\n\nThe worst case above compares with *no communication at all*. But plain data parallel communicates too: it all-reduces its gradients. "
            "The honest opponent of FSDP is plain data parallel on the same link.",
        ),
        Derive("dp-derive", "data_parallel_time"),
        Work("dp", "data_parallel_time"),
        Derive("dp-slow-derive", "slowdown_over_data_parallel"),
        Work("dp-slow", "slowdown_over_data_parallel", unit="%"),
        Fact("fsdp-step", "step_without_overlap"),
        Fact("dp-step", "step_without_overlap", {"T_comm": "[[dp]]"}),
        Say(
            "decision",
            "Without overlap FSDP takes [[fsdp-step]] and plain data parallel [[dp-step]]: FSDP is [[dp-slow]] slower, not [[worst-slowdown]]. "
            "The decision stands all the same. The replica fits, so plain data parallel is simpler, moves fewer bytes and is faster. Keep FSDP for the model that does not fit.",
        ),
        Ask(
            "ask-target",
            "What overlap makes the slowdown against no communication vanish, and what does that require of the two times?",
            "An overlap of one: everything hidden. It requires that communication takes no longer than compute, [[@T_comm]] against [[@T_comp]] here, and a first gather and a last reduction that nothing stands beside are still exposed in practice.",
        ),
        Ask(
            "ask-inverted",
            "Somebody divides compute by communication, finds a number well above [[@rho_max]], and concludes that sharding hurts. What went wrong?",
            "The ratio is upside down. Communication over compute is [[ratio]]; the inverse grows when communication gets *cheaper*, so a large value would be good news.",
        ),
        Ask(
            "ask-kept",
            "And if the parameters stayed gathered between forward and backward ($r = 0$)? How much slower than plain data parallel would FSDP then be?",
            "[[kept]]: then both move the same bytes. What it costs is memory, because the gathered layers stay.",
        ),
        Fact("kept", "slowdown_over_data_parallel", {"r": 0}, unit="%"),
        YourNumbers(
            "yours",
            'print(work("E", "slowdown_with_overlap", T_comm="6 ms", phi="0.7").line(unit="%"))\n'
            'print(solve("E", "overlap_for_slowdown", "sigma_goal", equals="0.9").text)',
        ),
    ),
)
