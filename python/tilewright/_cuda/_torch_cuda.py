# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.cuda` with one device, this machine.

Launches are complete when they return, so streams are always idle and an event's time is when it was
recorded. Unsupported functions raise an error with their name.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
import time
import types

from . import _driver

# Attributes of cuDeviceGetAttribute.
_MAJOR, _MINOR = 75, 76
# The attributes that get_device_properties returns.
_PROPERTIES = {
    "multi_processor_count": 16, "major": _MAJOR, "minor": _MINOR, "warp_size": 10,
    "L2_cache_size": 38, "max_threads_per_block": 1, "max_threads_per_multi_processor": 39,
    "regs_per_multiprocessor": 82, "shared_memory_per_block": 8,
    "shared_memory_per_block_optin": 97, "shared_memory_per_multiprocessor": 81,
    "is_integrated": 18, "clock_rate": 13, "memory_clock_rate": 36, "memory_bus_width": 37}


def serve(torch) -> None:
    cuda = torch.cuda
    for name in __all__:
        setattr(cuda, name, globals()[name])
    cuda.memory.memory_stats_as_nested_dict = memory_stats_as_nested_dict
    cuda.streams.Stream, cuda.streams.Event = Stream, Event
    cuda.streams.ExternalStream = ExternalStream
    torch.Stream, torch.Event = Stream, _Event
    cuda.graphs.is_current_stream_capturing = is_current_stream_capturing
    for name in _REFUSED:
        refused = _refusing(f"torch.cuda.{name}")
        setattr(cuda, name, refused)
        setattr(cuda.memory, name.rpartition(".")[2], refused)
    _serve_random(torch)
    cuda._lazy_init = _refuse
    if accelerator := getattr(torch, "accelerator", None):
        _serve_accelerator(torch, accelerator)


def _serve_random(torch) -> None:
    """The CPU generator also draws for "cuda", so seeding one seeds both."""
    generator = torch.default_generator
    served = {
        "get_rng_state": lambda device="cuda": torch.get_rng_state(),
        "set_rng_state": lambda state, device="cuda": torch.set_rng_state(state),
        "manual_seed": lambda seed: generator.manual_seed(seed) and None,
        "seed": lambda: generator.seed() and None,
        "initial_seed": lambda: generator.initial_seed(),
        "device_count": device_count,
    }
    served["manual_seed_all"], served["seed_all"] = served["manual_seed"], served["seed"]
    for name, function in served.items():
        setattr(torch.cuda, name, function)
        setattr(torch.cuda.random, name, function)


def _serve_accelerator(torch, accelerator) -> None:
    accelerator.is_available = is_available
    accelerator.device_count = device_count
    accelerator.current_accelerator = lambda check_available=False: torch.device("cuda")
    accelerator.current_device_index = current_device
    accelerator.set_device_index = set_device
    accelerator.empty_cache = empty_cache
    accelerator.memory_stats = sys.modules["torch"].cuda.memory_stats
    accelerator.synchronize = synchronize
    accelerator.current_stream = current_stream


def _refuse() -> None:
    """Replaces the function that PyTorch calls before it uses a GPU."""
    raise unsupported(f"torch.cuda: {sys._getframe(1).f_code.co_name}")


def unsupported(what: str) -> NotImplementedError:
    return NotImplementedError(f"{what} is not supported in host memory (Tilewright runs this script "
                               "without a GPU)")


def _refusing(what: str):
    def refuse(*args, **kwargs):
        raise unsupported(what)

    return refuse


# These would call the GPU allocator.
_REFUSED = ("set_per_process_memory_fraction", "caching_allocator_alloc", "caching_allocator_delete",
            "_record_memory_history", "_sleep", "make_graphed_callables")


# --- The device ---------------------------------------------------------------------------------


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def init() -> None:
    pass


def device_count() -> int:
    return 1


def current_device() -> int:
    return 0


def set_device(device) -> None:
    _expect_device(device)


def _expect_device(device) -> None:
    if isinstance(device, str):
        device = sys.modules["torch"].device(device)
    index = getattr(device, "index", device)
    if index not in (None, 0, -1):
        raise RuntimeError(f"CUDA error: invalid device ordinal: {index}, but there is one device")


