# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls kernels from JAX programs: under `jit`, `vmap` and `shard_map`, on the CPU.

    import cuda.tile as ct, jax, jax.numpy as jnp, tilewright.jax

    @ct.kernel
    def double(x, y):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (256,)) * 2)

    @jax.jit
    def program(x):
        out = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return tilewright.jax.call(double, -(-x.size // 256), x, out=out) + 1

XLA calls Tilewright's handler (python/src/Xla.cpp) on its own buffers, without copies and without
running Python. All data that the handler needs is stored in the program, so the program can be
exported, and kept in JAX's compile cache.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib

import jax
import jax.numpy as jnp
import numpy as np

from tilewright import _native
from tilewright._arrays import element_of, mismatch
from tilewright._module import DEVICES, Entry, compile_settings
from tilewright._records import ElementType, Parameter
from tilewright.cutile import _defaults, _signature, _state_of

__all__ = ["call", "inout", "register"]

_TARGET = "tilewright_launch"
_ALIGNMENT = 16  # of XLA's buffers, in bytes; cuTile kernels are compiled for it
# Origins of an operand (XlaPlan.h); a result in the memory of an argument has that argument's index.
_ARGUMENT, _RESULT = -2, -1
# Sources of a parameter's value.
_NUMBER, _ARRAY, _NUMBER_OF_OPERAND = range(3)


class inout:
    """An argument of `call`: an array that the kernel reads and writes. `call` returns the new contents;
    `array` itself is unchanged: XLA copies it, unless it has no other use."""

    def __init__(self, array):
        """`array`: anything that `jax.numpy.asarray` takes."""
        self.array: jax.Array = jnp.asarray(array)
        """The contents before the call."""


def call(kernel, grid, *args, out=None, device: str | None = None, check: str | bool | None = None,
         threads: int = 0, seed: int | None = None):
    """Runs a kernel as part of a JAX program, and returns the arrays that it writes.

    `kernel`: a function decorated with `@ct.kernel`, or an `Entry`. `grid`: an int or a tuple of one to
    three. `args`: one for each parameter: arrays, numbers, tuples of these and, for cuTile, constants.
    A `jax.ShapeDtypeStruct` stands for an array that the kernel writes, `inout(array)` for one that it
    also reads. `out`: one `jax.ShapeDtypeStruct` or a sequence of them, which are passed after `args`.
    The kernel must write every element of these arrays; unwritten elements have arbitrary values.

    JAX arrays without dimensions are passed as numbers, except to pointer parameters of an `Entry`.

    Returns a tuple of the written arrays, in parameter order; or the array itself if there is only
    one and `out` is not a sequence.

    Under `vmap` the kernel is launched for each element of the batch, one after the other. Under
    `shard_map` each shard launches it. For derivatives, use `jax.custom_vjp`.

    `device`, `check`, `threads`, `seed`: see `tilewright.cutile.launch`.

    Raises TypeError, ValueError or OverflowError for arguments that do not fit, and CompileError. Kernel
    errors are raised as `jax.errors.JaxRuntimeError`, with the text of the findings.
    """
    register()
    outs = list(out) if isinstance(out, (tuple, list)) else [] if out is None else [out]
    operands = _Operands()
    traced = [operands.take(arg) for arg in (*args, *outs)]
    operands.number()
    if not operands.results:
        raise ValueError("the call has no result: there is neither out, nor a jax.ShapeDtypeStruct or "
                         "an inout among the arguments")
    code, values = _traced(kernel, traced)
    _expect_roles(code, values, operands)
    settings = (*_defaults(device, check), threads, seed)
    results = _bind(code, [*_grid(grid), code.alignment], operands, _rows(code, values), settings)
    return results[0] if len(results) == 1 and not isinstance(out, (tuple, list)) else tuple(results)


# --- Arguments ----------------------------------------------------------------------------------


class _Operands:
    """The arrays of a call: arguments first, then results."""

    def __init__(self):
        self.arguments = []
        """JAX arrays."""
        self.results = []
        """One `jax.ShapeDtypeStruct` each."""
        self.origins = []
        """For each result: _RESULT, or the index of the argument whose memory it shares."""
        self._traced_arguments, self._traced_results = [], []

    def take(self, arg):
        """Registers an argument of the call; returns what the kernel is bound with."""
        if isinstance(arg, inout):
            self.arguments.append(arg.array)
            return self._result(jax.ShapeDtypeStruct(arg.array.shape, arg.array.dtype),
                                len(self.arguments) - 1)
        if isinstance(arg, jax.ShapeDtypeStruct):
            return self._result(arg, _RESULT)
        if isinstance(arg, (jax.Array, np.ndarray)):
            array = jnp.asarray(arg)
            self._traced_arguments.append(
                _signature.TracedArray(len(self.arguments), array.shape, np.dtype(array.dtype)))
            self.arguments.append(array)
            return self._traced_arguments[-1]
        if isinstance(arg, tuple):
            return tuple(map(self.take, arg))
        if isinstance(arg, list):
            raise TypeError("lists of arrays cannot be passed through XLA; a tuple can")
        return arg

    def _result(self, type: jax.ShapeDtypeStruct, origin: int):
        self.results.append(type)
        self.origins.append(origin)
        self._traced_results.append(
            _signature.TracedArray(len(self.results) - 1, type.shape, np.dtype(type.dtype)))
        return self._traced_results[-1]

    def number(self):
        """Gives results their operand numbers, which follow those of the arguments."""
        for result in self._traced_results:
            result.operand += len(self.arguments)

    def is_result(self, operand: int) -> bool:
        return operand >= len(self.arguments)

    @property
    def rows(self) -> list[int]:
        """In the format of XlaPlan.h."""
        types = [(array, _ARGUMENT) for array in self.arguments]
        types += zip(self.results, self.origins)
        return [len(types)] + [word for type, origin in types
                               for word in (len(type.shape), np.dtype(type.dtype).itemsize, origin)]


def _grid(grid) -> list[int]:
    extents = list(grid) if isinstance(grid, (tuple, list)) else [grid]
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"a grid has 1 to 3 extents, but got {len(extents)}")
    for extent in extents:
        if not isinstance(extent, (int, np.integer)):
            raise TypeError("an extent of the grid must be an int that is known while JAX traces, "
                            f"but is {type(extent).__name__}")
        if not 1 <= extent < 1 << 24:
            raise ValueError(f"an extent of the grid must be in 1..{(1 << 24) - 1}, but is {extent}")
    return [int(extent) for extent in extents] + [1] * (3 - len(extents))


# --- The code -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Code:
    """A kernel for one argument signature."""

    name: str
    native: _native.Module
    bytecode: bytes
    general: bytes
    """A version that works for any addresses; empty if it is never needed."""
    alignment: int
    """The alignment of addresses that `bytecode` relies on."""

    @functools.cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(dict(self.native.entries())[self.name])

    def place(self, index: int) -> str:
        return f"kernel @{self.name}: argument {index + 1} of type {self.parameters[index].type}: "


def _traced(kernel, args) -> tuple[_Code, list]:
    """Returns the code, and a TracedArray or a number for each parameter."""
    if isinstance(kernel, Entry):
        if len(args) != len(kernel.parameters):
            raise TypeError(f"kernel @{kernel.name} takes {len(kernel.parameters)} arguments, "
                            f"but got {len(args)}")
        return _code_of_entry(kernel), args
    state = _state_of(kernel)
    bound = _signature.bind(state.parameters, args)
    # Under vmap, the elements of a batch of such arrays are not aligned.
    is_ragged = any(np.prod(value.shape, dtype=np.int64) * value.dtype.itemsize % _ALIGNMENT
                    for value in bound.values
                    if isinstance(value, _signature.TracedArray) and value.shape)
    code = state.traced.get((bound.key, is_ragged))
    if code is None:
        code = state.traced[bound.key, is_ragged] = _code_of_cutile(state, bound, is_ragged)
    return code, bound.values


@functools.lru_cache
def _code_of_entry(entry: Entry) -> _Code:
    return _Code(entry.name, entry._module, entry._module.bytecode(None), b"", 1)


def _code_of_cutile(state, bound: _signature.Bound, is_ragged: bool) -> _Code:
    def read(bound):
        return _native.Module.read(state.bytecode(bound), f"kernel {state.name}")

    native = read(bound)
    general = read(bound.for_any_addresses()).bytecode(None) if is_ragged else b""
    return _Code(state.name, native, native.bytecode(None), general, _ALIGNMENT)


def _expect_roles(code: _Code, values, operands: _Operands) -> None:
    """Checks that written arrays are results, and that results are written."""
    for index, (parameter, value) in enumerate(zip(code.parameters, values)):
        if not isinstance(value, _signature.TracedArray):
            continue
        is_result = operands.is_result(value.operand)
        if parameter.is_written and not is_result:
            raise ValueError(code.place(index) + "the kernel writes to this array; pass it as "
                             "tilewright.jax.inout(array), or a jax.ShapeDtypeStruct")
        if is_result and not parameter.is_written:
            raise ValueError(code.place(index) + "the kernel never writes to this array, which is a "
                             "result")


def _rows(code: _Code, values) -> list[int]:
    """The parameters, in the format of XlaPlan.h."""
    rows = [len(code.parameters)]
    for index, (parameter, value) in enumerate(zip(code.parameters, values)):
        try:
            rows += _row(parameter, ElementType[parameter.element], value)
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(code.place(index) + str(error)) from None
    return rows


def _row(parameter: Parameter, element: ElementType, value) -> tuple[int, int, int]:
    if not isinstance(value, _signature.TracedArray):
        if parameter.is_pointer:
            raise TypeError(f"expected an array, but got {type(value).__name__}")
        return _NUMBER, element, _signed(_native.scalar_bits(element, value))
    if parameter.is_pointer:
        if not _native.holds(element_of(value.dtype), element):
            raise TypeError(mismatch(element, value.dtype))
        return _ARRAY, element, value.operand
    if value.shape:
        raise TypeError(f"expected a number, but got an array of shape {value.shape}")
    if element_of(value.dtype) != element:
        raise TypeError(f"expected a number of type {element.name}, but got one of "
                        f"{value.dtype.name}")
    return _NUMBER_OF_OPERAND, element, value.operand


# --- The call -----------------------------------------------------------------------------------


@functools.cache
def register() -> None:
    """Registers Tilewright with XLA, as `call` does: for processes that only run programs exported by
    others."""
    jax.ffi.register_ffi_target(_TARGET, _native.xla_handler(), platform="cpu")


def _bind(code: _Code, launch: list[int], operands: _Operands, rows: list[int], settings) -> list:
    device, check, threads, seed = settings
    options = compile_settings(device, check, threads, seed=seed)
    plan = [*launch, threads, DEVICES.index(options.device), seed is not None, _signed(seed or 0),
            *operands.rows, *rows]
    attributes = {"plan": np.array(plan, np.int64), "entry": code.name, "checks": options.checks,
                  "bytecode": code.bytecode, "general": code.general, "key": _keep(code, options)}
    aliases = {origin: number for number, origin in enumerate(operands.origins) if origin >= 0}
    # A batched result cannot share the memory of an argument without the batch dimension.
    launched = jax.ffi.ffi_call(_TARGET, operands.results, input_output_aliases=aliases,
                                vmap_method="broadcast_all" if aliases else "expand_dims")
    arguments, axes = _varying_alike(operands.arguments)
    return [_vary(result, axes) for result in launched(*arguments, **attributes)]


def _signed(word: int) -> int:
    return word - (1 << 64 if word >> 63 else 0)


_kept = set()


def _keep(code: _Code, options: _native.CompileSettings) -> str:
    """Compiles the code for the handler, and returns the key under which the handler finds it."""
    digest = hashlib.sha256(code.bytecode)
    digest.update(repr((code.name, options.device, options.checks, options.seed)).encode())
    key = digest.hexdigest()
    if key not in _kept:
        _native.keep_for_xla(key, code.native.compile(code.name, options))
        _kept.add(key)
    return key


# Inside shard_map, JAX tracks for each array the mesh axes along which it varies. A launch varies along
# the axes of all its arguments.


def _varying_alike(arrays: list) -> tuple[list, frozenset]:
    axes = frozenset().union(*map(_varying, arrays))
    return [_vary(array, axes) for array in arrays], axes


def _varying(array) -> frozenset:
    return frozenset(jax.typeof(array).manual_axis_type.varying)


def _vary(array, axes: frozenset):
    missing = axes - _varying(array)
    return jax.lax.pcast(array, tuple(missing), to="varying") if missing else array
