// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatmulForm.h.

#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;

mlir::Type ProductForm::word() const {
  return perWord == 1 ? factor : mlir::IntegerType::get(factor.getContext(), 32);
}

static tile::TileType factorTile(mlir::Operation *mma, unsigned operand) {
  return llvm::cast<tile::TileType>(mma->getOperand(operand).getType());
}

/// Every value of the format is one of bf16.
static bool fitsBf16(mlir::Type element) {
  return element.isBF16() || llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element);
}

/// Whether the tiles of AMX would be half full, at least.
static bool fillsTiles(mlir::Operation *mma, int64_t perWord) {
  auto lhs = factorTile(mma, 0).getShape(), rhs = factorTile(mma, 1).getShape();
  return lhs[lhs.size() - 2] >= 8 && rhs.back() >= 8 && lhs.back() >= 8 * perWord;
}

ProductForm cpu::productForm(mlir::Operation *mma, const Target &target) {
  mlir::MLIRContext *context = mma->getContext();
  auto integer = [&](unsigned bits) { return mlir::IntegerType::get(context, bits); };
  mlir::Type single = mlir::Float32Type::get(context), wide = mlir::Float64Type::get(context);
  mlir::Type element = factorTile(mma, 0).getElementType();
  auto lhs = factorTile(mma, 0).getShape(), rhs = factorTile(mma, 1).getShape();
  int64_t k = lhs.back(), columns = rhs.back();
  bool fillsVector = columns >= 4; // the shortest that the instructions have
  if (llvm::isa<tile::MmaIOp>(mma)) {
    if (target.hasAmxInt8 && fillsTiles(mma, 4))
      return {Step::Int8Tiles, integer(32), integer(8), 4};
    if (fillsVector && k >= 4 && target.hasAvx512Vnni)
      return {Step::Int8Dot, integer(32), integer(8), 4};
    if (fillsVector && k >= 2 && target.hasWordDot)
      return {Step::Int16Dot, integer(32), integer(16), 2};
    return {Step::Fma, integer(32), integer(32)};
  }
  // A scaled factor may be outside of the range of f32.
  if (llvm::isa<tile::MmaFScaledOp>(mma))
    return {Step::Fma, single, wide};
  if (element.isF64())
    return {Step::Fma, wide, wide};
  bool keepsF32 = factorTile(mma, 2).getElementType().isF32();
  if (target.hasAmxBf16 && fitsBf16(element) && keepsF32 && fillsTiles(mma, 2))
    return {Step::Bf16Tiles, single, integer(16), 2};
  if (fillsVector && k >= 2 && target.hasFastBf16Dot && fitsBf16(element))
    return {Step::Bf16Dot, single, integer(16), 2};
  return {Step::Fma, single, single};
}

/// Steps for a block of sums: with four vectors of columns, factors of 16 KiB, half of the
/// smallest first cache.
static constexpr int64_t stepsTogether = 64;

int64_t cpu::turnsTogether(mlir::Operation *mma, const ProductForm &form) {
  auto sums = llvm::cast<tile::TileType>(mma->getResult(0).getType());
  if (registerType(sums.getElementType()) != form.chain)
    return 1; // they are rounded after each turn
  int64_t steps = factorTile(mma, 0).getShape().back() / form.perWord;
  return std::max<int64_t>(1, stepsTogether / steps);
}

int64_t cpu::factorBytes(mlir::Operation *mma, unsigned operand, const ProductForm &form) {
  int64_t words = factorTile(mma, operand).getNumElements() / form.perWord;
  return llvm::alignTo(words * form.word().getIntOrFloatBitWidth() / 8, arenaAlignment);
}

int64_t cpu::correctionBytes(mlir::Operation *mma, const ProductForm &form) {
  auto integers = llvm::dyn_cast<tile::MmaIOp>(mma);
  if (form.step != Step::Int8Dot || integers.getSignednessLhs() != integers.getSignednessRhs())
    return 0;
  tile::TileType rhs = factorTile(mma, 1);
  return llvm::alignTo(4 * rhs.getNumElements() / rhs.getShape()[rhs.getRank() - 2],
                       arenaAlignment);
}

bool cpu::areFactors(mlir::Operation *mma, unsigned operand, const ProductForm &form) {
  mlir::Type element = factorTile(mma, operand).getElementType();
  return form.step == Step::Fma && !llvm::isa<tile::MmaFScaledOp>(mma) &&
         registerType(element) == form.factor;
}
