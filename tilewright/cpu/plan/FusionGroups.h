// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop fusion: which operations share their loops. A fusion group is a list of operations over one
// shape, its domain: loads, stores, reductions and scans along rows, and elementwise operations
// whose results have buffers. Three kinds of members may have other shapes: scalars, members that
// run once per row, and shared rows (one loaded row that every row of the group reads). The group
// processes its domain row by row, so that its data stays in registers or in the cache. A row may
// take several inner loops, one after the other: a member that needs the result of a reduction, or
// scans in the other direction, begins the next loop.
//
//     rows:  loop 1   load x, max of x         y = softmax(x): three loops
//            loop 2   e = exp(x - max), sum of e
//            loop 3   store e / sum

#ifndef TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H
#define TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H

#include "tilewright/cpu/plan/ViewRows.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::cpu {

class NetworkPlan;
class OperationOrder;
class Placements;
struct Target;

/// Why an inner loop is unrolled by this number of vectors (`chains`).
enum class ChainReason : uint8_t {
  NothingCarried, ///< One or two: vectors are independent.
  ShortRow,       ///< All vectors of the row.
  LittleWork,     ///< Enough to hide the latency of combining two vectors.
  ManyRegisters,  ///< Enough to hide the latency of all operations on an element.
  FewRegisters,   ///< Fewer: the operations on an element need registers.
};

/// Members that share the innermost loop, or one member that runs once per row.
struct InnerLoop {
  llvm::SmallVector<mlir::Operation *, 4> members;
  bool isOncePerRow = false;
  /// The cost per element of the members and all operations fused into them (costOf), and whether
  /// one of these is a long function.
  unsigned work = 0;
  bool hasLongFunction = false;
  /// Whether memory accesses and combining vectors take longer than the other operations.
  bool isLittleWork = false;
  /// `width`: elements per vector, at most one row; normally a cache line of the widest element
  /// type. `wordBytes`: the size of that type.
  int64_t width = 1, wordBytes = 1;
  /// Vectors per iteration: independent dependence chains of reductions and scans.
  int64_t chains = 1;
  ChainReason chainReason = ChainReason::NothingCarried;

  /// The direction of its scans; none if it has no scans.
  std::optional<bool> isReverse() const;
  bool hasReductions() const;
};

/// Operations that share the loop over rows.
struct FusionGroup {
  llvm::SmallVector<int64_t, 4> domain;
  /// The dimension of the inner loops: the last one with more than one element; -1 if there is
  /// none.
  int64_t innerDim;
  /// In program order. The group runs at the position of the last member.
  llvm::SmallVector<mlir::Operation *, 8> members;
  /// Members in no loop: loads of a single row. Each row of the group reads it directly from the
  /// kernel's memory, as when the rows of a matrix are multiplied by a vector.
  llvm::SmallVector<mlir::Operation *, 2> sharedRows;
  std::vector<InnerLoop> loops;
  /// How the group's view accesses are versioned: one test selects the version of all loops.
  Rows rows = Rows::Contiguous;

  bool contains(mlir::Operation *op) const { return llvm::is_contained(members, op); }
  bool isSharedRow(mlir::Operation *member) const { return llvm::is_contained(sharedRows, member); }
  /// The number of the loop that contains the member, which must not be a shared row.
  unsigned loopOf(mlir::Operation *member) const;
  int64_t innerExtent() const { return innerDim < 0 ? 1 : domain[innerDim]; }
  bool hasSeveralRows() const;
  /// The members that load and store through views.
  llvm::SmallVector<mlir::Operation *> viewAccesses() const;
};

/// Chooses vector widths and numbers of chains for the group's inner loops.
void chooseVectors(FusionGroup &group, const Target &target);

/// The fusion groups of an entry.
class GroupPlan {
public:
  GroupPlan(const OperationOrder &order, const NetworkPlan &networks, const Placements &placements,
            const Target &target);

  llvm::ArrayRef<FusionGroup> all() const { return groups; }
  /// The group that contains the operation; null if there is none.
  const FusionGroup *groupOf(mlir::Operation *op) const;

private:
  std::vector<FusionGroup> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOfMember;
};

/// The shape of the loops that the operation would have as a member; empty if it cannot be one.
/// `hasBuffer` says whether the result of an elementwise operation has a buffer, which makes the
/// operation a member; otherwise its readers compute it.
llvm::SmallVector<int64_t> domainOf(mlir::Operation *op,
                                    llvm::function_ref<bool(mlir::Value)> hasBuffer);

/// Whether the operation is a weak access through a view whose rows may be contiguous and have
/// consecutive coordinates.
bool hasContiguousRows(mlir::Operation *op);

/// Whether a scan processes its rows vector by vector: a scan along rows, of f32, f64 or integers
/// of at least 16 bits, whose order is free.
bool isScannedByLanes(tile::ScanOp op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H
