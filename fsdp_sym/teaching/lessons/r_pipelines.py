"""Cell R: what a pipeline's bubble is a share of, what its stages keep and send, and which degrees make the world."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_SMALL: At = {"N_p": 4, "K_mb": 8, "n_chk": 2}
_SMALL_PLAIN: At = {"N_p": 4, "K_mb": 8}
_LLAMA: At = {"L": 126, "N_p": 16}
_LONG: At = {"G": 16384, "N_c": 16, "N_p": 16, "N_t": 8}
_SHARED: At = {"N_c": 16, "s": 131072, "a_kv": 8}

LESSON = Lesson(
    id="R-pipelines",
    title="Pipelines and three dimensions",
    cell="R",
    blocks=(
        Say(
            "question",
            "[Lesson H](H-3-d-parallelism.ipynb) cut a model into pipeline stages and counted the GPUs. Here the stages go to work. A micro-batch passes one after the other, "
            "so at first the later stages have nothing to do, and at the end the earlier ones. What does that cost, what does it take to make it cheap, and who has to remember what meanwhile?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "[[@N_p]] stages take [[@K_mb]] micro-batches through a step. Which share of the step's **total time** does a GPU stand idle?",
            of="total",
            example="10 %",
        ),
        Say(
            "time-why",
            "### Filling and emptying\n\nFollow the last stage. Before it can start, the first micro-batch has to come through all the others. Then it works without a pause. When it has turned the last micro-batch, that one "
            "still has to go back through all the others.",
        ),
        Derive("time-derive", "pipeline_time"),
        Work("time", "pipeline_time"),
        Work("ideal", "pipeline_time", {"N_p": 1}),
        Say(
            "time-read",
            "[[time]] for a step in which each stage works [[ideal]]. The order does not matter: whether all micro-batches go forward first, as GPipe has it, or each comes back as soon as it can (one forward, one backward, 1F1B), the step takes as long. "
            "It was not the formula that said so but a schedule played task by task, under both orders.",
        ),
        Say(
            "total-why",
            "### Of what is it a share?\n\nThe bubble is the time in which a stage stands idle. Against the *total* time of the step it says which part of your GPU hours is lost.",
        ),
        Derive("total-derive", "bubble_over_total"),
        Work("total", "bubble_over_total", unit="%"),
        Reveal("reveal"),
        Say("ideal-why", "Against the *ideal* time, in which a stage works, it says by how much the pipeline lengthens the step. Papers mostly print this one."),
        Derive("ideal-derive", "bubble_over_ideal"),
        Work("over-ideal", "bubble_over_ideal", unit="%"),
        Say(
            "ideal-read",
            "[[total|%|4]] and [[over-ideal|%|4]]: one bubble, two denominators, and both are right. A bubble without its denominator is not a number.",
        ),
        Say(
            "chunks-why",
            "### Smaller pieces\n\nGive every stage several *chunks* of the model that lie apart, so that a micro-batch goes round the stages several times. Filling the pipeline now takes chunks instead of whole stages. "
            "Micro-batches go through the chunks in rounds, and a round needs at least as many of them as there are stages; else the last stage is still waiting when the first wants to go on.",
        ),
        Derive("chunks-derive", "interleaved_pipeline_time"),
        Work("chunks-time", "interleaved_pipeline_time"),
        Derive("chunks-ideal-derive", "interleaved_bubble_over_ideal"),
        Work("chunks-ideal", "interleaved_bubble_over_ideal", unit="%"),
        Derive("chunks-total-derive", "interleaved_bubble_over_total"),
        Work("chunks-total", "interleaved_bubble_over_total", unit="%"),
        Say(
            "chunks-read",
            "With [[chunks-time.n_chk]] chunks the step takes [[chunks-time]] instead of [[time]], and the bubble is [[chunks-ideal|%|4]] of the ideal time: exactly [[chunks-time.n_chk]] times less than it was. Of the total it is [[chunks-total|%|4]], not quite "
            "[[chunks-time.n_chk]] times less than [[total|%|4]], since the total has become shorter as well. In the paper that proposed this a round is just as long as there are stages, so there the stages must divide the micro-batches; "
            "for the time it is enough that no round is shorter, but a longer one keeps more.",
        ),
        Say("picture-why", "The pipeline in the picture is small, so that its tasks can be told apart: [[small-total.N_p]] stages take [[small-total.K_mb]] micro-batches, once with one chunk a stage and once with [[small-chunks-total.n_chk]]."),
        Plot("picture", "pipeline_schedule"),
        Work("small-total", "bubble_over_total", _SMALL_PLAIN, unit="%"),
        Work("small-ideal", "bubble_over_ideal", _SMALL_PLAIN, unit="%"),
        Work("small-chunks-total", "interleaved_bubble_over_total", _SMALL, unit="%"),
        Work("small-chunks-ideal", "interleaved_bubble_over_ideal", _SMALL, unit="%"),
        Say(
            "small-read",
            "One can read that interleaving takes such a bubble from [[small-total|%|3]] to [[small-chunks-ideal|%|4]]. Each number is right, and the sentence is not: the first is of the total, the second of the ideal time. "
            "It is from [[small-total|%|3]] to [[small-chunks-total|%|3]], or from [[small-ideal|%|4]] to [[small-chunks-ideal|%|4]].",
        ),
        Say(
            "keep-why",
            "### What a stage keeps\n\nActivations wait on a stage from a micro-batch's way forth to its way back. Under 1F1B the last stage turns each of them at once; the first one waits for the way through all the others and back.",
        ),
        Derive("flight-derive", "micro_batches_in_flight"),
        Work("flight-first", "micro_batches_in_flight"),
        Work("flight-last", "micro_batches_in_flight", {"n_stage": 7}),
        Work("flight-gpipe", "gpipe_in_flight"),
        Derive("keep-derive", "stage_activations"),
        Work("keep-first", "stage_activations", unit="GiB"),
        Work("keep-last", "stage_activations", {"n_stage": 7}, unit="GiB"),
        Work("keep-gpipe", "gpipe_activations", unit="GiB"),
        Say(
            "keep-read",
            "The first stage keeps [[keep-first|GiB|4]] of [[flight-first]] micro-batches, the last [[keep-last|GiB|4]] of [[flight-last]]. Under GPipe each keeps all [[flight-gpipe]]: [[keep-gpipe|GiB|4]]. That is what 1F1B is for. It does not make the bubble any smaller, but lets you "
            "take as many micro-batches as make it small. And a pipeline does not share out the activations: with however many stages, where micro-batches are at least as many, the first keeps as much as the whole model keeps of one micro-batch.",
        ),
        Say("penalty-why", "Interleaving is not free. More, if smaller, pieces are on their way before the first one is back."),
        Derive("pieces-derive", "chunks_in_flight"),
        Work("pieces", "chunks_in_flight"),
        Derive("penalty-derive", "first_stage_activations"),
        Work("penalty", "first_stage_activations", unit="GiB"),
        Say(
            "penalty-read",
            "[[pieces]] chunks are in flight, [[pieces.n_chk]] of which make a stage: [[penalty|GiB|4]] on the first stage instead of [[keep-first|GiB|4]].",
        ),
        Say(
            "send-why",
            "### What stages send\n\nOver a border goes a hidden vector for every token, and its gradient comes back. Layers and parameters do not matter, so it is little; but each chunk has borders of its own.",
        ),
        Derive("send-derive", "pipeline_traffic"),
        Work("hand", "handover"),
        Work("hand-split", "split_handover"),
        Work("sent", "pipeline_traffic", {"n_chk": 1}),
        Work("sent-chunks", "pipeline_traffic"),
        Say(
            "send-read",
            "A rank hands on [[hand|MB|4]] for a micro-batch, or [[hand-split|MB|4]] where the tensor group splits the sequence. In a step a rank of a middle stage receives [[sent|GB|4]], and with [[sent-chunks.n_chk]] chunks [[sent-chunks|GB|4]]. "
            "That is the second price of interleaving, and it is paid on the links between nodes.",
        ),
        Say(
            "layers-why",
            "### Layers that do not divide\n\nA layer is not cut, so somebody gets one more. Llama-3-405B has [[llama.L]] layers on [[llama.N_p]] stages. Besides, the first stage holds the embedding and the last one the head.",
        ),
        Derive("layers-derive", "layers_of_stage"),
        Work("layers", "layers_of_stage"),
        Work("llama", "layers_of_stage", _LLAMA),
        Derive("ends-derive", "layers_with_ends"),
        Work("llama-ends", "layers_with_ends", _LLAMA),
        Say(
            "layers-read",
            "GPT-3's layers divide, [[layers]] a stage. Llama's do not: the fullest stage has [[llama]] of them, and others have one less. With embedding and head counted as a layer each it comes out even, [[llama-ends]] places on every stage. So its first and last stage got a layer less than the others, "
            "and no stage waits for another.",
        ),
        Derive("slow-derive", "uneven_pipeline_time"),
        Work("slow", "uneven_pipeline_time", {"x_slow": "5/4"}),
        Work("quick", "uneven_pipeline_time", {"x_slow": 1}),
        Say(
            "slow-read",
            "Suppose the last of GPT-3's stages took [[slow.x_slow]] times as long as the others, for the head's sake. The step would take [[slow]] instead of [[quick]], though only one stage in [[@N_p]] is slower: every micro-batch waits for it.",
        ),
        Say(
            "world-why",
            "### Which degrees make the world\n\nTensor, context, pipeline and data degree each take GPUs of their own and multiply. Context ranks share a sequence: each has a part of its tokens, the same weights, and needs everybody's keys and values.",
        ),
        Derive("world-derive", "mesh_data_degree"),
        Work("data", "mesh_data_degree"),
        Work("llama-data", "mesh_data_degree", {**_LONG, "N_c": 1}),
        Work("llama-long", "mesh_data_degree", _LONG),
        Derive("context-derive", "context_traffic"),
        Work("context", "context_traffic", _SHARED),
        Derive("context-back-derive", "context_backward_traffic"),
        Work("context-back", "context_backward_traffic", _SHARED),
        Derive("expert-derive", "expert_copies"),
        Work("copies", "expert_copies", {"N_d": "[[data]]", "N_e": 8}),
        Say(
            "world-read",
            "Our [[@G]] GPUs make [[data]] replicas. Llama-3-405B took [[llama-data.G]] GPUs: [[llama-data]] replicas at first, and [[llama-long]] once [[llama-long.N_c]] ranks shared each of its long sequences, whose keys and values bring every rank [[context|MB|4]] a layer, and [[context-back|MB|4]] on the way back, when their gradients go round as well. "
            "An expert degree is another matter. It takes no GPUs but shares the experts out over ranks that are there: of [[copies.N_d]] replicas with an expert degree of [[copies.N_e]], each expert has [[copies]] copies. It has to divide them, and that is all.",
        ),
        Say(
            "edge-why",
            "### The edge: few micro-batches\n\nWith a global batch that is fixed, more replicas mean fewer micro-batches for each. What if there are fewer than stages?",
        ),
        Work("few-total", "bubble_over_total", {"K_mb": 4}, unit="%"),
        Work("few-ideal", "bubble_over_ideal", {"K_mb": 4}, unit="%"),
        Work("one-total", "bubble_over_total", {"K_mb": 1}, unit="%"),
        Say(
            "edge-read",
            "With [[few-total.K_mb]] micro-batches a GPU idles [[few-total|%|4]] of the step; as a share of the ideal time that is [[few-ideal|%|4]], and nothing is wrong with it. With a single one it is [[one-total|%|4]]: one stage works and the others look on. "
            "Interleaved, fewer micro-batches than stages leave gaps within the rounds, and the formula is not for them.",
        ),
        Ask(
            "ask-double",
            "Twice the stages and twice the micro-batches: does the bubble's share stay?",
            "Almost. Of the total it was [[total|%|4]] and is [[double|%|4]]: the stages less one have more than doubled. And there are half as many replicas on the same GPUs, so the step has as many sequences as before.",
        ),
        Fact("double", "bubble_over_total", {"N_p": 16, "K_mb": 64}),
        Ask(
            "ask-five-percent",
            "How many micro-batches bring the plain bubble below a twentieth of the total?",
            "With [[enough-less.K_mb]] it is just [[enough-less|%|4]], so from [[enough.K_mb]] on: [[enough|%|4]]. `solve` finds it in the cell below.",
        ),
        Fact("enough", "bubble_over_total", {"K_mb": 134}),
        Fact("enough-less", "bubble_over_total", {"K_mb": 133}),
        Ask(
            "ask-chunks",
            "Each stage could hold as many chunks as it has layers. Why not always?",
            "With [[most.n_chk]] chunks of a single layer the bubble would fall to [[most|%|3]] of the total, but each of the borders is crossed by every micro-batch: [[most-sent|GB|4]] a step instead of [[sent|GB|4]], each message with a latency of its own and with less computation to hide behind. "
            "Memory is no argument here: the first stage would keep [[most-keeps|GiB|4]], less than with fewer chunks.",
        ),
        Fact("most", "interleaved_bubble_over_total", {"n_chk": "[[layers]]"}),
        Fact("most-sent", "pipeline_traffic", {"n_chk": "[[layers]]"}),
        Fact("most-keeps", "first_stage_activations", {"n_chk": "[[layers]]"}),
        YourNumbers(
            "yours",
            'print(work("R", "bubble_over_total", K_mb=128))\n'
            'print(work("R", "interleaved_bubble_over_total", K_mb=128, n_chk=6).shown("%", 3))\n'
            'print(solve("R", "bubble_over_total", "K_mb", at_most="5 %").text)\n'
            'print(work("R", "first_stage_activations", n_chk=2).shown("GiB", 4))',
        ),
    ),
)
