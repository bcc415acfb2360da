// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a running tile block? Registers, and a stack of the bodies it is in: where
// in each it stands, and what a loop needs to know for its next turn. The stack is
// explicit, not C++'s own, so that a scheduler can leave a block between any two
// operations and come back to it.

#ifndef TILEWRIGHT_REFERENCE_TILEBLOCK_H
#define TILEWRIGHT_REFERENCE_TILEBLOCK_H

#include "tilewright/reference/Machine.h"
#include "tilewright/reference/Races.h"
#include "tilewright/reference/Register.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

#include <random>

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
  /// How often a finding about the origin of what an operation uses has been made there.
  using UseCounts = llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned>;
  UseCounts reportedUses = UseCounts();
  /// What has been reported once and does not stop a block.
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> reported = {};

  bool isReported(mlir::Operation *op, Check check) const {
    return reported.contains({op, unsigned(check)});
  }
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> reportedRaces = {};
  TokenOrder tokenOrder = {};
  /// Null if nobody wants to know of races.
  std::unique_ptr<RaceDetector> races = nullptr;
  /// Runs of elements written so far: does it change, somebody makes progress.
  int64_t writes = 0;
  /// Something worse than a warning was found, and so many operations were executed since.
  bool hasError = false;
  int64_t stepsAfterError = 0;
  /// One more operation is to be executed: has the launch gone on for long enough after an error?
  bool isGivenUp() { return hasError && stepsAfterError++ >= options.maxStepsAfterError; }
  /// What Schedule::Random decides by.
  std::mt19937_64 random{options.seed};
  /// The bits that some machine would have where nothing specifies them: zeros, as those that pad
  /// by copying have, or under Schedule::Random any, by the seed.
  Element unspecifiedBits(Format format);
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
  /// Of a loop, from 1.
  int64_t iteration = 1;
  /// Allocas of this turn (operations, 7.2).
  llvm::SmallVector<Allocation *, 1> allocas = {};
  /// Has this turn accessed memory that others may see meanwhile?
  bool communicates = false;
};

/// Has a loop that communicates started again, so that the block may be waiting for another one?
enum class Turn : uint8_t {
  None,
  Idle, ///< The next turn starts as the last one did: it does the same, unless memory changes.
  Other,
};

