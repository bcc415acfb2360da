# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes kernels PyTorch operators, on the CPU: with autograd and `torch.compile`.

    import cuda.tile as ct, torch, tilewright.torch

    @ct.kernel
    def scale(x, factor: float, y):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (256,)) * factor)

    def scaled_like(x: torch.Tensor, factor: float) -> torch.Tensor:
        return torch.empty_like(x)

    scaled = tilewright.torch.custom_op(
        "mylib::scaled", scale, grid=lambda x, factor: ct.cdiv(x.numel(), 256), out=scaled_like)
    y = scaled(torch.ones(1000), 3.0)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable

import torch

from tilewright import cutile
from tilewright._arrays import as_ndarray
from tilewright._module import Entry

__all__ = ["custom_op"]


def custom_op(name: str, kernel, *, grid, out: Callable, args: Callable | None = None,
              mutates_args: Iterable[str] = (), backward: Callable | None = None,
              setup_context: Callable | None = None, device: str | None = None,
              check: str | bool | None = None, threads: int = 0):
    """Creates an operator from a kernel with `torch.library.custom_op`, and returns it.

    `name`: such as "mylib::scaled". `kernel`: a function decorated with `@ct.kernel`, or an `Entry`.
    `out`: a function that allocates the tensors which the kernel writes, without filling them: it
    takes the operator's arguments and returns a tensor, a tuple of tensors, or None. Its parameters,
    with their annotations, become those of the operator; for `torch.compile` it also runs on fake
    tensors. `grid`: an int, a tuple of one to three, or a function of the arguments.

    The kernel is launched with the arguments, followed by the tensors from `out`; or with the tuple
    that `args` returns for all of these. `mutates_args`: the names of the arguments that the kernel
    writes to. Other arguments are read-only, except for tensors in a list, whose use is unknown.

    `backward`, `setup_context`: see `torch.library.register_autograd`.
    `device`, `check`, `threads`: see `tilewright.cutile.launch`.

    Calling the operator raises what a launch raises: TypeError or ValueError for arguments that do
    not fit or are read-only, and KernelError. Tensors must be on the CPU.
    """
    if not isinstance(kernel, Entry):
        cutile._state_of(kernel)  # or raises
    if backward is None and setup_context is not None:
        raise ValueError("setup_context needs backward")
    mutates_args = frozenset(mutates_args)
    signature = inspect.signature(out)
    launch = _launcher(kernel, device=device, check=check, threads=threads)

    mutated = [i for i, name in enumerate(signature.parameters) if name in mutates_args]

    def run(*positional, **keywords):
        made = out(*positional, **keywords)
        inputs, results = positional, _listed(made)
        if len(positional) < len(signature.parameters):
            bound = signature.bind(*positional, **keywords)
            bound.apply_defaults()
            inputs = tuple(bound.arguments.values())
        passed = (*inputs, *results)
        if args is not None:
            passed = args(*passed)
        written = results + [inputs[i] for i in mutated]
        launch(grid(*positional, **keywords) if callable(grid) else grid,
               _arrays(passed, {id(tensor) for tensor in written}))
        return made

    schema = torch.library.infer_schema(out, mutates_args=mutates_args)
    operator = torch.library.custom_op(name, run, mutates_args=mutates_args, device_types="cpu",
                                       schema=schema)
    operator.register_fake(out)
    if backward is not None:
        operator.register_autograd(backward, setup_context=setup_context)
    return operator


def _listed(made) -> list:
    if made is None:
        return []
    return list(made) if isinstance(made, (tuple, list)) else [made]


def _arrays(passed, written: set[int]):
    """Converts tensors to NumPy arrays; those that are not written become read-only."""
    if isinstance(passed, tuple):
        return tuple(_arrays(item, written) for item in passed)
    if isinstance(passed, list):
        return passed
    if not isinstance(passed, torch.Tensor):
        return passed
    array = as_ndarray(passed)
    if id(passed) not in written:
        array = array.view()
        array.flags.writeable = False
    return array


def _launcher(kernel, **options) -> Callable:
    if not isinstance(kernel, Entry):
        return lambda grid, arrays: cutile.launch(grid, kernel, arrays, **options)
    compiled = kernel.compile(**options)
    return lambda grid, arrays: compiled[grid](*arrays)
