# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on a GPU: through the driver library of test/support/cuda, which has the PTX machine."""

import os
import pathlib
import subprocess
import sys

import pytest
import tilewright

STAND_IN = pathlib.Path(tilewright.__file__).parents[2] / "test" / "gpu"

PROGRAM = '''
import threading
import numpy as np
import tilewright

TEXT = """cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %new = addi %old, %n : tile<i32>
    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @claim(%n: tile<i32>) {
    %1 = constant <i32: 1> : tile<i32>
    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>
    assert %is, "n is one" : tile<i1>
  }
}"""
module = tilewright.load(TEXT, name="k.mlir")
'''


def run(body, folder):
    return subprocess.run([sys.executable, "-c", PROGRAM + body], capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(folder)})


def results_of(body):
    if not (STAND_IN / "libcuda.so.1").exists():
        pytest.skip("the build has no test/gpu")
    ran = run(body, STAND_IN)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_values():
    assert results_of("""
for options in ({}, {"target": "sm_80"}):
    kernel = module["add"].compile("gpu", **options)
    x = np.arange(4, dtype=np.int32)
    kernel[4](x, 40)
    print(kernel.device, *x)
""") == ["gpu 40 41 42 43"] * 2


def test_other_threads_launch():
    assert results_of("""
kernel = module["add"].compile("gpu")
x = np.zeros((3, 4), dtype=np.int32)
threads = [threading.Thread(target=lambda row=row: kernel[4](row, 7)) for row in x]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print((x == 7).all())
""") == ["True"]


def test_parts_of_arrays():
    assert results_of("""
x = np.arange(5, dtype=np.int32)
module["add"].compile("gpu")[3](x[1:], 10)
print(*x)
""") == ["0 11 12 13 4"]


def test_a_failed_assertion_is_a_finding():
    assert results_of("""
try:
    module["claim"].compile("gpu")[1](2)
except tilewright.KernelError as error:
    print(error.findings[0].kind, error.findings[0].kernel)
""") == ["failed assert claim"]


# --- Arrays in the memory of the GPU ------------------------------------------------------------

ON_GPU = '''
import ctypes

driver = ctypes.CDLL("libcuda.so.1")
driver.testLastStream.restype = ctypes.c_void_p


class OnGpu:
    """Memory of the GPU, with the contents of a NumPy array."""

    def __init__(self, values):
        self.values = np.ascontiguousarray(values)
        self.address = ctypes.c_uint64()
        assert not driver.cuMemAlloc_v2(ctypes.byref(self.address), self.values.nbytes)
        assert not driver.cuMemcpyHtoD_v2(self.address, self.values.ctypes.data_as(ctypes.c_void_p),
                                          ctypes.c_size_t(self.values.nbytes))

    def read(self):
        assert not driver.cuMemcpyDtoH_v2(self.values.ctypes.data_as(ctypes.c_void_p), self.address,
                                          ctypes.c_size_t(self.values.nbytes))
        return self.values


class Interface(OnGpu):
    read_only, stream = False, None

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.values.shape, "typestr": self.values.dtype.str, "version": 3,
                "data": (self.address.value, self.read_only), "stream": self.stream}


class Tensor(ctypes.Structure):  # DLManagedTensor
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]


class Dlpack(OnGpu):
    number, code, bits = 0, 0, 32

    def __dlpack_device__(self):
        return (2, self.number)

    def __dlpack__(self, **options):
        self.shape = (ctypes.c_int64 * 1)(len(self.values))
        self.strides = (ctypes.c_int64 * 1)(1)
        self.tensor = Tensor(self.address.value, (2, self.number), 1, self.code, self.bits, 1,
                             ctypes.addressof(self.shape), ctypes.addressof(self.strides), 0, None,
                             None)
        create = ctypes.pythonapi.PyCapsule_New
        create.restype = ctypes.py_object
        create.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return create(ctypes.addressof(self.tensor), b"dltensor", None)


kernel = module["add"].compile("gpu")


def why_not(launcher, *arguments):
    try:
        launcher(*arguments)
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"
'''


