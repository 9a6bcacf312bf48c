"""What is to be trained and on what: a plan's question, as exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from sympy import Integer, Rational, Symbol

from ...algebra.errors import FsdpSymError, OutOfRange, UnknownName
from ...algebra.units import Amount, byte, show
from ...algebra.vocabulary import M_max, W, W_mem, W_net, X_fp8, X_peak, b_c, b_g, b_m, b_v, b_w, n_node
from ...scenarios.nodes import NODES
from ...scenarios.shapes import Shape

Precision = Literal["bf16", "fp8"]
PRECISIONS: Final[tuple[Precision, ...]] = ("bf16", "fp8")
Attention = Literal["fused", "plain"]
ATTENTIONS: Final[tuple[Attention, ...]] = ("fused", "plain")
WIDTHS: Final[Mapping[Symbol, int]] = {b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}  # bf16 parameters, fp32 gradients and states
RECOMPUTES: Final[Mapping[Attention, tuple[str, ...]]] = {"fused": ("none", "gate", "full"), "plain": ("none", "scores", "full")}
MARGIN: Final = 4 * 10**9  # bytes: a device's context, fragmentation, what libraries keep
_MOST_TOKENS: Final = 10**12  # of a step: what comes of them stays far below what floats and whole numbers of arrays hold
LARGEST_WORLD: Final = 2**20


def precision_named(text: str) -> Precision:
    """What a layer's matrices are multiplied in.

    Raises
    ------
    UnknownName
        With what there is.
    """
    for one in PRECISIONS:
        if one == text:
            return one
    raise UnknownName("precision", text, PRECISIONS, f"it is one of {', '.join(PRECISIONS)}")


def attention_named(text: str) -> Attention:
    """The kind of attention with this name.

    Raises
    ------
    UnknownName
        With the kinds there are.
    """
    for one in ATTENTIONS:
        if one == text:
            return one
    raise UnknownName("attention", text, ATTENTIONS, f"it is one of {', '.join(ATTENTIONS)}")


@dataclass(frozen=True)
class Constants:
    """What is measured of a machine and its software, not printed on a data sheet.

    Attributes
    ----------
    gemm, tensor, data, memory : Rational
        The share of its nominal figure that is reached by matrix products, by tensor groups' links, by all other groups' links, and
        by the memory.
    layer : Rational
        Seconds that a layer costs in each pass whatever its size.
    """

    gemm: Rational
    tensor: Rational
    data: Rational
    memory: Rational
    layer: Rational


# Round figures: what large runs commonly reach. A plan made with them is nominal, and says so.
NOMINAL: Final = Constants(Rational(3, 5), Rational(3, 4), Rational(1, 2), Rational(3, 4), Rational(0))


@dataclass(frozen=True)
class Job:
    """A model to train on so many GPUs.

    Parameters
    ----------
    shape : Shape
        Of a mixture of experts all are taken to be equally busy: a token goes to any of them as often as to any other.
    tokens : int
        Of a sequence.
    world : int
        GPUs in all.
    step_tokens : int
        Tokens of an optimizer step; the batch really used is as many whole sequences as a layout can share out evenly, and no more.
    machine : str
        A node's name.
    memory : int, optional
        Bytes of one GPU; else what the machine has.
    margin : int
        Bytes of it that are left for what is not counted.
    attention : {"fused", "plain"}
        Whether scores are kept; with ``plain``, dropout and all.
    precision : {"bf16", "fp8"}
        Of the products with a layer's matrices; attention's core, the logits, all that is kept and all that is sent stay in bf16.
    link : Rational, optional
        Bytes a second of one GPU's link out of its node, in place of the machine's.
    constants : Constants
    """

    shape: Shape
    tokens: int
    world: int
    step_tokens: int
    machine: str = "h100-node"
    memory: int | None = None
    margin: int = MARGIN
    attention: Attention = "fused"
    precision: Precision = "bf16"
    link: Rational | None = None
    constants: Constants = NOMINAL

    def __post_init__(self) -> None:
        if self.machine not in NODES:
            raise UnknownName("machine", self.machine, NODES, f"they are {', '.join(NODES)}")
        if self.precision == "fp8" and X_fp8 not in NODES[self.machine].values:
            raise FsdpSymError(f"the machine {self.machine} has no products in fp8: say bf16, or take an H100 or an H200")
        if self.shape.experts and not self.shape.gated:
            raise FsdpSymError(f"{self.shape.name} has experts without a gate: plans of mixtures are of gated experts, as Mixtral's are")
        if self.tokens < 1:
            raise OutOfRange(f"a sequence of {self.tokens} tokens cannot be trained on: give 1 at least")
        if self.shape.positions and self.tokens > self.shape.positions:
            raise OutOfRange(f"{self.shape.name} has learned {self.shape.positions} positions: a sequence has so many tokens at most")
        if not 1 <= self.world <= LARGEST_WORLD:
            raise OutOfRange(f"a plan is for 1 to {LARGEST_WORLD:,} GPUs, and {self.world:,} were asked for")
        if not 0 <= self.margin < self.device[M_max] + self.margin:
            margin, whole = (show(Amount(Integer(size), byte)) for size in (self.margin, self.device[M_max] + self.margin))
            raise OutOfRange(f"the margin, {margin}, leaves nothing of a GPU's {whole}: give a smaller margin, or more memory")
        if self.step_tokens > _MOST_TOKENS:
            raise OutOfRange(f"a plan is for {_MOST_TOKENS:.0e} tokens a step at most, and {float(self.step_tokens):.3g} were asked for")
        if self.batch < 1:
            raise OutOfRange(f"{self.step_tokens:,} tokens a step are less than one sequence of {self.tokens:,}: give one at least")
        if self.shape.heads % self.shape.kv_heads:
            raise FsdpSymError(f"{self.shape.name} has {self.shape.heads} heads for {self.shape.kv_heads} of keys: they must divide")
        if self.attention == "plain" and self.shape.gated:
            raise FsdpSymError(f"{self.shape.name} has a gated feed-forward layer: plans with scores kept are of GPT's form; say fused")

    @property
    def batch(self) -> int:
        """Sequences of a step, at most."""
        return self.step_tokens // self.tokens

    @cached_property
    def device(self) -> dict[Symbol, Rational]:
        """The machine's figures, nominal and one way; of its memory what a step may take."""
        values = {s: amount.value for s, amount in NODES[self.machine].values.items()}
        wanted = {s: Rational(values[s]) for s in (n_node, X_peak, W, W_net, W_mem, M_max)}
        if self.link is not None:
            wanted[W_net] = self.link
        whole = wanted[M_max] if self.memory is None else Integer(self.memory)
        return wanted | {M_max: whole - self.margin}

    @property
    def peak(self) -> Rational:
        """Operations a second of the products with a layer's matrices."""
        return self.device[X_peak] if self.precision == "bf16" else Rational(NODES[self.machine].values[X_fp8].value)

    @property
    def node(self) -> int:
        return int(self.device[n_node])

    @property
    def recomputes(self) -> tuple[str, ...]:
        return RECOMPUTES[self.attention]

    @property
    def expert_degrees(self) -> tuple[int, ...]:
        """Numbers of ranks that can share a layer's experts out evenly."""
        return tuple(n for n in range(1, max(1, self.shape.experts) + 1) if self.shape.experts % n == 0)
