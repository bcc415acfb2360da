// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row functions that compare floats (arithmetic, 4.18).

#include "tilewright/numerics/RowFormats.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::rows;

template <typename F, Predicate predicate, Ordering ordering> static RowFunction compare() {
  using Word = typename F::Word;
  return rowOf<uint8_t, Word, Word>([](Word lhs, Word rhs) -> uint8_t {
    auto a = F::read(lhs), b = F::read(rhs);
    bool unordered = a != a || b != b;
    return unordered ? ordering == Ordering::Unordered : holds(predicate, a, b);
  });
}

RowFunction rows::cmpF(Format format, Predicate predicate, Ordering ordering) {
  return forFloat(format, [=](auto f) {
    return forPredicate(predicate, [=](auto predicate) {
      constexpr Predicate fixed = decltype(predicate)::value;
      return ordering == Ordering::Ordered ? compare<decltype(f), fixed, Ordering::Ordered>()
                                           : compare<decltype(f), fixed, Ordering::Unordered>();
    });
  });
}