class device:
    """`with torch.cuda.device(0):`"""

    def __init__(self, device):
        _expect_device(device)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


class device_of(device):
    def __init__(self, tensor):
        pass


def get_device_name(device=None) -> str:
    _expect_device(device)
    return _driver.device_name()


def get_device_capability(device=None) -> tuple[int, int]:
    _expect_device(device)
    return _driver.attribute(_MAJOR), _driver.attribute(_MINOR)


def get_device_properties(device=None) -> types.SimpleNamespace:
    _expect_device(device)
    return types.SimpleNamespace(
        name=_driver.device_name(), total_memory=_driver.memory()[1],
        **{name: _driver.attribute(number) for name, number in _PROPERTIES.items()})


def get_arch_list() -> list[str]:
    major, minor = get_device_capability()
    return [f"sm_{major}{minor}"]


def is_bf16_supported(including_emulation: bool = True) -> bool:
    return True


def can_device_access_peer(device, peer_device) -> bool:
    return False


# --- Memory -------------------------------------------------------------------------------------


def mem_get_info(device=None) -> tuple[int, int]:
    _expect_device(device)
    return _driver.memory()


def empty_cache() -> None:
    pass


def ipc_collect() -> None:
    pass


def memory_stats_as_nested_dict(device=None) -> dict:
    """Counts the bytes of tensors. Allocator blocks are not counted: those numbers are 0."""
    from . import _torch_memory  # which needs PyTorch
    _expect_device(device)
    counted = {name: {pool: dict.fromkeys(("current", "peak", "allocated", "freed"), 0)
                      for pool in ("all", "small_pool", "large_pool")} for name in _COUNTED_BY_POOL}
    oversized = {name: dict.fromkeys(("current", "peak", "allocated", "freed"), 0)
                 for name in ("oversize_allocations", "oversize_segments")}
    for name in _BYTES_OF_TENSORS:
        counted[name]["all"] |= {"current": _torch_memory.current, "peak": _torch_memory.peak}
    return counted | oversized | dict.fromkeys(_COUNTED, 0)


_COUNTED_BY_POOL = (
    "allocation", "segment", "active", "inactive_split", "allocated_bytes", "reserved_bytes",
    "active_bytes", "inactive_split_bytes", "requested_bytes")
_BYTES_OF_TENSORS = ("allocated_bytes", "reserved_bytes", "active_bytes", "requested_bytes")
_COUNTED = ("num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc",
            "num_device_free", "max_split_size")


def reset_peak_memory_stats(device=None) -> None:
    _expect_device(device)
    from . import _torch_memory
    _torch_memory.reset_peak()


def reset_accumulated_memory_stats(device=None) -> None:
    _expect_device(device)


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats


# --- Streams and events -------------------------------------------------------------------------


def synchronize(device=None) -> None:
    """Raises RuntimeError if a kernel has failed since the last synchronisation."""
    _expect_device(device)
    _driver.synchronise()


_pools: dict[int, itertools.cycle] = {}


def _pooled_handle(priority: int) -> int:
    """As on a GPU, new streams share a pool of 32 driver streams, round robin. The pool lives as long as
    the process, so that a handle stays valid after its stream object is gone."""
    if priority not in _pools:
        _pools[priority] = itertools.cycle([_driver.StreamHandle(priority) for _ in range(32)])
    return next(_pools[priority]).value


class Stream:
    """`cuda_stream` is the handle of the driver's stream; 0 is the default one."""

    def __init__(self, device=None, priority: int = 0, *, _handle: int | None = None):
        _expect_device(device)
        self.priority = priority
        self.cuda_stream = _pooled_handle(priority) if _handle is None else _handle

    @staticmethod
    def priority_range() -> tuple[int, int]:
        return _driver.stream_priorities()

    @property
    def device(self):
        return sys.modules["torch"].device("cuda", 0)

    @property
    def native_handle(self) -> int:
        return self.cuda_stream

    def query(self) -> bool:
        return True

    def is_capturing(self) -> bool:
        return _driver.is_capturing(self.cuda_stream)

    def synchronize(self) -> None:
        _driver.synchronise()

    def wait_event(self, event) -> None:
        event.wait(self)

    def wait_stream(self, stream) -> None:
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self):
        _streams().append(self)
        return self

    def __exit__(self, *exception):
        _streams().pop()
        return False

    def __eq__(self, other):
        return isinstance(other, Stream) and other.cuda_stream == self.cuda_stream

    def __hash__(self):
        return hash(self.cuda_stream)

    def __repr__(self):
        return f"<torch.cuda.Stream device=cuda:0 cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    def __init__(self, stream_ptr: int, device=None):
        super().__init__(device, _handle=stream_ptr)


