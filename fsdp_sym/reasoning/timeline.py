"""A step under FSDP2 moment by moment: which buffers one rank holds, and by which formula they add up.

A phase is fullest at one of a few moments, since in between one thing grows as another shrinks, block by block. They were found,
and are checked, on storages recorded in real runs: forward and loss to the byte. Of a block that is turned back all activations
and all gradients are counted at once, although the former go as the latter come: too much by at most the lesser of the two.
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
    unit, root : int
        A block and the root group, gathered.
    unit_gradients, root_gradients : int
        A block's and the root group's, unsharded.
    first_gradients, summed_gradients, last_gradient : int
        Of the root group's: those of the head and the last norm, which come first; what there is while the embedding's are made, which
        a tied head's are added to; the one that is let go last.
    unit_reduced, root_reduced : int
        The buffers that they are reduced from.
    unit_share : int
        A block's gradients once they are sharded.
    kept, again : Part
        What a block keeps, and what it makes again beside that when it is turned back.
    hidden, tail, logits, number, way, ending : int
        One hidden vector a token; what the last norm keeps and gives to the head; one tensor as large as the logits; one number, such as
        the loss; gradients on their way through a block, and tensors on their way forward when a block ends.
    """

    layers: int
    reshard: bool
    ahead: int
    parameters: tuple[Part, ...]
    states: tuple[Part, ...]
    gradients: int
    unit: int
    root: int
    unit_gradients: int
    root_gradients: int
    first_gradients: int
    summed_gradients: int
    last_gradient: int
    unit_reduced: int
    root_reduced: int
    unit_share: int
    kept: Part
    again: Part
    hidden: int
    tail: int
    logits: int
    number: int
    way: int
    ending: int

    def _moment(self, name: str, moment: str, formula: str, parts: Iterable[Part]) -> Phase:
        """What is there at this moment: buffers of no bytes are not."""
        return Phase(name, moment, formula, tuple(part for part in parts if part.size))

    def _held(self, blocks: int, units: int) -> list[Part]:
        """Units gathered, and what so many blocks keep: without resharding, their parameters too."""
        units += 0 if self.reshard else blocks
        kept = self.kept._replace(size=blocks * self.kept.size, times=blocks)
        return [Part("gathered units", units * self.unit, "gathered_in_step", "S_unit", units), kept]

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
        always = [*self.parameters, *(() if first else self.states)]
        # Without a request the next block is gathered while the last one's buffer is still held, and no earlier.
        way = self.ending if self.ahead else self.hidden
        moments = {"the first block is gathered": [self._root(2), *self._held(0, 2), self._passing(self.hidden)]}
        for early in sorted({min(1, self.layers - 1), min(max(self.ahead, 1), self.layers - 1)}):
            held = self._held(self.layers - early, 2 + early)
            moments[f"{early or 'no'} blocks are gathered ahead of the last"] = [self._root(), *held, self._passing(way)]
        ending = self._held(self.layers, 2 if self.reshard else 1)
        moments["the last block ends"] = [self._root(), *ending, self._passing(self.ending)]
        moments["the loss is taken"] = [self._root(), *self._held(self.layers, 1), *self._loss(2), self._numbers(2)]
        for moment, parts in moments.items():
            yield self._moment(name, moment, formula, (*always, *parts))

    def backward(self) -> Iterator[Phase]:
        """The moments of a later backward pass."""
        always, units = [*self.parameters, *self.states, self._root()], int(self.reshard)

        def unsharded(size: int) -> Part:
            return Part("unsharded gradients of the root group", size, "backward_peak", "S_rg")

        def phase(moment: str, *parts: Part) -> Phase:
            return self._moment("backward pass", moment, "backward_peak", (*always, *parts, self._numbers(3)))

        waiting = unsharded(self.first_gradients)
        yield phase("the loss is turned back", *self._held(self.layers, units), *self._loss(3))
        head = [*self._held(self.layers, units), *self._loss(1), self._passing(self.hidden), waiting]
        yield phase("the head is turned back", *head)
        yield phase("the last block is gathered again", *self._held(self.layers, 2 * units), self._passing(self.hidden), waiting)
        for done in sorted({0, 1, self.layers - 2, self.layers - 1} & set(range(self.layers))):
            ahead = int(self.reshard and done < self.layers - 1)
            yield phase(
                f"block {self.layers - done} is turned back",
                *self._held(self.layers - done, units + ahead), self.again,
                self._passing(self.way, "gradients_on_the_way"), waiting,
                Part("a block's unsharded gradients", self.unit_gradients, "backward_peak", "S_ug"),
                Part("reduction buffer", self.unit_reduced if done else 0, "backward_peak", "S_red"),
                self._sharded(done * self.unit_share),
            )  # fmt: skip
        sharded, buffer = (
            self._sharded(self.layers * self.unit_share),
            Part("reduction buffer", self.root_reduced, "backward_peak", "S_red"),
        )
        last = Part("reduction buffer", self.unit_reduced, "backward_peak", "S_red")
        yield phase("the embedding is turned back", self._passing(self.hidden), unsharded(self.summed_gradients), sharded, last)
        always.pop()  # the root group is let go
        yield phase("the root group is reduced", unsharded(self.root_gradients), sharded, buffer)
        yield phase("the root group is scattered", unsharded(self.last_gradient), self._sharded(self.gradients), buffer)

    def _sharded(self, size: int) -> Part:
        return Part("sharded gradients", size, "tensor_on_rank", "M_g")

    def optimizer_step(self, temporaries: Part) -> Phase:
        """The step of the optimizer, the same throughout."""
        parts = (*self.parameters, *self.states, self._sharded(self.gradients), temporaries)
        return self._moment("optimizer step", "", "optimizer_step_peak", parts)
