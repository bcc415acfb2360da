// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CopiedLoads.h.

#include "tilewright/nvidia/plan/staging/CopiedLoads.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

/// The smallest `cp.async`, in bytes.
static constexpr int64_t leastCopyBytes = 4;

//===-- Operands of products ------------------------------------------------------------------===//

bool nvidia::isWeakLoad(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return access && access.isLoad() && access.isWeak();
}

/// Whether no operation between the load and `until` could change the loaded memory.
static bool isUndisturbed(tile::LoadViewOp load, Operation *until) {
  for (Operation *op = load->getNextNode(); op && op != until; op = op->getNextNode())
    if (!tile::onlyComputes(op) && !isWeakLoad(op))
      return false;
  return true;
}

bool nvidia::permutesElements(tile::RearrangementOpInterface op) {
  std::optional<SmallVector<int>> bits = sourceBitsOf(op);
  return bits && !llvm::is_contained(*bits, -1) &&
         elementCountOf(op.getMoved()) == elementCountOf(op->getResult(0));
}

/// An operand, and the tiles of which it is a permutation, from the operand backwards.
static SmallVector<Value> wayTo(Value operand) {
  SmallVector<Value> way = {operand};
  while (auto moved = way.back().getDefiningOp<tile::RearrangementOpInterface>()) {
    if (!permutesElements(moved))
      break;
    way.push_back(moved.getMoved());
  }
  return way;
}

SmallVector<unsigned> nvidia::operandBitsOf(Value operand) {
  auto bits = llvm::to_vector(llvm::seq<unsigned>(0, llvm::Log2_64(elementCountOf(operand))));
  SmallVector<Value> way = wayTo(operand);
  for (Value tile : llvm::ArrayRef(way).drop_back()) {
    SmallVector<int> sources = *sourceBitsOf(tile.getDefiningOp<tile::RearrangementOpInterface>());
    SmallVector<unsigned> ofResult = bits;
    for (auto [bit, source] : llvm::enumerate(sources))
      bits[source] = ofResult[bit];
  }
  return bits;
}

/// Whether the elements that a thread loads at once are contiguous in a row of the operand in
/// shared memory. Rows lie along this dimension of the operand, counted from the last one.
static bool loadsPiecesOfRows(const Plan &plan, tile::LoadViewOp load, Value operand,
                              int64_t fromLast) {
  const TileLayout layout = plan.layoutOf(load.getTile());
  auto shape = tileTypeOf(operand).getShape();
  const unsigned row = llvm::Log2_64(support::strideOf(shape, shape.size() - 1 - fromLast));
  const unsigned first = llvm::Log2_64(layout.step());
  SmallVector<unsigned> bits = operandBitsOf(operand);
  for (unsigned bit = 0; bit < llvm::Log2_64(layout.width()); ++bit)
    if (bits[first + bit] != row + bit)
      return false;
  return layout.width() > 1;
}

/// Whether elements that are contiguous in memory, two in a byte, are a row of the operand, which
/// lies along this dimension, counted from the last one. Only a tensor map copies such rows.
static bool hasRowsAlong(tile::LoadViewOp load, Value operand, int64_t fromLast) {
  auto loaded = tileTypeOf(load.getTile()).getShape(), shape = tileTypeOf(operand).getShape();
  const std::optional<size_t> inRow =
      packedDimensionOf(llvm::cast<tile::TileView>(load.getView().getType()));
  const size_t along = shape.size() - 1 - fromLast;
  if (!inRow || loaded[*inRow] != shape[along])
    return false;
  const unsigned first = llvm::Log2_64(support::strideOf(loaded, *inRow));
  const unsigned row = llvm::Log2_64(support::strideOf(shape, along));
  SmallVector<unsigned> bits = operandBitsOf(operand);
  for (unsigned bit = 0; bit < llvm::Log2_64(shape[along]); ++bit)
    if (bits[first + bit] != row + bit)
      return false;
  return true;
}

/// Whether a thread's part of the load consists of pieces that one copy can transfer.
static bool hasPieces(const Plan &plan, tile::LoadViewOp load) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  auto view = llvm::cast<tile::TileView>(load.getView().getType());
  for (size_t dim = 0; dim < view.getTileShape().size(); ++dim)
    if (tile::ruleOf(view, dim).isSparse)
      return false;
  int64_t width = plan.widthOfAccess(access);
  mlir::Type element = tileTypeOf(load.getTile()).getElementType();
  return width > 1 && width * elementwise::wordBytes(element) >= leastCopyBytes &&
         plan.layoutOfAccess(access) == plan.layoutOf(load.getTile());
}

/// Whether the tile serves only, possibly permuted, as lhs or rhs of products by `wgmma` or
/// `tcgen05.mma`: each of these operands gets a copy of its own.
static bool isForSharedOperands(const Plan &plan, Value tile) {
  return llvm::all_of(tile.getUsers(), [&](Operation *user) {
    if (auto product = llvm::dyn_cast<tile::MatmulOpInterface>(user)) {
      auto found = plan.matrices.find(user);
      return found != plan.matrices.end() && found->second.form.readsSharedMemory() &&
             product.getAcc() != tile;
    }
    auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(user);
    return moved && permutesElements(moved) && isForSharedOperands(plan, user->getResult(0));
  });
}

