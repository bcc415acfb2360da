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

kernel = module["add"].compile("gpu")
driver = ctypes.CDLL("libcuda.so.1")
driver.testLastStream.restype = ctypes.c_void_p
context = ctypes.c_void_p()
assert not driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)


def current():
    found = ctypes.c_void_p()
    driver.cuCtxGetCurrent(ctypes.byref(found))
    return found.value


assert current() is None  # compiling has changed nothing
driver.cuCtxSetCurrent(context)


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
    read_only, stream, offset, mask = False, None, 0, None

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.values.shape, "typestr": self.values.dtype.str, "version": 3,
                "data": (self.address.value + self.offset, self.read_only), "stream": self.stream,
                "mask": self.mask}


class Tensor(ctypes.Structure):  # DLTensor
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):  # DLManagedTensor
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):  # DLManagedTensorVersioned
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Old(OnGpu):
    number, code, bits, lanes, offset = 0, 0, 32, 1, 0

    def __dlpack_device__(self):
        return (2, self.number)

    def tensor(self):
        self.shape = (ctypes.c_int64 * 1)(len(self.values))
        return Tensor(self.address.value - self.offset, (2, self.number), 1, self.code, self.bits,
                      self.lanes, ctypes.addressof(self.shape), None, self.offset)

    def __dlpack__(self, *, stream):
        self.stream = stream
        return self.capsule(Managed(self.tensor()), b"dltensor")

    def capsule(self, managed, name):
        self.managed = managed
        create = ctypes.pythonapi.PyCapsule_New
        create.restype = ctypes.py_object
        create.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return create(ctypes.addressof(managed), name, None)


class Dlpack(Old):
    flags, major = 0, 1

    def __dlpack__(self, *, stream, max_version):
        self.stream = stream
        return self.capsule(Versioned((self.major, 0), None, None, self.flags, self.tensor()),
                            b"dltensor_versioned")


