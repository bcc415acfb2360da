# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats a kernel and a sum over all processes, with `torch.distributed` and gloo."""

import datetime

import tilewright.torch
import torch
import torch.distributed
from common import BLOCKS, EXTENT, arguments, double, write


def like(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


doubled = tilewright.torch.custom_op("tilewright_tests::doubled", double, grid=BLOCKS, out=like)

port, count, number, folder, steps = arguments()
torch.distributed.init_process_group("gloo", f"tcp://localhost:{port}", world_size=count, rank=number,
                                     timeout=datetime.timedelta(seconds=60))
x = torch.arange(number * EXTENT, (number + 1) * EXTENT, dtype=torch.float64)
for i in range(steps):
    ones = torch.ones_like(x)
    torch.distributed.all_reduce(ones)
    x = doubled(x) - x - ones
    write(folder, i, number, x)
torch.distributed.destroy_process_group()
