"""Every letter once: its symbol, dimension, range, one sentence, TeX.

Symbols are created here alone; two ``N`` with different assumptions would not cancel.
The order of this file is the order in which sums and products are printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from sympy import Expr, Symbol, oo

from .errors import DimensionError, OutOfRange, UnknownName, UnreadableAmount
from .units import Amount, as_dimension, bit, byte, dimension_name, flop, one, param, parse_amount, second, show, to_exact, usd

_B = byte / param
_PLAIN = (one, bit / byte)
STAGES: Final = ("data parallel", "ZeRO-1", "ZeRO-2", "ZeRO-3")  # the label of each ZeRO stage, by its number
ANY: Final = -(10**30)  # a lower bound that never binds


@dataclass(frozen=True)
class Letter:
    """One symbol of the vocabulary.

    ``low`` and ``high`` bound its values (``open_low`` leaves the lower bound out); ``whole`` letters are
    integers; ``unit`` is what a value is typed in, or an example of one that has no unit. ``order`` is its place in this file.
    ``called`` has the names of its values, from 0, where they stand for something.
    """

    symbol: Symbol
    dimension: Expr
    says: str
    tex: str
    whole: bool
    low: int
    open_low: bool
    high: int | None
    unit: str
    order: int
    called: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.symbol.name)

    def holds(self, value: Expr) -> bool:
        """Whether a value lies in the letter's range."""
        if value == oo:
            return self.high is None
        if self.whole and not value.is_integer:
            return False
        above = value > self.low if self.open_low else value >= self.low
        return bool(above) and (self.high is None or bool(value <= self.high))

    def named(self, value: Expr | float) -> str:
        """What a value is called; empty where it has no name."""
        return self.called[int(value)] if 0 <= value < len(self.called) else ""

    @property
    def typed(self) -> str:
        """An example of how a value is typed: ``S="2 GB"``, ``P=7e9``, ``N=8``."""
        if not self.unit:
            return f"{self.name}={max(8, self.low) if self.high is None else self.high}"
        return f"{self.name}={self.unit}" if self.unit[0].isdigit() else f'{self.name}="2 {self.unit}"'

    @property
    def range_text(self) -> str:
        low = [] if self.low == ANY else [f"above {self.low}" if self.open_low else f"at least {self.low}"]
        high = [] if self.high is None else [f"at most {self.high}"]
        return f"{'a whole number ' if self.whole else ''}{' and '.join(low + high)}"

    def draw(self, uniform: Callable[[], float]) -> int | Fraction:
        """A small exact value in range, from a source of uniform floats in [0, 1)."""
        top = self.high if self.high is not None else (60 if self.dimension in _PLAIN else 5000)
        if self.dimension == _B:
            return int(uniform() * 9) if not self.open_low else 1 + int(uniform() * 8)
        if self.whole:
            return self.low + int(uniform() * (top - self.low + 1))
        # Over a prime, so that no range makes whole numbers of them.
        return Fraction(1 + int(uniform() * 997), 1009) * (top - self.low) + self.low


# What reads as bytes or bits and is meant as a count of billions.
_BILLIONS: Final = re.compile(r"\s*([\d.,_]+)\s*[bB]\s*")

LETTERS: Final[dict[Symbol, Letter]] = {}


def _letter(
    name: str,
    dimension: Expr,
    says: str,
    tex: str | None = None,
    *,
    whole: bool = False,
    low: int = 0,
    open_low: bool = False,
    high: int | None = None,
    unit: str = "",
    called: tuple[str, ...] = (),
) -> Symbol:
    positive = low > 0 or open_low
    signs = {"positive": True} if positive else {"nonnegative": True} if low == 0 else {"real": True}
    symbol = Symbol(name, integer=True if whole else None, finite=True, **signs)
    if tex is None:
        head, _, sub = name.partition("_")
        below = sub if len(sub) == 1 else rf"\mathrm{{{sub}}}"
        tex = f"{head}_{{{below}}}" if sub else head
    LETTERS[symbol] = Letter(symbol, dimension, says, tex, whole, low, open_low, high, unit, len(LETTERS), called)
    return symbol


def _count(name: str, says: str, tex: str | None = None, low: int = 1, high: int | None = None) -> Symbol:
    return _letter(name, one, says, tex, whole=True, low=low, high=high)


def _way(name: str, says: str, tex: str, *called: str) -> Symbol:
    """A way to share the state out, by its number."""
    return _letter(name, one, says, tex, whole=True, called=called)


def _flag(name: str, says: str) -> Symbol:
    return _count(name, says, None if "_" in name else rf"\mathrm{{{name}}}", low=0, high=1)


def _bytes(name: str, says: str, tex: str | None = None) -> Symbol:
    return _letter(name, byte, says, tex, whole=True, low=1, unit="GB")


def _real(
    name: str, dimension: Expr, says: str, tex: str | None = None, *, zero: bool = False, high: int | None = None, unit: str = ""
) -> Symbol:
    return _letter(name, dimension, says, tex, open_low=not zero, high=high, unit=unit)


# How many of what.
i = _count("i", "an index of a sum", low=0)
j = _count("j", "a second index", low=0)
h = _count("h", "a third index", low=0)
r = _count("r", "1 if parameters are gathered again for the backward pass (reshard_after_forward), 0 if they stay gathered", low=0, high=1)
N = _count("N", "ranks that share one copy: the shard group")
G = _count("G", "GPUs in all: the world size")
N_d = _count("N_d", "data-parallel degree", r"N_{\mathrm{data}}")
N_p = _count("N_p", "pipeline-parallel degree: stages", r"N_{\mathrm{pipeline}}")
N_t = _count("N_t", "tensor-parallel degree", r"N_{\mathrm{tensor}}")
n_node = _count("n_node", "GPUs in one node", r"n_{\mathrm{node}}")
e = _count("e", "exponent of a world of 2^e GPUs", low=0, high=20)
m = _count("m", "exponent of a node of 2^m GPUs", low=0, high=20)
n_splits = _count("n_splits", "ordered splits (data, pipeline, tensor) of a world", r"n_{\mathrm{splits}}")
n_splits_node = _count("n_splits_node", "ordered splits whose tensor group stays inside a node", r"n_{\mathrm{splits}}^{\mathrm{node}}")

# Memory.
P = _letter("P", param, "parameters of the model", whole=True, low=1, unit="7e9")
P_slice = _real("P_slice", param, "parameters of one tensor slot in one pipeline stage", unit="1e9")
M_mean = _real("M_mean", byte, "model state per rank, averaged over the ranks", unit="GB")
B = _real("B", _B, "bytes kept per parameter", unit="B/param")
b_w = _real("b_w", _B, "bytes of one parameter as the forward pass uses it", r"b_{w}", unit="B/param")
b_g = _real("b_g", _B, "bytes of its gradient", zero=True, unit="B/param")
b_c = _real("b_c", _B, "bytes of its fp32 master copy (0 where none is kept)", zero=True, unit="B/param")
b_m = _real("b_m", _B, "bytes of its momentum", zero=True, unit="B/param")
b_v = _real("b_v", _B, "bytes of its variance", zero=True, unit="B/param")
b_x = _real("b_x", _B, "bytes of whatever else the optimizer keeps of it", zero=True, unit="B/param")
M_max = _bytes("M_max", "memory budget of one device")
M_0 = _real("M_0", byte, "model state on each device when nothing is sharded", "M_0", unit="GB")
M_1 = _real("M_1", byte, "model state per rank under ZeRO-1: optimizer states sharded", "M_1", unit="GB")
M_2 = _real("M_2", byte, "model state per rank under ZeRO-2: gradients sharded too", "M_2", unit="GB")
M_3 = _real("M_3", byte, "model state per rank under FSDP, which is ZeRO-3: everything sharded", "M_3", unit="GB")
B_1 = _real("B_1", _B, "bytes kept per parameter and rank under ZeRO-1", "B_1", unit="B/param")
B_2 = _real("B_2", _B, "bytes kept per parameter and rank under ZeRO-2", "B_2", unit="B/param")
B_3 = _real("B_3", _B, "bytes kept per parameter and rank under FSDP, which is ZeRO-3", "B_3", unit="B/param")
M_alone = _real("M_alone", byte, "sharded model state on a single rank", unit="GB")
M_next = _real("M_next", byte, "sharded model state with one more rank", unit="GB")
M_saved = _real("M_saved", byte, "bytes per rank that one more rank saves", r"\Delta M", zero=True, unit="GB")
x_1 = _real("x_1", one, "how many times smaller ZeRO-1 makes the state", "x_1")
x_2 = _real("x_2", one, "how many times smaller ZeRO-2 makes the state", "x_2")
x_3 = _real("x_3", one, "how many times smaller ZeRO-3 makes the state", "x_3")
N_min = _count("N_min", "fewest ranks whose shard fits the budget", r"N_{\min}")
z_min = _way("z_min", "smallest ZeRO stage that fits the budget", r"z_{\min}", *STAGES)
fits = _flag("fits", "whether it fits")

