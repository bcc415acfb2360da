// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens order memory operations: those behind a token happen before every user of the token.
// Operations of one block that follow one another by tokens form chains. A position in a chain is
// an epoch, and a vector clock has for each chain the last position that happens before. "A happens
// before B" means that the clock of B includes the epoch of A (memory model, 5 and 6).

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

/// The last included position of each chain, sorted by chain.
using Epochs = std::vector<Epoch>;

/// The operations that happen before something. Clocks share their epochs: a token that only
/// continues a chain differs from its predecessor in `last` alone.
struct VectorClock {
  std::shared_ptr<const Epochs> shared; ///< Null: none.
  Epoch last;                           ///< Included, with everything before it in its chain.

  bool includes(Epoch epoch) const;
  /// Adds everything that the other clock includes. Keeps `last`.
  void join(const VectorClock &other);
  /// All epochs, with `last` among them.
  Epochs epochs() const;
};

/// The chains of a launch.
class TokenOrder {
public:
  /// The clock of the block's next operation after `before`; the clock includes that operation.
  VectorClock append(const VectorClock &before, int64_t block);
  /// The clock that includes all operations so far.
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
