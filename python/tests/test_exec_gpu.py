# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tilewright exec --device=gpu`: unmodified cuTile scripts on the driver library of test/support/cuda, whose GPU is
the PTX machine. It takes PTX text, so most tests hide ptxas."""

import os
import pathlib
import subprocess
import sys

import pytest
import tilewright
from tilewright import _files

STAND_IN = pathlib.Path(tilewright.__file__).parents[2] / "test" / "gpu"

SCRIPT = """
import ctypes
import os
import cuda.tile as ct
import numpy as np

driver = ctypes.CDLL("libcuda.so.1")
assert hasattr(driver, "testUnloadedModules") and not driver.cuInit(0)
context = ctypes.c_void_p()
assert not driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) and not driver.cuCtxSetCurrent(context)

class OnGpu:
    def __init__(self, values):
        self.values, self.address = np.ascontiguousarray(values), ctypes.c_uint64()
        size = ctypes.c_size_t(self.values.nbytes)
        assert not driver.cuMemAlloc_v2(ctypes.byref(self.address), size)
        assert not driver.cuMemcpyHtoD_v2(self.address, ctypes.c_void_p(self.values.ctypes.data), size)

    @property
    def __cuda_array_interface__(self):
        return {"version": 3, "stream": None, "shape": self.values.shape, "typestr": self.values.dtype.str,
                "strides": None, "data": (self.address.value, False)}

    def read(self):
        assert not driver.cuMemcpyDtoH_v2(ctypes.c_void_p(self.values.ctypes.data), self.address,
                                          ctypes.c_size_t(self.values.nbytes))
        return self.values

@ct.kernel
def scaled(x, y, z, n: int, is_odd: bool, f: float, t: ct.Constant[int]):
    i = ct.bid(0)
    if is_odd:
        f = f + 1
    ct.store(z, (i,), ct.load(x, (i,), (t,)) + ct.load(y, (i,), (t,)) * n + f)

@ct.kernel
def product(a, b, c):
    sums = ct.full((32, 32), 0, ct.float32)
    for k in range(ct.num_tiles(a, 1, (32, 16))):
        sums = ct.mma(ct.load(a, (ct.bid(0), k), (32, 16)), ct.load(b, (k, ct.bid(1)), (16, 32)), sums)
    ct.store(c, (ct.bid(0), ct.bid(1)), sums)

x, y, z = OnGpu(np.arange(60, dtype=np.float32)), OnGpu(np.full(60, 0.5, np.float32)), OnGpu(np.zeros(60, np.float32))
ct.launch(0, (4,), scaled, (x, y, z, 3, True, 0.25, 16))
print((z.read() == np.arange(60) + 2.75).all())
whole = np.random.default_rng(5).integers(-4, 5, (2, 64, 64))
a, b, c = OnGpu(whole[0].astype(np.float16)), OnGpu(whole[1].astype(np.float16)), OnGpu(np.zeros((64, 64), np.float32))
ct.launch(0, (2, 2), product, (a, b, c))
print((c.read() == whole[0] @ whole[1]).all())
"""

EXPORT = """
import io
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

@ct.kernel
def double(x):
    ct.store(x, (0,), ct.load(x, (0,), (16,)) * 2)

x = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                    may_alias_internally=False)
signature = KernelSignature((x,), CallingConvention.cutile_python_v1(), symbol="double")
code = io.BytesIO()
export_kernel(double, [signature], code, gpu_code="sm_90", output_format="cubin")
print(code.getvalue()[:8])
"""

FAKE_PTXAS = """#!/bin/sh
if [ "$1" = --version ]; then echo fake; exit; fi
for last in "$@"; do
  if [ "$before" = -o ]; then echo FAKE $@ > $last; fi
  before=$last
