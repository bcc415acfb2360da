# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Binds Python arguments to the parameters of a compiled cuTile kernel.

Each argument has a *kind*: a tuple of all properties that the code may depend on. The kinds of all
arguments are the key of the compile cache, and they alone determine the signature with which cuda-tile
translates the kernel. The assumptions are those of cuTile's own launch, with two exceptions: arrays
that overlap may alias, and the stride of a dimension of extent 1 is not assumed to be anything (cuTile
assumes that it is a multiple of 16 bytes). The compiled kernel receives an array as its address, its
extents and its strides in elements; a list as the address of one record per array, and their number; a
tuple as its items.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing

import numpy as np

from tilewright import _native
from tilewright._arrays import as_ndarray, float4_e2m1fn_x2, float8_e5m3fnu

_ALIGNMENT = 16  # bytes
_MOST_DIVISIBLE_DIMENSIONS = 5


# --- Annotations of a kernel --------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Annotation:
    """The annotation of a parameter. `items` are those of a tuple; the last one repeats if `...` follows
    it."""

    is_constant: bool = False
    is_wide: bool = False
    """Integers are i64, and so are the extents and strides of arrays."""
    static_shape: tuple[int, ...] = ()
    static_strides: tuple[int, ...] = ()
    items: tuple[Annotation, ...] = ()
    repeats: bool = False

    def item(self, index: int) -> Annotation:
        if self.repeats:
            return self.items[0]
        return self.items[index] if index < len(self.items) else Annotation(self.is_constant)


def parameters_of(function) -> list[tuple[str, Annotation]]:
    """The names and annotations of a kernel's parameters."""
    hints = typing.get_type_hints(function, include_extras=True)
    return [(name, _annotation(hints.get(name)))
            for name in inspect.signature(function).parameters]


def _annotation(hint, is_constant=False) -> Annotation:
    said = Annotation(is_constant)
    if typing.get_origin(hint) is typing.Annotated:
        for data in hint.__metadata__:
            # By name, because cuda-tile releases define the classes in different modules.
            match type(data).__name__:
                case "ConstantAnnotation":
                    said = dataclasses.replace(said, is_constant=True)
                case "ScalarAnnotation":
                    said = dataclasses.replace(said, is_wide=data.dtype.name == "int64")
                case "ArrayAnnotation":
                    said = _array_annotation(said, data)
                case "ListAnnotation":
                    said = _array_annotation(said, data.element)
        hint = hint.__origin__
    if typing.get_origin(hint) is tuple:
        arguments = typing.get_args(hint)
        repeats = len(arguments) == 2 and arguments[1] is ...
        items = tuple(_annotation(item, said.is_constant)
                      for item in (arguments[:1] if repeats else arguments))
        said = dataclasses.replace(said, items=items, repeats=repeats)
    return said


def _array_annotation(said: Annotation, data) -> Annotation:
    return dataclasses.replace(said, is_wide=data.index_dtype.name == "int64",
                               static_shape=tuple(getattr(data, "static_shape_dims", ())),
                               static_strides=tuple(getattr(data, "static_stride_dims", ())))


# --- Kinds --------------------------------------------------------------------------------------


class ArrayKind(typing.NamedTuple):
    dtype: str
    is_wide: bool
    is_aligned: bool
    """The address is a multiple of 16 bytes."""
    shape_constant: tuple[int | None, ...]
    shape_divisible: tuple[int, ...]
    stride_constant: tuple[int | None, ...]
    stride_divisible: tuple[int, ...]
    may_alias_internally: bool

    @property
    def rank(self) -> int:
        return len(self.shape_constant)

    @staticmethod
    def common(kinds: list[ArrayKind]) -> ArrayKind:
        """The properties that all arrays of a list have."""
        first = kinds[0]

        def agreed(field, otherwise):
            columns = zip(*(getattr(kind, field) for kind in kinds))
            return tuple(column[0] if len(set(column)) == 1 else otherwise for column in columns)

        return ArrayKind(first.dtype, first.is_wide, all(kind.is_aligned for kind in kinds),
                         agreed("shape_constant", None), agreed("shape_divisible", 1),
                         agreed("stride_constant", None), agreed("stride_divisible", 1),
                         any(kind.may_alias_internally for kind in kinds))


class ScalarKind(typing.NamedTuple):
    dtype: str


class ListKind(typing.NamedTuple):
    element: ArrayKind
    elements_may_alias: bool


