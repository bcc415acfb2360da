// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides where each value of an entry lives while a tile block runs. Scalars, views and tokens
// live in registers. A tile with one user, or one that is almost free to compute, is fused, that is
// rematerialized at its uses; other tiles have buffers. A loop-carried tile has one buffer for all
// iterations, which is updated in place. Each placement has its reason.

#ifndef TILEWRIGHT_CPU_PLAN_PLACEMENT_H
#define TILEWRIGHT_CPU_PLAN_PLACEMENT_H

#include "tilewright/cpu/plan/OperationOrder.h"
#include "tilewright/cpu/plan/Operations.h"

namespace tilewright::cpu {

class GroupPlan;
class NetworkPlan;
struct Target;
struct Tuning;

enum class Placement : uint8_t {
  Register, ///< A scalar, a view or a token.
  Fused,    ///< Computed at its uses.
  InLoop,   ///< Computed and used in the same loop, in registers.
  Constant, ///< Read-only data of the compiled module.
  Buffer,   ///< Memory in the arena, in row-major order.
};

/// `register`, `fused`, `registers` (InLoop), `constant`, `buffer`
llvm::StringRef nameOf(Placement placement);

/// Why a tile has its placement. Operations in brackets are part of the decision.
enum class Reason : uint8_t {
  Kind,          ///< The defining operation leaves no choice: a constant, a loop, a matrix product.
  NoUser,        ///< Nothing uses it.
  OneUser,       ///< [One operation] reads it once, so fusion repeats no work.
  Cheap,         ///< Recomputing it is almost free.
  AddressesRows, ///< It only addresses rows, and is not read where these are contiguous.
  SameWords,     ///< A reshape of a tile in memory.
  LoadedByMatmul,    ///< [A matmul] loads the elements in the order in which it packs them.
  LoadedByTranspose, ///< [A permutation] loads rows and transposes them.
  LoadedByGathers,   ///< Gathers load their indices one at a time.
  LoadedAgain,       ///< Loading it again, from a cache, costs less than a copy.
  SharedLoop,        ///< All its users are in its innermost loop.
  OneRow,            ///< All its users are in the loop over its rows.
  PartOfCat,         ///< Computed directly into the result of [a `cat`].
  LoadedOnce,        ///< A load must read memory at its own position.
  NotElementwise,    ///< The operation is not elementwise.
  RowMajorUser,      ///< [An operation] needs the tile in memory, in row-major order.
  Transposed,        ///< A permutation that is transposed by vector shuffles.
  SeveralUsers,      ///< Several [operations] use it.
  UserInLoop,        ///< [An operation] would recompute the tile in each iteration of a loop.
  RepeatedElements,  ///< Its users read each element several times.
  SeveralReads,      ///< [An operation] reads an element along several paths.
  UpdatesCarried, ///< Computed in place, into the buffer of the tile that [a `continue`] carries.
  CarriedOperand, ///< It reads a tile that [a `continue`] overwrites.
  InNetwork,      ///< Only its lane-shuffle program uses it (Networks.h).
  NetworkResult,  ///< Operations outside its lane-shuffle program use it.
  LongChain,      ///< The chain of operations fused into it has reached the limit for one loop.
};

/// The `cat` that is the only user of the tile, so that the tile can be computed directly into the
/// `cat`'s result; else null.
tile::CatOp catOf(mlir::Value value);

/// Whether the operation is a `cat` that takes no code: both operands are computed into its result.
bool isAssembled(mlir::Operation *op);

/// The loop-carried argument that becomes this value through a `continue`, its only user; null if
/// there is none.
mlir::BlockArgument carriedBy(mlir::Value value);

/// Where a value lives, and why.
struct Decision {
  Placement placement = Placement::Register;
  Reason reason = Reason::Kind;
  llvm::SmallVector<mlir::Operation *, 1> operations;
};

/// The placements of all values of an entry.
class Placements {
public:
  Placement of(mlir::Value value) const;
  const Decision &decisionOf(mlir::Value value) const { return all.find(value)->second; }
  /// The dimension of rows if the buffer holds one row of the tile at a time; none if it holds the
  /// whole tile.
  std::optional<unsigned> rowOnly(mlir::Value value) const;
  /// The source of a reshape that has no memory of its own: both share a buffer.
  mlir::Value reshapedFrom(mlir::Value value) const;
  /// Whether the tile is in memory in row-major order, possibly with another shape.
  bool isRowMajor(mlir::Value value) const;
  /// Calls `visit` on the operation that defines the value; if it is fused, also on those that
  /// define its operands, recursively.
  void forEachMaker(mlir::Value value, llvm::function_ref<void(mlir::Operation *)> visit) const;
  /// Calls `visit` on the operations that use the value, directly or through fused ones.
  void forEachUser(mlir::Value value, llvm::function_ref<void(mlir::Operation *)> visit) const;

  void set(mlir::Value value, Placement placement, Reason reason,
           llvm::ArrayRef<mlir::Operation *> operations = {});
  void keepOneRow(mlir::Value value, unsigned dim);

private:
  llvm::DenseMap<mlir::Value, Decision> all;
  llvm::DenseMap<mlir::Value, unsigned> rowDims;
};

/// Places values as far as possible before fusion groups are known.
Placements placeValues(const OperationOrder &order, const NetworkPlan &networks,
                       const Tuning &tuning);

/// Moves results that only members of their group use into registers, or into a buffer for one row.
void placeInGroups(Placements &placements, const GroupPlan &groups, const NetworkPlan &networks,
                   const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLACEMENT_H
