// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B on tensor cores: a block of 128 threads has a tile of 128x128, each warp 64x64 of it.
// Tiles of A and B come by cp.async, two stages deep. m and n are multiples of 128, k of 32.
//
//   nvcc -std=c++17 -arch=sm_80 -ptx -lineinfo gemm.cu -o gemm.ptx

#include <cuda_bf16.h>
#include <stdint.h>

using bf16 = __nv_bfloat16;
constexpr int stages = 2, tile = 128, depth = 32, threads = 128;
constexpr int pitchA = depth + 8, pitchB = tile + 8; // no two rows of a matrix begin in one bank

struct Tiles {
  bf16 a[tile][pitchA], b[depth][pitchB];
};

static __device__ uint32_t shared(const void *p) { return uint32_t(__cvta_generic_to_shared(p)); }

static __device__ void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(to)), "l"(from));
}

static __device__ void fetch(Tiles &to, const bf16 *a, const bf16 *b, int n, int k) {
  for (int i = threadIdx.x; i < tile * depth / 8; i += threads)
    copy16(&to.a[i / 4][i % 4 * 8], a + size_t(i / 4) * k + i % 4 * 8);
  for (int i = threadIdx.x; i < tile * depth / 8; i += threads)
    copy16(&to.b[i / 16][i % 16 * 8], b + size_t(i / 16) * n + i % 16 * 8);
  asm volatile("cp.async.commit_group;");
}

static __device__ void multiply(const Tiles &tiles, int row, int column, float (&sums)[4][8][4]) {
  const int lane = threadIdx.x % 32;
  for (int k = 0; k < depth; k += 16) {
    uint32_t a[4][4], b[8][2];
    for (int i = 0; i < 4; ++i)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                   : "r"(shared(&tiles.a[row + 16 * i + lane % 16][k + lane / 16 * 8])));
    for (int j = 0; j < 8; j += 2)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j + 1][0]), "=r"(b[j + 1][1])
                   : "r"(shared(&tiles.b[k + lane % 16][column + 8 * j + lane / 16 * 8])));
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 8; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]),
                       "+f"(sums[i][j][3])
                     : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]),
                       "r"(b[j][1]));
  }
}

extern "C" __global__ void __launch_bounds__(threads)
    gemm(float *c, const bf16 *a, const bf16 *b, int m, int n, int k) {
  __shared__ __align__(128) Tiles tiles[stages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / 2 * 64, column = warp % 2 * 64;
  a += size_t(blockIdx.y) * tile * k;
  b += blockIdx.x * tile;
  float sums[4][8][4] = {};
  fetch(tiles[0], a, b, n, k);
  for (int at = 0; at < k; at += depth) {
    const int stage = at / depth % stages;
    if (at + depth < k) {
      fetch(tiles[stage ^ 1], a + at + depth, b + size_t(at + depth) * n, n, k);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
    multiply(tiles[stage], row, column, sums);
    __syncthreads();
  }
  c += (size_t(blockIdx.y) * tile + row + lane / 4) * n + blockIdx.x * tile + column + lane % 4 * 2;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      *(float2 *)(c + size_t(16 * i) * n + 8 * j) = make_float2(sums[i][j][0], sums[i][j][1]);
      *(float2 *)(c + size_t(16 * i + 8) * n + 8 * j) = make_float2(sums[i][j][2], sums[i][j][3]);
    }
}
