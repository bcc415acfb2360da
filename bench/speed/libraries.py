# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls our kernels and the peers. There is one class per library, instantiated in a separate process:
thread pools that spin would slow down the others.

Each class states the environment variables that its process needs at start; its methods return functions
without arguments, with all arguments of the call prepared.
"""

import ctypes
import os
import pathlib
import subprocess

import numpy as np

from .case import Unsupported
from .frameworks import Jax, Numba, Torch

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = pathlib.Path(os.environ.get("TILEWRIGHT_PROGRAMS", ROOT / "build/bin"))
WHEELS = ROOT / ".venv-bench/lib"  # where PyPI's library packages install their libraries
# Peers are compiled for this processor, or for the requested one.
MARCH = os.environ.get("BENCH_MARCH", "native")
BUILT = ROOT / "build/bench" / ("" if MARCH == "native" else MARCH)

pointer = ctypes.c_void_p


def address(array: np.ndarray) -> ctypes.c_void_p:
    return pointer(array.ctypes.data)


class Library:
    """`threads` is also the number of processors in the process's affinity mask."""
    environment: dict[str, str] = {}

    @classmethod
    def environment_for(cls, threads: int) -> dict[str, str]:
        # NumPy has its own OpenBLAS.
        counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                  "MKL_NUM_THREADS", "TILEWRIGHT_THREADS")
        return cls.environment | {name: str(threads) for name in counts}


class Tilewright(Library):
    def __init__(self):
        self.runtime = ctypes.CDLL(str(PROGRAMS.parent / "lib/libtilewright-runtime.so"))

    def kernel(self, file: pathlib.Path, entry: str, grid: tuple[int, ...], arguments: list):
        """Launches the entry of a compiled kernel; arrays are passed as addresses."""
        table = ctypes.c_char.in_dll(ctypes.CDLL(str(file)), f"{entry}_kernel")
        slots = [a.ctypes.data if isinstance(a, np.ndarray) else a & (2**64 - 1) for a in arguments]
        parameters = (ctypes.c_uint64 * len(slots))(*slots)
        extents = (ctypes.c_uint32 * 3)(*grid, *(1,) * (3 - len(grid)))
        launch, all_threads = self.runtime.tw_launch, ctypes.c_int(0)
        handles = ctypes.byref(table), extents, parameters, all_threads

        def call():
            if launch(*handles) != 0:
                raise RuntimeError(f"{file.name}: the launch failed")
        return call


# --- BLAS ---------------------------------------------------------------------------------

ROW_MAJOR, AS_IS = ctypes.c_int(101), ctypes.c_int(111)


class Blas(Library):
    """A library with the C interface of BLAS."""

    def load(self, file: str):
        try:
            self.library = ctypes.CDLL(file)
        except OSError as error:
            raise Unsupported(str(error)) from None

    def product(self, function: str, a: np.ndarray, b: np.ndarray, c: np.ndarray):
        """c = a b, with a function that has the parameters of cblas_sgemm, for any types."""
        return self.call(function, *products_arguments(a, b, c, scalar=ctypes.c_float))

    def matrix_times_vector(self, rows: int, columns: int, *arrays):
        """y = w x."""
        size, scalar, (w, x, y) = ctypes.c_int, ctypes.c_float, map(address, arrays)
        return self.call("cblas_sgemv", ROW_MAJOR, AS_IS, size(rows), size(columns), scalar(1), w,
                         size(columns), x, size(1), scalar(0), y, size(1))

    def call(self, function: str, *arguments):
        routine = getattr(self.library, function, None)
        if routine is None:
            raise Unsupported(f"there is no {function}")
        routine.restype = None
        return lambda: routine(*arguments)


def products_arguments(a, b, c, scalar) -> list:
    (m, k), n = a.shape, b.shape[1]
    size = ctypes.c_int
    return [ROW_MAJOR, AS_IS, AS_IS, size(m), size(n), size(k), scalar(1), address(a), size(k),
            address(b), size(n), scalar(0), address(c), size(n)]


