// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations share their loops? A fusion group is a list of operations that go over tiles of
// one shape, the domain, row after row: loads, stores, reductions and scans along the row, and
// what else has a buffer. Row by row they do all their work on data that is in the cache, if not
// in registers. Several inner loops may go over a row, one after the other: a member that needs
// what a reduction gives, or goes the other way, begins the next one.
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

/// Why an inner loop takes so many vectors at once.
enum class ChainReason : uint8_t {
  NothingCarried, ///< One or two: no vector needs anything of the one before.
  ShortRow,       ///< All that the row has.
  LittleWork,     ///< Enough to hide how long it takes to combine two of them.
  ManyRegisters,  ///< Enough to hide how long all that is computed for an element takes.
  FewRegisters,   ///< Fewer: what is computed for an element needs registers.
};

/// Members that share the innermost loop, or one member that is done once per row.
struct InnerLoop {
  llvm::SmallVector<mlir::Operation *, 4> members;
  bool isOncePerRow = false;
  /// What its members and all that is fused with them cost per element (costOf), and whether a long
  /// function is among that.
  unsigned work = 0;
  bool hasLongFunction = false;
  /// Elements of a vector: a cache line of its widest words, which have so many bytes, or the row.
  int64_t width = 1, wordBytes = 1;
  /// Vectors at once, on which reductions and scans do not wait for each other.
  int64_t chains = 1;
  ChainReason chainReason = ChainReason::NothingCarried;

  /// The way its scans go; none if there is none.
  std::optional<bool> isReverse() const;
  bool hasReductions() const;
  /// Whether memory, and combining vectors, take longer than what else is computed.
  bool isLittleWork() const { return work < 20; }
};

/// Operations that share the loop over their rows.
struct FusionGroup {
  llvm::SmallVector<int64_t, 4> domain;
  /// The dimension of the inner loops, the last one with several elements; -1 if none has.
  int64_t innerDim;
  /// In the order of the text. The group runs where the last one stands.
  llvm::SmallVector<mlir::Operation *, 8> members;
  /// Members in no loop: loads of one row, which every row of the group reads where it lies in
  /// memory, as those of a vector by which rows of a matrix are multiplied.
  llvm::SmallVector<mlir::Operation *, 2> sharedRows;
  std::vector<InnerLoop> loops;
  /// Of its loads and stores through views: one test decides between the versions of the group.
  Rows rows = Rows::Contiguous;

  bool contains(mlir::Operation *op) const { return llvm::is_contained(members, op); }
  bool isSharedRow(mlir::Operation *member) const { return llvm::is_contained(sharedRows, member); }
  /// The number of the loop that the member is in; it is no shared row.
  unsigned loopOf(mlir::Operation *member) const;
  int64_t innerExtent() const { return innerDim < 0 ? 1 : domain[innerDim]; }
  bool hasSeveralRows() const;
  /// The members that load and store through views.
  llvm::SmallVector<mlir::Operation *> viewAccesses() const;
};

/// What a loop of a group may cost per element (costOf): registers are few, and generating code is
/// superlinear in the length of a block.
inline constexpr unsigned mostWorkOfLoop = 640;

/// Sets the widths and chains of the group's inner loops.
void chooseVectors(FusionGroup &group, const Target &target);

/// The groups of an entry.
class GroupPlan {
public:
  GroupPlan(const OperationOrder &order, const NetworkPlan &networks, const Placements &placements,
            const Target &target);

  llvm::ArrayRef<FusionGroup> all() const { return groups; }
  /// The group that the operation is a member of; null if it stands alone.
  const FusionGroup *groupOf(mlir::Operation *op) const;

private:
  std::vector<FusionGroup> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOfMember;
};

/// The shape that the operation goes over as a member; empty if it cannot be one. `hasBuffer` tells
/// which results of elementwise operations have a buffer, and are members, from those that are
/// computed by their readers.
llvm::SmallVector<int64_t> domainOf(mlir::Operation *op,
                                    llvm::function_ref<bool(mlir::Value)> hasBuffer);

/// A weak access through a view, whose rows may be vectors of neighbours and have coordinates that
/// follow each other.
bool hasContiguousRows(mlir::Operation *op);

/// A scan of f32, f64 or integers of 16 bits or more along rows, in any order, which goes through
/// them vector by vector.
bool isScannedByLanes(tile::ScanOp op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H
