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

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "gpu"))

import attention_probe  # noqa: E402
import probe_code  # noqa: E402
import probes  # noqa: E402
import product_code  # noqa: E402
import product_probes  # noqa: E402
import small_code  # noqa: E402
import small_probes  # noqa: E402
import work  # noqa: E402
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
    if shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin"):
        # The PTX machine does not accept cubins.
        word, seen = ask("T5", TEST_GPU="80")
        assert (word, seen.split(":")[0]) == ("no", "cuModuleLoadDataEx"), seen
        word, seen = ask("T9")
        assert (word, seen.split(":")[0]) == ("no", "cuModuleLoadDataEx"), seen
    assert ask("T9", TEST_GPU="80") == ("not asked", "it is about sm_90")


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


PRODUCTS = (product_probes.WIDE, product_code.Form(128, 128, 3, ctas=2, in_flight=1, makes_maps=True, elects=False,
                                                      no_allocate=True),
            product_code.Form(128, 128, 3, map_stores=True), product_code.Form(128, 256, 4, map_stores=True, in_flight=1),
            product_code.Form(64, 128, 4, thread_copies=True), product_code.Form(128, 256, 2, thread_copies=True))


def test_products():
    for name in ("T10", "T12", "T13", "T14", "T16", "T18", "T22"):
        assert ask(name, TEST_GPU="80") == ("not asked", "wgmma needs sm_90a")
    found = product_probes.table(Gpu(), 64, PRODUCTS)
    assert found.word == "yes", found
    shapes, (first, second, *others) = found.seen.removeprefix("TFLOP/s for ").split(": ", 1)[0], found.seen.split("; ")
    assert shapes == "64x64x64 and 64x64x64" and "128x256/4: " in first, found
    assert second.startswith("128x128/3, 2 CTAs, 1 in flight, own maps, no_allocate, thread 0: "), found
    assert [other.split(":")[0] for other in others] == [
        "128x128/3, stores by map", "128x256/4, 1 in flight, stores by map", "64x128/4, cp.async", "128x256/2, cp.async"], found
    found = product_probes.producer_warp(Gpu(), 64)
    assert found == probes.Answer("yes", "288 threads, .maxnreg 224: 0 elements are wrong, an unknown number of CTAs on an SM; "
                                  "160 threads, .maxnreg 200: 0 elements are wrong, an unknown number of CTAs on an SM"), found


def test_attention():
    assert ask("T15", TEST_GPU="80") == ("not asked", "wgmma needs sm_90a")
    found = attention_probe.delayed_products(Gpu(), 128, tilewright=pathlib.Path("nowhere"))
    assert found == probes.Answer("not asked", "the compiler is not built"), found
    shape = "--columns 64 --keys 64 --causal"
    found = attention_probe.delayed_products(Gpu(), 128, (shape,), pathlib.Path(sys.argv[1]))
    parts = found.seen.removeprefix("TFLOP/s for 128 positions, f16; columns 64 keys 64 causal: ").split(", ")
    assert [part.rsplit(" ", 1)[0] for part in parts[:3]] == ["delayed", "at its place", "with fewer warps"], found
    assert parts[3].startswith("PyTorch "), found
    with unittest.mock.patch.object(work.Kernel, "attended", lambda self, q, k, v, n: (np.ones(q.shape), 0)):
        found = attention_probe.delayed_products(Gpu(), 128, (shape,), pathlib.Path(sys.argv[1]))
    assert found.word == "no" and "elements are wrong" in found.seen, found


def test_clock():
    found = product_probes.clock(Gpu(), 64)
    assert found.word == "yes" and found.seen.startswith("highest 1000 MHz; integers: 1000 MHz, "), found


def test_wrong_products():
    """A map whose rows are too narrow, and a product that leaves out the last instruction of a stage."""
    def narrow(form):
        return product_code.code(form).replace(b"global_dim.shared::cta.b1024.b32 [ring+" + str(form.maps).encode() + b"], 0, %r3",
                                               b"global_dim.shared::cta.b1024.b32 [ring+" + str(form.maps).encode() + b"], 0, 64")

    found = product_probes.own_maps(Gpu(), 64, narrow)
    assert found.word == "no" and not found.seen.startswith("0 elements"), found

    def short(form):
        lines = product_code.code(form).splitlines()
        lines.pop(max(number for number, line in enumerate(lines) if b"wgmma.mma_async" in line))
        return b"\n".join(lines)

    found = product_probes.table(Gpu(), 64, PRODUCTS[:1], short)
    assert found.word == "no" and "elements are wrong" in found.seen, found


def test_clusters():
    assert ask("T11", TEST_GPU_BLOCK="any") == ("yes", "12 of 12 CTAs received both parts")
    assert ask("T11")[0] == "no"
    assert ask("T11", TEST_GPU="80") == ("not asked", "clusters need sm_90")


def test_sums_of_f8():
    """Sums of the PTX machine keep 14 bits, also those of the first 128 products."""
    word, seen = ask("T17")
    assert word == "no" and seen == "largest errors, relative to the largest sum: 2^-8.0 and 2^-12.9", seen


def test_ctas():
    found = small_probes.order(Gpu(), 16)
    assert found.word == "yes" and found.seen.startswith("16 of 16 CTAs start in their place"), found
    found = small_probes.empty_ctas(Gpu(), 4)
    assert found.word == "yes" and found.seen.startswith("each of 4 CTAs of 288 threads: 16 bytes"), found


def test_code_is_assembled():
    """Assembles the texts with ptxas, if available: that the PTX machine accepts them proves little. There is no note that
    wgmma is serialised, and nothing is spilled."""
    assembler = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    cluster = probe_code.numbers(probe_code.CLUSTER, "9.0", "sm_90")
    forms = [probe_code.Product(form).code() for form in (probe_code.ALONG_K, probe_code.ALONG_N)]
    texts = [probe_code.numbers(), cluster, probe_code.maps(), *forms,
             probe_code.last_word(probe_code.MUCH_SHARED, "8.0", "sm_90a"), small_code.multicast(), small_code.f8_sums(False),
             small_code.f8_sums(True), small_code.empty(small_probes.LARGE), small_code.order(),
             *map(product_code.code, {*PRODUCTS, product_probes.TALL, product_probes.SQUARE,
                                        product_code.Form(128, 256, 4, measures_clock=True)})]
    for text in texts if assembler else []:
        target = text.split(b".target ")[1].split()[0].decode()
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.ptx")
            source.write_bytes(text)
            said = subprocess.run([assembler, f"-arch={target}", "-v", source, "-o", "/dev/null"], check=True,
                                  capture_output=True, text=True).stderr
            assert "0 bytes spill stores" in said and "C75" not in said, said


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
