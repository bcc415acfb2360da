// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatmulForm.h.

#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;

mlir::Type MatmulForm::word() const {
  return perWord == 1 ? operand : mlir::IntegerType::get(operand.getContext(), 32);
}

static tile::TileType operandTile(mlir::Operation *mma, unsigned operand) {
  return llvm::cast<tile::TileType>(mma->getOperand(operand).getType());
}

/// Whether every value of the format is a bf16 value.
static bool fitsBf16(mlir::Type element) {
  return element.isBF16() || llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element);
}

/// Whether AMX tiles would be sufficiently full.
static bool fillsTiles(mlir::Operation *mma, int64_t perWord, const Tuning &tuning) {
  auto lhs = operandTile(mma, 0).getShape(), rhs = operandTile(mma, 1).getShape();
  int64_t least = tuning.leastTileExtent;
  return lhs[lhs.size() - 2] >= least && rhs.back() >= least && lhs.back() >= least * perWord;
}

MatmulForm cpu::matmulForm(mlir::Operation *mma, const Target &target) {
  mlir::MLIRContext *context = mma->getContext();
  auto integer = [&](unsigned bits) { return mlir::IntegerType::get(context, bits); };
  mlir::Type single = mlir::Float32Type::get(context), wide = mlir::Float64Type::get(context);
  mlir::Type element = operandTile(mma, 0).getElementType();
  auto lhs = operandTile(mma, 0).getShape(), rhs = operandTile(mma, 1).getShape();
  int64_t k = lhs.back(), columns = rhs.back();
  bool fillsVector = columns >= 4; // the shortest vectors of these instructions
  if (llvm::isa<tile::MmaIOp>(mma)) {
    if (target.hasAmxInt8 && fillsTiles(mma, 4, target.tuning))
      return {MmaKind::Int8Tiles, integer(32), integer(8), 4};
    if (fillsVector && k >= 4 && target.hasAvx512Vnni)
      return {MmaKind::Int8Dot, integer(32), integer(8), 4};
    if (fillsVector && k >= 2 && target.hasWordDot)
      return {MmaKind::Int16Dot, integer(32), integer(16), 2};
    return {MmaKind::Fma, integer(32), integer(32)};
  }
  // A scaled element may exceed the range of f32.
  if (llvm::isa<tile::MmaFScaledOp>(mma))
    return {MmaKind::Fma, single, wide};
  if (element.isF64())
    return {MmaKind::Fma, wide, wide};
  bool keepsF32 = operandTile(mma, 2).getElementType().isF32();
  if (target.hasAmxBf16 && fitsBf16(element) && keepsF32 && fillsTiles(mma, 2, target.tuning))
    return {MmaKind::Bf16Tiles, single, integer(16), 2};
  if (fillsVector && k >= 2 && target.hasFastBf16Dot && fitsBf16(element))
    return {MmaKind::Bf16Dot, single, integer(16), 2};
  return {MmaKind::Fma, single, single};
}

int64_t cpu::operandBytes(mlir::Operation *mma, unsigned operand, const MatmulForm &form) {
  int64_t words = operandTile(mma, operand).getNumElements() / form.perWord;
  return llvm::alignTo(words * form.word().getIntOrFloatBitWidth() / 8, arenaAlignment);
}

int64_t cpu::correctionBytes(mlir::Operation *mma, const MatmulForm &form) {
  auto integers = llvm::dyn_cast<tile::MmaIOp>(mma);
  if (form.kind != MmaKind::Int8Dot || integers.getSignednessLhs() != integers.getSignednessRhs())
    return 0;
  tile::TileType rhs = operandTile(mma, 1);
  return llvm::alignTo(4 * rhs.getNumElements() / rhs.getShape()[rhs.getRank() - 2],
                       arenaAlignment);
}

int64_t cpu::scaleBlock(tile::MmaFScaledOp mma, unsigned operand) {
  mlir::Value scale = operand == 0 ? mma.getLhsScale() : mma.getRhsScale();
  auto shape = llvm::cast<tile::TileType>(scale.getType()).getShape();
  return operandTile(mma, 0).getShape().back() / shape[shape.size() - (operand == 0 ? 1 : 2)];
}

bool cpu::wordsAreElements(mlir::Operation *mma, unsigned operand, const MatmulForm &form) {
  // A word of rhs holds elements of several rows.
  if (operand == 1 && form.perWord > 1)
    return false;
  // The dot products of bf16 take the upper half of a word first.
  if (form.kind == MmaKind::Bf16Dot)
    return false;
  mlir::Type element = operandTile(mma, operand).getElementType();
  return element == form.operand || (element.isBF16() && form.kind == MmaKind::Bf16Tiles);
}

bool cpu::canReadInPlace(mlir::Operation *mma, unsigned operand, const MatmulForm &form) {
  mlir::Type element = operandTile(mma, operand).getElementType();
  return form.kind == MmaKind::Fma && !llvm::isa<tile::MmaFScaledOp>(mma) &&
         registerType(element) == form.operand;
}
