// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the body of a reduce or scan on many positions at once, without a tile for each of its
// values. If all operations of the body have row functions, the body becomes a list of them over
// buffers: one buffer per value, with a thousand positions each, so that all of them stay in the
// cache. Aggregates.cpp handles other bodies.

#ifndef TILEWRIGHT_REFERENCE_OPS_ROWBODY_H
#define TILEWRIGHT_REFERENCE_OPS_ROWBODY_H

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/ops/Rows.h"

namespace tilewright::reference {

class RowBody {
public:
  /// None if an operation has no row function or an outside value is poison.
  static std::optional<RowBody> of(TileBlock &block, mlir::Block &body);

  /// Computes `count` positions. Takes one array of words for each body argument and one for each
  /// yielded value; no result overlaps an argument. Returns false if an intermediate value is
  /// poison; the results are then meaningless.
  bool run(llvm::ArrayRef<const uint8_t *> arguments, llvm::ArrayRef<uint8_t *> results,
           int64_t count);

private:
  RowBody() = default;
  /// Index of the value's buffer; none if the value cannot have one.
  std::optional<unsigned> bufferOf(TileBlock &block, mlir::Value value);
  unsigned addBuffer(mlir::Value value, unsigned wordBytes);
  void addScalar(mlir::Value value, const Tile &scalar);
  bool add(TileBlock &block, mlir::Operation &op);
  void computeInPlace();
  bool runChunk(llvm::ArrayRef<const uint8_t *> arguments, llvm::ArrayRef<uint8_t *> results,
                int64_t from, int64_t count);

  /// Positions that are computed per step.
  static constexpr int64_t chunk = 1024;

  struct Step {
    numerics::RowFunction row;
    llvm::SmallVector<unsigned, 3> operands;
    unsigned result;
  };
  /// The values of one chunk; null for the arguments, which stay in the caller's arrays.
  struct Buffer {
    unsigned wordBytes;
    std::unique_ptr<uint8_t[]> words;
    /// Index of the result, if a step computes directly into it.
    std::optional<size_t> yieldedAs = std::nullopt;
  };

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// The argument buffers come first.
  std::vector<Buffer> buffers;
  size_t argumentCount = 0;
  llvm::SmallVector<Step, 2> steps;
  llvm::SmallVector<unsigned, 2> yielded;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPS_ROWBODY_H
