"""Every row of a picture's table is what its own label means, by plain arithmetic; units, colours and labels go with their columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest
from matplotlib.colors import to_hex

from fsdp_sym.algebra.errors import UnreadableAmount
from fsdp_sym.algebra.units import parse_amount, unit_size
from fsdp_sym.algebra.vocabulary import STAGES
from fsdp_sym.figures import style
from fsdp_sym.figures.picture import draw, pictures
from fsdp_sym.figures.predicted_and_found import GROUPS
from fsdp_sym.publishing.evidence_table import by_counting
from fsdp_sym.reasoning.evidence import PRINTED as IN_PRINT
from fsdp_sym.reasoning.evidence import records, records_in
from fsdp_sym.scenarios.plans import PLANS, WIDTHS

drawn = cache(draw)
every_picture = pytest.mark.parametrize("name", pictures())
GB, MB, MS = 10**9, 10**6, Fraction(1, 1000)
Row = Callable[[str], dict[str, object]]


def padded(whole: int, ranks: int) -> int:
    """The largest shard."""
    return -(-whole // ranks)


def activations(label: str) -> dict[str, object]:
    return {"sharded state": Fraction(175 * GB * 24, int(label)), "activations": 96 * 8 * 2048 * 12288 * 2}


def all_gather(label: str) -> dict[str, object]:
    ranks = int(label)
    return {"received per rank": (ranks - 1) * padded(700 * MB, ranks), "limit": 700 * MB}


def plan(label: str) -> dict[str, object]:
    kept = [PLANS[label].values[width].value for width in WIDTHS]
    return dict(zip(("parameter", "gradient", "master copy", "momentum", "variance", "other"), kept, strict=True)) | {"together": sum(kept)}


def memory(label: str) -> dict[str, object]:
    return {"full replica": 112 * GB, "FSDP": padded(7 * GB, int(label)) * 16, "device memory": 80 * GB}


def overlapped(label: str) -> dict[str, object]:
    hidden = Fraction(label) * 3
    return {
        "compute": 8 * MS, "hidden communication": hidden * MS, "exposed communication": (3 - hidden) * MS,
        "step": (11 - hidden) * MS, "slowdown": (3 - hidden) / 8,
    }  # fmt: skip


def stage(label: str) -> dict[str, object]:
    sharded = STAGES.index(label)
    parts = [3 * GB * width / Fraction(8 if sharded >= at else 1) for width, at in ((2, 3), (2, 2), (12, 1))]
    passes = 3 if label == "ZeRO-3" else 2
    return dict(zip(("parameters", "gradients", "optimizer states"), parts, strict=True)) | {
        "state per GPU": sum(parts), "budget": 10 * GB, "received per step": passes * 6 * GB * Fraction(7, 8),
    }  # fmt: skip


def link(label: str) -> dict[str, object]:
    giga = int(label.removesuffix(" Gbps"))
    right, wrong = (Fraction(700 * MB, giga * GB) * bits for bits in (8, 1))
    return {"bandwidth": Fraction(giga * GB, 8), "time": right, "time if Gbps were GB/s": wrong, "compute": 8 * MS}


def hiding(label: str) -> dict[str, object]:
    tokens, layers, parameters = int(label.replace(",", "")), 32, 218112000
    forward = Fraction(2 * tokens * parameters, 500 * 10**12)
    gather, reduction = (Fraction(63 * parameters * width, 64 * 50 * GB) for width in (2, 4))
    waits = [max(0, gather - forward)] * (layers - 1) + [max(0, gather + reduction - 2 * forward)] * (layers - 2)
    ends = max(0, gather - 2 * forward) + max(0, reduction - 2 * forward)
    return {
        "layer forward": forward, "layer backward": 2 * forward, "gather": gather, "reduction": reduction,
        "exposed in a step": 2 * gather + reduction + sum(waits) + ends,
    }  # fmt: skip


def group(label: str) -> dict[str, object]:
    many, each = {"data replica": (32, 4 * 8), "stage = tensor group": (32 * 4, 8), "FSDP shard group": (4 * 8, 32)}[label]
    return {"how many": many, "GPUs in each": each, "GPUs together": 1024}


def ring(label: str) -> dict[str, object]:
    rank, moments = int(label), ("start", "step 1", "step 2", "step 3")
    return {moment: " ".join(map(str, sorted((rank - back) % 4 for back in range(step + 1)))) for step, moment in enumerate(moments)}


def moment(label: str) -> dict[str, object]:
    phase, unit = label.split(", ")
    backward = phase == "backward"
    done = {"forward": "all-gather, compute", "backward": "all-gather, compute, reduce-scatter", "optimizer": "compute"}[phase]
    gathered = 3 if phase == "optimizer" else 2 + 4
    # The unit at hand has its gradient whole, and each one behind it its shard.
    gradients = {"forward": 0, "optimizer": 3}.get(phase, 4 + 3 - int(unit[-1]) if backward else 0)
    held = {"parameters": gathered, "gradients": gradients, "momentum": 3, "variance": 3}
    return {"done in turn": done, **held, "shards held": sum(held.values())}


def floors(label: str) -> dict[str, object]:
    laws = {"Megatron": (6, 12), "ZeRO-1": (4, 12), "ZeRO-2": (2, 14), "ZeRO-3, FSDP2": (0, 16)}
    return {name: 7 * GB * (whole + Fraction(shared, int(label))) for name, (whole, shared) in laws.items()}


def uneven(label: str) -> dict[str, object]:
    """Llama-2-7B on 1024 ranks, row by row: 16 bytes an element that is held, 8 of them padded to a full shard when allocated."""
    tensors = [(32000, 2 * 4096), (11008, 64 * 4096), (4096, 32 * (4 * 4096 + 11008 + 2) + 1)]
    mine = [max(0, min(padded(rows, 1024), rows - int(label) * padded(rows, 1024))) for rows, _ in tensors]
    held = sum(rows * long for rows, (_, long) in zip(mine, tensors, strict=True))
    shard = sum(padded(rows, 1024) * long for rows, long in tensors)
    return {
        "rows of a way up": mine[1], "held": 16 * held, "allocated": 8 * shard + 8 * held + 4 * 291,
        "even share": Fraction(16 * 6738415616, 1024),
    }  # fmt: skip


def setting(label: str) -> dict[str, object]:
    """Four blocks and a root group: passes that gather the blocks, times that the root group is gathered, and that all is reduced."""
    passes, roots, reductions = {
        "1 micro-batch": (2, 1, 1), "… kept until backward": (1, 1, 1), "3 micro-batches": (6, 3, 3),
        "… reduced in the last": (6, 3, 1), "… and freed in the last": (4, 1, 1),
    }[label]  # fmt: skip
    blocks = 4 * passes
    return {
        "all-gathers": blocks + roots, "reduce-scatters": 5 * reductions, "gather of a block": blocks, "gather of the root group": roots,
    }  # fmt: skip


def kept(label: str) -> dict[str, object]:
    """One block of GPT-3: hidden vectors a token, bytes a pair of tokens and head, and the rest by name."""
    tokens, pairs, vector = 2048, 96 * 2048**2, 2 * 2048 * 12288
    mask = vector // 2
    norms, flash = 2 * vector + 8 * tokens, 5 * vector + 4 * 96 * tokens
    wet, dry = (norms, 5 * vector + mask, 5 * pairs, 9 * vector + mask), (norms, 5 * vector, 2 * pairs, 9 * vector)
    parts = {
        "with dropout": wet, "without dropout": dry, "scores recomputed": (*wet[:2], 0, wet[3]),
        "fused attention": (norms, flash, 0, dry[3]), "all recomputed": (vector, 0, 0, 0),
    }[label]  # fmt: skip
    names = ("norms", "attention, by token", "attention, by pair", "feed-forward layer")
    return dict(zip(names, parts, strict=True)) | {"kept": sum(parts)}


def card(label: str) -> dict[str, object]:
    """Llama-2-7B on 8 cards: two bytes a parameter, whole or an eighth; an eighth of gradients, states of twelve bytes, temporaries."""
    weights, gradient, temporaries = {
        "ZeRO-2, between steps": (16, 2, 0), "ZeRO-2, one temporary": (16, 4, 1), "ZeRO-2, both": (16, 4, 2),
        "ZeRO-2, fused": (16, 4, 0), "ZeRO-3, both": (2, 4, 2),
    }[label]  # fmt: skip
    parts = [6738415616 * width // 8 for width in (weights, gradient, 12, 4 * temporaries)]
    names = ("parameters", "gradients", "optimizer states", "temporaries")
    return dict(zip(names, parts, strict=True)) | {"together": sum(parts), "room for a step": 32000 * 2**20}


def held(label: str) -> dict[str, object]:
    """One rank of 8 under FSDP2: shards of fp32, blocks and ends in bf16, activations and logits of 2048 tokens."""
    *found, run = label.split(", ")
    phase, who = found if len(found) == 2 else (*found, "")
    kept = run == "everything kept"
    eighth, block, ends, tokens = 6738415616 * 4 // 8, 2 * 202383360, 2 * (2 * 32000 * 4096 + 4096), 2048
    hidden, logits, wide = 2 * tokens * 4096, 4 * tokens * 32000, 2 * tokens * 11008
    made = 8 * hidden + 4 * wide + 4 * tokens * (32 + 2)  # a block: its inputs and its attention, four wide tensors, logarithms and roots
    one, again = (made, 0) if kept else (hidden, made - hidden)  # what a block keeps, and makes again when it is turned back
    tail, loss = 2 * hidden + 4 * tokens, 12
    states, waiting = 2 * eighth + 4 * 291, 2 * (32000 * 4096 + 4096)
    fed = 2 * (3 * 11008 * 4096 + 2 * 4096)  # a feed-forward layer and the norms: what has gradients once it is turned back
    share = block // 4  # of a block's gradients, in fp32
    if "forward" in phase:
        place = {"first block": 1, "last block": 32, "loss": 33}[who] + 39 * phase.startswith("later")
        buffers = {
            "first block": (2 * ends + 2 * block, hidden), "last block": (ends + 3 * block, 31 * one + hidden),
            "loss": (ends + block, 32 * one + tail + 2 * logits + 8),
        }[who]  # fmt: skip
        found = (place, eighth, states if phase.startswith("later") else 0, *buffers, 0, 0)
    elif phase == "optimizer step":
        found = (124, eighth, states, 0, 0, eighth, eighth)
    else:
        left = int(who.removeprefix("block ")) if who.startswith("block") else 0
        done = 32 - left
        turned = (ends + (1 + (left > 1)) * block, left * one + again + hidden + 2 * wide, done * share + waiting + fed + 2 * block)
        gathered = (ends + 2 * block, left * one + hidden, done * share + waiting + 2 * block)
        place, buffers = {
            "loss": (73, (ends + block, 32 * one + tail + 3 * logits, 0)),
            "head": (74, (ends + block, 32 * one + tail + logits + hidden, waiting)),
            "block 32": (75, (ends + block, 31 * one + hidden, block + waiting + 2 * block)),
            "embedding": (107, (ends, hidden, ends + 32 * share + 2 * block)),
            "root group": (108, (0, 0, ends + 32 * share + 2 * ends)),
        }.get(who, (107 - left, gathered if kept and left == 1 else turned))
        found = (place, eighth, states, buffers[0], buffers[1] + loss, buffers[2], 0)
    names = ("place", "sharded parameters", "optimizer states", "gathered units", "activations", "gradients", "temporaries")
    return dict(zip(names, found, strict=True)) | {"held": sum(found[1:])}


PRINTED = {
    "parameters of a slice": Fraction(1, 8), "optimizer states": Fraction(4, 12), "Adam in bf16": Fraction(8, 16),
    "time on a link": Fraction(450, 900), "an estimator's GB": Fraction("29.01") / Fraction("31.1465"),
    "a sum in GiB": Fraction(133 * 2**30, 140 * GB), "traffic of sharding": 3 / Fraction(3, 2),
    "a checkpointed peak": Fraction(8 * 67 + 9000, 40 * 67 + 2000), "activations of a block": 4,
}  # fmt: skip


def pipeline(label: str) -> dict[str, object]:
    """Four stages and eight micro-batches of three seconds each; three more, or three chunks of them, to fill and empty the pipeline."""
    chunks, stage = (2 if label.startswith("2") else 1), int(label[-1])
    passes, idle = 8 * chunks, Fraction(3 * 3, chunks)
    flying = 4 - stage if chunks == 1 else 2 * 4 + 3 - 2 * stage
    return {
        "forward passes": passes, "backward passes": passes, "most in flight": flying, "step": 24 + idle,
        "bubble of the ideal time": idle / 24, "bubble of the total time": idle / (24 + idle),
    }  # fmt: skip


def planned(label: str) -> dict[str, object]:
    """Llama-3-405B at round shares of an H100 node: a stage of so many layers, all micro-batches, and the pipeline's filling.

    Exposed is the first stage's: the ends of one layer, and what neither the first pass of its own micro-batch nor the others hide.
    """
    context, stages, chunks, layers, rounds, share, again, kept = {
        "16 stages, no chunks": (1, 16, 1, 8, 32, 64, False, 3393257472), "16 stages, 8 chunks": (1, 16, 8, 8, 32, 64, False, 3393257472),
        "32 stages, context 4": (4, 32, 1, 4, 256, 32, False, 5138087936), "no pipeline, FSDP": (1, 1, 1, 126, 1, 1024, True, 268435456),
    }[label]  # fmt: skip
    alone = stages == 1
    batch, layer, hidden = 2 if alone else 1, 3187703808, 8192 * 16384 * 2
    first = layers if alone else layers - 1
    ends = 128256 * 16384 * 2 + 16384 if alone else 128256 * 16384
    part = Fraction(batch, 8 * context)
    core, matrices = 2 * 8192**2 * 128 * 128, 2 * 8192 * (layer - 2 * 16384)
    flops = 3 * matrices + core * Fraction(7, 2) + (matrices + core if again else 0)
    memory = Fraction(3, 4) * 3350 * GB

    def micro_batch(layers: int) -> dict[str, Fraction]:
        """A stage's, part by part; of weights that pass 2 bytes are read, of gradients twice 4."""
        logits = 6 * 8192 * 16384 * 128256 if alone else 0
        moved = 3 * 5138087936 + 5138087936 - kept
        passed = (part * moved + Fraction(layer * (2 * (3 if again else 2) + 8), 8)) * layers
        return {
            "matrix products": part * (layers * flops + logits) / (Fraction(3, 5) * 989 * 10**12),
            "tensor group": part * layers * (14 if again else 10) * hidden * 7 / (Fraction(3, 4) * 450 * GB),
            "hidden vectors, keys and values": part / (25 * GB) * (
                layers * 6 * 8192 * 8 * 128 * 2 * (context - 1) + (0 if alone else 2 * chunks * hidden)
            ),
            "memory": passed / memory,
        }  # fmt: skip

    of_one = micro_batch(layers)
    own = Fraction(layer * layers + (ends if alone else 0), 8)
    optimizer = own / share * (4 + 2 + 2 * 12) / memory
    gather = Fraction(layer * first + ends, 8) * 2 * Fraction(share - 1, share) / (25 * GB)
    behind = sum(micro_batch(first).values())
    passes = 4 if again else 3
    shown = max(0, gather - behind / passes) + max(0, (3 if again else 2) * gather - behind * (passes - 1) / passes)
    shown += 3 * gather / first
    parts = {name: rounds * value for name, value in of_one.items()}
    parts["memory"] += optimizer
    parts |= {"bubble": sum(of_one.values()) * Fraction(stages - 1, chunks), "exposed": shown}

    flying = {1: stages - 1, 8: Fraction(2 * 14 + 7 * 16 + 1, 8)}[chunks] if not alone else 1
    state = own * (2 + 4 + Fraction(12, share)) if not alone else own * Fraction(18, share)
    passing = (layer * 2 + ends) * 2 / Fraction(8) + Fraction(layer * 4, 8) + part * 8192 * 128256 * 6 if alone else 0
    return {
        **{name: Fraction(round(1000 * value), 1000) for name, value in parts.items()},
        "step": Fraction(round(1000 * sum(parts.values())), 1000), "held": state + part * kept * layers * flying + passing,
    }  # fmt: skip


