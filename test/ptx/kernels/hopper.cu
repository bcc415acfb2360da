// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the PTX tests with what sm_90a has: clusters and their shared memory, mbarriers, bulk
// and tensor copies, wgmma.

#include <cooperative_groups.h>
#include <cuda_bf16.h>

#include <cstdint>

namespace cg = cooperative_groups;

//===-- PTX that CUDA C++ has no words for --------------------------------------------------===//

__device__ uint32_t sharedAddress(const void *p) { return uint32_t(__cvta_generic_to_shared(p)); }

__device__ void initBarrier(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(bar)), "r"(count));
}
__device__ void fenceInit() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void expectBytes(uint64_t *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(bar)),
               "r"(bytes)
               : "memory");
}
__device__ void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(bar)) : "memory");
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
__device__ void loadBulk(void *to, const void *from, int bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(to)),
               "l"(from), "r"(bytes), "r"(sharedAddress(bar))
               : "memory");
}
__device__ void storeBulk(void *to, const void *from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(sharedAddress(from)),
               "r"(bytes)
               : "memory");
}
__device__ void addBulk(float *to, const float *from, int bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
               "r"(sharedAddress(from)), "r"(bytes)
               : "memory");
}
__device__ void commitBulk() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void waitBulk() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void waitBulkRead() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

struct alignas(64) TensorMap {
  char bytes[128];
};

__device__ void loadTensor(void *to, const TensorMap &map, int x, int y, uint64_t *bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(sharedAddress(to)),
               "l"(&map), "r"(x), "r"(y), "r"(sharedAddress(bar))
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

//===-- Clusters ----------------------------------------------------------------------------===//

// Sums of rows: each CTA of a cluster of 4 sums a quarter, the first adds what the others have.
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_sum(float *sums, const float *rows, int columns) {
  __shared__ float partial[128], total;
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank(), t = threadIdx.x, row = blockIdx.x / 4;
  float sum = 0;
  for (int i = rank * 128 + t; i < columns; i += 512)
    sum += rows[row * columns + i];
  partial[t] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0)
    total = partial[0];
  cluster.sync();
  if (rank == 0 && t == 0) {
    float all = 0;
    for (int other = 0; other < 4; ++other)
      all += *cluster.map_shared_rank(&total, other);
    sums[row] = all;
  }
  cluster.sync();
}

// A histogram whose bins are spread over the CTAs of a cluster of 2.
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_histogram(unsigned *bins, const int *in, int n) {
  __shared__ unsigned part[32];
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank(), t = threadIdx.x;
  if (t < 32)
    part[t] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(part, in[i] / 32) + in[i] % 32, 1u);
  cluster.sync();
  if (t < 32)
    atomicAdd(bins + rank * 32 + t, part[t]);
}

//===-- Bulk copies -------------------------------------------------------------------------===//

// out = 2 * in, in blocks of 256 floats that arrive and leave by bulk copies; sums are added up.
extern "C" __global__ void bulk_scale(float *out, float *sums, const float *in) {
  __shared__ alignas(128) float block[256];
  __shared__ alignas(8) uint64_t full;
  int t = threadIdx.x;
  if (t == 0) {
    initBarrier(&full, 1);
    fenceInit();
  }
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    int at = (blockIdx.x * 2 + round) * 256;
    if (t == 0) {
      expectBytes(&full, 1024);
      loadBulk(block, in + at, 1024, &full);
    }
    waitFor(&full, round);
    block[t] *= 2;
    fenceAsync();
    __syncthreads();
    if (t == 0) {
      storeBulk(out + at, block, 1024);
      addBulk(sums, block, 1024);
      commitBulk();
      waitBulkRead();
    }
    __syncthreads();
  }
}

//===-- Tensor copies -----------------------------------------------------------------------===//

