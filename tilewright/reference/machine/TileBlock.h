// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a running tile block: registers, and a stack with a frame for each active body. A
// frame has the position in the body and what a loop needs for its next iteration. The stack is
// explicit instead of the C++ stack, so that a scheduler can suspend a block between any two
// operations and resume it later.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_TILEBLOCK_H
#define TILEWRIGHT_REFERENCE_MACHINE_TILEBLOCK_H

#include "tilewright/reference/machine/Launch.h"
#include "tilewright/reference/machine/Register.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::reference {

using llvm::LogicalResult;

/// The state of a body that has been entered and not yet left.
struct Frame {
  /// The entry, `if`, `for` or `loop` that the body belongs to.
  mlir::Operation *owner;
  const Body *body;
  /// Index of the operation to execute next.
  size_t next = 0;
  /// The remaining iterations of a `for`, and its next induction value.
  unsigned __int128 iterationsLeft = 0;
  Element inductionValue = Element::boolean(false);
  /// Iteration number of a loop, from 1.
  int64_t iteration = 1;
  /// Allocas of this iteration (operations, 7.2).
  llvm::SmallVector<Allocation *, 1> allocas = {};
  /// Whether this iteration has accessed memory that other blocks may access at the same time.
  bool communicates = false;
  /// Whether the host may write to that memory, too.
  bool syncsWithHost = false;
  /// `Launch::changes` when this iteration started.
  int64_t changesBefore = 0;
};

/// Whether a loop that communicates has started an iteration, so that the block may be waiting for
/// another block.
enum class Restart : uint8_t {
  None,
  Idle, ///< The last iteration changed nothing: the next one repeats it unless another block
        ///< changes memory.
  Other,
};

/// For elementwise operations that marked elements although their operands have no marks there: the
/// operands of the last such execution, for each operation.
class PoisonSources {
public:
  struct Source {
    llvm::SmallVector<Tile, 3> operands;
    /// The first element with each mark.
    std::optional<int64_t> unspecified, undefined;
  };

  void add(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands,
           std::optional<int64_t> unspecified, std::optional<int64_t> undefined);
  /// Null if the operation never did this.
  const Source *of(mlir::Operation *op) const;
  bool empty() const { return all.empty(); }

private:
  llvm::DenseMap<mlir::Operation *, Source> all;
};

class TileBlock {
public:
  TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters);

  const runtime::Block &id() const { return blockId; }
  Launch &launch() { return ofLaunch; }
  const Launch &launch() const { return ofLaunch; }
  Memory &memory() { return ofLaunch.memory; }

  //===-- Progress --------------------------------------------------------------------===//

  /// Whether no operations are left to execute. Accesses may still be pending.
  bool hasReturned() const { return stack.empty(); }
  /// The operation that is executed next.
  mlir::Operation *position() const { return stack.back().body->at(stack.back().next).op; }
  /// Returns the next operation and moves past it.
  const Instruction &advance() {
    Frame &top = stack.back();
    return (*top.body)[top.next++];
  }
  /// The restart since the last call.
  Restart takeRestart() { return std::exchange(restart, Restart::None); }

  //===-- Memory operations -----------------------------------------------------------===//

  /// The number of memory operations that were executed or are pending.
  int64_t memoryOperations = 0;
  /// Memory operations that are not done, in program order.
  std::vector<SharedOperation> pending = {};

  /// The last read of memory that other blocks may write to; none if there is none.
  struct Polled {
    mlir::Operation *op;
    Place place;
  };
  std::optional<Polled> polled = std::nullopt;
  /// The allocation that it reads; null if there is none, or if nothing was read.
  Allocation *polledAllocation();
  /// Adds to a finding about a wait which element of which array the block reads.
  void explainWait(Finding &finding);

  //===-- Registers -------------------------------------------------------------------===//

  const Register &get(mlir::Value value) const {
    return registers[ofLaunch.program.registerOf(value)];
  }
  /// The value of an optional token operand; null gives the empty token.
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
  /// Ends the innermost body, and the lifetime of its allocas.
  void leave();
  /// Starts the next iteration of the innermost loop and frees the allocas of the previous one.
  void startAgain(Restart how);
  /// The innermost body whose end frees new allocas.
  Frame &allocationScope();
  /// Ends all bodies.
  void end();

  //===-- Findings --------------------------------------------------------------------===//

  /// Adds a finding about undefined behaviour after which the block cannot continue. True if the
  /// check is disabled; then nothing is added and the block continues.
  bool reportFatal(Check check, mlir::Operation *op, const llvm::Twine &what);
  bool reportFatal(Finding finding);
  /// The same for behaviour after which the block can continue: reported once per operation and
  /// check. False if the check is disabled.
  bool reportOnce(Check check, mlir::Operation *op, const llvm::Twine &what);
  bool reportOnce(Finding finding);
  LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);

  /// A finding at this operation of this block, with `block (x, y, z): ` before the message.
  Finding finding(FindingKind kind, mlir::Operation *op, const llvm::Twine &message) const;
  void add(Finding finding) {
    ofLaunch.hasError |= !isWarning(finding.kind);
    ofLaunch.result.add(std::move(finding));
  }
  /// The loops that the block is in, with their iteration numbers.
  std::vector<Iteration> iterations() const;
  /// The innermost of the active loops; null if there is none.
  mlir::Operation *innermostLoop() const;
  /// Adds the finding that the launch has reached its step limit.
  void addStepLimit();

  /// Makes an element of a tile unspecified.
  void setUnspecified(Tile &tile, int64_t element) {
    tile.set(element, ofLaunch.unspecifiedBits(tile.format()), Mark::Unspecified);
  }
  //===-- Poison ----------------------------------------------------------------------===//

  PoisonSources poisonSources;
  /// Violated `assume`s about strides, with the violation as text; empty if there is none.
  llvm::DenseMap<mlir::Operation *, std::string> falseStrideAssumptions;

  /// `block (0, 0, 0): `, the prefix of messages.
  std::string blockText() const;

private:
  Launch &ofLaunch;
  runtime::Block blockId;
  std::vector<Register> registers;
  std::vector<Frame> stack;
  Restart restart = Restart::None;
};

/// The operation's name as it is spelled in messages: `load_view_tko`.
llvm::StringRef nameOf(mlir::Operation *op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_TILEBLOCK_H
