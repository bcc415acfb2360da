// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch leaves in memory. An outcome has one key, whether an exploration found it or a
// schedule ended with it.

#ifndef TILEWRIGHT_API_ADVISE_OUTCOME_H
#define TILEWRIGHT_API_ADVISE_OUTCOME_H

#include "tilewright/api/Placement.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"

namespace tilewright::api {

/// The contents of a launch's arrays before it. The key of an outcome is a digest of the elements
/// that have other values then: their arrays, indices and bits.
class InitialArrays {
public:
  /// The arguments must outlive the result. Fails for arrays that a machine cannot hold.
  static support::Result<InitialArrays> of(const std::vector<Argument> &arguments);

  /// The key of the outcome that the arrays hold now.
  std::string key() const;
  std::string keyOf(const reference::MemoryChange &outcome) const;

private:
  struct Saved {
    Placement::NamedArray named;
    std::vector<uint8_t> bytes;

    int64_t storageBits() const;
    /// The index of the first element in its allocation.
    int64_t first() const { return int64_t(named.offset) * 8 / storageBits(); }
    int64_t count() const { return int64_t(bytes.size()) * 8 / storageBits(); }
  };
  bool isUnchanged(const reference::ArrayElement &element) const;

  /// In the order of outcomes: by name.
  std::vector<Saved> arrays;
};

/// `parameter 1 (1xi32)[0] = 3, ...`
std::string toString(const reference::MemoryChange &outcome, size_t mostElements);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_OUTCOME_H
