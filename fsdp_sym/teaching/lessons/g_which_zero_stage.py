"""Cell G: the smallest ZeRO stage whose state fits, and what a higher stage costs in traffic."""

from .blocks import Ask, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

LESSON = Lesson(
    id="G-which-zero-stage",
    title="Which ZeRO stage?",
    cell="G",
    blocks=(
        Say(
            "question",
            "ZeRO shards in three stages: first the optimizer states, then the gradients too, then the parameters as well, which is what FSDP does. "
            "You have [[@N]] GPUs and may spend [[@M_max]] on each for the state of a model of [[@P]] parameters. Which is the smallest stage that fits?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "Which stage? Zero stands for no sharding.",
            of="pick",
            example="2",
            options=("0", "1", "2", "3"),
            called=("stage", "ZeRO"),
        ),
        Say(
            "parts",
            "### Who owns which bytes\n\nSplit the bytes of a parameter by what each stage divides. Optimizer states are the master copy and the moments: [[@b_c]], [[@b_m]] and [[@b_v]]. "
            "The gradient takes [[@b_g]] and the parameter [[@b_w]].",
        ),
        Derive("full-derive", "replicated_state"),
        Work("stage-0", "replicated_state"),
        Say("one-why", "### Stage one: the optimizer states"),
        Derive("one-derive", "zero_1_state"),
        Work("stage-1-each", "zero_1_bytes_per_parameter"),
        Work("stage-1", "zero_1_state"),
        Say("two-why", "### Stage two: the gradients as well"),
        Derive("two-derive", "zero_2_state"),
        Work("stage-2-each", "zero_2_bytes_per_parameter"),
        Work("stage-2", "zero_2_state"),
        Say("three-why", "### Stage three: everything"),
        Derive("three-derive", "sharded_state"),
        Work("stage-3-each", "zero_3_bytes_per_parameter"),
        Work("stage-3", "sharded_state"),
        Say("pick-why", "### The pick\n\nEach stage shards what the one before it shards and more, so the state never grows with the stage: take the first that fits."),
        Derive("pick-derive", "stage_for_budget"),
        Work("pick", "stage_for_budget"),
        Reveal("reveal"),
        Say(
            "pick-read",
            "[[stage-1]] and [[stage-2]] are above the [[@M_max]], the second of them only just; [[stage-3]] is below. The inequality that decides is the one of the second stage.",
        ),
        Plot("picture", "stages_against_budget"),
        Say(
            "limit-why",
            "### The limits: what no number of GPUs can shard away\n\nLet $N$ grow. Whatever a stage leaves replicated stays, and so the first two stages have a floor.",
        ),
        Work("floor-1", "zero_1_bytes_per_parameter", {"N": "oo"}),
        Work("floor-2", "zero_2_bytes_per_parameter", {"N": "oo"}),
        Work("floor-3", "zero_3_bytes_per_parameter", {"N": "oo"}),
        Derive("saving-1-derive", "zero_1_saving"),
        Work("saving-1", "zero_1_saving", {"N": "oo"}),
        Work("saving-2", "zero_2_saving", {"N": "oo"}),
        Derive("saving-3-derive", "zero_3_saving"),
        Say(
            "limit-read",
            "So the first stage never saves more than [[saving-1]] times and the second never more than [[saving-2]] times, however many GPUs join, while the third saves $N$ times. "
            "A budget at or below [[floor-1]] cannot be met by the first stage at all; asked for the number of ranks, `solve` answers *never* and says why.",
        ),
        Say(
            "traffic-why",
            "### What does a higher stage cost?\n\n\"The higher the stage, the more traffic\" is loose. Plain data parallel all-reduces the gradients. In the ZeRO paper's schedule the first two stages "
            "reduce-scatter the gradients and all-gather the updated parameters, and that *is* an all-reduce in two halves. Only the third stage gathers the parameters once more.",
        ),
        Derive("traffic-2-derive", "zero_2_traffic"),
        Work("traffic-dp", "all_reduce"),
        Work("traffic-2", "zero_2_traffic"),
        Work("traffic-2-ratio", "zero_2_over_all_reduce"),
        Work("traffic-3", "layer_traffic"),
        Work("traffic-3-ratio", "traffic_over_all_reduce"),
        Work("traffic-more", "sharding_moves_more"),
        Work("traffic-broadcast", "zero_1_broadcast_traffic"),
        Say(
            "traffic-read",
            "Plain data parallel and the first two stages move [[traffic-2]]; the third moves [[traffic-3]], [[traffic-3-ratio]] times as much. Implementations can be worse than the paper: one that all-reduces the gradients and then "
            "lets every owner broadcast its updated parameters (as plain data parallel with a sharded optimizer does) moves [[traffic-broadcast]] in the *first* stage.",
        ),
        Ask(
            "ask-budget",
            "What is the smallest budget with which the second stage is enough?",
            "[[stage-2]]. `solve` has nothing to do here: the budget must be at least the state itself. In practice leave more: the state is not the peak.",
        ),
        Ask(
            "ask-sixteen",
            "Keep the budget and double the GPUs to [[double.N]]. Which stage now?",
            "Stage [[double]]: with [[double.N]] ranks the second stage holds [[double-2]], and the first still [[double-1]].",
        ),
        Fact("double", "stage_for_budget", {"N": 16}),
        Fact("double-1", "zero_1_state", {"N": 16}),
        Fact("double-2", "zero_2_state", {"N": 16}),
        Ask(
            "ask-next-lower",
            "Someone finds that the first stage needs just as much as the second. What have they mixed up?",
            "They divided the gradients by $N$ as well and got [[stage-2]], but the first stage leaves them whole: [[stage-1]]. The order is optimizer states, gradients, parameters.",
        ),
        YourNumbers(
            "yours",
            'print(work("G", "stage_for_budget", N=64, M_max="6.5 GB"))\n'
            'print(solve("G", "zero_2_state", "N", at_most="10 GB").text)\n'
            'print(solve("G", "zero_1_state", "N", at_most="10 GB").text)',
        ),
    ),
)
