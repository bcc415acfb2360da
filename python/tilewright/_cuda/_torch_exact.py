# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes PyTorch compute on "cuda" tensors at least as exactly as on a GPU.

PyTorch's CPU kernels are less exact than its GPU kernels: they save the statistics of a bf16 layer norm
in bf16, and their f32 functions are off by more than one ulp. So a dispatch mode computes each operator
in a wider type and rounds once, following the operator's rule in _torch_rules.py. A dispatch mode works
below autograd: it also sees the operators of a backward pass, and tensors that autograd saves have the
same types as on a GPU.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from typing import NamedTuple

import torch
from torch._prims_common.wrappers import _maybe_resize_out
from torch.utils._python_dispatch import TorchDispatchMode

from . import _torch_rules as rules

_to = torch.ops.aten._to_copy.default
_thread = threading.local()

_F32 = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.complex32: torch.complex64}
_F64 = {**dict.fromkeys((*_F32, torch.float32), torch.float64),
        torch.complex32: torch.complex128, torch.complex64: torch.complex128}


class _Exact(TorchDispatchMode):
    supports_higher_order_operators = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # otherwise PyTorch would import the compiler, which is not used here

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if getattr(func, "namespace", None) != "aten":
            with _state(False):  # a script's custom operator: it calls functions of torch itself
                return func(*args, **(kwargs or {}))
        with torch._C.DisableTorchFunction():
            return _call(self, func, args, kwargs or {})


@contextlib.contextmanager
def _state(is_exact: bool):
    before, _thread.is_exact = _is_exact(), is_exact
    try:
        yield
    finally:
        _thread.is_exact = before


def _is_exact() -> bool:
    return getattr(_thread, "is_exact", False)


@contextlib.contextmanager
def exact():
    """This thread computes exactly inside the context. May be nested."""
    if _is_exact():
        yield
        return
    with _state(True), _Exact():
        yield


@functools.cache
def may_round(func) -> bool:
    """Whether a function of `torch` may round, judged by its name, as if it was the operator with that
    name. Attributes, views and copies do not round. The exception is `embedding`: with `max_norm` it
    also scales its table.
    """
    name = getattr(func, "__name__", "")
    if name in ("__get__", "__set__", "__delete__"):
        return False
    return name == "embedding" or name_of(name) not in rules.UNCHANGED.operators


# --- Operators ----------------------------------------------------------------------------------


def name_of(packet: str) -> str:
    """The operator's name in the rules."""
    name = packet.removeprefix("_foreach_")
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name


class _Plan(NamedTuple):
    """The properties of an operator that a call depends on."""

    name: str
    rule: rules.Rule
    parameters: tuple[str, ...]
    outputs: frozenset[str]
    """The operator's `out` parameters."""
    written: frozenset[str]
    """All parameters that the operator writes to."""
    returned: tuple[str | None, ...]
    """For each result, the parameter that is returned; None if the result is new."""
    dtype: str | None
    """The parameter that specifies the result type."""
    is_composite: bool
    """Whether it is composed of other operators, which round."""


@functools.cache
def _plan_of(func) -> _Plan | None:
    """None for an operator that runs unchanged."""
    name = name_of(func._schema.name.removeprefix("aten::"))
    unlisted = rules.UNCHANGED if torch.Tag.nondeterministic_seeded in func.tags else rules.WIDENED
    rule = next((rule for rule in rules.RULES if name in rule.operators), unlisted)
    is_composite = func._can_decompose() and not func.has_kernel_for_dispatch_key(torch._C.DispatchKey.CPU)
    if not is_composite and (rule is rules.UNCHANGED or func.is_view):
        return None
    names = tuple(parameter.name for parameter in func._schema.arguments)
    aliased, outputs, written = {}, set(), set(rules.WRITTEN.get(name, ()))
    for parameter in func._schema.arguments:
        if parameter.alias_info is not None and parameter.alias_info.is_write:
            written.add(parameter.name)
            aliased.update(dict.fromkeys(parameter.alias_info.before_set, parameter.name))
            if parameter.is_out:
                outputs.add(parameter.name)
    returned = tuple(aliased.get(next(iter(result.alias_info.before_set))) if result.alias_info else None
                     for result in func._schema.returns)
    dtype = next((name for name in ("dtype", "out_dtype", "input_dtype") if name in names), None)
    return _Plan(name, rule, names, frozenset(outputs), frozenset(written), returned, dtype, is_composite)


