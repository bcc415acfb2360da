# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of a kernel: its stages from Tile IR to assembly."""

from __future__ import annotations

import functools
import subprocess

from tilewright import _files, _module, _native
from tilewright._public import public
from tilewright._records import CompileError


@public
class Inspection:
    """The stages of a program, each a text that is made when it is asked for."""

    def __init__(self, module: _native.Module, target: str, optimization: int):
        # With locations, which bytecode loses if they are not debug information.
        self._program = module.text(False, True).encode()
        self.text = module.text(False, False)
        """Tile IR."""
        self._target = target
        self._optimization = optimization

    @functools.cached_property
    def plan(self) -> str:
        """Which value lives where, and which operations share a loop."""
        return self._emit("plan")

    @functools.cached_property
    def remarks(self) -> str:
        """What was fused, kept in buffers and vectorised, and why: a line for each decision, with the
        source line of the kernel."""
        return self._compile("--emit=plan", "--remarks").stderr

    @functools.cached_property
    def llvm(self) -> str:
        """LLVM IR, optimised."""
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
    """What becomes of a kernel: its Tile IR, plan, remarks, LLVM IR and assembly.

    `kernel`: a `Module` or an `Entry`, or a kernel of cuTile with `args` as `cutile.launch` takes
    them. `target`: a processor as `tilewright compile --help` names it, also another than this
    machine's. `optimization`: 0 to 3.

    Raises TypeError for others, and CompileError, with all that the compiler says, from the stage
    that is asked for.
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
