"""What a rank holds at a time: the storages of all tensors that operations touch, added up after each of them."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any


def storages(known: Iterable[Any], left_out: Iterable[Any] = (), fake: bool = False) -> Any:
    """A dispatch mode whose `held()` is the bytes of all live storages, and whose `peak` the most since `restart()`.

    A storage that FSDP2 frees by resizing it counts nothing. What an operation allocates and frees inside is not seen.

    Parameters
    ----------
    known : iterable of torch.Tensor
        Held before the first operation.
    left_out : iterable of torch.Tensor
        Not counted: the batch, which is the caller's.
    fake : bool
        Whether the tensors are fake ones, whose storages lie on the meta device.
    """
    import torch
    from torch.distributed.tensor import DTensor
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    class Storages(TorchDispatchMode):
        def __init__(self) -> None:
            super().__init__()
            self.live: dict[int, tuple[Any, int]] = {}
            self.left_out = {t.untyped_storage()._cdata for t in left_out}
            for tensor in known:
                self._see(tensor)
            self.restart()

        def _see(self, tensor: Any) -> int:
            """By how much it has grown since it was last seen."""
            storage = (tensor._local_tensor if isinstance(tensor, DTensor) else tensor).untyped_storage()
            key, size = storage._cdata, storage.nbytes()
            # Shapes of DTensors are propagated on the meta device, where nothing is held.
            if (storage.device.type == "meta" and not fake) or key in self.left_out:
                return 0
            ref, before = self.live.get(key, (None, 0))
            if ref is None or ref() is None:
                ref, before = weakref.ref(storage), 0
            self.live[key] = ref, size
            return int(max(0, size - before))

        def held(self) -> int:
            total = 0
            for key, (ref, _) in list(self.live.items()):
                storage = ref()
                if storage is None:
                    del self.live[key]
                else:
                    size = storage.nbytes()
                    self.live[key] = ref, size
                    total += size
            return total

        def restart(self) -> None:
            self.peak = self.most = self.held()

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if any(issubclass(t, DTensor) for t in types):
                return NotImplemented
            found = function(*args, **(kwargs or {}))
            tensors = [leaf for leaf in tree_leaves((args, kwargs, found)) if isinstance(leaf, torch.Tensor)]
            # What was held when all was last added up, and all that has grown since: no more than that can be held now.
            self.most += sum(self._see(tensor) for tensor in tensors)
            if self.most > self.peak:
                self.most = self.held()
                self.peak = max(self.peak, self.most)
            return found

    return Storages()
