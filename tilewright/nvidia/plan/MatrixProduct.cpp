// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatrixProduct.h.

#include "tilewright/nvidia/plan/MatrixProduct.h"
#include "tilewright/elementwise/Elements.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using mlir::Value;
using numerics::Format;

static tile::TileType typeOf(Value value) { return llvm::cast<tile::TileType>(value.getType()); }
static Format formatOf(Value value) { return *tile::formatOf(typeOf(value).getElementType()); }

//===-- Instructions --------------------------------------------------------------------------===//

static std::string nameOf(tile::Signedness sign) {
  return sign == tile::Signedness::Signed ? "s8" : "u8";
}

/// i8 products wrap around (arithmetic, 4.31).
static std::string nameOf(tile::MmaIOp op) {
  std::string lhs = nameOf(op.getSignednessLhs()), rhs = nameOf(op.getSignednessRhs());
  return "m16n8k32.row.col." + lhs + (lhs == rhs ? "" : "." + rhs);
}

/// The type of an element of a block-scaled product in the name of an instruction.
static const char *scaledNameOf(Format format) {
  return format == Format::F8E4M3FN ? "e4m3" : format == Format::F8E5M2 ? "e5m2" : "e2m1";
}

/// The elements along k that have the same scale.
static int64_t blockOf(tile::MmaFScaledOp op) {
  return typeOf(op.getLhs()).getShape().back() / typeOf(op.getLhsScale()).getShape().back();
}

/// Only sm_120a and sm_121a have `mma.sync` with scales. For 16 elements with one scale, it takes
/// two elements per byte, but elements in shared memory have a byte each.
static std::optional<MatrixForm> formWithScales(tile::MmaFScaledOp op, const Target &target) {
  if (target.capability < 120 || formatOf(op.getLhsScale()) != Format::F8E8M0FNU ||
      blockOf(op) != 32)
    return std::nullopt;
  const std::string type = scaledNameOf(formatOf(op.getLhs()));
  MatrixForm form{"block.scale.m16n8k32.row.col.mxf8f6f4.f32." + type + "." + type + ".f32.ue8m0",
                  16, 32, 87};
  form.takesScales = true;
  return form;
}

/// Products of 8-bit elements where an instruction multiplies them, else of f16: all values of 8
/// and 4 bits are values of f16.
static std::optional<MatrixForm> scaledFormOf(tile::MmaFScaledOp op, const Target &target) {
  const Format format = formatOf(op.getLhs());
  if (target.capability < 80)
    return std::nullopt;
  if (std::optional<MatrixForm> form = formWithScales(op, target))
    return form;
  if (target.capability >= 89 && format != Format::F4E2M1FN) {
    const std::string type = scaledNameOf(format);
    return MatrixForm{"m16n8k32.row.col.f32." + type + "." + type + ".f32", 16, 32, 84};
  }
  MatrixForm form{"m16n8k16.row.col.f32.f32", 16, 16};
  form.takesHalves = true;
  return form;
}

/// Accumulators are f32 for all float types but f64, also if the result is f16. Products of f32
/// operands are not computed in tf32.
static std::optional<MatrixForm> formOf(tile::MatmulOpInterface op, const Target &target) {
  bool has80 = target.capability >= 80;
  if (auto integers = llvm::dyn_cast<tile::MmaIOp>(op.getOperation()))
    return has80 ? std::optional(MatrixForm{nameOf(integers), 16}) : std::nullopt;
  Format format = formatOf(op.getLhs());
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation()))
    return scaledFormOf(scaled, target);
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

/// Only sm_90a has `wgmma`.
static std::optional<MatrixForm> warpgroupFormOf(tile::MatmulOpInterface op, const Target &target) {
  if (target.capability != 90)
    return std::nullopt;
  auto form = [](const std::string &types) {
    return MatrixForm{types, /*rows=*/64, MatrixForm::bytesAlongK, /*ptxVersion=*/80,
                      MatrixForm::Group};
  };
  if (auto integers = llvm::dyn_cast<tile::MmaIOp>(op.getOperation()))
    return form("s32." + nameOf(integers.getSignednessLhs()) + "." +
                nameOf(integers.getSignednessRhs()));
  if (!llvm::isa<tile::MmaFOp>(op.getOperation()))
    return std::nullopt;
  switch (formatOf(op.getLhs())) {
  case Format::F16:
    return form("f32.f16.f16");
  case Format::BF16:
    return form("f32.bf16.bf16");
  case Format::TF32:
    return form("f32.tf32.tf32");
  case Format::F8E4M3FN:
    return form("f32.e4m3.e4m3");
  case Format::F8E5M2:
    return form("f32.e5m2.e5m2");
  default:
    return std::nullopt;
  }
}

