# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch with "cuda" tensors in host memory: installs the mode for its functions (_torch_mode.py),
and patches what a mode does not see.

Two differences from a GPU: one function may mix tensors of both devices, and `torch.compile` runs
eagerly.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import warnings

import torch
from torch.utils import _device

from . import (_driver, _memory, _torch_attention, _torch_cuda, _torch_functions, _torch_graphs, _torch_memory,
               _torch_profiler, _torch_storage)
from ._torch_exact import exact
from ._torch_mode import (CUDA, Mode, any_on_cuda, going_back, in_device_context, is_cuda, mark, marked,
                          on_cuda, recording)


def serve(module) -> None:
    """Patches PyTorch in this process. Existing threads other than the calling one are not
    affected."""
    if hasattr(module, "_tilewright"):
        return
    module._tilewright = True
    _memory.protect_process()
    _torch_cuda.serve(module)
    _torch_storage.serve()
    _torch_functions.serve()
    _torch_graphs.serve(module)
    _torch_profiler.serve()
    _torch_attention.serve()
    _serve_tensors()
    _serve_parameters()
    _serve_subclasses()
    _serve_gradients()
    _serve_dlpack()
    _serve_generators()
    _serve_autocast()
    _device.DeviceContext.__torch_function__ = in_device_context
    _serve_compile()
    _let_devices_be_counted()
    _serve_threads()
    Mode().__enter__()


def _let_devices_be_counted() -> None:
    """PyTorch's GPU builds count devices once per process, and warn if that fails: this hides the warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        getattr(torch._C, "_cuda_getDeviceCount", int)()


def _serve_tensors() -> None:
    # The original only accepts PyTorch's own streams.
    torch.Tensor.record_stream = lambda self, stream: None
    torch.set_default_tensor_type = _set_default_tensor_type


def _set_default_tensor_type(kind) -> None:
    name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__name__}"
    _set_host_tensor_type(name.replace("torch.cuda.", "torch.", 1))
    torch.set_default_device("cuda" if name.startswith("torch.cuda.") else None)


_set_host_tensor_type = torch.set_default_tensor_type


def _serve_parameters() -> None:
    for kind in (torch.nn.Parameter, torch.nn.Buffer):
        kind.__new__ = staticmethod(_with_mark_of_data(kind.__new__))


def _with_mark_of_data(make):
    @functools.wraps(make)
    def make_marked(cls, data=None, *args, **kwargs):
        return marked(make(cls, data, *args, **kwargs), data, data is not None and on_cuda(data))

    return make_marked


def _serve_subclasses() -> None:
    as_subclass = torch.Tensor.as_subclass

    @functools.wraps(as_subclass)
    def marked_as_subclass(self, cls):
        return marked(as_subclass(self, cls), self, on_cuda(self))

    torch.Tensor.as_subclass = marked_as_subclass


def _serve_gradients() -> None:
    """`backward` and `torch.autograd.grad` may be called inside a function that a mode has intercepted.
    The mode is then inactive, but the engine still calls functions of scripts, which need it."""
    run = torch.autograd._engine_run_backward

    def run_served(outputs, *args, **kwargs):
        if not any_on_cuda(outputs):
            return run(outputs, *args, **kwargs)
        try:
            # A graph records the operators themselves; they compute exactly when they run.
            with Mode(), going_back(), contextlib.nullcontext() if recording().active else exact():
                return run(outputs, *args, **kwargs)
        except (RuntimeError, MemoryError) as error:
            if refused := _torch_memory.refused(error):
                raise refused from None
            raise

    torch.autograd._engine_run_backward = run_served


def _serve_dlpack() -> None:
    """cuTile accepts the capsules from `torch._C._to_dlpack` only if their device is a GPU."""
    to_capsule, from_dlpack = torch._C._to_dlpack, torch.from_dlpack

    def _to_dlpack(tensor, *args, **kwargs):
        capsule = to_capsule(tensor, *args, **kwargs)
        return _driver.set_dlpack_device(capsule, _driver.CUDA) if on_cuda(tensor) else capsule

    @functools.wraps(from_dlpack)
    def served_from_dlpack(array, **options):
        capsule = None
        if (find := getattr(array, "__dlpack_device__", None)) is not None:
            if find()[0] == _driver.CUDA:
                capsule = array.__dlpack__()
        elif _driver.dlpack_device(array) == _driver.CUDA:
            capsule = array
        if capsule is None:
            return from_dlpack(array, **options)
        result = from_dlpack(_driver.set_dlpack_device(capsule, _driver.CPU))
        mark(result)
        return result

    torch._C._to_dlpack = torch.to_dlpack = torch.utils.dlpack.to_dlpack = _to_dlpack
    torch.from_dlpack = torch.utils.dlpack.from_dlpack = served_from_dlpack


def _serve_generators() -> None:
    class Generator(torch.Generator):
        def __new__(cls, device="cpu"):
            made = super().__new__(cls, "cpu" if is_cuda(device) else device)
            made._on_cuda = is_cuda(device)
            return made

        @property
        def device(self):
            return CUDA if self._on_cuda else super().device

    Generator.__module__, Generator.__qualname__ = "torch", "Generator"
    torch.Generator = Generator


def _serve_autocast() -> None:
    """Automatic mixed precision as on a GPU, with its default type."""
    autocast = torch.amp.autocast_mode.autocast
    begin = autocast.__init__

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if device_type == "cuda":
            device_type, dtype = "cpu", dtype or torch.float16
        begin(self, device_type, dtype, enabled, cache_enabled)

    autocast.__init__ = __init__


def _serve_compile() -> None:
    """Runs eagerly. The compiler's modules, which take longer to import than the rest of PyTorch, are
    imported only if a script compiles."""
    compile = torch.compile

    @functools.wraps(compile)
    def compile_eagerly(*args, **kwargs):
        torch.compiler.set_stance("force_eager")
        return compile(*args, **kwargs)

    torch.compile = compile_eagerly


def _serve_threads() -> None:
    """A mode is thread-local: threads that start from now on enter it."""
    start = threading.Thread.start

    @functools.wraps(start)
    def start_served(self):
        run = self.run

        def run_served():
            with Mode():
                run()

        self.run = run_served
        start(self)

    threading.Thread.start = start_served
