// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the PTX tests with instructions of a warp, small floats, tensor cores and
// asynchronous copies.

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace cg = cooperative_groups;

extern "C" __global__ void warp_sum(float *out, const float *in) {
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xFFFFFFFF, value, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, value);
}

extern "C" __global__ void softmax(float *out, const float *in, int columns) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float largest = -INFINITY, sum = 0;
  for (int i = lane; i < columns; i += 32)
    largest = fmaxf(largest, in[row * columns + i]);
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, step));
  for (int i = lane; i < columns; i += 32)
    sum += __expf(in[row * columns + i] - largest);
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, step);
  for (int i = lane; i < columns; i += 32)
    out[row * columns + i] = __expf(in[row * columns + i] - largest) / sum;
}

extern "C" __global__ void functions(float *out, const float *in) {
  int i = threadIdx.x;
  float x = in[i];
  out[i] = sinf(x) + cosf(x) * expf(-x) + logf(x + 2.0f) + sqrtf(x + 1.0f) + powf(x + 1.0f, 1.5f) + tanhf(x);
}

// Each lane counts those before it that have an even number.
extern "C" __global__ void compact(int *out, int *count, const int *in) {
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  bool keep = value % 2 == 0;
  unsigned ballot = __ballot_sync(0xFFFFFFFF, keep);
  int lane = threadIdx.x % 32, base = 0;
  if (lane == 0)
    base = atomicAdd(count, __popc(ballot));
  base = __shfl_sync(0xFFFFFFFF, base, 0);
  if (keep)
    out[base + __popc(ballot & ((1u << lane) - 1))] = value;
}

// One atomic for each set of lanes that took the branch.
extern "C" __global__ void aggregated(int *counters, const int *in) {
  int value = in[threadIdx.x];
  if (value % 3 != 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
      atomicAdd(&counters[0], active.size());
    unsigned same = __match_any_sync(__activemask(), value % 3);
    if ((same & ((1u << (threadIdx.x % 32)) - 1)) == 0)
      atomicAdd(&counters[value % 3], __popc(same));
  }
}

extern "C" __global__ void tiles(int *out, const int *in) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int value = in[block.thread_rank()];
  for (int step = 4; step > 0; step /= 2)
    value += tile.shfl_xor(value, step);
  tile.sync();
  block.sync();
  out[block.thread_rank()] = value;
}

extern "C" __global__ void reduce_add(unsigned *out, const unsigned *in) {
  out[threadIdx.x] = __reduce_add_sync(0xFFFFFFFF, in[threadIdx.x]) ^
                     __reduce_max_sync(0xFFFFFFFF, in[threadIdx.x]);
}

extern "C" __global__ void halves(__half2 *out, const __half2 *a, const __half2 *b) {
  int i = threadIdx.x;
  out[i] = __hfma2(a[i], b[i], __hmax2(a[i], __float2half2_rn(0.5f)));
}

extern "C" __global__ void brains(__nv_bfloat16 *out, const float *in) {
  int i = threadIdx.x;
  __nv_bfloat16 x = __float2bfloat16(in[i]);
  out[i] = __hadd(__hmul(x, x), __float2bfloat16(0.5f));
}

extern "C" __global__ void fp8(float *out, const float *in) {
  int i = threadIdx.x;
  out[i] = float(__nv_fp8_e4m3(in[i])) + 1000.0f * float(__nv_fp8_e5m2(in[i]));
}

// C = A * B^T in bf16, 16 x 8 for a warp; copies are one turn ahead.
extern "C" __global__ void tensor(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, int n, int k) {
  __shared__ __align__(16) __nv_bfloat16 tileA[2][16 * 16], tileB[2][8 * 16];
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
  auto copy = [&](int stage, int at) {
    unsigned to = __cvta_generic_to_shared(&tileA[stage][lane * 8]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                 "l"(a + (row + lane / 2) * k + at + lane % 2 * 8) : "memory");
    if (lane < 16) {
      to = __cvta_generic_to_shared(&tileB[stage][lane * 8]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                   "l"(b + (column + lane / 2) * k + at + lane % 2 * 8) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float sum[4] = {};
  copy(0, 0);
  for (int at = 0, stage = 0; at < k; at += 16, stage ^= 1) {
    if (at + 16 < k)
      copy(stage ^ 1, at + 16);
    else
      asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    unsigned x[4], y[2];
    unsigned from = __cvta_generic_to_shared(&tileA[stage][(lane % 16) * 16 + lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(from));
    from = __cvta_generic_to_shared(&tileB[stage][(lane % 8) * 16 + lane / 8 % 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1]) : "r"(from));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    c[(row + lane / 4 + i / 2 * 8) * n + column + lane % 4 * 2 + i % 2] = sum[i];
}
