// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a workgroup, and the limits of a run.

#ifndef TILEWRIGHT_SIMT_WORKGROUP_H
#define TILEWRIGHT_SIMT_WORKGROUP_H

#include <array>
#include <cstdint>

namespace tilewright::simt {

struct Workgroup {
  /// Along x, y and z; x varies fastest in thread numbers.
  std::array<int64_t, 3> threads = {1, 1, 1};
  /// Threads per subgroup; the last subgroup may have fewer.
  int64_t lanes = 32;

  int64_t size() const { return threads[0] * threads[1] * threads[2]; }
};

struct RunLimits {
  /// Operations; each is counted once, however many threads execute it.
  int64_t steps = 10'000'000;
  /// Total elements of allocated memory, and elements of one value over all threads.
  int64_t elements = int64_t(1) << 28;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_WORKGROUP_H
