// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Iterations.h.

#include "tilewright/emit/Iterations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using emit::Iterations;
using mlir::Value;
namespace arith = mlir::arith;

Iterations emit::emitIterations(IrBuilder &b, const Scalars &scalars, tile::ForOp op) {
  Value lower = scalars.of(op.getLowerBound()), upper = scalars.of(op.getUpperBound());
  auto less = op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(b, less, lower, upper);
  Value distance = b.zeroExtended(arith::SubIOp::create(b, upper, lower));
  Value step = b.zeroExtended(scalars.of(op.getStep()));
  step = arith::MaxUIOp::create(b, step, b.i64(1));
  Value whole = arith::DivUIOp::create(b, arith::SubIOp::create(b, distance, b.i64(1)), step);
  return {lower, runs, b.add(whole, b.i64(1))};
}
