"""Training time, price and utilisation (cell Q): its questions, a row each."""

from __future__ import annotations

from ....algebra.vocabulary import F, G, L, P_all, T_step, X_gpu, X_peak, b_all, c_gpu, d, n_tok, s, u_lin, v, y_tok
from ...misconceptions.utilisation import AGAIN, DENSE, MULTIPLY_ADD, RATE, THREE_PASSES
from ..chain import Chain
from ..faded import Faded
from ..givens import Draws
from ..justify import Justify, Reason
from ..value import Value
from ..written import Written
from ..wrong_line import WrongLine
from .common import MODELS

_GPUS = ("32", "64", "128", "256", "512", "1024")
_RATES = ("140 TFLOP/s", "300 TFLOP/s", "400 TFLOP/s", "450 TFLOP/s")
_TOKENS = ("200e9", "300e9", "1e12", "2e12", "15e12")
_RUN: Draws = {P_all: MODELS, n_tok: _TOKENS, X_gpu: _RATES, u_lin: ("1",)}
_TRAINED = "A model of [[P_all]] parameters is trained on [[n_tok]] tokens, and its forward pass is recomputed in full (u_lin = [[u_lin]])."
_DELIVERS = "Each GPU delivers [[X_gpu]], recomputed operations included."
_PEAK = "Each GPU's dense peak is [[X_peak]]."
_PEAKS = ("312 TFLOP/s", "989 TFLOP/s")
_MEASURED: Draws = {P_all: MODELS, G: _GPUS, y_tok: ("90000 tokens/s", "150000 tokens/s", "240000 tokens/s"), X_peak: _PEAKS}
_TRAINING = Chain(
    "a-run", f"{_TRAINED} [[G]] GPUs train it. {_DELIVERS} A GPU costs [[c_gpu]].",
    (("token_rate", "tokens/s"), ("training_time", "d"), ("gpu_time", "h"), ("run_cost", "USD")), {**_RUN, G: _GPUS, c_gpu: ("2 USD/h", "2.5 USD/h", "4 USD/h")},
)  # fmt: skip
_BUSY = Chain(
    "busy-and-useful", f"A model of [[P_all]] parameters is trained by [[G]] GPUs on [[y_tok]], and its forward pass is recomputed in full (u_lin = [[u_lin]]). {_PEAK}",
    (("model_utilisation", "%"), ("hardware_utilisation", "%")), {**_MEASURED, u_lin: ("1",)},
)  # fmt: skip

RUNS = (
    Value("Q-model-flops", "Q", "compute", "model_flops", "A model of [[P_all]] parameters is trained on [[n_tok]] tokens. How many operations does training ask for, counted by parameters and tokens?", "ZFLOP", {P_all: MODELS, n_tok: _TOKENS}),
    Value("Q-rate", "Q", "compute", "token_rate", f"[[G]] GPUs train a model of [[P_all]] parameters, whose forward pass is recomputed in full (u_lin = [[u_lin]]). {_DELIVERS} How many tokens a second is that?", "tokens/s", {P_all: MODELS, X_gpu: _RATES, u_lin: ("1",), G: _GPUS}),
    Value("Q-days", "Q", "compute", "training_time", f"{_TRAINED} [[G]] GPUs train it. {_DELIVERS} How long does that take?", "d", {**_RUN, G: _GPUS}),
    Value("Q-gpu-time", "Q", "compute", "gpu_time", f"{_TRAINED} {_DELIVERS} How much GPU time is that?", "h", _RUN),
    Value("Q-price", "Q", "compute", "run_cost", f"{_TRAINED} {_DELIVERS} A GPU costs [[c_gpu]]. What does the run cost?", "USD", {**_RUN, c_gpu: ("2 USD/h", "2.5 USD/h", "4 USD/h")}),
    Value("Q-mfu", "Q", "compute", "model_utilisation", f"[[G]] GPUs train a model of [[P_all]] parameters on [[y_tok]]. {_PEAK} What is the model FLOPs utilisation?", "%", _MEASURED),
    Value(
        "Q-hfu", "Q", "compute", "hardware_utilisation",
        f"[[G]] GPUs train a model of [[P_all]] parameters on [[y_tok]], and its forward pass is recomputed in full (u_lin = [[u_lin]]). {_PEAK} What is the hardware FLOPs utilisation?", "%", {**_MEASURED, u_lin: ("1",)},
    ),
    Value(
        "Q-printed-mfu", "Q", "compute", "gpt_utilisation",
        f"A model of GPT's form has [[L]] layers, a hidden size of [[d]] and [[v]] words. [[G]] GPUs take [[T_step]] for a step of [[b_all]] sequences of [[s]] tokens; nothing is recomputed. {_PEAK} What is the model FLOPs utilisation, all scores counted?",
        "%", {L: ("96", "105"), d: ("12288",), v: ("51200",), s: ("4096", "8192"), G: ("64", "128"), T_step: ("27 s", "36 s"), b_all: ("64", "128"), X_peak: _PEAKS},
    ),
    Value("Q-compute", "Q", "compute", "compute_time", "A layer takes [[F]], products and sums both counted, on a GPU that delivers [[X_gpu]]. How long does that take?", "ms", {F: ("3.6 TFLOP", "4.7 TFLOP", "7.1 TFLOP", "9.3 TFLOP"), X_gpu: _RATES}),
    Written("Q-write-days", "Q", "training_time", "A model of P_all parameters is trained on [[n_tok]] tokens by G GPUs that deliver X_gpu operations a second each, and its forward pass is recomputed in full (u_lin = [[u_lin]]). How long does that take?", {n_tok: _TOKENS, u_lin: ("1",)}),
    Written("Q-write-mfu", "Q", "model_utilisation", "G GPUs train a model of P_all parameters on y_tok tokens a second. The dense peak of one is X_peak operations a second. What is the model FLOPs utilisation?"),
    WrongLine("Q-wrong-line", "Q", _TRAINING),
    Faded("Q-faded", "Q", _TRAINING, 3),
    Faded("Q-busy-faded", "Q", _BUSY, 2),
    Justify(
        "Q-principle", "Q",
        (
            Reason("model_flops", 1, THREE_PASSES, (MULTIPLY_ADD,)), Reason("hardware_utilisation", 1, AGAIN, (THREE_PASSES,)), Reason("compute_time", 0, RATE),
            Reason("model_utilisation", 0, DENSE, (RATE, AGAIN)),
        ),
    ),
)  # fmt: skip
