# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver of NVIDIA GPUs, as Python calls it: libcuda.so.1, opened at run time.

A function that fails raises DriverError with its name and that of the error. A process has one
Gpu; after a fault of a kernel it can be used no more.
"""

import ctypes

NAME = 256  # bytes of the name of a GPU
MAJOR, MINOR = 75, 76  # CUdevice_attribute
MOST_THREADS = 0  # CUfunction_attribute
LOG_BUFFER, LOG_SIZE = 5, 6  # CUjit_option, of errors
LOG_BYTES = 1024


class DriverError(Exception):
    """What failed, and how."""


class KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS of version 2."""

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

    def error_name(self, status: int) -> str:
        name = ctypes.c_char_p()
        if self.library.cuGetErrorName(status, ctypes.byref(name)) or not name.value:
            return f"error {status}"
        return name.value.decode()

    def array(self, data: bytes) -> ctypes.c_uint64:
        """The address of memory with these bytes; a driver aligns it to 256."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(data)))
        self.call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))
        return address

    def read(self, address: ctypes.c_uint64, count: int) -> bytes:
        data = ctypes.create_string_buffer(count)
        self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(count))
        return data.raw

    def function(self, code: bytes, name: str) -> ctypes.c_void_p:
        """Of PTX text or a cubin. What the driver's compiler says is in the error."""
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

    def library_function(self, code: bytes, name: str) -> ctypes.c_void_p:
        """The same, through a library that belongs to no context."""
        library, kernel, function = (ctypes.c_void_p() for _ in range(3))
        self.call("cuLibraryLoadData", ctypes.byref(library), code + b"\0", None, None, 0, None,
                  None, 0)
        self.call("cuLibraryGetKernel", ctypes.byref(kernel), library, name.encode())
        self.call("cuKernelGetFunction", ctypes.byref(function), kernel)
        return function

    def start(self, function: ctypes.c_void_p, grid: tuple[int, ...], block: int,
              *parameters) -> None:
        """With no dynamic shared memory."""
        self.call("cuLaunchKernel", function, *(*grid, 1, 1)[:3], block, 1, 1, 0, None,
                  pointers_to(parameters), None)

    def launch(self, function: ctypes.c_void_p, grid: int, block: int, *parameters) -> None:
        """A row of CTAs; waits for the end."""
        self.start(function, (grid,), block, *parameters)
        self.wait()

    def wait(self) -> None:
        """For all that was started."""
        self.call("cuCtxSynchronize")

    def required_threads(self, function: ctypes.c_void_p) -> int:
        """Of a CTA."""
        threads = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(threads), MOST_THREADS, function)
        return threads.value

    def copy(self, to: ctypes.c_uint64, source: ctypes.c_uint64, count: int) -> None:
        self.call("cuMemcpyDtoDAsync_v2", to, source, ctypes.c_size_t(count), None)

    def milliseconds(self, work) -> float:
        """What `work` starts takes, by the clock of the GPU."""
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
        """The same, as the one node of a graph."""
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
