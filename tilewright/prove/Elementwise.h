// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract execution of integer arithmetic. Results are polynomials as long as nothing wraps
// around, which becomes an obligation of whatever uses them. Quotients, remainders and choices are
// new symbols that inequalities define.

#ifndef TILEWRIGHT_PROVE_ELEMENTWISE_H
#define TILEWRIGHT_PROVE_ELEMENTWISE_H

#include "tilewright/prove/Evaluator.h"

namespace tilewright::prove {

class Elementwise {
public:
  explicit Elementwise(Evaluator &evaluator) : evaluator(evaluator) {}

  /// Whether it is an operation that is analysed.
  bool execute(mlir::Operation *op);

private:
  /// Defines the result, which must fit its type.
  bool define(mlir::Operation *op, Polynomial value, Support support);
  bool defineExact(mlir::Operation *op, Number number);
  bool defineRead(mlir::Operation *op, tile::Signedness signedness, Number number);
  Number operand(mlir::Operation *op, unsigned number) {
    return evaluator.numberOf(op->getOperand(number));
  }
  Number reading(mlir::Operation *op, unsigned number, tile::Signedness signedness);

  bool sum(mlir::Operation *op, int64_t factor);
  bool product(tile::MulIOp op);
  bool shift(tile::ShLIOp op);
  bool shift(tile::ShRIOp op);
  bool division(tile::DivIOp op);
  bool remainder(tile::RemIOp op);
  bool extreme(mlir::Operation *op, tile::Signedness signedness, bool isLarger);
  bool comparison(tile::CmpIOp op);
  bool conjunction(tile::AndIOp op);
  bool disjunction(tile::OrIOp op);
  bool exclusive(tile::XOrIOp op);
  bool extension(tile::ExtIOp op);
  bool magnitude(tile::AbsIOp op);
  bool selection(tile::SelectOp op);

  Evaluator &evaluator;
};

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_ELEMENTWISE_H
