"""Taking the loss holds two tensors as large as the logits, and turning it back three.

Bytes of tensors as wide as the vocabulary that are held at a time, in the width that the loss is taken in: logits and their
log-softmax forward; the log-softmax, its gradient and the logits' backward.
"""

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import A_loss, b, b_f, i, n_log, s, v
from .kept import Kept, total
from .norm_activations import TORCH

loss_activations = Formula(
    __name__,
    defines=A_loss,
    start=Sum(b * s * v * b_f, (i, 1, n_log)),
    steps=(Same(n_log * b * s * v * b_f, "all of them are alike"),),
    source=TORCH,
    counted=lambda b, s, v, b_f, n_log: total([Kept(f"tensor {number}", (b, s, v), b_f) for number in range(n_log)]),
)
