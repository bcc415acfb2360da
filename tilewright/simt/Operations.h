// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does each operation do to the state of a workgroup? A table from names to
// functions, filled by one file for each dialect or chapter of it. Elementwise operations
// only say what they do with single elements.

#ifndef TILEWRIGHT_SIMT_OPERATIONS_H
#define TILEWRIGHT_SIMT_OPERATIONS_H

#include "tilewright/numerics/Element.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright::simt {

class Machine;

using Execute = mlir::LogicalResult (*)(Machine &machine, mlir::Operation &op);
/// Element number `result` of the results, from an element of each operand.
using ElementFunction = numerics::Element (*)(mlir::Operation &op,
                                              llvm::ArrayRef<numerics::Element> operands,
                                              unsigned result);

struct Meaning {
  Execute execute = nullptr;
  ElementFunction element = nullptr;
  /// Poison from operands that are none is undefined behaviour at once: integer divisions.
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

/// All operations that can be executed.
const Table &operations();
const Meaning *meaningOf(mlir::OperationName name);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_OPERATIONS_H