/// The sums of fp8 products by `wgmma` have fewer bits than f32, which only `fast_acc` permits
/// (arithmetic, 4.30).
static bool needsPromotion(tile::MatmulOpInterface op) {
  auto floats = llvm::dyn_cast<tile::MmaFOp>(op.getOperation());
  return floats && !floats.getFastAcc() && numerics::info(formatOf(op.getLhs())).storageBits == 8;
}

/// A kind of `tcgen05.mma` with scales, and the numbers of types in its instruction descriptor (PTX
/// ISA, 9.7.16.4.2): instead of those of the result, it has the number of a byte of scales. Bit 23
/// means that scales are f8E8M0FNU. A negative f8E4M3FN scale is undefined (arithmetic, 4.32).
static std::optional<MatrixForm> scaledTensorFormOf(tile::MmaFScaledOp op, int64_t rows) {
  const Format format = formatOf(op.getLhs()), scale = formatOf(op.getLhsScale());
  const bool isPacked = format == Format::F4E2M1FN, isPower = scale == Format::F8E8M0FNU;
  if (!isPower && scale != Format::F8E4M3FN)
    return std::nullopt;
  const bool isOf16 = blockOf(op) == 16;
  const uint32_t type = isPacked || format == Format::F8E5M2;
  MatrixForm form{isOf16     ? "mxf4nvf4.block_scale.scale_vec::4X"
                  : isPacked ? "mxf4.block_scale.scale_vec::2X"
                             : "mxf8f6f4.block_scale.scale_vec::1X",
                  rows,
                  MatrixForm::bytesAlongK,
                  /*ptxVersion=*/isOf16 ? 87u : 86u,
                  MatrixForm::Tensor,
                  type << 7 | type << 10 | uint32_t(isPower) << 23};
  form.takesScales = true;
  form.isPacked = isPacked;
  return form;
}

/// The numbers of types in an instruction descriptor (PTX ISA, 9.7.16.4.2). i8 products wrap
/// around, and sums of fp8 products are f32. None for types that no kind of `tcgen05.mma`
/// multiplies as the specification requires; sm_103a has no kind for i8.
static std::optional<MatrixForm> tensorFormOf(tile::MatmulOpInterface op, const Target &target,
                                              int64_t rows) {
  auto form = [&](const char *kind, uint32_t result, uint32_t lhs, uint32_t rhs) {
    return MatrixForm{kind,
                      rows,
                      MatrixForm::bytesAlongK,
                      /*ptxVersion=*/86,
                      MatrixForm::Tensor,
                      result << 4 | lhs << 7 | rhs << 10};
  };
  constexpr uint32_t f32 = 1, i32 = 2;
  if (auto integers = llvm::dyn_cast<tile::MmaIOp>(op.getOperation()))
    return target.capability == 103
               ? std::nullopt
               : std::optional(form("i8", i32,
                                    integers.getSignednessLhs() == tile::Signedness::Signed,
                                    integers.getSignednessRhs() == tile::Signedness::Signed));
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation()))
    return scaledTensorFormOf(scaled, rows);
  if (!llvm::isa<tile::MmaFOp>(op.getOperation()))
    return std::nullopt;
  switch (formatOf(op.getLhs())) {
  case Format::F16:
    return form("f16", f32, 0, 0);
  case Format::BF16:
    return form("f16", f32, 1, 1);
  case Format::TF32:
    return form("tf32", f32, 2, 2);
  case Format::F8E4M3FN:
    return form("f8f6f4", f32, 0, 0);
  case Format::F8E5M2:
    return form("f8f6f4", f32, 1, 1);
  default:
    return std::nullopt;
  }
}

//===-- Warps ---------------------------------------------------------------------------------===//

