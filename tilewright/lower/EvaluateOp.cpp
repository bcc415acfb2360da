// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does an operation on constants give? Elementwise operations ask their
// evalElement. Rearrangements move elements, and all of them but `cat` and the two that
// cut bytes are one thing: a walk over the result in row-major order that steps through
// the source with a stride per result dimension (operations, 4).

#include "tilewright/lower/EvaluateOp.h"
#include "tilewright/numerics/Convert.h"
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

bool lower::isEvaluable(Operation *op) {
  return isa<ElementwiseOpInterface, RearrangementOpInterface, IotaOp, CatOp, PackOp, UnpackOp>(op);
}

int64_t lower::evaluationWork(Operation *op, Operands operands) {
  int64_t elements = resultType(op).getNumElements();
  if (isa<IotaOp>(op))
    return elements;
  // Bytes of equal elements may differ, equal halves need not be equal to each other.
  if (isa<PackOp, UnpackOp>(op))
    return std::max(elements, operands[0]->getType().getNumElements());
  bool splats = llvm::all_of(operands, [](const ConstantTile *tile) { return tile->isSplat(); });
  if (isa<CatOp>(op))
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

//===-- Rearrangements ----------------------------------------------------------------------===//

static Result evaluateIota(IotaOp op) {
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

static Result evaluateReshape(ReshapeOp op, const ConstantTile &source) {
  if (source.isSplat())
    return ConstantTile::splat(op.getType(), source[0]);
  return ConstantTile::of(op.getType(), SmallVector<Element>(source.stored()));
}

/// Slices that do not exist are undefined; an index is unsigned (operations, 4.7).
static Result evaluateExtract(ExtractOp op, Operands operands) {
  const ConstantTile &source = *operands.front();
  ArrayRef<int64_t> from = source.getType().getShape(), to = op.getType().getShape();
  SmallVector<int64_t> steps = op.getSelectorSteps();
  int64_t first = 0;
  for (auto [dim, index] : llvm::enumerate(operands.drop_front())) {
    uint64_t slice = (*index)[0].asUnsigned();
    if (slice >= uint64_t(from[dim] / to[dim]))
      return std::nullopt;
    first += int64_t(slice) * steps[dim];
  }
  return gather(op.getType(), source, first, op.getElementSteps());
}

/// Row by row: a run of lhs, then a run of rhs.
static Result evaluateCat(CatOp op, const ConstantTile &lhs, const ConstantTile &rhs) {
  TileType type = op.getType();
  if (lhs.isSplat() && rhs.isSplat() && lhs[0] == rhs[0])
    return ConstantTile::splat(type, lhs[0]);
  auto runOf = [&](const ConstantTile &tile) {
    ArrayRef<int64_t> inner = tile.getType().getShape().drop_front(op.getDim());
    return llvm::product_of(inner);
  };
  int64_t lhsRun = runOf(lhs), rhsRun = runOf(rhs);
  SmallVector<Element> elements;
  for (int64_t row = 0; row < type.getNumElements() / (lhsRun + rhsRun); ++row) {
    for (int64_t i = 0; i < lhsRun; ++i)
      elements.push_back(lhs[row * lhsRun + i]);
    for (int64_t i = 0; i < rhsRun; ++i)
      elements.push_back(rhs[row * rhsRun + i]);
  }
  return ConstantTile::of(type, std::move(elements));
}

/// `pack` and `unpack` read all elements, a splat's too.
static SmallVector<Element> allElements(const ConstantTile &tile) {
  if (tile.isSplat())
    return SmallVector<Element>(tile.getType().getNumElements(), tile[0]);
  return SmallVector<Element>(tile.stored());
}

Result lower::evaluateOp(Operation *op, Operands operands) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](ElementwiseOpInterface op) { return evaluateElementwise(op, operands); })
      .Case([&](IotaOp op) { return evaluateIota(op); })
      .Case([&](ReshapeOp op) { return evaluateReshape(op, *operands[0]); })
      .Case<BroadcastOp, PermuteOp>(
          [&](auto op) { return gather(op.getType(), *operands[0], 0, op.getElementSteps()); })
      .Case([&](ExtractOp op) { return evaluateExtract(op, operands); })
      .Case([&](CatOp op) { return evaluateCat(op, *operands[0], *operands[1]); })
      .Case([&](PackOp op) {
        return ConstantTile::of(op.getType(), numerics::pack(allElements(*operands[0])));
      })
      .Case([&](UnpackOp op) {
        numerics::Format format = *formatOf(op.getType().getElementType());
        return ConstantTile::of(op.getType(), numerics::unpack(allElements(*operands[0]), format));
      })
      .Default([](Operation *) -> Result { llvm_unreachable("isEvaluable said so"); });
}
