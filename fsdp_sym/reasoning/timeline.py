"""A step under FSDP2 moment by moment: which buffers one rank holds, and by which formula they add up.

A phase is fullest at one of a few moments, since in between one thing grows as another shrinks, block by block. They were found,
and are checked, on storages recorded in real runs: forward passes, losses and optimizer steps to the byte. Of each half of a block that is
turned back, its feed-forward layer and then its attention, all activations and all gradients are counted at once, although the former
go as the latter come: too much by at most the lesser of the two. That is below a tenth from three blocks and two ranks on, with
feed-forward layers at least 2.5 times as wide as the hidden size and a vocabulary wider than both; the most that a search for the worst
of these found is 8.5 %. What kernels allocate inside and streams hold longer is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Part(NamedTuple):
    """Buffers of one kind on the rank.

    Attributes
    ----------
    name : str
    size : int
        Bytes of all of them.
    formula : str
        The formula that gives it, by id.
    letter : str
        The letter of the phase's formula that it belongs to.
    times : int
        How many alike they are.
    """

    name: str
    size: int
    formula: str
    letter: str = ""
    times: int = 1


@dataclass(frozen=True)
class Phase:
    """What is held at one moment of a phase.

    Attributes
    ----------
    name : str
    moment : str
        When; empty where the phase is the same throughout.
    formula : str
        The formula that adds it up, by id.
    parts : tuple of Part
    """

    name: str
    moment: str
    formula: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @property
    def values(self) -> dict[str, int]:
        """The letters of its formula, but for those that are 0 at this moment."""
        found: dict[str, int] = {}
        for part in self.parts:
            if part.letter == "S_unit":
                found |= {"S_unit": part.size // part.times, "n_held": part.times}
            else:
                found[part.letter] = found.get(part.letter, 0) + part.size
        return found


@dataclass(frozen=True)
class Sizes:
    """Bytes that a step handles on one rank.

    Attributes
    ----------
    layers : int
    reshard : bool
        Whether a block is freed after its forward pass.
    ahead : int
        Blocks that are gathered ahead in the forward pass on request.
    parameters, states : tuple of Part
        Sharded parameters; the optimizer's states.
    gradients : int
        All sharded gradients.
    unit, root, cast : int
        A block and the root group, gathered; a block's shard in the width it is gathered in, where that takes a copy.
    unit_gradients, wide_gradients, root_gradients : int
        A block's, those of its feed-forward layer and norms alone, and the root group's, unsharded.
    first_gradients, summed_gradients, last_gradient : int
        Of the root group's: those of the head and the last norm, which come first; what there is while the embedding's are made, which
        a tied head's are added to; the one that is let go last.
    unit_reduced, root_reduced : int
        The buffers that they are reduced from.
    unit_share : int
        A block's gradients once they are sharded.
    kept, again : Part
        What a block keeps, and what it makes again beside that when it is turned back.
    places : int
        The numbers of the positions, where these are learned: looked up forward, and needed again backward.
    attention : int
        What a block's attention keeps, and the norm before it, beside what is kept or made again anyway.
    hidden, tail, logits, number, way, returning, ending : int
        One hidden vector a token; what the last norm keeps and gives to the head; one tensor as large as the logits; one number, such as
        the loss; gradients on their way through a feed-forward layer and through attention, and tensors on their way forward when a block
        ends.
    """

    layers: int
    reshard: bool
    ahead: int
    parameters: tuple[Part, ...]
    states: tuple[Part, ...]
    gradients: int
    unit: int
    root: int
    cast: int
    unit_gradients: int
    wide_gradients: int
    root_gradients: int
    first_gradients: int
    summed_gradients: int
    last_gradient: int
    unit_reduced: int
    root_reduced: int
    unit_share: int
    kept: Part
    again: Part
    places: int
    attention: int
    hidden: int
    tail: int
    logits: int
    number: int
    way: int
    returning: int
    ending: int

    def _moment(self, name: str, moment: str, formula: str, parts: Iterable[Part]) -> Phase:
        """What is there at this moment: buffers of no bytes are not."""
        return Phase(name, moment, formula, tuple(part for part in parts if part.size))

    def _held(self, blocks: int, units: int) -> list[Part]:
        """Units gathered, and what so many blocks keep."""
        return [self._units(blocks, units), *self._kept(blocks)]

    def _units(self, blocks: int, units: int) -> Part:
        """Units gathered, among them without resharding those of so many blocks."""
        units += 0 if self.reshard else blocks
        return Part("gathered units", units * self.unit, "gathered_in_step", "S_unit", units)

    def _kept(self, blocks: int) -> list[Part]:
        return [self.kept._replace(size=blocks * self.kept.size, times=blocks), self._places()]

    def _places(self) -> Part:
        return Part("numbers of the positions", self.places, "activation_tensor", "A_all")

    def _root(self, copies: int = 1) -> Part:
        name = "gathered root group" if copies == 1 else "gathered root group and its gather buffer"
        return Part(name, copies * self.root, "gathered_in_step", "S_root", copies)

    def _passing(self, size: int, formula: str = "full_recompute") -> Part:
        return Part("activations on their way", size, formula, "A_all")

    def _loss(self, tensors: int) -> list[Part]:
        """So many tensors as large as the logits."""
        tail = Part("last norm and the head's input", self.tail, "full_recompute", "A_all")
        return [tail, Part("logits and what the loss makes of them", tensors * self.logits, "loss_activations", "A_all", tensors)]

    def _numbers(self, count: int) -> Part:
        return Part("the loss and numbers beside it", count * self.number, "loss_activations", "A_all", count)

    def forward(self, first: bool) -> Iterator[Phase]:
        """The moments of a forward pass, the first one or a later one."""
        name, formula = ("first forward pass", "first_forward_peak") if first else ("later forward pass", "later_forward_peak")
        always = (*self.parameters, *(() if first else self.states))

        def phase(moment: str, *parts: Part) -> Phase:
            return self._moment(name, moment, formula, (*always, *parts))

        yield phase("the first block is gathered", self._root(2), *self._held(0, 2), self._passing(self.hidden))
        for early in sorted({1, min(max(1, self.ahead), self.layers - 1)} & set(range(1, self.layers))):
            last = "the last block is" if early == 1 else f"the last {early} blocks are"
            # Without a request the next block is gathered while the buffer of the one before is still held, and no earlier.
            way = self._passing(self.ending if self.ahead else self.hidden)
            yield phase(f"{last} gathered", self._root(), *self._held(self.layers - early, 2 + early), way)
            if self.ahead:
                cast = Part("the shard cast for the gather", self.cast, "gathered_in_step", "A_all")
                before = self._held(self.layers - early - 1, 2 + early)
                yield phase(f"{last} being gathered", self._root(), *before, self._passing(self.hidden), cast)
        yield phase("the last block ends", self._root(), *self._held(self.layers, 1 + int(self.reshard)), self._passing(self.ending))
        yield phase("the loss is taken", self._root(), *self._held(self.layers, 1), *self._loss(2), self._numbers(2))

    def backward(self) -> Iterator[Phase]:
        """The moments of a later backward pass."""
        units = int(self.reshard)
        waiting = self._waiting(self.first_gradients)

        def phase(moment: str, *parts: Part) -> Phase:
            return self._moment("backward pass", moment, "backward_peak", (*self.parameters, *self.states, *parts, self._numbers(3)))

        yield phase("the loss is turned back", self._root(), *self._held(self.layers, units), *self._loss(3))
        head = [*self._held(self.layers, units), *self._loss(1), self._passing(self.hidden)]
        yield phase("the head is turned back", self._root(), *head, waiting)
        for left in sorted({1, 2, self.layers - 1, self.layers} & set(range(1, self.layers + 1)), reverse=True):
            done = self.layers - left
            reduced = self._buffer(self.unit_reduced)
            sharded = (self._root(), waiting, self._sharded(done * self.unit_share))
            always = (*sharded, reduced) if done else sharded
            yield phase(f"block {left} is gathered again", *self._held(left, 2 * units), self._passing(self.hidden), *always)
            # The block before it is gathered by then, if there is one.
            gathered = self._units(left, 2 * units if left > 1 else units)
            yield phase(
                f"block {left}'s feed-forward layer is turned back", gathered, *self._kept(left), self.again,
                self._passing(self.way, "gradients_on_the_way"), self._made(self.wide_gradients), *always,
            )  # fmt: skip
            # What the feed-forward layer kept is gone by then, but not an input that is kept for making the rest again.
            below = Part("activations of the attention", self.attention, "fused_attention_activations", "A_all")
            yield phase(
                f"block {left}'s attention is turned back", gathered, *self._kept(left if self.again.size else left - 1), below,
                self._passing(self.returning), self._made(self.unit_gradients), *always,
            )  # fmt: skip
            # Later blocks are reduced from a buffer that they meet when they are turned back, for it is let go after theirs is made.
            if not done:
                yield phase(
                    f"block {left} is reduced", self._units(left - 1, units), *self._kept(left - 1), self._passing(self.hidden),
                    self._made(self.unit_gradients), *sharded, reduced,
                )  # fmt: skip
        blocks = self._sharded(self.layers * self.unit_share)
        yield phase(
            "the embedding is turned back", self._root(), self._passing(self.hidden), self._waiting(self.summed_gradients), blocks,
            self._buffer(self.unit_reduced), self._places(),
        )  # fmt: skip
        yield phase("the root group is reduced", self._waiting(self.root_gradients), blocks, self._buffer(self.root_reduced))
        scattered = self._sharded(self.gradients)
        yield phase("the root group is scattered", self._waiting(self.last_gradient), scattered, self._buffer(self.root_reduced))

    def _made(self, size: int) -> Part:
        return Part("a block's unsharded gradients", size, "backward_peak", "S_ug")

    def _waiting(self, size: int) -> Part:
        return Part("unsharded gradients of the root group", size, "backward_peak", "S_rg")

    def _buffer(self, size: int) -> Part:
        return Part("reduction buffer", size, "backward_peak", "S_red")

    def _sharded(self, size: int) -> Part:
        return Part("sharded gradients", size, "tensor_on_rank", "M_g")

    def optimizer_step(self, temporaries: Part) -> Phase:
        """The step of the optimizer, the same throughout."""
        parts = (*self.parameters, *self.states, self._sharded(self.gradients), temporaries)
        return self._moment("optimizer step", "", "optimizer_step_peak", parts)
