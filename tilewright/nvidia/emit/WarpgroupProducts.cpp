// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WarpgroupProducts.h.

#include "tilewright/nvidia/emit/WarpgroupProducts.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Descriptors ---------------------------------------------------------------------------===//

/// The shuffle makes the number warp-uniform, which LLVM and `ptxas` cannot derive from a division.
Value WarpgroupProducts::warpgroup(const MatrixProduct &product) {
  if (product.warpsAlongM * product.warpsAlongN == 1)
    return b.i32(0);
  Value warp = b.dividedBy(tiles.thread, 32);
  warp = LLVM::CallIntrinsicOp::create(b, b.getI32Type(),
                                       b.getStringAttr("llvm.nvvm.shfl.sync.idx.i32"),
                                       mlir::ValueRange{b.i32(-1), warp, b.i32(0), b.i32(31)})
             .getResults();
  return b.dividedBy(warp, 4);
}

/// The descriptor of the matrix from this row, a multiple of eight, and this byte on.
Value WarpgroupProducts::descriptorOf(const Matrix &matrix, Value row, Value byte) {
  const SharedImage &image = matrix.image;
  Value offset = b.add(b.times(row, image.span), b.modulo(byte, image.span));
  offset = b.add(offset, b.times(b.dividedBy(byte, image.span), image.panelBytes()));
  Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), b.byteOffset(matrix.base, offset));
  Value start = b.zeroExtended(b.dividedBy(address, 16));
  return b.createOrFold<arith::OrIOp>(start, b.i64(int64_t(image.descriptor(matrix.isAlongK))));
}

Value WarpgroupProducts::descriptorOfLhs(const MatrixProduct &product, const Matrix &lhs) {
  Value group = b.modulo(b.dividedBy(warpgroup(product), product.warpsAlongN), product.warpsAlongM);
  Value first = b.times(group, product.fragmentsAlongM() * product.form.rows);
  return descriptorOfLines(lhs, first, product.elementBytes);
}

Value WarpgroupProducts::descriptorOfRhs(const MatrixProduct &product, const Matrix &rhs) {
  Value group = b.modulo(warpgroup(product), product.warpsAlongN);
  Value first = b.times(group, product.fragmentsAlongN() * MatrixProduct::columns);
  return descriptorOfLines(rhs, first, product.elementBytes);
}

/// From this row of lhs, or column of rhs, on.
Value WarpgroupProducts::descriptorOfLines(const Matrix &matrix, Value first, int64_t bytes) {
  return matrix.isAlongK ? descriptorOf(matrix, first, b.i32(0))
                         : descriptorOf(matrix, b.i32(0), b.times(first, bytes));
}

/// Pairs of adjacent elements, in the order of slots, which is that of the instruction's registers.
SmallVector<Value> WarpgroupProducts::wordsOfLhs(Value tile) {
  SmallVector<Value> words;
  auto i16 = b.getIntegerType(16);
  auto pair = mlir::VectorType::get({2}, i16);
  const int64_t slots = tiles.layoutOf(tile).slots();
  SmallVector<Value> elements;
  tiles.forEachOwn(tiles.layoutOf(tile), [&](const Own &own) {
    Value word = elementwise::toWord(b, b.getLoc(), tiles.read(tile, own));
    elements.push_back(b.createOrFold<arith::BitcastOp>(i16, word));
  });
  for (int64_t slot = 0; slot < slots; slot += 2) {
    Value both = LLVM::PoisonOp::create(b, pair);
    for (int64_t at : {0, 1})
      both = LLVM::InsertElementOp::create(b, both, elements[slot + at], b.i32(at));
    words.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), both));
  }
  return words;
}

//===-- Statements ----------------------------------------------------------------------------===//

namespace {
/// What a statement multiplies: some blocks of 64 rows, columns and steps along k.
struct Part {
  int64_t firstBlock, blocks, firstColumn, columns, firstStep, steps;