done
"""


class Gpu:
    """An environment with the GPU, and without ptxas. Runs scripts there."""

    def __init__(self, monkeypatch, folder):
        self.setenv, self.script = monkeypatch.setenv, folder / "script.py"
        self.setenv("LD_LIBRARY_PATH", str(STAND_IN))
        self.setenv("TEST_GPU_BLOCK", "any")  # a launch may request one thread per block, as on an H200
        self.setenv("PATH", "/usr/bin:/bin")
        self.setenv("CUDA_HOME", str(folder))
        self.setenv("CUDA_TILE_CACHE_DIR", str(folder / "cache"))
        monkeypatch.delenv("TILEWRIGHT_DEVICE", raising=False)

    def start(self, script="print('started')", options=("--device=gpu",)):
        self.script.write_text(script)
        return subprocess.run([sys.executable, "-m", "tilewright", *options, str(self.script)],
                              capture_output=True, text=True)

    def run(self, script, options=("--device=gpu",)):
        """The lines that the script prints."""
        ended = self.start(script, options)
        assert (ended.stderr, ended.returncode) == ("", 0)
        return ended.stdout.splitlines()


@pytest.fixture
def gpu(tmp_path, monkeypatch):
    if not (STAND_IN / "libcuda.so.1").exists():
        pytest.skip("the build has no test/gpu")
    return Gpu(monkeypatch, tmp_path)


def make_program(path, text=FAKE_PTXAS):
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.mark.parametrize("capability", [80, 120])
def test_a_script_runs_as_it_is(gpu, capability):
    pytest.importorskip("cuda.tile")
    gpu.setenv("TEST_GPU", str(capability))
    assert gpu.run(SCRIPT) == ["True", "True"]


def test_the_variable_selects_the_gpu(gpu):
    pytest.importorskip("cuda.tile")
    gpu.setenv("TILEWRIGHT_DEVICE", "gpu")
    assert gpu.run(SCRIPT, options=[]) == ["True", "True"]


def test_code_is_cached_per_device_and_assembler(gpu, tmp_path):
    pytest.importorskip("cuda.tile")
    make_program(tmp_path / "tools" / "ptxas")

    def exported(device, path="/usr/bin:/bin"):
        gpu.setenv("PATH", path)
        return gpu.run(EXPORT, [f"--device={device}"])[0]
    for _ in range(2):
        assert exported("cpu") == repr(b"\x7fTilewr\n")
        assert exported("gpu") == repr(b"//\n// Ge")  # PTX
        assert exported("gpu", f"{tmp_path}/tools:/usr/bin:/bin") == repr(b"FAKE -ar")


def test_the_assembler_of_an_installed_package_is_found(gpu, tmp_path):
    pytest.importorskip("cuda.tile")
    make_program(tmp_path / "site/nvidia/cu13/bin/ptxas")
    gpu.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]))
    assert gpu.run(EXPORT) == [repr(b"FAKE -ar")]
    make_program(tmp_path / "bin" / "ptxas", FAKE_PTXAS.replace("FAKE", "HOME"))  # $CUDA_HOME comes first
    assert gpu.run(EXPORT) == [repr(b"HOME -ar")]


def test_the_installed_compiler_is_not_used(gpu, tmp_path):
    pytest.importorskip("cuda.tile")
    make_program(tmp_path / "site/nvidia/cu13/bin/tileiras", "#!/bin/sh\nexit 1\n")
    for name in ("nvidia-cuda-tileiras", "nvidia-cuda-nvcc", "nvidia-nvvm"):
        folder = tmp_path / f"site/{name.replace('-', '_')}-13.4.1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 13.4.1\n")
    gpu.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]))
    assert gpu.run(EXPORT) == [repr(b"//\n// Ge")]


def test_all_but_the_compiler_is_that_of_the_system(gpu):
    ours = _files.find("libexec/tilewright/cuda")
    found = dict(line.split("=", 1) for line in gpu.run("""
import importlib.util, os, shutil
print("libraries=" + os.environ["LD_LIBRARY_PATH"])
print("compiler=" + shutil.which("tileiras"))
print("management=" + str(shutil.which("nvidia-smi")))
print("cupy=" + str(importlib.util.find_spec("cupy")))
"""))
    assert found["libraries"] == str(STAND_IN) and found["compiler"] == str(ours / "bin" / "tileiras")
    assert str(ours) not in found["management"] and "_tilewright" not in found["cupy"]
    with_cpu = dict(line.split("=", 1) for line in gpu.run(
        "import shutil; print('management=' + shutil.which('nvidia-smi'))", ["--device=cpu"]))
    assert with_cpu["management"] == str(ours / "management" / "nvidia-smi")


def test_without_a_gpu_the_script_does_not_start(gpu, tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    ours = _files.find("libexec/tilewright/cuda/lib")
    for folder, capability, message in (
            (tmp_path, "90", "there is no driver of an NVIDIA GPU: "),
            (ours, "90", "libcuda.so.1 is Tilewright's, which has no GPU: remove it from LD_LIBRARY_PATH\n"),
            (STAND_IN, "0", "there is no NVIDIA GPU: CUDA_ERROR_NO_DEVICE\n")):
        gpu.setenv("LD_LIBRARY_PATH", str(folder))
        gpu.setenv("TEST_GPU", capability)
        for by_option in (True, False):
            gpu.setenv("TILEWRIGHT_DEVICE", "cpu" if by_option else "gpu")
            ended = gpu.start(options=["--device=gpu"] if by_option else [])
            assert (ended.stdout, ended.returncode, ended.stderr.count("\n")) == ("", 2, 1), ended.stderr
            chosen_by = "--device=gpu" if by_option else "TILEWRIGHT_DEVICE=gpu"
            assert f"python -m tilewright: {chosen_by}: {message}" in ended.stderr


@pytest.mark.parametrize("option", ["--check=all", "--max-steps=5", "--threads=2", "--memory=1G", "--arrays=none",
                                    "--report=json=x", "--coverage=x"])
def test_options_of_other_devices_are_refused(gpu, option):
    ended = gpu.start(options=["--device=gpu", option])
    assert (ended.stdout, ended.returncode) == ("", 2)
    assert option.split("=")[0] in ended.stderr and "--device" in ended.stderr


def test_a_suite_is_told_to_start_otherwise(gpu, tmp_path):
    gpu.setenv("TILEWRIGHT_DEVICE", "gpu")
    ended = subprocess.run([sys.executable, "-m", "pytest", "-p", "tilewright.cutile", str(tmp_path)],
                           capture_output=True, text=True)
    assert ended.returncode == 4 and "needs `tilewright exec --device=gpu pytest`" in ended.stderr
