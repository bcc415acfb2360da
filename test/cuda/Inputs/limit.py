# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the limit of device memory, which $TILEWRIGHT_MEMORY sets to 64 MiB: every allocating function
fails beyond it. The default limit is below the machine's memory."""

import ctypes
import os

from calls import call, made

SUCCESS, OUT_OF_MEMORY = 0, 2
MIB = 1 << 20


def information():
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    assert call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total)) == SUCCESS
    device = ctypes.c_size_t()
    assert call("cuDeviceTotalMem_v2", ctypes.byref(device), 0) == SUCCESS
    assert device.value == total.value
    return free.value, total.value


def test_every_function_that_allocates():
    place = ctypes.byref(ctypes.c_void_p())
    pool = made("cuDeviceGetMemPool", 0)
    calls = {
        "cuMemAlloc_v2": lambda size: call("cuMemAlloc_v2", place, size),
        "cuMemAllocManaged": lambda size: call("cuMemAllocManaged", place, size, 1),
        "cuMemAllocPitch_v2": lambda size: call("cuMemAllocPitch_v2", place, ctypes.byref(ctypes.c_size_t()),
                                                MIB, size // MIB, 4),
        "cuMemAllocHost_v2": lambda size: call("cuMemAllocHost_v2", place, size),
        "cuMemHostAlloc": lambda size: call("cuMemHostAlloc", place, size, 0),
        "cuMemAllocAsync": lambda size: call("cuMemAllocAsync", place, size, 0),
        "cuMemAllocFromPoolAsync": lambda size: call("cuMemAllocFromPoolAsync", place, size, pool, 0),
    }
    for name, allocate in calls.items():
        for megabytes, expected in ((65, OUT_OF_MEMORY), (1 << 40, OUT_OF_MEMORY), (64, SUCCESS),
                                    (1, OUT_OF_MEMORY)):
            assert allocate(megabytes * MIB) == expected, (name, megabytes)
        assert information() == (0, 64 * MIB), name
        free = "cuMemFreeHost" if "Host" in name else "cuMemFree_v2"
        assert call(free, place._obj.value) == SUCCESS
        assert information() == (64 * MIB, 64 * MIB), name


def test_many_small_ones():
    blocks = [made("cuMemAlloc_v2", 8 * MIB) for _ in range(8)]
    assert call("cuMemAlloc_v2", ctypes.byref(ctypes.c_void_p()), 1) == OUT_OF_MEMORY
    assert call("cuMemFree_v2", blocks.pop()) == SUCCESS
    assert information() == (8 * MIB, 64 * MIB)
    for block in [*blocks, made("cuMemAlloc_v2", 8 * MIB)]:
        assert call("cuMemFree_v2", block) == SUCCESS


def test_the_default_is_below_the_machine():
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    free, total = information()
    assert 0 < free <= total <= machine * 4 // 5


assert call("cuInit", 0) == 0
names = ("test_every_function_that_allocates", "test_many_small_ones")
for name in names if "TILEWRIGHT_MEMORY" in os.environ else ("test_the_default_is_below_the_machine",):
    globals()[name]()
    print("passed", name)