# Activations.
L = _count("L", "transformer layers")
k = _count("k", "layers from one checkpoint to the next")
b = _count("b", "sequences in a micro-batch, per GPU")
b_all = _count("b_all", "sequences in the global batch", r"b_{\mathrm{all}}")
s = _count("s", "tokens in a sequence")
d = _count("d", "hidden size")
f = _count("f", "width of the feed-forward layer")
a = _count("a", "attention heads")
b_a = _letter("b_a", byte, "bytes of one activation element", whole=True, low=1, unit="B")
b_k = _letter("b_k", byte, "bytes of one dropout-mask element", whole=True, low=1, unit="B")
E = _count("E", "elements of one activation tensor")
c = _bytes("c", "bytes of one checkpoint: the input a layer is recomputed from")
A = _bytes("A", "bytes of activations one layer keeps")
A_block = _bytes("A_block", "bytes of activations a transformer block keeps for its backward pass", r"A_{\mathrm{block}}")
M_held = _real("M_held", byte, "sharded model state and activations of one rank together", unit="GB")
A_all = _bytes("A_all", "bytes of activations all layers keep", r"A_{\mathrm{all}}")
A_kept = _real("A_kept", byte, "bytes of the checkpoints alone", unit="GB")
A_peak = _real("A_peak", byte, "peak bytes of activations: checkpoints and the segment being recomputed", unit="GB")
A_best = _real("A_best", byte, "peak bytes of activations at the best checkpoint interval", unit="GB")
A_fixed = _bytes("A_fixed", "bytes of activations per GPU at a fixed global batch")
k_best = _real("k_best", one, "checkpoint interval with the lowest peak")
k_sqrt = _real("k_sqrt", one, "checkpoint interval with the lowest peak when a checkpoint costs as much as a layer", r"k_{\sqrt{L}}")
x_kept = _real("x_kept", one, "how many times smaller the kept checkpoints are than all activations")
x_peak = _real("x_peak", one, "how many times smaller the peak with checkpoints is than all activations")
x_k = _real("x_k", one, "how many times smaller the peak at a given checkpoint interval is than all activations")
kappa = _real("kappa", one, "activations over sharded state", r"\kappa")
kappa_all = _real("kappa_all", one, "activations over sharded state at a fixed global batch", r"\kappa_{\mathrm{all}}")
N_cross = _real("N_cross", one, "rank count at which activations overtake the sharded state", r"N_{\times}")

# Communication.
S = _bytes("S", "bytes of the whole, unsharded tensor or group of tensors")
V = _bytes("V", "bytes that cross a link")
V_ag = _real("V_ag", byte, "bytes each rank receives in an all-gather", zero=True, unit="MB")
V_rs = _real("V_rs", byte, "bytes each rank receives in a reduce-scatter", zero=True, unit="MB")
V_ar = _real("V_ar", byte, "bytes each rank receives in an all-reduce", zero=True, unit="MB")
V_bc = _real("V_bc", byte, "bytes each rank receives when every owner broadcasts its shard", zero=True, unit="MB")
V_next = _real("V_next", byte, "bytes received in an all-gather with one more rank", zero=True, unit="MB")
V_gain = _real("V_gain", byte, "bytes that one more rank adds to an all-gather", r"\Delta V", unit="MB")
V_layer = _real("V_layer", byte, "bytes each rank receives for one layer in one training step", zero=True, unit="MB")
V_z2 = _real("V_z2", byte, "bytes received per step under ZeRO-1 and ZeRO-2 in the paper's schedule", r"V_{1,2}", zero=True, unit="MB")
V_z1b = _real(
    "V_z1b", byte, "bytes received per step under ZeRO-1 as an all-reduce and broadcasts", r"V_{1}^{\mathrm{bcast}}", zero=True, unit="MB"
)
chi = _real("chi", one, "sharded traffic over plain data parallel's all-reduce", r"\chi")
chi_2 = _real("chi_2", one, "traffic of ZeRO-1 and ZeRO-2 over plain data parallel's all-reduce", r"\chi_{1,2}")
grows = _flag("grows", "whether one more rank makes an all-gather cost more")
exceeds = _flag("exceeds", "whether sharding moves more than plain data parallel")
n_steps = _count("n_steps", "steps of a ring all-gather", r"n_{\mathrm{steps}}", low=0)

# Time.
n_bit = _letter("n_bit", bit / byte, "bits in a byte", r"n_{\mathrm{bit}}", whole=True, low=8, high=8, unit="8")
R_bit = _real("R_bit", bit / second, "line rate of a link in bits per second", r"R_{\mathrm{bit}}", unit="Gbps")
W = _real("W", byte / second, "bandwidth of a link in bytes per second", unit="GB/s")
W_hide = _real("W_hide", byte / second, "bandwidth at which communication hides completely", r"W_{\mathrm{hide}}", unit="GB/s")
T = _real("T", second, "time on the link", zero=True, unit="ms")
T_ag = _real("T_ag", second, "time of an all-gather on the link", zero=True, unit="ms")
T_f = _real("T_f", second, "time of the forward pass", "T_f", unit="ms")
T_b = _real("T_b", second, "time of the backward pass", "T_b", unit="ms")
T_comp = _real("T_comp", second, "compute time", r"T_{\mathrm{comp}}", unit="ms")
T_comm = _real("T_comm", second, "communication time", r"T_{\mathrm{comm}}", unit="ms")
T_dp = _real("T_dp", second, "time of plain data parallel's all-reduce", r"T_{\mathrm{dp}}", unit="ms")
T_exposed = _real("T_exposed", second, "communication time that compute does not hide", r"T_{\mathrm{exposed}}", zero=True, unit="ms")
T_step = _real("T_step", second, "time of the step", r"T_{\mathrm{step}}", unit="ms")
phi = _real("phi", one, "share of the communication time that overlaps compute", r"\varphi", zero=True, high=1, unit="0.5")
phi_need = _letter("phi_need", one, "overlap needed for a target slowdown", r"\varphi_{\mathrm{need}}", low=ANY, high=1, unit="0.5")
rho = _real("rho", one, "communication time over compute time", r"\rho")
rho_max = _real("rho_max", one, "ratio above which sharding is said to hurt", r"\rho_{\max}", unit="0.3")
hurts = _flag("hurts", "whether communication takes too large a share of the compute time")
hides = _flag("hides", "whether communication can hide completely behind compute")
sigma = _real("sigma", one, "slowdown: time added, as a share of the compute time", r"\sigma", zero=True, unit="17.5 %")
sigma_goal = _real("sigma_goal", one, "slowdown that is aimed at", r"\sigma_{\mathrm{goal}}", zero=True, unit="17.5 %")
sigma_none = _real("sigma_none", one, "slowdown when nothing overlaps", r"\sigma_{\mathrm{none}}", unit="37.5 %")
sigma_dp = _letter("sigma_dp", one, "slowdown against plain data parallel, nothing overlapped", r"\sigma_{\mathrm{dp}}", low=-1)
omega = _real("omega", one, "extra compute of recomputing the forward pass, as a share of the step", r"\omega")

