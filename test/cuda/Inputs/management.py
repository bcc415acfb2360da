# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests libnvidia-ml.so.1 through its C interface, with a device of 3 GiB. Layouts and numbers are those
of the management interface's documentation."""

import ctypes

library = ctypes.CDLL("libnvidia-ml.so.1")
UNINITIALIZED, INVALID_ARGUMENT, NOT_SUPPORTED, NOT_FOUND, INSUFFICIENT_SIZE = 1, 2, 3, 6, 7
GIB = 1 << 30


class Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in ("total", "free", "used")]


class MemoryV2(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint),
                *((name, ctypes.c_ulonglong) for name in ("total", "reserved", "free", "used"))]


class Pci(ctypes.Structure):
    _fields_ = [("legacy", ctypes.c_char * 16),
                *((name, ctypes.c_uint) for name in ("domain", "bus", "device", "id", "subsystem")),
                ("bus_id", ctypes.c_char * 32)]


def text(function, *arguments):
    buffer = ctypes.create_string_buffer(96)
    assert getattr(library, function)(*arguments, buffer, 96) == 0
    assert getattr(library, function)(*arguments, buffer, 1) == INSUFFICIENT_SIZE
    return buffer.value.decode()


def handle():
    device = ctypes.c_void_p()
    assert library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)) == 0
    return device


def test_who_has_not_begun():
    count = ctypes.c_uint()
    assert library.nvmlDeviceGetCount_v2(ctypes.byref(count)) == UNINITIALIZED
    assert library.nvmlShutdown() == UNINITIALIZED
    assert library.nvmlInit_v2() == library.nvmlInitWithFlags(0) == library.nvmlShutdown() == 0
    assert library.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0 and count.value == 1


def test_what_the_device_is():
    device, other, pci = handle(), ctypes.c_void_p(), Pci()
    assert text("nvmlDeviceGetName", device) == "Tilewright CPU"
    uuid = text("nvmlDeviceGetUUID", device)
    assert library.nvmlDeviceGetHandleByUUID(uuid.encode(), ctypes.byref(other)) == 0
    assert other.value == device.value
    assert library.nvmlDeviceGetHandleByUUID(b"GPU-0", ctypes.byref(other)) == NOT_FOUND
    assert library.nvmlDeviceGetHandleByIndex_v2(1, ctypes.byref(other)) == INVALID_ARGUMENT
    assert library.nvmlDeviceGetPciInfo_v3(device, ctypes.byref(pci)) == 0
    assert (pci.bus_id, pci.legacy, pci.bus) == (b"00000000:00:00.0", b"0000:00:00.0", 0)
    assert library.nvmlDeviceGetHandleByPciBusId_v2(pci.bus_id, ctypes.byref(other)) == 0
    major, minor = ctypes.c_int(), ctypes.c_int()
    assert library.nvmlDeviceGetCudaComputeCapability(device, ctypes.byref(major), ctypes.byref(minor)) == 0
    assert (major.value, minor.value) == (10, 0)
    assert library.nvmlDeviceGetName(ctypes.c_void_p(0), ctypes.create_string_buffer(9), 9) == INVALID_ARGUMENT


def test_its_memory():
    memory, second = Memory(), MemoryV2(version=ctypes.sizeof(MemoryV2) | 2 << 24)
    assert library.nvmlDeviceGetMemoryInfo(handle(), ctypes.byref(memory)) == 0
    assert (memory.total, memory.used) == (3 * GIB, 3 * GIB - memory.free) and memory.free > 0
    assert library.nvmlDeviceGetMemoryInfo_v2(handle(), ctypes.byref(second)) == 0
    assert (second.total, second.reserved) == (3 * GIB, 0)
    assert library.nvmlDeviceGetMemoryInfo_v2(handle(), ctypes.byref(MemoryV2(version=7))) == INVALID_ARGUMENT


def test_what_only_a_gpu_has():
    value, count = ctypes.c_uint(), ctypes.c_uint(5)
    assert library.nvmlDeviceGetTemperature(handle(), 0, ctypes.byref(value)) == NOT_SUPPORTED
    assert library.nvmlDeviceGetPowerUsage(handle(), ctypes.byref(value)) == NOT_SUPPORTED
    assert library.nvmlDeviceGetComputeRunningProcesses_v3(handle(), ctypes.byref(count), None) == 0
    assert count.value == 0


for test in (test_who_has_not_begun, test_what_the_device_is, test_its_memory, test_what_only_a_gpu_has):
    test()
    print("passed", test.__name__)