def in_print(label: str) -> dict[str, object]:
    return {"row": list(PRINTED).index(label), "printed over right": PRINTED[label]}


def measurement(label: str) -> dict[str, object]:
    """Records by the counting route: those it meets, as they were printed where they were, and all."""
    group = next(group for group, name in GROUPS.items() if name == label)
    rows = records_in(group)
    met = sum(row.digits is not None or by_counting(row).value == row.value for row in rows)
    return {"exact": met, "not exact": len(rows) - met, "records": len(rows)}


def all_reduced(label: str) -> dict[str, object]:
    """Eight GPUs: 14 messages of an eighth, or 6 of the whole, each 3.4 microseconds and its bytes at 450 GB/s."""
    size, latency = Fraction(label.removesuffix(" MB")) * MB, Fraction(34, 10**7)
    return {"ring": 14 * (latency + size / 8 / (450 * GB)), "tree": 6 * (latency + size / (450 * GB))}


MEANS: dict[str, Row] = {
    "activations_against_state": activations, "all_gather_volume": all_gather, "bytes_per_parameter": plan, "memory_against_ranks": memory,
    "overlap": overlapped, "ring_all_gather": ring, "split_of_1024": group, "stages_against_budget": stage, "time_against_bandwidth": link,
    "training_step": moment, "floors_of_conventions": floors, "uneven_ranks": uneven,
    "collectives_of_a_step": setting, "kept_by_a_block": kept,
    "peak_against_budget": card, "memory_of_a_step": held,
    "printed_against_right": in_print, "predicted_and_found": measurement, "ring_and_tree": all_reduced,
    "exposed_against_tokens": hiding, "pipeline_schedule": pipeline, "parts_of_a_step": planned,
}  # fmt: skip


