# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.func`: vmap, grad and the transforms built on them.

They wrap tensors, and the transformed function sees the wrappers. Modes do not see wrapping and
unwrapping, so this module copies the device mark there.
"""

from __future__ import annotations

import functools

from torch._functorch import eager_transforms, vmap

from ._torch_mode import marked, on_cuda


def serve() -> None:
    for module, names in ((vmap, ("_add_batch_dim", "_remove_batch_dim")),
                          (eager_transforms, ("_wrap_for_grad", "_unwrap_for_grad"))):
        for name in names:
            setattr(module, name, _leaving_the_mark(getattr(module, name)))


def _leaving_the_mark(convert):
    @functools.wraps(convert)
    def convert_marked(tensor, *args):
        return marked(convert(tensor, *args), tensor, on_cuda(tensor))

    return convert_marked
