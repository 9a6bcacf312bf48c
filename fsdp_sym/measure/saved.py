"""What a transformer block keeps for its backward pass: every storage that autograd saves, once, parameters left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, nullcontext
from typing import Any, Literal, NamedTuple

from .storages import storages

Kind = Literal["dropout", "wide-masks", "dry", "selective", "fused", "full"]
KINDS: tuple[Kind, ...] = ("dropout", "wide-masks", "dry", "selective", "fused", "full")


class Size(NamedTuple):
    """A block's shape, with the letters of the formulas."""

    b: int
    s: int
    d: int
    f: int
    a: int


SMALL = Size(2, 64, 128, 512, 8)
_SIZES = {"small": SMALL, "gpt3": Size(1, 2048, 12288, 49152, 96)}
_KV, _WIDE, _WORDS = 2, 320, 1000
_DROPPED = 0.1


def measure() -> Iterator[tuple[str, int]]:
    """Every record of the group ``activations``, by id; a block of GPT-3 on fake tensors, everything else on real ones."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    for name, size in _SIZES.items():
        for kind in KINDS:
            with FakeTensorMode() if name == "gpt3" else nullcontext():
                yield f"{name}-{kind}", kept(spelled_out(size, kind), _hidden(size))
    with torch.device("meta"):
        gpt3 = _SIZES["gpt3"]
        yield "gpt3-meta", kept(spelled_out(gpt3, "dropout"), _hidden(gpt3))
    yield "llama-fused", kept(_gated(SMALL, norm=_one_kernel()), _hidden(SMALL))
    yield "llama-composite", kept(_gated(SMALL), _hidden(SMALL))
    yield "llama-repeated", kept(_gated(SMALL, repeat=True), _hidden(SMALL))
    yield "llama-gate-kernel", kept(_gated(SMALL, gate="kernel"), _hidden(SMALL))
    yield "llama-gate-again", kept(_gated(SMALL, gate="again"), _hidden(SMALL))
    yield "llama-transformers", _of_transformers(SMALL)
    yield from _loss(SMALL)


def _hidden(size: Size) -> Any:
    import torch

    return torch.randn(size.b, size.s, size.d, dtype=torch.bfloat16, requires_grad=True)


def kept(module: Any, *inputs: Any, shared: Iterable[Any] = ()) -> int:
    """Bytes that `module(*inputs)` keeps; what is `shared` with other blocks is left out, as parameters are."""
    from torch.autograd.graph import saved_tensors_hooks
    from torch.distributed.tensor import DTensor

    def storage(tensor: Any) -> Any:
        return (tensor._local_tensor if isinstance(tensor, DTensor) else tensor).untyped_storage()

    left_out = {storage(t)._cdata for t in (*module.parameters(), *shared)}
    # The tensors stay referenced, so that no two storages share an address.
    saved: dict[int, Any] = {}

    def pack(tensor: Any) -> Any:
        saved.setdefault(storage(tensor)._cdata, tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        output = module(*inputs)
    found = sum(int(storage(tensor).nbytes()) for key, tensor in saved.items() if key not in left_out)
    del output
    return found


def spelled_out(size: Size, kind: Kind) -> Any:
    """A block of attention and a feed-forward layer, with the dropouts and the attention that `kind` names, in bf16."""
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.utils.checkpoint import checkpoint

    half = torch.bfloat16

    def drop(x: Any) -> Any:
        if kind in ("dropout", "selective"):
            return torch.native_dropout(x, _DROPPED, True)[0]
        return functional.dropout(x, _DROPPED) if kind == "wide-masks" else x

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.query, self.key, self.value, self.output = (nn.Linear(size.d, size.d, dtype=half) for _ in range(4))

        def forward(self, x: Any) -> Any:
            heads = [m(x).unflatten(-1, (-1, size.d // size.a)).transpose(1, 2) for m in (self.query, self.key, self.value)]
            if kind == "fused":
                mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
            elif kind == "selective":
                mixed = checkpoint(self.mix, *heads, use_reentrant=False)
            else:
                mixed = self.mix(*heads)
            return self.output(mixed.transpose(1, 2).flatten(2))

        def mix(self, q: Any, k: Any, v: Any) -> Any:
            return drop(torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, -1)) @ v

    class FeedForward(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.up, self.down = nn.Linear(size.d, size.f, dtype=half), nn.Linear(size.f, size.d, dtype=half)

        def forward(self, x: Any) -> Any:
            return self.down(functional.gelu(self.up(x)))

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = (nn.LayerNorm(size.d, dtype=half) for _ in range(2))
            self.attention, self.feed_forward = Attention(), FeedForward()

        def forward(self, x: Any) -> Any:
            return checkpoint(self.run, x, use_reentrant=False) if kind == "full" else self.run(x)

        def run(self, x: Any) -> Any:
            x = x + drop(self.attention(self.first(x)))
            return x + drop(self.feed_forward(self.second(x)))

    return Block()


def _one_kernel() -> Callable[[int], Any]:
    """An RMSNorm that keeps its input and one number a token, as the kernels on a GPU do; a CPU's is a composite."""
    import torch
    from torch import nn
    from torch.autograd import Function

    class Kernel(Function):
        @staticmethod
        def forward(context: Any, x: Any, weight: Any) -> Any:
            root = x.float().pow(2).mean(-1, keepdim=True).add(1e-6).rsqrt()
            context.save_for_backward(x, weight, root)
            return (x.float() * root).to(x.dtype) * weight

        @staticmethod
        def backward(context: Any, *gradients: Any) -> Any:
            raise NotImplementedError("this kernel is for counting what is kept")

    class Norm(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(width))

        def forward(self, x: Any) -> Any:
            return Kernel.apply(x, self.weight)

    return Norm