class OpenBlas(Blas):
    def __init__(self):
        self.load("libopenblas.so.0")


class Blis(Blas):
    def __init__(self):
        self.load("libblis.so.4")


class Mkl(Blas):
    environment = {"LD_LIBRARY_PATH": str(WHEELS), "MKL_THREADING_LAYER": "INTEL",
                   "MKL_INTERFACE_LAYER": "LP64"}

    def __init__(self):
        self.load(str(WHEELS / "libmkl_rt.so.3"))

    def product_i8(self, a, b, c):
        """One operand must be signed and the other unsigned; values up to 127 are the same in both."""
        (m, k), n = a.shape, b.shape[1]
        size, one, zero, offset = ctypes.c_int, ctypes.c_float(1), ctypes.c_float(0), ctypes.c_int8(0)
        self.offsets = np.zeros(1, np.int32)
        fixed = ctypes.c_int(173)  # CblasFixOffset: the same offset for all of c
        return self.call("cblas_gemm_s8u8s32", ROW_MAJOR, AS_IS, AS_IS, fixed, size(m), size(n),
                         size(k), one, address(a), size(k), offset, address(b), size(n), offset,
                         zero, address(c), size(n), address(self.offsets))


    def transforms(self, x: np.ndarray, y: np.ndarray):
        """Transforms the rows of x."""
        count, size = x.shape
        handle, library = pointer(), self.library
        single, complex_domain, out_of_place = 35, 32, 44
        number, placement, in_distance, out_distance = 7, 11, 14, 15
        wide = ctypes.c_long
        status = library.DftiCreateDescriptor(ctypes.byref(handle), single, complex_domain, wide(1),
                                              wide(size))
        for what, value in ((number, wide(count)), (placement, ctypes.c_int(out_of_place)),
                            (in_distance, wide(size)), (out_distance, wide(size))):
            status = status or library.DftiSetValue(handle, what, value)
        status = status or library.DftiCommitDescriptor(handle)
        if status != 0:
            raise Unsupported(f"DFTI: status {status}")
        compute, given = library.DftiComputeForward, (handle, address(x), address(y))
        return lambda: compute(*given)


# --- Peers that are built here ------------------------------------------------------------

def build(output: str, sources: list[str], flags: list[str]) -> pathlib.Path:
    """Compiles files of bench/peers with g++ into a shared library, unless it is up to date."""
    target = BUILT / output
    files = [ROOT / "bench/peers" / source for source in sources]
    command = ["g++", "-O3", f"-march={MARCH}", "-fopenmp", "-std=c++20", "-shared", "-fPIC",
               *map(str, files), "-o", str(target), *flags]
    stamp = target.with_suffix(".command")
    written = " ".join(command)
    headers = list((ROOT / "bench/peers").glob("*.h"))
    if (target.exists() and stamp.exists() and stamp.read_text() == written
            and all(f.stat().st_mtime < target.stat().st_mtime for f in files + headers)):
        return target
    BUILT.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise Unsupported(f"{output} cannot be built:\n{result.stderr}")
    stamp.write_text(written)
    return target


class BuiltLibrary(Library):
    output: str
    sources: list[str]
    flags: list[str] = []

    @classmethod
    def build(cls) -> pathlib.Path:
        return build(cls.output, cls.sources, cls.flags)

    def __init__(self):
        self.library = ctypes.CDLL(str(self.build()))

    def call(self, function: str, *arguments):
        """Arrays are passed as addresses, integers as int64_t, floats as float."""
        routine = getattr(self.library, function)
        routine.restype = None
        self.keep = arguments
        native = [address(a) if isinstance(a, np.ndarray) else
                  ctypes.c_float(a) if isinstance(a, float) else ctypes.c_int64(a) for a in arguments]
        return lambda: routine(*native)


