// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatrixProduct.h.

#include "tilewright/nvidia/plan/MatrixProduct.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;
using numerics::Format;

static tile::TileType typeOf(Value value) { return llvm::cast<tile::TileType>(value.getType()); }
static Format formatOf(Value value) { return *tile::formatOf(typeOf(value).getElementType()); }

//===-- Instructions --------------------------------------------------------------------------===//

/// i8 products wrap around (arithmetic, 4.31).
static std::string nameOf(tile::MmaIOp op) {
  auto letter = [](tile::Signedness sign) {
    return sign == tile::Signedness::Signed ? "s8" : "u8";
  };
  std::string lhs = letter(op.getSignednessLhs()), rhs = letter(op.getSignednessRhs());
  return "m16n8k32.row.col." + lhs + (lhs == rhs ? "" : "." + rhs);
}

/// Accumulators are f32 for all float types but f64, also if the result is f16. Products of f32
/// operands are not computed in tf32.
static std::optional<MatrixForm> formOf(tile::MatmulOpInterface op, const Target &target) {
  bool has80 = target.capability >= 80;
  if (auto integers = llvm::dyn_cast<tile::MmaIOp>(op.getOperation()))
    return has80 ? std::optional(MatrixForm{nameOf(integers), 16}) : std::nullopt;
  if (!llvm::isa<tile::MmaFOp>(op.getOperation()))
    return std::nullopt;
  Format format = formatOf(op.getLhs());
  if (format == Format::F16)
    return has80 ? MatrixForm{"m16n8k16.row.col.f32.f32", 16}
                 : MatrixForm{"m16n8k8.row.col.f32.f32", 16, 16, 65};
  if (format == Format::BF16 && has80)
    return MatrixForm{"m16n8k16.row.col.bf16", 16};
  if (format == Format::TF32 && has80)
    return MatrixForm{"m16n8k8.row.col.tf32", 16};
  if (format == Format::F64 && has80)
    return MatrixForm{"m8n8k4.row.col.f64", 8};
  if (format == Format::F8E4M3FN && target.capability >= 89)
    return MatrixForm{"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 84};
  if (format == Format::F8E5M2 && target.capability >= 89)
    return MatrixForm{"m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 32, 84};
  return std::nullopt;
}

//===-- Warps ---------------------------------------------------------------------------------===//

/// Divides the result as squarely as possible: each fragment of an operand is used as often as the
/// other operand has fragments.
static void shareAmongWarps(MatrixProduct &product, int64_t warps) {
  product.warpsAlongM = product.warpsAlongN = 1;
  for (; warps > 1; warps /= 2) {
    int64_t m = product.fragmentsAlongM(), n = product.fragmentsAlongN();
    if (m == 1 && n == 1)
      return;
    bool takesM = n == 1 || (m > 1 && m * product.form.rows >= n * MatrixProduct::columns);
    (takesM ? product.warpsAlongM : product.warpsAlongN) *= 2;
  }
}

/// In a fragment, a lane has two adjacent elements of row `lane / 4`, and, if there are 16 rows, of
/// the eighth row after it. In a pair of fragments, adjacent columns alternate between both.
TileLayout MatrixProduct::layout(int64_t threads) const {
  llvm::SmallVector<Digit, 16> digits = {{false, 0}};
  unsigned slot = 1, warp = Digit::laneBits;
  if (isPaired)
    digits.push_back({false, slot++});
  digits.append({{true, 0}, {true, 1}});
  const unsigned eighthAfter = form.rows == 16 ? slot++ : 0;
  auto add = [&](int64_t fragments, int64_t warps) {
    for (; fragments > 1; fragments /= 2)
      digits.push_back({false, slot++});
    for (; warps > 1; warps /= 2)
      digits.push_back({true, warp++});
  };
  add(isPaired ? fragmentsAlongN() / 2 : fragmentsAlongN(), warpsAlongN);
  digits.append({{true, 2}, {true, 3}, {true, 4}});
  if (form.rows == 16)
    digits.push_back({false, eighthAfter});
  add(fragmentsAlongM(), warpsAlongM);
  add(batches, 1);
  return TileLayout(digits, threads, mostInRegisters());
}

/// Register numbers consist of the batch, the fragment along m, the fragment along n, and the
/// element of the fragment; in pairs, the last bit is that of the fragment along n.
llvm::SmallVector<int64_t, 4> MatrixProduct::slotsOf(int64_t batch, int64_t i, int64_t j) const {
  const int64_t count = form.rows / 4;
  int64_t fragment = (batch * fragmentsAlongM() + i) * fragmentsAlongN() + j;
  llvm::SmallVector<int64_t, 4> slots;
  for (int64_t at = 0; at < count; ++at)
    slots.push_back(isPaired ? fragment / 2 * 2 * count + 2 * at + fragment % 2
                             : fragment * count + at);
  return slots;
}

int64_t MatrixProduct::rowsOfPiece(int64_t threads) const {
  if (layout(threads).isInRegisters())
    return fragmentsAlongM();
  return std::min<int64_t>(fragmentsAlongM(),
                           llvm::bit_floor(uint64_t(mostInRegisters() / sumsOfRow())));
}

//===-- Products ------------------------------------------------------------------------------===//

std::optional<MatrixProduct> nvidia::matrixProductOf(tile::MatmulOpInterface op,
                                                     const Target &target, int64_t threads) {
  std::optional<MatrixForm> form = formOf(op, target);
  if (!form)
    return std::nullopt;
  auto shape = typeOf(op.getAcc()).getShape(), lhs = typeOf(op.getLhs()).getShape();
  size_t rank = shape.size();
  MatrixProduct product{*form,
                        rank == 3 ? shape[0] : 1,
                        shape[rank - 2],
                        shape[rank - 1],
                        lhs.back(),
                        numerics::info(formatOf(op.getLhs())).storageBits / 8,
                        1,
                        1};
  if (product.m < form->rows || product.n < MatrixProduct::columns || product.k < product.steps() ||
      product.bytesOf(product.steps()) > target.tuning.mostStepBytes)
    return std::nullopt;
  product.mostRegisters = target.tuning.mostAccumulatorRegisters;
  shareAmongWarps(product, threads / 32);
  const int64_t most = product.mostInRegisters();
  if (product.layout(threads).slots() > most * target.tuning.mostAccumulatorPieces ||
      product.sumsOfRow() > most)
    return std::nullopt;
  return product;
}