@every_picture
def test_every_row_is_what_its_label_means(name):
    table = drawn(name).table
    for label, *cells in table.rows:
        expected = MEANS[name](label)
        assert list(expected) == list(table.headers[1:])
        for header, cell in zip(table.headers[1:], cells, strict=True):
            found = cell if isinstance(expected[header], str) else parse_amount(cell.removeprefix("≈ ")).value
            if cell.startswith("≈ "):  # to six digits, and only what is no decimal
                exact = Fraction(expected[header])
                assert (10**18 * exact).denominator > 1, (label, header)
                assert abs(found - exact) <= exact / 10**5, (label, header)
            else:
                assert found == expected[header], (label, header)


def test_every_measurement_is_drawn():
    assert set(GROUPS) == {record.group or IN_PRINT for record in records().values()}


def unit_in(label: str) -> str | None:
    """The unit that an axis label has in its parentheses, such as ``state (GB, logarithmic)``."""
    for part in re.split(r", ", (re.findall(r"\(([^()]*)\)", label) or [""])[-1]):
        try:
            unit_size(part)
        except UnreadableAmount:
            continue
        return part
    return None


def unit_of(texts: list[str]) -> str | None:
    """The one unit of a column."""
    (unit,) = {re.sub(r"^(≈ )?[\d.,/]+ ?", "", text) for text in texts}
    return unit or None