class TupleKind(typing.NamedTuple):
    items: tuple


class ConstantKind(typing.NamedTuple):
    type: type
    value: typing.Any
    """The hexadecimal form for a float: so that nan equals itself, and 0.0 differs from -0.0."""


@dataclasses.dataclass
class Bound:
    """The bound arguments of one launch."""

    kinds: list = dataclasses.field(default_factory=list)
    values: list = dataclasses.field(default_factory=list)
    """Values for the compiled kernel's parameters, in order. A list of arrays is a `_Records`."""
    arrays: list = dataclasses.field(default_factory=list)
    """The memory of each array, in the order of the `ArrayKind`s: first byte, one past the last byte."""
    groups: tuple[int | None, ...] = ()
    """For each array, the number of its group of overlapping arrays, or None; empty if none overlap."""
    gpu_stream: int | None = None
    """For a launch on a GPU, which also takes arrays in its memory: the CUstream, or 0."""

    @property
    def key(self):
        return (tuple(self.kinds), self.groups)

    @property
    def parameter_count(self) -> int:
        return sum(2 if isinstance(value, _Records) else 1 for value in self.values)

    @property
    def convention(self) -> str:
        return self._convention().name

    def arguments(self) -> list:
        """The argument values for the compiled kernel."""
        flat = []
        for value in self.values:
            if isinstance(value, _Records):
                flat += value.arguments()
            else:
                flat.append(value)
        return flat

    def for_any_addresses(self) -> Bound:
        """The same arguments, with kinds that hold for any addresses: unaligned, and all may overlap."""
        return Bound([_unaligned(kind) for kind in self.kinds], self.values, self.arrays,
                     (0,) * len(self.arrays))

    def _convention(self):
        from cuda.tile.compilation import CallingConvention
        if any(_needs_second_convention(kind) for kind in self.kinds):
            if not _has_static_shapes():
                raise TypeError("tuples as arguments need cuda-tile 1.5 or newer")
            return CallingConvention.cutile_python_v2()
        return CallingConvention.cutile_python_v1()

    def signature(self, symbol: str):
        """The `KernelSignature`, with this name for the kernel."""
        from cuda.tile.compilation import KernelSignature
        groups = iter(self.groups or (None,) * len(self.arrays))
        return KernelSignature([_constraint(kind, groups) for kind in self.kinds],
                               self._convention(), symbol)


def names_of(parameters: list[tuple[str, Annotation]], kinds: list) -> list[str]:
    """The names of the compiled kernel's parameters, from the Python function: `x`, `x.shape[0]`,
    `x.strides[0]`, `pair[1]`, `len(arrays)`."""
    return [name for (argument, _), kind in zip(parameters, kinds)
            for name in _names(argument, kind)]


def _names(name: str, kind) -> list[str]:
    if isinstance(kind, ConstantKind):
        return []
    if isinstance(kind, ScalarKind):
        return [name]
    if isinstance(kind, TupleKind):
        return [part for i, item in enumerate(kind.items) for part in _names(f"{name}[{i}]", item)]
    if isinstance(kind, ListKind):
        return [name, f"len({name})"]
    return [name, *(f"{name}.{what}[{dim}]" for what in ("shape", "strides")
                    for dim in range(kind.rank))]


def _unaligned(kind):
    if isinstance(kind, ArrayKind):
        return kind._replace(is_aligned=False)
    if isinstance(kind, ListKind):
        return kind._replace(element=_unaligned(kind.element), elements_may_alias=True)
    return TupleKind(tuple(map(_unaligned, kind.items))) if isinstance(kind, TupleKind) else kind


def _needs_second_convention(kind) -> bool:
    if isinstance(kind, ArrayKind):
        return any(extent is not None for extent in kind.shape_constant)
    if isinstance(kind, ListKind):
        return _needs_second_convention(kind.element)
    return isinstance(kind, TupleKind)


def _constraint(kind, groups):
    from cuda.tile import compilation
    import cuda.tile as ct
    if isinstance(kind, ConstantKind):
        value = float.fromhex(kind.value) if kind.type is float else kind.value
        return compilation.ConstantConstraint(value)
    if isinstance(kind, ScalarKind):
        return compilation.ScalarConstraint(getattr(ct, kind.dtype))
    if isinstance(kind, TupleKind):
        return compilation.TupleConstraint([_constraint(item, groups) for item in kind.items])
    if isinstance(kind, ListKind):
        return compilation.ListConstraint(_array_constraint(kind.element, next(groups)),
                                          alias_groups=(),
                                          elements_may_alias=kind.elements_may_alias)
    return _array_constraint(kind, next(groups))


