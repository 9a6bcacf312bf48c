"""The peak of a step over its phases as one expression: every buffer in it unfolded down to the shape of the model."""

from __future__ import annotations

from sympy import Expr, Symbol

from fsdp_sym.algebra.formula import Formula
from fsdp_sym.algebra.vocabulary import (
    A_all,
    L,
    M_bwd,
    M_fwd,
    M_g,
    M_o,
    M_opt,
    M_peak,
    M_tmp,
    M_w,
    N,
    P,
    P_block,
    P_ends,
    S_red,
    S_rg,
    S_root,
    S_ug,
    S_unit,
    a,
    a_kv,
    b,
    b_a,
    b_buf,
    b_c,
    b_e,
    b_f,
    b_g,
    b_in,
    b_l,
    b_m,
    b_n,
    b_nrm,
    b_r,
    b_t,
    b_v,
    b_w,
    b_x,
    d,
    d_0,
    d_h,
    f,
    n_held,
    n_log,
    n_mlp,
    n_norm,
    n_pos,
    n_rest,
    n_way,
    n_wide,
    s,
    u_mlp,
    u_out,
    u_qkv,
    u_tied,
    v,
)  # fmt: skip
from fsdp_sym.reasoning.catalogue import formula

# What does not vary: fp32 gradients and variances, two bytes to compute with, a gated model without biases.
MIXED = {
    b_g: 4, b_c: 0, b_v: 4, b_x: 0, b_t: 4, b_r: 4, b_a: 2, b_in: 2, b_l: 4, b_f: 4, b_n: 4, b_nrm: 0,
    n_wide: 4, n_way: 2, n_mlp: 3, n_norm: 1, n_pos: 0, u_qkv: 0, u_out: 0, u_mlp: 0,
}  # fmt: skip
# What varies, and the lowest, the highest and the step of its values.
VARYING = {
    N: (1, 1024, 1), L: (1, 128, 1), b: (1, 8, 1), s: (128, 8192, 128), d: (256, 16384, 128), f: (512, 53248, 128), a: (1, 128, 1),
    a_kv: (1, 16, 1), d_h: (64, 128, 32), v: (32000, 128256, 1), n_held: (1, 3, 1), b_e: (2, 4, 2), b_w: (2, 4, 2),
    n_log: (1, 3, 1), u_tied: (0, 1, 1), b_m: (2, 4, 2),
}  # fmt: skip


def _closed(name: str, at: dict[Symbol, Expr] | None = None) -> Expr:
    """A formula as it is computed with, some of its letters replaced."""
    return formula(name).closed.xreplace(at or {})  # type: ignore[return-value]


def peak() -> Formula:
    """Sharded parameters, gradients and Adam's states, gathered units, activations of gated blocks, logits and gradients on the way."""
    kept = {
        M_w: _closed("buffer_shard", {b_buf: b_w}),
        M_g: _closed("buffer_shard", {b_buf: b_g}),
        M_o: _closed("buffer_shard", {b_buf: b_c + b_m + b_v + b_x}),
        M_tmp: _closed("foreach_temporaries"),
        S_unit: _closed("padded_bytes", {d_0: P_block, n_rest: 1}),
        S_root: _closed("padded_bytes", {d_0: P_ends, n_rest: 1}),
        S_ug: P_block * b_e,
        S_rg: P_ends * b_e,
        S_red: _closed("padded_bytes", {d_0: P_block, n_rest: 1, b_e: b_r}),
        A_all: L * _closed("llama_activations") + _closed("loss_activations") + _closed("gradients_on_the_way"),
    }
    model = {P: _closed("model_parameters"), P_block: _closed("block_parameters"), P_ends: _closed("end_parameters")}
    phases = {M_fwd: _closed("later_forward_peak"), M_bwd: _closed("backward_peak"), M_opt: _closed("optimizer_step_peak")}
    start = _closed("step_peak", phases).subs(kept).subs(model)
    return Formula(__name__, defines=M_peak, start=start, steps=(), source=formula("step_peak").source)
