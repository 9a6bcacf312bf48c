"""Cell M: whole rows, rounded up: full shards first, empty ranks last, and collectives that carry the padding."""

from .blocks import Ask, At, Conventions, Derive, Fact, Forecast, Lesson, Plot, Reveal, Say, Work, YourNumbers

_SMALL: At = {"d_0": 1000, "N": 64}
_WORDS: At = {"d_0": "32000"}
_WIDE: At = {"d_0": 11008}
_HIDDEN: At = {"d_0": 4096}
_UP: At = {**_WIDE, "n_rest": 4096}
_GATHERED: At = {**_UP, "b_e": "2 B"}


def _rows(rank: str) -> At:
    """The rows that the first or the last rank was found to hold of each kind of tensor, for the sum over the model."""
    hidden = f"[[hidden-{rank}]]"
    return {"n_v": f"[[words-{rank}]]", "n_f": f"[[wide-{rank}]]", "n_d": hidden, "n_q": hidden, "n_kv": hidden}


LESSON = Lesson(
    id="M-shards-that-dont-divide",
    title="Shards that don't divide",
    cell="M",
    blocks=(
        Say(
            "question",
            "So far an $N$-th was an $N$-th. But FSDP2 deals out *rows*, and rows are whole: of a tensor whose rows do not divide by the ranks some ranks get more "
            "than others, and some perhaps nothing. How uneven does that make a real model?",
        ),
        Conventions("conventions"),
        Forecast(
            "forecast",
            "Llama-2-7B has [[@L]] layers, a hidden size of [[@d]], a feed-forward width of [[@f]] and [[@v]] words. Over [[@N]] ranks, with Adam in fp32: how many megabytes "
            "does the **last** rank hold?",
            of="last",
            example="110 MB",
        ),
        Say(
            "rows-why",
            "### A tensor of [[chunk.d_0]] rows over [[chunk.N]] ranks\n\nA shard is a block of consecutive rows, and all shards are allocated with the same number of rows. "
            "So that none is left over, the quotient is rounded up.",
        ),
        Derive("chunk-derive", "shard_rows"),
        Work("chunk", "shard_rows", _SMALL),
        Say("own-why", "The first ranks take a full shard each. At some rank the rows run out: it gets what is left, and those after it get nothing."),
        Derive("own-derive", "rows_of_rank"),
        Work("own-61", "rows_of_rank", {**_SMALL, "n_rank": 61}),
        Work("own-62", "rows_of_rank", {**_SMALL, "n_rank": 62}),
        Work("own-63", "rows_of_rank", {**_SMALL, "n_rank": 63}),
        Derive("empty-derive", "empty_ranks"),
        Work("empty", "empty_ranks", _SMALL),
        Work("padding", "padding_rows", _SMALL),
        Say(
            "own-read",
            "Rank [[own-61.n_rank]] holds [[own-61]] rows, rank [[own-62.n_rank]] the last [[own-62]], and rank [[own-63.n_rank]] has [[own-63]]. Blocks that differ by one row "
            "at most would be fairer. But collectives want shards of one size, so FSDP2 cuts them alike until the rows run out; [[padding]] rows of padding make up the rest.",
        ),
        Say(
            "model-why",
            "### A whole model\n\nThe matrices of Llama-2-7B have three numbers of rows: as many as there are words, as the feed-forward layer is wide, or as a hidden vector is long. "
            "Ask the last rank and the first for each of them. Ranks are numbered from zero, so the last one is [[words-last.n_rank]].",
        ),
        Work("words-last", "rows_of_rank", {**_WORDS, "n_rank": 1023}),
        Work("wide-last", "rows_of_rank", {**_WIDE, "n_rank": 1023}),
        Work("hidden-last", "rows_of_rank", {**_HIDDEN, "n_rank": 1023}),
        Work("words-first", "rows_of_rank", {**_WORDS, "n_rank": 0}),
        Work("wide-first", "rows_of_rank", {**_WIDE, "n_rank": 0}),
        Work("hidden-first", "rows_of_rank", {**_HIDDEN, "n_rank": 0}),
        Derive("model-derive", "model_rows"),
        Work("last", "model_rows", _rows("last")),
        Reveal("reveal"),
        Work("first", "model_rows", _rows("first")),
        Work("even", "buffer_shard", {"b_buf": 16}),
        Say(
            "model-read",
            "The last rank holds [[last]], the first [[first]]. An even share would be [[even|MB]]: almost every rank has a little more than that, "
            "and the last few about half, because embedding, head, gate and way up have run out of rows before their turn came.",
        ),
        Plot("picture", "uneven_ranks"),
        Say(
            "collective-why",
            "### Collectives carry the padding\n\nAn all-gather joins shards of one size. The empty rank sends its padding too, and everybody receives it. Take the way up of a layer, "
            "[[padded.d_0]] rows of [[padded.n_rest]] numbers, gathered in bf16.",
        ),
        Derive("padded-derive", "padded_bytes"),
        Work("padded", "padded_bytes", _GATHERED),
        Work("unpadded", "padded_bytes", {**_GATHERED, "N": 1}),
        Work("wide-empty", "empty_ranks", _WIDE),
        Work("wide-padding", "padding_rows", _WIDE),
        Say(
            "collective-read",
            "[[padded|MB|4]] travel where the matrix has [[unpadded|MB|4]]. [[wide-empty]] ranks hold none of it, and [[wide-padding]] rows of padding go round.",
        ),
        Say(
            "allocated-why",
            "### Allocated is more than held\n\nThe shard of a parameter and the buffer of its gradient are allocated with a full shard's rows, even on an empty rank. "
            "Adam's moments are made from what the rank really holds, so they are not padded. And for every tensor Adam keeps one counter of its steps, which nobody shards.",
        ),
        Derive("allocated-derive", "tensor_on_rank"),
        Work("up-last", "tensor_on_rank", {**_UP, "n_rank": 1023}),
        Work("up-first", "tensor_on_rank", {**_UP, "n_rank": 0}),
        Derive("counters-derive", "step_counters"),
        Work("counters", "step_counters", {"n_T": 291, "b_step": "4 B"}),
        Say(
            "allocated-read",
            "Of this one matrix the last rank holds no row and still allocates [[up-last]], where the first has [[up-first]]: half as much. The [[counters.n_T]] tensors of the model add "
            "[[counters|B]] of counters on each rank: next to nothing, but a count that claims to be exact has to name it.",
        ),
        Say(
            "edge-why",
            "### The edge: more ranks than rows\n\nA shard has at least one row. Beyond as many ranks as a tensor has rows, adding ranks adds empty ones.",
        ),
        Work("edge-empty", "empty_ranks", {**_HIDDEN, "N": 6144}),
        Work("edge-chunk", "shard_rows", {**_HIDDEN, "N": 6144}),
        Say(
            "edge-read",
            "On [[edge-empty.N]] ranks a matrix of [[edge-empty.d_0]] rows leaves [[edge-empty]] of them empty, and the fullest holds [[edge-chunk]] row, as it does on as many ranks as there are rows. "
            "Memory does not fall as $1/N$ for ever, and long before this end collectives of single rows have become all latency.",
        ),
        Ask(
            "ask-five",
            "A tensor of [[five.d_0]] rows is sharded over [[five.N]] ranks. How many rows does a shard have, and how many of them are real on the last rank?",
            "A shard has [[five]] rows, and the last rank holds [[five-last]]: the other [[five-padding]] are padding.",
        ),
        Fact("five", "shard_rows", {"d_0": 96, "N": 5}),
        Fact("five-last", "rows_of_rank", {"d_0": 96, "N": 5, "n_rank": 4}),
        Fact("five-padding", "padding_rows", {"d_0": 96, "N": 5}),
        Ask(
            "ask-words",
            "Vocabularies are often padded to a multiple of a power of two. What would [[round.d_0]] words instead of [[words-last.d_0]] change on [[@N]] ranks?",
            "A shard of the embedding has [[round]] rows either way, but no rank is empty any more: [[round-empty]] instead of [[words-empty]]. The last ranks work on real rows, and nobody carries more than before.",
        ),
        Fact("round", "shard_rows", {"d_0": 32768}),
        Fact("round-empty", "empty_ranks", {"d_0": 32768}),
        Fact("words-empty", "empty_ranks", _WORDS),
        Ask(
            "ask-even",
            "Does any of this happen to the same model on [[small.N]] ranks?",
            "No. All its rows divide by [[small.N]], so every rank holds the same [[small]], an $N$-th of the whole. The formulas of earlier lessons say so under their breath: *where no shard is padded*.",
        ),
        Fact("small", "model_on_rank", {"N": 64, "n_rank": 63}),
        YourNumbers(
            "yours",
            'print(work("M", "rows_of_rank", d_0=28672, N=3000, n_rank=2866))\n'
            'print(work("M", "empty_ranks", d_0=128256, N=1000))\n'
            'for rank in (0, 372, 373):  # of 384\n'
            '    print(work("M", "model_on_rank", N=384, n_rank=rank).shown())',
        ),
    ),
)
