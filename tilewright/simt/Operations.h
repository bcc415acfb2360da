// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table that maps each operation name to the function that executes it. Each file adds the
// operations of one dialect, or of a part of it. Elementwise operations only define a function on
// single elements.

#ifndef TILEWRIGHT_SIMT_OPERATIONS_H
#define TILEWRIGHT_SIMT_OPERATIONS_H

#include "tilewright/numerics/Element.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright::simt {

class Machine;

using Execute = mlir::LogicalResult (*)(Machine &machine, mlir::Operation &op);
/// Computes an element of result number `result` from one element of each operand.
using ElementFunction = numerics::Element (*)(mlir::Operation &op,
                                              llvm::ArrayRef<numerics::Element> operands,
                                              unsigned result);

struct Meaning {
  Execute execute = nullptr;
  ElementFunction element = nullptr;
  /// Whether a poison result from operands without poison is immediate undefined behaviour: integer
  /// divisions.
  bool divides = false;
};

class Table {
public:
  template <typename Op> using ExecuteOp = mlir::LogicalResult (*)(Machine &, Op);

  template <typename Op, ExecuteOp<Op> execute> void add() {
    meanings[Op::getOperationName()] = {
        [](Machine &machine, mlir::Operation &op) { return execute(machine, llvm::cast<Op>(op)); }};
  }
  template <typename Op> void addElementwise(ElementFunction element, bool divides = false) {
    meanings[Op::getOperationName()] = {executeElementwise, element, divides};
  }
  const Meaning *find(llvm::StringRef name) const {
    auto entry = meanings.find(name);
    return entry == meanings.end() ? nullptr : &entry->second;
  }
  const llvm::StringMap<Meaning> &all() const { return meanings; }

private:
  static mlir::LogicalResult executeElementwise(Machine &machine, mlir::Operation &op);

  llvm::StringMap<Meaning> meanings;
};

void addAffine(Table &table);
void addArith(Table &table);
void addControl(Table &table);
void addGpu(Table &table);
void addMath(Table &table);
void addMatrix(Table &table);
void addMemRefs(Table &table);
void addMoves(Table &table);
void addReductions(Table &table);
void addTransfers(Table &table);
void addVectors(Table &table);
void addViews(Table &table);

/// The table of all operations that can be executed.
const Table &operations();
const Meaning *meaningOf(mlir::OperationName name);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_OPERATIONS_H