@every_picture
def test_an_axis_names_the_unit_of_what_is_drawn_along_it(name):
    picture = drawn(name)
    columns = dict(zip(picture.table.headers, map(list, zip(*picture.table.rows, strict=True)), strict=True))
    for axes in picture.figure.axes:
        across, up = axes.get_xlabel(), axes.texts[0].get_text() if axes.texts else ""
        along = [(up, line.get_label().partition(" against ")[0]) for line in axes.lines]
        along += [(across, x) for line in axes.lines if (x := line.get_label().partition(" against ")[2])]
        along += [(across if bars.orientation == "horizontal" else up, bars.get_label()) for bars in axes.containers]
        for label, header in along:
            if label:  # the panel beside it may carry the label of a shared axis
                unit, drawn_in = unit_in(label), unit_of(columns[header])
                axis = axes.xaxis if label == across else axes.yaxis
                ticks = zip(axis.get_major_formatter().format_ticks(at := axis.get_majorticklocs()), at, strict=True)
                if unit is None or unit == drawn_in:
                    assert unit == drawn_in, (label, header)
                else:  # such as GiB, where the table is exact in MiB
                    for said, tick in ticks:
                        assert parse_amount(f"{said} {unit}").value == parse_amount(f"{tick:g} {drawn_in}").value, (label, header)


