"""What a rank holds at a time: the storages of all tensors that operations touch, added up after each of them."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any


def storages(known: Iterable[Any], left_out: Iterable[Any] = ()) -> Any:
    """A dispatch mode whose `held()` is the bytes of all live storages, and whose `peak` the most since `restart()`.

    A storage that FSDP2 frees by resizing it counts nothing. What an operation allocates and frees inside is not seen.

    Parameters
    ----------
    known : iterable of torch.Tensor
        Held before the first operation.
    left_out : iterable of torch.Tensor
        Not counted: the batch, which is the caller's.
    """
    import torch
    from torch.distributed.tensor import DTensor
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    class Storages(TorchDispatchMode):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.live: dict[int, Any] = {}
            self.left_out = {t.untyped_storage()._cdata for t in left_out}
            self.peak = 0
            for tensor in known:
                self._see(tensor)

        def _see(self, tensor: Any) -> None:
            storage = (tensor._local_tensor if isinstance(tensor, DTensor) else tensor).untyped_storage()
            key = storage._cdata
            # Shapes of DTensors are propagated on the meta device, where nothing is held.
            if storage.device.type != "meta" and key not in self.left_out and self.live.get(key, lambda: None)() is None:
                self.live[key] = weakref.ref(storage)

        def held(self) -> int:
            alive = {key: storage for key, ref in self.live.items() if (storage := ref()) is not None}
            self.live = {key: self.live[key] for key in alive}
            return sum(storage.nbytes() for storage in alive.values())

        def restart(self) -> None:
            self.peak = 0

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if any(issubclass(t, DTensor) for t in types):
                return NotImplemented
            found = function(*args, **(kwargs or {}))
            for leaf in tree_leaves((args, kwargs, found)):
                if isinstance(leaf, torch.Tensor):
                    self._see(leaf)
            self.peak = max(self.peak, self.held())
            return found

    return Storages()
