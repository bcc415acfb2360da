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

//===-- The statement -------------------------------------------------------------------------===//

namespace {
/// The text of the inline PTX. Operands are the accumulators as results, the same as inputs, then
/// the words or the descriptor of lhs, then the descriptor of rhs.
class Statement {
public:
  Statement(const MatrixProduct &product, const Matrix *lhs, const Matrix &rhs, int64_t steps)
      : product(product), lhs(lhs), rhs(rhs), steps(steps),
        firstOfLhs(2 * product.fragmentsAlongM() * product.sumsOfRow()) {}

  std::string text() const;

private:
  int64_t wordsOfLhs() const { return lhs ? 1 : steps / 4 * product.fragmentsAlongM(); }
  int64_t offsetOf(const Matrix &matrix, int64_t line, int64_t step) const;
  std::string lhsOperand(int64_t block, int64_t step) const;
  std::string instruction(int64_t block, int64_t column, int64_t step) const;

  const MatrixProduct &product;
  const Matrix *lhs;
  const Matrix &rhs;
  int64_t steps, firstOfLhs;
};
} // namespace

/// `$first, $second, ...`
static std::string registers(int64_t first, int64_t count) {
  std::string text;
  for (int64_t at = first; at < first + count; ++at)
    text += (text.empty() ? "$" : ", $") + std::to_string(at);
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
  if (lhs)
    return "a";
  return "{" + registers(firstOfLhs + (block * steps + step) / 4, product.steps() / 4) + "}";
}

std::string Statement::instruction(int64_t block, int64_t column, int64_t step) const {
  const int64_t columns = product.columnsOfOne(), rows = product.form.rows;
  std::string text;
  if (lhs)
    text += formatv("add.s64 a, ${0}, {1}; ", firstOfLhs, offsetOf(*lhs, block * rows, step));
  text += formatv("add.s64 b, ${0}, {1}; ", firstOfLhs + wordsOfLhs(), offsetOf(rhs, column, step));
  const int64_t first = block * product.sumsOfRow() + column / 2;
  text += formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2} {{{3}}, {4}, b, 1", columns,
                  product.steps(), product.form.name, registers(first, columns / 2),
                  lhsOperand(block, step));
  const bool isFloat = product.form.name[0] == 'f';
  text += isFloat ? ", 1, 1" : ""; // neither operand is negated
  if (product.elementBytes == 2) {
    text += !lhs ? "" : lhs->isAlongK ? ", 0" : ", 1";
    text += rhs.isAlongK ? ", 0" : ", 1";
  }
  return text + "; ";
}

std::string Statement::text() const {
  std::string text = "{ .reg .b64 a, b; wgmma.fence.sync.aligned; ";
  const int64_t columns = product.fragmentsAlongN() * MatrixProduct::columns;
  for (int64_t step = 0; step < steps; step += product.steps())
    for (int64_t block = 0; block < product.fragmentsAlongM(); ++block)
      for (int64_t column = 0; column < columns; column += product.columnsOfOne())
        text += instruction(block, column, step);
  return text + "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }";
}

void WarpgroupProducts::multiply(tile::MatmulOpInterface op, const std::optional<Matrix> &lhs,
                                 const Matrix &rhs, int64_t steps, const Home &sums) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const TileLayout layout = product.layout(plan.threads);
  SmallVector<Value> operands;
  std::string results, inputs;
  const char letter = sums.elementType.isF32() ? 'f' : 'r';
  tiles.forEachOwn(layout, [&](const Own &own) {
    results += (results.empty() ? "=" : ",=") + std::string(1, letter);
    inputs += "," + std::to_string(operands.size());
    operands.push_back(tiles.read(sums, own));
  });
  SmallVector<mlir::Type> types(operands.size(), sums.elementType);
  if (lhs) {
    operands.push_back(descriptorOfLhs(product, *lhs));
    inputs += ",l";
  } else {
    for (Value word : wordsOfLhs(op.getLhs())) {
      operands.push_back(word);
      inputs += ",r";
    }
  }
  operands.push_back(descriptorOfRhs(product, rhs));
  inputs += ",l,~{memory}";
  Statement statement(product, lhs ? &*lhs : nullptr, rhs, steps);
  Value all = LLVM::InlineAsmOp::create(b, LLVM::LLVMStructType::getLiteral(b.getContext(), types),
                                        operands, statement.text(), results + inputs,
                                        /*has_side_effects=*/true, /*is_align_stack=*/false,
                                        LLVM::tailcallkind::TailCallKind::None,
                                        LLVM::AsmDialectAttr(), mlir::ArrayAttr())
                  .getRes();
  int64_t at = 0;
  tiles.forEachOwn(layout, [&](const Own &own) {
    tiles.write(sums, own, LLVM::ExtractValueOp::create(b, all, at++));
  });
}