def test_units_are_found_in_axis_labels():
    labels = ("time (ms, logarithmic)", "slowdown (time added, %)", "ranks N (logarithmic)", "share")
    assert [unit_in(label) for label in labels] == ["ms", "%", None, None]
    assert [unit_of(["0 MB", "≈ 38.5321 MB"]), unit_of(["37.5%", "0%"]), unit_of(["1", "1,024"])] == ["MB", "%", None]


MEANT = {
    "sharded state": style.SHARDED, "FSDP": style.SHARDED, "full replica": style.REPLICATED, "activations": style.REPLICATED,
    "compute": style.COMPUTE, "hidden communication": style.HIDDEN, "exposed communication": style.EXPOSED, "slowdown": style.EXPOSED,
    "time": style.SHARDED, "time if Gbps were GB/s": style.EXPOSED, "received per rank": style.SHARDED,
}  # fmt: skip


@every_picture
def test_a_meaning_has_its_colour_and_a_note_the_colour_of_its_line(name):
    for axes in drawn(name).figure.axes:
        marks = [(line.get_label().partition(" against ")[0], line.get_color()) for line in axes.lines if line.get_color() != style.INK]
        marks += [(bars.get_label(), bar.get_facecolor()) for bars in axes.containers for bar in bars]
        for header, colour in marks:
            assert to_hex(colour) == to_hex(MEANT.get(header, colour)), header
            for text in axes.texts:
                if text.get_text().startswith(f"{header}:") and text.get_color() != style.INK:
                    assert to_hex(text.get_color()) == to_hex(colour), text.get_text()


