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

static constexpr int64_t firstLeft = 4, firstRight = 6;

namespace {
/// Rows and words of the tiles of one product.
struct TileShapes {
  int64_t rows, words, columns;

  explicit TileShapes(const MatmulProduct &product)
      : rows(std::min(product.m, amxExtent)),
        words(std::min(product.stepsPerIteration(), amxExtent)), columns(product.width) {}

  /// What LDTILECFG reads: the palette, then the bytes of a row and the rows of each tile.
  std::string configuration() const {
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
};
} // namespace

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

/// The sums begin as the accumulator, unless they are in its place already.
void MatmulAmx::writeInitialSums(const MatmulProduct &product) {
  mlir::Operation *op = product.op;
  Value accumulator = op->getOperand(2);
  tile::TileType type = tileTypeOf(op->getResult(0));
  Value base = buffers.addressOf(op->getResult(0));
  auto write = [&](llvm::function_ref<Value(const Position &)> read) {
    cache.clear();
    b.forEach(type.getShape(), amxExtent, [&](const Position &position) {
      buffers.write(base, type, position, read(position));
    });
    cache.clear();
  };
  if (product.isFirst) // and in later iterations they are
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
  LLVM::GlobalOp configuration =
      globals.constantBytes("tiles", TileShapes(product).configuration(), /*alignment=*/64);
  call("ldtilecfg", Value(LLVM::AddressOfOp::create(b, configuration)));
  forEachBlock(b, product, [&](const BlockOfSums &block) { multiplyBlock(product, steps, block); });
  call("tilerelease", {});
}

void MatmulAmx::multiplyBlock(const MatmulProduct &product, Value steps, const BlockOfSums &block) {
  mlir::Operation *op = product.op;
  const TileShapes shapes(product);
  const MatmulProduct::Words &right = product.right;
  mlir::Type word = product.form.word();
  auto tile = [&](int64_t number) -> Value {
    return LLVM::ConstantOp::create(b, b.getI8Type(), number);
  };
  // From a word on, rows that are so many bytes apart.
  auto load = [&](int64_t number, Value base, Value linear, Value perRow) {
    call("tileloadd64", {tile(number), b.wordAddress(base, word, linear), perRow});
  };
  auto forEachTile = [&](llvm::function_ref<void(int64_t row, int64_t column)> visit) {
    for (int64_t row = 0; row < block.rows / shapes.rows; ++row)
      for (int64_t column = 0; column < product.vectors; ++column)
        visit(row, column);
  };
  Value sums = buffers.addressOf(op->getResult(0));
  auto sumsAt = [&](int64_t row, int64_t column) {
    Value inColumn =
        b.mul(b.add(b.mul(block.batch, b.i64(product.m)), b.add(block.row, b.i64(row * amxExtent))),
              b.i64(product.n));
    return b.add(inColumn, b.add(block.column, b.i64(column * amxExtent)));
  };

  forEachTile([&](int64_t row, int64_t column) {
    load(2 * row + column, sums, sumsAt(row, column), b.i64(4 * product.n));
  });
  Value rhs =
      b.add(b.mul(block.batch, b.i64(right.perBatch)), b.mul(block.panel, b.i64(right.perPanel)));
  auto loop = mlir::scf::ForOp::create(b, b.i64(0), steps, b.i64(shapes.words));
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    Value step = b.add(rhs, b.mul(at, b.i64(right.perRow)));
    // Between tiles, so that there are never many lines on their way.
    int64_t parts = product.iterations * product.stepsPerIteration() / shapes.words;
    Value part = b.createOrFold<arith::DivUIOp>(at, b.i64(shapes.words));
    prefetchStreams(b, hints, product, b.add(b.mul(block.number, b.i64(parts)), part),
                    product.blockCount() * parts);
    for (int64_t row = 0; row < block.rows / shapes.rows; ++row)
      load(firstLeft + row,
           product.leftRows.at(b, block.batch, b.add(block.row, b.i64(row * amxExtent))), at,
           product.leftRows.perRow);
    for (int64_t column = 0; column < product.vectors; ++column)
      load(firstRight + column, right.base, b.add(step, b.i64(column * amxExtent)),
           b.i64(4 * right.perRow));
    forEachTile([&](int64_t row, int64_t column) {
      call(tileProduct(op),
           {tile(2 * row + column), tile(firstLeft + row), tile(firstRight + column)});
    });
  }
  forEachTile([&](int64_t row, int64_t column) {
    call("tilestored64", {tile(2 * row + column), b.wordAddress(sums, word, sumsAt(row, column)),
                          b.i64(4 * product.n)});
  });
}
