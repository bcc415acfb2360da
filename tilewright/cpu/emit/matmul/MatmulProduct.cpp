// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatmulProduct.h.

#include "tilewright/cpu/emit/matmul/MatmulProduct.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

MatmulProduct::MatmulProduct(mlir::Operation *op, const MatmulPlan &plan)
    : op(op), plan(plan), form(plan.form), rowBlocks(plan.rowBlocks), vectors(plan.sums.vectors),
      width(plan.sums.width), iterations(plan.iterations) {
  auto lhs = tileTypeOf(op->getOperand(0)).getShape(),
       rhs = tileTypeOf(op->getOperand(1)).getShape();
  size_t rank = lhs.size();
  batches = rank == 3 ? lhs[0] : 1;
  m = lhs[rank - 2];
  n = rhs[rank - 1];
  k = lhs[rank - 1];
}

int64_t MatmulProduct::blocksInPanel() const {
  int64_t count = 0;
  for (const RowBlocks &blocks : rowBlocks)
    count += blocks.count;
  return count;
}

Value MatmulProduct::Rows::at(LoopBuilder &b, Value batch, Value row) const {
  return b.byteAddress(base, b.add(b.mul(batch, perBatch), b.mul(row, perRow)));
}

//===-- Blocks --------------------------------------------------------------------------------===//

/// Columns are the outer loop: a panel of rhs stays in the cache while all rows use it.
void cpu::forEachBlock(LoopBuilder &b, const MatmulProduct &product,
                       llvm::function_ref<void(const BlockOfSums &)> body) {
  mlir::OpBuilder::InsertionGuard guard(b);
  auto loop = [&](int64_t first, int64_t end, int64_t by) -> Value {
    if (end - first == by)
      return b.i64(first);
    auto loop = mlir::scf::ForOp::create(b, b.i64(first), b.i64(end), b.i64(by));
    b.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  };
  BlockOfSums block;
  block.batch = loop(0, product.batches, 1);
  block.column = loop(0, product.n, product.blockColumns());
  block.panel = b.createOrFold<arith::DivUIOp>(block.column, b.i64(product.blockColumns()));
  Value inPanel = b.mul(block.panel, b.i64(product.blocksInPanel()));
  int64_t before = 0;
  for (const RowBlocks &blocks : product.rowBlocks) {
    mlir::OpBuilder::InsertionGuard guard(b);
    block.rows = blocks.rows;
    block.unroll = blocks.unroll;
    block.row = loop(blocks.first, blocks.end(), blocks.rows);
    Value among =
        b.createOrFold<arith::DivUIOp>(b.add(block.row, b.i64(-blocks.first)), b.i64(blocks.rows));
    block.number = b.add(inPanel, b.add(among, b.i64(before)));
    before += blocks.count;
    body(block);
  }
}

/// Prefetches one of `parts` equal parts of a stream's lines.
static void prefetchStream(LoopBuilder &b, CacheHints &hints, const MatmulProduct::Stream &stream,
                           int64_t iterations, Value part, int64_t parts) {
  int64_t all = iterations * stream.rows * stream.lines, share = llvm::divideCeil(all, parts);
  // If there are more parts than lines, several consecutive parts share a line.
  Value first = share > 1 ? b.mul(part, b.i64(share))
                          : b.createOrFold<arith::DivUIOp>(part, b.i64(parts / all));
  for (int64_t number = 0; number < share; ++number) {
    Value line = b.add(first, b.i64(number)), address = stream.first;
    auto addSteps = [&](int64_t count, Value bytes) {
      Value steps = b.createOrFold<arith::RemUIOp>(line, b.i64(count));
      line = b.createOrFold<arith::DivUIOp>(line, b.i64(count));
      address = b.add(address, b.mul(steps, bytes));
    };
    addSteps(stream.lines, b.i64(cacheLineBytes));
    addSteps(stream.rows, stream.rowBytes);
    addSteps(iterations, stream.perIteration);
    hints.prefetchLine(address);
  }
}

void cpu::prefetchStreams(LoopBuilder &b, CacheHints &hints, const MatmulProduct &product,
                          Value part, int64_t parts) {
  for (const MatmulProduct::Stream &stream : product.streams) {
    auto prefetch = [&] { prefetchStream(b, hints, stream, product.iterations, part, parts); };
    if (stream.isNeeded)
      b.branch(stream.isNeeded, prefetch, [] {});
    else
      prefetch();
  }
}

