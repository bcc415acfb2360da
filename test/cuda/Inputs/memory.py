# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the driver library's memory functions: rectangles and boxes, pools, and host memory. Expected
values are NumPy's, and those of the driver interface's documentation."""

import ctypes
import struct

import numpy as np
from calls import call, made

INVALID_VALUE, INVALID_DEVICE, INVALID_HANDLE, REGISTERED, NOT_REGISTERED = 1, 101, 400, 712, 713
NOT_SUPPORTED = 801
HOST, DEVICE, ARRAY, UNIFIED = 1, 2, 3, 4


def end2(array, kind, x, y, pitch):
    address = array.ctypes.data
    return struct.pack("QQIxxxxQQQQ", x, y, kind, address if kind == HOST else 0,
                       0 if kind == HOST else address, 0, pitch)


def end3(array, kind, x, y, z, pitch, height):
    address = array.ctypes.data
    return struct.pack("QQQQIxxxxQQQQQQ", x, y, z, 0, kind, address if kind == HOST else 0,
                       0 if kind == HOST else address, 0, 0, pitch, height)


def test_rectangles():
    source = np.arange(6 * 8, dtype=np.uint8).reshape(6, 8)
    for name, *stream in (("cuMemcpy2D_v2",), ("cuMemcpy2DUnaligned_v2",), ("cuMemcpy2DAsync_v2", 0)):
        for kinds in ((HOST, DEVICE), (DEVICE, HOST), (UNIFIED, UNIFIED)):
            target, expected = np.zeros((2, 5, 10), np.uint8)
            expected[2:5, 4:7] = source[1:4, 2:5]
            copied = end2(source, kinds[0], 2, 1, 8) + end2(target, kinds[1], 4, 2, 10) + \
                struct.pack("QQ", 3, 3)
            assert call(name, copied, *stream) == 0
            np.testing.assert_array_equal(target, expected)
    size = struct.pack("QQ", 3, 3)
    for wrong, error in ((end2(source, ARRAY, 0, 0, 8), NOT_SUPPORTED), (end2(source, 7, 0, 0, 8), INVALID_VALUE),
                         (end2(source, HOST, 6, 0, 8), INVALID_VALUE)):
        assert call("cuMemcpy2D_v2", wrong + end2(target, HOST, 0, 0, 10) + size) == error
        assert call("cuMemcpy2D_v2", end2(target, HOST, 0, 0, 10) + wrong + size) == error
    assert call("cuMemcpy2D_v2", 0) == INVALID_VALUE
    assert call("cuMemcpy2DAsync_v2", copied, 0xDEAD0) == INVALID_HANDLE


def test_boxes():
    source = np.arange(3 * 4 * 8, dtype=np.uint8).reshape(3, 4, 8)
    target, expected = np.zeros((2, 4, 5, 6), np.uint8)
    expected[2:4, 1:4, 3:5] = source[1:3, 0:3, 5:7]
    copied = end3(source, HOST, 5, 0, 1, 8, 4) + end3(target, DEVICE, 3, 1, 2, 6, 5)
    assert call("cuMemcpy3D_v2", copied + struct.pack("QQQ", 2, 3, 2)) == 0
    np.testing.assert_array_equal(target, expected)
    assert call("cuMemcpy3DAsync_v2", copied + struct.pack("QQQ", 2, 5, 2), 0) == INVALID_VALUE
    assert call("cuMemcpy3DAsync_v2", copied + struct.pack("QQQ", 2, 0, 2), 0) == 0


def test_fills():
    for dtype, name in ((np.uint8, "8"), (np.uint16, "16"), (np.uint32, "32")):
        for function, *stream in ((f"cuMemsetD2D{name}_v2",), (f"cuMemsetD2D{name}Async", 0)):
            target, expected = np.zeros((2, 4, 6), dtype)
            expected[1:3, 2:5] = 77
            address, pitch = target.ctypes.data + 8 * target.itemsize, 6 * target.itemsize
            assert call(function, address, pitch, 77, 3, 2, *stream) == 0
            np.testing.assert_array_equal(target, expected)
            assert call(function, address, 2 * target.itemsize, 77, 3, 2, *stream) == INVALID_VALUE
            assert call(function, 0, pitch, 77, 3, 2, *stream) == INVALID_VALUE
    assert call("cuMemsetD2D16_v2", address + 1, 12, 0, 1, 1) == INVALID_VALUE
    pitch = ctypes.c_size_t()
    memory = made("cuMemAllocPitch_v2", ctypes.byref(pitch), 1000, 3, 4)
    assert pitch.value >= 1000 and pitch.value % 256 == memory % 256 == 0
    assert call("cuMemsetD2D8_v2", memory, pitch.value, 1, 1000, 3) == 0
    assert call("cuMemFree_v2", memory) == 0


def attribute(pool, number, type=ctypes.c_uint64):
    value = type()
    assert call("cuMemPoolGetAttribute", pool, number, ctypes.byref(value)) == 0
    return value.value


def test_pools():
    default = made("cuDeviceGetDefaultMemPool", 0)
    assert made("cuDeviceGetMemPool", 0) == default
    properties = struct.pack("iiiiQQH54x", 1, 0, 1, 0, 0, 0, 0)
    pool = made("cuMemPoolCreate", properties)
    first = made("cuMemAllocFromPoolAsync", 1000, pool, 0)
    second = made("cuMemAllocFromPoolAsync", 500, pool, 0)
    assert (attribute(pool, 7), attribute(pool, 8), attribute(default, 7)) == (1500, 1500, 0)
    assert call("cuMemFreeAsync", first, 0) == 0
    assert (attribute(pool, 7), attribute(pool, 8)) == (500, 1500)
    assert call("cuMemPoolSetAttribute", pool, 8, ctypes.byref(ctypes.c_uint64(0))) == 0
    assert attribute(pool, 8) == 500
    for number in (5, 7, 9, 0):  # cannot be set
        assert call("cuMemPoolSetAttribute", pool, number, ctypes.byref(ctypes.c_uint64(0))) == INVALID_VALUE
    assert call("cuMemPoolSetAttribute", pool, 4, ctypes.byref(ctypes.c_uint64(1 << 40))) == 0
    assert call("cuMemPoolSetAttribute", pool, 2, ctypes.byref(ctypes.c_int(0))) == 0
    assert attribute(pool, 4) == 1 << 40
    assert [attribute(pool, number, ctypes.c_int) for number in (1, 2, 3)] == [1, 0, 1]
    # Without an explicit pool, allocations come from the current one.
    assert call("cuDeviceSetMemPool", 0, pool) == 0 and made("cuDeviceGetMemPool", 0) == pool
    third = made("cuMemAllocAsync", 8, 0)
    assert attribute(pool, 7) == 508
    assert call("cuMemPoolDestroy", pool) == 0 and call("cuMemPoolDestroy", pool) == INVALID_VALUE
    assert made("cuDeviceGetMemPool", 0) == default and call("cuMemPoolDestroy", default) == INVALID_VALUE
    assert call("cuMemsetD8_v2", second, 1, 500) == 0  # stays valid after its pool was destroyed
    assert call("cuMemFreeAsync", second, 0) == 0 and call("cuMemFree_v2", third) == 0
    place = ctypes.byref(ctypes.c_void_p())
    assert call("cuMemAllocFromPoolAsync", place, 8, pool, 0) == INVALID_VALUE
    assert call("cuMemPoolCreate", place, struct.pack("iiiiQQH54x", 1, 1, 1, 0, 0, 0, 0)) == NOT_SUPPORTED
    assert call("cuMemPoolCreate", place, struct.pack("iiiiQQH54x", 1, 0, 1, 5, 0, 0, 0)) == INVALID_DEVICE


def test_memory_of_the_host():
    memory = np.zeros(100, np.uint8)
    address, place = memory.ctypes.data, ctypes.byref(ctypes.c_void_p())
    assert call("cuMemHostUnregister", address) == NOT_REGISTERED
    assert call("cuMemHostRegister_v2", address, 100, 2) == 0
    for start, size in ((0, 100), (99, 50), (-10, 11), (-10, 200), (50, 1)):
        assert call("cuMemHostRegister_v2", address + start, size, 0) == REGISTERED
    assert made("cuMemHostGetFlags", address + 50) == 2
    assert made("cuMemHostGetDevicePointer_v2", address, 0) == address
    kinds = (ctypes.c_int * 3)(2, 11, 12)
    results = [ctypes.c_uint64() for _ in kinds]
    pointers = (ctypes.c_void_p * 3)(*map(ctypes.addressof, results))
    assert call("cuPointerGetAttributes", 3, kinds, pointers, address + 7) == 0
    assert [result.value for result in results] == [HOST, address, 100]
    assert call("cuMemHostUnregister", address) == 0
    assert call("cuPointerGetAttributes", 3, kinds, pointers, address + 7) == 0
    assert [result.value for result in results] == [DEVICE, 0, 0]  # like any memory
    assert call("cuMemHostGetFlags", place, address) == INVALID_VALUE
    assert call("cuMemHostRegister_v2", 0, 8, 0) == INVALID_VALUE


def test_what_frameworks_ask_at_the_start():
    name = ctypes.create_string_buffer(13)
    assert call("cuDeviceGetPCIBusId", name, 13, 0) == 0 and made("cuDeviceGetByPCIBusId", name) == 0
    assert call("cuDeviceGetPCIBusId", name, 12, 0) == INVALID_VALUE
    place = ctypes.byref(ctypes.c_void_p())
    assert call("cuDeviceGetByPCIBusId", place, b"0000:01:00.0") == INVALID_DEVICE
    assert made("cuDeviceCanAccessPeer", 0, 0) == 0 and call("cuDeviceCanAccessPeer", place, 0, 1) == INVALID_DEVICE
    assert call("cuDevicePrimaryCtxSetFlags_v2", 0, 4) == 0 and made("cuCtxGetFlags") == 4
    version = ctypes.c_uint()
    assert call("cuCtxGetApiVersion", 0, ctypes.byref(version)) == 0 and version.value == 3020
    assert made("cuDeviceGetAttribute", 115, 0) == made("cuDeviceGetAttribute", 99, 0) == 1


assert call("cuInit", 0) == 0
for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
