// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a running tile block? Registers, and a stack of the bodies it is in: where
// in each it stands, and what a loop needs to know for its next turn. The stack is
// explicit, not C++'s own, so that a scheduler can leave a block between any two
// operations and come back to it.

#ifndef TILEWRIGHT_REFERENCE_TILEBLOCK_H
#define TILEWRIGHT_REFERENCE_TILEBLOCK_H

#include "tilewright/reference/Machine.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::reference {

using llvm::LogicalResult;

/// What all blocks of one launch share.
struct Launch {
  const Program &program;
  const runtime::Grid &grid;
  Memory &memory;
  const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals;
  const LaunchOptions &options;
  LaunchResult result = {};
  /// Operations whose misbehaviour has been reported once and does not stop a block.
  llvm::DenseSet<mlir::Operation *> reported = {};
};

/// A body that has been entered and not yet left.
struct Activation {
  /// The entry, `if`, `for` or `loop` that the body belongs to.
  mlir::Operation *owner;
  const Body *body;
  /// Number of the operation to execute next.
  size_t next = 0;
  /// The turns of a `for` that are still to come, and its next induction value.
  unsigned __int128 turnsLeft = 0;
  Element inductionValue = Element::boolean(false);
  /// Allocas of this turn (operations, 7.2).
  llvm::SmallVector<Allocation *, 1> allocas = {};
};

class TileBlock {
public:
  TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters);

  const runtime::Block &id() const { return blockId; }
  Launch &launch() { return ofLaunch; }
  Memory &memory() { return ofLaunch.memory; }

  //===-- Progress --------------------------------------------------------------------===//

  bool hasEnded() const { return stack.empty(); }
  /// Executes one operation. Failure: the launch cannot go on.
  LogicalResult step();
  /// The operation that is executed next.
  mlir::Operation *position() const { return stack.back().body->at(stack.back().next).op; }

  //===-- Registers -------------------------------------------------------------------===//

  const Register &get(mlir::Value value) const {
    return registers[ofLaunch.program.registerOf(value)];
  }
  const Tile &tile(mlir::Value value) const { return std::get<Tile>(get(value)); }
  Element scalar(mlir::Value value) const { return tile(value).scalar(); }
  const TensorView &view(mlir::Value value) const { return std::get<TensorView>(get(value)); }

  LogicalResult define(mlir::Value value, Register content) {
    registers[ofLaunch.program.registerOf(value)] = std::move(content);
    return llvm::success();
  }
  void defineAll(mlir::ValueRange values, llvm::ArrayRef<Register> contents);
  llvm::SmallVector<Register> getAll(mlir::ValueRange values) const;

  //===-- Bodies ----------------------------------------------------------------------===//

  Activation &enter(mlir::Operation *owner, mlir::Block &body);
  Activation &innermost() { return stack.back(); }
  /// Ends the innermost body, and with it the life of its allocas.
  void leave();
  /// Ends the allocas of the turn of the innermost loop and starts its body again.
  void startAgain();
  /// The innermost body whose end frees what is allocated now.
  Activation &allocationScope();
  /// Ends all bodies.
  void end();

  //===-- Complaints ------------------------------------------------------------------===//

  /// The kernel did what is undefined, and cannot go on. Always failure.
  LogicalResult misbehaves(mlir::Operation *op, const llvm::Twine &what);
  /// The same, where there is a sensible way to go on: reported once per operation.
  void reportOnce(mlir::Operation *op, const llvm::Twine &what);
  LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);
  void add(FindingKind kind, mlir::Operation *op, const llvm::Twine &what);

  /// Undefined elements may be computed, but not used: misbehaves if the tile has any.
  LogicalResult requireDefined(mlir::Operation *op, const Tile &tile, const llvm::Twine &use);

private:
  Launch &ofLaunch;
  runtime::Block blockId;
  std::vector<Register> registers;
  std::vector<Activation> stack;
};

/// `load_view_tko`: the operation's name as messages spell it.
llvm::StringRef nameOf(mlir::Operation *op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_TILEBLOCK_H
