# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the NVIDIA driver from Python: libcuda.so.1, loaded at run time.

A function that fails raises DriverError with its name and the error's name. A process has one Gpu,
which cannot be used any more after a kernel has failed.
"""

import ctypes
import pathlib
import re
import subprocess

NAME = 256  # bytes for the name of a GPU
MAJOR, MINOR = 75, 76  # CUdevice_attribute
MULTIPROCESSORS, CLOCK_KHZ = 16, 13  # CUdevice_attribute
MOST_DYNAMIC_SHARED = 8  # CUfunction_attribute
TENSOR_TYPES = ("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32.ftz",
                "tf32", "tf32.ftz")  # by number
SWIZZLES = ("none", "32B", "64B", "128B")
LOG_BUFFER, LOG_SIZE = 5, 6  # CUjit_option, for errors
LOG_BYTES = 1024
MAP, MAP_ALIGNMENT = 128, 64  # bytes, for a CUtensorMap


class DriverError(Exception):
    """Names the function that failed, and its error."""


class KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS, version 2."""

    _fields_ = [("function", ctypes.c_void_p),
                *((name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x",
                                                     "block_y", "block_z", "shared")),
                ("parameters", ctypes.c_void_p), ("extra", ctypes.c_void_p),
                ("kernel", ctypes.c_void_p), ("context", ctypes.c_void_p)]