def why_not(launcher, *arguments):
    try:
        launcher(*arguments)
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"
'''


def test_memory_of_the_gpu_is_used_in_place():
    assert results_of(ON_GPU + """
for kind in Interface, Old, Dlpack:
    x = kind(np.arange(4, dtype=np.int32))
    if kind is not Interface:
        x.offset = 64
    kernel[4](x, 40)
    print(driver.testLastStream(), getattr(x, "stream"), *x.read())
print(current() == context.value)
driver.cuCtxSetCurrent(ctypes.c_void_p(8))  # another context
print(why_not(kernel[4], 3, 40), current())
kernel[4](np.arange(4, dtype=np.int32), 40)
del kernel
print(current())
""") == ["None None 40 41 42 43", "None 1 40 41 42 43", "None 1 40 41 42 43", "True",
         "TypeError: kernel @add: argument 1 of type !cuda_tile.tile<ptr<i32>>: expected an array, but "
         "got int; an array is one of NumPy, or speaks DLPack, __array_interface__ or the buffer "
         "protocol 8", "8"]


def test_arrays_in_both_memories():
    assert results_of(ON_GPU + """
TEXT = '''cuda_tile.module @m { entry @copy(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %u = store_ptr_tko weak %y, %v token=%t : tile<ptr<i32>>, tile<i32> -> token
} }'''
x, y = Interface(np.array([7], np.int32)), np.zeros(1, np.int32)
tilewright.load(TEXT)["copy"].compile("gpu")[1](x, y)
print(y[0])
""") == ["7"]


def test_launches_on_a_stream():
    assert results_of(ON_GPU + """
class OfTorch:
    cuda_stream = 0x30

class OfCupy:
    ptr = 0x31

class OfNumba:
    handle = ctypes.c_void_p(0x32)

class OfCuda:
    def __cuda_stream__(self):
        return (0, 0x40)

x = Interface(np.arange(4, dtype=np.int32))
x.stream = 0x50
y = Dlpack(np.arange(4, dtype=np.int32))
for stream in 0x50, 0, OfTorch(), OfCupy(), OfNumba(), OfCuda():
    x.stream = None if stream != 0x50 else stream
    kernel[4].on(stream)(x, 1)
    kernel[4].on(stream)(y, 1)
    print(hex(driver.testLastStream()), hex(y.stream), *x.read())
host = np.arange(4, dtype=np.int32)
print(why_not(kernel[4].on(7), host, 1))
print(why_not(kernel[4].on, "fast"))
print(why_not(module["add"].compile("cpu")[4].on, 7))
""") == ["0x50 0x50 1 2 3 4", "0x1 0x1 2 3 4 5", "0x30 0x30 3 4 5 6", "0x31 0x31 4 5 6 7",
         "0x32 0x32 5 6 7 8", "0x40 0x40 6 7 8 9",
         "ValueError: kernel @add: a launch on a stream does not wait, so it cannot copy arrays to "
         "the GPU: expected addresses in the GPU's memory",
         "TypeError: expected a stream of PyTorch, CuPy or Numba, an object with __cuda_stream__, or "
         "the number of a CUstream, but got str",
         "ValueError: only a GPU has streams: the kernel needs device='gpu'"]


def test_a_kernel_that_may_be_running_stays_loaded():
    assert results_of(ON_GPU + """
x = Interface(np.arange(4, dtype=np.int32))
for stream in None, 7:
    unused = module["add"].compile("gpu")
    launcher = unused[4] if stream is None else unused[4].on(stream)
    launcher(x, 1)
    del unused, launcher
    print(driver.testUnloadedModules())
""") == ["1", "1"]


def test_a_fault_on_a_stream_is_no_finding_of_the_next_launch():
    assert results_of(ON_GPU + """
x = Interface(np.arange(4, dtype=np.int32))
claim = module["claim"].compile("gpu")
claim[1].on(7)(2)
try:
    kernel[4](x, 1)
except tilewright.CompileError as error:
    print(error)
""") == ["an earlier kernel of this process failed: CUDA_ERROR_ASSERT"]


def test_unsuitable_memory_of_a_gpu_is_refused():
    argument = "kernel @add: argument 1 of type !cuda_tile.tile<ptr<i32>>: "
    assert results_of(ON_GPU + """
def changed(kind, dtype=np.int32, **changes):
    x = kind(np.arange(4, dtype=dtype))
    for name, value in changes.items():
        setattr(x, name, value)
    return x

print(why_not(kernel[4], changed(Dlpack, code=2), 1))
print(why_not(kernel[4], changed(Dlpack, lanes=2), 1))
print(why_not(kernel[4], changed(Dlpack, number=1), 1))
print(why_not(kernel[4], changed(Dlpack, flags=1), 1))
print(why_not(kernel[4], changed(Dlpack, major=2), 1))
print(why_not(kernel[4], changed(Interface, np.float64), 1))
print(why_not(kernel[4], changed(Interface, read_only=True), 1))
print(why_not(kernel[4], changed(Interface, offset=2), 1))
print(why_not(kernel[4], changed(Interface, mask=1), 1))
print(why_not(kernel[4].on(7), changed(Interface, stream=0x60), 1))
print(why_not(kernel[4], changed(Interface, stream=0x60), 1))
print(why_not(module["add"].compile("ptx")[4], Dlpack(np.arange(4, dtype=np.int32)), 1))
""") == ["TypeError: " + argument + "expected an array of int32 or uint32, but got one of float32",
         "TypeError: " + argument + "Tile IR has no elements like its, with DLPack's code 0, 32 bits "
         "and 2 lanes",
         "ValueError: " + argument + "it is on GPU 1, but the kernel runs on GPU 0",
         "ValueError: " + argument + "the kernel writes to this array, and it is read-only",
         "ValueError: " + argument + "it is exported as version 2 of DLPack, of which only version 1 "
         "is known",
         "TypeError: " + argument + "expected an array of int32 or uint32, but got one of float64",
         "ValueError: " + argument + "the kernel writes to this array, and it is read-only",
         "ValueError: " + argument + "its address is not a multiple of its elements' 4 bytes",
         "ValueError: " + argument + "it has a mask",
         "ValueError: " + argument + "it is in use on stream 0x60: launch the kernel there, as "
         "kernel[grid].on(0x60)",
         "accepted",
         "TypeError: " + argument + "expected an array on the CPU, but got one on the device (2, 0) "
         "of DLPack"]


def test_memory_of_another_gpu_is_refused():
    assert results_of(ON_GPU + """
import os
x = Interface(np.arange(4, dtype=np.int32))
os.environ["TEST_GPU_POINTERS"] = "1"
try:
    kernel[4](x, 1)
except tilewright.CompileError as error:
    print(error)
""") == ["parameter 1: the memory is on GPU 1, but the kernel runs on GPU 0"]


def test_cutile_on_memory_of_the_gpu(tmp_path):
    pytest.importorskip("cuda.tile")
    script = tmp_path / "double.py"
    script.write_text(PROGRAM + ON_GPU + """
import cuda.tile as ct

@ct.kernel
def double(x, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (16,)) * 2)

x, y = Dlpack(np.arange(64, dtype=np.int32)), Interface(np.zeros(64, np.int32))
tilewright.cutile.launch((4,), double, (x, y), device="gpu")
print(*y.read()[:3], y.read()[63])
tilewright.cutile.launch((4,), double, (y, x), device="gpu", stream=0x70)
print(hex(driver.testLastStream()), x.read()[63])

@ct.kernel
def total(arrays, y):
    tile = ct.load(arrays[0], (0,), (16,)) + ct.load(arrays[1], (0,), (16,))
    ct.store(y, (0,), tile)

a, b = Dlpack(np.arange(16, dtype=np.int32)), Interface(np.full(16, 100, np.int32))
tilewright.cutile.launch(1, total, ([a, b], y), device="gpu")
print(*y.read()[:3])
print(why_not(lambda: tilewright.cutile.launch(1, total, ([a, b.values], y), device="gpu")))
""")
    if not (STAND_IN / "libcuda.so.1").exists():
        pytest.skip("the build has no test/gpu")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True,
                         env={**os.environ, "LD_LIBRARY_PATH": str(STAND_IN)})
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        "0 2 4 126", "0x70 252", "100 101 102",
        "TypeError: parameter arrays: arrays of a list are all in the memory of the GPU, or none is"]


@pytest.mark.parametrize("options, message", [
    ({"check": True}, "compiled code is not checked"),
    ({"seed": 1}, "a GPU has no seed"),
    ({"max_steps": 5}, "compiled code counts no steps"),
    ({"counters": True}, "counters needs device='ptx'"),
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
