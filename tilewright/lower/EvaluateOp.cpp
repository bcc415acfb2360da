// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates one operation on constants. Elementwise operations call their evalElement. For
// rearrangements, each step along a dimension of the result moves by a fixed distance in the
// source: a walk over the result in row-major order copies the elements (operations, 4). Only
// `cat`, which has two sources, `insert`, `pack` and `unpack` have functions of their own.

#include "tilewright/lower/EvaluateOp.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;

using Operands = ArrayRef<const ConstantTile *>;
using Result = std::optional<ConstantTile>;

static TileType resultType(Operation *op) { return cast<TileType>(op->getResult(0).getType()); }

int64_t lower::evaluationWork(Operation *op, Operands operands) {
  int64_t elements = resultType(op).getNumElements();
  if (isa<IotaOp>(op))
    return elements;
  // The bytes of equal elements may differ, and equal halves need not equal each other.
  if (isa<PackOp, UnpackOp>(op))
    return std::max(elements, operands[0]->getType().getNumElements());
  bool splats = llvm::all_of(operands, [](const ConstantTile *tile) { return tile->isSplat(); });
  if (isa<CatOp, InsertOp>(op))
    splats = splats && (*operands[0])[0] == (*operands[1])[0];
  return splats ? 1 : elements;
}

//===-- Elementwise -----------------------------------------------------------------------===//

static Result evaluateElementwise(ElementwiseOpInterface op, Operands operands) {
  TileType type = resultType(op);
  bool splat = llvm::all_of(operands, [](const ConstantTile *tile) { return tile->isSplat(); });
  int64_t count = splat ? 1 : type.getNumElements();
  SmallVector<Element> elements, in(operands.size(), Element::boolean(false));
  elements.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    for (auto [element, operand] : llvm::zip_equal(in, operands))
      element = (*operand)[i];
    elements.push_back(op.evalElement(in));
    if (elements.back().poison)
      return std::nullopt;
  }
  return splat ? ConstantTile::splat(type, elements.front())
               : ConstantTile::of(type, std::move(elements));
}

//===-- Bytes -------------------------------------------------------------------------------===//

/// `pack` and `unpack` read all elements, even those of a splat.
static SmallVector<Element> allElements(const ConstantTile &tile) {
  if (tile.isSplat())
    return SmallVector<Element>(tile.getType().getNumElements(), tile[0]);
  return SmallVector<Element>(tile.stored());
}

static Result evaluatePack(PackOp op, Operands operands) {
  return ConstantTile::of(op.getType(), numerics::pack(allElements(*operands[0])));
}

static Result evaluateUnpack(UnpackOp op, Operands operands) {
  numerics::Format format = *formatOf(op.getType().getElementType());
  return ConstantTile::of(op.getType(), numerics::unpack(allElements(*operands[0]), format));
}

//===-- Rearrangements ----------------------------------------------------------------------===//

static Result evaluateIota(IotaOp op, Operands) {
  TileType type = op.getType();
  numerics::Format format = *formatOf(type.getElementType());
  SmallVector<Element> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(Element::integer(format, i));
  return ConstantTile::of(type, std::move(elements));
}

/// Result element (i0, i1, ...) is source element first + i0 * step[0] + i1 * step[1] + ...
static ConstantTile gather(TileType type, const ConstantTile &source, int64_t first,
                           ArrayRef<int64_t> step) {
  if (source.isSplat())
    return ConstantTile::splat(type, source[0]);
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<int64_t> at(shape.size(), 0);
  SmallVector<Element> elements;
  int64_t count = type.getNumElements();
  elements.reserve(count);
  for (int64_t from = first; int64_t(elements.size()) < count;) {
    elements.push_back(source[from]);
    for (size_t dim = shape.size(); dim-- > 0;) {
      from += step[dim];
      if (++at[dim] < shape[dim])
        break;
      from -= step[dim] * shape[dim];
      at[dim] = 0;
    }
  }
  return ConstantTile::of(type, std::move(elements));
}