# Models: how many parameters a shape has. a heads of d_h; of queries and keys and values alike but for a_kv.
v = _count("v", "tokens of the vocabulary: rows of the embedding")
d_h = _count("d_h", "size of one attention head", "d_h")
a_kv = _count("a_kv", "heads of keys and values; as many as attention heads where nothing is grouped", r"a_{\mathrm{kv}}")
n_mlp = _count("n_mlp", "matrices of the feed-forward layer: 3 where it is gated, else 2", r"n_{\mathrm{mlp}}", low=2, high=3)
n_norm = _count("n_norm", "vectors of one norm: 1 for RMSNorm, 2 for LayerNorm with its bias", r"n_{\mathrm{norm}}", high=2)
n_pos = _count("n_pos", "learned position embeddings; 0 where positions are rotated in", r"n_{\mathrm{pos}}", low=0)
u_qkv = _count("u_qkv", "1 if queries, keys and values have biases", r"u_{\mathrm{qkv}}", low=0, high=1)
u_out = _count("u_out", "1 if the attention's output projection has a bias", r"u_{\mathrm{out}}", low=0, high=1)
u_mlp = _count("u_mlp", "1 if the feed-forward layer has biases", r"u_{\mathrm{mlp}}", low=0, high=1)
u_tied = _count("u_tied", "1 if the head reuses the embedding", r"u_{\mathrm{tied}}", low=0, high=1)
n_exp = _count("n_exp", "experts of a layer", r"n_{\mathrm{exp}}")
n_act = _count("n_act", "experts that a token is sent to", r"n_{\mathrm{act}}")
P_att = _count("P_att", "parameters of a layer's attention", r"P_{\mathrm{att}}")
P_mlp = _count("P_mlp", "parameters of a layer's feed-forward part, or of one expert", r"P_{\mathrm{mlp}}")
P_moe = _count("P_moe", "parameters of a layer's experts with their router", r"P_{\mathrm{moe}}")
P_block = _count("P_block", "parameters of one transformer block", r"P_{\mathrm{block}}")
P_ends = _count("P_ends", "parameters outside the blocks: embeddings, head, last norm", r"P_{\mathrm{ends}}")
P_all = _count("P_all", "parameters of a dense model", r"P_{\mathrm{all}}")
P_gpt = _count("P_gpt", "parameters of a model of GPT's form, but for the last norm", r"P_{\mathrm{gpt}}")
P_total = _count("P_total", "parameters of a mixture of experts, all experts counted", r"P_{\mathrm{total}}")
P_active = _count("P_active", "parameters of a mixture of experts that one token uses", r"P_{\mathrm{active}}")
P_idle = _letter("P_idle", one, "parameters of a mixture of experts that one token leaves aside", r"P_{\mathrm{idle}}", whole=True)

# Sharding exactly: FSDP2 cuts the rows of every parameter tensor.
d_0 = _count("d_0", "rows of a parameter tensor: its dimension 0", "d_0")
n_rest = _count("n_rest", "elements of one row of it", r"n_{\mathrm{rest}}")
n_rank = _count("n_rank", "the number of a rank, from 0", r"n_{\mathrm{rank}}", low=0)
n_c = _count("n_c", "rows of a shard as it is allocated", "n_c")
n_own = _count("n_own", "rows of a tensor that a rank really holds", r"n_{\mathrm{own}}", low=0)
n_pad = _count("n_pad", "rows that pad a tensor to equal shards", r"n_{\mathrm{pad}}", low=0)
n_empty = _count("n_empty", "ranks that hold no row of a tensor", r"n_{\mathrm{empty}}", low=0)
n_T = _count("n_T", "parameter tensors of the model", "n_T")
b_e = _letter("b_e", byte, "bytes of one element as it is gathered or kept", "b_e", whole=True, low=1, unit="B")
b_s = _letter("b_s", byte, "bytes that the optimizer keeps of one element", "b_s", whole=True, low=1, unit="B")
b_step = _letter(
    "b_step", byte, "bytes of the step counter that the optimizer keeps of each tensor", r"b_{\mathrm{step}}", whole=True, low=1, unit="B"
)
P_split = _letter("P_split", param, "parameters that tensor parallelism splits", r"P_{\mathrm{split}}", whole=True, low=1, unit="1e9")
P_whole = _letter(
    "P_whole", param, "parameters that tensor parallelism leaves whole on every rank", r"P_{\mathrm{whole}}", whole=True, unit="1e6"
)
M_tp = _real(
    "M_tp", byte, "model state per rank under tensor, pipeline and sharded data parallelism together", r"M_{\mathrm{tp}}", unit="GB"
)
S_pad = _bytes("S_pad", "bytes of a tensor as a collective carries it: padded", r"S_{\mathrm{pad}}")
M_count = _bytes("M_count", "bytes of the optimizer's step counters, on every rank", r"M_{\mathrm{count}}")
M_tensor = _letter(
    "M_tensor", byte, "bytes that a rank allocates for a tensor under FSDP2 with Adam", r"M_{\mathrm{tensor}}", whole=True, unit="MB"
)
n_v = _count("n_v", "rows that a rank holds of the embedding, as many as of the head", "n_v", low=0)
n_q = _count("n_q", "rows that a rank holds of a layer's queries", "n_q", low=0)
n_kv = _count("n_kv", "rows that a rank holds of a layer's keys, as many as of its values", r"n_{\mathrm{kv}}", low=0)
n_f = _count("n_f", "rows that a rank holds of a layer's way up, as many as of its gate", "n_f", low=0)
n_d = _count("n_d", "rows that a rank holds of what has as many rows as the hidden size: output, way down, norms", "n_d", low=0)
M_rows = _letter("M_rows", byte, "bytes of a rank's own rows of a model", r"M_{\mathrm{rows}}", whole=True, unit="MB")
M_rank = _letter("M_rank", byte, "bytes that one of N ranks holds of a model under FSDP2", r"M_{\mathrm{rank}}", whole=True, unit="MB")

