"""What llm-analysis makes of the configurations, and the processor's seconds it takes; run by an interpreter that has it.

    PYTHON by_llm_analysis.py COUNT SEED

prints JSON: its version, seconds, and of each configuration parameters, operations of a micro-batch, bytes of state on a rank, bytes
of attention's activations on it, and seconds to compute and to reduce across the tensor group, forward.
"""

from __future__ import annotations

import json
import logging
import sys
from importlib.metadata import version
from time import process_time

from configurations import Configuration, drawn
from llm_analysis.analysis import ActivationRecomputation, DSZeRO, LLMAnalysis
from llm_analysis.config import DtypeConfig, GPUConfig, ModelConfig, ParallelismConfig
from llm_analysis.logger import logger

WANTED = (
    "num_params_total", "num_flops_total_per_micro_batch", "(weight+op_state+grad)_memory_per_gpu", "activation_memory_attn_per_gpu",
    "latency_per_micro_batch", "latency_fwd_tp_comm",
)  # fmt: skip


def analysed(row: tuple[int, ...]) -> dict[str, float]:
    """Its objects, made anew, and its analysis of a step: ZeRO-3, nothing recomputed, scores spelled out."""
    c = Configuration(*row)
    model = ModelConfig(
        name="drawn", num_layers=c.L, n_head=c.a, hidden_dim=c.d, vocab_size=c.v, max_seq_len=c.s, num_key_value_heads=c.a_kv,
        ffn_embed_dim=c.f,
    )  # fmt: skip
    gpu = GPUConfig(
        name="drawn", mem_per_GPU_in_GB=1e9, hbm_bandwidth_in_GB_per_sec=3000, intra_node_bandwidth_in_GB_per_sec=c.W / 1e9,
        intra_node_min_message_latency=0, peak_fp16_TFLOPS=c.X_peak / 1e12, inter_node_bandwidth_in_GB_per_sec=c.W_net / 1e9,
    )  # fmt: skip
    analysis = LLMAnalysis(model, gpu, DtypeConfig(), ParallelismConfig(tp_size=c.N_t, dp_size=c.N_d))
    return dict(
        analysis.training(
            batch_size_per_gpu=c.b, gradient_accumulation_steps=1, seq_len=c.s, ds_zero=DSZeRO.STAGE_3, flash_attn=False,
            softmax_dropout=True, layernorm_dtype_bytes=2, activation_recomputation=ActivationRecomputation.NONE,
        )
    )  # fmt: skip


if __name__ == "__main__":
    logger.setLevel(logging.CRITICAL)
    rows = drawn(int(sys.argv[1]), int(sys.argv[2]))
    start = process_time()
    found = [analysed(row) for row in rows]
    seconds = process_time() - start
    values = [[one[name] for name in WANTED] for one in found]
    print(json.dumps({"version": version("llm-analysis"), "seconds": seconds, "values": values}))
