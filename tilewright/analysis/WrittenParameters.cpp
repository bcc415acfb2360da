// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrittenParameters.h. Addresses are followed forwards through all operations that create
// pointers and views from pointers and views. An operand of a loop or an `if` may reach any of its
// regions and results.

#include "tilewright/analysis/WrittenParameters.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using mlir::Operation;
using mlir::Value;

/// Whether a value of this type can hold an address: pointers and views, but neither numbers nor
/// tokens.
static bool holdsAddresses(Value value) {
  mlir::Type type = value.getType();
  if (auto tileType = llvm::dyn_cast<tile::TileType>(type))
    return llvm::isa<tile::PointerType>(tileType.getElementType());
  return !llvm::isa<tile::TokenType>(type);
}

namespace {
class Addresses {
public:
  explicit Addresses(Value parameter) { follow(parameter); }

  /// Whether any operation may write through one of these addresses.
  bool areWritten() {
    for (size_t i = 0; i < values.size(); ++i)
      for (mlir::OpOperand &use : values[i].getUses())
        if (isWrittenBy(use))
          return true;
    return false;
  }

private:
  void follow(Value value) {
    if (holdsAddresses(value))
      values.insert(value);
  }

  void followRegions(Operation *op) {
    for (mlir::Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        follow(argument);
  }

  bool isWrittenBy(mlir::OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
      return use.get() == access.getStored() ||
             (use.get() == access.getAddressed() && !access.isLoad());
    if (llvm::isa<tile::PtrToIntOp>(op))
      return true;
    for (Value result : op->getResults())
      follow(result);
    followRegions(op);
    // A terminator may leave several operations at once.
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      for (Operation *parent = op->getParentOp(); parent && !llvm::isa<tile::EntryOp>(parent);
           parent = parent->getParentOp()) {
        for (Value result : parent->getResults())
          follow(result);
        followRegions(parent);
      }
    return false;
  }

  llvm::SetVector<Value> values;
};
} // namespace

llvm::BitVector analysis::writtenParameters(tile::EntryOp entry) {
  llvm::BitVector written;
  for (Value parameter : entry.getBody().getArguments())
    written.push_back(Addresses(parameter).areWritten());
  return written;
}