  /// A thread's accumulators in a block.
  int64_t sumsOfBlock() const { return columns / 2; }
  int64_t sums() const { return blocks * sumsOfBlock(); }
};

/// Lhs and rhs: descriptors of shared memory, or words in registers for lhs.
struct Inputs {
  const MatrixProduct &product;
  const Matrix *lhs; ///< Null if it is in registers.
  const Matrix &rhs;
  int64_t steps; ///< Along k, of all of `values`.
  SmallVector<Value> values;
};

/// The inline PTX of a part. Operands are the accumulators as results, the same as inputs, then the
/// words or the descriptor of lhs, then the descriptor of rhs.
class Statement {
public:
  Statement(const Inputs &inputs, const Part &part)
      : inputs(inputs), product(inputs.product), part(part), firstOfLhs(2 * part.sums()) {}

  /// Emits it, and returns the new accumulators.
  SmallVector<Value> emit(ThreadBuilder &b, mlir::Type sumType, mlir::ValueRange before) const;

private:
  int64_t offsetOf(const Matrix &matrix, int64_t line, int64_t step) const;
  std::string lhsOperand(int64_t block, int64_t step) const;
  std::string instruction(int64_t block, int64_t column, int64_t step) const;
  std::string text() const;

  const Inputs &inputs;
  const MatrixProduct &product;
  const Part &part;
  int64_t firstOfLhs;
};
} // namespace

/// `$2, $3, $4`
static std::string registers(const char *prefix, int64_t first, int64_t count) {
  std::string text;
  for (int64_t at = first; at < first + count; ++at)
    text += (text.empty() ? "" : ", ") + (prefix + std::to_string(at));
  return text;
}

/// The offset of a row of lhs or a column of rhs, and of a step along k, in units of 16 bytes.
int64_t Statement::offsetOf(const Matrix &matrix, int64_t line, int64_t step) const {
  const int64_t bytes = product.elementBytes;
  int64_t offset = matrix.isAlongK ? matrix.image.offsetOf(line, step * bytes)
                                   : matrix.image.offsetOf(step, line * bytes);
  return offset / 16;
}

/// Registers of a step are those of its two fragments along k (MatrixProduct::lhsLayout).
std::string Statement::lhsOperand(int64_t block, int64_t step) const {
  if (inputs.lhs)
    return "a";
  return "{" + registers("$", firstOfLhs + (block * inputs.steps + step) / 4, product.steps() / 4) +
         "}";
}

/// Columns are counted from the first one of the warpgroup.
std::string Statement::instruction(int64_t block, int64_t column, int64_t step) const {
  const int64_t columns = product.columnsOfOne(), rows = product.form.rows;
  const int64_t rhsOperand = firstOfLhs + int64_t(inputs.values.size()) - 1;
  std::string text;
  if (inputs.lhs)
    text +=
        formatv("add.s64 a, ${0}, {1}; ", firstOfLhs, offsetOf(*inputs.lhs, block * rows, step));
  text += formatv("add.s64 b, ${0}, {1}; ", rhsOperand, offsetOf(inputs.rhs, column, step));
  const int64_t first =
      (block - part.firstBlock) * part.sumsOfBlock() + (column - part.firstColumn) / 2;
  const bool adds = !product.isPromoted || step != part.firstStep;
  text += formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2} {{{3}}, {4}, b, {5}", columns,
                  product.steps(), product.form.name,
                  registers(product.isPromoted ? "partial" : "$", first, columns / 2),
                  lhsOperand(block, step), adds ? 1 : 0);
  const bool isFloat = product.form.name[0] == 'f';
  text += isFloat ? ", 1, 1" : ""; // neither operand is negated
  if (product.elementBytes == 2) {
    text += !inputs.lhs ? "" : inputs.lhs->isAlongK ? ", 0" : ", 1";
    text += inputs.rhs.isAlongK ? ", 0" : ", 1";
  }
  return text + "; ";
}

std::string Statement::text() const {
  std::string text = "{ .reg .b64 a, b; ";
  if (product.isPromoted)
    text += formatv(".reg .f32 partial<{0}>; ", part.sums());
  text += "wgmma.fence.sync.aligned; ";
  for (int64_t step = part.firstStep; step < part.firstStep + part.steps; step += product.steps())
    for (int64_t block = part.firstBlock; block < part.firstBlock + part.blocks; ++block)
      for (int64_t column = part.firstColumn; column < part.firstColumn + part.columns;
           column += product.columnsOfOne())
        text += instruction(block, column, step);
  text += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ";
  if (product.isPromoted)
    for (int64_t at = 0; at < part.sums(); ++at)
      text += formatv("add.rn.f32 ${0}, ${0}, partial{0}; ", at);
  return text + "}";
}