/// A selector is the unsigned number of a slice along its dimension; a slice that does not exist is
/// undefined (operations, 4.7).
static Result evaluateRearrangement(RearrangementOpInterface op, Operands operands) {
  const ConstantTile &source = *operands.front();
  TileType type = resultType(op);
  ArrayRef<int64_t> from = source.getType().getShape(), to = type.getShape();
  SmallVector<int64_t> steps = op.getSelectorSteps();
  int64_t first = 0;
  for (auto [dim, selector] : llvm::enumerate(operands.drop_front())) {
    uint64_t slice = (*selector)[0].asUnsigned();
    if (slice >= uint64_t(from[dim] / to[dim]))
      return std::nullopt;
    first += int64_t(slice) * steps[dim];
  }
  return gather(type, source, first, op.getElementSteps());
}

/// Row by row: a segment of lhs, then a segment of rhs.
static Result evaluateCat(CatOp op, Operands operands) {
  const ConstantTile &lhs = *operands[0], &rhs = *operands[1];
  TileType type = op.getType();
  if (lhs.isSplat() && rhs.isSplat() && lhs[0] == rhs[0])
    return ConstantTile::splat(type, lhs[0]);
  auto segmentOf = [&](const ConstantTile &tile) {
    ArrayRef<int64_t> inner = tile.getType().getShape().drop_front(op.getDim());
    return llvm::product_of(inner);
  };
  int64_t lhsSegment = segmentOf(lhs), rhsSegment = segmentOf(rhs);
  SmallVector<Element> elements;
  for (int64_t row = 0; row < type.getNumElements() / (lhsSegment + rhsSegment); ++row) {
    for (int64_t i = 0; i < lhsSegment; ++i)
      elements.push_back(lhs[row * lhsSegment + i]);
    for (int64_t i = 0; i < rhsSegment; ++i)
      elements.push_back(rhs[row * rhsSegment + i]);
  }
  return ConstantTile::of(type, std::move(elements));
}

/// The source replaces the slice that the indices (unsigned) select; a slice that does not exist is
/// undefined (13.4, section 2).
static Result evaluateInsert(InsertOp op, Operands operands) {
  const ConstantTile &source = *operands[0], &destination = *operands[1];
  ArrayRef<int64_t> part = source.getType().getShape(), whole = op.getType().getShape();
  auto steps = support::rowMajorStrides<SmallVector<int64_t>>(whole);
  int64_t first = 0;
  for (auto [dim, index] : llvm::enumerate(operands.drop_front(2))) {
    uint64_t slice = (*index)[0].asUnsigned();
    if (slice >= uint64_t(whole[dim] / part[dim]))
      return std::nullopt;
    first += int64_t(slice) * part[dim] * steps[dim];
  }
  if (source.isSplat() && destination.isSplat() && source[0] == destination[0])
    return destination;
  SmallVector<Element> elements = allElements(destination);
  for (int64_t i = 0; i < source.getType().getNumElements(); ++i) {
    int64_t to = first;
    for (auto [at, step] :
         llvm::zip_equal(support::coordinatesOf<SmallVector<int64_t>>(part, i), steps))
      to += at * step;
    elements[to] = source[i];
  }
  return ConstantTile::of(op.getType(), std::move(elements));
}

//===-- The function for each operation -------------------------------------------------------===//

using Evaluate = Result (*)(Operation *, Operands);

template <typename Op, Result (*evaluate)(Op, Operands)>
static Result evaluateAs(Operation *op, Operands operands) {
  return evaluate(cast<Op>(op), operands);
}

/// Null if there is no function for the operation.
static Evaluate evaluatorOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Evaluate>(op)
      .Case([](ElementwiseOpInterface) {
        return evaluateAs<ElementwiseOpInterface, evaluateElementwise>;
      })
      .Case([](RearrangementOpInterface) {
        return evaluateAs<RearrangementOpInterface, evaluateRearrangement>;
      })
      .Case([](IotaOp) { return evaluateAs<IotaOp, evaluateIota>; })
      .Case([](CatOp) { return evaluateAs<CatOp, evaluateCat>; })
      .Case([](InsertOp) { return evaluateAs<InsertOp, evaluateInsert>; })
      .Case([](PackOp) { return evaluateAs<PackOp, evaluatePack>; })
      .Case([](UnpackOp) { return evaluateAs<UnpackOp, evaluateUnpack>; })
      .Default([](Operation *) -> Evaluate { return nullptr; });
}

bool lower::isEvaluable(Operation *op) { return evaluatorOf(op); }

Result lower::evaluateOp(Operation *op, Operands operands) {
  Evaluate evaluate = evaluatorOf(op);
  assert(evaluate && "the operation is evaluable");
  return evaluate(op, operands);
}
