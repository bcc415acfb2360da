// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a memory operation performed? Segment by segment: may the block access every element of
// it, does it race, and then the elements move.

#ifndef TILEWRIGHT_REFERENCE_MEMORY_ACCESS_H
#define TILEWRIGHT_REFERENCE_MEMORY_ACCESS_H

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/memory/MemoryOperation.h"

namespace tilewright::reference {

/// Performs the next segment; whatever `before` waits for is done.
void performNext(TileBlock &block, MemoryOperation &operation);
/// Performs all segments that are left, in their order.
void performAll(TileBlock &block, MemoryOperation &operation);

/// Cuts segments into pieces at random, and puts the pieces in a random order: the elements of an
/// operation are accessed in any order (memory model, 2).
void shuffle(std::vector<Segment> &segments, std::mt19937_64 &random);

/// An element beside its mark, which `bits` does not have.
struct MarkedElement {
  Element bits;
  Mark mark = Mark::None;
};
inline MarkedElement elementOf(const Tile &tile, int64_t index) {
  return {withoutMark(tile[index]), tile.markOf(index)};
}

/// What a read-modify-write stores (operations, 9.1); floats of multicast memory have a minimum and
/// a maximum, too (13.5, section 9.2).
MarkedElement combine(tile::AtomicRMWMode mode, MarkedElement old, MarkedElement operand);

/// Whether it accesses all arrays that a multicast address stands for (13.5, section 9.2).
bool isMultimem(mlir::Operation *op);
/// Puts those of every array in place of the segments that lie in multicast memory.
void spreadOverCopies(const Memory &memory, std::vector<Segment> &segments);

/// Reports marked elements that a store will store where the host could read them.
void reportStored(TileBlock &block, const MemoryOperation &store);

/// The element of a tile that an access is for, as messages call it: `element [3, 1]: `,
/// nothing for a scalar.
std::string elementPrefix(llvm::ArrayRef<int64_t> shape, int64_t index);

/// Ordering and scope of a memory operation.
template <typename Op> Semantics semanticsOf(Op op) {
  return {op.getMemoryOrderingSemantics(), op.getMemoryScope()};
}

/// The segments of the elements that the mask, which may be null, enables. Calls
/// disabled(element) for the others. Undefined masks and addresses are misbehaviour.
LogicalResult findSegments(TileBlock &block, mlir::Operation *op, mlir::Value pointers,
                           mlir::Value mask, std::vector<Segment> &segments,
                           llvm::function_ref<void(int64_t)> disabled);

/// The segments of the elements that an index of a view names. Calls outside(element) for those
/// that are not in the tensor; `inbounds`, if it is not empty, says for each index whether the
/// program promises that there are none.
LogicalResult findSegments(TileBlock &block, mlir::Operation *op,
                           mlir::TypedValue<tile::TileView> view, mlir::OperandRange indices,
                           llvm::ArrayRef<bool> inbounds, std::vector<Segment> &segments,
                           llvm::function_ref<void(int64_t, int64_t)> outside);

/// Why an element of a view was not read: it lies outside of the tensor, and nothing says what it
/// is instead. Empty if it was read, or padded.
std::string outsideText(const TileBlock &block, tile::LoadViewOp op, int64_t element);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_ACCESS_H
