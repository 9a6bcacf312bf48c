"""What lessons say in words, "exactly", "slower", "fits", is so of the numbers they work."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import Expr, Rational, oo

from fsdp_sym.algebra.units import Amount
from fsdp_sym.algebra.vocabulary import symbol_named
from fsdp_sym.evidence.form import Record
from fsdp_sym.reasoning.account import Step, account
from fsdp_sym.reasoning.evidence import predicted, records, records_in
from fsdp_sym.reasoning.planner.job import Job
from fsdp_sym.reasoning.planner.layouts import Layout
from fsdp_sym.reasoning.planner.parts import memory_of, time_of
from fsdp_sym.reasoning.planner.plan import layouts_of
from fsdp_sym.reasoning.planner.told import NOMINAL_ERROR
from fsdp_sym.scenarios.shapes import SHAPES
from fsdp_sym.teaching.lessons import LESSONS
from fsdp_sym.teaching.lessons.blocks import Ask, Fact, Forecast, Reveal, Say
from fsdp_sym.teaching.lessons.words import worked

LESSON_OF = {lesson.cell: lesson for lesson in LESSONS.values() if lesson.cell}


class Values:
    """The works of a lesson by slug, and what they took."""

    def __init__(self, cell: str) -> None:
        self.lesson = LESSON_OF[cell]

    def __getitem__(self, slug: str) -> Expr | bool:
        value = worked(self.lesson, self.lesson.works[slug]).value
        return value.value if isinstance(value, Amount) else value

    def took(self, slug: str, letter: str) -> Expr:
        return next(a.value for s, a in worked(self.lesson, self.lesson.works[slug]).values.items() if s.name == letter)


def by_rank(model: str, ranks: int, rank: int) -> int:
    """What a run found on a rank."""
    return records()[f"{model}-{ranks}-ranks" + (f"-rank-{rank}" if rank else "")].value


def over(record: Record) -> Fraction:
    """How far the prediction is above what was found, as a share of that."""
    return Fraction(int(predicted(record).value), record.value) - 1


JOB = Job(SHAPES["Llama-3-405B"], tokens=8192, world=8192, step_tokens=2**24)
PUBLISHED = Layout(1, 64, 1, 8, 16, "ZeRO-1", "gate", 1, 1)
DEEP = Layout(1, 8, 4, 8, 32, "ZeRO-1", "none", 1, 1)
FSDP = Layout(1, 1024, 1, 8, 1, "FSDP", "full", 2, 1)


def lost(one: Layout, other: Layout) -> dict[str, Rational]:
    """How much longer each part takes under one layout than under the other."""
    mine, theirs = time_of(JOB, one).parts, time_of(JOB, other).parts
    return {name: mine[name] - theirs[name] for name in mine}


def most(parts: dict[str, Rational]) -> str:
    return max(parts, key=lambda name: parts[name])


def most_exposed(values: Values) -> bool:
    """Whether no other stage of the published layout waits longer than the first."""
    return values["exposed"] == time_of(JOB, PUBLISHED).parts["exposed gathers and reductions"]


# cell, the paragraph that says it, the words that say it, and what they mean.
CLAIMS = [
    ("A", "convention-matters", "half as large again", lambda v: v["eight-byte"] == v["per-parameter"] * 3 / 2),
    ("A", "edge", "keeping everything", lambda v: v["alone"] == v["full"]),
    ("A", "question", "Does it fit on one", lambda v: not v["full-fits"] and v["shard-fits"]),
    ("A", "shard-why", "deals every buffer out", lambda v: v["full"] == v.took("sharded", "N") * v["sharded"]),
    ("A", "fewest-why", "how many GPUs", lambda v: (v["fewest"] - 1) * v.took("shard-fits", "M_max") < v["full"] <= v["fewest"] * v.took("shard-fits", "M_max")),
    ("A", "more-read", "saves every rank [[more-2]]; from [[more-8.N]] ranks on, one more saves [[more-8]]", lambda v: v["more-8"] < v["more-2"] and v.took("more-2", "N") == 1),
    ("A", "ask-half", "[[four]] with [[four.N]] ranks and [[sixteen]] with [[sixteen.N]]: it is four *times* as much", lambda v: v["four"] == 4 * v["sixteen"]),
    ("A", "ask-sgd", "Adam doubles", lambda v: v["per-parameter"] == 2 * v["sgd"]),
    ("A", "ask-gib", "the larger one", lambda v: v.took("gib", "M_max") > v.took("shard-fits", "M_max") and v["gib"] == v["shard-fits"]),
    ("B", "equal", "[[per-parameter]] here and [[per-parameter-fp32]] in fp32: neither more nor less", lambda v: v["per-parameter"] == v["per-parameter-fp32"]),
    ("B", "shard-why", "Sharded over", lambda v: v["full"] == v.took("sharded", "N") * v["sharded"]),
    ("B", "by-eight", "[[sharded-8.N]] ranks hold [[sharded-8]] each. Cut each of those shards into [[sharded-8.N]] again and you have [[sharded.N]] ranks with [[sharded]] each", lambda v: v["sharded-8"] == v.took("sharded-8", "N") * v["sharded"]),
    ("B", "ask-forgot", "would hold [[no-master-sharded]] instead of [[sharded]]: a quarter of the state is missing", lambda v: v["no-master-sharded"] == v["sharded"] * 3 / 4),
    ("B", "ask-forgot", "The master copy", lambda v: v["no-master"] == v["per-parameter"] - v.took("per-parameter", "b_c")),
    ("B", "ask-pure", "half", lambda v: 2 * v["pure"] == v["per-parameter"]),
    ("B", "ask-keep", "also keep an fp32 copy", lambda v: v["fp32-gradient"] == v["per-parameter"] + 4),
    ("C", "rounding", "rounded too early", lambda v: v["rounded-first"] != v["all-layers"] and v["rounded-first"] == v.took("rounded-first", "c") * v.took("all-layers", "L")),
    ("C", "tensor-why", "Count the numbers, then the bytes", lambda v: v["tensor"] == v["elements"] * v.took("tensor", "b_a")),
    ("C", "state-read", "At [[per-parameter]] a rank's share is [[mean]]; with fp32 moments, at [[per-parameter-fp32]], it would be [[mean-fp32]]", lambda v: v["mean"] / v["mean-fp32"] == v["per-parameter"] / v["per-parameter-fp32"] > 1),
    ("C", "state-read", "each rank holds [[padded|B]] instead of [[mean|B]]", lambda v: v["padded"] > v["mean"] > v["mean-fp32"]),
    ("C", "ratio-read", "a GPU holds [[held|GB|4]], and with any number of ranks it never gets below the [[held-endless|GB|4]]", lambda v: v["held"] > v["held-endless"] == v["all-layers"]),
    ("C", "ratio-read", "times the state", lambda v: v["ratio"] == v["all-layers"] / v["mean"]),
    ("C", "checkpoint-why", "Two things are then in memory", lambda v: v["kept-8"] < v["peak-8"] == v["kept-8"] + v.took("peak-8", "k") * v["tensor"]),
    ("C", "cross-read", "equal at [[cross||4]] ranks, which is no whole number: with [[ratio-below.N]] ranks the ratio is still [[ratio-below||3]], with [[ratio-above.N]] it is [[ratio-above||4]]", lambda v: not v["cross"].is_integer and v["ratio-below"] < 1 < v["ratio-above"]),
    ("C", "cross-read", "no whole number", lambda v: v.took("ratio-above", "N") == v.took("ratio-below", "N") + 1),
    ("C", "global-read", "has cancelled", lambda v: v["global-ratio"] == v["global-ratio-double"] and v["global"] == 2 * v["global-double"]),
    ("C", "best-read", "the checkpoints alone are [[kept-sqrt|GB|4]], [[cut-kept||2]] times smaller than all activations", lambda v: v["peak-sqrt"] == 2 * v["kept-sqrt"] and v["cut-kept"] == 2 * v["cut-peak"]),
    ("C", "best-why", "that is at", lambda v: v["sqrt"] ** 2 == v.took("all-layers", "L")),
    ("C", "whole-read", "both cut by", lambda v: v["cut-8"] == v["cut-12"] and v["tensors-8"] == v["tensors-12"] > v["tensors-9"]),
    ("C", "whole-read", "where all layers would be", lambda v: v["all-bytes"] == v.took("all-layers", "L")),
    ("C", "real-read", "$k$ = [[real-1.k]] wins: [[real-1|GB|3]], against [[real-2|GB|3]] at $k$ = [[real-2.k]]", lambda v: v["real-1"] < v["real-2"] < v["real-8"] and v["block"] > v["tensor"]),
    ("C", "real-read", "cuts the activations by", lambda v: v["real-cut"] == v.took("all-layers", "L") * v["block"] / v["real-1"]),
    ("C", "real-read", "of the whole ones", lambda v: 0 < v["k-real"] < 2 and v.took("real-1", "k") == 1),
    ("C", "ask-double", "falls from [[mean|GB|3]] to [[mean-double|GB|3]], the activations stay at [[all-layers|GB|3]], and the ratio doubles from [[ratio||3]] to [[ratio-double||3]]", lambda v: v["ratio-double"] == 2 * v["ratio"] and v["mean"] == 2 * v["mean-double"]),
    ("C", "ask-batch", "Half: [[half|GB|3]]. The crossing moves out to twice as many ranks, from [[cross||4]] to [[cross-half||4]]", lambda v: v["cross-half"] == 2 * v["cross"] and v["all-layers"] == 2 * v["half"]),
    ("C", "ask-backward", "[[overhead-equal|%]] instead of [[overhead|%|2]]", lambda v: v["overhead-equal"] > v["overhead"] == Fraction(1, 3)),
    ("D", "gather-read", "With [[gather-4.N]] ranks each receives [[gather-4]], with [[gather-64.N]] it is [[gather-64]]. More ranks means *more* bytes", lambda v: v["gather-4"] < v["gather-64"] < v["gather-limit"]),
    ("D", "limit-why", "receives the whole tensor", lambda v: v["gather-limit"] == v.took("gather-4", "S")),
    ("D", "limit-read", "has small print", lambda v: v["padded"] > v.took("padded", "S")),
    ("D", "limit-why", "keep growing is the number of ring steps", lambda v: all(v[s] == v.took(s, "N") - 1 for s in ("steps-4", "steps-64"))),
    ("D", "scatter-why", "the same number of steps of the same size", lambda v: v["scatter-64"] == v["gather-64"]),
    ("D", "ratio-read", "moves exactly the bytes of plain data parallel (a ratio of [[ratio-kept]])", lambda v: v["ratio-kept"] == 1 and v.took("ratio-kept", "r") == 0),
    ("D", "ratio-read", "moves [[ratio-again]] times as many", lambda v: v["ratio-again"] == Fraction(3, 2) and v["layer-again"] == v["layer-kept"] * 3 / 2),
    ("D", "ask-alone", "the fraction is zero", lambda v: v["alone"] == 0),
    ("D", "ask-double", "From [[gather-4]] to [[gather-8]].", lambda v: v.took("gather-8", "N") == 2 * v.took("gather-4", "N") and v["gather-8"] > v["gather-4"]),
    ("E", "eight-byte", "fp32 is half of it", lambda v: v["fp32-total"] < v["per-parameter"] and v.took("per-parameter", "b_m") == 2 * v.took("fp32-total", "b_m")),
    ("E", "eight-byte", "fits the", lambda v: v["full-fits"] is True),
    ("E", "eight-byte", "Even with the wide moments", lambda v: v["full"] == v.took("full-fits", "P") * v["per-parameter"] < v.took("full-fits", "M_max")),
    ("E", "rule-read", "is above the", lambda v: v["hurts"] is True and v["hides"] is True and v["ratio"] > v.took("hurts", "rho_max")),
    ("E", "overlap-read", "[[need.sigma_goal]] needs an overlap of [[need]]; the band from [[need-15.sigma_goal]] to [[need-20.sigma_goal]] that is often quoted for fast links needs [[need-15]] and [[need-20]]. About half", lambda v: v["need-20"] < v["need"] < v["need-15"] and abs(v["need"] - Fraction(1, 2)) < Fraction(1, 10)),
    ("E", "overlap-read", "far below the worst case", lambda v: v["half"] < v["worst-slowdown"] == v["worst-step"] / v.took("hurts", "T_comp") - 1),
    ("E", "overlap-why", "only the rest is exposed", lambda v: v["exposed"] == (1 - v["need"]) * v.took("hurts", "T_comm")),
    ("E", "against-what", "communicates too", lambda v: 0 < v["dp"] < v.took("hurts", "T_comm") == v["dp"] * 3 / 2),
    ("E", "decision", "FSDP takes [[fsdp-step]] and plain data parallel [[dp-step]]", lambda v: v["dp-step"] < v["fsdp-step"] and v["full-fits"] is True),
    ("E", "decision", "FSDP is [[dp-slow]] slower, not [[worst-slowdown]]", lambda v: v["dp-slow"] == v["fsdp-step"] / v["dp-step"] - 1 and v["dp-slow"] < v["worst-slowdown"]),
    ("E", "ask-inverted", "well above", lambda v: 1 / v["ratio"] > 2 * v.took("hurts", "rho_max")),
    ("E", "ask-kept", "the same bytes", lambda v: v["kept"] == 0 and v.took("kept", "r") == 0),
    ("F", "slip-read", "in the hopeful direction", lambda v: v["whole"] == v["slip"] * v.took("bandwidth", "n_bit")),
    ("F", "limit-read", "[[gather]] with [[gather.N]] ranks, and [[limit]] as the bound", lambda v: v["gather"] < v["whole"] == v["limit"] and v["alone"] == 0),
    ("F", "compare-read", "busy [[ratio]] times as long as the GPU. Without overlap the layer takes [[step]]; with perfect overlap it still takes [[step-best]]. Prefetching cannot hide", lambda v: v["hides"] is False and v["ratio"] > 1 and v["step-best"] == v["gather"] < v["step"]),
    ("F", "hide-read", "it takes [[infiniband]] (can that hide? [[infiniband-hides]]). NVLink inside a node, at [[nvlink.R_bit]] one way, takes [[nvlink|ms|3]] (can that hide? [[nvlink-hides]])", lambda v: v["infiniband-hides"] is False and v["nvlink-hides"] is True and v["hide"] < v["hide-limit"]),
    ("F", "hide-read", "not quite there", lambda v: v["infiniband"] > v.took("hides", "T_comp") > v["nvlink"]),
    ("F", "ask-faster", "[[faster]] instead of [[gather]]", lambda v: v["faster-hides"] is False and v["faster-ratio"] > 1 and v["faster"] < v["gather"]),
    ("F", "ask-faster", "falls by as much as the rate rises", lambda v: v["gather"] / v["faster"] == v.took("faster", "R_bit") / v.took("gather", "R_bit")),
    ("F", "ask-ranks", "No, slower: [[more]] instead of [[gather]]", lambda v: v["more"] > v["gather"] and v.took("more", "N") > v.took("gather", "N")),
    ("F", "ask-step", "Three collectives", lambda v: v["step-time"] == 3 * v["gather"]),
    ("F", "ask-step", "which take", lambda v: v["step-bytes"] == v["step-time"] * v["bandwidth"]),
    ("G", "pick-read", "[[stage-1]] and [[stage-2]] are above the [[@M_max]], the second of them only just; [[stage-3]] is below", lambda v: v["stage-1"] > v["stage-2"] > v.took("pick", "M_max") >= v["stage-3"] and v["pick"] == 3),
    ("G", "parts", "Split the bytes of a parameter", lambda v: [v[f"stage-{z}"] / v[f"stage-{z}-each"] for z in (1, 2, 3)] == [v.took("pick", "P")] * 3),
    ("G", "pick-read", "only just", lambda v: v["stage-2"] < v.took("pick", "M_max") * Fraction(6, 5)),
    ("G", "limit-read", "the first stage never saves more than [[saving-1]] times and the second never more than [[saving-2]] times", lambda v: (v["saving-1"], v["saving-2"]) == (v["stage-0"] / v.took("stage-0", "P") / v["floor-1"], v["stage-0"] / v.took("stage-0", "P") / v["floor-2"])),
    ("G", "limit-why", "the first two stages have a floor", lambda v: v["floor-1"] > v["floor-2"] > v["floor-3"] == 0),
    ("G", "traffic-read", "the first two stages move [[traffic-2]]; the third moves [[traffic-3]], [[traffic-3-ratio]] times as much", lambda v: v["traffic-2"] == v["traffic-dp"] and v["traffic-2-ratio"] == 1),
    ("G", "traffic-read", "times as much", lambda v: v["traffic-3"] == v["traffic-3-ratio"] * v["traffic-dp"] and v["traffic-more"] is True),
    ("G", "traffic-read", "can be worse than the paper", lambda v: v["traffic-broadcast"] > v["traffic-2"]),
    ("G", "ask-sixteen", "the second stage holds [[double-2]], and the first still [[double-1]]", lambda v: v.took("double", "N") == 2 * v.took("pick", "N") and v["double-2"] <= v.took("pick", "M_max") < v["double-1"]),
    ("H", "data-read", "none left over", lambda v: v["world"] == v["data"] * v["replica"] == v.took("data", "G")),
    ("H", "node-read", "Fits in a node: [[fits]] for groups of [[fits.N_t]], and [[fits-3]] for groups of [[fits-3.N_t]]. Uses the node up: [[tiles]] for the former, [[tiles-3]] for the latter", lambda v: v["fits"] is v["tiles"] is v["fits-3"] is True and v["tiles-3"] is False),
    ("H", "shard-read", "[[steps]] steps of an all-gather instead of [[steps-world]]", lambda v: v["shard"] == v["data"] and v["steps"] < v["steps-world"]),
    ("H", "splits-read", "Of [[splits]] ordered splits, [[splits-node]] keep the tensor group inside", lambda v: v["splits-node"] < v["splits"]),
    ("H", "edge-read", "[[short.N_d]] replicas use [[short]] GPUs and leave the rest idle; [[over.N_d]] would need [[over]]", lambda v: v["short"] < v.took("data", "G") < v["over"] and v.took("over", "N_d") == v.took("short", "N_d") + 1),
    ("H", "ask-node", "One node", lambda v: v.took("left", "N_d") == v["data"] - 1 and v["replica"] > 8),
    ("H", "ask-state", "in both", lambda v: v["whole-state"] == v["slice-state"] and v.took("slice", "P") == v.took("whole-state", "P")),
    ("H", "ask-tensor", "span two nodes", lambda v: v["wide"] is False and v.took("wide", "N_t") == 2 * v.took("fits", "n_node")),
    ("H", "ask-tensor", "would allow it", lambda v: v["wide-data"].is_integer and 2 * v["wide-data"] == v["data"]),
    ("I", "parts-read", "[[zero]] in the ZeRO paper and [[fsdp2]] under FSDP2: one sum, from different parts", lambda v: v["zero"] == v["fsdp2"] and v.took("zero", "b_w") != v.took("fsdp2", "b_w") and v.took("fsdp2", "b_c") == 0),
    ("I", "parts-read", "where the paper has", lambda v: v["megatron"] - v["zero"] == v.took("megatron", "b_g") - v.took("zero", "b_g") > 0),
    ("I", "parts-read", "the computed gradient of [[both.b_g]] is kept beside the [[both.b_x]] of the sum", lambda v: v["both"] - v["zero"] == v.took("both", "b_x") == 2 * v.took("both", "b_g")),
    ("I", "forecast", "first over [[@N]] ranks", lambda v: v["megatron-8"] > v["floor-megatron"] == v.took("megatron-8", "P") * 6),
    ("I", "floors-read", "[[floor-megatron]] of parameters with fp32 gradients in Megatron, [[floor-1]] of parameters and gradients under ZeRO-1, [[floor-2]] of parameters under ZeRO-2, and [[floor-3]] under ZeRO-3", lambda v: [v[f] / v.took("megatron-8", "P") for f in ("floor-megatron", "floor-1", "floor-2", "floor-3")] == [6, 4, 2, 0]),
    ("I", "edge-read", "[[all-divided]] where a rank really holds [[megatron-8]]: more than three times too little", lambda v: v["megatron-8"] > 3 * v["all-divided"]),
    ("I", "edge-read", "differ by an eighth", lambda v: v["megatron"] / v["zero"] == Fraction(9, 8) == v["all-divided"] / v["paper-divided"]),
    ("I", "ask-hybrid", "[[hybrid]] instead of [[full]], four times as much", lambda v: v["hybrid"] == 4 * v["full"] and v.took("full", "N") == 4 * v.took("hybrid", "N")),
    ("I", "ask-ambiguous", "one number has both explanations", lambda v: v["shard"] == v["copy"] and v.took("shard", "b_buf") == 2 * v.took("copy", "b_buf")),
    ("I", "ask-frozen", "stays whole, [[frozen-2]] on every GPU; only the third stage divides it, to [[frozen-3]]", lambda v: v["frozen-2"] == v.took("frozen-2", "N") * v["frozen-3"]),
    ("M", "own-read", "Rank [[own-61.n_rank]] holds [[own-61]] rows, rank [[own-62.n_rank]] the last [[own-62]], and rank [[own-63.n_rank]] has [[own-63]]", lambda v: v["own-61"] == v["chunk"] > v["own-62"] > v["own-63"] == 0 and [v.took(f"own-{n}", "n_rank") for n in (61, 62, 63)] == [61, 62, 63]),
    ("M", "own-read", "[[padding]] rows of padding", lambda v: v["padding"] == v["chunk"] - v["own-62"] + v["empty"] * v["chunk"] and v["empty"] == 1),
    ("M", "model-why", "three numbers of rows", lambda v: [v.took(f"{kind}-last", "d_0") for kind in ("words", "wide", "hidden")] == [v.took("small", x) for x in ("v", "f", "d")]),
    ("M", "model-why", "the last one is [[words-last.n_rank]]", lambda v: {v.took(f"{kind}-last", "n_rank") for kind in ("words", "wide", "hidden")} == {v.took("even", "N") - 1}),
    ("M", "model-read", "The last rank holds [[last]], the first [[first]]. An even share would be [[even|MB]]", lambda v: v["last"] < v["even"] < v["first"] < v["even"] * Fraction(102, 100)),
    ("M", "model-read", "about half", lambda v: abs(v["last"] / v["first"] - Fraction(1, 2)) < Fraction(3, 100)),
    ("M", "model-read", "because embedding, head, gate and way up have run out of rows", lambda v: v["words-last"] == v["wide-last"] == 0 < v["hidden-last"] == v["hidden-first"] and 0 < v["wide-first"] < v["words-first"]),
    ("M", "collective-read", "[[padded|MB|4]] travel where the matrix has [[unpadded|MB|4]]", lambda v: v["padded"] > v["unpadded"] == v.took("padded", "d_0") * v.took("padded", "n_rest") * 2),
    ("M", "collective-read", "rows of padding go round", lambda v: v["padded"] - v["unpadded"] == v["wide-padding"] * v.took("padded", "n_rest") * v.took("padded", "b_e") and v["wide-empty"] > 0),
    ("M", "allocated-read", "still allocates [[up-last]], where the first has [[up-first]]: half as much", lambda v: v["up-first"] == 2 * v["up-last"] and v.took("up-last", "n_rank") == v.took("even", "N") - 1 and v.took("up-first", "n_rank") == 0),
    ("M", "allocated-read", "The [[counters.n_T]] tensors", lambda v: v["counters"] == 4 * v.took("counters", "n_T") == 4 * SHAPES["Llama-2-7B"].tensor_count),
    ("M", "edge-read", "leaves [[edge-empty]] of them empty, and the fullest holds [[edge-chunk]] row", lambda v: v["edge-empty"] == v.took("edge-empty", "N") - v.took("edge-empty", "d_0") and v["edge-chunk"] == 1),
    ("M", "ask-five", "[[five]] rows, and the last rank holds [[five-last]]: the other [[five-padding]]", lambda v: v["five"] == v["five-last"] + v["five-padding"] and v.took("five-last", "n_rank") == v.took("five", "N") - 1),
    ("M", "ask-words", "no rank is empty any more: [[round-empty]] instead of [[words-empty]]", lambda v: v["round-empty"] == 0 < v["words-empty"] and v["round"] == v["words-first"]),
    ("M", "ask-even", "an $N$-th of the whole", lambda v: v["small"] * v.took("small", "N") == v["even"] * v.took("even", "N") and v.took("small", "n_rank") == v.took("small", "N") - 1),
    ("J", "count-read", "[[gathers]]: two for each block and one for the root group", lambda v: v["gathers"] == 2 * v.took("gathers", "L") + 1),
    ("J", "count-read", "Told to free that too, a step issues [[gathers-root]]; told to keep everything, [[gathers-kept]]. The reduce-scatters are [[scatters]]", lambda v: v["gathers-root"] == v["gathers"] + 1 and v["gathers-kept"] == v["scatters"] == v.took("gathers", "L") + 1),
    ("J", "micro-read", "everything repeats: [[gathers-4]] gathers and [[scatters-4]] reductions", lambda v: (v["gathers-4"], v["scatters-4"]) == (4 * v["gathers"], 4 * v["scatters"])),
    ("J", "micro-read", "the reductions are [[deferred]]", lambda v: v["deferred"] == v["scatters"]),
    ("J", "micro-read", "[[held]] gathers", lambda v: v["held"] == 5 * v.took("held", "L") + 1 < v["gathers-4"]),
    ("J", "bytes-read", "eight bytes a parameter, six where parameters are kept, each times $\\frac{N-1}{N}$: [[step-root|GB|4]] and [[step-kept|GB|4]]", lambda v: [v[x] / SHAPES["Llama-2-7B"].parameters for x in ("step-root", "step-kept")] == [8 * Fraction(7, 8), 6 * Fraction(7, 8)]),
    ("J", "bytes-read", "With the root group spared its second gather it is [[step|GB|4]]", lambda v: v["step"] == v["gathered"] + v["reduced"] < v["step-root"] and v["step-root"] - v["step"] == v.took("step", "S_root") * Fraction(7, 8)),
    ("J", "bytes-read", "[[plain|GB|4]], as much as FSDP2 that frees everything", lambda v: v["plain"] == v["step-root"] and v.took("plain", "S") == v.took("step", "S_g")),
    ("J", "vary-read", "[[replicas|GB|4]] more", lambda v: v["replicas"] == 2 * Fraction(3, 4) * v.took("replicas", "S_g") / 8),
    ("J", "vary-read", "from [[all-ranks|GB|4]] to [[small-group|GB|4]]: hardly less, but a third of it", lambda v: v["small-group"] < v["all-ranks"] < v["small-group"] * Fraction(105, 100) and abs(v.took("small-group", "S_blk") * Fraction(7, 8) / v["small-group"] - Fraction(1, 3)) < Fraction(1, 20) and v.took("all-ranks", "S_g") == v.took("small-group", "S_blk") + v.took("small-group", "S_root")),
    ("J", "vary-read", "which leaves [[frozen]]", lambda v: v["frozen"] == v["scatters"] - 1),
    ("J", "vary-read", "one number a tensor, [[clip|B]]", lambda v: v["clip"] < 10**4 and v.took("clip", "n_T") == SHAPES["Llama-2-7B"].tensor_count),
    ("J", "edge-why", "The bytes vanish", lambda v: v["alone"] == 0),
    ("J", "ask-last", "sparing it leaves [[gathered|GB|4]] of gathers, sparing a block [[block-spared|GB|4]]", lambda v: v["gathered"] < v["block-spared"] and v.took("block-spared", "S_root") == v.took("gathered", "S_blk") / 32 < v.took("gathered", "S_root") and 2 * (v.took("gathered", "S_blk") + v.took("gathered", "S_root")) == 2 * (v.took("block-spared", "S_blk") + v.took("block-spared", "S_root"))),
    ("J", "ask-fp32", "half as much again as [[plain|GB|4]], but for the root group's second gather", lambda v: v["fp32"] + v.took("fp32", "S_root") * Fraction(7, 8) == v["plain"] * Fraction(3, 2)),
    ("L", "rule-why", "one hidden tensor", lambda v: v["hidden"] == 2 * 2048 * 12288),
    ("L", "saved-read", "[[saved|B]], while the well-known formula of the paper gives [[paper|B]]. They differ by the statistics", lambda v: v["saved"] - v["paper"] == 2 * 2 * 2048 * v.took("saved", "b_n") and v["saved"] == v["norms"] + v["attention"] + v["mlp"]),
    ("L", "saved-read", "the scores are [[scores|GB|4]], more than two thirds", lambda v: Fraction(2, 3) < v["scores"] / v["saved"] < Fraction(3, 4)),
    ("L", "without-read", "[[dry|GB|4]]", lambda v: v["hidden"] < v["fused"] < v["selective"] < v["dry"] < v["saved"] < v["wide-masks"]),
    ("L", "without-read", "the softmax is kept once instead of twice", lambda v: v["saved"] - v["dry"] == v.took("saved", "a") * 2048**2 * (2 + 1) + 2 * 2048 * 12288),
    ("L", "without-read", "The square of the sequence is gone", lambda v: v["selective"] == v["saved"] - v["scores"]),
    ("L", "square-read", "With [[short-scores.s]] tokens the scores take [[short-scores|MB|4]] and all the rest [[short-rest|MB|4]]; with [[scores.s]] they were more than twice the rest", lambda v: v["short-scores"] < v["short-rest"] and v["scores"] > 2 * v["selective"]),
    ("L", "square-read", "a quarter of the rest and a sixteenth of the scores", lambda v: (16 * v["short-scores"], 4 * v["short-rest"]) == (v["scores"], v["selective"]) and 4 * v.took("short-scores", "s") == v.took("scores", "s")),
    ("L", "gated-read", "with as many as there are queries it would be [[llama-alike|MB|4]]. Grouped queries hardly matter", lambda v: v["llama"] < v["llama-alike"] < v["llama"] * Fraction(110, 100) and v.took("llama-alike", "a_kv") == v.took("llama", "a")),
    ("L", "gated-read", "A kernel that makes gate and product again keeps [[llama-two|MB|4]]", lambda v: v["llama-two"] < v["llama"] * Fraction(7, 10) and v["llama-spelled"] > v["llama"] * Fraction(125, 100)),
    ("L", "gated-why", "a layer of Llama-3-8B", lambda v: all(v.took("llama", x) == SHAPES["Llama-3-8B"].letters()[symbol_named(x)] for x in ("d", "f", "a", "a_kv", "d_h"))),
    ("L", "parallel-read", "[[tp]], [[sp]] and [[sp-kept]]", lambda v: [v[x] / 2**20 for x in ("tp", "sp", "sp-kept")] == [552, 342, 342 + 4 * 24 * Fraction(7, 8)] and v["sp"] * 8 == v["paper"]),
    ("L", "logits-read", "[[logits|GiB|4]], of which the fp32 copy is [[logits-fp32|GiB|4]]", lambda v: 2 * v["logits"] == 3 * v["logits-fp32"] and v["logits"] > v["saved"]),
    ("L", "ask-fsdp", "less than one block keeps", lambda v: v["many"] < v["saved"]),
    ("L", "ask-model", "[[seven|GiB|3]] a block and [[seven-all|GiB|3]] in all", lambda v: v["seven-all"] == v.took("seven-all", "L") * v["seven"]),
    ("L", "ask-double", "Twice the sequences keep [[batch-two|GB|4]], twice the tokens [[length-two|GB|4]]", lambda v: v["batch-two"] == 2 * v["saved"] < v["length-two"] == 2 * v["saved"] + 2 * v["scores"]),
    ("K", "step-read", "Between steps a card holds [[state-2|GiB|4]] and stage [[pick]] fits [[@M_max]] with room to spare", lambda v: v["pick"] == 2 and v["state-2"] < v.took("pick", "M_max") * Fraction(3, 4)),
    ("K", "step-read", "with the first temporary made, it holds [[step-2-one|GiB|4]], and the next one wants another [[fp32-shard|GiB|4]]", lambda v: v["step-2-one"] + v["fp32-shard"] == v["step-2"] == 5 * v.took("pick", "P") and v["temporaries"] == 2 * v["fp32-shard"]),
    ("K", "step-read", "to within a fraction of a percent", lambda v: abs(v["step-2-one"] / 2**30 - Fraction("28.28")) < Fraction("28.28") / 200 and abs(v["fp32-shard"] / 2**30 - Fraction("3.14")) < Fraction("3.14") / 200),
    ("K", "buffers-why", "The fp16 parameters are whole", lambda v: v["weights"] + v["fp32-shard"] + v["states"] + v["temporaries"] == v["step-2"] and v["fits-2"] is False),
    ("K", "cure-read", "Stage two: [[fits-2]]. Stage three, [[step-3|GiB|4]] with the same temporaries: [[fits-3]]. And stage two with a *fused* optimizer", lambda v: v["fits-3"] is True and v["fits-fused"] is True and v["step-3"] < v["step-fused"] < v["step-2"]),
    ("K", "cure-why", "Shard the parameters as well", lambda v: v["weights"] == v.took("pick", "N") * v["weights-shard"] and v["step-fused"] == v["step-2"] - v["temporaries"]),
    ("K", "phases-read", "The backward pass is the fullest, [[backward|GiB|4]]", lambda v: v["first"] < v["step"] < v["later"] < v["backward"] == v["peak"]),
    ("K", "again-read", "the passes need [[later-again|GiB|4]] and [[backward-again|GiB|4]], and the peak, [[peak-again|GiB|4]], is the optimizer step's", lambda v: v["later-again"] < v["backward-again"] < v["peak-again"] == v["step"]),
    ("K", "ask-unit", "which makes [[unit|MiB]]", lambda v: v["unit"] == 388 * 2**20 and v.took("unit", "S") == 2 * 202383360),
    ("K", "ask-law", "[[law]] on [[law.N]] and never less than [[law-endless]]", lambda v: v["law-endless"] < v["law"] < v.took("law", "M_two")),
    ("K", "ask-loop", "[[loop|MB|4]] instead of [[fp32-shard|GB|4]]", lambda v: 20 * v["loop"] < v["fp32-shard"] and v.took("loop", "S_big") == 32000 * 4096 * 4 // 8),
    ("O", "states-read", "[[states]], not [[states-said]]. The text went from the two-byte weights to four bytes and stopped; a third", lambda v: v["states"] == 3 * v["states-said"] == 12 * v.took("states", "P")),
    ("O", "unit-read", "[[whole]] are less than [[unit.M_max]] ([[unit]]) and more than [[unit-right.M_max]]", lambda v: v["unit"] is True and v["unit-right"] is False and v.took("unit-right", "M_max") < v["whole"] < v.took("unit", "M_max")),
    ("O", "unit-read", "between the decimal and the binary giga", lambda v: 10**9 < v["whole"] / 133 < 2**30),
    ("O", "traffic-read", "a ratio of [[traffic-2]]; the third [[traffic]] times as much", lambda v: v["traffic-2"] == 1 < v["traffic"] == Fraction(3, 2) and v["more"] is True),
    ("O", "width-read", "[[width|GiB|3]] a block, not [[width-said|GiB|3]]", lambda v: v["width-said"] == 4 * v["width"]),
    ("O", "largest-read", "are [[largest]] together, and with the master copy [[largest-all]]", lambda v: v["largest-all"] - v["largest"] == 4 and v["largest"] > 8),
    ("O", "printed-read", "[[printed|GiB|4]] without its i. It is [[printed|GB|4]], and whether that fits [[printed-fits.M_max]]: [[printed-fits]]", lambda v: v["printed-fits"] is False and v["printed"] / 2**30 < v.took("printed-fits", "M_max") / 10**9 < v["printed"] / 10**9),
    ("O", "overlap-read", "[[overlap-none]] become [[overlap-full]]: half as fast again", lambda v: v["overlap-none"] / v["overlap-full"] == Fraction(3, 2)),
    ("O", "root-read", "At $k$ = [[root.k]] the peak is [[root|GB|3]], at $k$ = [[best-two.k]] it is [[best-two|GB|3]]", lambda v: v["root"] > 2 * v["best-two"] and v["best"] ** 2 < 9 and v.took("root", "k") ** 2 - v.took("root", "L") == 1),
    ("O", "twice-read", "[[once]] of parameters a GPU, not [[twice]]", lambda v: v["once"] == v["group"] * v["twice"] and v["slice"] * 8 == v.took("slice", "P") and v.took("twice", "N") == v.took("group", "G")),
    ("O", "link-read", "[[link|ms|4]], not [[link-said|ms|4]]", lambda v: v["link"] == 2 * v["link-said"]),
    ("O", "ask-bits", "It would stand as far to the left as the script", lambda v: v["bits-said"] / v["bits"] == v["twice"] / v["once"] == Fraction(1, 8)),
    ("O", "ask-hybrid", "[[hybrid]] instead of [[full]]", lambda v: v["hybrid"] == 4 * v["full"]),
    ("Q", "block-read", "the core takes [[core|TFLOP|3]] beside the matrices' [[matrices|TFLOP|3]]", lambda v: v["block"] == v["core"] + v["matrices"] and v["core"] < v["matrices"] and v["pairs"] > Fraction(1, 2) > v["pairs"] - Fraction(1, 1000)),
    ("Q", "block-read", "would double the matrices' part and make the core's four times as large", lambda v: v["core-long"] == 4 * v["core"] and v["turned"] == 2 * v["matrices"]),
    ("Q", "backward-why", "two products for each one forward", lambda v: v["back"] == 2 * v["matrices"] + v["core"] * Fraction(5, 2)),
    ("Q", "critical-read", "On however many GPUs, [[critical-limit]] tokens are enough", lambda v: v["critical"] <= v["critical-limit"]),
    ("Q", "critical-read", "the faster the GPU, the harder it is to hide behind it", lambda v: v["critical-nvlink"] < v["critical"] < v["critical-peak"]),
    ("Q", "critical-back-why", "But the link gathers the layer again *and* reduces", lambda v: v["critical-back"] > v["critical"]),
    ("Q", "critical-back-read", "it would be [[narrow]], as many as forward", lambda v: v["narrow"] == v["critical"] and v.took("narrow", "b_r") == 2),
    ("Q", "critical-back-read", "the backward pass has more to hide behind: [[recomputed]] tokens", lambda v: v["recomputed"] < v["critical-back"]),
    ("Q", "link-read", "a little too slow for [[@b]] sequence, and for two it is fast enough", lambda v: v["link-two"] < v.took("critical", "W") < v["link"] == 2 * v["link-two"]),
    ("Q", "schedule-read", "[[matrices|TFLOP|3]] forward and twice that, [[turned|TFLOP|3]], backward", lambda v: v["backward"] == 2 * v["forward"] and v["turned"] == 2 * v["matrices"]),
    ("Q", "schedule-read", "The gather takes longer than the forward pass, and cannot hide behind it", lambda v: not v["hides"] and v["gather"] > v["forward"]),
    ("Q", "schedule-read", "The first gather has nothing to hide behind", lambda v: v["pass"] == v["gather"] + 31 * max(v["gather"], v["forward"]) + v["forward"]),
    ("Q", "schedule-why", "Both take their time on the link", lambda v: v.took("gathered", "S") == v.took("critical-back", "b_e") * 218112000 and v.took("reduced", "S") == v.took("critical-back", "b_r") * 218112000 and v["gather"] == v["gathered"] / v.took("critical", "W") and v["reduction"] == v["reduced"] / v.took("critical", "W") and v["reduced"] == 2 * v["gathered"]),
    ("Q", "backward-schedule-why", "behind the last layer its reduction stands alone", lambda v: v["pass-back"] > 32 * v["backward"] + v["reduction"] and v["step"] == v["pass"] + v["pass-back"]),
    ("Q", "exposed-read", "here neither does: [[exposed|ms|3]] of the step are exposed", lambda v: v["exposed"] == v["step"] - 32 * (v["forward"] + v["backward"]) and v["gather"] > v["forward"] and v["gather"] + v["reduction"] > v["backward"]),
    ("Q", "exposed-read", "What is left are two gathers and a reduction", lambda v: v["exposed-two"] == 2 * v["gather"] + v["reduction"] and v["forward-two"] > v["gather"] and v["backward-two"] > v["gather"] + v["reduction"] and v["turned-two"] == 2 * v["turned"]),
    ("Q", "buckets-read", "Buckets of one layer would end after [[buckets-small]]", lambda v: v["buckets-small"] < v["buckets"] == Fraction(56, 1000)),
    ("Q", "mfu-read", "Whoever takes the peak with sparsity finds [[mfu-sparse|%|3]], half as much", lambda v: v["mfu"] == 2 * v["mfu-sparse"]),
    ("Q", "mfu-read", "the hardware's utilisation would be [[hfu|%|3]]", lambda v: v["hfu"] == v["mfu"] * Fraction(4, 3)),
    ("Q", "run-read", "On twice the GPUs it would take half the days and as many dollars", lambda v: v["hours"] == v["run"] * v.took("run", "G") and v["price"] == v["hours"] * Fraction(5, 2) / 3600),
    ("Q", "ask-recompute", "four passes instead of three", lambda v: 3 * v["price-again"] == 4 * v["price"]),
    ("Q", "ask-printed", "come to less by a factor of [[six||4]]", lambda v: 1 < v["six"] < Fraction(11, 10) and v["printed"] == v["printed-flops"] / (64 * 312 * 10**12 * Fraction(1375, 100))),
    ("Q", "ask-link", "[[half]], twice as many as before", lambda v: v["half"] == 2 * v["critical"]),
    ("R", "world-read", "on the way back, when their gradients go round as well", lambda v: 2 * v["context"] <= v["context-back"]),
    ("R", "time-read", "[[time]] for a step in which each stage works [[ideal]]", lambda v: v["ideal"] == v.took("time", "K_mb") * (v.took("time", "t_f") + v.took("time", "t_b")) < v["time"]),
    ("R", "total-why", "which part of your GPU hours is lost", lambda v: v["total"] == 1 - v["ideal"] / v["time"]),
    ("R", "ideal-why", "by how much the pipeline lengthens the step", lambda v: v["over-ideal"] == v["time"] / v["ideal"] - 1),
    ("R", "chunks-read", "exactly [[chunks-time.n_chk]] times less than it was", lambda v: v["chunks-ideal"] * v.took("chunks-time", "n_chk") == v["over-ideal"] == v["chunks-ideal"] * 4),
    ("R", "chunks-read", "not quite [[chunks-time.n_chk]] times less than [[total|%|4]]", lambda v: v["total"] / 4 < v["chunks-total"] < v["total"] / 3 and v["chunks-total"] == 1 - v["ideal"] / v["chunks-time"]),
    ("R", "chunks-read", "the stages must divide the micro-batches", lambda v: v.took("chunks-time", "K_mb") % v.took("chunks-time", "N_p") == 0),
    ("R", "small-read", "the first is of the total, the second of the ideal time", lambda v: v["small-ideal"] == 2 * v["small-chunks-ideal"] and v["small-chunks-total"] < v["small-chunks-ideal"] < v["small-total"] < v["small-ideal"]),
    ("R", "keep-read", "the first keeps as much as the whole model keeps of one micro-batch", lambda v: v["keep-first"] == v.took("keep-first", "A") * v.took("keep-first", "L") and v["keep-last"] * v["flight-first"] == v["keep-first"]),
    ("R", "keep-read", "Under GPipe each keeps all [[flight-gpipe]]", lambda v: v["flight-gpipe"] == v.took("time", "K_mb") and v["keep-gpipe"] == v["flight-gpipe"] * v["keep-last"] and v["flight-last"] == 1),
    ("R", "penalty-read", "[[pieces.n_chk]] of which make a stage: [[penalty|GiB|4]]", lambda v: v["penalty"] == v["pieces"] * v["keep-last"] / v.took("pieces", "n_chk") > v["keep-first"]),
    ("R", "send-read", "where the tensor group splits the sequence", lambda v: v["hand"] == v["hand-split"] * v.took("hand-split", "N_t")),
    ("R", "send-read", "and with [[sent-chunks.n_chk]] chunks", lambda v: v["sent"] == 2 * v.took("time", "K_mb") * v["hand"] and v["sent-chunks"] == v["sent"] * v.took("sent-chunks", "n_chk")),
    ("R", "layers-read", "the fullest stage has [[llama]] of them, and others have one less", lambda v: v["llama"] == v["llama-ends"] == 8 and v.took("llama", "L") == 7 + 14 * 8 + 7 and v["layers"] * 8 == v.took("layers", "L")),
    ("R", "layers-read", "it comes out even", lambda v: v["llama-ends"] * v.took("llama-ends", "N_p") == v.took("llama-ends", "L") + 2),
    ("R", "slow-read", "instead of [[quick]], though only one stage in [[@N_p]] is slower", lambda v: v["quick"] == v["time"] and v["slow"] - v["quick"] == v["ideal"] / 4),
    ("R", "world-read", "Our [[@G]] GPUs make [[data]] replicas", lambda v: v["data"] * v.took("time", "N_p") * 8 == 1024),
    ("R", "world-read", "[[llama-data]] replicas at first, and [[llama-long]] once", lambda v: v["llama-data"] == v["llama-long"] * v.took("llama-long", "N_c") and v.took("llama-data", "N_c") == 1),
    ("R", "world-read", "bring every rank [[context|MB|4]] a layer", lambda v: v["context"] == Fraction(15, 16) * 2 * 131072 * 8 * 128 * 2 and v.took("context", "N_c") == v.took("llama-long", "N_c")),
    ("R", "world-read", "each expert has [[copies]] copies", lambda v: v["copies"] * v.took("copies", "N_e") == v["data"]),
    ("R", "edge-read", "With [[few-total.K_mb]] micro-batches a GPU idles", lambda v: v.took("few-total", "K_mb") < v.took("time", "N_p") and v["few-ideal"] > 1 and v["few-total"] < 1),
    ("R", "edge-read", "one stage works and the others look on", lambda v: v["one-total"] == Fraction(7, 8)),
    ("R", "ask-double", "the stages less one have more than doubled", lambda v: v["double"] > v["total"] and v.took("double", "K_mb") == 2 * v.took("total", "K_mb") and v.took("double", "N_p") == 2 * v.took("total", "N_p")),
    ("R", "ask-five-percent", "With [[enough-less.K_mb]] it is just [[enough-less|%|4]], so from [[enough.K_mb]] on", lambda v: v["enough"] < v["enough-less"] == Fraction(1, 20)),
    ("R", "ask-chunks", "[[most.n_chk]] chunks of a single layer", lambda v: v.took("most", "n_chk") == v["layers"] and v["most"] < v["chunks-total"]),
    ("R", "ask-chunks", "[[most-sent|GB|4]] a step instead of [[sent|GB|4]]", lambda v: v["most-sent"] == v["sent"] * v["layers"]),
    ("R", "ask-chunks", "less than with fewer chunks", lambda v: v["keep-first"] < v["most-keeps"] < v["penalty"]),
    ("S", "peak-why", "it has a layer more than the first, and nearly as many micro-batches in flight", lambda v: v["live"] == v.took("peak", "n_live") == v.took("live", "N_p") - 1 and v.took("micro-first", "L_st") + 1 == v.took("micro", "L_st")),
    ("S", "peak-read", "With all that a block keeps, [[kept-all|GB|4]] of a sequence", lambda v: v["kept"] == v.took("peak", "A") < v["kept-all"] == v.took("peak-all", "A")),
    ("S", "peak-read", "and that does not fit", lambda v: v["fits-all"] is False and v["fits"] is True and v["peak"] + 4 * 10**9 < v.took("fits", "M_max") < v["peak-all"]),
    ("S", "micro-why", "a block takes these for one sequence", lambda v: v["forward"] + v["backward"] == v.took("micro", "F_seq")),
    ("S", "micro-sizes", "and forward once more where they are run again", lambda v: v.took("micro-fsdp", "F_seq") == 2 * v["forward"] + v["backward"]),
    ("S", "micro-sizes", "four times in a forward pass, and six backward", lambda v: v.took("micro", "V_hid") == (4 + 6) * v["hop"] and v.took("micro-fsdp", "V_hid") == (4 + 4 + 6) * v["hop"]),
    ("S", "micro-sizes", "written, read, and its gradient written", lambda v: all(v.took(f"micro{x}", "D_blk") == 3 * v["kept-all"] + v["kept-all"] - v.took(f"peak{x}", "A") for x in ("", "-deep", "-fsdp")) and v.took("peak-fsdp", "A") == v["hop"]),
    ("S", "fsdp-why", "embedding, head and last norm", lambda v: v.took("gather-fsdp", "P_end") == 2 * v.took("gather", "P_end") + v.took("kept", "d")),
    ("S", "fsdp-why", "an entry in bf16 and one in fp32 for each token and word", lambda v: v.took("peak-fsdp", "A_more") == (2 + 4) * 8192 * 128256 > v["kept-all"]),
    ("S", "fsdp-why", "only a quarter of the micro-batch to hide behind", lambda v: v.took("exposed-fsdp", "n_pass") == v.took("micro-fsdp", "n_pass") == 4 and v["exposed-fsdp"] == v["gather-fsdp"] - v["micro-fsdp"] / 4 + v["gather-fsdp"] + v["reduce-fsdp"] - v["micro-fsdp"] * 3 / 4 + (v["gather-fsdp"] + v["reduce-fsdp"]) / 126),
    ("S", "exposed-why", "it has a layer less to hide behind", lambda v: v["micro-first"] < v["micro"] and v.took("exposed", "T_mb") == v["micro-first"] and most_exposed(v)),
    ("S", "exposed-why", "to the other [[gather.L_st]] comes the embedding", lambda v: v.took("gather", "P_end") == 128256 * 16384 == v.took("gather-deep", "P_end")),
    ("S", "run-read", "the bubble is what costs most beside the work itself", lambda v: v["run"] - v["alone"] == 15 * v["micro"] > v["exposed"] > v["optimizer"] and v["run"] == time_of(JOB, PUBLISHED).whole),
    ("S", "run-read", "the optimizer's [[optimizer|µs|3]] are nothing", lambda v: v["optimizer"] * 10000 < v["run"] and v["reduce"] == 2 * v["gather"]),
    ("S", "chunks-why", "The bubble gets [[micro-chunks.n_chk]] times shorter", lambda v: v["run-chunks"] - v["exposed-chunks"] - v["optimizer"] == v["micro-chunks"] * (32 + (v["run"] - v["alone"]) / v["micro"] / v.took("run-chunks", "n_chk")) and v["micro-chunks-first"] < v["micro-chunks"]),
    ("S", "chunks-why", "there are two chunks fewer than on the first", lambda v: v["live-chunks"] - 2 == v.took("peak-chunks", "n_live") and v["peak-chunks"] == memory_of(JOB, PUBLISHED._replace(chunks=8)).whole),
    ("S", "deep-why", "nothing need be made again", lambda v: v.took("peak-deep", "A") == v["kept-all"] and v["peak-deep"] == memory_of(JOB, DEEP).whole < v["peak"]),
    ("S", "deep-why", "of which a rank has a part of a sequence", lambda v: v.took("run-deep", "K_mb") * v.took("gather-deep", "N_mesh") / v.took("micro-deep", "N_c") == v.took("run", "K_mb") * v.took("gather", "N_mesh") == 2048),
    ("S", "fsdp-why", "a single micro-batch, of [[micro-fsdp.b]] sequences", lambda v: v.took("run-fsdp", "K_mb") == 1 and v.took("micro-fsdp", "b") * v.took("gather-fsdp", "N_mesh") == 2048),
    ("S", "fsdp-why", "would keep too much", lambda v: v["peak-fsdp-all"] > v.took("fits", "M_max") > v["peak-fsdp"] == memory_of(JOB, FSDP).whole),
    ("S", "decision", "| [[run-chunks.N_p]] stages in chunks of a layer | [[run-chunks|s|4]]", lambda v: [v[f"run{x}"] for x in ("-chunks", "-deep", "-fsdp", "")] == sorted(time_of(JOB, x).whole for x in (PUBLISHED, PUBLISHED._replace(chunks=8), DEEP, FSDP))),
    ("S", "decision", "and still fit, by little", lambda v: v["fits-chunks"] is True and v.took("fits-chunks", "M_max") - 4 * 10**9 - v["peak-chunks"] < 2 * 10**9),
    ("S", "decision", "about a sixth longer", lambda v: Fraction(3, 20) < v["run-deep"] / v["run-chunks"] - 1 < Fraction(1, 6)),
    ("S", "decision", "weights that pass through memory", lambda v: v["optimizer-deep"] == v["optimizer"] and most(lost(DEEP, PUBLISHED._replace(chunks=8))) == "weights through memory"),
    ("S", "decision", "most of what this saves goes into blocks that are run again", lambda v: 0 < v["run"] - v["run-fsdp"] < (v["run"] - v["alone"]) / 4 and lost(FSDP, PUBLISHED)["matrix products"] > (v["run"] - v["alone"]) / 2 and v["optimizer-fsdp"] < v["optimizer"] and most(lost(FSDP, PUBLISHED)) == "matrix products" and lost(FSDP, PUBLISHED)["exposed gathers and reductions"] > 1),
    ("S", "decision", "half as many of them keep even more, [[peak-larger|GB|4]], and don't fit", lambda v: v.took("peak-larger", "n_chk") * 2 == v.took("peak-chunks", "n_chk") and v["peak-larger"] + 4 * 10**9 > v.took("fits", "M_max") and v["peak-larger"] == memory_of(JOB, PUBLISHED._replace(chunks=4)).whole),
    ("S", "decision", "free memory buys nothing", lambda v: min(v[f"peak{x}"] for x in ("", "-chunks", "-deep", "-fsdp")) == v["peak-fsdp"] and max(v[f"peak{x}"] for x in ("", "-chunks", "-deep", "-fsdp")) == v["peak-chunks"]),
    ("S", "decision", "(`fsdp-sym plan` finds none faster than the one in chunks", lambda v: layouts_of(JOB).best(1)[0].layout == PUBLISHED._replace(chunks=8) and v.took("kept", "d") == 16384),
    ("S", "decision", "the embedding and no layer, and the last one the head and no layer", lambda v: v.took("run-chunks", "N_p") * v.took("run-chunks", "n_chk") == SHAPES["Llama-3-405B"].layers + 2),
    ("S", "edge-why", "about a fifth on average, and by more than a third in the worst tenth", lambda v: 0.18 < NOMINAL_ERROR.average < 0.22 and 1 / 3 < NOMINAL_ERROR.most < 0.4),
    ("S", "edge-why", "the runner-up above is one of them", lambda v: v["run-deep"] / v["run-chunks"] - 1 < NOMINAL_ERROR.average),
    ("S", "edge-read", "Chunks come within about a seventh of that; without them a step is said to take half as long again", lambda v: Fraction(1, 8) < v["run-chunks"] / v["printed"] - 1 < Fraction(3, 20) and Fraction(9, 20) < v["run"] / v["printed"] - 1 < Fraction(11, 20)),
    ("S", "edge-read", "makes a step of [[printed|s|3]]", lambda v: v.took("printed", "n_tok") == 2048 * v.took("kept", "s") and v.took("printed", "P_all") == SHAPES["Llama-3-405B"].parameters),
    ("S", "ask-lean", "even where the activated gate and its product are made again far too much", lambda v: v["peak-fsdp-all"] - (v["kept-all"] - v["kept"]) * 126 * 2 / 8 > Fraction(13, 10) * v.took("fits", "M_max")),
    ("S", "ask-link", "[[exposed-slow|s|4]] stick out instead of [[exposed-fsdp|s|4]]", lambda v: v["gather-slow"] == 2 * v["gather-fsdp"] and v["reduce-slow"] == 2 * v["reduce-fsdp"] and v["exposed-slow"] > 7 * v["exposed-fsdp"]),
    ("S", "ask-link", "[[exposed-slow-stage|s|4]] stick out instead of [[exposed|s|4]]", lambda v: v["gather-slow-stage"] == 2 * v["gather"] and v["reduce-slow-stage"] == 2 * v["reduce"] and v["exposed-slow-stage"] - v["exposed"] < 1 < v["exposed-slow"] - v["exposed-fsdp"]),
    ("S", "ask-batch", "The bubble is as long as before", lambda v: v["run"] / 2 < v["half"] == v["run"] - 16 * v["micro"] and v.took("half", "K_mb") * 2 == v.took("run", "K_mb")),
    ("S", "ask-batch", "the smaller the batch, the more they are worth", lambda v: v["half-chunks"] / v["half"] < v["run-chunks"] / v["run"]),
    ("S", "deep-why", "the weights pass through memory all the more often", lambda v: v["micro-deep"] * v.took("run-deep", "K_mb") > v["micro"] * v.took("run", "K_mb") and v["micro-deep-first"] < v["micro-deep"] and v["exposed-deep"] > v["reduce-deep"] == 2 * v["gather-deep"]),
    ("N", "state-read", "the plain law is met to the byte, by the large model as by the small one", lambda v: [v[x] for x in ("even-8", "even", "small-8", "small-64")] == [by_rank(name, n, 0) for name in ("llama-2-70b", "llama-2-7b") for n in (8, 64)]),
    ("N", "state-read", "an even share of the large model would be [[even-1024|MB|7]], and the fullest rank holds [[fullest|MB|7]]; of the small one [[small-1024|MB|7]] and [[small-fullest|MB|7]]", lambda v: v["even-1024"] < v["fullest"] == by_rank("llama-2-70b", 1024, 0) and v["small-1024"] < v["small-fullest"] == by_rank("llama-2-7b", 1024, 0)),
    ("N", "mesh-read", "[[mesh|B]], where an even share of everything would be [[mesh-even|B]]", lambda v: v["mesh"] == records()["eighty-blocks"].value > v["mesh-even"] == Fraction(16 * (v.took("mesh", "P_split") + v.took("mesh", "P_whole")), 1024)),
    ("N", "open", "by less than a twentieth, and never below", lambda v: all(0 <= over(r) < Fraction(1, 20) for r in records_in("peaks"))),
    ("N", "open", "Forward passes and optimizer steps are met exactly", lambda v: {over(r) == 0 for r in records_in("peaks") if "backward" not in r.id} == {True}),
    ("N", "open", "a little more crosses the wire", lambda v: all(-Fraction(1, 1000) < over(r) <= 0 for r in records_in("wire"))),
    ("N", "ask-more", "about one percent more", lambda v: Fraction(1, 100) < v["small-fullest"] / v["small-1024"] - 1 < Fraction(12, 1000) and v["fullest"] / v["even-1024"] - 1 < Fraction(1, 1000)),
    ("N", "ask-more", "only the vocabulary does not", lambda v: [rows % 1024 for rows in (32000, 8192, 28672, 64 * 128, 8 * 128)] == [256, 0, 0, 0, 0]),
    ("N", "ask-traffic", "[[tp|B]] and [[tp-prepared|B]], as the table says", lambda v: [v["tp"], v["tp-prepared"]] == [records()[x].value for x in ("tp-bytes", "tp-bytes-prepared")]),
    ("P", "message-why", "an eighth of the whole", lambda v: 8 * v.took("large", "V") == v.took("reduce", "S") and v.took("reduce", "N") == 8),
    ("P", "message-read", "Of the small one's time [[small-share|%|4]] is latency, of the large one's [[large-share|%|3]]", lambda v: v["small-share"] == v.took("small", "T_lat") / v["small"] > Fraction(99, 100) and v["large-share"] == v.took("large", "T_lat") / v["large"] < Fraction(3, 100)),
    ("P", "ring-why", "An all-reduce is both rounds", lambda v: v["scatter"] + v["gather"] == v["reduce"] and v["scatter"] == v["gather"]),
    ("P", "ring-read", "A forecast near half of it has forgotten a round", lambda v: abs(v["both-ways"] - v["reduce"] / 2) < v["reduce"] / 50 and v.took("both-ways", "W") == 2 * v.took("reduce", "W")),
    ("P", "ring-read", "no link, however fast, makes that less", lambda v: 0 < v["reduce-tiny"] - 14 * v.took("reduce-tiny", "T_lat") < v["reduce-tiny"] / 1000),
    ("P", "ring-read", "Latency hardly matters here", lambda v: 14 * v.took("reduce", "T_lat") * 30 < v["reduce"]),
    ("P", "tree-read", "in the ring: the tree is faster", lambda v: v["faster-small"] is True and v["tree-small"] < v["reduce-small"]),
    ("P", "tree-read", "now the ring is", lambda v: v["faster"] is False and v["tree"] > v["reduce"]),
    ("P", "tree-read", "they cross at [[cross]]", lambda v: v.took("tree-small", "S") < v["cross"] < v.took("reduce", "S") and 2 ** v.took("cross", "e") == v.took("reduce", "N")),
    ("P", "bandwidth-read", "the links reached more than three quarters of their rate", lambda v: Fraction(3, 4) < v["bus"] / v.took("nominal", "W") < 1 and v["algorithm"] == v["bus"] * 4 / 7),
    ("P", "bandwidth-read", "a time from it the least", lambda v: v["nominal"] < v.took("bus", "T_comm")),
    ("P", "flat-why", "both nodes", lambda v: v.took("flat", "N") == 2 * v.took("flat", "n_node")),
    ("P", "levels-read", "the rings use both levels side by side", lambda v: v["flat"] < v["hier"]),
    ("P", "levels-read", "it is [[flat-one|ms|4]] against [[hier-one|ms|4]], and the hierarchy wins", lambda v: v["hier-one"] < v["flat-one"] and v.took("flat-one", "n_link") == 1),
    ("P", "levels-read", "it wins with all links, [[hier-many|ms|4]] against [[flat-many|ms|4]]", lambda v: v["hier-many"] < v["flat-many"] and v.took("hier-many", "n_link") == v.took("flat-many", "n_node")),
    ("P", "place-read", "[[ratio||3]] times as long", lambda v: v["ratio"] == v["across"] / v["gather"] and v["ratio-one"] == v["across-one"] / v["gather"]),
    ("P", "place-read", "one shard of the gradients only", lambda v: v.took("replicas", "S") * v.took("gather", "N") == v.took("gather", "S") and v["replicas"] < v["across"]),
    ("P", "bucket-read", "although the latency is shorter, more bytes pass in it", lambda v: v["bucket"] == 9 * v.took("bucket", "W") * v.took("bucket", "T_lat") < v["bucket-here"] and v.took("bucket-here", "T_lat") < v.took("bucket", "T_lat")),
    ("P", "hybrid-read", "and hybrid sharding [[hybrid|ms|4]], so it loses, if narrowly", lambda v: v["full"] < v["hybrid"] < v["full"] * Fraction(11, 10) and v["keeps"] is False),
    ("P", "hybrid-read", "it is [[full-many|ms|4]] against [[hybrid-many|ms|4]]", lambda v: v["hybrid-many"] < v["full-many"]),
    ("P", "hybrid-read", "With one link for a node hybrid sharding wins", lambda v: v["keeps-one"] is True and v.took("keeps-one", "N") == v.took("keeps", "N")),
    ("P", "wins-read", "it is ZeRO-[[wins]]", lambda v: v["wins"] in (1, 2)),
    ("P", "wins-read", "hybrid sharding wins, which the formula calls [[wins-large]]", lambda v: v["wins-large"] == 4 and v["wins-fast"] == 3 and v["wins-none"] is oo and v.took("wins-fast", "P") == v.took("wins-large", "P") and v.took("wins-fast", "N") < v.took("wins-large", "N")),
    ("P", "ask-sixteen", "the all-gather half of it", lambda v: v["sixteen"] == 2 * v["sixteen-gather"] and v["sixteen-exchange"] == v["sixteen-gather"]),
    ("P", "ask-bus", "the shards of the others twice", lambda v: v["printed"] == v["printed-algorithm"] * 7 / 4),
    ("P", "ask-doubled", "No: [[doubled|ms|4]] instead of [[flat|ms|4]]", lambda v: v["flat"] / 2 < v["doubled"] < v["flat"] and v.took("doubled", "W_net") == 2 * v.took("flat", "W_net")),
    ("P", "ask-doubled", "the slower level is another one", lambda v: v["doubled"] == 30 * (v.took("doubled", "T_lat") + 7 * v.took("doubled", "S") / (8 * 16 * v.took("doubled", "W")))),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "slug", "words", "meaning"), CLAIMS, ids=[f"{c[0]}-{c[1]}-{at}" for at, c in enumerate(CLAIMS)])
def test_the_words_are_so(cell, slug, words, meaning):
    (block,) = (block for block in LESSON_OF[cell].blocks if block.slug == slug)
    match block:
        case Say():
            said = block.text
        case Forecast():
            said = block.question
        case Ask():
            said = f"{block.question} {block.answer}"
    assert words in said, "the words have changed: does the claim still stand?"
    assert bool(meaning(Values(cell)))


# What each cell's forecast is compared with, and the formula and the given that make it the answer to its question.
ANSWERS = {
    "A": ("per-parameter", "bytes_per_parameter", {}),
    "B": ("per-parameter", "bytes_per_parameter", {}),
    "C": ("all-layers", "all_activations", {}),
    "D": ("gather-64", "all_gather", {"N": 64}),
    "E": ("worst-slowdown", "slowdown_without_overlap", {}),
    "F": ("whole", "transfer_time", {"V": 700 * 10**6, "W": 125 * 10**7}),
    "G": ("pick", "stage_for_budget", {}),
    "H": ("data", "data_degree", {}),
    "I": ("floor-megatron", "distributed_optimizer", {"N": oo}),
    "J": ("gathers", "gathers_in_step", {"K_mb": 1, "r": 1, "u_root": 0}),
    "K": ("step-2", "optimizer_step_peak", {"M_w": 2 * 6738415616, "M_g": 6738415616 // 2, "M_o": 6738415616 * 3 // 2, "M_tmp": 6738415616}),
    "L": ("saved", "saved_activations", {}),
    "N": ("even", "sharded_state", {"N": 64, "P": 68976648192}),
    "O": ("states", "buffer_shard", {"P": 6700000000, "N": 1, "b_buf": 12}),
    "P": ("reduce", "ring_all_reduce_time", {"N": 8}),
    "Q": ("critical", "critical_tokens", {"N": 64, "W": 50000000000}),
    "R": ("total", "bubble_over_total", {"N_p": 8, "K_mb": 32}),
    "S": ("run", "run_time", {"N_p": 16, "K_mb": 32, "n_chk": 1}),
    "M": ("last", "model_rows", {"n_v": 0, "n_f": 0, "n_d": 4}),
}


@pytest.mark.parametrize("cell", ANSWERS)
def test_a_forecast_is_compared_with_the_answer_to_its_question(cell):
    slug, formula, at = ANSWERS[cell]
    lesson = LESSON_OF[cell]
    assert lesson.forecast.of == slug
    assert (lesson.works[slug].formula, lesson.works[slug].cell) == (formula, None)
    assert {letter: Values(cell).took(slug, letter) for letter in at} == at
    shown = [block.slug for block in lesson.blocks[: [type(b) for b in lesson.blocks].index(Reveal)]]
    assert slug in shown
    assert not isinstance(lesson.works[slug], Fact)


@pytest.mark.parametrize(("recompute", "slugs"), [("none", ("first", "later", "backward", "step")), ("full", (None, "later-again", "backward-again", "step"))])
def test_the_phases_of_lesson_k_are_an_account_s(recompute, slugs):
    """What the lesson puts into the formulas of the phases is what the account of one rank does."""
    order = ("first forward pass", "later forward pass", "backward pass", "optimizer step")
    phases = {phase.name: phase for phase in account(SHAPES["Llama-2-7B"], 8, Step(batch=1, tokens=2048, recompute=recompute)).phases}
    values = Values("K")
    for name, slug in zip(order, slugs, strict=True):
        if slug:
            lesson = LESSON_OF["K"]
            taken = {s.name: int(a.value) for s, a in worked(lesson, lesson.works[slug]).values.items()}
            assert taken == phases[name].values
            assert values[slug] == phases[name].size
    assert phases["backward pass"].moment == f"block {31 if recompute == 'none' else 2}'s feed-forward layer is turned back"


def test_every_cell_is_held_to_its_claims():
    assert {claim[0] for claim in CLAIMS} == set(LESSON_OF) == set(ANSWERS)


def claimed_slugs(cell):
    """The works that a claim of the cell depends on."""
    met = set()

    class Watched(Values):
        def __getitem__(self, slug):
            met.add(slug)
            return super().__getitem__(slug)

        def took(self, slug, letter):
            met.add(slug)
            return super().took(slug, letter)

    for at, _, _, meaning in CLAIMS:
        if at == cell:
            meaning(Watched(cell))
    return met


@pytest.mark.parametrize("cell", LESSON_OF)
def test_every_work_is_held_to_a_claim(cell):
    """A work that no claim depends on could be another one, and no reader would see it."""
    assert set(LESSON_OF[cell].works) - claimed_slugs(cell) == set()