def _call(mode, func, args, kwargs):
    plan = _plan_of(func)
    if plan is None:
        return func(*args, **kwargs)
    if plan.rule is rules.REFUSED:
        raise NotImplementedError(f"torch.ops.{func} is not supported in host memory: PyTorch has it for GPUs only "
                                  "(Tilewright runs this script without a GPU)")
    if plan.is_composite:  # reached in inference mode only
        with mode:
            return func.decompose(*args, **kwargs)
    given = {**dict(zip(plan.parameters, args)), **kwargs}
    dtype = _dtype_of_result(plan, given)
    wider = _wider_types(plan, dtype)
    if wider is None or not _is_served(plan, given, dtype):
        return func(*args, **kwargs)
    return _call_by_chunks(func, plan, given, len(args), dtype, wider)


def _tensors(value) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [item for item in value if isinstance(item, torch.Tensor)]
    return []


def _is_float(dtype: torch.dtype) -> bool:
    return dtype.is_floating_point or dtype.is_complex


def _dtype_of_result(plan: _Plan, given: dict) -> torch.dtype | None:
    """The type to which results are rounded; None if the results are not floats."""
    if plan.dtype and given.get(plan.dtype) is not None:
        return given[plan.dtype]
    if plan.name in rules.RESULTS:
        return given[next((name for name in rules.RESULTS[plan.name] if name != "f32"), "input")].dtype
    tensors = [tensor for name, value in given.items() if name not in plan.outputs for tensor in _tensors(value)]
    floats = [tensor for tensor in tensors if _is_float(tensor.dtype)]
    if not floats:
        is_float = plan.name in rules.OF_INTEGERS or any(isinstance(value, float) for value in given.values())
        return torch.get_default_dtype() if is_float and plan.rule is rules.FUNCTIONS else None
    # As in PyTorch, tensors without dimensions do not affect type promotion of others.
    deciding = [tensor.dtype for tensor in floats if tensor.dim()] or [tensor.dtype for tensor in floats]
    return functools.reduce(torch.promote_types, deciding)


def _wider_types(plan: _Plan, dtype: torch.dtype | None) -> dict | None:
    """For each argument type, the wider type to compute in, given the result type."""
    if plan.rule is rules.FUNCTIONS or dtype not in _F32:
        return _F64 if dtype in _F64 and plan.rule in (rules.FUNCTIONS, rules.SUMS) else None
    return _F32


def _is_served(plan: _Plan, given: dict, dtype: torch.dtype) -> bool:
    """Whether to compute in a wider type. PyTorch runs unchanged if an operator does not round, or rejects its
    arguments in the narrow type."""
    if "accumulate" in plan.parameters and not given.get("accumulate"):
        return False
    for name, value in given.items():
        for tensor in _tensors(value):
            if (tensor.layout is not torch.strided or tensor.device.type != "cpu" or tensor.is_quantized
                    or type(tensor).__torch_dispatch__ is not torch._C._disabled_torch_dispatch_impl):
                return False
            if name in plan.written and not _is_float(tensor.dtype):
                return False
            if plan.rule is not rules.FUNCTIONS and tensor.dtype != dtype and (
                    name in plan.outputs or _is_float(tensor.dtype) and plan.dtype is None
                    and tensor.dtype in _F32 and tensor.dim()):
                return False
    return True


# --- Calls --------------------------------------------------------------------------------------

_CHUNK = 1 << 16
"""Elements per chunk of an elementwise operator: wide copies of a chunk fit into a cache."""


def _call_by_chunks(func, plan: _Plan, given: dict, positional: int, dtype: torch.dtype, wider: dict):
    tensors = {name: value for name, value in given.items() if isinstance(value, torch.Tensor) and value.dim()}
    shape = next(iter(tensors.values())).shape if tensors else torch.Size()
    if (torch.Tag.pointwise not in func.tags or len(plan.returned) != 1 or shape.numel() <= 2 * _CHUNK
            or any(value.shape != shape or not value.is_contiguous() for value in tensors.values())
            or any(given.get(name) is not None and name not in tensors for name in plan.written)):
        return _call_wide(func, plan, given, positional, dtype, wider)
    flat = {name: value.detach().view(-1) for name, value in tensors.items()}
    whole = None
    for begin in range(0, shape.numel(), _CHUNK):
        chunk = {name: value[begin:begin + _CHUNK] for name, value in flat.items()}
        result = _call_wide(func, plan, {**given, **chunk}, positional, dtype, wider)
        if plan.returned[0] is None:
            whole = torch.empty(shape, dtype=result.dtype) if whole is None else whole
            whole.view(-1)[begin:begin + _CHUNK] = result
    return given[plan.returned[0]] if whole is None else whole


