// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a formula for one element into a row function. The formula is a lambda over words. The loop
// around it is written once and compiled twice: for every processor, and for those with 32-byte
// vectors and fused multiply-adds. The version is chosen when the row function is looked up.
//
// A formula with undefined results takes an additional bool, which it sets if its result is
// undefined.
//
// Internal to this room.

#ifndef TILEWRIGHT_NUMERICS_ROWLOOP_H
#define TILEWRIGHT_NUMERICS_ROWLOOP_H

#include "tilewright/numerics/Rows.h"
#include <type_traits>
#include <utility>

/// For formulas and their callees: a call in the loop would prevent vectorisation.
#define TILEWRIGHT_INLINE [[gnu::always_inline]] inline

namespace tilewright::numerics::rows {

/// Cleared by tests of the first version.
inline bool allowWideVectors = true;

/// Whether the processor supports the second version of each loop.
inline bool hasWideVectors() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has && allowWideVectors;
#else
  return false;
#endif
}

/// Selects the best version of the row function Loop::run for this processor.
template <typename Loop> struct Versions {
  static bool plain(const void *const *in, void *out, int64_t count) {
    return Loop::run(in, out, count);
  }

#if defined(__x86_64__)
  [[gnu::target("avx2,fma")]] static bool wide(const void *const *in, void *out, int64_t count) {
    return Loop::run(in, out, count);
  }

  static RowFunction best() { return hasWideVectors() ? wide : plain; }
#else
  static RowFunction best() { return plain; }
#endif
};

/// The loop around a formula from words In... to a word Out.
template <typename Formula, typename Out, typename... In> struct FormulaLoop {
  static_assert(std::is_empty_v<Formula>, "a lambda that captures nothing");

  TILEWRIGHT_INLINE static bool run(const void *const *in, void *out, int64_t count) {
    return run(in, out, count, std::index_sequence_for<In...>());
  }

  template <size_t... k>
  TILEWRIGHT_INLINE static bool run(const void *const *in, void *out, int64_t count,
                                    std::index_sequence<k...>) {
    return loop(count, static_cast<Out *>(out), static_cast<const In *>(in[k])...);
  }

  TILEWRIGHT_INLINE static bool loop(int64_t count, Out *__restrict out, const In *...in) {
    if constexpr (std::is_invocable_v<Formula, In..., bool &>) {
      unsigned anyUndefined = 0;
      for (int64_t i = 0; i < count; ++i) {
        bool undefined = false;
        out[i] = Formula()(in[i]..., undefined);
        anyUndefined |= undefined;
      }
      return anyUndefined == 0;
    } else {
      for (int64_t i = 0; i < count; ++i)
        out[i] = Formula()(in[i]...);
      return true;
    }
  }
};

template <typename Out, typename... In, typename Formula> RowFunction rowOf(Formula) {
  return Versions<FormulaLoop<Formula, Out, In...>>::best();
}

} // namespace tilewright::numerics::rows

#endif // TILEWRIGHT_NUMERICS_ROWLOOP_H
