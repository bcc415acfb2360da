// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch that shows that a kernel leaves its memory (Prove.h).

#ifndef TILEWRIGHT_API_PROVE_COUNTEREXAMPLE_H
#define TILEWRIGHT_API_PROVE_COUNTEREXAMPLE_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::api {

/// A launch that the reference machine has run, with this finding at the operation.
struct Counterexample {
  std::array<int64_t, 3> grid;
  /// `zeros(4xf32)` or a number: what `tilewright run --arg` takes.
  std::vector<std::string> arguments;
  /// `block (0, 0, 0): load_ptr_tko: ... [bounds]`
  std::string finding;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PROVE_COUNTEREXAMPLE_H
