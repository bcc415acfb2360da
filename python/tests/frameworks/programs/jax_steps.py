# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats a kernel and a sum over all processes, with `jax.distributed`."""

import os

os.environ["JAX_NUM_CPU_DEVICES"] = "1"

import jax
import numpy as np
import tilewright.jax
from common import BLOCKS, EXTENT, arguments, double, write
from jax.sharding import NamedSharding, PartitionSpec as P

port, count, number, folder, steps = arguments()
jax.config.update("jax_enable_x64", True)
jax.distributed.initialize(f"localhost:{port}", count, number, heartbeat_timeout_seconds=10,
                           shutdown_timeout_seconds=10)
mesh = jax.make_mesh((count,), ("i",))


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=P("i"), out_specs=P("i"))
def step(x):
    y = tilewright.jax.call(double, BLOCKS, x, out=jax.ShapeDtypeStruct(x.shape, x.dtype))
    return y - x - jax.lax.psum(jax.numpy.ones_like(x), "i")


all_parts = np.arange(count * EXTENT, dtype=np.float64)
x = jax.make_array_from_callback(all_parts.shape, NamedSharding(mesh, P("i")),
                                 lambda index: all_parts[index])
for i in range(steps):
    x = step(x)
    [shard] = x.addressable_shards
    write(folder, i, number, shard.data)