/// The weak load at the end of the way, if its data can be copied at the operation `until` instead;
/// null otherwise.
static tile::LoadViewOp undisturbedLoad(const Plan &plan, llvm::ArrayRef<Value> way,
                                        Operation *until) {
  auto load = way.back().getDefiningOp<tile::LoadViewOp>();
  if (!load || !isWeakLoad(load))
    return nullptr;
  // Only products read the elements, and memory does not change before `until`.
  bool isOnlyForIt = llvm::all_of(way, [](Value tile) { return tile.hasOneUse(); });
  if (!(isOnlyForIt || isForSharedOperands(plan, way.back())) ||
      load->getBlock() != until->getBlock() || !isUndisturbed(load, until))
    return nullptr;
  // A load may read an alloca, whose memory is never copied from.
  if (!plan.globalAllocas.empty() || !plan.allocas.empty())
    return nullptr;
  return load;
}

tile::LoadViewOp nvidia::copiedLoad(const Plan &plan, tile::MatmulOpInterface product, bool isLhs,
                                    bool isAlongK, Operation *until) {
  SmallVector<Value> way = wayTo(isLhs ? product.getLhs() : product.getRhs());
  tile::LoadViewOp load = undisturbedLoad(plan, way, until);
  if (!load)
    return nullptr;
  if (plan.matrices.find(product)->second.form.isPacked)
    return hasRowsAlong(load, way.front(), isLhs ? 0 : 1) ? load : nullptr;
  bool isRow = loadsPiecesOfRows(plan, load, way.front(), isLhs == isAlongK ? 0 : 1);
  return isRow && hasPieces(plan, load) ? load : nullptr;
}

tile::LoadViewOp nvidia::copiedScales(const Plan &plan, tile::MmaFScaledOp op, bool isLhs) {
  Value scales = scalesOf(op, isLhs);
  SmallVector<Value> way = wayTo(scales);
  tile::LoadViewOp load = undisturbedLoad(plan, way, op);
  const TensorScales places(plan.matrices.find(op)->second);
  if (!load || plan.tensor.written.contains(op) ||
      elementCountOf(scales) != places.bytesOf(isLhs) * places.parts(isLhs))
    return nullptr;
  const int64_t columns = tileTypeOf(scales).getShape().back();
  for (auto [bit, ofOperand] : llvm::enumerate(operandBitsOf(scales))) {
    const int64_t row = (int64_t(1) << ofOperand) / columns,
                  column = (int64_t(1) << ofOperand) % columns;
    if ((isLhs ? places.placeOf(row, column) : places.placeOf(column, row)) != int64_t(1) << bit)
      return nullptr;
  }
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  return linearMapFor(access, places.parts(isLhs)).reason ? nullptr : load;
}

//===-- Loops ---------------------------------------------------------------------------------===//

/// Whether the operation orders other accesses, or changes memory.
static bool isEffect(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return isFence(op) || (access && !isWeakLoad(op));
}

LoopLoads::LoopLoads(const Plan &plan, tile::ForOp loop)
    : plan(plan), loop(loop), hasEffects(loop->walk([](Operation *op) {
                                               return isEffect(op) ? mlir::WalkResult::interrupt()
                                                                   : mlir::WalkResult::advance();
                                             })
                                             .wasInterrupted()) {}

/// Whether the operation computes or loads single elements, so that it can run iterations ahead. An
/// example is the load of an index from a page table.
bool LoopLoads::isIndexOperation(Operation *op) const {
  auto hasOneElement = [](Value value) { return !tileTypeOf(value) || elementCountOf(value) == 1; };
  if (op->getNumRegions() || !llvm::all_of(op->getResults(), hasOneElement) ||
      !llvm::all_of(op->getOperands(), hasOneElement))
    return false;
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return isWeakLoad(op) && !plan.barriers.contains(op) &&
           !(access.isThroughView() && llvm::any_of(op->getOperands(), tileTypeOf));
  return tile::onlyComputes(op);
}

bool LoopLoads::takeIndices(tile::LoadViewOp load, llvm::SetVector<Operation *> &indices) const {
  SmallVector<Operation *> found;
  SmallVector<Value> wanted(load->getOperands());
  while (!wanted.empty()) {
    Value value = wanted.pop_back_val();
    if (isOutside(value) || value == tile::ForOp(loop).inductionVar())
      continue;
    if (llvm::isa<tile::TokenType>(value.getType())) {
      if (hasEffects)
        return false;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !isIndexOperation(op))
      return false;
    found.push_back(op);
    llvm::append_range(wanted, op->getOperands());
  }
  // These operations run again for a later iteration. That must not overwrite elements that other
  // operations of this iteration still read.
  for (Operation *op : found)
    for (Value result : op->getResults())
      if (tileTypeOf(result) && llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(found, user);
          }))
        return false;
  indices.insert_range(found);
  return true;
}
