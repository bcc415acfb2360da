// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a running tile block? Registers, and a stack with a frame for each body that it is
// in: the position there, and what a loop needs for its next iteration. The stack is explicit,
// not that of C++, so that a scheduler can suspend a block between any two operations and
// resume it later.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_TILEBLOCK_H
#define TILEWRIGHT_REFERENCE_MACHINE_TILEBLOCK_H

#include "tilewright/reference/machine/Launch.h"
#include "tilewright/reference/machine/Register.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::reference {

using llvm::LogicalResult;

/// A body that has been entered and not yet left.
struct Frame {
  /// The entry, `if`, `for` or `loop` that the body belongs to.
  mlir::Operation *owner;
  const Body *body;
  /// Number of the operation to execute next.
  size_t next = 0;
  /// The iterations of a `for` that are still to come, and its next induction value.
  unsigned __int128 iterationsLeft = 0;
  Element inductionValue = Element::boolean(false);
  /// Of a loop, from 1.
  int64_t iteration = 1;
  /// Allocas of this iteration (operations, 7.2).
  llvm::SmallVector<Allocation *, 1> allocas = {};
  /// Has this iteration accessed memory that other blocks may access at the same time?
  bool communicates = false;
  /// Does that include memory of the host, which may write to it meanwhile?
  bool meetsHost = false;
  /// `Launch::changes` when this iteration started.
  int64_t changesBefore = 0;
};

/// Has a loop that communicates started an iteration, so that the block may be waiting for another?
enum class Restart : uint8_t {
  None,
  Idle, ///< The last one has changed nothing: it does the same, unless somebody changes memory.
  Other,
};

/// The operands of which elementwise operations made marked elements though they have no marks
/// there: of each operation, those with which it did so last.
class PoisonSources {
public:
  struct Made {
    llvm::SmallVector<Tile, 3> operands;
    /// The first element of each mark.
    std::optional<int64_t> unspecified, undefined;
  };

  void remember(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands,
                std::optional<int64_t> unspecified, std::optional<int64_t> undefined);
  /// Null if the operation never did.
  const Made *of(mlir::Operation *op) const;
  bool empty() const { return all.empty(); }

private:
  llvm::DenseMap<mlir::Operation *, Made> all;
};

class TileBlock {
public:
  TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters);

  const runtime::Block &id() const { return blockId; }
  Launch &launch() { return ofLaunch; }
  const Launch &launch() const { return ofLaunch; }
  Memory &memory() { return ofLaunch.memory; }

  //===-- Progress --------------------------------------------------------------------===//

  /// Are there no operations left to execute? Accesses may be.
  bool hasReturned() const { return stack.empty(); }
  /// The operation that is executed next.
  mlir::Operation *position() const { return stack.back().body->at(stack.back().next).op; }
  /// Takes the next operation, which is then no longer the next.
  const Instruction &advance() {
    Frame &top = stack.back();
    return (*top.body)[top.next++];
  }
  /// The restart since the last call.
  Restart takeRestart() { return std::exchange(restart, Restart::None); }

  //===-- Memory operations -----------------------------------------------------------===//

  /// Operations on memory that are not done, in program order.
  std::vector<SharedOperation> pending = {};

  /// The last read that others may wait for with what they write; none if there is none.
  struct Polled {
    mlir::Operation *op;
    Place place;
  };
  std::optional<Polled> polled = std::nullopt;
  /// The allocation that it reads there; null if there is none, or nothing was read.
  Allocation *polledAllocation();
  /// A finding about a wait for what it reads there: adds which element of which array it is.
  void explainWait(Finding &finding);

  //===-- Registers -------------------------------------------------------------------===//

  const Register &get(mlir::Value value) const {
    return registers[ofLaunch.program.registerOf(value)];
  }
  /// What an optional token operand says; null says nothing.
  Token token(mlir::Value value) const { return value ? std::get<Token>(get(value)) : Token(); }
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

  Frame &enter(mlir::Operation *owner, mlir::Block &body);
  Frame &innermost() { return stack.back(); }
  llvm::MutableArrayRef<Frame> frames() { return stack; }
  /// Ends the innermost body, and with it the life of its allocas.
  void leave();
  /// Starts the next iteration of the innermost loop; the allocas of the last one end.
  void startAgain(Restart how);
  /// The innermost body whose end frees what is allocated now.
  Frame &allocationScope();
  /// Ends all bodies.
  void end();

  //===-- Findings --------------------------------------------------------------------===//

  /// The kernel did what is undefined, and the block cannot continue: adds a finding. True if the
  /// check is not selected; then there is none, and the block continues.
  bool reportFatal(Check check, mlir::Operation *op, const llvm::Twine &what);
  bool reportFatal(Finding finding);
  /// The same, where the block can continue: reported once per operation and check. False if the
  /// check is not selected.
  bool reportOnce(Check check, mlir::Operation *op, const llvm::Twine &what);
  bool reportOnce(Finding finding);
  LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);

  /// A finding at this operation of this block, with `block (x, y, z): ` before the message.
  Finding finding(FindingKind kind, mlir::Operation *op, const llvm::Twine &message) const;
  void add(Finding finding) {
    ofLaunch.hasError |= !isWarning(finding.kind);
    ofLaunch.result.add(std::move(finding));
  }
  /// The loops that the block is in, and how far.
  std::vector<Iteration> iterations() const;
  /// Of those that are going on; null if there is none.
  mlir::Operation *innermostLoop() const;
  /// The launch has executed as many operations as it may.
  void addStepLimit();

  /// Makes an element of a tile one that nothing specifies.
  void setUnspecified(Tile &tile, int64_t element) {
    tile.set(element, ofLaunch.unspecifiedBits(tile.format()), Mark::Unspecified);
  }
  //===-- Poison ----------------------------------------------------------------------===//

  PoisonSources poisonSources;
  /// What is wrong with an `assume` about a stride; empty if nothing.
  llvm::DenseMap<mlir::Operation *, std::string> falseStrideAssumptions;

  /// `block (0, 0, 0): `, as messages begin.
  std::string blockText() const;

private:
  Launch &ofLaunch;
  runtime::Block blockId;
  std::vector<Register> registers;
  std::vector<Frame> stack;
  Restart restart = Restart::None;
};

/// `load_view_tko`: the operation's name as messages spell it.
llvm::StringRef nameOf(mlir::Operation *op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_TILEBLOCK_H
