// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatmulAmx.h.

#include "tilewright/cpu/emit/matmul/MatmulAmx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// Accumulator tiles come first, one for each row and column of tiles in a block.
static constexpr int64_t firstLeft = 4, firstRight = 6;

/// The operand of LDTILECFG, for tiles with this number of words along k: the palette, then each
/// tile's bytes per row and its rows.
static std::string configuration(const MatmulProduct &product, int64_t words) {
  int64_t rows = std::min(product.m, amxExtent), columns = product.width;
  std::string bytes(64, '\0');
  auto set = [&](int64_t tile, int64_t rows, int64_t words) {
    bytes[16 + 2 * tile] = char(4 * words);
    bytes[48 + tile] = char(rows);
  };
  bytes[0] = 1;
  for (int64_t tile = 0; tile < firstLeft; ++tile)
    set(tile, rows, columns);
  for (int64_t tile : {0, 1}) {
    set(firstLeft + tile, rows, words);
    set(firstRight + tile, words, columns);
  }
  return bytes;
}

/// The instruction that multiplies tiles.
static llvm::StringRef tileProduct(mlir::Operation *mma) {
  auto integers = llvm::dyn_cast<tile::MmaIOp>(mma);
  if (!integers)
    return "tdpbf16ps";
  bool isLeftSigned = integers.getSignednessLhs() == tile::Signedness::Signed;
  bool isRightSigned = integers.getSignednessRhs() == tile::Signedness::Signed;
  return isLeftSigned ? (isRightSigned ? "tdpbssd" : "tdpbsud")
                      : (isRightSigned ? "tdpbusd" : "tdpbuud");
}

void MatmulAmx::call(llvm::StringRef instruction, llvm::ArrayRef<Value> arguments) {
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86." + instruction.str()), arguments);
}

/// Whether the initial accumulators, of the surrounding loop or of the product itself, are +0.
static bool beginsWithZeros(const MatmulProduct &product) {
  tile::ConstantOp initial = product.plan.initialAccumulator;
  if (!initial && !product.plan.carried)
    initial = product.op->getOperand(2).getDefiningOp<tile::ConstantOp>();
  if (!initial)
    return false;
  auto bytes = llvm::cast<mlir::DenseElementsAttr>(initial.getValue()).getRawData();
  return llvm::all_of(bytes, [](char byte) { return byte == 0; });
}

/// Writes the initial accumulators to the result's buffer, unless they are there already, or are
/// zeros.
void MatmulAmx::writeInitialSums(const MatmulProduct &product) {
  if (beginsWithZeros(product))
    return;
  mlir::Operation *op = product.op;
  Value accumulator = op->getOperand(2);
  tile::TileType type = tileTypeOf(op->getResult(0));
  Value base = buffers.addressOf(op->getResult(0));
  auto write = [&](llvm::function_ref<Value(const Position &)> read) {
    ValueCache::FreshScope fresh(cache);
    b.forEach(type.getShape(), amxExtent, [&](const Position &position) {
      buffers.write(base, type, position, read(position));
    });
  };
  if (product.isFirst) // in later iterations they are in place
    return b.branch(
        product.isFirst,
        [&] {
          write([&](const Position &position) {
            return evaluator.evaluateOp(product.plan.initialAccumulator, position);
          });
        },
        [] {});
  if (!product.plan.carried)
    write([&](const Position &position) { return evaluator.evaluate(accumulator, position); });
}

void MatmulAmx::multiply(const MatmulProduct &product, Value steps) {
  writeInitialSums(product);
  auto tilesOf = [&](int64_t words) -> Value {
    return LLVM::AddressOfOp::create(
        b, globals.constantBytes("tiles", configuration(product, words), /*alignment=*/64));
  };
  int64_t few = std::min(product.stepsPerIteration(), amxExtent);
  int64_t many = std::min(few * product.iterations, amxExtent);
  Value words = b.i64(few), tiles = tilesOf(few);
  // Iterations of few steps are packed one after the other: use full tiles, if all steps fill them.
  if (many > few) {
    Value rest = arith::RemUIOp::create(b, steps, b.i64(many));
    Value areFull = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, b.i64(0));
    words = arith::SelectOp::create(b, areFull, b.i64(many), words);
    tiles = arith::SelectOp::create(b, areFull, tilesOf(many), tiles);
  }
  call("ldtilecfg", tiles);
  forEachBlock(b, product,
               [&](const BlockOfSums &block) { multiplyBlock(product, steps, words, block); });
  call("tilerelease", {});
}

void MatmulAmx::multiplyBlock(const MatmulProduct &product, Value steps, Value words,
                              const BlockOfSums &block) {
  beginSums(product, block);
  auto loop = mlir::scf::ForOp::create(b, b.i64(0), steps, words);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    addProducts(product, block, loop.getInductionVar());
  }
  auto keep = [&] { keepSums(product, block); };
  if (product.isFinal)
    b.branch(product.isFinal, [&] { storeSums(product, block); }, keep);
  else
    keep();
}

//===-- Tiles of a block ----------------------------------------------------------------------===//

