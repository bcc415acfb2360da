// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a token say? Which memory operations come before whoever holds it. Operations
// of a block that follow one another by tokens form chains; a position in a chain is an
// epoch, and a clock says up to which position each chain is known. "A happens before B"
// is then: B's token knows A's epoch (memory model, 5 and 6).

#ifndef TILEWRIGHT_REFERENCE_TOKEN_H
#define TILEWRIGHT_REFERENCE_TOKEN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::reference {

/// Number `sequence` of a chain; both count from 1.
struct Epoch {
  uint32_t chain = 0;
  uint32_t sequence = 0;
};

/// Of each chain, up to which position; sorted by chain.
using Clock = std::vector<Epoch>;

/// What happens before something. Clocks are shared: a token that only continues a chain
/// differs from the one before in `last` alone.
struct Knowledge {
  std::shared_ptr<const Clock> clock; ///< Null: nothing.
  Epoch last;                         ///< Known in addition, with all before it in its chain.

  bool knows(Epoch epoch) const;
  /// Everything that either knows. Keeps `last` of this one.
  void join(const Knowledge &other);
  /// The clock with `last` in it.
  Clock everything() const;
};

/// All chains of a launch.
class TokenOrder {
public:
  /// The knowledge of an operation of this block that comes after `before`, itself included.
  Knowledge append(const Knowledge &before, int64_t block);

private:
  struct Chain {
    int64_t block;
    uint32_t length;
  };

  bool isEnd(Epoch epoch, int64_t block) const {
    return epoch.chain && chains[epoch.chain - 1].block == block &&
           chains[epoch.chain - 1].length == epoch.sequence;
  }

  std::vector<Chain> chains;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_TOKEN_H
