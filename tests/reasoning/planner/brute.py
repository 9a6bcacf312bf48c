"""Plans by plain search: loops over every layout, one stage after the other, in Python's own numbers. It shares no code with the planner.

What a layout takes is worked out from the shape of the model and the machine's figures; the comments say what the words of a plan mean.
"""

from __future__ import annotations

from functools import cache
from math import log2
from typing import NamedTuple

BF16, FP32 = 2, 4
RECOMPUTES = ("none", "gate", "full")
SHARDINGS = (("data parallel", 0, 0), ("ZeRO-1", 1, 0), ("ZeRO-2", 2, 0), ("FSDP, parameters kept", 3, 0), ("FSDP", 3, 1))


class Machine(NamedTuple):
    node: int
    memory: float
    peak: float
    inside: float
    outside: float
    hbm: float


class Known(NamedTuple):
    gemm: float
    tensor: float
    data: float
    memory: float
    layer: float


class Model(NamedTuple):
    """A model of Llama's form, or of GPT's where it is not gated, its attention in one kernel.

    Block and matrices are a layer's without its experts; these have so many parameters each, and a token goes to the active ones.
    """

    hidden: int
    wide: int
    layers: int
    heads: int
    keys: int
    head: int
    words: int
    gated: bool
    tied: bool
    block: int
    first: int
    last: int
    matrices: int
    experts: int = 0
    active: int = 0
    expert: int = 0


