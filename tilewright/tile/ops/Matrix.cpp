// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of matrix products. All three operations share the checks of shapes; element types are
// checked against a table for each (arithmetic, 4.30 to 4.32).

#include "tilewright/tile/Ops.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {
struct NamedTile {
  StringRef name;
  TileType type;
};
} // namespace

/// Checks that dimension `dimA` of one matrix has the extent of `dimB` of another. Dimensions are
/// counted within a matrix: 0 rows, 1 columns; -1 is the batch.
static LogicalResult verifySameExtent(Operation *op, NamedTile a, int dimA, NamedTile b, int dimB) {
  int64_t batched = a.type.getRank() - 2;
  int64_t i = batched + dimA, j = batched + dimB;
  if (a.type.getDimSize(i) == b.type.getDimSize(j))
    return success();
  return op->emitOpError() << "shape error: dim " << i << " of " << a.name << " ("
                           << a.type.getDimSize(i) << ") and dim " << j << " of " << b.name << " ("
                           << b.type.getDimSize(j) << ") must match, but got " << a.name
                           << " shape (" << a.type.getShape() << ") and " << b.name << " shape ("
                           << b.type.getShape() << ")";
}

/// MxK, KxN and MxN, all with the same batch dimension in front or none.
static LogicalResult verifyShapes(Operation *op, NamedTile lhs, NamedTile rhs, NamedTile acc) {
  int64_t rank = lhs.type.getRank();
  if (rank != 2 && rank != 3)
    return op->emitOpError() << "operands must be 2D or 3D tiles";
  if (rank == 3 && (failed(verifySameExtent(op, lhs, -1, rhs, -1)) ||
                    failed(verifySameExtent(op, lhs, -1, acc, -1))))
    return failure();
  return success(succeeded(verifySameExtent(op, lhs, 1, rhs, 0)) &&
                 succeeded(verifySameExtent(op, lhs, 0, acc, 0)) &&
                 succeeded(verifySameExtent(op, rhs, 1, acc, 1)));
}

LogicalResult MmaFOp::verify() {
  if (failed(verifyShapes(*this, {"lhs", getLhs().getType()}, {"rhs", getRhs().getType()},
                          {"acc", getAcc().getType()})))
    return failure();
  Type input = getLhs().getType().getElementType();
  Type acc = getAcc().getType().getElementType();
  bool half = isa<Float16Type, Float8E4M3FNType, Float8E5M2Type>(input);
  bool legal = input.isF64() ? acc.isF64() : acc.isF32() || (half && acc.isF16());
  if (!legal)
    return emitOpError() << "unsupported combination of element types. Input type " << input
                         << " expects accumulator/result type to be one of {"
                         << (input.isF64() ? "'f64'"
                             : half        ? "'f16', 'f32'"
                                           : "'f32'")
                         << "}, but got " << acc;
  return success();
}

LogicalResult MmaIOp::verify() {
  return verifyShapes(*this, {"lhs", getLhs().getType()}, {"rhs", getRhs().getType()},
                      {"acc", getAcc().getType()});
}

/// One scale covers `block` consecutive elements along K.
static LogicalResult verifyScaling(Operation *op, Type data, Type scale, int64_t k,
                                   int64_t scales) {
  bool f4 = isa<Float4E2M1FNType>(data), e4m3Scale = isa<Float8E4M3FNType>(scale);
  std::string scaleName = numerics::info(*formatOf(scale)).spelling;
  if (!isa<Float8E8M0FNUType>(scale) && !f4)
    return op->emitOpError() << "unsupported combination of element types. Scale type '"
                             << scaleName
                             << "' expects lhs and rhs element types to be 'f4E2M1FN', but got "
                             << data;
  if (k % scales != 0)
    return op->emitOpError() << "shape error: the number of scales along K (" << scales
                             << ") must divide K (" << k << ")";
  int64_t block = k / scales;
  auto reject = [&](const Twine &what, StringRef expected) {
    return op->emitOpError() << "shape error: " << what
                             << " block scale factor of lhs_scale and rhs_scale to be " << expected
                             << ", but got " << block;
  };
  if (!f4 && block != 32)
    return reject("f8 element type requires", "32");
  if (f4 && block != 16 && (e4m3Scale || block != 32))
    return reject("f4E2M1FN element type with " + scaleName + " scales requires",
                  e4m3Scale ? "16" : "16 or 32");
  return success();
}

LogicalResult MmaFScaledOp::verify() {
  NamedTile lhs = {"lhs", getLhs().getType()}, rhs = {"rhs", getRhs().getType()};
  NamedTile lhsScale = {"lhs_scale", getLhsScale().getType()};
  NamedTile rhsScale = {"rhs_scale", getRhsScale().getType()};
  if (failed(verifyShapes(*this, lhs, rhs, {"acc", getAcc().getType()})))
    return failure();
  bool batched = lhs.type.getRank() == 3;
  if (batched && (failed(verifySameExtent(*this, lhs, -1, lhsScale, -1)) ||
                  failed(verifySameExtent(*this, rhs, -1, rhsScale, -1))))
    return failure();
  if (failed(verifySameExtent(*this, lhs, 0, lhsScale, 0)) ||
      failed(verifySameExtent(*this, rhs, 1, rhsScale, 1)) ||
      failed(verifySameExtent(*this, lhsScale, 1, rhsScale, 0)))
    return failure();
  return verifyScaling(*this, lhs.type.getElementType(), lhsScale.type.getElementType(),
                       lhs.type.getShape().back(), lhsScale.type.getShape().back());
}
