// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are matrices multiplied? Each sum is a chain of fused multiply-adds with k ascending,
// that starts from the accumulator and is kept in f32, f64 or i32: the bits of the reference
// machine (arithmetic, 4.30 to 4.32). A block of rows and vectors of columns, as many as
// registers can hold, goes through all of k before it is written. Instructions that add up
// several products are taken where they give the same chain (MatmulForm.h), tiles of AMX where
// there are any (MatmulAmx.cpp).

#include "tilewright/cpu/emit/Matmul.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;

//===-- Steps ---------------------------------------------------------------------------------===//

/// The name of the instruction for sums of so many lanes, and its factors' type.
static std::string instruction(Step step, int64_t width) {
  int64_t bits = 32 * width;
  switch (step) {
  case Step::Bf16Dot:
    return llvm::formatv("llvm.x86.avx512bf16.dpbf16ps.{0}", bits);
  case Step::Int8Dot:
    return llvm::formatv("llvm.x86.avx512.vpdpbusd.{0}", bits);
  case Step::Int16Dot:
    return bits == 128   ? "llvm.x86.sse2.pmadd.wd"
           : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                         : "llvm.x86.avx512.pmaddw.d.512";
  case Step::Fma:
  case Step::Bf16Tiles:
  case Step::Int8Tiles:
    break;
  }
  llvm_unreachable("multiply-adds are operations of arith or math, tiles are in MatmulAmx.cpp");
}

/// sum + lhs rhs, of words of several factors each.
Value KernelEmitter::dot(const Product &product, Value lhs, Value rhs, Value sum) {
  const ProductForm &form = product.form;
  mlir::Type factor = form.step == Step::Bf16Dot ? b.getBF16Type() : form.factor;
  auto type = mlir::VectorType::get({product.width * form.perWord}, factor);
  auto factors = [&](Value words) -> Value {
    return mlir::vector::BitCastOp::create(b, type, words);
  };
  SmallVector<Value, 3> arguments = {factors(lhs), factors(rhs)};
  bool addsItself = form.step != Step::Int16Dot;
  if (addsItself)
    arguments.insert(arguments.begin(), sum);
  Value result =
      mlir::LLVM::CallIntrinsicOp::create(
          b, sum.getType(), b.getStringAttr(instruction(form.step, product.width)), arguments)
          .getResults();
  return addsItself ? result : arith::AddIOp::create(b, sum, result).getResult();
}

/// round(lhs * rhs + sum).
static Value multiplyAdd(LoopBuilder &b, const Target &target, Value lhs, Value rhs, Value sum,
                         bool productIsExactInF64) {
  if (llvm::isa<mlir::IntegerType>(mlir::getElementTypeOrSelf(sum))) {
    Value product = arith::MulIOp::create(b, lhs, rhs);
    return arith::AddIOp::create(b, sum, product);
  }
  bool isMixed = lhs.getType() != sum.getType();
  if (!isMixed && (target.hasFma || !productIsExactInF64))
    return mlir::math::FmaOp::create(b, lhs, rhs, sum);
  // A product of few bits is exact in f64, and so far from the sum or so close to it that
  // adding in f64 does not disturb the rounding to f32.
  mlir::Type wide = shapedLike(b.getF64Type(), sum.getType());
  auto widened = [&](Value value) -> Value {
    return value.getType() == wide ? value : arith::ExtFOp::create(b, wide, value).getResult();
  };
  Value product = arith::MulFOp::create(b, widened(lhs), widened(rhs));
  Value exact = arith::AddFOp::create(b, widened(sum), product);
  return arith::TruncFOp::create(b, sum.getType(), exact);
}

/// sum + lhs rhs, of words.
Value KernelEmitter::step(const Product &product, Value lhs, Value rhs, Value sum) {
  if (product.form.step == Step::Int8Dot && // bytes without a sign are the first operand
      llvm::cast<tile::MmaIOp>(product.op).getSignednessRhs() == tile::Signedness::Unsigned)
    return dot(product, rhs, lhs, sum);
  if (product.form.step != Step::Fma)
    return dot(product, lhs, rhs, sum);
  mlir::Type element = tileTypeOf(product.op->getOperand(0)).getElementType();
  return multiplyAdd(b, target, lhs, rhs, sum,
                     /*productIsExactInF64=*/registerType(element) != product.form.factor);
}

//===-- Sums ----------------------------------------------------------------------------------===//

KernelEmitter::Product KernelEmitter::productOf(mlir::Operation *op) {
  auto lhs = tileTypeOf(op->getOperand(0)).getShape(),
       rhs = tileTypeOf(op->getOperand(1)).getShape();
  size_t rank = lhs.size();
  Product product;
  product.op = op;
  product.form = productForm(op, target);
  product.batches = rank == 3 ? lhs[0] : 1;
  product.m = lhs[rank - 2];
  product.n = rhs[rank - 1];
  product.k = lhs[rank - 1];
  bool isByTiles = product.form.usesTiles();
  int64_t lanes = target.vectorBytes / (product.form.word().getIntOrFloatBitWidth() / 8);
  product.width = std::min(product.n, isByTiles ? amxExtent : lanes);
  // Sixteen registers of sums of thirty-two, or eight of sixteen; four tiles of eight.
  int64_t vectors = target.hasAvx512 && !isByTiles ? 4 : 2;
  product.vectors = std::min<int64_t>(product.n / product.width, vectors);
  product.rows = std::min<int64_t>(product.m, isByTiles ? 2 * amxExtent : 4);
  return product;
}

