# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cuTile kernels (`@ct.kernel` of the package cuda-tile) on the CPU, and on other devices.

    import cuda.tile as ct, numpy as np, tilewright.cutile

    @ct.kernel
    def double(x, y):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (256,)) * 2)

    x, y = np.ones(1024, np.float32), np.empty(1024, np.float32)
    tilewright.cutile.launch((4,), double, (x, y))
    tilewright.cutile.launch((4,), double, (x, y), check=True)    # reports errors of the kernel

No GPU, driver or NVIDIA compiler is needed: cuda-tile itself translates the kernel to Tile IR.
"""

from __future__ import annotations

import functools
import inspect
import io
import linecache
import os
import threading

from tilewright import _native
from tilewright._module import compile_settings
from tilewright._records import CompileError, Exploration, TilewrightError
from tilewright.cutile import _signature, _source

__all__ = ["launch", "compile", "export"]

# The Tile IR versions that Tilewright reads, newest first. Old cuda-tile releases cannot write all of
# them.
_BYTECODE_VERSIONS = ("13.4", "13.3", "13.2", "13.1")
# Releases before 1.6 require a GPU name. This one has all element types.
_GPU = "sm_100"


def launch(grid, kernel, args, *, device: str | None = None, check: str | bool | None = None,
           threads: int = 0, seed: int | None = None, max_steps: int = 0,
           target: str | None = None, stream=None, exhaustive: bool = False,
           exact_mma: bool = False, schedule: str | None = None, trace=None, trace_blocks=(),
           trace_operations=()) -> Exploration | None:
    """Runs a kernel, and returns when it has finished.

    `grid`: an int or a tuple of one to three, as for `ct.launch`. `kernel`: a function decorated with
    `@ct.kernel`. `args`: a tuple with an argument for each parameter: arrays in CPU memory (NumPy, or
    objects with DLPack, `__array_interface__` or the buffer protocol), numbers, tuples and lists of
    arrays. Arguments annotated with `ct.Constant` become part of the code. Arrays are used without a
    copy, and may overlap. On `device="gpu"`, arrays in the memory of the GPU (with DLPack or
    `__cuda_array_interface__`) are used without a copy, and others are copied there and back.

    `device`, `check`, `seed`, `threads`, `max_steps`, `target`, `exhaustive`, `exact_mma`, `schedule`:
    see `Entry.compile`. If neither `device` nor `check` is given, $TILEWRIGHT_DEVICE and $TILEWRIGHT_CHECK apply. `trace`,
    `trace_blocks`, `trace_operations`: see `Kernel`. `stream`: a stream of
    the GPU, on which the launch is enqueued without waiting, as for `Kernel`: all arrays must be in the
    memory of the GPU, without lists, and live until the kernel has ended.

    The kernel is compiled at its first launch with an argument signature: element types, ranks,
    constants, and the properties that the code may rely on: addresses and strides that are multiples
    of 16 bytes, strides and extents of 1, extents that are multiples of 16, and which arrays overlap.

    Raises what `compile` raises, and KernelError with findings that refer to the kernel's lines.
    """
    __tracebackhide__ = True  # pytest shows the test that launched
    device, check = _defaults(device, check)
    state = _state_of(kernel)
    bound = _signature.bind(state.parameters, args, _gpu_stream(device, stream))
    settings = (device, check, threads, seed, max_steps, target, exhaustive, exact_mma, schedule)
    traced = {} if trace is None and not trace_blocks and not trace_operations else {
        "trace": trace, "trace_blocks": trace_blocks, "trace_operations": trace_operations}
    compiled = state.kernels.get((bound.key, settings))
    if compiled is None:
        compiled = state.compile(bound, settings)
    try:
        launcher = compiled[grid] if stream is None else compiled[grid].on(stream)
        return launcher(*bound.arguments(), **traced)
    except TilewrightError as error:
        _source.show_lines(error)
        raise


def compile(kernel, args, *, device: str | None = None, check: str | bool | None = None,
            threads: int = 0, seed: int | None = None, max_steps: int = 0,
            target: str | None = None, exhaustive: bool = False,
            exact_mma: bool = False, schedule: str | None = None) -> _native.Kernel:
    """Returns the compiled kernel for an argument signature, as `launch` caches it; see there.

    Raises TypeError or ValueError for arguments that do not fit, cuda-tile's exceptions for kernels
    that it cannot translate, InvalidProgramError for programs that cuda-tile accepts but Tile IR does
    not, and CompileError.
    """
    device, check = _defaults(device, check)
    state = _state_of(kernel)
    return state.compile(_signature.bind(state.parameters, args, _gpu_stream(device, None)),
                         (device, check, threads, seed, max_steps, target, exhaustive,
                          exact_mma, schedule))


def export(kernel, args) -> bytes:
    """Returns the kernel for an argument signature as Tile IR bytecode. Raises what `compile` raises."""
    state = _state_of(kernel)
    return state.bytecode(_signature.bind(state.parameters, args, 0))


def _explorable(kernel, args):
    """The module of a kernel, its name, the names of its parameters, the arguments of a launch, and the
    kernel's file with its text: notebook cells are no files."""
    state = _state_of(kernel)
    bound = _signature.bind(state.parameters, args)
    module = state._read(bound)
    _expect_parameters(module, state.name, bound)
    file = kernel._annotated_function.pyfunc.__code__.co_filename
    return (module, state.name, _signature.names_of(state.parameters, bound.kinds), bound.arguments(),
            [(file, "".join(linecache.getlines(file)))])