# Traffic exactly: what FSDP2 moves in one optimizer step.
K_mb = _count("K_mb", "micro-batches of one optimizer step", r"K_{\mathrm{mb}}")
u_root = _count("u_root", "1 if the root group, too, is gathered again for the backward pass", r"u_{\mathrm{root}}", low=0, high=1)
u_sync = _count("u_sync", "1 if every micro-batch reduces its gradients, 0 if only the last does", r"u_{\mathrm{sync}}", low=0, high=1)
L_frozen = _count("L_frozen", "layers whose parameters are frozen", r"L_{\mathrm{frozen}}", low=0)
R_rep = _count("R_rep", "replicas of the shard group in hybrid sharding", r"R_{\mathrm{rep}}")
n_grp = _count("n_grp", "ranks of the smaller group that parameters are resharded to", r"n_{\mathrm{grp}}")
n_ag = _count("n_ag", "all-gathers in one optimizer step", r"n_{\mathrm{ag}}")
n_ag_kept = _count(
    "n_ag_kept", "all-gathers in one optimizer step where backward passes leave parameters gathered", r"n_{\mathrm{ag}}^{\mathrm{kept}}"
)
n_rs = _count("n_rs", "reduce-scatters in one optimizer step", r"n_{\mathrm{rs}}")
u_all = _count("u_all", "1 if every micro-batch reduces across the replicas, 0 if only the last does", r"u_{\mathrm{all}}", low=0, high=1)
n_ar = _count("n_ar", "all-reduces across replicas in one optimizer step", r"n_{\mathrm{ar}}")
n_in = _count(
    "n_in",
    "inputs of a block that are reduced backward on their own: 4, or 2 where attention and feed-forward part each prepare one",
    r"n_{\mathrm{in}}",
)
n_tp = _count("n_tp", "all-reduces of a tensor-parallel group in one micro-batch", r"n_{\mathrm{tp}}")
n_pair = _count(
    "n_pair", "pairs of an all-gather and a reduce-scatter of a sequence-parallel group in one micro-batch", r"n_{\mathrm{pair}}"
)
n_rs_frozen = _count("n_rs_frozen", "reduce-scatters in one micro-batch where some layers are frozen", r"n_{\mathrm{rs}}^{\mathrm{frozen}}")
S_blk = _bytes("S_blk", "bytes of all wrapped blocks as they are gathered", r"S_{\mathrm{blk}}")
S_root = _letter(
    "S_root", byte, "bytes of the root group as it is gathered: embedding, last norm, head", r"S_{\mathrm{root}}", whole=True, unit="GB"
)
S_g = _bytes("S_g", "bytes of all gradients as they are reduced", "S_g")
S_ad = _bytes("S_ad", "bytes of the gradients of the adapters alone", r"S_{\mathrm{ad}}")
V_blk = _real("V_blk", byte, "bytes each rank receives when all blocks are gathered once", r"V_{\mathrm{blk}}", zero=True, unit="GB")
V_root = _real("V_root", byte, "bytes each rank receives when the root group is gathered once", r"V_{\mathrm{root}}", zero=True, unit="GB")
V_gather = _real(
    "V_gather", byte, "bytes each rank receives in all-gathers of one optimizer step", r"V_{\mathrm{gather}}", zero=True, unit="GB"
)
V_reduce = _real(
    "V_reduce", byte, "bytes each rank receives in reduce-scatters of one optimizer step", r"V_{\mathrm{reduce}}", zero=True, unit="GB"
)
V_step = _real("V_step", byte, "bytes each rank receives in one optimizer step", r"V_{\mathrm{step}}", zero=True, unit="GB")
V_small = _real(
    "V_small", byte, "bytes each rank receives when all is gathered inside the smaller group", r"V_{\mathrm{small}}", zero=True, unit="GB"
)
V_grp = _real(
    "V_grp", byte, "bytes each rank receives in a step that reshards to a smaller group", r"V_{\mathrm{grp}}", zero=True, unit="GB"
)
V_rep = _real("V_rep", byte, "bytes each rank receives in the all-reduce across replicas", r"V_{\mathrm{rep}}", zero=True, unit="GB")
V_ad = _real("V_ad", byte, "bytes each rank receives in the reduce-scatter of adapters", r"V_{\mathrm{ad}}", zero=True, unit="GB")
V_lora = _real("V_lora", byte, "bytes each rank receives in a step that trains adapters alone", r"V_{\mathrm{lora}}", zero=True, unit="GB")
V_clip = _real(
    "V_clip", byte, "bytes each rank receives when gradient norms are summed for clipping", r"V_{\mathrm{clip}}", zero=True, unit="kB"
)
V_tp = _real(
    "V_tp", byte, "bytes each rank of a tensor-parallel group receives in one micro-batch", r"V_{\mathrm{tp}}", zero=True, unit="MB"
)
V_sp = _real(
    "V_sp", byte, "bytes each rank of a sequence-parallel group receives in one micro-batch", r"V_{\mathrm{sp}}", zero=True, unit="MB"
)
x_hot = _real("x_hot", one, "how many times its even share the busiest expert's rank receives", r"x_{\mathrm{hot}}")
V_a2a = _real("V_a2a", byte, "bytes the busiest rank receives when tokens go to their experts", r"V_{\mathrm{a2a}}", zero=True, unit="MB")

# A transformer block's saved tensors, term by term.
b_n = _letter("b_n", byte, "bytes of one statistic that a norm keeps of a token; 0 where they are left out", "b_n", whole=True, unit="B")
b_in = _letter(
    "b_in", byte, "bytes of one element of a norm's input, as its kernel keeps it", r"b_{\mathrm{in}}", whole=True, low=1, unit="B"
)
b_nrm = _letter(
    "b_nrm", byte, "bytes of one element of the normalised vector; 0 where the kernel makes it again", r"b_{\mathrm{nrm}}",
    whole=True, unit="B",
)  # fmt: skip
b_l = _letter("b_l", byte, "bytes of the logarithm that a fused attention keeps of each head and token", "b_l", whole=True, low=1, unit="B")
b_f = _letter("b_f", byte, "bytes of one logit in the copy that the loss is taken from", "b_f", whole=True, low=1, unit="B")
n_wide = _count(
    "n_wide",
    "vectors of the wide size that a gated layer keeps of a token: 4 as separate kernels, 3 where gate and product are one, 2 where "
    "they are made again",
    r"n_{\mathrm{wide}}", low=2, high=4,
)  # fmt: skip
A_norm = _bytes("A_norm", "bytes the two norms of a block keep", r"A_{\mathrm{norm}}")
A_rms = _bytes("A_rms", "bytes the two RMSNorms of a block keep", r"A_{\mathrm{rms}}")
A_att = _bytes("A_att", "bytes the attention of a block keeps", r"A_{\mathrm{att}}")
A_plain = _bytes("A_plain", "bytes an attention without dropout keeps", r"A_{\mathrm{plain}}")
A_flash = _bytes("A_flash", "bytes a fused attention keeps", r"A_{\mathrm{flash}}")
A_mlp = _bytes("A_mlp", "bytes the feed-forward layer of a block keeps", r"A_{\mathrm{mlp}}")
A_gated = _bytes("A_gated", "bytes a gated feed-forward layer keeps", r"A_{\mathrm{gated}}")
A_saved = _bytes("A_saved", "bytes a block keeps, its norms' statistics included", r"A_{\mathrm{saved}}")
A_dry = _bytes("A_dry", "bytes a block without dropout keeps", r"A_{\mathrm{dry}}")
A_fused = _bytes("A_fused", "bytes a block without dropout and with a fused attention keeps", r"A_{\mathrm{fused}}")
A_llama = _bytes("A_llama", "bytes a block with grouped queries, a gate and a fused attention keeps", r"A_{\mathrm{llama}}")
b_rt = _letter(
    "b_rt", byte, "bytes of one probability that a router keeps of a token and expert", r"b_{\mathrm{rt}}", whole=True, low=1, unit="B"
)
A_mix = _bytes("A_mix", "bytes a block keeps whose feed-forward layer is a mixture of experts", r"A_{\mathrm{mix}}")
A_sel = _bytes("A_sel", "bytes a block keeps when the scores of its attention are recomputed", r"A_{\mathrm{sel}}")
A_full = _bytes("A_full", "bytes a block keeps when all of it is recomputed", r"A_{\mathrm{full}}")
A_score = _bytes("A_score", "bytes of everything a block keeps for each pair of tokens", r"A_{\mathrm{score}}")
A_tp = _real("A_tp", byte, "bytes a block keeps on a rank of a tensor-parallel group", r"A_{\mathrm{tp}}", unit="MB")
A_sp = _real(
    "A_sp", byte, "bytes a block keeps on a rank when norms and dropouts are split along the sequence too", r"A_{\mathrm{sp}}", unit="MB"
)
A_dt = _real("A_dt", byte, "bytes a block keeps on a rank when the gathered inputs of its matrices stay", r"A_{\mathrm{dt}}", unit="MB")
n_log = _count("n_log", "tensors as large as the logits that are held at a time", r"n_{\mathrm{log}}")
n_way = _count("n_way", "wide gradients that are held at a time: 1 in a plain feed-forward layer, 2 in a gated one", r"n_{\mathrm{way}}")
A_loss = _bytes("A_loss", "bytes that taking the loss holds at a time", r"A_{\mathrm{loss}}")
A_way = _bytes("A_way", "bytes of gradients on their way through a feed-forward layer", r"A_{\mathrm{way}}")
A_logits = _bytes("A_logits", "bytes of the logits and of the copy that the loss is taken from", r"A_{\mathrm{logits}}")