/// The block of sums from `corner` (batch, row, column) on.
void KernelEmitter::multiplyBlock(const Product &product, Value steps,
                                  llvm::ArrayRef<Value> corner) {
  mlir::Operation *op = product.op;
  tile::TileType type = tileTypeOf(op->getResult(0));
  Format format = *tile::formatOf(type.getElementType());
  bool isNarrow = registerType(type.getElementType()) != product.form.chain;
  auto position = [&](int64_t row, int64_t vector) {
    Position at;
    if (type.getRank() == 3)
      at.at.push_back(corner[0]);
    at.at.append({b.add(corner[1], b.i64(row)), b.add(corner[2], b.i64(vector * product.width))});
    at.lanes = at.at.size() - 1;
    at.width = product.width;
    return at;
  };
  SmallVector<Value> corrections;
  if (product.corrections) {
    Value first = b.add(b.mul(corner[0], b.i64(product.n)), corner[2]);
    for (int64_t vector = 0; vector < product.vectors; ++vector)
      corrections.push_back(b.readWords(product.corrections, product.form.chain,
                                        b.add(first, b.i64(vector * product.width)), 1,
                                        product.width));
  }
  auto sumsFrom = [&](llvm::function_ref<Value(const Position &)> read) {
    SmallVector<Value> sums;
    for (int64_t row = 0; row < product.rows; ++row)
      for (int64_t vector = 0; vector < product.vectors; ++vector) {
        Value sum = read(position(row, vector));
        if (product.corrections)
          sum = arith::SubIOp::create(b, sum, corrections[vector]);
        sums.push_back(isNarrow ? widen(b, b.getLoc(), target, format, sum) : sum);
      }
    return sums;
  };
  auto carried = [&](const Position &at) { return evaluate(op->getOperand(2), at); };
  auto initial = [&](const Position &at) {
    return evaluateOp(plan->initialSum(op->getOperand(2)), at);
  };
  SmallVector<Value> sums = product.isFirst
                                ? b.choose(
                                      product.isFirst, [&] { return sumsFrom(initial); },
                                      [&] { return sumsFrom(carried); })
                                : sumsFrom(carried);

  prefetch(product, numberOf(product, corner), product.blockCount());
  auto forEachPlace = [&](llvm::function_ref<void(const Position &, size_t)> visit) {
    for (int64_t row = 0; row < product.rows; ++row)
      for (int64_t vector = 0; vector < product.vectors; ++vector)
        visit(position(row, vector), row * product.vectors + vector);
  };
  if (product.isFinal) // the lines come while the sums are made
    b.branch(
        product.isFinal,
        [&] { forEachPlace([&](const Position &at, size_t) { prefetchStore(product, at); }); },
        [] {});
  const Product::Words &left = product.left, &right = product.right;
  mlir::Type word = product.form.word();
  Value lhs = b.add(b.mul(corner[0], b.i64(left.perBatch)), b.mul(corner[1], b.i64(left.perRow)));
  Value panel = b.createOrFold<arith::DivUIOp>(corner[2], b.i64(product.blockColumns()));
  Value rhs = b.add(b.mul(corner[0], b.i64(right.perBatch)), b.mul(panel, b.i64(right.perPanel)));
  int64_t unroll = std::min<int64_t>(product.stepsPerTurn(), 4);
  auto loop = mlir::scf::ForOp::create(b, b.i64(0), steps, b.i64(unroll), sums);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t i = 0; i < unroll; ++i) {
      Value at = b.add(loop.getInductionVar(), b.i64(i));
      Value row = b.add(rhs, b.mul(at, b.i64(right.perRow)));
      SmallVector<Value> columns;
      for (int64_t vector = 0; vector < product.vectors; ++vector)
        columns.push_back(b.readWords(right.base, word, b.add(row, b.i64(vector * product.width)),
                                      1, product.width));
      for (int64_t row = 0; row < product.rows; ++row) {
        Value one =
            b.readWords(left.base, word, b.add(b.add(lhs, b.i64(row * left.perRow)), at), 1, 1);
        Value repeated = b.splat(one, product.width);
        for (int64_t vector = 0; vector < product.vectors; ++vector) {
          Value &sum = next[row * product.vectors + vector];
          sum = step(product, repeated, columns[vector], sum);
        }
      }
    }
    mlir::scf::YieldOp::create(b, next);
  }
  Value base = bufferAddress(op->getResult(0));
  auto sumAt = [&](size_t i) {
    Value sum = loop.getResult(i);
    return isNarrow ? narrow(b, b.getLoc(), target, format, sum) : sum;
  };
  auto keep = [&] {
    forEachPlace([&](const Position &at, size_t i) { writeBuffer(base, type, at, sumAt(i)); });
  };
  auto store = [&] {
    forEachPlace([&](const Position &at, size_t i) { storeSum(product, at, sumAt(i)); });
  };
  if (product.isFinal)
    b.branch(product.isFinal, store, keep);
  else
    keep();
}

