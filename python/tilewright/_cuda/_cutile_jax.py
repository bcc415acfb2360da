# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes `cuda.tile.jax` work on JAX's CPU platform.

cuda-tile has a lowering rule and a handler for the platform "cuda", which JAX only has on machines
with a GPU. This module registers both for "cpu": the handler launches through Tilewright's driver
library (tools/cuda/driver/Xla.cpp), on XLA's buffers.
"""

from __future__ import annotations

import ctypes

from . import _driver

_TARGET = "cutile_launch"
_ALIGNMENT = 16
"""The alignment of XLA's CPU buffers, in bytes; GPU buffers, for which cuda-tile compiles, have 256."""
_NEEDED = ("cutile_call_ffi_p", "_cutile_call_ffi_p_lower", "_XLA_BASE_ADDR_ALIGN", "cext")


def serve(module) -> None:
    """`module` is `cuda.tile.jax`, whose import has registered the rules for GPUs."""
    if not module.HAS_JAX:
        return
    private = module._jax
    if missing := [name for name in _NEEDED if not hasattr(private, name)]:
        _refuse(module, f"this release of cuda-tile has no {', '.join(missing)}")
        return
    import jax
    from jax.interpreters import mlir
    private._XLA_BASE_ADDR_ALIGN = _ALIGNMENT
    kind = {"type_id": private.cext.xla_ffi_get_call_type_id(),
            "type_info": private.cext.xla_ffi_get_call_type_info()}
    handler = _in_front_of(private.cext.xla_ffi_get_call_handler())
    jax.ffi.register_ffi_type(_TARGET, kind, platform="cpu")
    jax.ffi.register_ffi_target(_TARGET, {"instantiate": handler, "execute": handler}, platform="cpu")
    mlir.register_lowering(private.cutile_call_ffi_p, private._cutile_call_ffi_p_lower, platform="cpu")


def _refuse(module, why: str) -> None:
    def cutile_call(*args, **kwargs):
        raise NotImplementedError(f"cuda.tile.jax.cutile_call is not supported without a GPU: {why}; "
                                  "tilewright.jax.call runs cuTile kernels in JAX programs")

    module.cutile_call = cutile_call


def _in_front_of(capsule):
    """The driver library's handler, in a capsule like that of cuda-tile's handler."""
    name = _name_of(capsule)
    library = _driver.load()
    library.twCudaXlaHandler.restype = ctypes.c_void_p
    library.twCudaXlaHandler.argtypes = [ctypes.c_void_p]
    return _capsule(library.twCudaXlaHandler(_pointer(capsule, name)), name, None)


_name_of = ctypes.pythonapi.PyCapsule_GetName
_name_of.restype, _name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
