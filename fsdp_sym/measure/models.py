"""Models to measure: a stack of equal matrices, a model's parameter tensors without a forward pass, and a decoder that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..scenarios.shapes import Shape

if TYPE_CHECKING:
    from torch import Tensor, nn


def stack(blocks: int, width: int) -> nn.Module:
    """Blocks of one square matrix, between an embedding and a head of the same width: every dimension divides."""
    import torch
    from torch import nn

    class Stack(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Linear(width, width, bias=False)
            self.blocks = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(blocks))
            self.head = nn.Linear(width, width, bias=False)

        def forward(self, x: Tensor) -> Tensor:
            x = self.embedding(x)
            for block in self.blocks:
                x = torch.relu(block(x))
            found: Tensor = self.head(x)
            return found

    return Stack()


def holding(shape: Shape) -> nn.Module:
    """A module on the meta device that holds every parameter tensor of a shape: layer by layer, to be wrapped as such."""
    import torch
    from torch import nn

    def held(tensors: Any, divide: int) -> nn.Module:
        module = nn.Module()
        number = 0
        for tensor in tensors:
            for _ in range(tensor.alike // divide):
                size = (tensor.rows,) if tensor.rest == 1 else (tensor.rows, tensor.rest)
                module.register_parameter(f"p{number}", nn.Parameter(torch.empty(size, device="meta")))
                number += 1
        return module

    root = held([t for t in shape.tensors if t.group != "block"], 1)
    root.blocks = nn.ModuleList(held([t for t in shape.tensors if t.group == "block"], shape.layers) for _ in range(shape.layers))
    return root


def decoder(shape: Shape, *, loss: int = 4, recompute: bool = False) -> nn.Module:
    """A decoder of a shape that takes tokens and targets and returns the loss, taken from logits of `loss` bytes.

    Attention is one kernel, everything else PyTorch's own modules; with `recompute` every block is checkpointed.
    """
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.utils.checkpoint import checkpoint

    norm: Any = nn.LayerNorm if shape.layer_norm else nn.RMSNorm

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            queries, keys = shape.heads * shape.head_size, shape.kv_heads * shape.head_size
            self.query = nn.Linear(shape.hidden, queries, bias=shape.qkv_bias)
            self.key = nn.Linear(shape.hidden, keys, bias=shape.qkv_bias)
            self.value = nn.Linear(shape.hidden, keys, bias=shape.qkv_bias)
            self.output = nn.Linear(queries, shape.hidden, bias=shape.out_bias)

        def forward(self, x: Tensor) -> Tensor:
            q, k, v = (m(x).unflatten(-1, (-1, shape.head_size)).transpose(1, 2) for m in (self.query, self.key, self.value))
            grouped = shape.kv_heads != shape.heads
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=grouped)
            found: Tensor = self.output(mixed.transpose(1, 2).flatten(2))
            return found

    class FeedForward(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.up = nn.Linear(shape.hidden, shape.wide, bias=shape.mlp_bias)
            if shape.gated:
                self.gate = nn.Linear(shape.hidden, shape.wide, bias=shape.mlp_bias)
            self.down = nn.Linear(shape.wide, shape.hidden, bias=shape.mlp_bias)

        def forward(self, x: Tensor) -> Tensor:
            wide = functional.silu(self.gate(x)) * self.up(x) if shape.gated else functional.gelu(self.up(x))
            found: Tensor = self.down(wide)
            return found

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention, self.feed_forward = Attention(), FeedForward()
            self.first, self.second = norm(shape.hidden), norm(shape.hidden)

        def forward(self, x: Tensor) -> Tensor:
            x = x + self.attention(self.first(x))
            found: Tensor = x + self.feed_forward(self.second(x))
            return found

    class Decoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(shape.words, shape.hidden)
            self.blocks = nn.ModuleList(Block() for _ in range(shape.layers))
            self.last = norm(shape.hidden)
            self.head = nn.Linear(shape.hidden, shape.words, bias=False)
            if shape.tied:
                self.head.weight = self.embedding.weight

        def forward(self, tokens: Tensor, targets: Tensor) -> Tensor:
            x = self.embedding(tokens)
            for block in self.blocks:
                x = checkpoint(block, x, use_reentrant=False) if recompute else block(x)
            logits = self.head(self.last(x)).flatten(0, 1)
            if logits.element_size() < loss:
                logits = logits.to(torch.float32)
            return functional.cross_entropy(logits, targets.flatten())

    return Decoder()