//===-- Where sums go in the end --------------------------------------------------------------===//

/// What the products of the loop have to know before it begins, to store their sums in the end.
LogicalResult KernelEmitter::openFinalStores(tile::ForOp loop, Value runs) {
  for (mlir::Operation &op : *loop.body()) {
    std::optional<FinalStore> found =
        isProduct(&op) ? plan->finalStore(&op) : std::optional<FinalStore>();
    if (!found)
      continue;
    for (mlir::Operation *needed : found->needs)
      if (llvm::failed(emit(needed)))
        return llvm::failure();
    Window window =
        windowOf(found->store.getView().getType(), found->store.getView(), found->store.getIndex());
    Windows alone;
    alone[found->store] = window;
    if (mayBePlain(alone))
      openStores[&op] = {*found, window, b.conjunction(runs, arePlain(alone))};
  }
  b.setPlace(loop.getLoc());
  return llvm::success();
}

/// Where the store has what it makes of the sum at the position: among the dimensions with several
/// elements, the same place.
Position KernelEmitter::placeInStore(const Product &product, const Position &position) {
  SmallVector<Value> wide;
  int64_t lanes = -1;
  for (auto [dim, extent] : llvm::enumerate(tileTypeOf(product.finalStore->plan.sums).getShape()))
    if (extent > 1) {
      lanes = int64_t(dim) == position.lanes ? wide.size() : lanes;
      wide.push_back(position.at[dim]);
    }
  Position place;
  place.width = position.width;
  int64_t next = 0;
  for (int64_t extent : product.finalStore->window.shape) {
    if (extent > 1 && next == lanes)
      place.lanes = place.at.size();
    place.at.push_back(extent > 1 ? wide[next++] : b.i64(0));
  }
  return place;
}

void KernelEmitter::prefetchStore(const Product &product, const Position &position) {
  Position place = placeInStore(product, position);
  prefetchLine(reach(product.finalStore->window, place, Lanes::Whole).address, /*toWrite=*/true);
}

void KernelEmitter::storeSum(const Product &product, const Position &position, Value sum) {
  const OpenStore &open = *product.finalStore;
  tile::StoreViewOp store = open.plan.store;
  Position place = placeInStore(product, position);
  ValueCache::Scope scope(cache);
  cache.insert(open.plan.sums, position, sum);
  write(reach(open.window, place, Lanes::Whole), open.window.elementType,
        evaluate(store.getTile(), place));
}

//===-- A product -----------------------------------------------------------------------------===//

/// Columns outside: a panel of rhs stays in the cache while all rows go over it.
void KernelEmitter::forEachBlock(const Product &product,
                                 llvm::function_ref<void(llvm::ArrayRef<Value>)> body) {
  mlir::OpBuilder::InsertionGuard guard(b);
  SmallVector<Value, 3> corner(3);
  auto loop = [&](unsigned which, int64_t extent, int64_t by) {
    if (extent == by) {
      corner[which] = b.i64(0);
      return;
    }
    auto loop = mlir::scf::ForOp::create(b, b.i64(0), b.i64(extent), b.i64(by));
    b.setInsertionPointToStart(loop.getBody());
    corner[which] = loop.getInductionVar();
  };
  loop(0, product.batches, 1);
  loop(2, product.n, product.blockColumns());
  loop(1, product.m, product.rows);
  body(corner);
}

void KernelEmitter::multiply(const Product &product, Value steps) {
  if (product.form.usesTiles())
    return multiplyByTiles(product, steps);
  forEachBlock(product,
               [&](llvm::ArrayRef<Value> corner) { multiplyBlock(product, steps, corner); });
}

LogicalResult KernelEmitter::emitMma(mlir::Operation *op) {
  Product product = productOf(op);
  provideFactors(product);
  if (auto open = openStores.find(op); open != openStores.end()) {
    Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, loops.back().left, b.i64(1));
    product.finalStore = &open->second;
    product.isFinal = arith::AndIOp::create(b, isLast, open->second.isPlain);
  }
  Value steps = b.i64(product.stepsPerTurn());
  if (product.turns == 1) {
    multiply(product, steps);
  } else {
    // When there are enough of them, or in the last turn of all.
    auto is = [&](Value number, int64_t value) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number, b.i64(value));
    };
    Value enough =
        arith::OrIOp::create(b, is(product.turn, product.turns - 1), is(loops.back().left, 1));
    b.branch(
        enough,
        [&] {
          cache.clear();
          multiply(product, b.mul(b.add(product.turn, b.i64(1)), steps));
        },
        [] {});
  }
  cache.clear();
  return llvm::success();
}
