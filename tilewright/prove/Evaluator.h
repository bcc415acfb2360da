// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract execution of single operations: which polynomials the results are, and which obligations
// follow. Control flow is in Walk.h.

#ifndef TILEWRIGHT_PROVE_EVALUATOR_H
#define TILEWRIGHT_PROVE_EVALUATOR_H

#include "tilewright/prove/Analysis.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseMap.h"

namespace tilewright::prove {

/// When the current operation is executed.
struct Path {
  Cases cases = {{}};
  Support support = {};
  /// So that a quotient and the remainder that belongs to it have the same symbol. Its definition
  /// holds only where it is computed, so other branches do not share it.
  std::map<std::tuple<Polynomial, Polynomial, tile::RoundingMode>, Polynomial> quotients = {};
};

class Evaluator {
public:
  explicit Evaluator(Analysis &analysis) : analysis(analysis) {}

  /// Defines the parameters. `names` has one for each.
  void begin(tile::EntryOp entry, llvm::ArrayRef<std::string> names);
  /// Defines the results, if this is a source of values or moves elements.
  bool execute(mlir::Operation *op);
  /// Forgets results that are too large to go on with.
  void limit(mlir::Operation *op);

  AbstractValue valueOf(mlir::Value value) const { return values.lookup(value); }
  void define(mlir::Value value, AbstractValue abstract) { values[value] = std::move(abstract); }
  /// Whatever the type allows, because of the operation.
  AbstractValue anything(mlir::Value value, mlir::Operation *unknown);
  Number numberOf(mlir::Value value);
  Truth truthOf(mlir::Value value);
  /// One of two values, depending on the condition.
  AbstractValue choose(const Truth &condition, mlir::Value result, const AbstractValue &whenTrue,
                       const AbstractValue &whenFalse);
  /// A value of any sign as unsigned.
  Number asUnsigned(Number number, unsigned width);
  /// From here on, which rests on the obligations.
  void know(Conjunction facts, const Support &support);
  /// Adds an obligation of the current operation on the current path; the violation may concern any
  /// element of a tile of this shape.
  Support require(mlir::Operation *op, ObligationKind kind, Cases violation, Support support,
                  llvm::ArrayRef<int64_t> shape = {});
  Number quotient(mlir::Operation *op, const Number &dividend, const Number &divisor,
                  tile::RoundingMode rounding);

  Analysis &analysis;
  Path path;

private:
  void executeRearrangement(tile::RearrangementOpInterface op);
  void executeConstant(tile::ConstantOp op);
  void executeGlobal(tile::GetGlobalOp op);
  void executeAlloca(tile::AllocaOp op);
  void executeOffset(tile::OffsetOp op);
  Support requireAddress(tile::OffsetOp op, const Polynomial &by, const Pointer &moved);
  void executeBlockId(tile::GetTileBlockIdOp op);
  void executeGrid(tile::GetNumTileBlocksOp op);

  llvm::DenseMap<mlir::Value, AbstractValue> values;
  std::array<Polynomial, 3> grid, blockId;
};

Support supportOf(const AbstractValue &value);
void restOn(AbstractValue &value, const Support &support);
/// The extents of a tile; none for scalars.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
/// Of an integer tile's elements.
unsigned widthOf(mlir::Value value);

} // namespace tilewright::prove

#endif // TILEWRIGHT_PROVE_EVALUATOR_H
