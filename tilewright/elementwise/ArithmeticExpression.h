// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A notation for emitting arithmetic. An Expression is a value in generated code together with the
// insertion point, so that `a * b + c` emits a product and a sum. It is a scalar or a vector, a
// float or an integer, and formulas work for all of them: an operator emits the operation for its
// operand's type, and a number beside an expression becomes a constant of the expression's type, in
// all lanes.
//
// Integers are signless: if signedness matters, the function name says how they are read.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETICEXPRESSION_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETICEXPRESSION_H

#include "tilewright/elementwise/Capabilities.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <concepts>

namespace tilewright::elementwise {

/// The insertion point, and the capabilities that emitted code may rely on.
struct Emitter {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Capabilities &capabilities;
};

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

class Expression {
public:
  Expression(const Emitter &emitter, mlir::Value value) : emitter(&emitter), value(value) {}

  operator mlir::Value() const { return value; }
  mlir::Type type() const { return value.getType(); }
  const Emitter &place() const { return *emitter; }

  bool isFloat() const { return llvm::isa<mlir::FloatType>(scalarType()); }
  bool isVector() const { return llvm::isa<mlir::VectorType>(type()); }
  /// Bits per lane.
  unsigned width() const { return scalarType().getIntOrFloatBitWidth(); }
  mlir::Type scalarType() const { return mlir::getElementTypeOrSelf(value); }
  /// `scalar`, or the vector of it with as many lanes as this expression.
  mlir::Type shaped(mlir::Type scalar) const { return shapedLike(scalar, type()); }
  mlir::Type intType(unsigned bits) const;
  mlir::Type f32Type() const;
  mlir::Type f64Type() const;

  /// A constant of this expression's type: the number itself for a float, its low bits for an
  /// integer.
  template <Number T> Expression constant(T number) const {
    return isFloat() ? floatConstant(double(number)) : intConstant(int64_t(number));
  }

  /// Emits an operation whose result has the type of its first operand.
  template <typename Op, typename... Operands> Expression apply(const Operands &...operands) const {
    return {*emitter, Op::create(emitter->builder, emitter->loc, value, mlir::Value(operands)...)};
  }
  /// Emits an operation with this result type.
  template <typename Op> Expression convert(mlir::Type to) const {
    return {*emitter, Op::create(emitter->builder, emitter->loc, to, value)};
  }

private:
  Expression floatConstant(double number) const;
  Expression intConstant(int64_t bits) const;

  const Emitter *emitter;
  mlir::Value value;
};

//===-- Operators ---------------------------------------------------------------------------===//

Expression operator+(const Expression &lhs, const Expression &rhs);
Expression operator-(const Expression &lhs, const Expression &rhs);
Expression operator*(const Expression &lhs, const Expression &rhs);
/// For floats only.
Expression operator/(const Expression &lhs, const Expression &rhs);
Expression operator-(const Expression &source);

Expression operator&(const Expression &lhs, const Expression &rhs);
Expression operator|(const Expression &lhs, const Expression &rhs);
Expression operator^(const Expression &lhs, const Expression &rhs);
/// Shifts by a constant amount that is less than the width, filling with zeros.
Expression operator<<(const Expression &lhs, unsigned amount);
Expression operator>>(const Expression &lhs, unsigned amount);
/// Negates a condition.
Expression operator!(const Expression &condition);

template <Number T> Expression operator+(const Expression &lhs, T rhs) {
  return lhs + lhs.constant(rhs);
}
template <Number T> Expression operator-(const Expression &lhs, T rhs) {
  return lhs - lhs.constant(rhs);
}
template <Number T> Expression operator*(const Expression &lhs, T rhs) {
  return lhs * lhs.constant(rhs);
}
template <Number T> Expression operator&(const Expression &lhs, T rhs) {
  return lhs & lhs.constant(rhs);
}
template <Number T> Expression operator|(const Expression &lhs, T rhs) {
  return lhs | lhs.constant(rhs);
}
template <Number T> Expression operator^(const Expression &lhs, T rhs) {
  return lhs ^ lhs.constant(rhs);
}

//===-- Conditions --------------------------------------------------------------------------===//

using FloatPredicate = mlir::arith::CmpFPredicate;
using IntPredicate = mlir::arith::CmpIPredicate;

Expression compare(FloatPredicate predicate, const Expression &lhs, const Expression &rhs);
Expression compare(IntPredicate predicate, const Expression &lhs, const Expression &rhs);

// Floats are compared in the ordered sense (false for NaN), integers as signed.
Expression equal(const Expression &lhs, const Expression &rhs);
Expression less(const Expression &lhs, const Expression &rhs);
Expression lessUnsigned(const Expression &lhs, const Expression &rhs);

template <Number T> Expression equal(const Expression &lhs, T rhs) {
  return equal(lhs, lhs.constant(rhs));
}
template <Number T> Expression less(const Expression &lhs, T rhs) {
  return less(lhs, lhs.constant(rhs));
}
template <Number T> Expression lessUnsigned(const Expression &lhs, T rhs) {
  return lessUnsigned(lhs, lhs.constant(rhs));
}

Expression isNan(const Expression &source);

Expression select(const Expression &condition, const Expression &ifTrue, const Expression &ifFalse);
template <Number T>
Expression select(const Expression &condition, const Expression &ifTrue, T ifFalse) {
  return select(condition, ifTrue, ifTrue.constant(ifFalse));
}
template <Number T>
Expression select(const Expression &condition, T ifTrue, const Expression &ifFalse) {
  return select(condition, ifFalse.constant(ifTrue), ifFalse);
}

//===-- Types and bits ----------------------------------------------------------------------===//

/// Converts between a float and its bit pattern as an integer.
Expression bitsOf(const Expression &source);
Expression asFloat(const Expression &bits);

// Extend or truncate an integer to this many bits; no code if it has that width.
Expression signedTo(unsigned bits, const Expression &source);
Expression unsignedTo(unsigned bits, const Expression &source);

Expression toF32(const Expression &source);
Expression toF64(const Expression &source);

Expression magnitude(const Expression &source);
Expression squareRoot(const Expression &source);
/// lhs * rhs + acc, rounded once. A function call per element if there is no instruction.
Expression fusedMultiplyAdd(const Expression &lhs, const Expression &rhs, const Expression &acc);

/// Whether the condition is true in any lane, as a scalar.
mlir::Value anyLane(const Expression &condition);
/// Returns `usual`, or, if the condition (an i1) holds, the results of `rare`, which have the same
/// types. The condition is expected to hold rarely.
llvm::SmallVector<Expression> unlessRare(mlir::Value condition, llvm::ArrayRef<Expression> usual,
                                         llvm::function_ref<llvm::SmallVector<Expression>()> rare);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETICEXPRESSION_H