# The peak of a step, and what surrounds training.
M_w = _bytes("M_w", "bytes of a rank's sharded parameters", "M_w")
M_g = _letter("M_g", byte, "bytes of a rank's sharded gradients", "M_g", whole=True, unit="GB")
M_o = _bytes("M_o", "bytes of a rank's optimizer states", "M_o")
M_tmp = _letter("M_tmp", byte, "bytes of the optimizer step's temporaries", r"M_{\mathrm{tmp}}", whole=True, unit="GB")
M_over = _letter(
    "M_over", byte, "bytes that no formula here counts: context, fragmentation, libraries", r"M_{\mathrm{over}}", whole=True, unit="GB"
)
S_unit = _letter("S_unit", byte, "bytes of one wrapped unit, gathered", r"S_{\mathrm{unit}}", whole=True, unit="GB")
S_ug = _letter("S_ug", byte, "bytes of one wrapped unit's unsharded gradients", r"S_{\mathrm{ug}}", whole=True, unit="GB")
S_rg = _letter("S_rg", byte, "bytes of the root group's unsharded gradients", r"S_{\mathrm{rg}}", whole=True, unit="GB")
S_red = _letter("S_red", byte, "bytes of the buffer that a unit's gradients are reduced from", r"S_{\mathrm{red}}", whole=True, unit="GB")
S_big = _bytes("S_big", "bytes of the largest tensor that a rank holds a shard of, as held", r"S_{\mathrm{big}}")
S_prev = _letter(
    "S_prev", byte, "bytes of the shard that the optimizer took before the largest", r"S_{\mathrm{prev}}", whole=True, unit="MB"
)
S_page = _bytes("S_page", "bytes that the allocator rounds up to a multiple of", r"S_{\mathrm{page}}")
n_held = _count("n_held", "gathered units held at a moment: the one in use, its gather buffer, the next one", r"n_{\mathrm{held}}", low=0)
M_fwd1 = _bytes("M_fwd1", "peak of the first forward pass", r"M_{\mathrm{fwd1}}")
M_fwd = _bytes("M_fwd", "peak of a later forward pass", r"M_{\mathrm{fwd}}")
M_bwd = _bytes("M_bwd", "peak of the backward pass", r"M_{\mathrm{bwd}}")
M_opt = _bytes("M_opt", "peak of the optimizer step", r"M_{\mathrm{opt}}")
M_peak = _bytes("M_peak", "peak of a step over its phases", r"M_{\mathrm{peak}}")
M_each = _real("M_each", byte, "temporaries of an optimizer that takes all tensors at once", r"M_{\mathrm{each}}", unit="GB")
M_loop = _bytes("M_loop", "temporaries of an optimizer that takes tensor after tensor", r"M_{\mathrm{loop}}")
M_flat = _real("M_flat", byte, "temporaries of an optimizer on one flat shard", r"M_{\mathrm{flat}}", unit="GB")
b_buf = _real("b_buf", _B, "bytes a parameter of one buffer", r"b_{\mathrm{buf}}", unit="B/param")
M_buf = _real("M_buf", byte, "bytes of one buffer on one rank", r"M_{\mathrm{buf}}", unit="GB")
b_t = _real("b_t", _B, "bytes a parameter of an optimizer's temporary", r"b_{t}", unit="B/param")
S_round = _bytes("S_round", "bytes that the allocator takes for a tensor", r"S_{\mathrm{round}}")
M_ds2 = _real("M_ds2", byte, "what DeepSpeed's estimator says of ZeRO-2", r"M_{\mathrm{ds2}}", unit="GB")
M_ds3 = _real("M_ds3", byte, "what DeepSpeed's estimator says of ZeRO-3", r"M_{\mathrm{ds3}}", unit="GB")
M_dist = _real("M_dist", byte, "model state per rank under Megatron's distributed optimizer", r"M_{\mathrm{dist}}", unit="GB")
P_big = _letter("P_big", param, "parameters of the largest layer", r"P_{\mathrm{big}}", whole=True, low=1, unit="1e8")
C_save = _real("C_save", byte, "bytes of a checkpoint: parameters and optimizer states, no gradients", r"C_{\mathrm{save}}", unit="GB")
T_save = _real("T_save", second, "time to write a checkpoint", r"T_{\mathrm{save}}", unit="s")
M_ema = _real("M_ema", byte, "bytes per rank of a running average of the parameters, sharded", r"M_{\mathrm{ema}}", unit="GB")
n_proc = _count("n_proc", "processes on one host", r"n_{\mathrm{proc}}")
M_host = _real("M_host", byte, "host memory when every process of a host loads the whole model", r"M_{\mathrm{host}}", unit="GB")
V_up = _real("V_up", byte, "bytes that CPU offload carries to the device in one micro-batch", r"V_{\mathrm{up}}", unit="GB")
V_down = _real("V_down", byte, "bytes that CPU offload carries to the host in one micro-batch", r"V_{\mathrm{down}}", unit="GB")
n_el = _count("n_el", "elements of a communication bucket", r"n_{\mathrm{el}}")
n_buf = _count("n_buf", "buckets held at a time: 2 where communication overlaps compute", r"n_{\mathrm{buf}}")
S_bucket = _bytes("S_bucket", "bytes of the communication buckets", r"S_{\mathrm{bucket}}")
M_one = _real("M_one", byte, "peak measured on one rank", r"M_{N=1}", unit="GB")
M_two = _real("M_two", byte, "peak measured on two ranks", r"M_{N=2}", unit="GB")
M_fix = _letter(
    "M_fix", byte, "bytes that no rank shares: the part of a peak that sharding leaves", r"M_{\mathrm{fix}}", low=ANY, unit="GB"
)
M_law = _letter("M_law", byte, "peak that one and two ranks predict for N", r"M_{\mathrm{law}}", low=ANY, unit="GB")

# Degrees beside data, pipeline and tensor; and what is dealt out whole, packed or split otherwise.
N_c = _count("N_c", "context-parallel degree: ranks that share one sequence", r"N_{\mathrm{context}}")
G_mesh = _count("G_mesh", "GPUs that a mesh of named degrees takes", r"G_{\mathrm{mesh}}")
N_mesh = _count("N_mesh", "ranks that share one copy in a mesh: those of the shard and of the context degree", r"N_{\mathrm{mesh}}")
M_whole = _bytes("M_whole", "bytes on the fullest rank where equal tensors are dealt out whole", r"M_{\mathrm{whole}}")
P_exp = _letter("P_exp", param, "parameters of experts that a rank holds", r"P_{\mathrm{exp}}", whole=True, low=1, unit="1e9")
N_e = _count("N_e", "expert-parallel degree: ranks that share out the experts", r"N_{\mathrm{expert}}")
M_moe = _real(
    "M_moe", byte, "model state per rank of a mixture of experts under Megatron's distributed optimizer", r"M_{\mathrm{moe}}", unit="GB"
)
x_host = _real("x_host", one, "how many times what it holds an estimator asks of the host, to be safe", r"x_{\mathrm{host}}")
M_dsh = _real("M_dsh", byte, "host memory that DeepSpeed's estimator asks for under offload", r"M_{\mathrm{dsh}}", unit="GB")
z_step = _way("z_step", "smallest ZeRO stage whose optimizer step fits the budget", r"z_{\mathrm{step}}", *STAGES)
n_chk = _count("n_chk", "chunks of the model that a pipeline stage holds: 1 where nothing is interleaved", r"n_{\mathrm{chk}}")
A_first = _real("A_first", byte, "bytes of activations that the first pipeline stage keeps", r"A_{\mathrm{first}}", unit="GB")
A_tps = _real("A_tps", byte, "bytes a tensor-parallel block keeps on a rank when scores are recomputed", r"A_{\mathrm{tps}}", unit="MB")
A_sps = _real("A_sps", byte, "bytes a sequence-parallel block keeps on a rank when scores are recomputed", r"A_{\mathrm{sps}}", unit="MB")
A_spf = _real("A_spf", byte, "bytes a sequence-parallel block keeps on a rank when all of it is recomputed", r"A_{\mathrm{spf}}", unit="MB")
s_sum = _count("s_sum", "tokens of all sequences that a rank packs together", r"s_{\Sigma}")
s_sq = _count("s_sq", "the squares of the packed sequences' lengths, added up: pairs of tokens that can meet", r"s_{\Sigma^2}")
A_pack = _bytes("A_pack", "bytes a block keeps of packed sequences", r"A_{\mathrm{pack}}")

