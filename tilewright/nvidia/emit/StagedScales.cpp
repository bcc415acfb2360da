// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StagedScales.h.

#include "tilewright/nvidia/emit/StagedScales.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

const char *nvidia::ctaGroupOf(const Plan &plan) {
  return plan.isPair() ? "cta_group::2" : "cta_group::1";
}

Value StagedScales::baseOf(tile::MmaFScaledOp op, bool isLhs, Value stage) {
  const StagedOperand &scales = plan.staged.find(op)->second.scales(isLhs);
  return b.byteOffset(shared.base(),
                      b.add(b.mul(stage, b.i32(scales.bytes)), b.i32(scales.offset)));
}

//===-- Consumers -----------------------------------------------------------------------------===//

/// The offset of a scale in a stage.
Value StagedScales::placeOf(const TensorScales &places, Value line, Value block) {
  Value place = b.i32(0);
  for (const TensorScales::Part &part : places.partsOfPlace()) {
    Value number = b.dividedBy(part.isOfLine ? line : block, part.divisor);
    if (part.count)
      number = b.modulo(number, part.count);
    place = b.add(place, b.times(number, part.step));
  }
  return place;
}

/// Those of successive blocks are written together. Each CTA writes all scales that it needs.
void StagedScales::write(tile::MmaFScaledOp op, bool isLhs, Value stage) {
  Value scales = scalesOf(op, isLhs);
  auto shape = tileTypeOf(scales).getShape();
  const size_t alongK = isLhs ? 1 : 0;
  const TileLayout layout = layoutOfWritten(plan, scales, isLhs);
  const TensorScales places(plan.matrices.find(op)->second);
  const bool isRun = !isRecomputed(scales) && layout.step() == support::strideOf(shape, alongK);
  const int64_t width =
      isRun ? std::min({layout.width(), TensorScales::blocksOfWord, shape[alongK]}) : 1;
  Value base = baseOf(op, isLhs, stage);
  b.branch(tiles.isOwnerInCta(layout), [&] {
    tiles.forEachRun(layout, width, [&](const Own &own) {
      SmallVector<Value> at = tiles.coordinatesOf(own.index, shape), words;
      for (int64_t number = 0; number < width; ++number) {
        const Own next{b.add(own.slot, b.i32(number)),
                       b.add(own.index, b.i32(number * layout.step()))};
        words.push_back(elementwise::toWord(b, b.getLoc(), tiles.read(scales, next)));
      }
      Value line = b.modulo(at[1 - alongK], places.linesOfCta(isLhs));
      b.writeWords(b.byteOffset(base, placeOf(places, line, at[alongK])), words);
    });
  });
}

/// `tcgen05.cp` reads by the asynchronous proxy what threads have written by the generic one.
void StagedScales::write(tile::MmaFScaledOp op) {
  if (!plan.staged.find(op)->second.isWrittenAhead())
    return;
  Value stage = rings.claim(op);
  for (bool isLhs : {true, false})
    if (plan.staged.find(op)->second.scales(isLhs).way == StagedOperand::WrittenAhead)
      write(op, isLhs, stage);
  b.instruction("fence.proxy.async.shared::cta;");
  rings.deliver(op);
}

//===-- The multiplier ------------------------------------------------------------------------===//

/// The descriptor has rows of 16 bytes without a swizzle: the next eight rows follow after 128
/// bytes.
void StagedScales::copy(tile::MmaFScaledOp op, bool isLhs, Value columns) {
  constexpr uint64_t ofEight = 128 / 16, version = uint64_t(1) << 46;
  constexpr uint64_t fields = version | ofEight << 32 | ofEight << 16;
  const TensorScales places(plan.matrices.find(op)->second);
  Value descriptor = b.matrixDescriptor(baseOf(op, isLhs, rings.stageOf(op)), fields);
  for (int64_t word = 0; word < places.words(); ++word)
    for (int64_t copy = 0; copy < places.copiesOfWord(isLhs); ++copy) {
      const int64_t column = places.columnOf(isLhs, word, copy * TensorScales::linesOfCopy);
      Value from = b.add(descriptor, b.i64(places.offsetOf(word, copy) / 16));
      b.instruction(
          llvm::formatv("tcgen05.cp.{0}.32x128b.warpx4 [$0], $1;", ctaGroupOf(plan)).str(),
          {b.add(columns, b.i32(column)), from}, "r,l");
    }
}

void StagedScales::copy(tile::MmaFScaledOp op, Value columns) {
  for (bool isLhs : {true, false})
    copy(op, isLhs, columns);
}