/// Divides the result as squarely as possible: each fragment of an operand is used as often as the
/// other operand has fragments. Warpgroups divide the rows first: the more columns a `wgmma` has,
/// the less often lhs is read from shared memory.
static void shareAmongWarps(MatrixProduct &product, int64_t warps) {
  product.warpsAlongM = product.warpsAlongN = 1;
  for (; warps > 1; warps /= 2) {
    int64_t m = product.fragmentsAlongM(), n = product.fragmentsAlongN();
    if (m == 1 && n == 1)
      return;
    bool takesM = n == 1 || (m > 1 && (product.form.readsSharedMemory() ||
                                       m * product.form.rows >= n * MatrixProduct::columns));
    (takesM ? product.warpsAlongM : product.warpsAlongN) *= 2;
  }
}

/// In a fragment, a lane has two adjacent elements of row `lane / 4`, and, unless there are 8 rows,
/// of the eighth row after it. In a pair of fragments, adjacent columns alternate between both. Of
/// 64 rows, each warp of a warpgroup has 16.
TileLayout MatrixProduct::layout(int64_t threads) const {
  llvm::SmallVector<Digit, 16> digits;
  unsigned slot = 0, warp = llvm::Log2_64(form.threads());
  auto add = [&](int64_t elements, int64_t warps) {
    for (; elements > 1; elements /= 2)
      digits.push_back({false, slot++});
    for (; warps > 1; warps /= 2)
      digits.push_back({true, warp++});
  };
  if (form.rows == 128) { // a row per lane of tensor memory
    add(n / warpsAlongN, warpsAlongN);
    for (unsigned bit = 0; bit < llvm::Log2_64(form.threads()); ++bit)
      digits.push_back({true, bit});
    add(fragmentsAlongM(), warpsAlongM);
    return TileLayout(digits, threads, mostInRegisters());
  }
  digits.push_back({false, slot++});
  if (isPaired)
    digits.push_back({false, slot++});
  digits.append({{true, 0}, {true, 1}});
  const bool hasEighthAfter = form.rows > 8;
  const unsigned eighthAfter = hasEighthAfter ? slot++ : 0;
  add(isPaired ? fragmentsAlongN() / 2 : fragmentsAlongN(), warpsAlongN);
  digits.append({{true, 2}, {true, 3}, {true, 4}});
  if (hasEighthAfter)
    digits.push_back({false, eighthAfter});
  for (unsigned bit = Digit::laneBits; bit < llvm::Log2_64(form.threads()); ++bit)
    digits.push_back({true, bit});
  add(fragmentsAlongM(), warpsAlongM);
  add(batches, 1);
  return TileLayout(digits, threads, mostInRegisters());
}

MatrixProduct MatrixProduct::wordsOfLhs() const {
  MatrixProduct words = *this;
  words.n = bytesOfRun(k) / 4;
  words.elementBytes = 4;
  return words;
}

/// In tensor memory, each warpgroup stores its part of the steps along k. Of 64 rows, a thread has
/// two adjacent elements.
bool MatrixProduct::storesLhs() const {
  return form.isOfTensorMemory() && !isScaled() && (form.rows == 128 || elementBytes > 1) &&
         wordsOfLhs().fragmentsAlongN() > 0;
}

/// The layout of accumulators with k columns: a chained product takes those of the previous one.
std::optional<TileLayout> MatrixProduct::lhsLayout(int64_t threads) const {
  if (form.isOfTensorMemory() ? !storesLhs() : elementBytes != 2 || warpsAlongN != 1)
    return std::nullopt;
  MatrixProduct ofLhs = *this;
  ofLhs.n = k;
  return ofLhs.layout(threads);
}

/// Register numbers consist of the batch, the fragment along m, the fragment along n, and the
/// element of the fragment; in pairs, the last bit is that of the fragment along n.
llvm::SmallVector<int64_t, 4> MatrixProduct::slotsOf(int64_t batch, int64_t i, int64_t j) const {
  const int64_t count = sumsOfFragment();
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

/// The product by this instruction, divided among all warps or warpgroups; none if tiles are too
/// small for it, or if one step along k takes too much shared memory.
static std::optional<MatrixProduct> productBy(const MatrixForm &form, tile::MatmulOpInterface op,
                                              const Target &target, int64_t threads) {
  auto shape = typeOf(op.getAcc()).getShape(), lhs = typeOf(op.getLhs()).getShape();
  size_t rank = shape.size();
  MatrixProduct product{form,
                        rank == 3 ? shape[0] : 1,
                        shape[rank - 2],
                        shape[rank - 1],
                        lhs.back(),
                        elementwise::wordBytes(typeOf(op.getLhs()).getElementType()),
                        1,
                        1};
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation()))
    product.scaledBlock = product.k / typeOf(scaled.getLhsScale()).getShape().back();
  if (product.m < form.rows || product.n < MatrixProduct::columns || product.k < product.steps() ||
      product.bytesOf(product.steps()) + product.scaleBytes() > target.tuning.mostStepBytes)
    return std::nullopt;
  product.hasPanels = (target.capability == 90 || form.isOfTensorMemory()) && product.batches == 1;
  product.mostRegisters = target.tuning.mostAccumulatorRegisters;
  shareAmongWarps(product, threads / form.threads());
  return product;
}

