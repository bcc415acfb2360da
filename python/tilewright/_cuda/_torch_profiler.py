# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch profilers. Work on "cuda" runs on the CPU and is profiled there; there is no device to get
times from, and no NVIDIA tool that listens to ranges."""

from __future__ import annotations

import functools
import os
import types

import torch
from torch.autograd import profiler as autograd_profiler
from torch.profiler import ProfilerActivity, profiler

_SUCCESS = 0
"""cudaSuccess."""
_NO_MESSAGES = "5"
"""A level above errors."""


def serve() -> None:
    # Otherwise PyTorch's GPU builds print at each profile that they found no GPU.
    os.environ.setdefault("KINETO_LOG_LEVEL", _NO_MESSAGES)
    profiler._KinetoProfile.__init__ = _with_activities_of_the_cpu(profiler._KinetoProfile.__init__)
    autograd_profiler.profile.__init__ = _without_device(autograd_profiler.profile.__init__)
    autograd_profiler.emit_nvtx.__init__ = _switched_off(autograd_profiler.emit_nvtx.__init__)
    torch.cuda.profiler.start = torch.cuda.profiler.stop = lambda: None
    torch.cuda.profiler.init = lambda *args, **kwargs: None
    torch.cuda.cudart = _cudart
    torch.cuda.nvtx._nvtx = _Nvtx()


def _cudart():
    """The functions that start and stop profiling in scripts."""
    return types.SimpleNamespace(cudaProfilerStart=lambda: _SUCCESS, cudaProfilerStop=lambda: _SUCCESS)


class _Nvtx:
    """Ignores ranges and marks: no tool receives them. PyTorch's CPU builds would raise an error."""

    def __getattr__(self, name):
        return lambda *args: 0


def _with_activities_of_the_cpu(begin):
    @functools.wraps(begin)
    def begin_on_cpu(self, *, activities=None, **kwargs):
        wanted = set(activities or [ProfilerActivity.CPU]) - {ProfilerActivity.CUDA}
        begin(self, activities=wanted or {ProfilerActivity.CPU}, **kwargs)

    return begin_on_cpu


def _without_device(begin):
    @functools.wraps(begin)
    def begin_without_device(self, *args, use_device=None, use_cuda=False, **kwargs):
        begin(self, *args, use_device=None if use_device == "cuda" else use_device, **kwargs)

    return begin_without_device


def _switched_off(begin):
    @functools.wraps(begin)
    def begin_switched_off(self, enabled=True, *args, **kwargs):
        begin(self, False, *args, **kwargs)

    return begin_switched_off