// Tiles of 32 x 8 floats through a ring of 3: a warp loads them, the others transpose them.
extern "C" __global__ void tensor_transpose(const __grid_constant__ TensorMap in, const __grid_constant__ TensorMap out,
                                            int tiles) {
  __shared__ alignas(128) float ring[3][8][32];
  __shared__ alignas(128) float turned[32][8];
  __shared__ alignas(8) uint64_t full[3], empty[3];
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 3; ++i) {
      initBarrier(&full[i], 1);
      initBarrier(&empty[i], 256);
    }
    fenceInit();
  }
  __syncthreads();
  if (t >= 256) {
    if (t == 256)
      for (int tile = 0; tile < tiles; ++tile) {
        int slot = tile % 3, turn = tile / 3;
        waitFor(&empty[slot], (turn & 1) ^ 1);
        expectBytes(&full[slot], 1024);
        loadTensor(ring[slot], in, tile * 32, blockIdx.x * 8, &full[slot]);
      }
    return;
  }
  for (int tile = 0; tile < tiles; ++tile) {
    int slot = tile % 3, turn = tile / 3;
    waitFor(&full[slot], turn & 1);
    turned[t % 32][t / 32] = ring[slot][t / 32][t % 32];
    arrive(&empty[slot]);
    fenceAsync();
    asm volatile("bar.sync 1, 256;" ::: "memory");
    if (t == 0) {
      storeTensor(out, blockIdx.x * 8, tile * 32, turned);
      commitBulk();
      waitBulkRead();
    }
    asm volatile("bar.sync 1, 256;" ::: "memory");
  }
}

// Each CTA of a cluster of 2 loads half of a tile for both.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    multicast_add(float *out, const __grid_constant__ TensorMap in) {
  __shared__ alignas(128) float tile[2][8][32];
  __shared__ alignas(8) uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank(), t = threadIdx.x;
  if (t == 0) {
    initBarrier(&full, 1);
    fenceInit();
  }
  cluster.sync();
  if (t == 0) {
    expectBytes(&full, 2048);
    loadTensorAll(tile[rank], in, 0, rank * 8, &full, 3);
  }
  waitFor(&full, 0);
  out[rank * 256 + t] = tile[0][t / 32][t % 32] + 100 * rank * tile[1][t / 32][t % 32];
  cluster.sync();
}

//===-- wgmma -------------------------------------------------------------------------------===//

__device__ uint64_t describe(const void *p) { // K-major, 128 bytes wide, swizzled
  uint64_t start = (sharedAddress(p) & 0x3FFFF) >> 4;
  return start | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, p, 1, 1, 0, 0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b), "r"(add));
}

// C = A * B^T in tiles of 64 x 64: a warp loads tiles of 64 columns, a warpgroup multiplies them.
extern "C" __global__ void __launch_bounds__(256, 1) wgmma_gemm(float *c, const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                                      int n, int tiles) {
  extern __shared__ __align__(1024) __nv_bfloat16 slots[]; // 2 stages of A and B, 64 x 64 each
  __shared__ alignas(8) uint64_t full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      initBarrier(&full[i], 1);
      initBarrier(&empty[i], 128);
    }
    fenceInit();
  }
  __syncthreads();
  if (t >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (t == 128)
      for (int tile = 0; tile < tiles; ++tile) {
        int slot = tile % 2, turn = tile / 2;
        waitFor(&empty[slot], (turn & 1) ^ 1);
        expectBytes(&full[slot], 16384);
        loadTensor(slots + slot * 8192, a, tile * 64, blockIdx.y * 64, &full[slot]);
        loadTensor(slots + slot * 8192 + 4096, b, tile * 64, blockIdx.x * 64, &full[slot]);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  float d[32];
  for (int i = 0; i < 32; ++i)
    d[i] = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    int slot = tile % 2, turn = tile / 2;
    waitFor(&full[slot], turn & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 4; ++k)
      multiply(d, describe(slots + slot * 8192 + k * 16), describe(slots + slot * 8192 + 4096 + k * 16), 1);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 32; ++i)
      asm volatile("" : "+f"(d[i])::"memory");
    arrive(&empty[slot]);
  }
  int lane = t % 32, row = blockIdx.y * 64 + 16 * (t / 32) + lane / 4, column = blockIdx.x * 64 + lane % 4 * 2;
  for (int i = 0; i < 32; ++i)
    c[(row + 8 * (i / 2 % 2)) * n + column + 8 * (i / 4) + i % 2] = d[i];
}
