# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device of PyTorch storages, and tensor files.

`torch.save` and `torch.load` work on storages, not tensors: they ask each storage for its device, and
the file says `cuda:0` or `cpu` for each. So storages are marked, too, when a marked tensor is asked
for its storage. The files equal those that PyTorch writes on a machine with a GPU, which can load them.
"""

from __future__ import annotations

import functools

import torch

from . import _driver
from ._torch_mode import CUDA, MARK, PINNED, is_cuda, on_cuda, special


def serve() -> None:
    storage = torch.UntypedStorage
    storage.device = property(_device_of, doc=storage.device.__doc__)
    storage.cpu, storage.cuda, storage.clone = _cpu, _cuda, _clone
    torch.serialization.register_package(_BEFORE_OTHERS, lambda storage: None, _restore)
    torch._utils._get_obj_state = _without_mark(torch._utils._get_obj_state)
    special(torch.Tensor.untyped_storage)(_untyped)
    special(torch.Tensor.storage)(_typed)


def _marked(storage, is_on_cuda: bool):
    setattr(storage, MARK, is_on_cuda)
    return storage


_host_device_of = torch.UntypedStorage.device.__get__


def _device_of(storage):
    return CUDA if getattr(storage, MARK, False) else _host_device_of(storage)


def _untyped(func, args, kwargs):
    tensor = args[0]
    return _marked(func(*args, **kwargs), on_cuda(tensor))


def _typed(func, args, kwargs):
    tensor, storage = args[0], func(*args, **kwargs)
    _marked(storage._untyped_storage, on_cuda(tensor))
    return storage


def _cpu(storage):
    if not getattr(storage, MARK, False):
        return storage
    _driver.synchronise()
    return _copy_of(storage)


def _cuda(storage, device=None, non_blocking=False):
    if device is not None and not is_cuda(device):
        raise RuntimeError(f"Invalid device, must be cuda device, but got {device}")
    return storage if getattr(storage, MARK, False) else _marked(_copy_of(storage), True)


def _clone(storage):
    return _marked(_copy_of(storage), getattr(storage, MARK, False))


def _copy_of(storage):
    copy = torch.UntypedStorage(storage.nbytes())
    copy.copy_(storage)
    return copy


# --- Files --------------------------------------------------------------------------------------

_BEFORE_OTHERS = 1
"""PyTorch's own handlers have priority 10 for the CPU and 20 for GPUs."""


def _restore(storage, location: str):
    """Marks a storage that was read from a file and belongs on "cuda"; None for other locations."""
    if not location.startswith("cuda"):
        return None
    is_cuda(location)  # raises for another device than the first
    return _marked(storage, True)


def _without_mark(state_of):
    """Files do not contain marks: a tensor's storage has its device, and pinning is not saved."""

    @functools.wraps(state_of)
    def state_without_mark(thing):
        state = state_of(thing)
        if isinstance(state, dict) and (MARK in state or PINNED in state):
            state = {name: value for name, value in state.items()
                     if name not in (MARK, PINNED)} or None
        return state

    return state_without_mark
