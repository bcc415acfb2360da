# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module `cupy` whose arrays lie in host memory, with NumPy's functions.

CuPy has NumPy's interface, so the functions here are NumPy's; their results are `cupy.ndarray`s, which
present themselves as GPU memory. As with CuPy, results without dimensions are arrays, and NumPy's functions
do not accept these arrays implicitly: `array.get()` and `cupy.asnumpy` copy. Parameters that CuPy has and
NumPy lacks are accepted (_cupy_calls.py). Beyond NumPy's functions, streams, events, devices,
`cupy.random` and `cupy.testing` exist; anything else (CUDA C++ kernels, `cupyx`) raises an error with its
name.
"""

from __future__ import annotations

import functools
import sys
import types

import numpy as np

from . import _cupy_calls, _cupy_memory, _driver, _memory
from ._torch_cuda import Event as _TorchEvent, Stream as _TorchStream


class ndarray(np.ndarray):
    """An array that presents itself as memory of a GPU."""

    def __array_finalize__(self, array):
        _cupy_memory.count(self)

    def __array_ufunc__(self, function, method, *inputs, out=(), **options):
        options = {name: _plain(value) for name, value in options.items()}
        if out:
            options["out"] = _plain(out)
        with _cupy_memory.refusing():
            result = getattr(function, method)(*_plain(inputs), **options)
            return _served(result) if not out else out[0] if len(out) == 1 else out

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return array.view(ndarray)

    def __getitem__(self, index):
        return _served(super().__getitem__(_plain(index)))

    def __setitem__(self, index, value):
        super().__setitem__(_plain(index), value)

    def __reduce_ex__(self, protocol):
        return _restored, (self.get(),)

    @property
    def __cuda_array_interface__(self) -> dict:
        found = self.view(np.ndarray).__array_interface__
        return {"version": 3, "stream": None,
                **{key: found[key] for key in ("shape", "typestr", "data", "strides")}}

    def __dlpack__(self, *, stream=None, **options):
        return _driver.set_dlpack_device(self.view(np.ndarray).__dlpack__(**options), _driver.CUDA)

    def __dlpack_device__(self):
        return (_driver.CUDA, 0)

    @property
    def device(self) -> Device:
        return Device()

    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data, device=Device(), device_id=0)

    def get(self, stream=None, order="C", out=None, blocking=True) -> np.ndarray:
        """Copies to a NumPy array. Raises RuntimeError if a kernel has failed."""
        _driver.synchronise()
        if out is not None:
            out[...] = self.view(np.ndarray)
            return out
        return np.array(self.view(np.ndarray), order=order)

    def set(self, arr, stream=None) -> None:
        self[...] = arr

    def argmax(self, axis=None, out=None, dtype=None, keepdims=False):
        return _in_type(np.argmax(self.view(np.ndarray), axis, _plain(out), keepdims=keepdims), dtype)

    def argmin(self, axis=None, out=None, dtype=None, keepdims=False):
        return _in_type(np.argmin(self.view(np.ndarray), axis, _plain(out), keepdims=keepdims), dtype)

    def ptp(self, axis=None, out=None, keepdims=False):
        return _served(np.ptp(self.view(np.ndarray), axis, _plain(out), keepdims))

    def dot(self, b, out=None):
        return _served(np.dot(self.view(np.ndarray), _plain(b), _plain(out)))

    def scatter_add(self, slices, value) -> None:
        np.add.at(self.view(np.ndarray), _plain(slices), _plain(value))

    def scatter_max(self, slices, value) -> None:
        np.maximum.at(self.view(np.ndarray), _plain(slices), _plain(value))

    def scatter_min(self, slices, value) -> None:
        np.minimum.at(self.view(np.ndarray), _plain(slices), _plain(value))

    def _on_host(method):
        @functools.wraps(method)
        def synchronised(self, *args, **kwargs):
            _driver.synchronise()
            return method(self, *args, **kwargs)
        return synchronised

    item, tolist = _on_host(np.ndarray.item), _on_host(np.ndarray.tolist)
    tobytes = _on_host(np.ndarray.tobytes)
    __bool__, __int__ = _on_host(np.ndarray.__bool__), _on_host(np.ndarray.__int__)
    __float__, __index__ = _on_host(np.ndarray.__float__), _on_host(np.ndarray.__index__)
    del _on_host

    def __repr__(self):
        return repr(self.get())

    def __str__(self):
        return str(self.get())

    def __format__(self, form):
        return format(self.get(), form)


def _restored(array):
    return array.view(ndarray)


def _plain(value):
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return value.view(np.ndarray) if isinstance(value, ndarray) else value


def _in_type(value, dtype):
    return _served(value if dtype is None else value.astype(dtype))


def _served(value):
    """Converts the result of a NumPy function to what CuPy would return."""
    if isinstance(value, ndarray):
        return value
    if isinstance(value, np.ndarray):
        return value.view(ndarray)
    if isinstance(value, np.generic):
        return np.asarray(value).view(ndarray)
    if isinstance(value, (tuple, list)) and any(isinstance(item, np.ndarray) for item in value):
        items = [_served(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _serve(function):
    @functools.wraps(function)
    def served(*args, **kwargs):
        with _cupy_memory.refusing():
            return _served(function(*args, **kwargs))
    return served


# --- CuPy's own functions -----------------------------------------------------------------------


def asnumpy(a, stream=None, order="C", out=None, blocking=True):
    """Copies an array to a NumPy array; raises RuntimeError if a kernel has failed."""
    if isinstance(a, ndarray):
        return a.get(order=order, out=out)
    return np.asarray(a, order=order)


def get_array_module(*args):
    return sys.modules["cupy"] if any(isinstance(arg, ndarray) for arg in args) else np


def array(obj, dtype=None, copy=True, order="K", subok=False, ndmin=0, *, blocking=False):
    with _cupy_memory.refusing():
        return np.array(_host_view(obj), dtype, copy=copy, order=order, ndmin=ndmin).view(ndarray)


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    # Copy what is not on the GPU yet.
    if isinstance(a, ndarray) or hasattr(a, "__cuda_array_interface__"):
        return np.asarray(_host_view(a), dtype, order, copy=copy).view(ndarray)
    return array(a, dtype, order=order or "K")


def ascontiguousarray(a, dtype=None):
    return np.ascontiguousarray(asarray(a, dtype)).view(ndarray)


def _host_view(object):
    """Views other libraries' "cuda" arrays as host memory."""
    if not isinstance(object, np.ndarray) and hasattr(object, "__cuda_array_interface__"):
        return np.asarray(types.SimpleNamespace(
            __array_interface__={**object.__cuda_array_interface__, "version": 3}, owner=object))
    return object