class Cpp(BuiltLibrary):
    """Code as a good engineer writes it, compiled with the widest vectors. Like most such code it
    allows the compiler to reassociate sums and to assume that there are no NaNs."""
    output = "libcpp.so"
    sources = ["rows.cpp", "softmax.cpp", "layer_norm.cpp", "gemm.cpp", "memory.cpp", "images.cpp",
               "attention.cpp", "inference.cpp", "training.cpp", "order.cpp"]
    flags = ["-ffast-math", "-mprefer-vector-width=512"]


class Cpp256(Cpp):
    """The same, with the vector width that g++ prefers by default."""
    output = "libcpp256.so"
    flags = ["-ffast-math"]


class Limits(BuiltLibrary):
    """The machine's peak rates."""
    output = "liblimits.so"
    sources = ["limits.cpp"]

    def threads(self) -> int:
        return int(os.environ["OMP_NUM_THREADS"])


class ConvertOpenBlas(BuiltLibrary):
    """For formats that BLAS lacks: widens to f32, then calls sgemm. OpenMP threads must not spin after
    their loop, because OpenBLAS's threads need the processors next."""
    environment = {"OMP_WAIT_POLICY": "passive"}
    output = "libconvert.so"
    sources = ["convert.cpp", "attention_blas.cpp"]
    flags = ["-ffast-math", "-lopenblas"]


class OneDnn(BuiltLibrary):
    """Debian's oneDNN."""
    output = "libonednn.so"
    sources = ["onednn.cpp"]
    flags = ["-ldnnl"]

    def primitive(self, function: str, *arguments):
        """`function` creates the primitive to run; it returns null with a reason on failure."""
        make = getattr(self.library, function)
        make.restype = pointer
        self.library.onednn_error.restype = ctypes.c_char_p
        native = [address(a) if isinstance(a, np.ndarray) else
                  a.encode() if isinstance(a, str) else ctypes.c_int64(a) for a in arguments]
        handle = make(*native)
        if not handle:
            raise Unsupported(self.library.onednn_error().decode())
        run, handle = self.library.onednn_run, pointer(handle)
        return lambda: run(handle)


class NewOneDnn(OneDnn):
    """The newest oneDNN from PyPI; it uses TBB, with as many threads as there are processors."""
    environment = {"LD_LIBRARY_PATH": str(WHEELS), "ONEDNN_VERBOSE": "none",
                   "OCL_ICD_FILENAMES": str(WHEELS / "libintelocl.so")}
    output = "libonednn-new.so"
    flags = [f"-I{WHEELS.parent / 'include'}", f"-L{WHEELS}", "-ldnnl",
             f"-Wl,-rpath,{WHEELS}", f"-Wl,-rpath-link,{WHEELS}"]


class NumPy(Library):
    pass


class Fftw(Library):
    """Debian's FFTW; plans are measured, as for transforms that run often."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libfftw3f.so.3")
        except OSError as error:
            raise Unsupported(str(error)) from None

    def transforms(self, x: np.ndarray, y: np.ndarray):
        """Transforms the rows of x, on one thread."""
        count, size = x.shape
        extents, none, flags = (ctypes.c_int * 1)(size), None, ctypes.c_uint(0)  # FFTW_MEASURE
        plan_many = self.library.fftwf_plan_many_dft
        plan_many.restype = pointer
        kept = x.copy()  # measuring overwrites x
        plan = pointer(plan_many(1, extents, count, address(x), none, 1, size, address(y), none, 1,
                                 size, -1, flags))
        x[...] = kept
        execute = self.library.fftwf_execute
        return lambda: execute(plan)


LIBRARIES = {cls.__name__: cls for cls in (Tilewright, OpenBlas, Blis, Mkl, OneDnn, NewOneDnn,
                                           ConvertOpenBlas, Cpp, Cpp256, NumPy, Fftw, Torch, Jax,
                                           Numba, Limits)}
