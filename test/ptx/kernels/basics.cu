// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the PTX tests that need no header: nvcc and clang compile them.

extern "C" __global__ void saxpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void transpose(float *out, const float *in, int rows, int columns) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows)
    tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void histogram(unsigned *bins, const unsigned char *data, int n) {
  __shared__ unsigned local[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
    local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
    if (local[bin])
      atomicAdd(&bins[bin], local[bin]);
}

// Inclusive, of one block.
extern "C" __global__ void scan(int *out, const int *in) {
  extern __shared__ int values[];
  int t = threadIdx.x;
  values[t] = in[t];
  for (int step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    int other = t >= step ? values[t - step] : 0;
    __syncthreads();
    values[t] += other;
  }
  out[t] = values[t];
}

extern "C" __global__ void stencil(float *out, const float *in, int n) {
  __shared__ float row[130];
  int i = blockIdx.x * 128 + threadIdx.x;
  row[threadIdx.x + 1] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0)
    row[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 127)
    row[129] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n)
    out[i] = 0.25f * row[threadIdx.x] + 0.5f * row[threadIdx.x + 1] + 0.25f * row[threadIdx.x + 2];
}

extern "C" __global__ void matmul(float *c, const float *a, const float *b, int n) {
  __shared__ float tileA[16][16], tileB[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Odd-even transposition sort of one block.
extern "C" __global__ void sort(int *values, int n) {
  for (int round = 0; round < n; ++round) {
    int i = 2 * threadIdx.x + (round & 1);
    if (i + 1 < n && values[i] > values[i + 1]) {
      int swap = values[i];
      values[i] = values[i + 1];
      values[i + 1] = swap;
    }
    __syncthreads();
  }
}

extern "C" __global__ void integers(unsigned long long *out, const unsigned *in) {
  unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned long long wide = ((unsigned long long)a << 32) | b;
  out[threadIdx.x] = wide / 1000003u + (wide % (b | 1)) * 3 + (unsigned long long)((int)a / ((int)b | 1));
}

static __device__ __noinline__ long long gcd(long long a, long long b) {
  return b == 0 ? a : gcd(b, a % b);
}

extern "C" __global__ void divisors(long long *out, const long long *in) {
  out[threadIdx.x] = gcd(in[2 * threadIdx.x], in[2 * threadIdx.x + 1]);
}

// A lock that every thread takes.
extern "C" __global__ void locked(int *lock, int *value) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *value = *value + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// The last block sums what all blocks have written.
extern "C" __global__ void last_block(int *total, int *partial, unsigned *count, const int *in) {
  __shared__ bool isLast;
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < gridDim.x; ++i)
      all += partial[i];
    *total = all;
  }
}

extern "C" __global__ void doubles(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (in[i] * in[i] + 1.0) / (in[i] + 3.0);
}

extern "C" __global__ void choose(int *out, const int *in) {
  int x = in[threadIdx.x];
  switch (x & 7) {
  case 0: x = x * 3; break;
  case 1: x = x - 100; break;
  case 2: x = x / 7; break;
  case 3: x = ~x; break;
  case 4: x = x << 3; break;
  case 5: x = x >> 1; break;
  default: x = 12345;
  }
  out[threadIdx.x] = x;
}
