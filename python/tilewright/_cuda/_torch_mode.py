# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A PyTorch mode that keeps "cuda" tensors in host memory.

"cuda" tensors are CPU tensors with a mark. The mode intercepts every function that takes or creates
tensors: it computes on the CPU, and marks results whose inputs are marked. A marked tensor reports
cuda:0 as its device, copies to and from the CPU are real copies, and reading values on the host
synchronises first, so that kernel errors are raised at the same points as with a GPU.
"""

from __future__ import annotations

import contextlib
import threading

import numpy
import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _device

from . import _driver, _torch_memory
from ._torch_exact import exact, may_round

_CPU = torch.device("cpu")
CUDA = torch.device("cuda", 0)
MARK = "_tilewright_on_cuda"
PINNED = "_tilewright_pinned"
_thread = threading.local()

# --- Marks --------------------------------------------------------------------------------------


def on_cuda(tensor) -> bool:
    said = getattr(tensor, MARK, None)
    return _is_going_back() if said is None else said


def _is_going_back() -> bool:
    return getattr(_thread, "is_going_back", False)


@contextlib.contextmanager
def going_back():
    """While this thread runs a backward pass over "cuda" tensors. Tensors that the graph has saved, and
    intermediate gradients, have no marks; they count as "cuda" tensors, too."""
    before, _thread.is_going_back = _is_going_back(), True
    try:
        yield
    finally:
        _thread.is_going_back = before


def is_cuda(device) -> bool:
    """Whether an argument `device` denotes a GPU. Raises RuntimeError for a device that does not exist."""
    if isinstance(device, int) and not isinstance(device, bool):
        device = torch.device("cuda", device)
    elif isinstance(device, str):
        device = torch.device(device)
    if not isinstance(device, torch.device) or device.type != "cuda":
        return False
    if device.index:
        raise RuntimeError(f"CUDA error: invalid device ordinal: {device}, but there is one device")
    return True


# --- Every function of torch --------------------------------------------------------------------


class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return _call(func, args, kwargs or {})


def in_device_context(self, func, types, args=(), kwargs=None):
    """`with torch.device("cuda")` and `torch.set_default_device`."""
    kwargs = kwargs or {}
    if kwargs.get("device") is None and func in _device._device_constructors():
        kwargs["device"] = self.device
    return _call(func, args, kwargs)


class _Recording:
    """Per thread: whether operators are recorded for a graph (_torch_graphs.py), and whether the running
    function is one on "cuda"."""

    active = is_on_cuda = False


def recording() -> _Recording:
    if not hasattr(_thread, "recording"):
        _thread.recording = _Recording()
    return _thread.recording


def _call(func, args, kwargs):
    state = getattr(_thread, "recording", None)
    if state is None or not state.active:
        return _call_now(func, args, kwargs)
    before = state.is_on_cuda
    state.is_on_cuda = before or _is_going_back() or _concerns_cuda(func, args, kwargs)
    try:
        return _call_now(func, args, kwargs)
    finally:
        state.is_on_cuda = before


def _call_now(func, args, kwargs):
    special = _SPECIAL.get(func)
    try:
        if special is not None:
            return special(func, args, kwargs)
        return _plain(func, args, kwargs)
    except (RuntimeError, MemoryError) as error:
        if _concerns_cuda(func, args, kwargs) and (refused := _torch_memory.refused(error)):
            raise refused from None
        raise


def _concerns_cuda(func, args, kwargs) -> bool:
    """Whether the function takes or creates tensors on "cuda"."""
    if func is torch.Tensor.cuda or any_on_cuda(args) or any_on_cuda(kwargs.values()):
        return True
    device = kwargs.get("device", args[1] if func is torch.Tensor.to and len(args) > 1 else None)
    if isinstance(device, int) and not isinstance(device, bool):
        return True
    devices = [arg for arg in (*args, device) if isinstance(arg, (str, torch.device))]
    return any(str(device).startswith("cuda") for device in devices)


def _plain(func, args, kwargs):
    device = kwargs.get("device")
    if device is None:
        on = any_on_cuda(args) or bool(kwargs) and any_on_cuda(kwargs.values())
    elif on := is_cuda(device):
        kwargs = {**kwargs, "device": _CPU}
    pinned = kwargs.get("pin_memory")
    if pinned:
        kwargs = {**kwargs, "pin_memory": False}
    if on and may_round(func) and not recording().active:
        with exact():
            result = func(*args, **kwargs)
    else:
        result = func(*args, **kwargs)
    if pinned:
        setattr(result, PINNED, True)
    if on:
        mark(result, args)
    elif device is not None and _is_going_back() and isinstance(result, torch.Tensor):
        setattr(result, MARK, False)
    return result


def any_on_cuda(values) -> bool:
    for value in values:
        if isinstance(value, torch.Tensor):
            if on_cuda(value):
                return True
        elif isinstance(value, (tuple, list)) and any_on_cuda(value):
            return True
    return False


def mark(result, args=()) -> None:
    """Marks result tensors, except those that are arguments of the function."""
    if isinstance(result, torch.Tensor):
        if not any(result is arg for arg in args):
            setattr(result, MARK, True)
        if getattr(result, MARK, False):
            _torch_memory.count(result)  # a function may enlarge its argument
    elif isinstance(result, (tuple, list)):
        for item in result:
            mark(item, args)


# --- Functions that query a device, or move between devices -------------------------------------


def _is_on_cuda(func, args, kwargs):
    return on_cuda(args[0])


def _is_on_cpu(func, args, kwargs):
    return not on_cuda(args[0]) and func(*args, **kwargs)


def _device_of(func, args, kwargs):
    return CUDA if on_cuda(args[0]) else func(*args, **kwargs)


def _index_of(func, args, kwargs):
    return 0 if on_cuda(args[0]) else func(*args, **kwargs)


def _dlpack_device(func, args, kwargs):
    return (_driver.CUDA, 0) if on_cuda(args[0]) else func(*args, **kwargs)


def _dlpack(func, args, kwargs):
    if not on_cuda(args[0]):
        return func(*args, **kwargs)
    # There is only one queue of work, and it is empty.
    return _driver.set_dlpack_device(func(*args, **{**kwargs, "stream": None}), _driver.CUDA)


def _array_interface(func, args, kwargs):
    tensor = args[0]
    if not on_cuda(tensor):
        return func(*args, **kwargs)
    found = tensor.detach().numpy().__array_interface__
    return {"version": 2, **{key: found[key] for key in ("shape", "typestr", "data", "strides")}}


def _to(func, args, kwargs):
    tensor, rest = args[0], list(args[1:])
    target = kwargs.get("device", kwargs.get("other", rest[0] if rest else None))
    if isinstance(target, torch.Tensor):
        wanted, moved = on_cuda(target), target.device
    elif target is None or isinstance(target, torch.dtype):
        return marked(func(*args, **kwargs), tensor, on_cuda(tensor))
    else:
        wanted = is_cuda(target)
        moved = _CPU if wanted else torch.device(target)
    if isinstance(target, torch.Tensor):
        kwargs = {"dtype": target.dtype, **kwargs}
    kwargs = {name: value for name, value in kwargs.items() if name != "other"}
    kwargs["device"] = moved
    if not wanted and on_cuda(tensor):
        _driver.synchronise()
    if wanted != on_cuda(tensor) and moved == tensor.device:
        kwargs["copy"] = True
    for name, value in zip(("dtype", "non_blocking", "copy"), rest[1 if rest else 0:]):
        kwargs.setdefault(name, value)
    return marked(func(tensor, **kwargs), tensor, wanted)


def marked(result, tensor, is_on_cuda: bool):
    """Marks a tensor that was derived from `tensor`, unless it is the same object."""
    if result is not tensor and isinstance(result, torch.Tensor):
        setattr(result, MARK, is_on_cuda)
        if is_on_cuda:
            _torch_memory.count(result)
    return result


def _cuda(func, args, kwargs):
    tensor, device = args[0], kwargs.get("device", args[1] if len(args) > 1 else None)
    if device is not None and not is_cuda(device):
        raise RuntimeError(f"Invalid device, must be cuda device, but got {device}")
    if on_cuda(tensor):
        return tensor
    result = _copy_of(tensor, kwargs)
    mark(result)
    return result


def _cpu(func, args, kwargs):
    tensor = args[0]
    if not on_cuda(tensor):
        return func(*args, **kwargs)
    _driver.synchronise()
    return marked(_copy_of(tensor, kwargs), tensor, False)


def _copy_of(tensor, kwargs):
    return tensor.to(_CPU, copy=True,
                     memory_format=kwargs.get("memory_format", torch.preserve_format))


def _type(func, args, kwargs):
    """`t.type()` and `t.type("torch.cuda.FloatTensor")`."""
    tensor, name = args[0], kwargs.get("dtype", args[1] if len(args) > 1 else None)
    if name is None:
        found = func(tensor)
        return found.replace("torch.", "torch.cuda.", 1) if on_cuda(tensor) else found
    wanted = on_cuda(tensor)
    if isinstance(name, type) and name.__module__ == "torch.cuda":
        name = "torch.cuda." + name.__name__
    if isinstance(name, str):
        wanted = name.startswith("torch.cuda.")
        name = name.replace("torch.cuda.", "torch.", 1)
    result = func(tensor, name)
    if wanted != on_cuda(tensor) and result is tensor:
        result = tensor.clone()
    return marked(result, tensor, wanted)


def _on_host(func, args, kwargs):
    """For functions that read values: synchronises first."""
    if any_on_cuda(args) or kwargs and any_on_cuda(kwargs.values()):
        _driver.synchronise()
    return _plain(func, args, kwargs)


def _to_numpy(func, args, kwargs):
    if on_cuda(args[0]) and kwargs.get("force"):
        _driver.synchronise()
        return _copy_of(args[0].detach(), {}).numpy(force=True)
    if on_cuda(args[0]):
        raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy "
                        "the tensor to host memory first.")
    return func(*args, **kwargs)


def _of_data(func, args, kwargs):
    """Creates a tensor from another library's "cuda" array, through `__cuda_array_interface__`."""
    data = args[0] if args else next((kwargs[name] for name in ("data", "obj") if name in kwargs), None)
    if isinstance(data, torch.Tensor) or not hasattr(data, "__cuda_array_interface__"):
        return _plain(func, args, kwargs)
    there = numpy.asarray(_OnHost(data))
    kwargs = {name: value for name, value in kwargs.items() if name not in ("data", "obj")}
    device = kwargs.pop("device", None)
    wanted = device is None or is_cuda(device)
    if not wanted:
        _driver.synchronise()
        there = there.copy()
    return marked(func(there, *args[1:], **kwargs), data, wanted)


