"""Cell K: what a step holds at its fullest; a stage that fits between steps and not in one, and which phase peaks when."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Measured, Plot, Reveal, Say, Work, YourNumbers

# One rank of 8 under FSDP2 in bf16, one sequence of 2048 tokens: the buffers of each phase at its fullest moment, in bytes.
_SHARDS: At = {"M_w": "[[fp32-shard]]", "M_o": 6738416780}
_GATHERED: At = {"S_root": 524296192, "S_unit": 404766720}
_TURNED_BACK: At = {**_SHARDS, **_GATHERED, "n_held": 2, "S_rg": 262152192, "S_ug": 270548992, "S_red": 809533440}
_FORWARD: At = {**_GATHERED, "n_held": 1, "A_all": 10633093128}
_BACKWARD: At = {**_TURNED_BACK, "M_g": 101191680, "A_all": 9867345932}
_STEP: At = {**_SHARDS, "M_g": "[[fp32-shard]]", "M_tmp": "[[fp32-shard]]"}
_FORWARD_AGAIN: At = {**_SHARDS, **_GATHERED, "n_held": 3, "A_all": 536870912}
_BACKWARD_AGAIN: At = {**_TURNED_BACK, "M_g": 3035750400, "A_all": 438583308}

_SECOND: At = {"M_w": "[[weights]]", "M_g": "[[fp32-shard]]", "M_o": "[[states]]"}
_THIRD: At = {**_SECOND, "M_w": "[[weights-shard]]"}

LESSON = Lesson(
    id="K-where-the-memory-goes",
    title="Where the memory goes",
    cell="K",
    blocks=(
        Say(
            "question",
            "Somebody fine-tunes a model of [[@P]] parameters on [[@N]] cards of [[@M_max]] each, one short sequence at a time. ZeRO-2 should just fit. It does, through a forward pass and a backward pass, and then the "
            "run dies in the optimizer's step, at the line that takes the root of the second moment and divides by it. [Lesson G](G-which-zero-stage.ipynb) would have picked the same stage. What did it leave out?",
        ),
        Conventions("conventions", without=("W", "L", "d", "f", "a")),
        Forecast(
            "forecast",
            "Under ZeRO-2 the parameters are whole on every card and all else is shared. At the fullest moment of the optimizer step, how many gigabytes of parameters, gradients, states and temporaries does a card hold?",
            of="step-2",
            example="24 GB",
        ),
        Say("persistent-why", "### Between steps\n\nFirst as lesson G would: the state, by the ZeRO paper's widths, and the first stage that fits."),
        Work("state-2", "zero_2_state"),
        Derive("pick-derive", "stage_for_budget"),
        Work("pick", "stage_for_budget"),
        Say(
            "buffers-why",
            "### In the step\n\nNow go through the optimizer step buffer by buffer, as DeepSpeed runs it. The fp16 parameters are whole. The optimizer owns a flat shard of everything else, and turns its shard of the "
            "gradient to fp32 before it begins. One fp32 buffer, sharded, will come up again and again.",
        ),
        Derive("buffer-derive", "buffer_shard"),
        Work("weights", "buffer_shard", {"N": 1, "b_buf": "2 B/param"}),
        Work("fp32-shard", "buffer_shard", {"b_buf": "4 B/param"}),
        Work("states", "buffer_shard", {"b_buf": "12 B/param"}),
        Say(
            "temporaries-why",
            "And then Adam computes. Its update divides one moment by the root of the other: the root is a tensor as large as the shard, and so is the quotient. An optimizer that takes tensor after tensor lets them go again; on one flat shard "
            "there is only one tensor to take.",
        ),
        Derive("flat-derive", "flat_temporaries"),
        Work("temporaries", "flat_temporaries", {"b_t": "4 B/param"}),
        Derive("step-derive", "optimizer_step_peak"),
        Work("step-2", "optimizer_step_peak", {**_SECOND, "M_tmp": "[[temporaries]]"}),
        Reveal("reveal"),
        Work("step-2-one", "optimizer_step_peak", {**_SECOND, "M_tmp": "[[fp32-shard]]"}),
        Say(
            "step-read",
            "Between steps a card holds [[state-2|GiB|4]] and stage [[pick]] fits [[@M_max]] with room to spare. In the step, with the first temporary made, it holds [[step-2-one|GiB|4]], and the next one wants another "
            "[[fp32-shard|GiB|4]]. The run's own last words were the same to within a fraction of a percent. At its fullest the step would need [[step-2|GiB|4]], and the device keeps something for itself.",
        ),
        Derive("fits-derive", "peak_fits"),
        Work("fits-2", "peak_fits", {"M_peak": "[[step-2]]"}),
        Plot("picture", "peak_against_budget"),
        Say("cure-why", "### Two cures\n\nShard the parameters as well, or do without the temporaries."),
        Work("weights-shard", "buffer_shard", {"b_buf": "2 B/param"}),
        Work("step-3", "optimizer_step_peak", {**_THIRD, "M_tmp": "[[temporaries]]"}),
        Work("fits-3", "peak_fits", {"M_peak": "[[step-3]]"}),
        Work("step-fused", "optimizer_step_peak", {**_SECOND, "M_tmp": "0 GB"}),
        Work("fits-fused", "peak_fits", {"M_peak": "[[step-fused]]"}),
        Say(
            "cure-read",
            "Does it fit? Stage two: [[fits-2]]. Stage three, [[step-3|GiB|4]] with the same temporaries: [[fits-3]]. And stage two with a *fused* optimizer, which computes element by element and makes no temporaries, [[step-fused|GiB|4]]: "
            "[[fits-fused]]. \"The smallest stage that fits\" has no answer until the optimizer is named.",
        ),
        Say(
            "phases-why",
            "### The phases of a step\n\nThe optimizer step is one phase of several. A forward pass holds shards, the gathered root group, the units gathered at the moment, and activations, more with every block. A backward pass gives activations back as it takes "
            "gradients on, and holds a unit's gradients unsharded until they are reduced. States live from the first step on; gradients from the backward pass until `zero_grad`. So the first forward pass is the emptiest of all, and a run that "
            "survives it has proved little.",
        ),
        Derive("first-derive", "first_forward_peak"),
        Derive("later-derive", "later_forward_peak"),
        Derive("backward-derive", "backward_peak"),
        Say("phases-how", "Here are the same model and cards under FSDP2 in bf16 with fp32 shards and gradients, [[@b]] sequence of [[@s]] tokens, nothing recomputed; each phase at its fullest moment."),
        Work("first", "first_forward_peak", {"M_w": "[[fp32-shard]]", **_FORWARD}),
        Work("backward", "backward_peak", _BACKWARD),
        Work("step", "optimizer_step_peak", _STEP),
        Work("later", "later_forward_peak", {**_SHARDS, **_FORWARD}),
        Plot("phases", "memory_of_a_step"),
        Derive("peak-derive", "step_peak"),
        Work("peak", "step_peak", {"M_fwd": "[[later]]", "M_bwd": "[[backward]]", "M_opt": "[[step]]"}),
        Say(
            "phases-read",
            "The backward pass is the fullest, [[backward|GiB|4]], when it turns the second of the blocks back: the first has left gradients that are being reduced, and nearly all activations are still there. The first forward pass needs [[first|GiB|4]], later ones "
            "[[later|GiB|4]], the optimizer step [[step|GiB|4]].",
        ),
        Say(
            "again-why",
            "### The edge: another phase\n\nLet every block be recomputed, so that only its input is kept. The passes get emptier, and the optimizer step does not notice.",
        ),
        Work("later-again", "later_forward_peak", _FORWARD_AGAIN),
        Work("backward-again", "backward_peak", _BACKWARD_AGAIN),
        Work("peak-again", "step_peak", {"M_fwd": "[[later-again]]", "M_bwd": "[[backward-again]]", "M_opt": "[[step]]"}),
        Say(
            "again-read",
            "Now the passes need [[later-again|GiB|4]] and [[backward-again|GiB|4]], and the peak, [[peak-again|GiB|4]], is the optimizer step's. To lower it further, recompute no more: take a fused optimizer, or more ranks. Before you cure a peak, ask which phase it is in.",
        ),
        Say(
            "measured-why",
            "### What real steps were seen to hold\n\nThe temporaries above were recorded, allocation by allocation, in steps of PyTorch's own Adam on small models. [Lesson N](N-reality-check.ipynb) has the phases as well.",
        ),
        Measured("measured", "optimizer"),
        Ask(
            "ask-unit",
            "A run on cards of [[@M_max]] failed to allocate one more tensor, whose size was the same on every rank. A block of this model has [[unit.S]] once it is gathered. Was that it?",
            "Very likely: the allocator takes whole pages of [[unit.S_page|MiB]], which makes [[unit|MiB]]. It is one gathered block, and no number of ranks makes it smaller.",
        ),
        Fact("unit", "allocator_rounding", {"S": 404766720, "S_page": "2 MiB"}, unit="MiB"),
        Ask(
            "ask-law",
            "A run peaks at [[law.M_one]] on one GPU and at [[law.M_two]] on two. What should it need on [[law.N]], and what on very many? Is it alarming that memory does not halve?",
            "[[law]] on [[law.N]] and never less than [[law-endless]]. A peak is a shared part over $N$ and a part that nobody shares: activations, gathered units, the device's own. Two measurements tell both.",
        ),
        Fact("law", "peak_by_two", {"M_one": "33.06 GB", "M_two": "19.02 GB", "N": 4}),
        Fact("law-endless", "peak_by_two", {"M_one": "33.06 GB", "M_two": "19.02 GB", "N": "oo"}),
        Ask(
            "ask-loop",
            "PyTorch's Adam can also walk the tensors one by one. Its largest shard here is one of [[loop.S_big]]. What temporaries does that make, against one buffer for all tensors at once?",
            "[[loop|MB|4]] instead of [[fp32-shard|GB|4]]: the root and the quotient of one tensor, and the quotient of the tensor before, which still has its name. It is slower, and needs next to nothing.",
        ),
        Fact("loop", "loop_temporaries", {"S_big": "65,536,000 B", "S_prev": "2048 B"}),
        YourNumbers(
            "yours",
            'print(work("K", "flat_temporaries", N=16, b_t="4 B/param"))\n'
            'print(work("K", "stage_for_budget", N=64))\n'
            'print(work("K", "checkpoint_bytes"))',
        ),
    ),
)
