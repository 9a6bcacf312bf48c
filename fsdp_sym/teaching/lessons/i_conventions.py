"""Cell I: the same sum from other parts, other sums that are right as well, and what no number of ranks divides."""

from ...scenarios.conventions import CONVENTIONS
from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers


def _kept(convention: str) -> dict[str, int]:
    """What a convention keeps of a parameter, as a work takes it."""
    return {s.name: int(width.value) for s, width in CONVENTIONS[convention].plan.values.items()}


_ZERO = _kept("ZeRO-3")
_FROZEN: At = {"P": "33e9", **_kept("frozen")}

LESSON = Lesson(
    id="I-conventions",
    title="Conventions",
    cell="I",
    blocks=(
        Say(
            "question",
            "Ask three frameworks how many bytes of state a parameter takes under Adam, and you get three answers. Ask how little of it stays on "
            "a GPU when more and more of them share it, and the answers lie further apart still. None of them is wrong. What do they count?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "Megatron's *distributed optimizer* deals out what the optimizer keeps: first over [[@N]] ranks, then over more and more. "
            "Of a model of [[@P]] parameters, how many gigabytes of state stay on every rank, however many there are?",
            of="floor-megatron",
            example="7 GB",
        ),
        Say(
            "parts-why",
            "### What is kept, by name\n\nBefore you add widths, say what they are of. Computing takes a parameter in low precision. The optimizer adds updates to "
            "something with more digits: a *master copy* beside it, or the parameter itself where it is kept in fp32. Adam has two moments. And a gradient may be "
            "kept in the width it is *computed* in, in the width it is *added up* in, or in both.",
        ),
        Derive("bytes", "bytes_per_parameter"),
        Work("zero", "bytes_per_parameter", _ZERO),
        Work("fsdp2", "bytes_per_parameter", _kept("FSDP2")),
        Work("megatron", "bytes_per_parameter"),
        Work("both", "bytes_per_parameter", _kept("DeepSpeed ZeRO-2")),
        Say(
            "parts-read",
            "[[zero]] in the ZeRO paper and [[fsdp2]] under FSDP2: one sum, from different parts. The paper keeps a parameter of [[zero.b_w]] beside a master copy of "
            "[[zero.b_c]] and a gradient of [[zero.b_g]]. FSDP2 keeps one fp32 shard of [[fsdp2.b_w]], casts it while it is gathered, keeps a gradient of [[fsdp2.b_g]], "
            "and needs no master copy beside the shard, which is one.\n\nMegatron comes to [[megatron]]: it adds up the gradients of many micro-batches in fp32, which takes "
            "[[megatron.b_g]] where the paper has [[zero.b_g]]. And [[both]] it is where the computed gradient of [[both.b_g]] is kept beside the [[both.b_x]] of the sum, "
            "as DeepSpeed does in its second stage. Every sum is right for its own list.",
        ),
        Say(
            "divide-why",
            "### What is divided\n\nThe sum is only half of a convention. The other half is which of its parts are divided, and by how many ranks. Megatron divides what the "
            "optimizer keeps, and leaves the bf16 parameter and the fp32 gradient whole on every rank.",
        ),
        Derive("divide-derive", "distributed_optimizer"),
        Work("megatron-8", "distributed_optimizer"),
        Work("floor-megatron", "distributed_optimizer", {"N": "oo"}),
        Reveal("reveal"),
        Say(
            "floors-why",
            "### Four floors\n\nLet the ranks of the other conventions grow as well. Here are the ZeRO paper's three stages, and the third is also FSDP2's law.",
        ),
        Derive("stage-1-derive", "zero_1_state"),
        Work("floor-1", "zero_1_state", {**_ZERO, "N": "oo"}),
        Work("floor-2", "zero_2_state", {**_ZERO, "N": "oo"}),
        Work("floor-3", "sharded_state", {**_ZERO, "N": "oo"}),
        Say(
            "floors-read",
            "What stays is what nobody divides: [[floor-megatron]] of parameters with fp32 gradients in Megatron, [[floor-1]] of parameters and gradients under ZeRO-1, "
            "[[floor-2]] of parameters under ZeRO-2, and [[floor-3]] under ZeRO-3. \"Sharding divides the memory by the number of ranks\" is true of the last alone.",
        ),
        Plot("picture", "floors_of_conventions"),
        Say(
            "edge-why",
            "### The edge: the right sum under the wrong law\n\nThe costliest mistake is to take a sum from one convention and a law from another. "
            "Divide *all* of Megatron's bytes by the [[@N]] ranks and see.",
        ),
        Work("all-divided", "sharded_state"),
        Work("paper-divided", "sharded_state", _ZERO),
        Say(
            "edge-read",
            "[[all-divided]] where a rank really holds [[megatron-8]]: more than three times too little. The sums, [[megatron]] against [[zero]], differ by an eighth; "
            "fully sharded they are [[all-divided]] and [[paper-divided]]. What is divided matters far more than what is added.",
        ),
        Ask(
            "ask-hybrid",
            "A team with [[full.N]] GPUs is short of memory and turns to hybrid sharding: shard groups of [[hybrid.N]], replicated over the rest. Does each GPU hold less state, at FSDP2's widths?",
            "No: [[hybrid]] instead of [[full]], four times as much. The $N$ that divides is the shard group, not the world. Hybrid sharding saves traffic between nodes and pays in memory.",
        ),
        Fact("full", "sharded_state", _kept("FSDP2")),
        Fact("hybrid", "sharded_state", {**_kept("FSDP2"), "N": 2}),
        Ask(
            "ask-ambiguous",
            "A model of [[shard.P]] parameters is loaded on [[shard.N]] GPUs. What each holds at once is as much as an fp32 shard of its parameters. Is it an fp32 shard?",
            "It may be: that is [[shard|GiB|3]]. But a whole copy in bf16 is [[copy|GiB|3]] too. On [[shard.N]] ranks one number has both explanations, and an honest answer names both. "
            "On more ranks they part: the shard gets smaller and the copy does not.",
        ),
        Fact("shard", "buffer_shard", {"P": "8e9", "N": 2, "b_buf": 4}),
        Fact("copy", "buffer_shard", {"P": "8e9", "N": 1, "b_buf": 2}),
        Ask(
            "ask-frozen",
            "A backbone of [[frozen-2.P]] parameters is frozen in bf16; only a small head trains. What does ZeRO-2 on [[frozen-2.N]] GPUs divide of the backbone?",
            "Nothing: it divides gradients and optimizer states, and a frozen parameter has neither. The backbone stays whole, [[frozen-2]] on every GPU; only the third stage divides it, to [[frozen-3]].",
        ),
        Fact("frozen-2", "zero_2_state", _FROZEN),
        Fact("frozen-3", "sharded_state", _FROZEN),
        YourNumbers(
            "yours",
            'print(work("I", "distributed_optimizer", P="70e9", N=64))\n'
            'print(solve("I", "distributed_optimizer", "N", at_most="60 GB").text)\n'
            'print(solve("I", "distributed_optimizer", "N", at_most="40 GB").text)',
        ),
    ),
)