//===-- Steps ---------------------------------------------------------------------------------===//

/// The name of the instruction for this number of accumulators, and its operands' type.
static std::string instruction(MmaKind kind, int64_t width) {
  int64_t bits = 32 * width;
  switch (kind) {
  case MmaKind::Bf16Dot:
    return llvm::formatv("llvm.x86.avx512bf16.dpbf16ps.{0}", bits);
  case MmaKind::Int8Dot:
    return llvm::formatv("llvm.x86.avx512.vpdpbusd.{0}", bits);
  case MmaKind::Int16Dot:
    return bits == 128   ? "llvm.x86.sse2.pmadd.wd"
           : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                         : "llvm.x86.avx512.pmaddw.d.512";
  case MmaKind::Fma:
  case MmaKind::Bf16Tiles:
  case MmaKind::Int8Tiles:
    break;
  }
  llvm_unreachable("multiply-adds are operations of arith or math, tiles are in MatmulAmx.cpp");
}

Value cpu::dot(LoopBuilder &b, const MatmulProduct &product, Value lhs, Value rhs, Value sum) {
  const MatmulForm &form = product.form;
  mlir::Type factor = form.kind == MmaKind::Bf16Dot ? b.getBF16Type() : form.operand;
  auto type = mlir::VectorType::get({product.width * form.perWord}, factor);
  auto factors = [&](Value words) -> Value {
    return words.getType() == type ? words
                                   : mlir::vector::BitCastOp::create(b, type, words).getResult();
  };
  SmallVector<Value, 3> arguments = {factors(lhs), factors(rhs)};
  bool addsItself = form.kind != MmaKind::Int16Dot;
  if (addsItself)
    arguments.insert(arguments.begin(), sum);
  Value result =
      mlir::LLVM::CallIntrinsicOp::create(
          b, sum.getType(), b.getStringAttr(instruction(form.kind, product.width)), arguments)
          .getResults();
  return addsItself ? result : arith::AddIOp::create(b, sum, result).getResult();
}

/// round(lhs * rhs + sum).
static Value roundedMultiplyAdd(LoopBuilder &b, const Target &target, Value lhs, Value rhs,
                                Value sum, bool productIsExactInF64) {
  if (llvm::isa<mlir::IntegerType>(mlir::getElementTypeOrSelf(sum))) {
    Value product = arith::MulIOp::create(b, lhs, rhs);
    return arith::AddIOp::create(b, sum, product);
  }
  bool isMixed = lhs.getType() != sum.getType();
  if (!isMixed && (target.hasFma || !productIsExactInF64))
    return mlir::math::FmaOp::create(b, lhs, rhs, sum);
  // The product of two narrow elements is exact in f64, and either so far from or so close to the
  // accumulator that adding in f64 does not affect the rounding to f32.
  mlir::Type wide = shapedLike(b.getF64Type(), sum.getType());
  auto widened = [&](Value value) -> Value {
    return value.getType() == wide ? value : arith::ExtFOp::create(b, wide, value).getResult();
  };
  Value product = arith::MulFOp::create(b, widened(lhs), widened(rhs));
  Value exact = arith::AddFOp::create(b, widened(sum), product);
  return arith::TruncFOp::create(b, sum.getType(), exact);
}

Value cpu::multiplyAdd(LoopBuilder &b, const Target &target, const MatmulProduct &product,
                       Value lhs, Value rhs, Value sum) {
  if (product.form.kind == MmaKind::Int8Dot && // unsigned bytes are the first operand
      llvm::cast<tile::MmaIOp>(product.op).getSignednessRhs() == tile::Signedness::Unsigned)
    return dot(b, product, rhs, lhs, sum);
  if (product.form.kind != MmaKind::Fma)
    return dot(b, product, lhs, rhs, sum);
  mlir::Type element = tileTypeOf(product.op->getOperand(0)).getElementType();
  return roundedMultiplyAdd(b, target, lhs, rhs, sum,
                            /*productIsExactInF64=*/registerType(element) != product.form.operand);
}
