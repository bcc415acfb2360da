# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests sharing memory and events between processes: `ipc.py IMAGE`, with the image of `driver.py`.
Expected results are those of the driver interface's documentation."""

import ctypes
import multiprocessing
import os
import pathlib
import sys

from calls import call, made

INVALID_VALUE, INVALID_CONTEXT, INVALID_HANDLE, NOT_FOUND = 1, 201, 400, 500
LAZY, DISABLE_TIMING, INTERPROCESS = 1, 2, 4
MEMORY_TYPE, IPC_CAPABLE, RANGE_START, RANGE_SIZE = 2, 10, 11, 12


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


def exported(name, what):
    handle = Handle()
    assert call(name, ctypes.byref(handle), what) == 0, name
    return bytes(handle)


def memory_handle(address):
    return exported("cuIpcGetMemHandle", address)


def opened(handle, flags=LAZY, name="cuIpcOpenMemHandle_v2"):
    """The error, and the address if there is no error."""
    address = ctypes.c_uint64()
    error = call(name, ctypes.byref(address), Handle.from_buffer_copy(handle), flags)
    return error, address.value


def opened_event(handle):
    event = ctypes.c_void_p()
    error = call("cuIpcOpenEventHandle", ctypes.byref(event), Handle.from_buffer_copy(handle))
    return error, event.value


def attribute(number, address):
    value = ctypes.c_uint64()
    assert call("cuPointerGetAttribute", ctypes.byref(value), number, address) == 0
    return value.value


def allocated(*words):
    """Allocates memory with these 32-bit words."""
    address = made("cuMemAlloc_v2", 4 * len(words))
    assert call("cuMemcpyHtoD_v2", address, (ctypes.c_int * len(words))(*words), 4 * len(words)) == 0
    return address


def words(address, count):
    result = (ctypes.c_int * count)()
    assert call("cuMemcpyDtoH_v2", result, address, 4 * count) == 0
    return list(result)


def start():
    assert call("cuInit", 0) == 0


# Functions that run in the other process.

