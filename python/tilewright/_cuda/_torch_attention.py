# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention backends. Scripts choose among GPU backends (`torch.nn.attention.sdpa_kernel`), two of
which PyTorch also has on the CPU. The choice is recorded but has no effect: attention is always
computed exactly, by PyTorch's default CPU kernel (_torch_exact.py).
"""

from __future__ import annotations

import torch

# Setters and getters of torch._C for each backend.
_SWITCHES = {"_set_sdp_use_flash": "_get_flash_sdp_enabled",
             "_set_sdp_use_mem_efficient": "_get_mem_efficient_sdp_enabled",
             "_set_sdp_use_math": "_get_math_sdp_enabled",
             "_set_sdp_use_cudnn": "_get_cudnn_sdp_enabled"}


def serve() -> None:
    for setter, getter in _SWITCHES.items():
        _remember(setter, getter)


def _remember(setter: str, getter: str) -> None:
    chosen = getattr(torch._C, getter)()
    getattr(torch._C, setter)(True)

    def choose(enabled: bool) -> None:
        nonlocal chosen
        if not isinstance(enabled, bool):
            raise TypeError(f"{setter} expects a bool, but got {type(enabled).__name__}")
        chosen = enabled

    setattr(torch._C, setter, choose)
    setattr(torch._C, getter, lambda: chosen)