SmallVector<Value> Statement::emit(ThreadBuilder &b, mlir::Type sumType,
                                   mlir::ValueRange before) const {
  std::string constraints;
  for (int64_t at = 0; at < part.sums(); ++at)
    constraints += (at ? ",=" : "=") + std::string(1, sumType.isF32() ? 'f' : 'r');
  SmallVector<Value> operands;
  for (auto [at, sum] : llvm::enumerate(before)) {
    constraints += "," + std::to_string(at);
    operands.push_back(sum);
  }
  for (Value value : inputs.values)
    constraints += value.getType().isInteger(64) ? ",l" : ",r";
  llvm::append_range(operands, inputs.values);
  SmallVector<mlir::Type> types(part.sums(), sumType);
  Value all = LLVM::InlineAsmOp::create(b, LLVM::LLVMStructType::getLiteral(b.getContext(), types),
                                        operands, text(), constraints + ",~{memory}",
                                        /*has_side_effects=*/true, /*is_align_stack=*/false,
                                        LLVM::tailcallkind::TailCallKind::None,
                                        LLVM::AsmDialectAttr(), mlir::ArrayAttr())
                  .getRes();
  SmallVector<Value> sums;
  for (int64_t at = 0; at < part.sums(); ++at)
    sums.push_back(LLVM::ExtractValueOp::create(b, all, at));
  return sums;
}

//===-- Products ------------------------------------------------------------------------------===//

/// One part, or parts of which the sums are promoted.
static SmallVector<Part> partsOf(const MatrixProduct &product, int64_t steps) {
  const int64_t blocks = product.fragmentsAlongM();
  const int64_t columns = product.fragmentsAlongN() * MatrixProduct::columns;
  if (!product.isPromoted)
    return {{0, blocks, 0, columns, 0, steps}};
  const int64_t ofOne = product.columnsOfOne();
  const int64_t together = std::min(blocks, MatrixProduct::mostPartialRegisters / (ofOne / 2));
  const int64_t interval = std::min(steps, MatrixProduct::stepsOfPromotion);
  SmallVector<Part> parts;
  for (int64_t step = 0; step < steps; step += interval)
    for (int64_t block = 0; block < blocks; block += together)
      for (int64_t column = 0; column < columns; column += ofOne)
        parts.push_back({block, together, column, ofOne, step, interval});
  return parts;
}

/// Where a part's accumulators are among all of a thread.
static SmallVector<int64_t> slotsOf(const MatrixProduct &product, const Part &part) {
  SmallVector<int64_t> slots;
  for (int64_t block = part.firstBlock; block < part.firstBlock + part.blocks; ++block)
    for (int64_t at = 0; at < part.sumsOfBlock(); ++at)
      slots.push_back(block * product.sumsOfRow() + part.firstColumn / 2 + at);
  return slots;
}

void WarpgroupProducts::multiply(tile::MatmulOpInterface op, const std::optional<Matrix> &lhs,
                                 const Matrix &rhs, int64_t steps, const Home &sums) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  Inputs inputs{product, lhs ? &*lhs : nullptr, rhs, steps, {}};
  if (lhs)
    inputs.values = {descriptorOfLhs(product, *lhs)};
  else
    inputs.values = wordsOfLhs(op.getLhs());
  inputs.values.push_back(descriptorOfRhs(product, rhs));
  for (const Part &part : partsOf(product, steps)) {
    const SmallVector<int64_t> slots = slotsOf(product, part);
    SmallVector<Value> before;
    for (int64_t slot : slots)
      before.push_back(tiles.read(sums, {b.i32(slot), {}}));
    SmallVector<Value> after = Statement(inputs, part).emit(b, sums.elementType, before);
    for (auto [slot, sum] : llvm::zip_equal(slots, after))
      tiles.write(sums, {b.i32(slot), {}}, sum);
  }
}