def test_hidden_and_exposed_are_written_on_their_own_bars():
    axes = drawn("overlap").figure.axes[0]
    bars = {many.get_label(): [bar for bar in many if bar.get_width()] for many in axes.containers}

    def on(texts, label):
        """The widths of the bars of a column on which the texts lie."""
        for text in texts:
            x, y = text.xy
            (bar,) = (b for b in bars[label] if b.get_x() < x < b.get_x() + b.get_width() and b.get_y() < y < b.get_y() + b.get_height())
            yield bar

    hidden = [text for text in axes.texts if text.get_text() == "hidden"]
    assert len(list(on(hidden, "hidden communication"))) == len(bars["hidden communication"]) == 2
    exposed = [text for text in axes.texts if re.fullmatch(r"[\d.]+ ms( exposed)?", text.get_text())]
    widths = [bar.get_width() for bar in on(exposed, "exposed communication")]
    assert widths == pytest.approx([float(text.get_text().split()[0]) for text in exposed])
    assert len(widths) == len(bars["exposed communication"]) == 2
    computed = [text for text in axes.texts if text.get_text().startswith("compute")]
    assert [text.get_text() for text in computed] == [f"compute, {bar.get_width():g} ms" for bar in bars["compute"]]


@pytest.mark.parametrize("name", ["bytes_per_parameter", "peak_against_budget", "stages_against_budget"])
def test_a_part_is_named_on_its_own_bar(name):
    axes = drawn(name).figure.axes[0]
    for bars in axes.containers:
        (text,) = (text for text in axes.texts if re.sub(r"[\n\d]", " ", text.get_text()).strip() == bars.get_label())
        assert any(bar.get_bbox().contains(*text.xy) for bar in bars), text.get_text()


def test_the_parts_of_a_block_are_named_above_the_first_bar():
    axes = drawn("kept_by_a_block").figure.axes[0]
    for bars in axes.containers:
        (text,) = (text for text in axes.texts if text.get_text().replace("\n", " ") == bars.get_label())
        assert bars[0].get_x() <= text.xy[0] <= bars[0].get_x() + bars[0].get_width()