# Collectives in time: a latency for each message, then its bytes.
T_lat = _real("T_lat", second, "latency of one message", r"T_{\mathrm{lat}}", unit="ms")
T_msg = _real("T_msg", second, "time of one message, latency and bytes", r"T_{\mathrm{msg}}", unit="ms")
T_rag = _real("T_rag", second, "time of an all-gather in a ring, latencies included", r"T_{\mathrm{rag}}", zero=True, unit="ms")
T_rar = _real("T_rar", second, "time of an all-reduce in a ring, latencies included", r"T_{\mathrm{rar}}", zero=True, unit="ms")
T_tree = _real("T_tree", second, "time of an all-reduce in a tree, latencies included", r"T_{\mathrm{tree}}", zero=True, unit="ms")
T_rrs = _real("T_rrs", second, "time of a reduce-scatter in a ring, latencies included", r"T_{\mathrm{rrs}}", zero=True, unit="ms")
T_a2a = _real("T_a2a", second, "time of an all-to-all, latencies included", r"T_{\mathrm{a2a}}", zero=True, unit="ms")
n_link = _count("n_link", "network links of one node", r"n_{\mathrm{link}}")
W_net = _real("W_net", byte / second, "bandwidth of one link between nodes, in one direction", r"W_{\mathrm{net}}", unit="GB/s")
T_net = _real("T_net", second, "latency of one message between nodes", r"T_{\mathrm{net}}", unit="ms")
T_far = _real("T_far", second, "time of one message between nodes, latency and bytes", r"T_{\mathrm{far}}", unit="ms")
T_flat = _real("T_flat", second, "time of an all-reduce in rings through all GPUs of all nodes", r"T_{\mathrm{flat}}", zero=True, unit="ms")
T_hier = _real("T_hier", second, "time of an all-reduce inside nodes and across them in turn", r"T_{\mathrm{hier}}", zero=True, unit="ms")
T_out = _real("T_out", second, "time of an all-gather among ranks that sit in a node each", r"T_{\mathrm{out}}", zero=True, unit="ms")
x_out = _real("x_out", one, "how many times as long an all-gather across nodes takes as one inside a node", r"x_{\mathrm{out}}")
S_cross = _real("S_cross", byte, "bytes that a ring and a tree all-reduce in the same time", r"S_{\times}", zero=True, unit="MB")
treed = _flag("treed", "whether a tree is faster than a ring")
W_alg = _real("W_alg", byte / second, "algorithm bandwidth of a collective", r"W_{\mathrm{alg}}", unit="GB/s")
W_bus = _real("W_bus", byte / second, "bus bandwidth of an all-reduce", r"W_{\mathrm{bus}}", zero=True, unit="GB/s")
x_lat = _real("x_lat", one, "share of a message's time that is latency; the rest is its efficiency", r"x_{\mathrm{lat}}", high=1)
S_eff = _real("S_eff", byte, "bytes of a bucket that reaches an efficiency", r"S_{\mathrm{eff}}", zero=True, unit="MB")

# FLOPs, and what becomes of them: the time, the utilisation and the price of a run.
n_op = _letter(
    "n_op", flop, "operations of one multiply-add: a product and a sum", r"n_{\mathrm{op}}", whole=True, low=2, high=2, unit="2 FLOP"
)
x_pair = _real("x_pair", one, "share of the pairs of tokens whose scores are computed", r"x_{\mathrm{pair}}", high=1, unit="0.5")
x_att = _real(
    "x_att", one, "attention's backward over its forward pass: 2, or 5/2 where its scores are made again on the way",
    r"x_{\mathrm{att}}", unit="5/2",
)  # fmt: skip
u_lin = _count("u_lin", "1 if the block's matrices are computed once more for the backward pass", r"u_{\mathrm{lin}}", low=0, high=1)
u_core = _count("u_core", "1 if attention's scores are computed once more for the backward pass", r"u_{\mathrm{core}}", low=0, high=1)
F_lin = _real("F_lin", flop, "operations of a block's matrices forward, for one micro-batch", r"F_{\mathrm{lin}}", unit="TFLOP")
F_core = _real(
    "F_core", flop, "operations of attention's scores and weighted sums forward, for one micro-batch", r"F_{\mathrm{core}}", unit="TFLOP"
)
F_head = _real("F_head", flop, "operations of the logits forward, for one micro-batch", r"F_{\mathrm{head}}", unit="TFLOP")
F_blk = _real("F_blk", flop, "operations of a block forward, for one micro-batch", r"F_{\mathrm{blk}}", unit="TFLOP")
F_back = _real("F_back", flop, "operations of a block backward, for one micro-batch", r"F_{\mathrm{back}}", unit="TFLOP")
F_re = _real("F_re", flop, "operations that recomputing adds to a block, for one micro-batch", r"F_{\mathrm{re}}", zero=True, unit="TFLOP")
F_step = _real(
    "F_step", flop, "operations of one micro-batch, forward and backward, recomputed ones included", r"F_{\mathrm{step}}", unit="PFLOP"
)
F_gpt = _real("F_gpt", flop, "operations of one step of a model of GPT's form", r"F_{\mathrm{gpt}}", unit="PFLOP")
F_model = _real("F_model", flop, "operations that training asks for, counted by parameters and tokens", r"F_{\mathrm{model}}", unit="PFLOP")
x_six = _real("x_six", one, "operations counted term by term over those counted by parameters and tokens", r"x_{6PT}")
n_tok = _count("n_tok", "tokens that a model is trained on", r"n_{\mathrm{tok}}")
y_tok = _real("y_tok", 1 / second, "tokens a second of all GPUs together", r"y_{\mathrm{tok}}", unit="tokens/s")
X_peak = _real("X_peak", flop / second, "peak operations a second of one GPU, dense", r"X_{\mathrm{peak}}", unit="TFLOPS")
X_fp8 = _real("X_fp8", flop / second, "peak operations a second of one GPU in fp8, dense", r"X_{\mathrm{fp8}}", unit="TFLOPS")
X_gpu = _real("X_gpu", flop / second, "operations a second that one GPU delivers in training", r"X_{\mathrm{gpu}}", unit="TFLOPS")
x_mfu = _real("x_mfu", one, "model FLOPs utilisation: the share of the peak that training asks for", r"x_{\mathrm{MFU}}", unit="40 %")
x_hfu = _real(
    "x_hfu", one, "hardware FLOPs utilisation: the share of the peak that is computed, recomputed operations included",
    r"x_{\mathrm{HFU}}", unit="40 %",
)  # fmt: skip
T_train = _real("T_train", second, "time of a whole training run", r"T_{\mathrm{train}}", unit="d")
T_gpu = _real("T_gpu", second, "GPU time of a run: that of all its GPUs added up", r"T_{\mathrm{gpu}}", unit="h")
c_gpu = _real("c_gpu", usd / second, "price of one GPU for a time", r"c_{\mathrm{gpu}}", unit="USD/h")
C_run = _real("C_run", usd, "price of a run", r"C_{\mathrm{run}}", unit="USD")

