# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows the compilation stages of a kernel, from Tile IR to assembly."""

from __future__ import annotations

import functools
import subprocess

from tilewright import _files, _module, _native
from tilewright._public import public
from tilewright._records import CompileError


@public
class Inspection:
    """The compilation stages of a program; each is a text that is generated on first use."""

    def __init__(self, module: _native.Module, target: str, optimization: int):
        # With locations: bytecode would lose those that are not debug information.
        self._program = module.text(False, True).encode()
        self.text = module.text(False, False)
        """Tile IR."""
        self._target = target
        self._optimization = optimization

    @functools.cached_property
    def plan(self) -> str:
        """Where each value is stored, and which operations share a loop."""
        return self._emit("plan")

    @functools.cached_property
    def remarks(self) -> str:
        """What was fused, buffered and vectorised, and why: a line for each decision, with the
        kernel's source line."""
        return self._compile("--emit=plan", "--remarks").stderr

    @functools.cached_property
    def llvm(self) -> str:
        """Optimised LLVM IR."""
        return self._emit("llvm")

    @functools.cached_property
    def assembly(self) -> str:
        return self._emit("asm")

    def _emit(self, stage: str) -> str:
        return self._compile(f"--emit={stage}").stdout

    def _compile(self, *options: str) -> subprocess.CompletedProcess:
        command = [str(_files.find("bin/tilewright")), "compile", "-", f"--target=cpu={self._target}",
                   f"-O{self._optimization}", *options]
        ended = subprocess.run(command, input=self._program, capture_output=True)
        ended.stdout, ended.stderr = ended.stdout.decode(), ended.stderr.decode()
        if ended.returncode:
            raise CompileError(ended.stderr.rstrip("\n"))
        return ended

    def __repr__(self) -> str:
        return self.text


@public
def inspect(kernel, args=None, *, target: str = "native", optimization: int = 2) -> Inspection:
    """Shows a kernel's Tile IR, plan, remarks, LLVM IR and assembly.

    `kernel`: a `Module`, an `Entry`, or a cuTile kernel with `args` as `cutile.launch` takes them.
    `target`: a processor name as listed by `tilewright compile --help`; it may be another than this
    machine's. `optimization`: 0 to 3.

    Raises TypeError for other kernels. A stage that fails to compile raises CompileError on first use,
    with the compiler's complete output.
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