def _call_wide(func, plan: _Plan, given: dict, positional: int, dtype: torch.dtype, wider: dict):
    converted: dict[int, torch.Tensor] = {}

    def widen(tensor):
        if not isinstance(tensor, torch.Tensor):
            return tensor
        if id(tensor) not in converted:
            converted[id(tensor)] = _widened(tensor, plan, dtype, wider)
        return converted[id(tensor)]

    wide = {}
    for name, value in given.items():
        if name == plan.dtype and value is not None:
            wide[name] = wider.get(value, value)
        elif name in plan.outputs and isinstance(value, torch.Tensor) and value.dtype in wider:
            wide[name] = torch.empty(0, dtype=wider[value.dtype])
        elif isinstance(value, (tuple, list)):
            wide[name] = [widen(item) for item in value]
        else:
            wide[name] = widen(value)
    results = _run(func, plan, dict(wide), positional)
    for name in plan.written:
        _store(given.get(name), wide.get(name))
    return _narrowed(results, plan, given, dtype)


def _widened(tensor, plan: _Plan, dtype: torch.dtype, wider: dict):
    if tensor.dtype in wider:
        return _to(tensor, dtype=wider[tensor.dtype])
    if plan.rule is rules.FUNCTIONS and not _is_float(tensor.dtype):
        return _to(_to(tensor, dtype=dtype), dtype=wider[dtype])  # rounds to the narrow type first, as a GPU does
    return tensor


# Products with an explicit result type, which PyTorch has on GPUs only.
_WITHOUT_TYPE = {"dtype": "default", "dtype_out": "out"}


def _run(func, plan: _Plan, wide: dict, positional: int):
    names = plan.parameters
    if func._overloadname in _WITHOUT_TYPE and plan.dtype == "out_dtype":
        func = getattr(func.overloadpacket, _WITHOUT_TYPE[func._overloadname])
        del wide["out_dtype"]
    args = [wide.pop(name) for name in names[:positional] if name in wide]
    return func(*args, **wide)


def _store(target, wide) -> None:
    """Rounds what was written to an argument's wide copy back into the argument."""
    for into, result in zip(_tensors(target), _tensors(wide)):
        if into is not result:
            _maybe_resize_out(into, result.shape)  # with PyTorch's warning
            into.copy_(result)


_ROUNDED = {
    torch.float16: {torch.float32: torch.float16, torch.complex64: torch.complex32,
                    torch.float64: torch.float16, torch.complex128: torch.complex32},
    torch.bfloat16: {torch.float32: torch.bfloat16, torch.float64: torch.bfloat16, torch.complex128: torch.complex64},
    torch.float32: {torch.float64: torch.float32, torch.complex128: torch.complex64}}
_ROUNDED |= {torch.complex32: _ROUNDED[torch.float16], torch.complex64: _ROUNDED[torch.float32]}


def _narrowed(results, plan: _Plan, given: dict, dtype: torch.dtype):
    if results is None:
        return None
    if not isinstance(results, tuple):
        return _narrowed((results,), plan, given, dtype)[0]
    types = rules.RESULTS.get(plan.name, ())
    narrow = []
    for index, result in enumerate(results):
        if plan.returned[index] is not None:
            narrow.append(given[plan.returned[index]])
        elif isinstance(result, list):
            narrow.append([_rounded(item, dtype) for item in result])
        elif index >= len(types):
            narrow.append(_rounded(result, dtype))
        elif types[index] == "f32":
            narrow.append(_rounded(result, torch.float32))
        else:
            argument = given.get(types[index])
            narrow.append(_rounded(result, dtype if argument is None else argument.dtype))
    return tuple(narrow)


def _rounded(result, dtype: torch.dtype):
    """Non-floats, and floats of other types, are returned unchanged."""
    if not isinstance(result, torch.Tensor) or (to := _ROUNDED.get(dtype, {}).get(result.dtype)) is None:
        return result
    return _to(result, dtype=to)