# Hiding communication: what a layer computes beside what the link carries.
F = _real("F", flop, "operations that a GPU computes", unit="TFLOP")
b_r = _letter("b_r", byte, "bytes of one element of a gradient as it is reduced", "b_r", whole=True, low=1, unit="B")
n_crit = _real("n_crit", one, "tokens of a micro-batch from which on a gather hides in the forward pass", r"n_{\mathrm{crit}}")
n_back = _real("n_back", one, "tokens of a micro-batch from which on gather and reduction hide in the backward pass", r"n_{\mathrm{back}}")
W_even = _real("W_even", byte / second, "slowest link on which a gather hides in the forward pass", r"W_{\mathrm{even}}", unit="GB/s")
T_lf = _real("T_lf", second, "time that one layer computes forward", r"T_{\mathrm{lf}}", unit="ms")
T_lb = _real("T_lb", second, "time that one layer computes backward", r"T_{\mathrm{lb}}", unit="ms")
T_rs = _real("T_rs", second, "time of a reduce-scatter on the link", r"T_{\mathrm{rs}}", zero=True, unit="ms")
T_fwd = _real("T_fwd", second, "time of a forward pass that gathers the next layer while one computes", r"T_{\mathrm{fwd}}", unit="ms")
T_bwd = _real(
    "T_bwd", second, "time of a backward pass that gathers the next layer and reduces the last while one computes",
    r"T_{\mathrm{bwd}}", unit="ms",
)  # fmt: skip
n_bkt = _count("n_bkt", "buckets that gradients are reduced in", r"n_{\mathrm{bkt}}")
k_bkt = _count("k_bkt", "layers of one bucket", r"k_{\mathrm{bkt}}")
T_lr = _real("T_lr", second, "time that one layer's gradients are on the link", r"T_{\mathrm{lr}}", zero=True, unit="ms")
T_bkt = _real("T_bkt", second, "time of a backward pass that reduces gradients bucket by bucket", r"T_{\mathrm{bkt}}", unit="ms")

# A plan: one stage of a pipeline on one rank, and a step in seconds.
L_st = _count("L_st", "layers of a pipeline stage", r"L_{\mathrm{st}}")
P_lay = _letter("P_lay", param, "parameters of one layer of a stage", r"P_{\mathrm{lay}}", whole=True, low=1, unit="1e9")
P_end = _letter(
    "P_end", param, "parameters of a stage outside its layers: embedding, head, last norm", r"P_{\mathrm{end}}", whole=True, unit="1e9"
)  # fmt: skip
n_live = _count("n_live", "chunks of micro-batches in flight on a stage: gone forward, and not yet back", r"n_{\mathrm{live}}")
n_w = _count("n_w", "ranks that share the parameters", "n_w")
n_g = _count("n_g", "ranks that share the gradients", "n_g")
n_o = _count("n_o", "ranks that share master copy and optimizer states", "n_o")
A_more = _letter(
    "A_more", byte, "bytes of activations beside what blocks keep: a block that is run again, or logits", r"A_{\mathrm{more}}", unit="GB"
)  # fmt: skip
M_st = _real("M_st", byte, "peak bytes of one rank of a pipeline stage", r"M_{\mathrm{st}}", unit="GB")
W_mem = _real("W_mem", byte / second, "bandwidth of a GPU's memory", r"W_{\mathrm{mem}}", unit="GB/s")
x_gemm = _real("x_gemm", one, "share of the dense peak that matrix products reach", r"x_{\mathrm{gemm}}", high=1)
x_tp = _real("x_tp", one, "share of the node's link that a tensor group reaches", r"x_{\mathrm{tp}}", high=1)
x_dp = _real("x_dp", one, "share of their links that all other groups reach", r"x_{\mathrm{dp}}", high=1)
x_mem = _real("x_mem", one, "share of the memory's bandwidth that elementwise kernels reach", r"x_{\mathrm{mem}}", high=1)
T_lay = _real("T_lay", second, "time that a layer costs in each pass whatever its size", r"T_{\mathrm{lay}}", zero=True, unit="ms")
F_seq = _real(
    "F_seq", flop, "operations of a block for one sequence: forward, backward, and what is run again", r"F_{\mathrm{seq}}", unit="TFLOP"
)  # fmt: skip
F_log = _real("F_log", flop, "operations of the logits of one sequence, forward and backward", r"F_{\mathrm{log}}", zero=True, unit="TFLOP")
V_hid = _real(
    "V_hid", byte, "bytes of hidden vectors that a tensor group passes on for a block and a sequence", r"V_{\mathrm{hid}}", unit="GB"
)  # fmt: skip
V_ctx = _real(
    "V_ctx", byte, "bytes of keys and values that a context group passes on for a block and a sequence", r"V_{\mathrm{ctx}}", unit="GB"
)  # fmt: skip
V_hop = _real("V_hop", byte, "bytes of one sequence's hidden vectors from one stage to the next", r"V_{\mathrm{hop}}", unit="GB")
D_blk = _real("D_blk", byte, "bytes that a block's elementwise kernels pass through memory for a sequence", r"D_{\mathrm{blk}}", unit="GB")
n_pass = _count(
    "n_pass", "passes through a layer: one forward, two backward, and one more where it is run again", r"n_{\mathrm{pass}}", low=3
)  # fmt: skip
W_con = _real("W_con", byte / second, "bandwidth of a context group", r"W_{\mathrm{con}}", unit="GB/s")
W_shd = _real("W_shd", byte / second, "bandwidth of a shard group", r"W_{\mathrm{shd}}", unit="GB/s")
W_rep = _real("W_rep", byte / second, "bandwidth among replicas", r"W_{\mathrm{rep}}", unit="GB/s")
n_near = _count("n_near", "ranks of an expert group that sit in one node", r"n_{\mathrm{near}}")
n_swap = _count("n_swap", "exchanges of a layer's tokens in which they go to their experts, or come back", r"n_{\mathrm{swap}}")
T_exp = _real(
    "T_exp", second, "time of a micro-batch on one stage in which its tokens go to their experts and come back", r"T_{\mathrm{exp}}",
    zero=True, unit="ms",
)  # fmt: skip
T_mb = _real("T_mb", second, "time of a micro-batch on one stage, forward and backward", r"T_{\mathrm{mb}}", unit="s")
T_gat = _real("T_gat", second, "time to gather a stage's parameters", r"T_{\mathrm{gat}}", zero=True, unit="s")
T_red = _real("T_red", second, "time to reduce a stage's gradients", r"T_{\mathrm{red}}", zero=True, unit="s")
T_show = _real("T_show", second, "time of a step in which gathers and reductions are not hidden", r"T_{\mathrm{show}}", zero=True, unit="s")
T_opt = _real("T_opt", second, "time of the optimizer on a rank", r"T_{\mathrm{opt}}", unit="ms")
T_run = _real("T_run", second, "time of a step through the pipeline, communication included", r"T_{\mathrm{run}}", unit="s")
u_last = _flag("u_last", "1 on the stage that ends in the logits")
u_hop = _flag("u_hop", "1 if there is another pipeline stage to hand to")
u_w = _flag("u_w", "1 if parameters are shared out, and gathered to be used")
u_g = _flag("u_g", "1 if gradients are shared out")
u_ar = _flag("u_ar", "1 if gradients are reduced whole on every rank, 0 if each rank keeps its share")
K_gat = _count("K_gat", "micro-batches of a step that gather parameters before their forward pass", r"K_{\mathrm{gat}}", low=0)
K_red = _count("K_red", "micro-batches of a step that reduce gradients", r"K_{\mathrm{red}}")

