// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a workgroup in the middle of a function: what its threads hold, which of
// them are active, its memory, and what they did wrong so far. Operations are functions
// over this state (Operations.h); those that cannot go on return failure after `stop` or
// `refuse`, which say why.

#ifndef TILEWRIGHT_SIMT_MACHINE_H
#define TILEWRIGHT_SIMT_MACHINE_H

#include "tilewright/simt/Checks.h"
#include "tilewright/simt/Lifetimes.h"
#include "tilewright/simt/Memory.h"
#include "tilewright/simt/Workgroup.h"
#include "tilewright/support/Result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>

namespace tilewright::simt {

/// Threads that execute something together, by increasing number.
using Threads = std::vector<int64_t>;

/// Where an element of a result comes from: an element of an operand, or poison.
struct Source {
  int32_t operand;
  int32_t element;
  static Source poison() { return {-1, 0}; }
};
/// For each element of a result.
using Plan = std::vector<Source>;

/// What a finding is about beside its operation, as far as it applies.
struct Subject {
  std::optional<int64_t> thread = std::nullopt;
  const Memory *memory = nullptr;
  /// In the memory.
  std::optional<int64_t> place = std::nullopt;
  /// The access that a race is with.
  mlir::Operation *other = nullptr;
};

class Machine {
public:
  /// To execute `function`.
  Machine(mlir::func::FuncOp function, Workgroup workgroup, RunLimits limits);

  const Workgroup &workgroup() const { return group; }
  int64_t threads() const { return group.size(); }

  //===-- Values -------------------------------------------------------------------------===//

  const Register &of(mlir::Value value) { return registers[numberOf(value)]; }
  /// The register of a result, with room for what the active threads will put there. Rows of
  /// other threads are kept if `keep`.
  Register &define(mlir::Value value, bool uniform);
  /// Gives a value to the active threads; the others keep theirs if `keep`.
  void assign(mlir::Value value, const Register &source, bool keep = false);
  /// The register of a result that starts as what the active threads hold of an operand, which
  /// gives its room to the result if `op` is the last to need it.
  Register &continueFrom(mlir::Operation &op, mlir::Value operand, mlir::Value result,
                         bool uniform);
  bool isUniform(mlir::ValueRange values);
  /// The threads to compute rows for: all that are active, or one that stands for them.
  llvm::ArrayRef<int64_t> rowsOf(const Register &result) const {
    return uniformRow(result.uniform);
  }
  llvm::ArrayRef<int64_t> uniformRow(bool uniform) const {
    const llvm::ArrayRef<int64_t> all = activeThreads;
    return uniform ? all.take_front() : all;
  }
  /// The same for what is read from memory. When all threads read the same, two of them are
  /// enough to race with whoever writes.
  Threads readersOf(const Register &result) const;
  /// Whether all active threads read the same of a memory at these indices.
  bool readsAlike(mlir::Value memref, mlir::ValueRange others);
  /// What an operation moves where depends on its attributes only, so it is found out once.
  llvm::ArrayRef<Plan> plansOf(mlir::Operation &op, llvm::function_ref<std::vector<Plan>()> make);

  //===-- Control flow -------------------------------------------------------------------===//

  const Threads &active() const { return activeThreads; }
  /// Makes control flow divergent: only these of the active threads go on, as `branch` chose. The
  /// result is for `leave`, after which all of them are active again.
  std::optional<Threads> enter(mlir::Operation &branch, const Threads &threads);
  void leave(std::optional<Threads> before);
  /// Executes the operations of a block, up to its terminator.
  mlir::LogicalResult execute(mlir::Block &block);
  /// Fails when there were too many.
  mlir::LogicalResult countStep(mlir::Operation &op);
  mlir::LogicalResult step(mlir::Operation &op);
  /// Whether all of `needed` are active; a finding says how many are, and where control flow
  /// diverged.
  mlir::LogicalResult requireActive(mlir::Operation &op, llvm::ArrayRef<int64_t> needed,
                                    llvm::StringRef what);
  /// All active threads have passed a barrier.
  void beginBarrierPhase() { ++barrierPhase; }

  /// The subgroups that have active threads.
  llvm::SmallVector<Threads> activeSubgroups() const;

  /// For the operation inside of a `vector.mask`, which takes the mask or cannot be masked.
  void setMask(const Register &bits) { mask = &bits; }
  const Register *takeMask() { return std::exchange(mask, nullptr); }

  //===-- Memory -------------------------------------------------------------------------===//

  support::Result<unsigned> allocate(std::string name, numerics::Format format,
                                     llvm::ArrayRef<int64_t> shape, int64_t count,
                                     int64_t copies = 1);
  Memory &memory(unsigned number) { return memories[number]; }
  /// Memory that an operation, or a symbol, has been given before.
  llvm::DenseMap<mlir::Operation *, unsigned> memoryOfOp;

  /// The place of an element, which has to be in range. `index` has an entry per dimension.
  std::optional<int64_t> placeOf(mlir::Operation &op, int64_t thread, const Reference &reference,
                                 llvm::ArrayRef<int64_t> index);
  numerics::Element load(const Access &access, const Reference &reference, int64_t place);
  void store(const Access &access, const Reference &reference, int64_t place,
             numerics::Element element);
  /// The integers that address memory; none after a finding if one is poison.
  std::optional<llvm::SmallVector<int64_t>> indicesOf(mlir::Operation &op, int64_t thread,
                                                      mlir::ValueRange values);
  /// One integer that decides what happens; none after a finding if it is poison.
  std::optional<int64_t> decide(mlir::Operation &op, int64_t thread, mlir::Value value,
                                llvm::StringRef role);

  //===-- What went wrong ----------------------------------------------------------------===//

  /// Adds a finding, once for each operation, check and other operation; the run goes on.
  void report(Check check, mlir::Operation &op, const llvm::Twine &message,
              const Subject &subject = {});
  /// The same, and the run ends.
  mlir::LogicalResult stop(Check check, mlir::Operation &op, const llvm::Twine &message,
                           const Subject &subject = {});
  /// The operation cannot be executed: not a mistake of the program.
  mlir::LogicalResult refuse(mlir::Operation &op, const llvm::Twine &message);

  std::vector<Finding> findings;
  std::optional<support::Failure> refusal;

private:
  /// Where control flow diverged.
  struct Divergence {
    mlir::Operation *op;
    int64_t stayed, came;
  };

  unsigned numberOf(mlir::Value value);
  /// Gives the room of values that are not needed any more back.
  void release(llvm::ArrayRef<mlir::Value> values);
  void checkRace(const Access &access, Memory &memory, int64_t place);
  Finding makeFinding(mlir::Operation &op, const llvm::Twine &message) const;

  const std::string kernel;
  const Workgroup group;
  const RunLimits limits;
  const Lifetimes lifetimes;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  // References into it stay valid while it grows.
  std::deque<Register> registers;
  llvm::DenseMap<mlir::Operation *, std::vector<Plan>> plans;
  Threads activeThreads;
  const Register *mask = nullptr;
  std::vector<Divergence> divergences;
  std::deque<Memory> memories;
  int64_t elements = 0;
  uint32_t barrierPhase = 1;
  int64_t steps = 0;
  llvm::DenseSet<std::tuple<unsigned, mlir::Operation *, mlir::Operation *>> reported;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_MACHINE_H