def store(handle, index, value):
    """Stores the value with a kernel, and returns the previous contents. Leaves the memory open."""
    error, address = opened(handle)
    assert error == 0, error
    assert attribute(RANGE_START, address + 4) == address and attribute(RANGE_SIZE, address) == 12
    assert attribute(MEMORY_TYPE, address) == 2 and attribute(IPC_CAPABLE, address) == 0
    before = words(address, 3)
    library = made("cuLibraryLoadData", pathlib.Path(sys.argv[1]).read_bytes(), 0, 0, 0, 0, 0, 0)
    kernel = made("cuLibraryGetKernel", library, b"store")
    place, number = ctypes.c_uint64(address + 4 * index), ctypes.c_int(value)
    parameters = (ctypes.c_void_p * 2)(ctypes.addressof(place), ctypes.addressof(number))
    assert call("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, None) == 0
    assert call("cuCtxSynchronize") == 0
    return before


def close_twice(handle):
    """Opens it twice: both give the same address, which is valid until closed twice."""
    (first, address), (second, again) = opened(handle), opened(handle, name="cuIpcOpenMemHandle")
    errors = [call("cuIpcCloseMemHandle", address)]
    assert first == second == 0 and address == again and words(address, 1)
    errors += [call("cuMemFree_v2", address), call("cuIpcCloseMemHandle", address + 4)]
    errors += [call("cuIpcCloseMemHandle", address) for _ in range(2)]
    place = ctypes.byref(ctypes.c_uint64())
    return errors + [call("cuMemGetAddressRange_v2", place, place, address)]


def give(*values):
    return os.getpid(), memory_handle(allocated(*values))


def wait(handle):
    error, event = opened_event(handle)
    assert error == 0, error
    results = [call("cuEventQuery", event), call("cuEventSynchronize", event),
               call("cuStreamWaitEvent", 0, event, 0), call("cuEventRecord", event, 0)]
    handle = Handle()
    results.append(call("cuIpcGetEventHandle", ctypes.byref(handle), event))
    return results + [call("cuEventDestroy_v2", event)]


# The tests.

def test_memory(other):
    address = allocated(1, 2, 3)
    assert attribute(IPC_CAPABLE, address) == 1
    handle = memory_handle(address)
    assert memory_handle(address + 5) == handle  # the handle of the whole allocation
    assert other.apply(store, (handle, 1, 77)) == [1, 2, 3]
    assert words(address, 3) == [1, 77, 3]
    assert call("cuMemcpyHtoD_v2", address, (ctypes.c_int * 1)(-5), 4) == 0
    assert other.apply(store, (handle, 2, 78)) == [-5, 77, 3]  # still open
    assert words(address, 3) == [-5, 77, 78] and call("cuMemFree_v2", address) == 0


def test_memory_that_is_large(other):
    """Memory that does not start at a page, and shares pages with other memory."""
    beside = allocated(9)
    count = 1 << 20
    address, behind = allocated(*range(count)), allocated(8)
    (error, end), = other.map(opened, [memory_handle(address)])
    assert error == 0 and other.apply(words, (end + 4 * (count - 3), 3)) == [count - 3, count - 2, count - 1]
    assert other.apply(call, ("cuMemsetD8_v2", end, 1, 4 * count)) == 0
    assert words(address + 4 * (count - 1), 1) == [0x01010101]
    assert words(beside, 1) == [9] and words(behind, 1) == [8]
    # Memory that is freed while it is open elsewhere stays mapped there.
    assert call("cuMemFree_v2", address) == 0 and len(other.apply(words, (end, count))) == count
    assert other.apply(call, ("cuIpcCloseMemHandle", end)) == 0
    assert words(beside, 1) == [9] and words(behind, 1) == [8]
    assert call("cuMemFree_v2", beside) == call("cuMemFree_v2", behind) == 0


def test_memory_is_closed_as_often_as_opened(other):
    address = allocated(1)
    errors = other.apply(close_twice, (memory_handle(address),))
    assert errors == [0, INVALID_VALUE, INVALID_VALUE, 0, INVALID_VALUE, NOT_FOUND], errors
    assert call("cuIpcCloseMemHandle", address) == INVALID_VALUE and call("cuMemFree_v2", address) == 0


def test_handles_that_are_wrong(other):
    address = allocated(1)
    handle = memory_handle(address)
    assert opened(handle)[0] == INVALID_CONTEXT  # exported by this process itself
    # Of the process number, change the highest byte: changing the lowest might give a fork of it.
    for index in (0, 8, 16, 24, 32, 43, 44):
        wrong = bytearray(handle)
        wrong[index] ^= 3
        assert other.apply(opened, (bytes(wrong),))[0] == INVALID_HANDLE, index
    assert other.apply(opened, (bytes(64),))[0] == INVALID_HANDLE
    assert other.apply(opened_event, (handle,))[0] == INVALID_HANDLE
    assert other.apply(opened, (handle, 0))[0] == other.apply(opened, (handle, 3))[0] == INVALID_VALUE
    # Freed, and allocated again at the same address.
    assert call("cuMemFree_v2", address) == 0
    assert other.apply(opened, (handle,))[0] == INVALID_HANDLE
    again = allocated(1)
    assert again == address and memory_handle(again) != handle
    assert other.apply(opened, (handle,))[0] == INVALID_HANDLE and call("cuMemFree_v2", again) == 0
    assert opened(handle)[0] == INVALID_HANDLE


def test_memory_that_cannot_be_exported(other):
    array, managed = (ctypes.c_int * 4)(), made("cuMemAllocManaged", 64, 1)
    pooled, pinned = made("cuMemAllocAsync", 64, 0), made("cuMemHostAlloc", 64, 0)
    for address in (ctypes.addressof(array), managed, pooled, pinned, 0):
        assert attribute(IPC_CAPABLE, address) == 0
        assert call("cuIpcGetMemHandle", ctypes.byref(Handle()), address) == INVALID_VALUE
    address = allocated(1)
    assert call("cuIpcGetMemHandle", 0, address) == INVALID_VALUE
    for address in (address, managed, pooled):
        assert call("cuMemFree_v2", address) == 0


def test_an_exporter_that_has_ended(other):
    """Memory that is open stays valid; nothing else can be opened."""
    with multiprocessing.get_context("spawn").Pool(1, start) as third:
        (_, first), (process, second) = third.apply(give, (5, 6)), third.apply(give, (7,))
        error, address = opened(first)
        assert error == 0
    third.join()
    assert not os.path.exists(f"/proc/{process}")
    assert words(address, 2) == [5, 6] and opened(second)[0] == INVALID_HANDLE
    assert call("cuIpcCloseMemHandle", address) == 0 and opened(first)[0] == INVALID_HANDLE


def test_a_fork(other):
    """The child allocates from its own file, and frees nothing of the parent's."""
    kept = allocated(1)
    handle = memory_handle(kept)
    child = os.fork()
    if child == 0:
        new = allocated(3)
        fine = call("cuMemFree_v2", kept) == 0 and call("cuIpcGetMemHandle", ctypes.byref(Handle()), new) == 0
        os._exit(0 if fine and words(new, 1) == [3] else 1)
    assert os.waitpid(child, 0)[1] == 0
    new = allocated(4)
    assert words(kept, 1) == [1] and words(new, 1) == [4] and memory_handle(kept) == handle
    assert call("cuMemFree_v2", kept) == call("cuMemFree_v2", new) == 0


def test_events(other):
    place = ctypes.byref(ctypes.c_void_p())
    assert call("cuEventCreate", place, INTERPROCESS) == INVALID_VALUE  # requires DISABLE_TIMING
    event = made("cuEventCreate", INTERPROCESS | DISABLE_TIMING)
    handle = exported("cuIpcGetEventHandle", event)
    for _ in range(2):  # before and after it is recorded
        assert other.apply(wait, (handle,)) == [0, 0, 0, 0, INVALID_HANDLE, 0]
        assert call("cuEventRecord", event, 0) == 0
    assert opened_event(handle)[0] == INVALID_CONTEXT
    assert other.apply(opened, (handle,))[0] == INVALID_HANDLE  # not memory
    assert call("cuIpcGetEventHandle", 0, event) == INVALID_VALUE
    assert call("cuEventDestroy_v2", event) == 0
    assert other.apply(opened_event, (handle,))[0] == INVALID_HANDLE
    for stranger in (event, made("cuEventCreate", DISABLE_TIMING)):
        assert call("cuIpcGetEventHandle", ctypes.byref(Handle()), stranger) == INVALID_HANDLE


if __name__ == "__main__":
    start()
    with multiprocessing.get_context("spawn").Pool(1, start) as other:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(other)
                print("passed", name)
