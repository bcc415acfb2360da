// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does the body of a reduce or scan run on many positions at once, without a tile
// for each of its values? If all its operations have row functions, it is a list of
// them over buffers: one for each value, a thousand positions long, so that all stay
// close to the processor. What bodies of other kinds do, Aggregates.cpp decides.

#ifndef TILEWRIGHT_REFERENCE_OPS_ROWBODY_H
#define TILEWRIGHT_REFERENCE_OPS_ROWBODY_H

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/ops/Rows.h"

namespace tilewright::reference {

class RowBody {
public:
  /// None if an operation has no row function, or a value from outside is poison.
  static std::optional<RowBody> of(TileBlock &block, mlir::Block &body);

  /// Computes count positions. One array of words for each argument of the body and for
  /// each value that it yields; no result overlaps an argument. False: some value on the
  /// way is poison, and what was written means nothing.
  bool run(llvm::ArrayRef<const uint8_t *> arguments, llvm::ArrayRef<uint8_t *> results,
           int64_t count);

private:
  RowBody() = default;
  /// Number of the value's buffer; none if it cannot be had.
  std::optional<unsigned> bufferOf(TileBlock &block, mlir::Value value);
  unsigned addBuffer(mlir::Value value, unsigned wordBytes);
  void addScalar(mlir::Value value, const Tile &scalar);
  bool add(TileBlock &block, mlir::Operation &op);
  void computeInPlace();
  bool runChunk(llvm::ArrayRef<const uint8_t *> arguments, llvm::ArrayRef<uint8_t *> results,
                int64_t from, int64_t count);

  /// Positions that are computed in one go.
  static constexpr int64_t chunk = 1024;

  struct Step {
    numerics::RowFunction row;
    llvm::SmallVector<unsigned, 3> operands;
    unsigned result;
  };
  /// The values of one chunk; null for the arguments, which are where the caller has them.
  struct Buffer {
    unsigned wordBytes;
    std::unique_ptr<uint8_t[]> words;
    /// Number of the result that a step computes here.
    std::optional<size_t> yieldedAs = std::nullopt;
  };

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// Those of the arguments are the first.
  std::vector<Buffer> buffers;
  size_t argumentCount = 0;
  llvm::SmallVector<Step, 2> steps;
  llvm::SmallVector<unsigned, 2> yielded;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPS_ROWBODY_H
