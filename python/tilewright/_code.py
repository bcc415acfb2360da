# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiler makes of a module: text or bytes, and what a launch of its kernels must know."""

from __future__ import annotations

import dataclasses

from tilewright import _native
from tilewright._public import public
from tilewright._records import CompiledKernel

STAGES = ("llvm", "tile", "plan", "threads", "loops", "ptx", "cubin", "asm", "obj", "so")
"""In the order of twStage."""
_BINARY = ("cubin", "obj", "so")


@public
@dataclasses.dataclass(frozen=True)
class Code:
    """A module at a stage of a compiler."""

    target: str
    """`cpu=native`, `cpu=NAME` or `sm_90a`."""
    stage: str
    """`llvm`, `tile`, `plan`, `threads`, `loops`, `ptx`, `cubin`, `asm`, `obj` or `so`."""
    contents: str | bytes
    """Bytes for `cubin`, `obj` and `so`, otherwise text."""
    kernels: tuple[CompiledKernel, ...]
    """In the order of the module."""
    remarks: str
    """The decisions of the compiler, a line each, with the kernel's source line."""

    def __str__(self) -> str:
        return self.contents if isinstance(self.contents, str) else repr(self)

    def __repr__(self) -> str:
        kernels = ", ".join(kernel.name for kernel in self.kernels)
        return f"<tilewright.Code: {self.stage} of {kernels or 'no kernel'} for {self.target}>"


def compile_module(module: _native.Module, stage: str | None, target: str, optimization: int,
                   debug_info: bool = False) -> Code:
    """See `Module.compile`."""
    is_gpu = target.startswith("sm_")
    if stage is None:
        stage = "ptx" if is_gpu else "asm"
    if stage not in STAGES:
        raise ValueError(f"expected a stage among {', '.join(STAGES)}, but got {stage!r}")
    if not 0 <= optimization <= 3:
        raise ValueError(f"optimization must be in 0..3, but is {optimization}")
    has_full_name = is_gpu or target == "cpu" or target.startswith("cpu=")
    full_name = target if has_full_name else f"cpu={target}"
    contents, kernels, remarks = module.code(STAGES.index(stage), full_name, optimization, debug_info,
                                             True)
    return Code(full_name, stage, contents if stage in _BINARY else contents.decode(),
                tuple(kernels), remarks)