def test_memory_of_the_gpu_is_used_in_place():
    assert results_of(ON_GPU + """
for kind in Interface, Dlpack:
    x = kind(np.arange(4, dtype=np.int32))
    kernel[4](x, 40)
    print(driver.testLastStream(), *x.read())
""") == ["None 40 41 42 43"] * 2


def test_launches_on_a_stream():
    assert results_of(ON_GPU + """
class OfTorch:
    cuda_stream = 0x30

class OfCuda:
    def __cuda_stream__(self):
        return (0, 0x40)

x = Interface(np.arange(4, dtype=np.int32))
x.stream = 0x50
for stream in 0x50, 0, OfTorch(), OfCuda():
    x.stream = None if stream != 0x50 else stream
    kernel[4].on(stream)(x, 1)
    print(hex(driver.testLastStream()), *x.read())
host = np.arange(4, dtype=np.int32)
print(why_not(kernel[4].on(7), host, 1))
print(why_not(kernel[4].on, "fast"))
print(why_not(module["add"].compile("cpu")[4].on, 7))
""") == ["0x50 1 2 3 4", "0x1 2 3 4 5", "0x30 3 4 5 6", "0x40 4 5 6 7",
         "ValueError: kernel @add: a launch on a stream does not wait, so it cannot copy arrays to "
         "the GPU: expected addresses in the GPU's memory",
         "TypeError: expected a stream of PyTorch or CuPy, an object with __cuda_stream__, or the "
         "number of a CUstream, but got str",
         "ValueError: only a GPU has streams: the kernel needs device='gpu'"]


def test_unsuitable_memory_of_a_gpu_is_refused():
    argument = "kernel @add: argument 1 of type !cuda_tile.tile<ptr<i32>>: "
    assert results_of(ON_GPU + """
x = Dlpack(np.arange(4, dtype=np.int32))
x.code = 2
print(why_not(kernel[4], x, 1))
x.code, x.number = 0, 1
print(why_not(kernel[4], x, 1))
x = Interface(np.arange(4, dtype=np.float64))
print(why_not(kernel[4], x, 1))
x = Interface(np.arange(4, dtype=np.int32))
x.read_only = True
print(why_not(kernel[4], x, 1))
x.read_only, x.stream = False, 0x60
print(why_not(kernel[4], x, 1))
print(why_not(module["add"].compile("ptx")[4], Dlpack(np.arange(4, dtype=np.int32)), 1))
""") == ["TypeError: " + argument + "expected an array of int32 or uint32, but got one of float32",
         "ValueError: " + argument + "it is on GPU 1, but the kernel runs on GPU 0",
         "TypeError: " + argument + "expected an array of int32 or uint32, but got one of float64",
         "ValueError: " + argument + "the kernel writes to this array, and it is read-only",
         "ValueError: " + argument + "it is in use on stream 0x60: launch the kernel there, as "
         "kernel[grid].on(0x60)",
         "TypeError: " + argument + "expected an array on the CPU, but got one on the device (2, 0) "
         "of DLPack"]


@pytest.mark.parametrize("options, message", [
    ({"check": True}, "compiled code is not checked"),
    ({"seed": 1}, "a GPU has no seed"),
    ({"max_steps": 5}, "compiled code counts no steps"),
    ({"counters": True}, "only the PTX machine has counters"),
    ({"target": "sm_1"}, "sm_1"),
], ids=str)
def test_other_options_are_refused(options, message):
    entry = tilewright.load("cuda_tile.module @m { entry @k() {} }", name="k.mlir")["k"]
    with pytest.raises(ValueError, match=message):
        entry.compile("gpu", **options)


def test_without_a_driver(tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    ran = run("module['add'].compile('gpu')", tmp_path)
    assert "CompileError: there is no driver of an NVIDIA GPU: " in ran.stderr
