// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the machine's peak rates: multiply-adds of every supported kind, with all operands in
// registers and enough independent accumulators to hide the latency; and copies.

#include <atomic>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
/// Runs `step` `steps` times on each thread, on twelve accumulators that the compiler must keep.
template <typename Vector, typename Step> void everywhere(int64_t steps, Vector zero, Step step) {
#pragma omp parallel
  {
    Vector sums[12];
    for (Vector &sum : sums)
      sum = zero;
    for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
      for (int j = 0; j < 12; ++j)
        sums[j] = step(sums[j]);
    }
    for (Vector &sum : sums)
      asm volatile("" : : "m"(sum));
  }
}
} // namespace

// The operations in one step of one thread: two per multiply-add. 0 if this machine has no such
// instruction.
#if defined(__AVX512F__)
extern "C" int64_t operations_f32() { return 12 * 16 * 2; }
extern "C" void steps_f32(int64_t steps) {
  __m512 x = _mm512_set1_ps(0.5f), y = _mm512_set1_ps(0.25f);
  asm volatile("" : "+v"(x), "+v"(y));
  everywhere(steps, _mm512_setzero_ps(), [=](__m512 sum) { return _mm512_fmadd_ps(x, y, sum); });
}
#elif defined(__FMA__)
extern "C" int64_t operations_f32() { return 12 * 8 * 2; }
extern "C" void steps_f32(int64_t steps) {
  __m256 x = _mm256_set1_ps(0.5f), y = _mm256_set1_ps(0.25f);
  asm volatile("" : "+x"(x), "+x"(y));
  everywhere(steps, _mm256_setzero_ps(), [=](__m256 sum) { return _mm256_fmadd_ps(x, y, sum); });
}
#else
extern "C" int64_t operations_f32() { return 0; }
extern "C" void steps_f32(int64_t) {}
#endif

#if defined(__AVX512FP16__)
extern "C" int64_t operations_f16() { return 12 * 32 * 2; }
extern "C" void steps_f16(int64_t steps) {
  __m512h x = _mm512_set1_ph(_Float16(0.5)), y = _mm512_set1_ph(_Float16(0.25));
  asm volatile("" : "+v"(x), "+v"(y));
  everywhere(steps, _mm512_setzero_ph(), [=](__m512h sum) { return _mm512_fmadd_ph(x, y, sum); });
}
#else
extern "C" int64_t operations_f16() { return 0; }
extern "C" void steps_f16(int64_t) {}
#endif

#if defined(__AVX512BF16__)
extern "C" int64_t operations_bf16() { return 12 * 32 * 2; }
extern "C" void steps_bf16(int64_t steps) {
  __m512i ones = _mm512_set1_epi32(0x3F803F80);
  asm volatile("" : "+v"(ones));
  everywhere(steps, _mm512_setzero_ps(),
             [=](__m512 sum) { return _mm512_dpbf16_ps(sum, (__m512bh)ones, (__m512bh)ones); });
}
#else
extern "C" int64_t operations_bf16() { return 0; }
extern "C" void steps_bf16(int64_t) {}
#endif

#if defined(__AVX512VNNI__)
extern "C" int64_t operations_i8() { return 12 * 64 * 2; }
extern "C" void steps_i8(int64_t steps) {
  __m512i ones = _mm512_set1_epi32(0x01010101);
  asm volatile("" : "+v"(ones));
  everywhere(steps, _mm512_setzero_si512(),
             [=](__m512i sum) { return _mm512_dpbusd_epi32(sum, ones, ones); });
}
#elif defined(__AVX2__) // PMADDUBSW multiplies bytes, but saturates
extern "C" int64_t operations_i8() { return 12 * 16 * 2; }
extern "C" void steps_i8(int64_t steps) {
  __m256i x = _mm256_set1_epi16(1);
  asm volatile("" : "+x"(x));
  everywhere(steps, _mm256_setzero_si256(), [=](__m256i sum) {
    __m256i product; // otherwise the compiler would hoist it out of the loop and spill it
    asm("vpmaddwd %2, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(sum), "=&x"(product) : "x"(x));
    return sum;
  });
}
#else
extern "C" int64_t operations_i8() { return 0; }
extern "C" void steps_i8(int64_t) {}
#endif

// AMX tiles: 16 rows of 64 bytes, with four accumulator tiles, which fit together with their
// operands. The compile target need not include AMX; the processor and the operating system must
// support it.
namespace {
struct alignas(64) TileShapes {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t bytesPerRow[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

bool hasAmx(int bit) {
  unsigned a = 7, b = 0, c = 0, d = 0;
  asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  constexpr int arch_req_xcomp_perm = 0x1023, xtiledata = 18;
  return (d >> 24 & 1) && (d >> bit & 1) &&
         syscall(SYS_arch_prctl, arch_req_xcomp_perm, xtiledata) == 0;
}

constexpr int64_t tileProducts = 4, tileAdds = 16 * 16 * 32 * 2; // for bf16; twice that for i8
} // namespace

extern "C" int64_t operations_amx_bf16() { return hasAmx(22) ? tileProducts * tileAdds : 0; }
extern "C" int64_t operations_amx_i8() { return hasAmx(25) ? 2 * tileProducts * tileAdds : 0; }

#pragma GCC push_options
#pragma GCC target("amx-tile,amx-bf16,amx-int8")
static void loadTileShapes() {
  static const TileShapes shapes;
  _tile_loadconfig(&shapes);
}

extern "C" void steps_amx_bf16(int64_t steps) {
#pragma omp parallel
  {
    loadTileShapes();
    for (int64_t i = 0; i < steps; ++i) {
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
    _tile_release();
  }
}

extern "C" void steps_amx_i8(int64_t steps) {
#pragma omp parallel
  {
    loadTileShapes();
    for (int64_t i = 0; i < steps; ++i) {
      _tile_dpbssd(0, 4, 6);
      _tile_dpbssd(1, 4, 7);
      _tile_dpbssd(2, 5, 6);
      _tile_dpbssd(3, 5, 7);
    }
    _tile_release();
  }
}
#pragma GCC pop_options

/// An ordinary copy.
extern "C" void copy_plain(const uint8_t *from, uint8_t *to, int64_t bytes) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < bytes / 8; ++i)
    reinterpret_cast<uint64_t *>(to)[i] = reinterpret_cast<const uint64_t *>(from)[i];
}

/// A copy with non-temporal stores; `to` is a multiple of 64, `bytes` of 32.
extern "C" void copy_around_caches(const uint8_t *from, uint8_t *to, int64_t bytes) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t i = 0; i < bytes / 32; ++i)
      _mm256_stream_si256(reinterpret_cast<__m256i *>(to) + i,
                          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from) + i));
    _mm_sfence();
  }
}
