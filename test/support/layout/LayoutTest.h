// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the unit tests of layouts: the examples of the specification, and random layouts that
// satisfy its rules.

#ifndef TILEWRIGHT_TEST_SUPPORT_LAYOUT_LAYOUTTEST_H
#define TILEWRIGHT_TEST_SUPPORT_LAYOUT_LAYOUTTEST_H

#include "tilewright/layout/algebra/Layout.h"

#include <gtest/gtest.h>
#include <random>

namespace tilewright::layout {

inline void PrintTo(const Layout &layout, std::ostream *os) { *os << toText(layout); }

/// The seven lists in the order of the text form.
inline Layout fromLists(Numbers subgroups, Numbers batches, Numbers outers, Numbers threads,
                        Numbers elements, Numbers subgroupStrides, Numbers threadStrides) {
  llvm::SmallVector<Dim, 4> dims;
  for (size_t dim = 0; dim < subgroups.size(); ++dim)
    dims.push_back({subgroups[dim], batches[dim], outers[dim], threads[dim], elements[dim],
                    subgroupStrides[dim], threadStrides[dim]});
  return Layout(dims);
}

/// The full example of 64 x 64 elements (layouts, 1.10), for subgroups of 64.
inline Layout exampleOf64() {
  return fromLists({2, 1}, {2, 4}, {1, 1}, {16, 4}, {1, 4}, {1, 0}, {1, 16});
}

struct RandomLayout {
  Layout layout;
  Workgroup workgroup;
};

/// Reproducible on every machine, unlike the standard library's distributions.
class LayoutGenerator {
public:
  explicit LayoutGenerator(uint64_t seed) : engine(seed) {}

  int64_t below(int64_t bound) { return engine() % bound; }
  template <size_t N> int64_t oneOf(const int64_t (&values)[N]) { return values[below(N)]; }

  /// Digits are assigned in random order, sometimes with a gap between them, such that each divides
  /// the remaining IDs.
  RandomLayout next() {
    while (true)
      if (RandomLayout drawn = draw();
          drawn.workgroup.threads * drawn.layout.registers() <= maxHeld)
        return drawn;
  }

private:
  /// Small enough to check every register of every thread of thousands of layouts.
  static constexpr int64_t maxHeld = 4096;

  RandomLayout draw() {
    int64_t lanes = oneOf({8, 32, 64, 12, 24}), subgroups = oneOf({1, 2, 4, 8, 6});
    llvm::SmallVector<Dim, 4> dims(below(4));
    for (Dim &dim : dims) {
      dim.batches = 1 + below(3);
      dim.outers = 1 + below(3);
      dim.elements = 1 + below(4);
    }
    deal(dims, lanes, &Dim::threads, &Dim::threadStride);
    deal(dims, subgroups, &Dim::subgroups, &Dim::subgroupStride);
    return {Layout(dims), {lanes * subgroups, lanes}};
  }

  void deal(llvm::MutableArrayRef<Dim> dims, int64_t ids, int64_t Dim::*tile,
            int64_t Dim::*stride) {
    llvm::SmallVector<Dim *> order;
    for (Dim &dim : dims)
      order.insert(order.begin() + below(order.size() + 1), &dim);
    int64_t reached = 1;
    for (Dim *dim : order) {
      if (below(4) == 0)
        reached *= divisorOf(ids / reached);
      dim->*stride = reached;
      dim->*tile = divisorOf(ids / reached);
      reached *= dim->*tile;
    }
  }

  int64_t divisorOf(int64_t number) {
    while (true)
      if (int64_t candidate = 1 + below(std::min(number, int64_t(16))); number % candidate == 0)
        return candidate;
  }

  std::mt19937_64 engine;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_TEST_SUPPORT_LAYOUT_LAYOUTTEST_H