def splits(world):
    for replicas in range(1, world + 1):
        for shard in range(1, world // replicas + 1):
            if world % (replicas * shard):
                continue
            for context in range(1, world // (replicas * shard) + 1):
                if world % (replicas * shard * context):
                    continue
                rest = world // (replicas * shard * context)
                for tensor in range(1, rest + 1):
                    if rest % tensor == 0:
                        yield replicas, shard, context, tensor, rest // tensor


def candidates(world, batch, experts):
    degrees = [n for n in range(1, experts + 1) if experts % n == 0] or [1]
    micros = [2**i for i in range(8) if 2**i <= batch]
    for split in splits(world):
        for sharding in SHARDINGS:
            for micro in micros:
                for chunks in range(1, 9):
                    for expert in degrees:
                        yield split, sharding, micro, chunks, expert


def cause_of(model, machine, tokens, world, batch, split, stage, micro, chunks, expert):
    """Why a layout cannot be, memory aside."""
    replicas, shard, context, tensor, pipeline = split
    rounds = batch // (replicas * shard * micro)
    if (stage == 0 and shard > 1) or (stage > 0 and shard * context == 1):
        return "sharding"
    if expert > 1 and ((shard * context) % expert or model.experts % expert):
        return "experts"
    if tensor > machine.node or (world > machine.node and machine.node % tensor):
        return "node"
    if model.heads % tensor or model.wide % tensor or (model.keys % tensor and tensor % model.keys):
        return "heads"
    if tokens % (tensor * context * (2 if context > 1 else 1)):
        return "sequence"
    if 0 in (layers_of(model, pipeline, chunks)[1:-1] if chunks > 1 else layers_of(model, pipeline, 1)):
        return "layers"
    if chunks > 1 and pipeline == 1:
        return "chunks"
    if rounds < 1:
        return "batch"
    if chunks > 1 and rounds % pipeline:
        return "rounds"
    return None


@cache
def layers_of(model, pipeline, chunks):
    """Chunk by chunk, as a layer comes to one after the other; those too many go to the last of the middle ones, then to the last."""
    each, more = divmod(model.layers, pipeline * chunks)
    found = [each] * (pipeline * chunks)
    takers = [*range(len(found) - 2, 0, -1), len(found) - 1]
    for part in takers[:more]:
        found[part] += 1
    return found


@cache
def most_in_flight(model, pipeline, chunks, stage, rounds):
    """Layers that have gone forward and not come back, each in as many micro-batches: a stage's tasks in turn, one by one."""
    own = layers_of(model, pipeline, chunks)[stage::pipeline]
    turns = [range(first, min(first + pipeline, rounds)) for first in range(0, rounds, pipeline)]
    forward = [layers for turn in turns for layers in own for _ in turn]
    back = [layers for turn in turns for layers in reversed(own) for _ in turn]
    ahead = (pipeline - 1 - stage) * (2 if chunks > 1 else 1) + (chunks - 1) * pipeline
    now = most = 0
    for task, layers in enumerate(forward):
        now += layers
        most = max(most, now)
        if task >= ahead:
            now -= back[task - ahead]
    return most


def kept(model, tokens, recompute):
    """Bytes a block keeps of one sequence, by name."""
    if recompute == "full":
        return tokens * model.hidden * BF16
    norms = 2 * (tokens * model.hidden * BF16) + (2 if model.gated else 4) * tokens * FP32
    attention = tokens * BF16 * (model.hidden + 2 * model.heads * model.head + 2 * model.keys * model.head) + model.heads * tokens * FP32
    often = {"none": 4, "gate": 2} if model.gated else {"none": 2, "gate": 1}
    if model.experts:
        # What is sent to an expert, its wide vectors, what comes back; beside them what the router was given and what it said.
        sent = sum(2 * tokens * model.hidden * BF16 + often[recompute] * tokens * model.wide * BF16 for _ in range(model.active))
        return norms + attention + sent + tokens * model.hidden * BF16 + tokens * model.experts * FP32
    return norms + attention + tokens * BF16 * (model.hidden + often[recompute] * model.wide)


@cache
def placed(size, stride, world, node):
    """Rank by rank: how many of a group's ranks are in the node where it has the fewest, and whether each group lies in one node."""
    met = {}
    for rank in range(world):
        group = (rank // (size * stride), rank % stride)
        there = met.setdefault(group, {})
        there[rank // node] = there.get(rank // node, 0) + 1
    return min(min(there.values()) for there in met.values()), all(len(there) == 1 for there in met.values())


def look(model, machine, known, tokens, world, batch, candidate, recompute):
    """Peak bytes and seconds of a layout, over all of its stages."""
    (replicas, shard, context, tensor, pipeline), (_, stage, again), micro, chunks, expert = candidate
    rounds = batch // (replicas * shard * micro)
    mesh, own = shard * context, 1 / (tensor * context)
    parts = layers_of(model, pipeline, chunks)
    layers = [sum(parts[number::pipeline]) for number in range(pipeline)]
    whole = kept(model, tokens, "none")
    held = kept(model, tokens, recompute)
    linear = 2 * tokens * (model.matrices + model.active * model.expert)
    scores = 2 * tokens * tokens * model.heads * model.head  # causal: half of 4 s² a d_h
    work = 3 * linear + 3.5 * scores + (linear + scores if recompute == "full" else 0)
    logits = 6 * tokens * model.hidden * model.words
    hidden = tokens * model.hidden * BF16

    def link(size, stride):
        fewest, alone = placed(size, stride, world, machine.node)
        return machine.inside if alone else min(machine.inside, machine.outside * fewest)

    of_mesh, of_context = link(mesh, tensor), link(context, tensor)
    of_replicas = link(replicas, tensor * mesh * pipeline)
    # Every expert rank has its experts whole; the ranks that have the same ones stand a group apart.
    copies, of_copies = mesh // expert, link(mesh // expert, tensor * expert)
    near, _ = placed(expert, tensor, world, machine.node)
    routed = model.experts // expert * model.expert / tensor if model.experts else 0
    peak = slowest = shown = optimizer = 0
    for number, count in enumerate(layers):
        first, last = number == 0, number == pipeline - 1
        end = model.first * first + model.last * last + (model.first if model.tied and last and not first else 0)
        slot = (count * model.block + end) / tensor
        share = [mesh if stage >= least else 1 for least in (3, 2, 1)]
        bytes_ = slot * (BF16 / share[0] + FP32 / share[1] + 3 * FP32 / share[2])
        own_share = [copies if stage >= least else 1 for least in (3, 2, 1)]
        bytes_ += count * routed * (BF16 / own_share[0] + FP32 / own_share[1] + 3 * FP32 / own_share[2])
        flying = most_in_flight(model, pipeline, chunks, number, rounds)
        beside = max(whole if recompute == "full" else 0, tokens * model.words * (BF16 + FP32) if last else 0)
        bytes_ += micro * own * (held * flying + beside)
        if stage == 3:
            whole_layers = min(2, count) if again else count
            bytes_ += BF16 * ((whole_layers * model.block + end) / tensor + whole_layers * routed)
        if stage >= 2:
            bytes_ += FP32 * (model.block / tensor + routed)
        peak = max(peak, bytes_)

        passes = 4 if recompute == "full" else 3
        layer = micro * own * work / (machine.peak * known.gemm) + passes * known.layer
        layer += micro * own * (4 * whole - held) / (machine.hbm * known.memory)
        layer += (model.block / tensor + routed) * ((passes - 1) * BF16 + 2 * FP32) / (machine.hbm * known.memory)
        halves = 14 if recompute == "full" else 10
        gathered = halves / 2 + halves / 2 * (model.active if expert > 1 else 1)
        layer += micro * own * gathered * hidden * (tensor - 1) / (machine.inside * known.tensor)
        beside_it = away = 0
        for other in range(1, expert):
            part = micro * own * hidden * model.active / expert
            if other < near:
                beside_it += part / (machine.inside * known.data)
            else:
                away += part / (machine.outside * known.data)
        layer += (6 if recompute == "full" else 4) * max(beside_it, away)
        keys = 6 * tokens * model.keys * model.head * BF16
        layer += micro * own * keys * (context - 1) / (of_context * known.data)
        ends = micro * own * logits / (machine.peak * known.gemm) if last else 0
        if pipeline > 1:
            _, alone = placed(pipeline, tensor * mesh, world, machine.node)
            ends += 2 * chunks * micro * own * hidden / ((machine.inside if alone else machine.outside) * known.data)
        time = count * layer + ends
        # The largest chunk sets the pace of the others, but the last one of all has the logits to do.
        own_parts = parts[number::pipeline]
        pace = sum(own_parts[-1] if last and at == chunks - 1 else max(own_parts) for at in range(chunks)) * layer + ends
        gather = slot * BF16 * (mesh - 1) / mesh / (of_mesh * known.data)
        reduce = slot * FP32 / mesh / known.data
        reduce *= (2 if stage == 0 else 1) * (mesh - 1) / of_mesh + 2 * (replicas - 1) / replicas / of_replicas
        gather += count * routed * BF16 * (copies - 1) / copies / (of_copies * known.data)
        again_among = 2 * (replicas - 1) / replicas / of_replicas
        reduce += count * routed * FP32 / copies / known.data * ((2 if stage == 0 else 1) * (copies - 1) / of_copies + again_among)
        gathers = rounds if stage == 3 else min(stage, 1)
        exposed = gathers * max(0, gather - time / passes) + (gather if gathers else 0) / count + reduce / count
        exposed += (rounds if stage >= 2 else 1) * max(0, again * gather + reduce - (passes - 1) * time / passes)
        slowest, shown = max(slowest, pace), max(shown, exposed)
        changed = slot / share[2] + count * routed / own_share[2]
        optimizer = max(optimizer, changed * (FP32 + BF16 + 6 * FP32) / (machine.hbm * known.memory))
    return peak, (rounds + (pipeline - 1) / chunks) * slowest + shown + optimizer, replicas * shard * micro * rounds


def search(model, machine, known, tokens, world, batch, most=None):
    """How many candidates there are, how many each cause rules out, and those that fit, the fastest first."""
    causes, fitting, size = {}, [], 0
    for candidate in candidates(world, batch, model.experts):
        size += len(RECOMPUTES)
        split, (_, stage, _), micro, chunks, expert = candidate
        cause = cause_of(model, machine, tokens, world, batch, split, stage, micro, chunks, expert)
        if cause is not None:
            causes[cause] = causes.get(cause, 0) + len(RECOMPUTES)
            continue
        for recompute in RECOMPUTES:
            peak, seconds, used = look(model, machine, known, tokens, world, batch, candidate, recompute)
            if peak <= machine.memory:
                fitting.append((seconds / used, peak, seconds, used, candidate, recompute))
            else:
                causes["memory"] = causes.get("memory", 0) + 1
    fitting.sort(key=lambda row: (_short(row[0]), _short(row[1])))
    return size, causes, fitting[:most]


def _short(value):
    """To eleven digits: floats that were added up in another order differ behind them."""
    return float(f"{value:.11g}") if value > 0 and log2(value) else value