def from_dlpack(array, *, device=None, copy=None):
    Device(device)
    try:
        capsule = array.__dlpack__(max_version=(1, 0))  # this version has a read-only flag
    except TypeError:
        capsule = array.__dlpack__()
    _driver.set_dlpack_device(capsule, _driver.CPU)
    holder = types.SimpleNamespace(__dlpack__=lambda **options: capsule,
                                   __dlpack_device__=lambda: (_driver.CPU, 0))
    found = np.from_dlpack(holder)
    return (found.copy() if copy else found).view(ndarray)


def is_available() -> bool:
    return True


# --- cupy.cuda ----------------------------------------------------------------------------------


class Device:
    def __init__(self, device=0):
        if getattr(device, "id", device) not in (None, 0):
            raise RuntimeError(f"cudaErrorInvalidDevice: invalid device ordinal: {device}, but "
                               "there is one device")
        self.id = 0

    def use(self):
        return self

    def synchronize(self) -> None:
        _driver.synchronise()

    @property
    def compute_capability(self) -> str:
        return f"{_driver.attribute(75)}{_driver.attribute(76)}"

    @property
    def mem_info(self):
        return _driver.memory()

    @property
    def attributes(self) -> dict:
        return {"MultiProcessorCount": _driver.attribute(16)}

    def __int__(self):
        return self.id

    def __eq__(self, other):
        return isinstance(other, Device)

    def __hash__(self):
        return 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def __repr__(self):
        return "<CUDA Device 0>"


class Stream(_TorchStream):
    """`ptr` is the handle of the driver's stream; 0 is the default one."""

    def __init__(self, null=False, non_blocking=False, ptds=False, *, _handle=None):
        super().__init__(_handle=0 if null or ptds else _handle)

    @property
    def ptr(self) -> int:
        return self.cuda_stream

    @property
    def done(self) -> bool:
        return True

    def record(self, event=None):
        return self.record_event(event or CudaEvent())

    def use(self):
        _streams[:] = [self]
        return self

    def __enter__(self):
        _streams.append(self)
        return self

    def __exit__(self, *exception):
        _streams.pop()
        return False


