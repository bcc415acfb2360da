// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a token order? The memory operations that happen before every user of the token.
// Operations of a block that follow one another by tokens form chains; a position in a chain
// is an epoch, and a vector clock has the last position of each chain that happens before.
// "A happens before B" means: the clock of B includes the epoch of A (memory model, 5 and 6).

#ifndef TILEWRIGHT_REFERENCE_MEMORY_TOKEN_H
#define TILEWRIGHT_REFERENCE_MEMORY_TOKEN_H

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
using Epochs = std::vector<Epoch>;

/// What happens before something. Epochs are shared: a token that only continues a chain
/// differs from the one before in `last` alone.
struct VectorClock {
  std::shared_ptr<const Epochs> shared; ///< Null: none.
  Epoch last;                           ///< Included, with all before it in its chain.

  bool includes(Epoch epoch) const;
  /// Includes what either includes. Keeps `last` of this one.
  void join(const VectorClock &other);
  /// All epochs, with `last` among them.
  Epochs epochs() const;
};

/// All chains of a launch.
class TokenOrder {
public:
  /// The clock of an operation of this block that comes after `before`, itself included.
  VectorClock append(const VectorClock &before, int64_t block);
  /// What comes after all operations so far.
  VectorClock afterAll() const;

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

#endif // TILEWRIGHT_REFERENCE_MEMORY_TOKEN_H
