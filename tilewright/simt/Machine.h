// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a workgroup during the execution of a function: the values of its threads, the
// active threads, memory, and the findings so far. Operations are functions over this state
// (Operations.h). An operation that cannot continue calls `stop` or `refuse`, which record the
// reason, and returns failure.

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

/// Threads that execute something together, in ascending order.
using Threads = std::vector<int64_t>;

/// The origin of a result element: an element of an operand, or poison.
struct Source {
  int32_t operand;
  int32_t element;
  static Source poison() { return {-1, 0}; }
};
/// The source of each element of a result.
using Plan = std::vector<Source>;

/// What a finding refers to besides its operation, if applicable.
struct Subject {
  std::optional<int64_t> thread = std::nullopt;
  const Memory *memory = nullptr;
  /// The place within that memory.
  std::optional<int64_t> place = std::nullopt;
  /// The other access of a race.
  mlir::Operation *other = nullptr;
};

class Machine {
public:
  /// Prepares the execution of `function`.
  Machine(mlir::func::FuncOp function, Workgroup workgroup, RunLimits limits);

  const Workgroup &workgroup() const { return group; }
  int64_t threads() const { return group.size(); }

  //===-- Values -------------------------------------------------------------------------===//

  const Register &of(mlir::Value value) { return registers[numberOf(value)]; }
  /// The register of a result, resized for its type. The active threads then set their rows.
  Register &define(mlir::Value value, bool uniform);
  /// Assigns a value in the active threads; the other threads keep theirs if `keep`.
  void assign(mlir::Value value, const Register &source, bool keep = false);
  /// The register of a result, initialised with the operand's values in the active threads. It
  /// reuses the operand's storage if `op` is the operand's last use.
  Register &continueFrom(mlir::Operation &op, mlir::Value operand, mlir::Value result,
                         bool uniform);
  bool isUniform(mlir::ValueRange values);
  /// The threads to compute rows for: all active ones, or one that represents them all.
  llvm::ArrayRef<int64_t> rowsOf(const Register &result) const {
    return uniformRow(result.uniform);
  }
  llvm::ArrayRef<int64_t> uniformRow(bool uniform) const {
    const llvm::ArrayRef<int64_t> all = activeThreads;
    return uniform ? all.take_front() : all;
  }
  /// The same for reads from memory. If all threads read the same place, two of them are enough to
  /// detect a race with a writer.
  Threads readersOf(const Register &result) const;
  /// Whether all active threads read the same place of a memory at these indices.
  bool readsAlike(mlir::Value memref, mlir::ValueRange others);
  /// The source plans of an operation, which depend only on its attributes; `make` is called once.
  llvm::ArrayRef<Plan> plansOf(mlir::Operation &op, llvm::function_ref<std::vector<Plan>()> make);

  //===-- Control flow -------------------------------------------------------------------===//

  const Threads &active() const { return activeThreads; }
  /// Makes control flow divergent: only `threads`, which `branch` selected among the active ones,
  /// continue. Pass the result to `leave`, which makes all of them active again.
  std::optional<Threads> enter(mlir::Operation &branch, const Threads &threads);
  void leave(std::optional<Threads> before);
  /// Executes the operations of a block, up to its terminator.
  mlir::LogicalResult execute(mlir::Block &block);
  /// Fails if the step limit is exceeded.
  mlir::LogicalResult countStep(mlir::Operation &op);
  mlir::LogicalResult step(mlir::Operation &op);
  /// Whether all `needed` threads are active; otherwise a finding reports how many are, and where
  /// control flow diverged.
  mlir::LogicalResult requireActive(mlir::Operation &op, llvm::ArrayRef<int64_t> needed,
                                    llvm::StringRef what);
  /// Called when all threads have passed a barrier.
  void beginBarrierPhase() { ++barrierPhase; }

  /// The subgroups that have active threads.
  llvm::SmallVector<Threads> activeSubgroups() const;

  /// Passes a mask to the operation inside a `vector.mask`, which takes the mask or cannot be
  /// masked.
  void setMask(const Register &bits) { mask = &bits; }
  const Register *takeMask() { return std::exchange(mask, nullptr); }

  //===-- Memory -------------------------------------------------------------------------===//

  support::Result<unsigned> allocate(std::string name, numerics::Format format,
                                     llvm::ArrayRef<int64_t> shape, int64_t count,
                                     int64_t copies = 1);
  Memory &memory(unsigned number) { return memories[number]; }
  /// The memory of an operation or symbol that has been executed or used before.
  llvm::DenseMap<mlir::Operation *, unsigned> memoryOfOp;

  /// The place of an element, which must be in range. `index` has one entry per dimension.
  std::optional<int64_t> placeOf(mlir::Operation &op, int64_t thread, const Reference &reference,
                                 llvm::ArrayRef<int64_t> index);
  numerics::Element load(const Access &access, const Reference &reference, int64_t place);
  void store(const Access &access, const Reference &reference, int64_t place,
             numerics::Element element);
  /// Integers that address memory; none, after a finding, if one is poison.
  std::optional<llvm::SmallVector<int64_t>> indicesOf(mlir::Operation &op, int64_t thread,
                                                      mlir::ValueRange values);
  /// An integer that control flow or a size depends on; none, after a finding, if it is poison.
  std::optional<int64_t> decide(mlir::Operation &op, int64_t thread, mlir::Value value,
                                llvm::StringRef role);

  // ===-- Findings -----------------------------------------------------------------------===//

  /// Adds a finding, once for each operation, check and other operation; the run continues.
  void report(Check check, mlir::Operation &op, const llvm::Twine &message,
              const Subject &subject = {});
  /// The same, and the run ends.
  mlir::LogicalResult stop(Check check, mlir::Operation &op, const llvm::Twine &message,
                           const Subject &subject = {});
  /// The operation cannot be executed: a limitation of the machine, not an error in the program.
  mlir::LogicalResult refuse(mlir::Operation &op, const llvm::Twine &message);

  std::vector<Finding> findings;
  std::optional<support::Failure> refusal;

private:
  /// A point where control flow diverged.
  struct Divergence {
    mlir::Operation *op;
    int64_t stayed, came;
  };

  unsigned numberOf(mlir::Value value);
  /// Frees the storage of dead values.
  void release(llvm::ArrayRef<mlir::Value> values);
  void checkRace(const Access &access, Memory &memory, int64_t place);
  Finding makeFinding(mlir::Operation &op, const llvm::Twine &message) const;

  const std::string kernel;
  const Workgroup group;
  const RunLimits limits;
  const Lifetimes lifetimes;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  // A deque, because references must stay valid while it grows.
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