class _OnHost:
    """Wraps it as an array for NumPy."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = dict(array.__cuda_array_interface__)


def _copy_into(func, args, kwargs):
    target, source = args[0], kwargs.get("src", args[1] if len(args) > 1 else None)
    if isinstance(source, torch.Tensor) and on_cuda(source) and not on_cuda(target):
        non_blocking = kwargs.get("non_blocking", args[2] if len(args) > 2 else False)
        # Copies to pinned memory during a capture may be asynchronous; all others have to wait.
        if not (recording().active and non_blocking and getattr(target, PINNED, False)):
            _driver.synchronise()
    return func(*args, **kwargs)


def _set_data(func, args, kwargs):
    """`parameter.data = tensor`."""
    target, source = args
    func(target, source)
    setattr(target, MARK, on_cuda(source))


def _text(func, args, kwargs):
    if not on_cuda(args[0]):
        return func(*args, **kwargs)
    _driver.synchronise()
    text = func(*args, **kwargs)
    if "device=" in text or not text.endswith(")"):
        return text
    # Insert before the other suffixes, in the order that torch uses.
    for suffix in (", size=", ", dtype=", ", requires_grad=", ", grad_fn="):
        if suffix in text:
            return text.replace(suffix, ", device='cuda:0'" + suffix, 1)
    return text[:-1] + ", device='cuda:0')"


def _format(func, args, kwargs):
    tensor, spec = args
    if not on_cuda(tensor):
        return func(*args, **kwargs)
    if tensor.dim() != 0 and not spec:
        return _text(torch.Tensor.__repr__, (tensor,), {})
    _driver.synchronise()
    return func(*args, **kwargs)


def _pin(func, args, kwargs):
    """Host memory that a GPU can access: here, all of it. But scripts can query it."""
    tensor = args[0]
    if on_cuda(tensor):
        raise RuntimeError(f"cannot pin '{tensor.type()}' only dense CPU tensors can be pinned")
    if getattr(tensor, PINNED, False):
        return tensor
    pinned = tensor.clone()
    setattr(pinned, PINNED, True)
    return pinned


def _is_pinned(func, args, kwargs):
    return getattr(args[0], PINNED, False)


def _special_functions() -> dict:
    tensor = torch.Tensor
    table = {
        tensor.device.__get__: _device_of,
        tensor.is_cuda.__get__: _is_on_cuda,
        tensor.is_cpu.__get__: _is_on_cpu,
        tensor.get_device: _index_of,
        tensor.__dlpack_device__: _dlpack_device,
        tensor.__dlpack__: _dlpack,
        tensor.__cuda_array_interface__.__get__: _array_interface,
        tensor.to: _to, tensor.cuda: _cuda, tensor.cpu: _cpu, tensor.type: _type,
        tensor.numpy: _to_numpy, tensor.__array__: _to_numpy,
        tensor.copy_: _copy_into, tensor.data.__set__: _set_data,
        tensor.pin_memory: _pin, tensor.is_pinned: _is_pinned,
        torch.as_tensor: _of_data, torch.asarray: _of_data, torch.tensor: _of_data,
        tensor.__repr__: _text, tensor.__format__: _format,
    }
    for function in (tensor.item, tensor.tolist, tensor.__bool__, tensor.__int__, tensor.__float__,
                     tensor.__index__, tensor.__complex__, tensor.__contains__, tensor.equal,
                     tensor.allclose, tensor.nonzero, torch.equal, torch.allclose, torch.nonzero):
        table[function] = _on_host
    return table


_SPECIAL = _special_functions()


def special(function):
    """A decorator: the mode calls the decorated function in place of this function of torch."""

    def register(handler):
        _SPECIAL[function] = handler
        return handler

    return register