class ExternalStream(Stream):
    def __init__(self, ptr, device_id=-1):
        super().__init__(_handle=ptr)


class CudaEvent(_TorchEvent):
    def __init__(self, block=False, disable_timing=False, interprocess=False):
        super().__init__(enable_timing=not disable_timing, interprocess=interprocess)

    @property
    def done(self) -> bool:
        return True


def get_elapsed_time(start: CudaEvent, end: CudaEvent) -> float:
    return start.elapsed_time(end)


Stream.null = Stream(null=True)
_streams = [Stream.null]


def get_current_stream(device_id=-1) -> Stream:
    return _streams[-1]


# --- The module ---------------------------------------------------------------------------------


class _Numpys(types.ModuleType):
    """A module that wraps a NumPy module for `cupy.ndarray`, with some functions of its own."""

    def __init__(self, name: str, numpys, **own):
        super().__init__(name)
        self.__path__ = []
        self._numpys = numpys
        self.__dict__.update(own)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        whole = f"{self.__name__}.{name}".removeprefix("cupy.")
        found = getattr(self._numpys, _cupy_calls.ALIASES.get(whole, name), self) if self._numpys else self
        if found is self or isinstance(found, types.ModuleType):
            raise AttributeError(f"{self.__name__}.{name} is not supported in host memory "
                                 "(Tilewright runs this script without a GPU)")
        if callable(found) and not isinstance(found, type):
            found = found if isinstance(found, np.ufunc) else _serve(_cupy_calls.adapted(whole, found))
        setattr(self, name, found)
        return found


def _drawn(name, maker):
    """Wraps a random generator so that it returns `cupy.ndarray`s."""
    def make(*args, **kwargs):
        return _Numpys(f"cupy.random.{name}", maker(*args, **kwargs))
    return make


def _compared(check):
    """CuPy's test functions compare arrays of both libraries."""
    @functools.wraps(check)
    def compare(*args, strides_check=False, **kwargs):
        return check(*(asnumpy(arg) if isinstance(arg, ndarray) else arg for arg in args), **kwargs)
    return compare


def make_module() -> types.ModuleType:
    """Creates the module `cupy`, and registers its submodules in `sys.modules`."""
    _memory.protect_process()
    checks = {name: _compared(getattr(np.testing, name)) for name in (
        "assert_allclose", "assert_array_equal", "assert_array_almost_equal", "assert_array_less")}
    stream = _Numpys("cupy.cuda.stream", None, Stream=Stream, ExternalStream=ExternalStream,
                     get_current_stream=get_current_stream)
    runtime = _Numpys(
        "cupy.cuda.runtime", None, deviceSynchronize=_driver.synchronise, getDevice=lambda: 0,
        getDeviceCount=lambda: 1, driverGetVersion=lambda: 13000, runtimeGetVersion=lambda: 13000,
        getDeviceProperties=lambda device: {
            "name": _driver.device_name().encode(), "major": _driver.attribute(75),
            "minor": _driver.attribute(76), "multiProcessorCount": _driver.attribute(16)})
    memory = _Numpys("cupy.cuda.memory", None, OutOfMemoryError=_cupy_memory.OutOfMemoryError)
    cuda = _Numpys("cupy.cuda", None, memory=memory, Device=Device, Stream=Stream, ExternalStream=ExternalStream,
                   Event=CudaEvent, get_elapsed_time=get_elapsed_time, is_available=is_available,
                   get_current_stream=get_current_stream, stream=stream, runtime=runtime)
    parts = {
        "random": _Numpys("cupy.random", np.random, default_rng=_drawn("Generator", np.random.default_rng),
                          RandomState=_drawn("RandomState", np.random.RandomState)),
        "linalg": _Numpys("cupy.linalg", np.linalg, matmul=np.matmul), "fft": _Numpys("cupy.fft", np.fft),
        "testing": _Numpys("cupy.testing", None, **checks), "cuda": cuda}
    module = _Numpys(
        "cupy", np, _tilewright=True, ndarray=ndarray, asnumpy=asnumpy, array=array, asarray=asarray,
        asanyarray=asarray,
        ascontiguousarray=ascontiguousarray, from_dlpack=from_dlpack, is_available=is_available,
        get_array_module=get_array_module, __version__=f"0 (Tilewright, NumPy {np.__version__})",
        **parts)
    for part in (*parts.values(), stream, runtime, memory):
        sys.modules[part.__name__] = part
    return module
