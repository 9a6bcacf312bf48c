"""Models to measure: a stack of equal matrices, a model's parameter tensors without a forward pass, and a decoder that runs."""

from __future__ import annotations

from functools import partial
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

    Attention is one kernel, everything else PyTorch's own modules; with `recompute` every block is checkpointed. Of a mixture
    every expert is given an even share of the tokens, whatever the router says.
    """
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.utils.checkpoint import checkpoint

    norm: Any = nn.LayerNorm if shape.layer_norm else nn.RMSNorm

    class Transposed(nn.Module):
        """A matrix that is held with its inputs as rows, as GPT-2 holds all of them."""

        def __init__(self, inputs: int, outputs: int) -> None:
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.empty(inputs, outputs)), nn.Parameter(torch.empty(outputs))

        def forward(self, x: Tensor) -> Tensor:
            return torch.addmm(self.bias, x.flatten(0, 1), self.weight).unflatten(0, x.shape[:2])

    class Together(nn.Module):
        """Queries, keys and values by one matrix."""

        def __init__(self) -> None:
            super().__init__()
            self.three, self.output = Transposed(shape.hidden, 3 * shape.hidden), Transposed(shape.hidden, shape.hidden)

        def forward(self, x: Tensor) -> Tensor:
            q, k, v = (part.unflatten(-1, (-1, shape.head_size)).transpose(1, 2) for part in self.three(x).chunk(3, -1))
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            found: Tensor = self.output(mixed.transpose(1, 2).flatten(2))
            return found

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
            linear: Any = Transposed if shape.fused_transposed else partial(nn.Linear, bias=shape.mlp_bias)
            self.up, self.down = linear(shape.hidden, shape.wide), linear(shape.wide, shape.hidden)
            if shape.gated:
                self.gate = linear(shape.hidden, shape.wide)

        def forward(self, x: Tensor) -> Tensor:
            wide = functional.silu(self.gate(x)) * self.up(x) if shape.gated else functional.gelu(self.up(x))
            found: Tensor = self.down(wide)
            return found

    class Experts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.router = nn.Linear(shape.hidden, shape.experts, bias=False)
            self.experts = nn.ModuleList(FeedForward() for _ in range(shape.experts))

        def forward(self, x: Tensor) -> Tensor:
            weights = self.router(x).softmax(-1)
            shares = x.repeat(1, shape.active, 1).chunk(shape.experts, 1)
            each = torch.cat([expert(share) for expert, share in zip(self.experts, shares, strict=True)], 1)
            return each.unflatten(1, (shape.active, -1)).sum(1) * weights.amax(-1, keepdim=True)

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention: nn.Module = Together() if shape.fused_transposed else Attention()
            self.feed_forward: nn.Module = Experts() if shape.experts else FeedForward()
            self.first, self.second = norm(shape.hidden), norm(shape.hidden)

        def forward(self, x: Tensor) -> Tensor:
            x = x + self.attention(self.first(x))
            found: Tensor = x + self.feed_forward(self.second(x))
            return found

    class Decoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(shape.words, shape.hidden)
            if shape.positions:
                self.positions = nn.Embedding(shape.positions, shape.hidden)
            self.blocks = nn.ModuleList(Block() for _ in range(shape.layers))
            self.last = norm(shape.hidden)
            self.head = nn.Linear(shape.hidden, shape.words, bias=False)
            if shape.tied:
                self.head.weight = self.embedding.weight

        def forward(self, tokens: Tensor, targets: Tensor) -> Tensor:
            x = self.embedding(tokens)
            if shape.positions:
                x = x + self.positions(torch.arange(tokens.shape[1]))
            for block in self.blocks:
                x = checkpoint(block, x, use_reentrant=False) if recompute else block(x)
            logits = self.head(self.last(x)).flatten(0, 1)
            if logits.element_size() < loss:
                logits = logits.to(torch.float32)
            return functional.cross_entropy(logits, targets.flatten())

    return Decoder()