class TileBlock {
public:
  TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters);

  const runtime::Block &id() const { return blockId; }
  Launch &launch() { return ofLaunch; }
  Memory &memory() { return ofLaunch.memory; }

  //===-- Progress --------------------------------------------------------------------===//

  /// Are there no operations left to execute? Accesses may be.
  bool hasReturned() const { return stack.empty(); }
  /// Executes one operation. Failure: the launch cannot go on.
  LogicalResult step();
  /// The operation that is executed next.
  mlir::Operation *position() const { return stack.back().body->at(stack.back().next).op; }
  /// The turn that was taken since the last question.
  Turn turn() { return std::exchange(turnTaken, Turn::None); }

  //===-- Memory operations -----------------------------------------------------------===//

  /// Performs the operation now, or leaves it to the schedule to do so. `result` may be null.
  LogicalResult issue(MemoryOperation operation, mlir::Value result, mlir::Value token);
  /// Operations that are not done, in program order.
  llvm::ArrayRef<SharedOperation> pending() const { return pendingOperations; }
  /// Performs one of them as far as the next run goes; what it waits for must be done.
  void advance(SharedOperation operation);
  /// Performs one of them, and first what it waits for.
  void complete(SharedOperation operation);
  void completeAll();
  /// Performs what the token waits for; the token then waits for nothing.
  void settle(Token &token);

  /// The last read that others may wait for with what they write; none if there is none.
  struct Polled {
    mlir::Operation *op;
    Place place;
  };
  std::optional<Polled> polled = std::nullopt;
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

  Activation &enter(mlir::Operation *owner, mlir::Block &body);
  Activation &innermost() { return stack.back(); }
  /// Ends the innermost body, and with it the life of its allocas.
  void leave();
  /// Ends the allocas of the turn of the innermost loop and starts its body again.
  void startAgain(Turn turn);
  /// The innermost body whose end frees what is allocated now.
  Activation &allocationScope();
  /// Ends all bodies.
  void end();

  //===-- Complaints ------------------------------------------------------------------===//

  /// The kernel did what is undefined: adds a finding, unless nobody wants to know of it.
  /// True if nobody does, and the block may go on as if nothing had happened.
  bool complain(Check check, mlir::Operation *op, const llvm::Twine &what);
  bool complain(Finding finding);
  /// The same, where there is a sensible way to go on: reported once per operation and check.
  /// False if nobody wants to know.
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

  /// Undefined elements may be computed, but not used: complains if the value has any.
  /// Failure: the block cannot go on.
  LogicalResult requireDefined(mlir::Operation *op, mlir::Value value, const llvm::Twine &use);
  /// The same, where the block can go on with the bits that it has: reported once.
  void expectDefined(mlir::Operation *op, mlir::Value value, const llvm::Twine &use);
  /// An element with a mark leaves the kernel: where it is only unspecified, that is a warning.
  /// makeFinding says what happened to an "undefined" or "unspecified" value.
  void reportOutput(mlir::Operation *op, mlir::Value value, int64_t element, Mark mark,
                    llvm::function_ref<Finding(llvm::StringRef kind)> makeFinding);
  /// Is there something to say of a marked element that the operation uses? After many findings
  /// about one use, whatever their checks, there is not: to explain them takes time.
  bool wantsUse(mlir::Operation *op, Check check) const;
  /// Has one been reported, whatever its check?
  bool isUseReported(mlir::Operation *op, Check check) const;
  /// reportOnce for the explained finding of such a use.
  bool reportUse(mlir::Operation *op, Check check, Finding finding);
  /// Says where an element with a mark comes from. If it is from arithmetic, the finding becomes
  /// one about that (Origin.cpp).
  void explain(Finding &finding, mlir::Value value, int64_t element, Mark mark) const;
  void explain(Finding &finding, mlir::Value value, int64_t element) const {
    explain(finding, value, element, tile(value).markOf(element));
  }
  /// Makes an element of a tile one that nothing specifies.
  void setUnspecified(Tile &tile, int64_t element) {
    tile.set(element, ofLaunch.unspecifiedBits(tile.format()), Mark::Unspecified);
  }
  /// What is wrong with the promise that this operation makes about a stride; empty if nothing.
  void setStridePromise(mlir::Operation *assume, std::string wrong) {
    stridePromises[assume] = std::move(wrong);
  }
  llvm::StringRef brokenStridePromise(mlir::Operation *assume) const {
    auto found = stridePromises.find(assume);
    return found == stridePromises.end() ? llvm::StringRef() : found->second;
  }
  /// The operands of which an elementwise operation made marked elements though they have no marks
  /// there; and the first element of each mark.
  struct Breaches {
    llvm::SmallVector<Tile, 3> operands;
    std::optional<int64_t> unspecified, undefined;
  };
  void rememberBreach(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands,
                      std::optional<int64_t> unspecified, std::optional<int64_t> undefined);
  /// Those with which it did so last; null if it never did.
  const Breaches *breachesOf(mlir::Operation *op) const;

private:
  Launch &ofLaunch;
  runtime::Block blockId;
  std::vector<Register> registers;
  std::vector<Activation> stack;
  std::vector<SharedOperation> pendingOperations;
  Turn turnTaken = Turn::None;
  llvm::DenseMap<mlir::Operation *, Breaches> breaches;
  llvm::DenseMap<mlir::Operation *, std::string> stridePromises;

  Finding undefinedUse(mlir::Operation *op, mlir::Value value, int64_t element,
                       const llvm::Twine &use) const;
  /// `block (0, 0, 0): `, as messages begin.
  std::string blockText() const;
  void resolve(mlir::Operation *op);
};

/// Does the schedule delay memory operations?
inline bool delaysMemory(const LaunchOptions &options) {
  return options.schedule != Schedule::ProgramOrder;
}

/// `load_view_tko`: the operation's name as messages spell it.
llvm::StringRef nameOf(mlir::Operation *op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_TILEBLOCK_H