Value MatmulAmx::number(int64_t tile) { return LLVM::ConstantOp::create(b, b.getI8Type(), tile); }

static int64_t tileRowsOf(const MatmulProduct &product, const BlockOfSums &block) {
  return block.rows / std::min(product.m, amxExtent);
}

/// Calls `visit` with the number of each accumulator tile, and its position in the block.
static void forEachTile(const MatmulProduct &product, const BlockOfSums &block,
                        llvm::function_ref<void(int64_t tile, int64_t row, int64_t column)> visit) {
  for (int64_t row = 0; row < tileRowsOf(product, block); ++row)
    for (int64_t column = 0; column < product.vectors; ++column)
      visit(2 * row + column, row * amxExtent, column * amxExtent);
}

/// The position of the accumulators in this row of a block, from this column on.
static Position positionIn(LoopBuilder &b, const MatmulProduct &product, const BlockOfSums &block,
                           Value row, int64_t column) {
  Position at;
  if (tileTypeOf(product.op->getResult(0)).getRank() == 3)
    at.at.push_back(block.batch);
  at.at.append({b.add(block.row, row), b.add(block.column, b.i64(column))});
  at.lanes = at.at.size() - 1;
  at.width = product.width;
  return at;
}

Value MatmulAmx::sumsInBuffer(const MatmulProduct &product, const Position &at) {
  Value result = product.op->getResult(0);
  auto [linear, stride] = b.locate(tileTypeOf(result).getShape(), at);
  return b.wordAddress(buffers.addressOf(result), product.form.word(), linear);
}

void MatmulAmx::beginSums(const MatmulProduct &product, const BlockOfSums &block) {
  auto load = [&] {
    forEachTile(product, block, [&](int64_t tile, int64_t row, int64_t column) {
      Position at = positionIn(b, product, block, b.i64(row), column);
      call("tileloadd64", {number(tile), sumsInBuffer(product, at), b.i64(4 * product.n)});
    });
  };
  auto clear = [&] {
    forEachTile(product, block,
                [&](int64_t tile, int64_t, int64_t) { call("tilezero", number(tile)); });
  };
  if (!beginsWithZeros(product))
    load();
  else if (product.isFirst)
    b.branch(product.isFirst, clear, load);
  else
    clear();
}

/// Multiplies the steps from this one on, as many as a tile has words.
void MatmulAmx::addProducts(const MatmulProduct &product, const BlockOfSums &block, Value step) {
  const MatmulProduct::Words &right = product.right;
  mlir::Type word = product.form.word();
  for (int64_t row = 0; row < tileRowsOf(product, block); ++row) {
    Value first = product.leftRows.at(b, block.batch, b.add(block.row, b.i64(row * amxExtent)));
    // Loads bypass the L1 cache, which holds the panel.
    call("tileloaddt164",
         {number(firstLeft + row), b.wordAddress(first, word, step), product.leftRows.perRow});
  }
  Value panel =
      b.add(b.mul(block.batch, b.i64(right.perBatch)), b.mul(block.panel, b.i64(right.perPanel)));
  Value words = b.add(panel, b.mul(step, b.i64(right.perRow)));
  for (int64_t column = 0; column < product.vectors; ++column)
    call("tileloadd64", {number(firstRight + column),
                         b.wordAddress(right.base, word, b.add(words, b.i64(column * amxExtent))),
                         b.i64(4 * right.perRow)});
  forEachTile(product, block, [&](int64_t tile, int64_t row, int64_t column) {
    call(tileProduct(product.op), {number(tile), number(firstLeft + row / amxExtent),
                                   number(firstRight + column / amxExtent)});
  });
}

void MatmulAmx::keepSums(const MatmulProduct &product, const BlockOfSums &block) {
  forEachTile(product, block, [&](int64_t tile, int64_t row, int64_t column) {
    Position at = positionIn(b, product, block, b.i64(row), column);
    call("tilestored64", {number(tile), sumsInBuffer(product, at), b.i64(4 * product.n)});
  });
}

/// Accumulator tiles are stored directly; if the store has an epilogue, it is computed on vectors,
/// which are read back from the buffer.
void MatmulAmx::storeSums(const MatmulProduct &product, const BlockOfSums &block) {
  const OpenStore &open = *product.finalStore;
  if (finalStores.storesSums(open))
    return forEachTile(product, block, [&](int64_t tile, int64_t row, int64_t column) {
      auto addressOf = [&](int64_t row) {
        return finalStores.addressOf(open, positionIn(b, product, block, b.i64(row), column));
      };
      Value first = addressOf(row);
      Value perRow = arith::SubIOp::create(b, addressOf(row + 1), first);
      call("tilestored64", {number(tile), b.asPointers(first), perRow});
    });
  keepSums(product, block);
  b.forEachFrom(0, block.rows, 1, [&](Value row) {
    for (int64_t column = 0; column < product.vectors; ++column) {
      Position at = positionIn(b, product, block, row, column * amxExtent);
      ValueCache::Scope scope(cache);
      finalStores.store(open, at, buffers.read(product.op->getResult(0), at));
    }
  });
}