def _gate_kernel() -> Any:
    """Gate and product in one kernel, which keeps what came in."""
    from torch.autograd import Function
    from torch.nn import functional

    class Kernel(Function):
        @staticmethod
        def forward(context: Any, gate: Any, up: Any) -> Any:
            context.save_for_backward(gate, up)
            return functional.silu(gate) * up

        @staticmethod
        def backward(context: Any, *gradients: Any) -> Any:
            raise NotImplementedError("this kernel is for counting what is kept")

    return Kernel.apply


def _gated(size: Size, *, norm: Any = None, repeat: bool = False, gate: Literal["separate", "kernel", "again"] = "separate") -> Any:
    """A block with grouped queries, a gate, RMSNorm and attention in one kernel, in bf16."""
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.utils.checkpoint import checkpoint

    head = size.d // size.a

    def linear(inputs: int, outputs: int) -> Any:
        return nn.Linear(inputs, outputs, bias=False)

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = ((norm or nn.RMSNorm)(size.d) for _ in range(2))
            self.query, self.key, self.value = linear(size.d, size.d), linear(size.d, _KV * head), linear(size.d, _KV * head)
            self.output = linear(size.d, size.d)
            self.gate, self.up, self.down = linear(size.d, _WIDE), linear(size.d, _WIDE), linear(_WIDE, size.d)

        def forward(self, x: Any) -> Any:
            x = x + self.attend(self.first(x))
            y = self.second(x)
            wide = self.gate(y), self.up(y)
            if gate == "again":
                return x + checkpoint(self.lower, *wide, use_reentrant=False)
            return x + (self.down(_gate_kernel()(*wide)) if gate == "kernel" else self.lower(*wide))

        def lower(self, gated: Any, up: Any) -> Any:
            return self.down(functional.silu(gated) * up)

        def attend(self, y: Any) -> Any:
            q, k, v = (m(y).unflatten(-1, (-1, head)).transpose(1, 2) for m in (self.query, self.key, self.value))
            if repeat:
                k, v = (x.repeat_interleave(size.a // _KV, 1) for x in (k, v))
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=not repeat)
            return self.output(mixed.transpose(1, 2).flatten(2))

    return Block().to(torch.bfloat16)


def _of_transformers(size: Size) -> int:
    """The block of Transformers' Llama; its rotary tables are shared by all blocks."""
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaDecoderLayer

    config = LlamaConfig(
        hidden_size=size.d, intermediate_size=_WIDE, num_attention_heads=size.a, num_key_value_heads=_KV, num_hidden_layers=1,
        attn_implementation="sdpa",
    )  # fmt: skip
    tables = tuple(torch.ones(1, size.s, size.d // size.a, dtype=torch.bfloat16) for _ in range(2))
    block = LlamaDecoderLayer(config, layer_idx=0).to(torch.bfloat16)

    class Given(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.block = block

        def forward(self, x: Any) -> Any:
            return self.block(x, position_embeddings=tables)

    return kept(Given(), _hidden(size), shared=tables)


def _loss(size: Size) -> Iterator[tuple[str, int]]:
    """Tensors as large as the logits at the fullest moments of cross_entropy and of its backward pass; scalars are left aside."""
    import torch
    from torch.nn import functional

    targets = torch.zeros(size.b * size.s, dtype=torch.long)
    given = torch.randn(size.b * size.s, _WORDS, requires_grad=True)
    with ExitStack() as within:
        seen = within.enter_context(storages([], [given, targets]))
        loss = functional.cross_entropy(given + 0, targets)
        yield "loss-forward", _without_scalars(seen.peak)
        seen.restart()
        loss.backward()
        yield "loss-backward", _without_scalars(seen.peak)


def _without_scalars(found: int) -> int:
    """A handful of numbers beside tensors of half a megabyte."""
    return found - found % 1024
