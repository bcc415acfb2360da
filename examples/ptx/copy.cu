// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doubles 64 numbers that a bulk copy loads. docs/ptx.md introduces a mistake into it.

#include <cstdint>

extern "C" __global__ void copy(float *out, const float *in) {
  __shared__ alignas(16) float block[64];
  __shared__ uint64_t full;
  uint32_t bar = uint32_t(__cvta_generic_to_shared(&full)), to = uint32_t(__cvta_generic_to_shared(block));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(to),
                 "l"(in), "r"(bar)
                 : "memory");
  }
  __syncthreads();
  asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "@!done bra again;\n}" ::"r"(bar)
               : "memory");
  out[threadIdx.x] = 2 * block[threadIdx.x];
}