_DEFAULT = Stream(_handle=0)
_of_thread = threading.local()


def _streams() -> list[Stream]:
    if not hasattr(_of_thread, "streams"):
        _of_thread.streams = [_DEFAULT]
    return _of_thread.streams


def current_stream(device=None) -> Stream:
    return _streams()[-1]


def default_stream(device=None) -> Stream:
    return _DEFAULT


def set_stream(stream: Stream | None) -> None:
    if stream is not None:
        _streams()[-1] = stream


def get_stream_from_external(data_ptr: int, device=None) -> Stream:
    return ExternalStream(data_ptr, device)


def stream(stream: Stream | None):
    """`with torch.cuda.stream(s):`"""
    return contextlib.nullcontext() if stream is None else stream


class _Event:
    """`torch.Event`. `torch.cuda.Event` is one with a device."""

    def __init__(self, device=None, *, enable_timing: bool = False, blocking: bool = False,
                 interprocess: bool = False):
        _expect_device(device)
        if interprocess:
            raise NotImplementedError("torch.cuda.Event: interprocess events are not supported in "
                                      "host memory")
        self._timed, self._time, self._captured = enable_timing, None, None

    @property
    def device(self):
        return sys.modules["torch"].device("cuda", 0)

    def record(self, stream=None) -> None:
        """During a capture, records a position in it; such an event has no time."""
        stream = stream or current_stream()
        if stream.is_capturing():
            self._time, self._captured = None, _driver.EventHandle()
            self._captured.record(stream.cuda_stream)
        else:
            self._time, self._captured = time.perf_counter(), None

    def wait(self, stream=None) -> None:
        """Outside a capture there is nothing to wait for."""
        if self._captured:
            self._captured.let_wait((stream or current_stream()).cuda_stream)

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        _driver.synchronise()

    def elapsed_time(self, end_event: Event) -> float:
        """In milliseconds. Raises ValueError if an event has no time."""
        for event in (self, end_event):
            if not event._timed:
                raise ValueError("Both events must be created with argument 'enable_timing=True'.")
            if event._time is None:
                raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._time - self._time) * 1e3


class Event(_Event):
    def __init__(self, enable_timing: bool = False, blocking: bool = False,
                 interprocess: bool = False, external: bool = False):
        super().__init__(enable_timing=enable_timing, blocking=blocking, interprocess=interprocess)


def is_current_stream_capturing() -> bool:
    return current_stream().is_capturing()


def get_sync_debug_mode() -> int:
    return 0


def set_sync_debug_mode(debug_mode: int | str) -> None:
    if debug_mode not in (0, "default"):
        raise unsupported("torch.cuda.set_sync_debug_mode: to warn of synchronisation")


# Defined in _torch_graphs.py.
GRAPHS = ("CUDAGraph", "graph", "graph_pool_handle")

__all__ = [
    "is_available", "is_initialized", "init", "device_count", "current_device", "set_device",
    "device", "device_of", "get_device_name", "get_device_capability", "get_device_properties",
    "get_arch_list", "is_bf16_supported", "can_device_access_peer", "mem_get_info", "empty_cache",
    "ipc_collect", "memory_stats_as_nested_dict", "reset_peak_memory_stats",
    "reset_accumulated_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
    "synchronize", "Stream", "ExternalStream", "current_stream", "default_stream",
    "set_stream", "get_stream_from_external", "stream", "Event", "is_current_stream_capturing",
    "get_sync_debug_mode", "set_sync_debug_mode"]