# A pipeline: how long its step takes, what stands idle in it, what each stage keeps.
t_f = _real("t_f", second, "time of one micro-batch's forward pass on one pipeline stage", "t_f", unit="ms")
t_b = _real("t_b", second, "time of one micro-batch's backward pass on one pipeline stage", "t_b", unit="ms")
x_slow = _letter("x_slow", one, "how many times another stage's time the slowest pipeline stage takes", r"x_{\mathrm{slow}}", low=1)
n_stage = _count("n_stage", "the number of a pipeline stage, from 0", r"n_{\mathrm{stage}}", low=0)
T_pipe = _real("T_pipe", second, "time of a step through a pipeline of equal stages", r"T_{\mathrm{pipe}}", unit="ms")
T_slow = _real("T_slow", second, "time of a step through a pipeline with one slower stage", r"T_{\mathrm{slow}}", unit="ms")
T_chk = _real("T_chk", second, "time of a step through a pipeline whose stages hold interleaved chunks", r"T_{\mathrm{chk}}", unit="ms")
beta_ideal = _real(
    "beta_ideal", one, "pipeline bubble over the ideal time, in which a stage works", r"\beta_{\mathrm{ideal}}", zero=True, unit="21.9 %"
)
beta_total = _real(
    "beta_total", one, "pipeline bubble over the total time of the step", r"\beta_{\mathrm{total}}", zero=True, high=1, unit="17.9 %"
)
beta_chk = _real(
    "beta_chk", one, "bubble of an interleaved pipeline over the ideal time", r"\beta_{\mathrm{ideal}}^{\mathrm{chk}}",
    zero=True, unit="5.5 %",
)  # fmt: skip
beta_chk_total = _real(
    "beta_chk_total", one, "bubble of an interleaved pipeline over the total time of the step", r"\beta_{\mathrm{total}}^{\mathrm{chk}}",
    zero=True, high=1, unit="5.2 %",
)  # fmt: skip
n_fly = _count("n_fly", "micro-batches whose activations a stage keeps at a time", r"n_{\mathrm{fly}}")
n_gpipe = _count("n_gpipe", "micro-batches whose activations a stage keeps at a time under GPipe", r"n_{\mathrm{gpipe}}")
n_fly_chk = _count(
    "n_fly_chk", "chunks in flight at a time on the first stage of an interleaved pipeline", r"n_{\mathrm{fly}}^{\mathrm{chk}}"
)
L_stage = _count("L_stage", "layers on the fullest pipeline stage", r"L_{\mathrm{stage}}")
L_ends = _count("L_ends", "layers' places on the fullest stage, embedding and head taking one each", r"L_{\mathrm{ends}}")
A_stage = _bytes("A_stage", "bytes of activations that a pipeline stage keeps", r"A_{\mathrm{stage}}")
A_gpipe = _bytes("A_gpipe", "bytes of activations that a pipeline stage keeps under GPipe", r"A_{\mathrm{gpipe}}")
V_hand = _real("V_hand", byte, "bytes that one pipeline stage hands the next for one micro-batch", r"V_{\mathrm{hand}}", unit="MB")
V_hand_t = _real(
    "V_hand_t", byte, "bytes that a rank hands the next stage where a sequence is split over the tensor group",
    r"V_{\mathrm{hand}}^{\mathrm{split}}", unit="MB",
)  # fmt: skip
V_pipe = _real("V_pipe", byte, "bytes a rank of a middle pipeline stage receives in a step", r"V_{\mathrm{pipe}}", unit="GB")
V_kv = _real(
    "V_kv", byte, "bytes of keys and values each rank receives in one layer's forward pass under context parallelism", r"V_{\mathrm{kv}}",
    zero=True, unit="MB",
)  # fmt: skip
V_kvb = _real(
    "V_kvb", byte, "bytes of keys, values and their gradients each rank receives in one layer's backward pass under context parallelism",
    r"V_{\mathrm{kv}}^{\mathrm{back}}", zero=True, unit="MB",
)  # fmt: skip
n_copy = _count("n_copy", "copies of each expert among the ranks of one stage and tensor slot", r"n_{\mathrm{copy}}")

# Sharding over several nodes: within a node, or over all of them.
T_full = _real(
    "T_full", second, "time of a step's collectives where all ranks of all nodes share one copy", r"T_{\mathrm{full}}", unit="ms"
)
T_hyb = _real(
    "T_hyb", second, "time of a step's collectives where each node shares one copy: hybrid sharding", r"T_{\mathrm{hyb}}", unit="ms"
)
M_hyb = _real("M_hyb", byte, "model state per rank under hybrid sharding: one copy in each node", r"M_{\mathrm{hyb}}", unit="GB")
abreast = _flag("abreast", "whether hybrid sharding is no slower than sharding over all ranks")
z_win = _way(
    "z_win", "what wins: 0 data parallel, 1 to 3 that ZeRO stage over all ranks, 4 hybrid sharding (HSDP)", r"z_{\mathrm{win}}",
    *STAGES, "HSDP",
)  # fmt: skip

# Letters that have one value: nobody needs to be given it.
FIXED: Final = {entry.symbol: entry.low for entry in LETTERS.values() if entry.low == entry.high}


def letter(symbol: Symbol) -> Letter:
    """The vocabulary's entry for a symbol."""
    try:
        return LETTERS[symbol]
    except KeyError:
        raise UnknownName("letter", str(symbol), (s.name for s in LETTERS)) from None


@cache
def symbol_named(name: str) -> Symbol:
    """The symbol typed as `name`."""
    for symbol in LETTERS:
        if symbol.name == name:
            return symbol
    raise UnknownName("letter", name, (s.name for s in LETTERS), "fsdp-sym list letters shows them all")


def read_value(symbol: Symbol, given: object) -> Amount:
    """A value for a letter, from what a person writes: ``"80 GB"``, ``8``, ``Fraction(3, 8)``, an `Amount`.

    Raises
    ------
    UnreadableAmount, DimensionError, OutOfRange
        In one line that names the letter, what was wrong and what to write.
    """
    entry = letter(symbol)
    match given:
        case Amount():
            amount = given
        case str() if entry.dimension == one and given.strip() in ("oo", "inf", "∞") and entry.high is None:
            return Amount(oo)
        case str():
            try:
                amount = parse_amount(given)
            except UnreadableAmount as error:
                raise UnreadableAmount(f"{entry.name}: {error}") from None
        case _ if given == oo and entry.dimension == one and entry.high is None:
            return Amount(oo)
        case _:
            number = to_exact(given)
            # A bare number in code is already in base units.
            amount = Amount(number, entry.dimension)
    fitted = as_dimension(amount, entry.dimension)
    if fitted is None:
        plain = not entry.unit or entry.unit[0].isdigit()
        remedy = f"write {entry.typed}" if plain else f"write it in {entry.unit}, such as {entry.typed}"
        if isinstance(given, str) and (billions := _BILLIONS.fullmatch(given)) and entry.dimension in (one, param):
            remedy = f"write {entry.name}={billions[1]}B for billions, with a capital B and no space"
        raise DimensionError(
            f"{entry.name} ({entry.says}) wants {dimension_name(entry.dimension)}, and "
            f"{str(given)[:40]!r} is {dimension_name(amount.dimension)}: {remedy}"
        )
    if not entry.holds(fitted.value):
        raise OutOfRange(f"{entry.name} = {show(fitted)} is out of range: {entry.says}; it is {entry.range_text}")
    return fitted
