# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates a processor without AVX-512. On a processor with AVX-512, our kernels and the peers built here are
compiled for x86-64-v3 (AVX2 and FMA), and each library is configured to use no more. FFTW has no such option.
A real processor without AVX-512 has other caches and clocks, so the results show how good the code for AVX2
is, not how fast such a machine is."""

import os

# The variables of each library: OpenBLAS (NumPy has its own), BLIS (3 is Haswell), oneDNN, MKL, PyTorch, NumPy's
# loops, JAX, Numba.
ENVIRONMENT = {
    "BENCH_MARCH": "x86-64-v3", "OPENBLAS_CORETYPE": "Haswell", "BLIS_ARCH_TYPE": "3",
    "ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "XLA_FLAGS": "--xla_cpu_max_isa=AVX2 --xla_cpu_experimental_ynn_fusion_type=",
    "NUMBA_CPU_NAME": "haswell"}
OPTIONS = ["--target", "cpu=x86-64-v3"]


def restrict() -> None:
    """To be called before importing anything that reads these variables."""
    os.environ.update(ENVIRONMENT)
