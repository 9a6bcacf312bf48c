"""Logits are as wide as the vocabulary, and the loss takes a wider copy.

Bytes of the logits of a micro-batch and of the copy in b_f bytes that the loss is taken from. Data parallelism does not split them.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_logits, b, b_a, b_f, s, v
from .kept import Kept, total

_CAST = Source("modelscope/ms-swift, issue 6966", "32,768 tokens of 151,936 words: 18.55 GiB of fp32 beside 9.27 GiB of bf16")

logit_activations = Formula(
    __name__,
    defines=A_logits,
    start=b * s * v * b_a + b * s * v * b_f,
    steps=(Same(b * s * v * (b_a + b_f), "the same numbers in two widths"),),
    source=_CAST,
    counted=lambda b, s, v, b_a, b_f: total([Kept("logits", (b, s, v), b_a), Kept("copy for the loss", (b, s, v), b_f)]),
    published=(Published({b: 1, s: 32768, v: 151936, b_a: 2, b_f: 4}, 9957277696 + 19914555392, _CAST),),
)