def _array_constraint(kind: ArrayKind, group: int | None):
    from cuda.tile import compilation
    import cuda.tile as ct
    options = {}
    if any(extent is not None for extent in kind.shape_constant):
        options["shape_constant"] = kind.shape_constant
    dtype = getattr(ct, "bool_" if kind.dtype == "bool" else kind.dtype, None)
    if dtype is None:
        raise TypeError(f"this release of cuda-tile has no arrays of {kind.dtype}")
    return compilation.ArrayConstraint(
        dtype, kind.rank,
        index_dtype=ct.int64 if kind.is_wide else ct.int32, stride_lower_bound_incl=0,
        alias_groups=() if group is None else (f"memory{group}",),
        may_alias_internally=kind.may_alias_internally, stride_constant=kind.stride_constant,
        stride_divisible_by=kind.stride_divisible, shape_divisible_by=kind.shape_divisible,
        base_addr_divisible_by=_ALIGNMENT if kind.is_aligned else 1, **options)


# --- Binding ------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False)
class TracedArray:
    """An array of which only the type is known while a program is traced. Its elements are in row-major
    order, at an address that is a multiple of 16. An array without dimensions is a number."""

    operand: int
    """The index of the array among the program's arrays."""
    shape: tuple[int, ...]
    dtype: np.dtype

    __hash__ = None  # prevents its use as a constant

    @property
    def place(self):
        """Like `place_of_array`, at an address that does not overlap with anything."""
        strides = [1] * len(self.shape)
        for dim in reversed(range(len(self.shape) - 1)):
            strides[dim] = strides[dim + 1] * self.shape[dim + 1]
        return 0, 0, self.shape, tuple(0 if extent <= 1 else stride
                                       for extent, stride in zip(self.shape, strides))


