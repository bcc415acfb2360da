# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows the compilation stages of a kernel, from Tile IR to assembly or PTX."""

from __future__ import annotations

import functools

from tilewright import _code, _module, _native
from tilewright._public import public
from tilewright._records import CompiledKernel


@public
class Inspection:
    """The compilation stages of a program; each is a text that is generated on first use. A stage that
    the target does not have raises ValueError."""

    def __init__(self, module: _native.Module, target: str, optimization: int):
        self.text: str = module.text(False, False)
        """Tile IR."""
        self._compile = functools.cache(functools.partial(
            _code.compile_module, module, target=target, optimization=optimization))

    @property
    def plan(self) -> str:
        """Where each value is stored, and which operations share a loop."""
        return self._compile("plan").contents

    @property
    def remarks(self) -> str:
        """What was fused, buffered and vectorised, and why: a line for each decision, with the
        kernel's source line."""
        return self._compile("plan").remarks

    @property
    def llvm(self) -> str:
        """Optimised LLVM IR."""
        return self._compile("llvm").contents

    @property
    def assembly(self) -> str:
        """Assembly for a CPU."""
        return self._compile("asm").contents

    @property
    def threads(self) -> str:
        """What one thread of a GPU computes, in upstream dialects."""
        return self._compile("threads").contents

    @property
    def ptx(self) -> str:
        """PTX for a GPU."""
        return self._compile("ptx").contents

    @property
    def kernels(self) -> tuple[CompiledKernel, ...]:
        """The kernels, with the threads and the shared memory of a CTA on a GPU."""
        return self._compile("plan").kernels

    def __repr__(self) -> str:
        return self.text


@public
def inspect(kernel, args=None, *, target: str = "native", optimization: int = 2) -> Inspection:
    """Shows a kernel's Tile IR, plan, remarks, LLVM IR, and assembly or PTX.

    `kernel`: a `Module`, an `Entry`, or a cuTile kernel with `args` as `cutile.launch` takes them.
    `target`: a processor as listed by `tilewright compile --help`, which may be another than this
    machine's, or a GPU such as "sm_90a". `optimization`: 0 to 3.

    Raises TypeError for other kernels. A stage that fails to compile raises CompileError on first use,
    with the compiler's complete output; an unknown target, ValueError.
    """
    if isinstance(kernel, _module.Module):
        native = kernel._native
    elif isinstance(kernel, _module.Entry):
        native = kernel._module
    elif args is None:
        raise TypeError("expected a Module, an Entry, or a kernel of cuTile with its arguments, "
                        f"but got {type(kernel).__name__} alone")
    else:
        from tilewright import cutile
        native = _native.Module.read(cutile.export(kernel, args), "<kernel>")
    return Inspection(native, target, optimization)
