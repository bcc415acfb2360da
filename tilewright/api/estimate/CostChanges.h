// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares two estimates of a launch (Estimate.h), so that a test can guard a kernel against higher
// costs (docs/tuning.md).

#ifndef TILEWRIGHT_API_ESTIMATE_COSTCHANGES_H
#define TILEWRIGHT_API_ESTIMATE_COSTCHANGES_H

#include "tilewright/runtime/Grid.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::api {

/// What a source line costs. Lines are the same if the file's name, without its folder, and the
/// number are: another checkout has other folders. A line that moved counts as a new one.
struct LineCosts {
  std::string file;
  int64_t line;
  int64_t before, after;
};

/// A cost that is higher than in an earlier version of a kernel.
struct CostIncrease {
  /// What the sampled blocks cost together: `instructions`, `sectors`, `bank_cycles` or `barriers`;
  /// or what a block needs, in all of its CTAs: `shared_bytes`; or a thread: `registers` or
  /// `spill_bytes`.
  std::string what;
  int64_t before, after;
  /// The source lines that cost more than before, those that gained most first.
  std::vector<LineCosts> lines;
};

/// Fails if the text is no document of an estimate, has costs that no launch has, or is one of
/// another kernel, target or grid.
support::Result<void> verifyEstimate(std::string_view text, std::string_view kernel,
                                     std::string_view target, const runtime::Grid &grid);

/// The costs of the document `after` that are higher than those of `before` by more than the
/// fraction `tolerance`, which is rounded to billionths. A cost that only one of the two has is
/// left out. Fails if `tolerance` is not a number from 0, one of the texts is not a document of an
/// estimate, or the two are not comparable: another kernel, target, grid or number of blocks.
support::Result<std::vector<CostIncrease>>
costIncreases(std::string_view before, std::string_view after, double tolerance = 0);

/// `[{"what": "sectors", "before": 1024, "after": 1536, "lines": [{"file", "line", "before",
/// "after"}, ...]}, ...]`
std::string asJson(const std::vector<CostIncrease> &increases);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ESTIMATE_COSTCHANGES_H
