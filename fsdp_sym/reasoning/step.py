"""How a step is run, and what its timeline is made of: the sizes of a model's buffers on one rank, each by its formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, Literal

from ..algebra.arithmetic import compiled
from ..algebra.errors import FsdpSymError, OutOfRange, UnknownName
from ..scenarios.shapes import Shape, Tensor
from .catalogue import formula
from .timeline import Part, Phase, Sizes

Optimizer = Literal["fused", "foreach", "for-loop"]
Recompute = Literal["none", "full"]
Norm = Literal["fused", "composite"]
OPTIMIZERS: Final = ("fused", "foreach", "for-loop")
RECOMPUTES: Final = ("none", "full")
NORMS: Final = ("fused", "composite")
_WIDE: Final = ("up", "gate", "down", "norm")  # what has gradients once a feed-forward layer is turned back
_RETURNING: Final = 5  # gradients of the residual, of what attention gives, and of queries, keys and values
_INDEX: Final = 8  # bytes of a position's number
FP32: Final = 4  # bytes of step counters, and of what fused kernels take their logarithms and norms in


@dataclass(frozen=True)
class Step:
    """How a step is run.

    Parameters
    ----------
    batch, tokens : int
        Sequences of a micro-batch on this rank, and tokens of each.
    compute : int
        Bytes of an element as it is gathered and computed with.
    reduce : int
        Bytes of a gradient element as it is reduced.
    loss : int
        Bytes of a logit as the loss is taken from it.
    reshard : bool
        Whether a block is freed after its forward pass, and gathered again for its backward pass.
    ahead : int
        Blocks that are gathered ahead in the forward pass on request; FSDP2 of itself gathers one while another's buffer is held.
    recompute : str
        ``none``, or ``full``: a block keeps its input, and one block at a time is kept in full.
    optimizer : str
        How the optimizer walks the tensors, which decides its temporaries.
    norm : str
        Whether an RMSNorm is one kernel, as on a GPU, or a composite of several, as on a CPU.
    statistic : int
        Bytes of a statistic that a norm keeps of a token.
    gate : int
        Wide vectors that a gated layer keeps of a token: 4 as separate kernels, 3 where gate and product are one, 2 where they are
        made again.
    """

    batch: int = 1
    tokens: int = 2048
    compute: int = 2
    reduce: int = 4
    loss: int = 4
    reshard: bool = True
    ahead: int = 0
    recompute: Recompute = "none"
    optimizer: Optimizer = "foreach"
    norm: Norm = "fused"
    statistic: int = 4
    gate: int = 4

    def __post_init__(self) -> None:
        for name in ("batch", "tokens", "compute", "reduce", "loss", "ahead", "statistic", "gate"):
            least = 0 if name == "ahead" else 1
            if type(value := getattr(self, name)) is not int or value < least:
                raise OutOfRange(f"{name} is {value!r}: a {'positive ' if least else ''}whole number is wanted")
        for name, allowed in (("optimizer", OPTIMIZERS), ("recompute", RECOMPUTES), ("norm", NORMS)):
            if getattr(self, name) not in allowed:
                raise UnknownName(name, str(getattr(self, name)), allowed, f"it is one of {', '.join(allowed)}")


def value_of(name: str, at: Mapping[str, int]) -> int:
    """A formula at whole numbers of base units, quickly: nothing of SymPy is called after the first time."""
    function, letters = _function(name)
    return int(function(*[at[x] for x in letters]))


@cache
def _function(name: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
    chosen = formula(name)
    return compiled(chosen.closed, chosen.letters), tuple(str(s.name) for s in chosen.letters)


@cache
def _by_size(tensors: tuple[Tensor, ...]) -> tuple[tuple[int, int, int], ...]:
    """Rows, elements of a row and how many alike, tensors of the same size put together."""
    found: dict[tuple[int, int], int] = {}
    for t in tensors:
        found[t.rows, t.rest] = found.get((t.rows, t.rest), 0) + t.alike
    return tuple((rows, rest, alike) for (rows, rest), alike in found.items())


@lru_cache(maxsize=1024)
def rows_held(shape: Shape, ranks: int, rank: int) -> tuple[int, int]:
    """Elements of the rank's shards as allocated, and those that are really its own."""
    whole = own = 0
    for rows, rest, alike in _by_size(shape.tensors):
        at = {"d_0": rows, "N": ranks, "n_rank": rank}
        whole += alike * rest * value_of("shard_rows", at)
        own += alike * rest * value_of("rows_of_rank", at)
    return whole, own


def phases(shape: Shape, ranks: int, rank: int, persistent: tuple[Part, ...], step: Step) -> tuple[Phase, ...]:
    """The fullest moment of each phase: of the first forward pass, then of a later step."""
    found: dict[str, Phase] = {}
    for moment in moments(shape, ranks, rank, persistent, step):
        if moment.name not in found or moment.size > found[moment.name].size:
            found[moment.name] = moment
    return tuple(found.values())


def moments(shape: Shape, ranks: int, rank: int, persistent: tuple[Part, ...], step: Step) -> Iterator[Phase]:
    """Every moment at which a phase may be fullest.

    Raises
    ------
    FsdpSymError
        For a mixture of experts.
    """
    sizes = _sizes(shape, ranks, persistent, step)
    yield from sizes.forward(first=True)
    yield from sizes.backward()
    temporaries = _temporaries(shape, ranks, rank, step.optimizer)
    yield sizes.optimizer_step(Part("optimizer temporaries", temporaries, f"{step.optimizer} optimizer", "M_tmp"))
    yield from sizes.forward(first=False)


