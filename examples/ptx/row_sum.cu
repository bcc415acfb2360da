// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of each row of 256 floats, by one thread block; it misses a barrier. row_sum.ptx is what
// `nvcc -ptx -arch=sm_80 -lineinfo row_sum.cu` makes of it.

extern "C" __global__ void row_sum(float *sums, const float *rows) {
  __shared__ float partial[256];
  int t = threadIdx.x;
  partial[t] = rows[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    // A __syncthreads() is missing here.
  }
  if (t == 0)
    sums[blockIdx.x] = partial[0];
}