def bind(parameters: list[tuple[str, Annotation]], args, gpu_stream: int | None = None) -> Bound:
    """Raises TypeError, ValueError or OverflowError, with the name of the parameter."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"expected a tuple of arguments, but got {type(args).__name__}")
    if len(args) != len(parameters):
        names = ", ".join(name for name, _ in parameters)
        raise TypeError(f"the kernel takes {len(parameters)} arguments ({names}), "
                        f"but got {len(args)}")
    bound = Bound(gpu_stream=gpu_stream)
    for (name, annotation), value in zip(parameters, args):
        bound.kinds.append(_bind_at(f"parameter {name}", annotation, value, bound))
    bound.groups = _overlaps(bound.arrays)
    return bound


def _bind_at(place: str, annotation: Annotation, value, bound: Bound):
    """Like `_bind`; errors start with `place`."""
    try:
        return _bind(annotation, value, bound)
    except (TypeError, ValueError, OverflowError) as error:
        if type(error) not in (TypeError, ValueError, OverflowError):
            raise
        raise type(error)(f"{place}: {error}") from None


def _bind(annotation: Annotation, value, bound: Bound):
    """Returns the kind of a value, and adds its values for the compiled kernel to `bound`."""
    if annotation.is_constant and not isinstance(value, tuple):
        return _constant(value)
    if isinstance(value, tuple):
        return TupleKind(tuple(_bind_at(f"item {i}", annotation.item(i), item, bound)
                               for i, item in enumerate(value)))
    if isinstance(value, list):
        return _bind_list(annotation, value, bound)
    if isinstance(value, (bool, np.bool_)):
        bound.values.append(bool(value))
        return ScalarKind("bool_")
    if isinstance(value, (int, np.integer)):
        return _bind_integer(annotation, int(value), bound)
    if isinstance(value, (float, np.floating)):
        bound.values.append(float(value))
        return ScalarKind("float32")
    if isinstance(value, TracedArray):
        if "float4" in str(value.dtype):
            raise TypeError("arrays of 4-bit floats cannot be passed to kernels of cuTile by JAX yet")
        if not value.shape:
            return _bind_traced_number(annotation, value, bound)
        array, place = value, value.place
    elif (array := _on_gpu(value, bound)) is not None:
        place = _unpacked(array.dtype, array.place, array.is_row_major)
    else:
        array = as_ndarray(value)
        place = _place_of(array)
    address, end, shape, strides = place
    bound.values.append(array)
    bound.values += shape
    bound.values += strides
    bound.arrays.append((address, end))
    return _kind_of(array.dtype, place, annotation)


def _place_of(array: np.ndarray) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    """The address of the first byte, one past the last byte, and extents and strides in elements."""
    return _unpacked(array.dtype, _native.place_of_array(array), array.flags.c_contiguous)


def _on_gpu(value, bound: Bound):
    if bound.gpu_stream is None:
        return None
    from tilewright import _gpu_arrays
    return _gpu_arrays.view(value, bound.gpu_stream)


def _unpacked(dtype: np.dtype, place, is_row_major: bool):
    """The place of an array, with the extents and strides of 4-bit floats that share bytes."""
    if dtype != float4_e2m1fn_x2:
        return place
    address, end, shape, strides = place
    if not shape:
        raise ValueError("expected an array of float4_e2m1fn_x2 with at least one dimension, but "
                         "it has none")
    if not is_row_major:
        raise ValueError("expected an array of float4_e2m1fn_x2 in row-major order, but its "
                         f"strides are {strides}; pass a copy (numpy.ascontiguousarray)")
    return (address, end, (*shape[:-1], 2 * shape[-1]),
            (*(2 * stride for stride in strides[:-1]), 1))


def _constant(value) -> ConstantKind:
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        value = value.item()
    if isinstance(value, float):
        return ConstantKind(float, value.hex())
    if not isinstance(value, (bool, int)):
        raise TypeError("expected a bool, an int or a float for a constant, but got "
                        f"{type(value).__name__}")
    return ConstantKind(type(value), value)


def _bind_integer(annotation: Annotation, value: int, bound: Bound) -> ScalarKind:
    width = 64 if annotation.is_wide else 32
    if not -(1 << width - 1) <= value < 1 << width - 1:
        hint = "" if annotation.is_wide else "; annotate the parameter with ct.ScalarInt64"
        raise OverflowError(f"{value} does not fit into int{width}{hint}")
    bound.values.append(value)
    return ScalarKind(f"int{width}")


def _bind_traced_number(annotation: Annotation, value: TracedArray, bound: Bound) -> ScalarKind:
    takes = ("bool", "int64" if annotation.is_wide else "int32", "float32")
    if value.dtype.name not in takes:
        raise TypeError(f"expected a number of type {', '.join(takes[:-1])} or {takes[-1]}, but got "
                        f"one of {value.dtype.name}")
    bound.values.append(value)
    return ScalarKind("bool_" if value.dtype.name == "bool" else value.dtype.name)


_DTYPES = frozenset((
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"))


@functools.cache
def _name_of(dtype: np.dtype) -> str:
    """cuda-tile's name for the dtype. Raises TypeError."""
    if dtype.name in _DTYPES and dtype.isnative:
        return dtype.name
    if dtype == float4_e2m1fn_x2:
        return "float4_e2m1fn"
    if dtype == float8_e5m3fnu:
        return "float8_e5m3fnu"
    if dtype.name == "float4_e2m1fn":
        raise TypeError("expected an array of float4_e2m1fn_x2, two elements in a byte, but got one "
                        "of float4_e2m1fn, an element in each; pass tilewright.pack_f4 of it")
    raise TypeError(f"arrays of {dtype} cannot be passed to a kernel")


