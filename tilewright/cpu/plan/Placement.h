// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does each value of an entry live while a tile block runs? Scalars, views and tokens in
// registers. A tile is fused, that is computed again by whoever reads it, if it has one user or
// costs next to nothing; else it has a buffer. What a loop carries has one buffer for all
// iterations, updated in place. Each placement has its reason.

#ifndef TILEWRIGHT_CPU_PLAN_PLACEMENT_H
#define TILEWRIGHT_CPU_PLAN_PLACEMENT_H

#include "tilewright/cpu/plan/OperationOrder.h"
#include "tilewright/cpu/plan/Operations.h"

namespace tilewright::cpu {

class GroupPlan;
class NetworkPlan;
struct Target;

enum class Placement : uint8_t {
  Register, ///< A scalar, a view or a token.
  Fused,    ///< Computed where it is read.
  InLoop,   ///< Computed and read in one loop, in registers.
  Constant, ///< Read-only words in the compiled module.
  Buffer,   ///< Words in the arena, in row-major order.
};

/// `register`, `fused`, `loop`, `constant`, `buffer`
llvm::StringRef nameOf(Placement placement);

/// Why a tile has its placement. The decision names the operations in brackets.
enum class Reason : uint8_t {
  Kind,              ///< What defines it leaves no choice: a constant, a loop, a matrix product.
  NoUser,            ///< Nothing reads it.
  OneUser,           ///< [One operation] reads it once, so that nothing is computed twice.
  Cheap,             ///< Computing it again costs next to nothing.
  AddressesRows,     ///< It says which rows are accessed, and is not read where these are whole.
  SameWords,         ///< A reshape of words that are in memory.
  LoadedByMatmul,    ///< [A matmul] loads the elements in the order in which it needs them.
  LoadedByTranspose, ///< [A permutation] loads rows where they become columns.
  LoadedByGathers,   ///< Gathers load the indices of their addresses one by one.
  LoadedAgain,       ///< Loading it again, from a cache, costs less than a copy.
  SharedLoop,        ///< All its users share its innermost loop.
  OneRow,            ///< All its users share the loop over its rows.
  PartOfCat,         ///< Computed as a part of the result of [a `cat`].
  LoadedOnce,        ///< Memory is read where the load stands.
  NotElementwise,    ///< Its elements are not computed one by one.
  RowMajorUser,      ///< [An operation] needs the words in row-major order.
  Transposed,        ///< A permutation that transposes blocks at once.
  SeveralUsers,      ///< Several [operations] read it.
  UserInLoop,        ///< [An operation] would compute the tile in each iteration of a loop.
  RepeatedElements,  ///< Its users read each element several times.
  SeveralReads,      ///< [An operation] reads an element by several paths.
  UpdatesCarried,    ///< Computed into the buffer of what [a `continue`] makes of it.
  CarriedOperand,    ///< It reads what [a `continue`] overwrites.
  InNetwork,         ///< Only its network reads it (Networks.h).
  NetworkResult,     ///< Others than its network read it.
  LongChain,         ///< As many operations are fused into it as one loop computes.
};

/// The `cat` of whose result a tile is a part, and nothing else: nobody but the `cat` reads it, so
/// that its words are computed where the result has them.
tile::CatOp catOf(mlir::Value value);

/// A `cat` that has nothing to do, because both operands are parts of its result.
bool isAssembled(mlir::Operation *op);

/// The tile of a loop that a `continue`, the only user, makes of the value; null if there is none.
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
  /// The dimension along which a buffer holds one row of the tile only, and the next row in
  /// its place; none if it holds the whole tile.
  std::optional<unsigned> rowOnly(mlir::Value value) const;
  /// The tile whose words a reshape that has none of its own shows in another shape.
  mlir::Value reshapedFrom(mlir::Value value) const;
  /// Whether the tile is in memory, maybe as another shape, with its words in row-major order.
  bool isRowMajor(mlir::Value value) const;
  /// Calls `visit` on the operation that makes the value; if it is fused, on those that make its
  /// operands as well, and so on.
  void forEachMaker(mlir::Value value, llvm::function_ref<void(mlir::Operation *)> visit) const;
  /// Calls `visit` on the operations that compute with the value, itself or fused.
  void forEachUser(mlir::Value value, llvm::function_ref<void(mlir::Operation *)> visit) const;

  void set(mlir::Value value, Placement placement, Reason reason,
           llvm::ArrayRef<mlir::Operation *> operations = {});
  void keepOneRow(mlir::Value value, unsigned dim);

private:
  llvm::DenseMap<mlir::Value, Decision> all;
  llvm::DenseMap<mlir::Value, unsigned> rowDims;
};

/// The placements of values as far as they do not depend on which operations share their loops.
Placements placeValues(const OperationOrder &order, const NetworkPlan &networks);

/// What the members of a group compute for each other needs no buffer, or one for a row.
void placeInGroups(Placements &placements, const GroupPlan &groups, const NetworkPlan &networks,
                   const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLACEMENT_H
