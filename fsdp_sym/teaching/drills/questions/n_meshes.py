"""Reality check (cell N): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import B, K_mb, L, N_c, N_d, N_p, N_t, P_split, P_whole, R_rep, b, b_a, d, n_in, r, s, u_root, u_sync
from ...misconceptions.exact_principles import SPLIT
from ...misconceptions.principles import COLLECTIVES, LAYERS, PRODUCT, SHARD_GROUP, SHARED_OUT
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine

_MESH = "[[N_d]] data-parallel ranks, [[N_p]] pipeline stages and tensor groups of [[N_t]] train a model. Tensor parallelism splits [[P_split]] of its parameters and leaves [[P_whole]] whole on every rank of a group; a parameter keeps [[B]] of state, which the data-parallel ranks shard."
_DEGREES: Draws = {N_d: ("4", "8", "16", "32"), N_p: ("2", "4", "8"), N_t: ("2", "4", "8")}
_MEETS = "A tensor group of [[N_t]] runs [[L]] blocks of hidden size [[d]] on [[b]] sequences of [[s]] tokens, [[b_a]] an element. In each block it all-reduces the output of the attention and of the feed-forward layer, and backward the gradients of [[n_in]] inputs, a hidden vector a token each time."

_COLLECTIVES = Chain(
    "collectives-of-two-groups",
    "A rank belongs to a tensor group and to a shard group of FSDP2, which wraps the [[L]] blocks of its model one by one, leaves the rest to a root group, frees blocks after their forward pass and keeps the root group until the end of the backward pass. "
    "The tensor group all-reduces, in each block, the output of the attention and of the feed-forward layer, and backward the gradients of [[n_in]] inputs. An optimizer step has [[K_mb]] micro-batch. Worked out are the tensor group's all-reduces, the shard group's all-gathers, and its reduce-scatters.",
    (("tensor_parallel_reduces", ""), ("gathers_in_step", ""), ("scatters_in_step", "")),
    {L: ("22", "24", "32", "40", "80", "126"), n_in: ("3", "4", "5"), K_mb: ("1",), r: ("1",), u_root: ("0",), u_sync: ("1",)},
)  # fmt: skip

MESHES = (
    Value(
        "N-mesh", "N", "compute", "replicated_over_tensor", f"{_MESH} How much state does a rank hold?", "GB",
        {**_DEGREES, P_split: ("60e9", "66e9", "170e9"), P_whole: ("1e9", "2e9", "3e9"), B: ("16 B/param", "18 B/param")},
    ),
    Value(
        "N-meetings", "N", "compute", "tensor_parallel_reduces",
        "A tensor group runs [[L]] blocks. In each block it all-reduces the output of the attention and of the feed-forward layer, and backward the gradients of [[n_in]] inputs. How often does it meet in one micro-batch?", "", {L: ("24", "32", "40", "80", "126"), n_in: ("3", "4", "5")},
    ),
    Value(
        "N-tensor-traffic", "N", "compute", "tensor_parallel_traffic", f"{_MEETS} How much does each rank receive in one micro-batch?", "GB",
        {N_t: ("4", "8", "6"), L: ("24", "32", "40"), d: ("4096", "8192", "5120"), b: ("2", "3", "5"), s: ("2048", "4096"), b_a: ("2 B",), n_in: ("4", "5")},
    ),
    Value(
        "N-pairs", "N", "compute", "sequence_parallel_pairs",
        "A tensor group splits the tokens as well: each half of a block, attention and feed-forward layer, gathers its input and scatters its output, and backward the other way round. How many pairs of a gather and a scatter do [[L]] blocks take in one micro-batch?",
        "", {L: ("22", "24", "32", "40", "80", "126")},
    ),
    Value(
        "N-sequence-traffic", "N", "compute", "sequence_parallel_traffic",
        "A tensor group of [[N_t]] runs [[L]] blocks of hidden size [[d]] on [[b]] sequences of [[s]] tokens, [[b_a]] an element, and splits the tokens as well: each half of a block gathers a hidden vector a token and scatters as much, and backward the other way round. How much does each rank receive in one micro-batch?",
        "GB", {N_t: ("4", "8", "6"), L: ("24", "32", "40"), d: ("4096", "8192", "5120"), b: ("2", "3", "5"), s: ("2048", "4096"), b_a: ("2 B",)},
    ),
    Written(
        "N-write-mesh", "N", "replicated_over_tensor",
        "N_d data-parallel ranks, [[N_p]] pipeline stages and tensor groups of [[N_t]] train a model. Tensor parallelism splits P_split of its parameters and leaves P_whole whole on every rank of a group; a parameter keeps [[B]] of state, which the data-parallel ranks shard. How many bytes of state does a rank hold?",
        {N_p: ("2", "4", "8"), N_t: ("2", "4", "8"), B: ("16 B/param", "18 B/param")},
    ),
    WrongLine("N-wrong-line", "N", _COLLECTIVES),
    Faded("N-faded", "N", _COLLECTIVES, 2),
    Justify(
        "N-principle", "N",
        (
            Reason("replicated_over_tensor", 0, SPLIT, (PRODUCT, SHARED_OUT, SHARD_GROUP)),
            Reason("tensor_parallel_reduces", 0, COLLECTIVES, (LAYERS,)),
        ),
    ),
    Value(
        "N-mesh-size", "N", "compute", "mesh_size",
        "A mesh has [[R_rep]] replicas, a shard degree of [[N_d]], a context degree of [[N_c]], [[N_p]] pipeline stages and tensor groups of [[N_t]]. How many GPUs does it take?", "",
        {R_rep: ("2", "3", "4"), N_d: ("8", "12", "16"), N_c: ("2", "4", "8"), N_p: ("2", "4"), N_t: ("2", "4", "8")},
    ),
    Value(
        "N-mesh-copy", "N", "compute", "mesh_shard_group",
        "A mesh has a shard degree of [[N_d]] and a context degree of [[N_c]]. How many ranks share one copy of the parameters?", "",
        {N_d: ("4", "6", "8", "12", "16", "32"), N_c: ("2", "4", "8", "16")},
    ),
)  # fmt: skip
