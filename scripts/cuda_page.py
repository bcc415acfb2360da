#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/cuda-functions.md: the PyTorch and CuPy functions that work on "cuda" arrays in host memory,
their precision, and the functions that are refused. The page is generated from the tables that the package
itself uses (python/tilewright/_cuda). `scripts/cuda_page.py > docs/cuda-functions.md` updates it.
"""

import pathlib
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python/tilewright"))

from _cuda import _cupy_calls, _torch_cuda, _torch_rules  # noqa: E402  (these do not import PyTorch)

INTRODUCTION = """# Functions of PyTorch and CuPy on "cuda" in host memory

[`tilewright exec`](python.md#scripts-that-call-ctlaunch) keeps tensors on `"cuda"` in host memory, where
PyTorch's functions for the CPU compute on them. Those are less exact than on a GPU: for instance, they save the
statistics of a bf16 layer norm in bf16. So operators compute in a wider type and round once, forward and backward, in
place and with `out=`. This page lists them (`scripts/cuda_page.py` makes it from the tables in
`python/tilewright/_cuda`). Tensors on the CPU are computed as PyTorch does.

The operators are those of `torch.ops.aten`, of which PyTorch's other functions are made. Operators on lists
(`_foreach_exp`) follow those on tensors (`exp`). An operator that is not listed, because PyTorch is newer than this
page, computes 16-bit floats in f32.
"""

ATTENTION = """## Backends of attention

`torch.nn.attention.sdpa_kernel` and `torch.backends.cuda.enable_flash_sdp` and so on accept every backend of a GPU.
`scaled_dot_product_attention` is computed by the same operators whichever is chosen.
"""


CUPY = """## CuPy

`cupy` is NumPy with arrays in host memory. The public functions of CuPy 14.2.0 in `cupy`, `cupy.random`, `cupy.linalg`
and `cupy.fft`, and the methods of its arrays and random generators, are served with CuPy's parameters, apart from
these, which raise `AttributeError` with their name:
"""


def cuda_names() -> str:
    served = sorted(name for name in (*_torch_cuda.__all__, *_torch_cuda.GRAPHS) if not name.startswith("_"))
    refused = sorted(_torch_cuda._REFUSED)
    return f"""## `torch.cuda`

There is one device. Beside seeds and random states, these are served:

{listed(served)}

These raise `NotImplementedError` with their name:

{listed(refused)}
"""


def listed(names) -> str:
    return wrapped(" ".join(f"`{name}`" for name in names))


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def page() -> str:
    parts = [INTRODUCTION]
    for rule in _torch_rules.RULES:
        parts.append(f"## {rule.title}\n\n{wrapped(rule.meaning)}\n\n{listed(sorted(rule.operators))}\n")
    return "\n".join([*parts, ATTENTION, cuda_names(), CUPY, listed(sorted(_cupy_calls.REFUSED)) + "\n"])


if __name__ == "__main__":
    sys.stdout.write(page())
