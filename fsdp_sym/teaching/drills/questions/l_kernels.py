"""What kernels, recomputation and the loss keep (cell L): more of its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import N_t, b_a, b_f, b_in, b_n, b_nrm, b_rt, d, f, n_act, n_exp, n_log, n_way, n_wide, s_sq, s_sum, v
from ..givens import Draws
from ..value import Value
from .l_blocks import BATCH, BYTES, ELEMENTS, GROUPED, SHAPE, TOKENS

_WHOLE = f"{BATCH} A block with a feed-forward width of [[f]] and [[a]] heads has dropout and spells out its scores. {ELEMENTS} Its norms keep two statistics of [[b_n]] a token each, beside their inputs."
_BLOCK: Draws = {**TOKENS, **SHAPE, f: ("49152",), **BYTES, b_n: ("2 B",)}
_SPLIT: Draws = {**_BLOCK, N_t: ("2", "4", "8")}

KERNELS = (
    Value(
        "L-plain-attention", "L", "compute", "plain_attention_activations",
        f"{BATCH} An attention without dropout has [[a]] heads. Of each token it keeps five hidden vectors, and of each head and ordered pair of tokens the softmax, [[b_a]] an element. How much is that?", "GB", {**TOKENS, **SHAPE, b_a: ("2 B",)},
    ),
    Value(
        "L-dry", "L", "compute", "dry_activations",
        f"{BATCH} A block with a feed-forward width of [[f]] and [[a]] heads has no dropout and spells out its scores. An activation takes [[b_a]] an element, and its norms keep two statistics of [[b_n]] a token each, beside their inputs. How much does it keep?",
        "GB", {**TOKENS, **SHAPE, f: ("49152",), b_a: ("2 B",), b_n: ("2 B",)},
    ),
    Value(
        "L-fused-block", "L", "compute", "fused_activations",
        f"{BATCH} A block without dropout has a feed-forward width of [[f]] and a fused attention with [[a]] heads of [[d_h]], and [[a_kv]] heads of keys and values. An activation takes [[b_a]] an element, the logarithm of each head and token [[b_l]], and its norms keep two statistics of [[b_n]] a token each. How much does it keep?",
        "GB", {**TOKENS, **GROUPED, f: ("16384",), b_n: ("2 B",)},
    ),
    Value(
        "L-rms", "L", "compute", "rms_norm_activations",
        f"{BATCH} Each of a block's two RMSNorms keeps its input at [[b_in]] an element, the normalised vector at [[b_nrm]], and a statistic of [[b_n]] a token. How much do both keep?", "MB", {**TOKENS, d: ("4096", "5120", "8192"), b_in: ("4 B", "2 B"), b_nrm: ("2 B",), b_n: ("4 B",)},
    ),
    Value(
        "L-grouped-block", "L", "compute", "llama_activations",
        f"{BATCH} A block has RMSNorms that keep their input at [[b_in]] an element, the normalised vector at [[b_nrm]] and a statistic of [[b_n]] a token; a fused attention with [[a]] heads of [[d_h]], [[a_kv]] heads of keys and values, and a logarithm of [[b_l]] for each head and token; "
        "and a gated feed-forward layer of width [[f]] that keeps its input and [[n_wide]] wide tensors. Activations take [[b_a]]. How much does it keep?",
        "GB", {**TOKENS, **GROUPED, f: ("11008", "14336"), b_in: ("4 B",), b_nrm: ("2 B",), b_n: ("4 B",), n_wide: ("3", "4")},
    ),
    Value(
        "L-mixture", "L", "compute", "mixture_activations",
        f"{BATCH} A block has RMSNorms that keep their input at [[b_in]] an element, [[b_nrm]] of the normalised vector and a statistic of [[b_n]] a token; a fused attention with [[a]] heads of [[d_h]], [[a_kv]] heads of keys and values, and a logarithm of [[b_l]] for each head and token; "
        "and [[n_exp]] experts, of which each token is sent to [[n_act]]. The router keeps its input, and a probability of [[b_rt]] for each expert and token. An expert of width [[f]] keeps the copy that it was sent, [[n_wide]] wide tensors, and what it gives back to be weighted. Activations take [[b_a]]. How much does the block keep?",
        "GB", {**TOKENS, **GROUPED, f: ("11008", "14336"), b_in: ("2 B",), b_nrm: ("0 B",), b_n: ("4 B",), b_rt: ("4 B",), n_wide: ("2", "4"), n_exp: ("8", "16"), n_act: ("2", "4")},
    ),
    Value(
        "L-on-the-way", "L", "compute", "gradients_on_the_way",
        f"{BATCH} While a gated feed-forward layer of width [[f]] is turned back, the hidden gradient that came in and [[n_way]] wide gradients are held, [[b_a]] an element. How much is that?", "MB", {**TOKENS, d: ("4096", "5120"), f: ("11008", "14336"), b_a: ("2 B", "4 B"), n_way: ("2",)},
    ),
    Value(
        "L-loss", "L", "compute", "loss_activations",
        "A micro-batch has [[b]] sequences of [[s]] tokens, and the vocabulary has [[v]] words. While the loss is taken, [[n_log]] tensors of the logits' size are held at a time, [[b_f]] an element. How much is that?", "GB", {**TOKENS, v: ("32000", "128256", "151936", "256000"), b_f: ("4 B",), n_log: ("3", "4")},
    ),
    Value("L-selective", "L", "compute", "selective_recompute", f"{_WHOLE} The scores alone are computed again in the backward pass. How much does the block keep?", "GB", _BLOCK),
    Value("L-recomputed", "L", "compute", "full_recompute", f"{BATCH} A block is computed again in full, from its input of [[b_a]] an element. How much does it keep?", "MB", {**TOKENS, d: ("4096", "6144", "12288"), b_a: ("2 B", "4 B")}),
    Value("L-sequence-parallel", "L", "compute", "sequence_parallel_activations", f"{_WHOLE} It is split over [[N_t]] ranks, norms and dropouts along the sequence, and gathered inputs are let go. How much does a rank keep?", "GB", _SPLIT),
    Value("L-gathered-kept", "L", "compute", "dtensor_activations", f"{_WHOLE} It is split over [[N_t]] ranks, norms and dropouts along the sequence, but the gathered inputs of the first matrices of both halves stay on every rank. How much does a rank keep?", "GB", _SPLIT),
    Value("L-selective-split", "L", "compute", "tensor_selective", f"{_WHOLE} It is split over [[N_t]] ranks by tensor parallelism alone, and each rank computes its scores again in the backward pass. How much does a rank keep?", "GB", _SPLIT),
    Value("L-selective-sequence", "L", "compute", "sequence_selective", f"{_WHOLE} It is split over [[N_t]] ranks, norms and dropouts along the sequence, and each rank computes its scores again in the backward pass. How much does a rank keep?", "MB", _SPLIT),
    Value("L-recomputed-sequence", "L", "compute", "sequence_recompute", f"{BATCH} A block is split along the sequence over [[N_t]] ranks and computed again in full, from its input of [[b_a]] an element. How much does a rank keep?", "MB", {**TOKENS, d: ("4096", "6144", "12288"), b_a: ("2 B", "4 B"), N_t: ("4", "8")}),
    Value(
        "L-packed", "L", "compute", "packed_activations",
        f"Sequences that do not attend to each other are packed together: [[s_sum]] tokens, whose lengths have squares that add up to [[s_sq]]. A block with a hidden size of [[d]], a feed-forward width of [[f]] and [[a]] heads has dropout and spells out its scores. {ELEMENTS} Its norms keep two statistics of [[b_n]] a token each, beside their inputs. How much does it keep?",
        "GB", {s_sum: ("4096", "6144", "8192"), s_sq: ("5000000", "7000000", "9000000", "12000000"), **SHAPE, f: ("49152",), **BYTES, b_n: ("2 B",)},
    ),
)  # fmt: skip
