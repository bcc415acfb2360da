// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the PTX tests as libraries write them for sm_90a: rings that the CTAs of a cluster fill
// for each other, one elected thread that loads, a whole warp that begins each store, and tensor maps
// that the kernel changes.

#include <cooperative_groups.h>

#include <cstdint>

namespace cg = cooperative_groups;

//===-- PTX that CUDA C++ has no words for --------------------------------------------------===//

__device__ uint32_t sharedAddress(const void *p) { return uint32_t(__cvta_generic_to_shared(p)); }

__device__ bool isElected() {
  uint32_t elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.b32 %0, 1, 0, p;\n}" : "=r"(elected));
  return elected;
}
__device__ void initBarrier(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(bar)), "r"(count));
}
__device__ void fenceInit() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void expectBytes(uint64_t *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(bar)), "r"(bytes)
               : "memory");
}
__device__ void arriveAt(uint64_t *bar, int rank) {
  asm volatile("{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n}" ::"r"(sharedAddress(bar)),
               "r"(rank)
               : "memory");
}
__device__ void waitFor(uint64_t *bar, int parity) {
  asm volatile("{\n.reg .pred done;\nagain:\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}" ::"r"(sharedAddress(bar)),
               "r"(parity)
               : "memory");
}
__device__ void commitBulk() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void waitBulk() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void waitBulkRead() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void syncConsumers() { asm volatile("bar.sync 1, 128;" ::: "memory"); }

struct alignas(64) TensorMap {
  char bytes[128];
};

__device__ void loadTensor(void *to, const TensorMap *map, int x, int y, uint64_t *bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(sharedAddress(to)),
               "l"(map), "r"(x), "r"(y), "r"(sharedAddress(bar))
               : "memory");
}
__device__ void loadTensorAll(void *to, const TensorMap &map, int x, int y, uint64_t *bar, uint16_t mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(sharedAddress(to)),
               "l"(&map), "r"(x), "r"(y), "r"(sharedAddress(bar)), "h"(mask)
               : "memory");
}
__device__ void storeTensor(const TensorMap &map, int x, int y, const void *from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
               "r"(x), "r"(y), "r"(sharedAddress(from))
               : "memory");
}

//===-- A ring of two CTAs ------------------------------------------------------------------===//

// Tiles of 16 x 32 floats come through a ring of 2 that both CTAs of a cluster fill: each loads 8 rows
// of a tile for both. The first stores twice the tile, the second the tile plus 1, next to each other.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(160, 1)
    cluster_ring(const __grid_constant__ TensorMap in, const __grid_constant__ TensorMap out, int tiles) {
  __shared__ alignas(128) float ring[2][16][32];
  __shared__ alignas(128) float staged[16][32];
  __shared__ alignas(8) uint64_t full[2], empty[2];
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank(), t = threadIdx.x, warp = t / 32, lane = t % 32;
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      initBarrier(&full[i], 1);
      initBarrier(&empty[i], 8); // warps of both CTAs
    }
    fenceInit();
  }
  cluster.sync();
  if (warp == 4) {
    if (isElected())
      for (int tile = 0; tile < tiles; ++tile) {
        int slot = tile % 2, turn = tile / 2;
        waitFor(&empty[slot], (turn & 1) ^ 1);
        expectBytes(&full[slot], 2048);
        loadTensorAll(ring[slot][rank * 8], in, 0, tile * 16 + rank * 8, &full[slot], 3);
      }
    __syncwarp();
  } else {
    for (int tile = 0; tile < tiles; ++tile) {
      int slot = tile % 2, turn = tile / 2;
      waitFor(&full[slot], turn & 1);
      float mine[4];
      for (int i = 0; i < 4; ++i)
        mine[i] = ring[slot][warp * 4 + i][lane];
      __syncwarp();
      if (lane < 2)
        arriveAt(&empty[slot], lane);
      if (warp == 0)
        waitBulkRead();
      syncConsumers();
      for (int i = 0; i < 4; ++i)
        staged[warp * 4 + i][lane] = rank ? mine[i] + 1 : mine[i] * 2;
      fenceAsync();
      syncConsumers();
      if (warp == 0) { // all of its threads
        storeTensor(out, 0, (tile * 2 + rank) * 16, staged);
        commitBulk();
      }
    }
    if (warp == 0)
      waitBulk();
  }
  cluster.sync();
}

//===-- Tensor maps that change -------------------------------------------------------------===//

__device__ void replaceAddress(TensorMap *map, const void *address) {
  asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(sharedAddress(map)),
               "l"(address)
               : "memory");
}
__device__ void replaceRows(TensorMap *map, int rows) {
  asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(sharedAddress(map)),
               "r"(rows)
               : "memory");
}
__device__ void publish(TensorMap *to, const TensorMap *from) {
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
               "[%0], [%1], 128;" ::"l"(to),
               "r"(sharedAddress(from))
               : "memory");
}
__device__ void acquireMap(const TensorMap *map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}

// Groups of up to 8 rows of 32 floats, each with its number of rows, one after the other: the map of
// the group is made of the first one. Rows that are missing are zeros. Warps without a map have none.
extern "C" __global__ void __launch_bounds__(64, 1)
    grouped_copy(float *out, TensorMap *maps, const float *in, const int *rows, const __grid_constant__ TensorMap first) {
  __shared__ alignas(128) float tile[8][32];
  __shared__ alignas(128) TensorMap map;
  __shared__ alignas(8) uint64_t full;
  int t = threadIdx.x, group = blockIdx.x;
  TensorMap *mine = t < 32 ? maps + group : nullptr;
  if (t == 0) {
    initBarrier(&full, 1);
    fenceInit();
  }
  if (t < 8)
    reinterpret_cast<int4 *>(&map)[t] = reinterpret_cast<const int4 *>(&first)[t];
  __syncthreads();
  if (t < 32) {
    if (t == 0) {
      int before = 0;
      for (int other = 0; other < group; ++other)
        before += rows[other];
      replaceAddress(&map, in + before * 32);
      replaceRows(&map, rows[group]);
    }
    __syncwarp();
    publish(mine, &map);
  }
  acquireMap(mine);
  if (t == 0) {
    expectBytes(&full, 1024);
    loadTensor(tile, mine, 0, 0, &full);
  }
  waitFor(&full, 0);
  for (int i = 0; i < 4; ++i)
    out[group * 256 + i * 64 + t] = tile[i * 2 + t / 32][t % 32];
}
