# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps the arguments of CuPy's functions to NumPy's. Most are the same; this table lists the differences.

Functions have CuPy's names without `cupy.`; methods of `RandomState` take the arguments of the
`cupy.random` functions. A test compares the table with CuPy's signatures
(python/tests/cupy_signatures.txt).
"""

from __future__ import annotations

import functools
import inspect
from typing import NamedTuple

RENAMED = {
    "array_str": {"arr": "a"}, "concat": {"tup": "arrays"}, "concatenate": {"tup": "arrays"},
    "stack": {"tup": "arrays"},
    "corrcoef": {"a": "x"}, "cov": {"a": "m"}, "delete": {"indices": "obj"}, "ediff1d": {"arr": "ary"},
    "extract": {"a": "arr"}, "flip": {"a": "m"}, "fliplr": {"a": "m"}, "flipud": {"a": "m"}, "rot90": {"a": "m"},
    "histogram": {"x": "a"}, "intersect1d": {"arr1": "ar1", "arr2": "ar2"}, "union1d": {"arr1": "ar1", "arr2": "ar2"},
    "percentile": {"interpolation": "method"}, "quantile": {"interpolation": "method"},
    "reshape": {"newshape": "shape"}, "take_along_axis": {"a": "arr"}, "unravel_index": {"dims": "shape"}, "linalg.matrix_power": {"M": "a"},
    "linalg.matrix_rank": {"M": "A"}, "linalg.matrix_transpose": {"a": "x"}, "random.permutation": {"a": "x"},
    "random.shuffle": {"a": "x"}}
"""Parameters that have another name in NumPy."""

CAST = {
    **{f"random.{name}": at for at, names in (
        (1, "random random_sample ranf sample standard_cauchy standard_exponential standard_normal"),
        (2, "chisquare dirichlet exponential geometric logseries pareto poisson power rayleigh standard_gamma "
            "standard_t weibull zipf"),
        (3, "beta binomial f gamma gumbel laplace logistic lognormal negative_binomial noncentral_chisquare normal "
            "uniform vonmises wald"),
        (4, "hypergeometric noncentral_f triangular"),
        (6, "multivariate_normal"),
        (None, "rand randn")) for name in names.split()},
    "random.Generator.beta": 3, "random.Generator.uniform": 3,
    "argmax": 2, "argmin": 2, "nanargmax": 2, "nanargmin": 2}
"""Functions without `dtype` in NumPy, and its position among CuPy's arguments; None if keyword-only."""

IGNORED = {"corrcoef": ("bias", "ddof"), "random.multivariate_normal": ("method",), "show_config": ("_full",)}
"""Parameters without an effect, at least here: `method` is how CuPy factorises the covariance."""

ORDER = {"histogram2d": ("x", "y", "bins", "range", "weights", "density"),
         "histogramdd": ("sample", "bins", "range", "weights", "density")}
"""Functions whose parameters come in another order in NumPy."""

REFUSED = frozenset("""
    asfarray byte_bounds clear_memo disp find_common_type fromDlpack fuse get_array_wrap get_default_memory_pool
    get_default_pinned_memory_pool in1d issctype issubclass_ issubsctype make_aligned_dtype memoize msort ndarray.mdspan
    ndarray.reduced_view ndarray.toDlpack obj2sctype random.get_random_state random.reset_states
    random.set_random_state safe_eval sctype2char set_string_function who
    """.split())
"""CuPy functions that are not supported."""

ALIASES = {"alltrue": "all", "sometrue": "any", "product": "prod", "cumproduct": "cumprod", "round_": "round",
           "trapz": "trapezoid"}
"""CuPy names that NumPy 2 has removed, and the functions that replace them."""


class _Named(NamedTuple):
    renamed: dict
    dtype_at: int | None
    casts: bool
    ignored: tuple
    order: tuple


def _named(name: str) -> _Named:
    name = name.replace("random.RandomState.", "random.")
    return _Named(RENAMED.get(name, {}), CAST.get(name), name in CAST, IGNORED.get(name, ()),
                  ORDER.get(name, ()))


def parameter_of_numpy(name: str, parameter: str) -> str | None:
    """NumPy's name for a parameter of a function; None if the parameter is not passed to NumPy."""
    named = _named(name)
    if named.casts and parameter == "dtype" or parameter in named.ignored:
        return None
    return named.renamed.get(parameter, parameter)


def adapted(name: str, function):
    """Wraps a NumPy function so that it takes the arguments of CuPy's."""
    named, by_place = _named(name), _by_place(function)
    if named == ({}, None, False, (), ()) and not by_place:
        return function

    @functools.wraps(function)
    def call(*args, **kwargs):
        dtype = kwargs.pop("dtype", None) if named.casts else None
        if named.dtype_at is not None and len(args) > named.dtype_at:
            dtype = args[named.dtype_at]
            args = args[:named.dtype_at] + args[named.dtype_at + 1:]
        if named.order:
            args, kwargs = (), {**dict(zip(named.order, args)), **kwargs}
        kwargs = {named.renamed.get(key, key): value for key, value in kwargs.items() if key not in named.ignored}
        while len(args) < len(by_place) and by_place[len(args)] in kwargs:
            args = (*args, kwargs.pop(by_place[len(args)]))
        result = function(*args, **kwargs)
        return result if dtype is None else _cast(result, dtype)

    return call


def _by_place(function) -> list[str]:
    """Parameters that NumPy takes by position only."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # compiled
        return []
    return [one.name for one in parameters if one.kind == one.POSITIONAL_ONLY]


def _cast(result, dtype):
    import numpy  # here, because readers of the table alone do not need it
    return numpy.asarray(result).astype(dtype)
