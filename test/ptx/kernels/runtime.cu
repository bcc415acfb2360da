// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels take from the CUDA runtime and from rarer parts of the language: wmma, the barrier of
// a grid, video instructions, virtual functions, printf, malloc, alloca.

#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdio.h>

using namespace nvcuda;

// One warp for each 16x16 tile of out = a * b; all are n x n.
extern "C" __global__ void wmma_matmul(float *out, const __half *a, const __half *b, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  const __half *rows = a + blockIdx.y * 16 * n, *columns = b + blockIdx.x * 16 * n;
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, rows + k, n);
    wmma::load_matrix_sync(fb, columns + k, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] *= 2;
  wmma::store_matrix_sync(out + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}

// Each block adds its number plus one; after the barrier of the grid, all see the sum.
extern "C" __global__ void grid_sum(int *out, int *sum) {
  if (threadIdx.x == 0)
    atomicAdd(sum, blockIdx.x + 1);
  cooperative_groups::this_grid().sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *sum;
}

extern "C" __global__ void bytes(unsigned *out, const unsigned *pairs) {
  unsigned a = pairs[2 * threadIdx.x], b = pairs[2 * threadIdx.x + 1];
  unsigned *row = out + 8 * threadIdx.x;
  row[0] = __vabsdiffu4(a, b);
  row[1] = __vsadu4(a, b);
  row[2] = __vaddus2(a, b);
  row[3] = __vmaxs4(a, b);
  row[4] = __vcmpgtu4(a, b);
  row[5] = __vavgu2(a, b);
  row[6] = __fns(a, 0, 3);
  row[7] = __dp4a(a, b, 7u);
}

struct Shape {
  __device__ virtual int area(int x) const = 0;
};
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
};
struct Strip : Shape {
  int width;
  __device__ Strip(int width) : width(width) {}
  __device__ int area(int x) const override { return x * width; }
};

extern "C" __global__ void areas(int *out, int width) {
  Square square;
  Strip strip(width);
  const Shape *shape = threadIdx.x % 3 ? static_cast<const Shape *>(&strip) : &square;
  out[threadIdx.x] = shape->area(threadIdx.x);
}

// A list of the numbers below that of the thread, in the memory of malloc.
struct Node {
  int value;
  Node *next;
};
extern "C" __global__ void list(int *out) {
  Node *first = nullptr;
  for (int i = 0; i < threadIdx.x; ++i) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    node->value = i;
    node->next = first;
    first = node;
  }
  int sum = 0;
  while (first) {
    Node *next = first->next;
    sum = sum * 3 + first->value;
    free(first);
    first = next;
  }
  out[threadIdx.x] = sum;
  if (threadIdx.x == 2)
    printf("thread %d of %s: %d %5.2f\n", threadIdx.x, "list", sum, 0.5);
}

extern "C" __global__ void reversed(int *out, const int *in, int n) {
  int *copy = static_cast<int *>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    copy[n - 1 - i] = in[i] + threadIdx.x;
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 5 + copy[i];
  out[threadIdx.x] = sum;
}
