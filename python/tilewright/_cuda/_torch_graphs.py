# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch CUDA graphs, built on the driver library's stream capture.

While a stream is captured, the driver library turns each kernel launch into a graph node. What PyTorch
computes on "cuda" meanwhile becomes a host-function node: a mode sees each operator, and the node runs
it again on the same memory. An operator that changes its arguments runs on copies during the capture,
because a GPU would only record it.
"""

from __future__ import annotations

import ctypes
import gc
import itertools

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import _driver, _torch_cuda, _torch_rules as rules
from ._torch_exact import exact
from ._torch_mode import on_cuda, recording

_MODES = {"global": 0, "thread_local": 1, "relaxed": 2}
_pools = itertools.count(1)


def serve(module) -> None:
    cuda = module.cuda
    for name in _torch_cuda.GRAPHS:
        setattr(cuda, name, globals()[name])
        setattr(cuda.graphs, name, globals()[name])


def graph_pool_handle() -> tuple[int, int]:
    """Graphs never share memory, so any pool id will do."""
    return 0, next(_pools)


def _call(name: str, *arguments):
    library = _driver.load()
    _driver.check(library, getattr(library, name)(*arguments))


_Node = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class CUDAGraph:
    """`torch.cuda.CUDAGraph`."""

    def __init__(self, keep_graph: bool = False):
        self._clear()
        self._keeps_graph, self._pool = keep_graph, graph_pool_handle()
        self._run = _Node(self._run_operator)

    def _clear(self) -> None:
        self._graph, self._instance = ctypes.c_void_p(), ctypes.c_void_p()
        self._operators, self._alive, self._error = [], [], None

    def capture_begin(self, pool=None, capture_error_mode: str = "global", **options) -> None:
        if capture_error_mode not in _MODES:
            raise RuntimeError(f"Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, "
                               f"got {capture_error_mode}")
        if self._graph.value or self._instance.value:
            raise RuntimeError("This CUDAGraph instance already owns a captured graph. To capture a new "
                               "graph, create a new instance or call reset().")
        self._pool = pool or self._pool
        self._stream = ctypes.c_void_p(_torch_cuda.current_stream().cuda_stream)
        _call("cuStreamBeginCapture_v2", self._stream, _MODES[capture_error_mode])
        self._recorder = _Recorder(self)
        self._recorder.__enter__()

    def capture_end(self) -> None:
        self._recorder.__exit__(None, None, None)
        try:
            _call("cuStreamEndCapture", self._stream, ctypes.byref(self._graph))
        except Exception:
            self._clear()
            raise
        if not self._keeps_graph:
            self.instantiate()

    def instantiate(self) -> None:
        self._destroy_instance()
        _call("cuGraphInstantiateWithFlags", ctypes.byref(self._instance), self._graph, ctypes.c_ulonglong(0))

    def replay(self) -> None:
        if not self._instance.value:
            if not self._graph.value:
                raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")
            self.instantiate()
        _call("cuGraphLaunch", self._instance, ctypes.c_void_p(_torch_cuda.current_stream().cuda_stream))
        if self._error:
            error, self._error = self._error, None
            raise error

    def reset(self) -> None:
        self._destroy_instance()
        if self._graph.value:
            _call("cuGraphDestroy", self._graph)
        self._clear()

    def _destroy_instance(self) -> None:
        if self._instance.value:
            _call("cuGraphExecDestroy", self._instance)
            self._instance = ctypes.c_void_p()

    def pool(self) -> tuple[int, int]:
        return self._pool

    def raw_cuda_graph(self) -> int:
        return self._graph.value

    def enable_debug_mode(self) -> None:
        pass

    def debug_dump(self, debug_path: str) -> None:
        raise _torch_cuda.unsupported("torch.cuda.CUDAGraph.debug_dump")

    def add(self, function, args, kwargs, results) -> None:
        """Adds a node for an operator; its new results are copied into the memory of `results`."""
        self._operators.append((function, args, kwargs, results))
        _call("cuLaunchHostFunc", ctypes.c_void_p(_torch_cuda.current_stream().cuda_stream), self._run,
              ctypes.c_void_p(len(self._operators)))

    def keep(self, tensors) -> None:
        """Keeps memory that was allocated during the capture alive as long as the graph."""
        self._alive += tensors

    def _run_operator(self, number) -> None:
        function, args, kwargs, results = self._operators[number - 1]
        if self._error:
            return
        try:
            with torch._C.DisableTorchFunction(), torch._C._AutoDispatchBelowAutograd(), exact():
                found = function(*args, **kwargs)
                for result, new in zip(results, found if isinstance(found, (tuple, list)) else (found,)):
                    if result is not None:
                        result.copy_(new)
        except BaseException as error:  # the caller is the driver library, in C++: do not throw through it
            self._error = error


class graph:
    """`with torch.cuda.graph(g):`"""

    default_capture_stream = None

    def __init__(self, cuda_graph: CUDAGraph, pool=None, stream=None, capture_error_mode: str = "global",
                 **options):
        if stream is None:
            if graph.default_capture_stream is None:
                graph.default_capture_stream = _torch_cuda.Stream()
            stream = graph.default_capture_stream
        self.cuda_graph, self.pool, self.capture_stream = cuda_graph, pool, stream
        self.capture_error_mode = capture_error_mode

    def __enter__(self) -> None:
        _torch_cuda.synchronize()
        gc.collect()
        self.capture_stream.__enter__()
        try:
            self.cuda_graph.capture_begin(self.pool, self.capture_error_mode)
        except BaseException:
            self.capture_stream.__exit__()
            raise

    def __exit__(self, *exception):
        try:
            self.cuda_graph.capture_end()
        finally:
            self.capture_stream.__exit__()
        return False


# --- Operators ----------------------------------------------------------------------------------

_NOT_PERMITTED = "CUDA error: operation not permitted when stream is capturing"


class _Recorder(TorchDispatchMode):
    """Intercepts the operators of this thread during a capture."""

    def __init__(self, graph: CUDAGraph):
        super().__init__()
        self._graph, self._storages = graph, set()

    def __enter__(self):
        recording().active = True
        return super().__enter__()

    def __exit__(self, *exception):
        recording().active = False
        return super().__exit__(*exception)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        tensors = _tensors([*args, *kwargs.values()])
        if not self._is_on_cuda(tensors):
            return function(*args, **kwargs)
        tags = function.tags
        if torch.Tag.dynamic_output_shape in tags or torch.Tag.data_dependent_output in tags:
            raise RuntimeError(f"{_NOT_PERMITTED}: {function} needs values on the host")
        # Views, and operators that only change a tensor's shape and strides, compute nothing.
        if function.is_view or torch.Tag.inplace_view in tags:
            return self._remember(function(*args, **kwargs))
        if function._schema.name in _EMPTY:
            result = self._remember(function(*args, **kwargs))
            self._graph.keep(_tensors([result]))
            return result
        return self._record(function, args, kwargs)

    def _is_on_cuda(self, tensors) -> bool:
        return recording().is_on_cuda or any(
            on_cuda(tensor) or _storage_of(tensor) in self._storages for tensor in tensors)

    def _remember(self, result):
        self._storages.update(map(_storage_of, _tensors([result])))
        return result

    def _record(self, function, args, kwargs):
        schema = function._schema
        given = dict(zip((argument.name for argument in schema.arguments), args)) | kwargs
        # Arguments that are written without being marked in the schema, e.g. batch-norm statistics.
        unsaid = rules.WRITTEN.get(schema.name.removeprefix("aten::"), ())
        written = {argument.name: given[argument.name] for argument in schema.arguments
                   if (argument.name in unsaid or argument.alias_info and argument.alias_info.is_write)
                   and given.get(argument.name) is not None}
        copies = {name: _copy(value) for name, value in written.items()}
        with exact():
            found = function(*(copies.get(argument.name, value) for argument, value in zip(schema.arguments, args)),
                             **{name: copies.get(name, value) for name, value in kwargs.items()})
        several = isinstance(found, (tuple, list))
        items = list(found) if several else [found]
        # If the operator returns one of its arguments, return the caller's tensor.
        originals = [next((written[name] for name, copy in copies.items() if copy is item), None) for item in items]
        fresh = [item if original is None and isinstance(item, torch.Tensor) else None
                 for item, original in zip(items, originals)]
        self._graph.add(function, args, kwargs, fresh)
        results = [item if original is None else original for item, original in zip(items, originals)]
        self._remember(results)
        return type(found)(results) if several else results[0]


_EMPTY = frozenset(f"aten::{name}" for name in (
    "empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided"))


def _copy(value):
    return [item.clone() for item in value] if isinstance(value, (tuple, list)) else value.clone()


def _tensors(values) -> list[torch.Tensor]:
    found = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found += _tensors(value)
    return found


def _storage_of(tensor) -> int:
    """The identity of the tensor's storage: the graph keeps all relevant storages alive."""
    return tensor.untyped_storage()._cdata