def _sizes(shape: Shape, ranks: int, persistent: tuple[Part, ...], step: Step) -> Sizes:
    if shape.experts:
        raise FsdpSymError(f"{shape.name} has experts, whose activations depend on where the tokens go: no account of its step is given")
    gradients = next(part.size for part in persistent if part.name == "sharded gradients")
    states = tuple(part._replace(letter="M_o") for part in persistent[1:] if part.name != "sharded gradients")
    block = tuple(t._replace(alike=t.alike // shape.layers) for t in shape.tensors if t.group == "block")
    root = tuple(t for t in shape.tensors if t.group != "block")
    # What is turned back before the blocks: the last norm and the head, which may be the embedding.
    early = [t for t in root if t.group in ("norm", "head") or (shape.tied and t.name == "embedding")]
    # A tied matrix has two gradients, and their sum is a third.
    again_tied = tuple(t for t in root if t.name == "embedding") * 2 if shape.tied else ()
    wide = [t for t in block if t.name.rpartition(".")[2].partition(" ")[0] in _WIDE]
    unit, whole = padded(block, ranks), padded(root, ranks)
    letters = _letters(shape, step)
    hidden = value_of("full_recompute", letters)
    kept, again = _kept(shape, step, letters, hidden)
    norms = value_of("rms_norm_activations" if shape.gated else "norm_activations", letters)
    wider = FP32 // step.compute if step.norm == "composite" else 1
    # A composite norm casts first and keeps the cast: what it was given is held as well, by whoever called it.
    given = hidden if shape.gated and step.norm == "composite" and step.compute != FP32 else 0
    return Sizes(
        layers=shape.layers, reshard=step.reshard, ahead=step.ahead,
        parameters=(persistent[0]._replace(letter="M_w"),), states=states, gradients=gradients,
        unit=unit * step.compute, root=whole * step.compute,
        cast=unit * step.compute // ranks if step.compute != FP32 else 0,
        unit_gradients=_elements(block) * step.compute, wide_gradients=_elements(wide) * step.compute,
        root_gradients=_elements(root) * step.compute,
        first_gradients=_elements(early) * step.compute, summed_gradients=_elements(root + again_tied) * step.compute,
        last_gradient=root[-1].elements * step.compute,
        unit_reduced=unit * step.reduce, root_reduced=whole * step.reduce,
        unit_share=gradients * unit // (unit * shape.layers + whole),
        kept=kept, again=again, places=_INDEX * step.tokens if shape.positions else 0, hidden=hidden, tail=norms // 2 + hidden + given,
        logits=value_of("loss_activations", letters | {"n_log": 1}), number=step.loss,
        way=value_of("gradients_on_the_way", letters), returning=_RETURNING * hidden * wider,
        attention=value_of("fused_attention_activations", letters) + norms // 2 - (hidden if again.size else 0),
        ending=_passing(step, letters, hidden) if step.recompute == "full" else 2 * (hidden + given),
    )  # fmt: skip


def _passing(step: Step, letters: dict[str, int], hidden: int) -> int:
    """What a block that keeps nothing holds at its fullest: its attention, its feed-forward layer or a composite norm."""
    attention = value_of("fused_attention_activations", letters) + hidden
    feed_forward = value_of("gradients_on_the_way", letters | {"n_way": letters["n_mlp"]}) + hidden
    norm = 2 * hidden + 3 * hidden * (FP32 // step.compute if step.norm == "composite" else 1)
    return max(attention, feed_forward, norm)


def _elements(tensors: tuple[Tensor, ...] | list[Tensor]) -> int:
    return sum(t.elements * t.alike for t in tensors)


def padded(tensors: Iterable[Tensor], ranks: int) -> int:
    """Elements of these tensors as a collective carries them."""
    return sum(t.alike * value_of("padded_bytes", {"d_0": t.rows, "n_rest": t.rest, "N": ranks, "b_e": 1}) for t in tensors)


def _letters(shape: Shape, step: Step) -> dict[str, int]:
    letters = {str(s.name): value for s, value in shape.letters().items()}
    composite = step.norm == "composite"
    return letters | {
        "b": step.batch, "s": step.tokens, "b_a": step.compute, "b_n": step.statistic, "b_l": FP32, "b_f": step.loss,
        "b_in": FP32 if composite else step.compute, "b_nrm": FP32 if composite else 0,
        "n_wide": step.gate, "n_way": 2 if shape.gated else 1,
    }  # fmt: skip


def _kept(shape: Shape, step: Step, letters: Mapping[str, int], hidden: int) -> tuple[Part, Part]:
    """What a block keeps, and what it makes again when it is turned back."""
    block = "llama_activations" if shape.gated else "fused_activations"
    one = value_of(block, letters)
    if step.recompute == "none":
        return Part("activations of blocks", one, block, "A_all"), Part("activations made again", 0, block, "A_all")
    again = Part("activations of the block being recomputed", one - hidden, block, "A_all")
    return Part("inputs of blocks", hidden, "full_recompute", "A_all"), again


def _temporaries(shape: Shape, ranks: int, rank: int, optimizer: Optimizer) -> int:
    """Adam's, in the width of the moments, which is that of the sharded parameters under FSDP2."""
    if optimizer == "fused":
        return 0
    if optimizer == "foreach":
        return rows_held(shape, ranks, rank)[1] * FP32
    order = [t for t in shape.tensors if t.group == "embedding"]
    order += [t for t in shape.tensors if t.group == "block"] * min(2, shape.layers)
    order += [t for t in shape.tensors if t.group in ("norm", "head")]
    shards = [t.rest * value_of("rows_of_rank", {"d_0": t.rows, "N": ranks, "n_rank": rank}) * FP32 for t in order]
    return max(value_of("loop_temporaries", {"S_big": own, "S_prev": before}) for before, own in zip([0, *shards], shards, strict=False))