class Gpu:
    """The first GPU, with its primary context."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
            self.library.cuInit
        except (OSError, AttributeError) as error:
            raise DriverError(f"there is no driver of an NVIDIA GPU ({error})") from None
        device = ctypes.c_int()
        if self.library.cuInit(0) or self.library.cuDeviceGet(ctypes.byref(device), 0):
            raise DriverError("there is no NVIDIA GPU")
        name = ctypes.create_string_buffer(NAME)
        self.call("cuDeviceGetName", name, NAME, device)
        self.name = name.value.decode()
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), MAJOR, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), MINOR, device)
        self.capability = 10 * major.value + minor.value
        self.device = device
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name: str, *arguments) -> None:
        try:
            function = getattr(self.library, name)
        except AttributeError:
            raise DriverError(f"the driver has no function {name}") from None
        if status := function(*arguments):
            raise DriverError(f"{name}: {self.error_name(status)}")

    def attribute(self, number: int) -> int | None:
        """An attribute of the device, if the driver has it."""
        value = ctypes.c_int()
        try:
            self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        except DriverError:
            return None
        return value.value

    def multiprocessors(self) -> int | None:
        return self.attribute(MULTIPROCESSORS)

    def clock_hz(self) -> int | None:
        """The highest clock of an SM."""
        clock = self.attribute(CLOCK_KHZ)
        return clock and 1000 * clock

    def resident_ctas(self, function: ctypes.c_void_p, threads: int) -> int | None:
        """How many CTAs an SM can hold at the same time, if the driver says."""
        count = ctypes.c_int()
        try:
            self.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(count), function, threads,
                      ctypes.c_size_t(0))
        except DriverError:
            return None
        return count.value

    def error_name(self, status: int) -> str:
        name = ctypes.c_char_p()
        if self.library.cuGetErrorName(status, ctypes.byref(name)) or not name.value:
            return f"error {status}"
        return name.value.decode()

    def array(self, data: bytes) -> ctypes.c_uint64:
        """The address of new memory with these contents, aligned to 256 by the driver."""
        address = self.room(len(data))
        self.write(address, data)
        return address

    def room(self, count: int) -> ctypes.c_uint64:
        """The address of new memory with undefined contents."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(count))
        return address

    def write(self, address: ctypes.c_uint64, data: bytes) -> None:
        self.call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))

    def free(self, array: ctypes.c_uint64) -> None:
        self.call("cuMemFree_v2", array)

    def read(self, address: ctypes.c_uint64, count: int) -> bytes:
        data = ctypes.create_string_buffer(count)
        self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(count))
        return data.raw

    def function(self, code: bytes, name: str) -> ctypes.c_void_p:
        """Loads PTX text or a cubin. Errors contain the messages of the driver's compiler."""
        log = ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(LOG_BUFFER, LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), code + b"\0", 2, options, values)
        except DriverError as error:
            said = " ".join(log.value.decode(errors="replace").split())
            raise DriverError(f"{error}: {said}" if said else str(error)) from None
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def compiled(self, tilewright: pathlib.Path, text: str, name: str, target: str | None = None,
                 tuning: tuple[str, ...] = ()) -> tuple[ctypes.c_void_p, int]:
        """The compiled function of a Tile IR entry, for this GPU or an older target, and the number of threads to launch."""
        command = [tilewright, "compile", "-", "--target", target or f"sm_{self.capability}", "--emit", "ptx",
                   *(part for threshold in tuning for part in ("--tuning", threshold))]
        code = subprocess.run(command, check=True, input=text.encode(), stdout=subprocess.PIPE).stdout
        return self.function(code, name), int(re.search(rb"\.reqntid (\d+)", code)[1])

    def library_function(self, code: bytes, name: str) -> ctypes.c_void_p:
        """The same, through a context-independent library."""
        library, kernel, function = (ctypes.c_void_p() for _ in range(3))
        self.call("cuLibraryLoadData", ctypes.byref(library), code + b"\0", None, None, 0, None,
                  None, 0)
        self.call("cuLibraryGetKernel", ctypes.byref(kernel), library, name.encode())
        self.call("cuKernelGetFunction", ctypes.byref(function), kernel)
        return function

    def start(self, function: ctypes.c_void_p, grid: tuple[int, ...], block: int,
              *parameters) -> None:
        """Starts blocks without dynamic shared memory."""
        self.start_blocks(function, grid, (block,), 0, parameters)

    def start_blocks(self, function: ctypes.c_void_p, grid: tuple[int, ...], block: tuple[int, ...],
                     shared: int, parameters, cooperative: bool = False) -> None:
        """With `shared` bytes of dynamic shared memory; a cooperative launch runs all CTAs at once."""
        if shared:
            self.call("cuFuncSetAttribute", function, MOST_DYNAMIC_SHARED, shared)
        extents = *(*grid, 1, 1)[:3], *(*block, 1, 1)[:3]
        if cooperative:
            self.call("cuLaunchCooperativeKernel", function, *extents, shared, None,
                      pointers_to(parameters))
        else:
            self.call("cuLaunchKernel", function, *extents, shared, None, pointers_to(parameters),
                      None)

    def tensor_map(self, address: ctypes.c_uint64, kind: str, dims: tuple[int, ...],
                   strides: tuple[int, ...], box: tuple[int, ...], swizzle: str = "none",
                   fills_nan: bool = False):
        """A tensor map. Dimensions are innermost first; strides in bytes, from the second one on."""
        room = (ctypes.c_ubyte * (MAP + MAP_ALIGNMENT))()
        offset = -ctypes.addressof(room) % MAP_ALIGNMENT
        map = (ctypes.c_ubyte * MAP).from_buffer(room, offset)
        u32 = ctypes.c_uint32 * len(dims)
        self.call("cuTensorMapEncodeTiled", ctypes.byref(map), TENSOR_TYPES.index(kind), len(dims),
                  address, (ctypes.c_uint64 * len(dims))(*dims),
                  (ctypes.c_uint64 * len(dims))(*strides), u32(*box), u32(*[1] * len(dims)), 0,
                  SWIZZLES.index(swizzle), 0, int(fills_nan))
        return map

    def launch(self, function: ctypes.c_void_p, grid: int, block: int, *parameters) -> None:
        """Launches a 1D grid, and waits for its end."""
        self.start(function, (grid,), block, *parameters)
        self.wait()

    def wait(self) -> None:
        """Waits for all launches."""
        self.call("cuCtxSynchronize")

    def copy(self, to: ctypes.c_uint64, source: ctypes.c_uint64, count: int) -> None:
        self.call("cuMemcpyDtoDAsync_v2", to, source, ctypes.c_size_t(count), None)

    def milliseconds(self, work) -> float:
        """The time of the launches in `work`, measured by GPU events."""
        begin, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (begin, end):
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.call("cuEventRecord", begin, None)
        work()
        self.call("cuEventRecord", end, None)
        self.call("cuEventSynchronize", end)
        taken = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(taken), begin, end)
        for event in (begin, end):
            self.call("cuEventDestroy_v2", event)
        return taken.value

    def launch_graph(self, function: ctypes.c_void_p, grid: int, block: int, *parameters) -> None:
        """Starts it as the only node of a graph."""
        graph, node, executable = (ctypes.c_void_p() for _ in range(3))
        pointers = pointers_to(parameters)
        launch = KernelNode(function, grid, 1, 1, block, 1, 1, 0,
                            ctypes.cast(pointers, ctypes.c_void_p))
        self.call("cuGraphCreate", ctypes.byref(graph), 0)
        self.call("cuGraphAddKernelNode_v2", ctypes.byref(node), graph, None, ctypes.c_size_t(0),
                  ctypes.byref(launch))
        self.call("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph,
                  ctypes.c_ulonglong(0))
        self.call("cuGraphLaunch", executable, None)
        self.call("cuCtxSynchronize")
        self.call("cuGraphExecDestroy", executable)
        self.call("cuGraphDestroy", graph)


def pointers_to(parameters):
    return (ctypes.c_void_p * len(parameters))(*map(ctypes.addressof, parameters))
