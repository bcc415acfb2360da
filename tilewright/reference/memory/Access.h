// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Performs memory operations segment by segment: checks that the block may access each element,
// checks for races, and moves the elements.

#ifndef TILEWRIGHT_REFERENCE_MEMORY_ACCESS_H
#define TILEWRIGHT_REFERENCE_MEMORY_ACCESS_H

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/memory/MemoryOperation.h"

namespace tilewright::reference {

/// Performs the next segment; the operations that `before` waits for are done.
void performNext(TileBlock &block, MemoryOperation &operation);
/// Performs all remaining segments in order.
void performAll(TileBlock &block, MemoryOperation &operation);

/// Cuts segments into random pieces and shuffles the pieces: the elements of an operation are
/// accessed in any order (memory model, 2).
void shuffle(std::vector<Segment> &segments, std::mt19937_64 &random);

/// Whether anything depends on the value that the operation reads.
bool observes(const MemoryOperation &operation);

/// An element with its mark; `bits` has none.
struct MarkedElement {
  Element bits;
  Mark mark = Mark::None;
};
inline MarkedElement elementOf(const Tile &tile, int64_t index) {
  return {withoutMark(tile[index]), tile.markOf(index)};
}

/// The value that a read-modify-write stores (operations, 9.1). Multicast memory also has a minimum
/// and a maximum of floats (13.5, section 9.2).
MarkedElement combine(tile::AtomicRMWMode mode, MarkedElement old, MarkedElement operand);

/// Whether the operation accesses all arrays behind a multicast address (13.5, section 9.2).
bool isMultimem(mlir::Operation *op);
/// Replaces segments that lie in multicast memory by those of each array.
void spreadOverCopies(const Memory &memory, std::vector<Segment> &segments);

/// Reports marked elements that a store will write to memory that the host can read.
void reportStored(TileBlock &block, const MemoryOperation &store);

/// The tile element of an access, as a prefix for messages: `element [3, 1]: `, or nothing for a
/// scalar.
std::string elementPrefix(llvm::ArrayRef<int64_t> shape, int64_t index);

/// Ordering and scope of a memory operation.
template <typename Op> Semantics semanticsOf(Op op) {
  return {op.getMemoryOrderingSemantics(), op.getMemoryScope()};
}

/// Finds the segments of the elements that the mask enables; the mask may be null. Calls
/// disabled(element) for the others. Undefined masks and addresses are misbehaviour.
LogicalResult findSegments(TileBlock &block, mlir::Operation *op, mlir::Value pointers,
                           mlir::Value mask, std::vector<Segment> &segments,
                           llvm::function_ref<void(int64_t)> disabled);

/// Finds the segments of the elements that a view index selects. Calls outside(element) for those
/// outside the tensor. `inbounds` is empty, or tells for each index whether the program claims that
/// there are none.
LogicalResult findSegments(TileBlock &block, mlir::Operation *op,
                           mlir::TypedValue<tile::TileView> view, mlir::OperandRange indices,
                           llvm::ArrayRef<bool> inbounds, std::vector<Segment> &segments,
                           llvm::function_ref<void(int64_t, int64_t)> outside);

/// Why an element of a view has no value: it lies outside the tensor and the view has no padding.
/// Empty if it was read or padded.
std::string outsideText(const TileBlock &block, tile::LoadViewOp op, int64_t element);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_ACCESS_H
