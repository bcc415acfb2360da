# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in programs of JAX: under `jit`, `vmap` and `shard_map`, on the CPU.

    import cuda.tile as ct, jax, jax.numpy as jnp, tilewright.jax

    @ct.kernel
    def double(x, y):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (256,)) * 2)

    @jax.jit
    def program(x):
        out = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return tilewright.jax.call(double, -(-x.size // 256), x, out=out) + 1

XLA calls one handler of Tilewright's (python/src/Xla.cpp) on buffers of its own, without a copy and
without Python. What the handler needs to know is written into the program: it can be exported, and
kept in JAX's cache.
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
_ALIGNMENT = 16  # bytes, of XLA's buffers; cuTile's code is made for it
# Of an operand (XlaPlan.h); a result in the memory of an argument has its number.
_ARGUMENT, _RESULT = -2, -1
# Of a parameter.
_NUMBER, _ARRAY, _NUMBER_OF_OPERAND = range(3)


class inout:
    """An argument of `call`: an array that the kernel reads and writes. `call` returns what it holds
    then; `array` itself stays as it is, as XLA copies it unless nobody needs it any more."""

    def __init__(self, array):
        self.array = jnp.asarray(array)


def call(kernel, grid, *args, out=None, device: str | None = None, check: str | bool | None = None,
         threads: int = 0, seed: int | None = None):
    """Runs a kernel as a part of a program of JAX, and returns the arrays that it writes.

    `kernel`: a function with the decorator `@ct.kernel`, or an `Entry`. `grid`: an int or a tuple of
    one to three. `args`: one for each parameter: arrays, numbers, tuples of these and, for cuTile,
    constants. A `jax.ShapeDtypeStruct` stands for an array that the kernel writes, `inout(array)`
    for one that it also reads. `out`: one `jax.ShapeDtypeStruct` or a sequence of them, which follow
    after `args`. The kernel has to write each element of such an array, which otherwise has any
    value. Arrays of JAX without dimensions are numbers, except to a pointer of an `Entry`.

    The result: an array for each of those that are written, in the order of the parameters; not in
    a tuple if there is one, and `out` is no sequence.

    Under `vmap` the kernel is launched for each element of the batch, one after the other. Under
    `shard_map` each shard launches it. Derivatives need `jax.custom_vjp`.

    `device`, `check`, `threads`, `seed`: as in `tilewright.cutile.launch`. What a kernel does wrong
    arrives as an error of JAX (`jax.errors.JaxRuntimeError`) with the text of the findings.

    Raises TypeError, ValueError or OverflowError for arguments that do not fit, and CompileError.
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
    """The arrays of a call: those that go in, and then those that come out."""

    def __init__(self):
        self.arguments = []
        """Arrays of JAX."""
        self.results = []
        """A `jax.ShapeDtypeStruct` each."""
        self.origins = []
        """Of each result: _RESULT, or the number of its argument."""
        self._traced_arguments, self._traced_results = [], []

    def take(self, arg):
        """What a kernel is bound with."""
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
        """Results are behind the arguments, once all are known."""
        for result in self._traced_results:
            result.operand += len(self.arguments)

    def is_result(self, operand: int) -> bool:
        return operand >= len(self.arguments)

    @property
    def rows(self) -> list[int]:
        """As XlaPlan.h has them."""
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
    """A kernel for arguments of a kind."""

    name: str
    native: _native.Module
    bytecode: bytes
    general: bytes
    """The same for any addresses; empty if that is never needed."""
    alignment: int
    """Of addresses, that `bytecode` was made for."""

    @functools.cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(dict(self.native.entries())[self.name])

    def place(self, index: int) -> str:
        return f"kernel @{self.name}: argument {index + 1} of type {self.parameters[index].type}: "


def _traced(kernel, args) -> tuple[_Code, list]:
    """The code, and a TracedArray or a number for each of its parameters."""
    if isinstance(kernel, Entry):
        if len(args) != len(kernel.parameters):
            raise TypeError(f"kernel @{kernel.name} takes {len(kernel.parameters)} arguments, "
                            f"but got {len(args)}")
        return _code_of_entry(kernel), args
    state = _state_of(kernel)
    bound = _signature.bind(state.parameters, args)
    # The elements of a batch of such arrays may lie anywhere.
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
    """What is written must be a result, and results must be written."""
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
    """The parameters, as XlaPlan.h has them."""
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
    """Tells XLA of Tilewright, as `call` does: for processes that only run programs which others
    exported."""
    jax.ffi.register_ffi_target(_TARGET, _native.xla_handler(), platform="cpu")


def _bind(code: _Code, launch: list[int], operands: _Operands, rows: list[int], settings) -> list:
    device, check, threads, seed = settings
    options = compile_settings(device, check, threads, seed=seed)
    plan = [*launch, threads, DEVICES.index(options.device), seed is not None, _signed(seed or 0),
            *operands.rows, *rows]
    attributes = {"plan": np.array(plan, np.int64), "entry": code.name, "checks": options.checks,
                  "bytecode": code.bytecode, "general": code.general, "key": _keep(code, options)}
    aliases = {origin: number for number, origin in enumerate(operands.origins) if origin >= 0}
    # A result of a batch does not fit into the memory of an argument that has none.
    launched = jax.ffi.ffi_call(_TARGET, operands.results, input_output_aliases=aliases,
                                vmap_method="broadcast_all" if aliases else "expand_dims")
    arguments, axes = _varying_alike(operands.arguments)
    return [_vary(result, axes) for result in launched(*arguments, **attributes)]


def _signed(word: int) -> int:
    return word - (1 << 64 if word >> 63 else 0)


_kept = set()


def _keep(code: _Code, options: _native.CompileSettings) -> str:
    """Compiles it for the handler, which finds it under this key."""
    digest = hashlib.sha256(code.bytecode)
    digest.update(repr((code.name, options.device, options.checks, options.seed)).encode())
    key = digest.hexdigest()
    if key not in _kept:
        _native.keep_for_xla(key, code.native.compile(code.name, options))
        _kept.add(key)
    return key


# Inside of shard_map, JAX knows of every array along which axes of the mesh it varies. A launch does
# along all those of its arguments.


def _varying_alike(arrays: list) -> tuple[list, frozenset]:
    axes = frozenset().union(*map(_varying, arrays))
    return [_vary(array, axes) for array in arrays], axes


def _varying(array) -> frozenset:
    return frozenset(jax.typeof(array).manual_axis_type.varying)


def _vary(array, axes: frozenset):
    missing = axes - _varying(array)
    return jax.lax.pcast(array, tuple(missing), to="varying") if missing else array
