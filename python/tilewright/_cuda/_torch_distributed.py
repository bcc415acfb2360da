# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `torch.distributed` with gloo where a script asks for the GPU backend "nccl". This works for a
single process: several would need a device each, and there is only one."""

from __future__ import annotations

import functools
import inspect
import os


def serve(module) -> None:
    """`module` is `torch.distributed.distributed_c10d`."""
    for name in ("init_process_group", "new_group"):
        setattr(module, name, _with_gloo(module, getattr(module, name)))


def _with_gloo(module, begin):
    @functools.wraps(begin)
    def begin_with_gloo(*args, **kwargs):
        given = inspect.signature(begin).bind_partial(*args, **kwargs)
        if not _wants_nccl(begin.__name__, given.arguments.get("backend")):
            return begin(*args, **kwargs)
        _expect_one(given.arguments.get("world_size", -1) if begin.__name__ == "init_process_group"
                    else module.get_world_size())
        # These options are for NCCL only.
        given.arguments.update(backend="gloo", pg_options=None, device_id=None)
        group = begin(*given.args, **given.kwargs)
        size = module.get_world_size()
        if size > 1:  # known only now, from the store
            module.destroy_process_group()
            _expect_one(size)
        return group

    return begin_with_gloo


def _wants_nccl(name: str, backend) -> bool:
    """Whether a backend is `nccl`, or a list such as `cpu:gloo,cuda:nccl`. The latter is the default of
    a new process group."""
    if backend is None:
        return name == "init_process_group"
    return "nccl" in str(backend).lower().replace(":", ",").split(",")


def _expect_one(size: int) -> None:
    if size < 0:
        size = int(os.environ.get("WORLD_SIZE", 1))
    if size > 1:
        raise NotImplementedError(
            f"torch.distributed with the backend nccl and {size} ranks needs a GPU for each of them: Tilewright "
            "runs this script without one, and has one device. Use the backend gloo, or one rank")