def _gpu_stream(device: str | None, stream) -> int | None:
    """The CUstream for `_signature.bind`; None if the kernel does not run on a GPU."""
    if device != "gpu":
        return None
    if stream is None:
        return 0
    from tilewright import _gpu_arrays
    return _gpu_arrays.stream_handle(stream)


def _defaults(device, check):
    if device is None and check is None:
        device = os.environ.get("TILEWRIGHT_DEVICE") or None
        check = os.environ.get("TILEWRIGHT_CHECK") or None
    return device, check


class _State:
    """The cached state of a kernel: its parameters, and compiled code per argument signature."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.parameters = _signature.parameters_of(kernel._annotated_function.pyfunc)
        self.kernels = {}
        self.traced = {}
        """The code for JAX arguments, per argument signature (tilewright/jax.py)."""
        self.lock = threading.Lock()

    @property
    def name(self) -> str:
        return self.kernel._annotated_function.pyfunc.__name__

    def bytecode(self, bound: _signature.Bound) -> bytes:
        from cuda.tile import compilation
        signature = bound.signature(self.name)
        options = {"gpu_code": _GPU} if _wants_gpu(compilation.export_kernel) else {}
        for version in _BYTECODE_VERSIONS:
            written = io.BytesIO()
            try:
                compilation.export_kernel(self.kernel, [signature], written, **options,
                                          output_format="tileir_bytecode", bytecode_version=version)
            except ValueError as error:
                if not str(error).startswith("Unsupported bytecode version"):
                    raise
                continue
            return written.getvalue()
        raise CompileError("this release of cuda-tile writes none of the versions "
                           f"{', '.join(_BYTECODE_VERSIONS)} of Tile IR")

    def _read(self, bound: _signature.Bound) -> _native.Module:
        bytecode = self.bytecode(bound)
        try:
            return _native.Module.read(bytecode, f"kernel {self.name}")
        except TilewrightError as error:
            _source.show_lines(error)
            raise

    def compile(self, bound: _signature.Bound, settings) -> _native.Kernel:
        with self.lock:
            if (compiled := self.kernels.get((bound.key, settings))) is not None:
                return compiled
            (device, check, threads, seed, max_steps, target, exhaustive, exact_mma,
             schedule) = settings
            module = self._read(bound)
            options = compile_settings(device, check, threads, target, seed=seed,
                                       max_steps=max_steps, exhaustive=exhaustive,
                                       exact_mma=exact_mma, schedule=schedule)
            _expect_parameters(module, self.name, bound)
            compiled = module.compile(self.name, options,
                                      _signature.names_of(self.parameters, bound.kinds))
            self.kernels[bound.key, settings] = compiled
            return compiled


@functools.cache
def _wants_gpu(export) -> bool:
    parameter = inspect.signature(export).parameters["gpu_code"]
    return parameter.default is inspect.Parameter.empty


def _expect_parameters(module: _native.Module, name: str, bound: _signature.Bound) -> None:
    expected, found = bound.parameter_count, len(dict(module.entries())[name])
    if expected != found:
        raise CompileError(f"kernel @{name}: its arguments are {expected} parameters by "
                           f"the calling convention {bound.convention}, but it has {found}")


def _state_of(kernel) -> _State:
    state = getattr(kernel, "_tilewright", None)
    if state is None:
        import cuda.tile as ct
        if not isinstance(kernel, ct.kernel):
            raise TypeError("expected a kernel, a function with the decorator @ct.kernel, but got "
                            f"{type(kernel).__name__}")
        state = kernel._tilewright = _State(kernel)
    return state


def pytest_load_initial_conftests(early_config):
    """With `pytest -p tilewright.cutile`, tests that call `ct.launch` run unmodified: this makes the
    driver, the compiler and the array libraries Tilewright's in this process, before anything of the
    suite is imported."""
    from tilewright import _suite
    _suite.begin(early_config)
