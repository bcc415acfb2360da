# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refuses Triton kernels, which Tilewright cannot launch because they are compiled for GPUs."""

from __future__ import annotations


def serve(jit) -> None:
    """`jit` is `triton.runtime.jit`. With TRITON_INTERPRET=1, Triton runs the kernels itself and does
    not call this."""

    def run(self, *args, **kwargs):
        raise NotImplementedError(
            f"the @triton.jit kernel {self.__name__} needs a GPU: Tilewright runs this script without one, and "
            "launches cuTile kernels only. Set TRITON_INTERPRET=1 to have Triton interpret its kernels")

    jit.JITFunction.run = run