/// The most accumulators of a thread, in local memory.
static int64_t mostSlotsOf(const MatrixProduct &product, const Target &target) {
  return product.mostInRegisters() * target.tuning.mostAccumulatorPieces;
}

std::optional<MatrixProduct> nvidia::matrixProductOf(tile::MatmulOpInterface op,
                                                     const Target &target, int64_t threads) {
  std::optional<MatrixForm> form = formOf(op, target);
  std::optional<MatrixProduct> product =
      form ? productBy(*form, op, target, threads) : std::nullopt;
  if (!product)
    return std::nullopt;
  if (product->layout(threads).slots() > mostSlotsOf(*product, target) ||
      product->sumsOfRow() > product->mostInRegisters())
    return std::nullopt;
  return product;
}

/// Its accumulators stay in registers while it runs, so they must be there as a whole. The
/// narrowest swizzle has 32 bytes.
std::optional<MatrixProduct> nvidia::warpgroupProductOf(tile::MatmulOpInterface op,
                                                        const Target &target, int64_t threads) {
  std::optional<MatrixForm> form = warpgroupFormOf(op, target);
  if (!form || threads % form->threads() != 0)
    return std::nullopt;
  std::optional<MatrixProduct> product = productBy(*form, op, target, threads);
  if (product)
    product->isPromoted = needsPromotion(op);
  if (!product || product->batches != 1 ||
      product->n * product->elementBytes < MatrixForm::bytesAlongK ||
      !product->layout(threads).isInRegisters())
    return std::nullopt;
  return product;
}

/// One instruction needs 16 columns, so that they have the 32 bytes of the narrowest swizzle.
ProductOrReason nvidia::tensorProductOf(tile::MatmulOpInterface op, const Target &target,
                                        int64_t threads) {
  if (target.capability < 100 || target.capability >= 120)
    return "";
  auto shape = typeOf(op.getAcc()).getShape();
  if (shape.size() == 3)
    return "the operands are batches of matrices";
  constexpr int64_t lanes = 128, leastRows = 64;
  const int64_t m = shape[0], n = shape[1];
  std::optional<MatrixForm> form = tensorFormOf(op, target, std::min(m, lanes));
  const bool isScaled = llvm::isa<tile::MmaFScaledOp>(op.getOperation());
  if (!form && isScaled)
    return formatv("it takes no scales of {0}",
                   numerics::info(formatOf(op->getOperand(3))).spelling)
        .str();
  if (isScaled && m < lanes)
    return "the tile of a block-scaled product has fewer than 128 rows";
  if (!form)
    return formatv("it does not multiply {0} on {1}",
                   numerics::info(formatOf(op.getLhs())).spelling, target.cpu)
        .str();
  if (formatOf(op.getAcc()) == Format::F16)
    return "the accumulators are rounded to f16 in each iteration";
  if (m < leastRows)
    return "the tile has fewer than 64 rows";
  if (threads % form->threads() != 0)
    return "the CTA has fewer than four warps";
  const int64_t bits = numerics::info(formatOf(op.getLhs())).storageBits;
  if (!form->isPacked && n * bits / 8 < MatrixForm::bytesAlongK)
    return "the rows of the tile of rhs have fewer than 32 bytes";
  if (typeOf(op.getLhs()).getShape().back() * bits / 8 < MatrixForm::bytesAlongK)
    return "the rows of the tile of lhs have fewer than 32 bytes";
  std::optional<MatrixProduct> product = productBy(*form, op, target, threads);
  if (!product)
    return "the operands of an instruction take too much shared memory";
  if (product->warpsAlongM * product->warpsAlongN < threads / form->threads())
    return "the CTA has more warpgroups than the tile has parts for them";
  if (product->layout(threads).slots() > mostSlotsOf(*product, target))
    return "a thread would hold too many accumulators after the loop";
  return *product;
}
