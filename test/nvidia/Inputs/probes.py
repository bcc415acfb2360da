# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the probes of test/gpu/probes.py distinguish GPUs.

The driver in test/support/cuda simulates them: environment variables determine its answers. The results of
kernels cannot be chosen like this; instead, kernels with a mistake must give a no.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "gpu"))

import probe_code  # noqa: E402
import probes  # noqa: E402
from driver import Gpu  # noqa: E402


def ask(name: str, **environment: str) -> tuple[str, str]:
    with unittest.mock.patch.dict(os.environ, environment):
        return dataclasses.astuple(probes.ask_apart(name))


def test_launches():
    refused = "cuLaunchKernel: error 1"
    ran = "256 of 256 threads ran"
    assert ask("T1") == ("no", refused), ask("T1")
    assert ask("T1", TEST_GPU_BLOCK="any") == ("yes", ran)
    assert ask("T1-graph") == ("no", refused.replace("cuLaunchKernel", "cuGraphLaunch"))
    assert ask("T1-graph", TEST_GPU_BLOCK="any") == ("yes", ran)
    # The PTX machine does not support the directive.
    assert ask("T1-cluster")[0] == "no"
    assert ask("T1-cluster", TEST_GPU="80") == ("not asked", "clusters need sm_90")
    assert ask("T3") == ("yes", ran)
    assert ask("T3", TEST_GPU_LIBRARY="cubin") == ("no", "cuLibraryLoadData: error 1")


def test_shared_memory():
    assert ask("T2") == ("yes", "byte 65532 held 0x600df00d")
    word, seen = ask("T2", TEST_GPU_STATIC="49152")
    assert (word, seen.split(":")[0]) == ("no", "cuModuleGetFunction"), seen
    assert ask("T2", TEST_GPU="89")[0] == "not asked"
    assert ask("T5")[0] == "not asked"
    assert ask("T9", TEST_GPU="80")[0] == "not asked"
    if shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin"):
        # The PTX machine does not accept cubins.
        for name, gpu in (("T5", "80"), ("T9", "90")):
            word, seen = ask(name, TEST_GPU=gpu)
            assert (word, seen.split(":")[0]) == ("no", "cuModuleLoadDataEx"), seen


def test_tensor_maps():
    word, seen = ask("T4")
    assert word == "yes" and seen.startswith("the boxes are right; "), seen
    assert ask("T4", TEST_GPU="80") == ("not asked", "the kernel is for sm_90a")
    shifted = probe_code.FIELDS.replace("[map], %rd0", "[map], %rd1")
    found = probes.maps_in_a_pool(Gpu(), probe_code.maps(shifted))
    assert found.word == "no" and found.seen.startswith("the boxes are wrong; "), found


def test_descriptors():
    for name in ("T6-k", "T6-n"):
        assert ask(name) == ("yes", "0 of 8192 elements differ from the plain product")
        assert ask(name, TEST_GPU="120") == ("not asked", "wgmma needs sm_90a")
    near = dataclasses.replace(probe_code.ALONG_N, leading=4096)
    found = probes.product_by_descriptors(Gpu(), near)
    assert found.word == "no" and not found.seen.startswith("0 of"), found


def test_code_is_assembled():
    """Assembles the texts with ptxas, if available: that the PTX machine accepts them proves little."""
    assembler = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    cluster = probe_code.numbers(probe_code.CLUSTER, "9.0", "sm_90")
    forms = [probe_code.Product(form).code() for form in (probe_code.ALONG_K, probe_code.ALONG_N)]
    texts = [probe_code.numbers(), cluster, probe_code.maps(), *forms,
             probe_code.last_word(probe_code.MUCH_SHARED, "8.0", "sm_90a")]
    for text in texts if assembler else []:
        target = text.split(b".target ")[1].split()[0].decode()
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.ptx")
            source.write_bytes(text)
            subprocess.run([assembler, f"-arch={target}", source, "-o", "/dev/null"], check=True)


def test_probes_end():
    """A probe that takes too long, or whose process fails, gets a row in the result."""
    with unittest.mock.patch.object(probes, "LIMIT", 0.01):
        assert ask("T1") == ("no", "it had not ended after 0.01 s")
    word, seen = ask("T1", TEST_GPU="0")
    assert word == "failed" and seen.endswith("there is no NVIDIA GPU"), seen


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
