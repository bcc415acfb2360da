// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes elementwise operations on vectors, element by element and for each thread. A scalar
// operand counts as a splat.

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;

namespace {
class Elementwise {
public:
  Elementwise(Machine &machine, Operation &op, const Meaning &meaning)
      : machine(machine), op(op), meaning(meaning) {
    for (Value operand : op.getOperands())
      operands.push_back(&machine.of(operand));
    values.resize(operands.size(), Element::boolean(false));
  }

  void execute() {
    const bool uniform = machine.isUniform(op.getOperands());
    for (OpResult value : op.getResults()) {
      Register &result = machine.define(value, uniform);
      for (int64_t thread : machine.rowsOf(result))
        for (int64_t element = 0; element < result.count; ++element)
          result.set(thread, element, compute(thread, element, value.getResultNumber()));
    }
  }

private:
  Element compute(int64_t thread, int64_t element, unsigned number) {
    bool isClean = true;
    for (auto [value, operand] : llvm::zip_equal(values, operands)) {
      value = operand->at(thread, operand->count == 1 ? 0 : element);
      isClean &= !value.poison;
    }
    const Element result = meaning.element(op, values, number);
    const bool undefined = meaning.divides && isClean && result.poison &&
                           (values[1].bits == 0 || values[1].asSigned() == -1);
    if (undefined)
      machine.report(Check::Division, op,
                     llvm::formatv("thread {0} divides {1} by {2} in '{3}'", thread,
                                   values[0].asSigned(), values[1].asSigned(), op.getName()),
                     {thread});
    return result;
  }

  Machine &machine;
  Operation &op;
  const Meaning &meaning;
  SmallVector<const Register *> operands;
  SmallVector<Element> values;
};
} // namespace

LogicalResult Table::executeElementwise(Machine &machine, Operation &op) {
  if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    return machine.refuse(op, "a choice between memory cannot be executed");
  Elementwise(machine, op, *meaningOf(op.getName())).execute();
  return success();
}