def _kind_of(dtype: np.dtype, place, annotation: Annotation) -> ArrayKind:
    address, _, shape, strides = place
    name, rank = _name_of(dtype), len(shape)
    _expect_in_range(shape, strides, annotation)
    elements_each = 2 if dtype == float4_e2m1fn_x2 else 1
    step = max(_ALIGNMENT * elements_each // dtype.itemsize, 1)
    knows_multiples = rank <= _MOST_DIVISIBLE_DIMENSIONS
    shape_constant = _static_shape(shape, annotation)
    stride_constant = _static_strides(strides, annotation)
    return ArrayKind(
        name, annotation.is_wide, address % _ALIGNMENT == 0, shape_constant,
        tuple([16 if knows_multiples and constant is None and extent % 16 == 0 else 1
               for extent, constant in zip(shape, shape_constant)]),
        stride_constant,
        tuple([step if knows_multiples and constant is None and stride % step == 0 else 1
               for stride, constant in zip(strides, stride_constant)]),
        _overlaps_itself(shape, strides))


def _static_shape(shape, annotation: Annotation) -> tuple:
    dims = _dims(annotation.static_shape, len(shape))
    takes_ones = 1 in shape and _has_static_shapes()
    return tuple([extent if dim in dims or takes_ones and extent == 1 else None
                  for dim, extent in enumerate(shape)])


def _static_strides(strides, annotation: Annotation) -> tuple:
    if not annotation.static_strides:
        return tuple([1 if stride == 1 else None for stride in strides])
    dims = _dims(annotation.static_strides, len(strides))
    return tuple([stride if dim in dims else None for dim, stride in enumerate(strides)])


def _dims(dims: tuple[int, ...], rank: int) -> set[int]:
    """The dimensions as nonnegative indices. Raises ValueError."""
    for dim in dims:
        if not -rank <= dim < rank:
            raise ValueError(f"its annotation names dimension {dim}, but the array has {rank}")
    return {dim % rank for dim in dims}


@functools.cache
def _has_static_shapes() -> bool:
    """Whether this cuda-tile release supports constant extents."""
    from cuda.tile.compilation import CallingConvention
    return hasattr(CallingConvention, "cutile_python_v2")


def _expect_in_range(shape, strides, annotation: Annotation) -> None:
    most = (1 << (63 if annotation.is_wide else 31)) - 1
    for what, values in (("extent", shape), ("stride", strides)):
        for dim, value in enumerate(values):
            if value > most:
                raise OverflowError(f"the {what} {value} along dimension {dim} does not fit into "
                                    "int32; annotate the parameter with ct.IndexedWithInt64")


def _overlaps_itself(shape, strides) -> bool:
    """Whether two elements may share memory."""
    reach = 1
    for stride, extent in sorted(zip(strides, shape)):
        if extent > 1:
            if stride < reach:
                return True
            reach = stride * extent
    return False


def _overlaps(ranges) -> tuple[int | None, ...]:
    """Returns a group number for each range that overlaps another one, else None; empty if none overlap."""
    order = sorted((i for i, (start, behind) in enumerate(ranges) if start < behind),
                   key=lambda i: ranges[i])
    members, end = [], 0
    for i in order:
        start, behind = ranges[i]
        if start < end:
            members[-1].append(i)
        else:
            members.append([i])
        end = max(end, behind)
    # Numbered in parameter order, independent of addresses.
    shared = sorted(sorted(group) for group in members if len(group) > 1)
    if not shared:
        return ()
    numbers = {i: number for number, group in enumerate(shared) for i in group}
    return tuple(numbers.get(i) for i in range(len(ranges)))


# --- Lists --------------------------------------------------------------------------------------


def _bind_list(annotation: Annotation, items: list, bound: Bound) -> ListKind:
    if not items:
        raise ValueError("a list of arrays needs at least one")
    on_gpu = [_on_gpu(item, bound) for item in items]
    if any(array is not None for array in on_gpu):
        if None in on_gpu:
            raise TypeError("arrays of a list are all in the memory of the GPU, or none is")
        arrays = on_gpu
        places = [_unpacked(array.dtype, array.place, array.is_row_major) for array in arrays]
    else:
        arrays = [as_ndarray(item) for item in items]
        places = [_place_of(array) for array in arrays]
    kinds = [_kind_of(array.dtype, place, annotation) for array, place in zip(arrays, places)]
    for index, kind in enumerate(kinds):
        if (kind.dtype, kind.rank) != (kinds[0].dtype, kinds[0].rank):
            raise TypeError(f"arrays of a list have one type and rank: item 0 is {kinds[0].dtype} "
                            f"of rank {kinds[0].rank}, but item {index} is {kind.dtype} of rank "
                            f"{kind.rank}")
    bounds = [(address, end) for address, end, _, _ in places]
    bound.values.append(_Records(arrays, places))
    bound.arrays.append((min(first for first, _ in bounds), max(behind for _, behind in bounds)))
    return ListKind(ArrayKind.common(kinds), bool(_overlaps(bounds)))


class _Records:
    """A list of arrays as 64-bit words: for each array its address, extents and strides."""

    def __init__(self, arrays: list, places):
        self.arrays = arrays
        """NumPy arrays, or all `GpuArray`s."""
        self.words = np.array([[address, *shape, *strides]
                               for address, _, shape, strides in places], np.int64)

    def arguments(self) -> list:
        count, width = self.words.shape
        if not isinstance(self.arrays[0], np.ndarray):  # the GPU's own addresses
            return [self.words, count]
        return [_native.AddressTable(self.words, list(range(0, count * width, width)),
                                     self.arrays), count]
