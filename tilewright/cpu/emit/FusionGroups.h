// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits fusion groups: a loop over rows, and in it the inner loops, each of which runs all its
// members on a few vectors of the row at a time. Values that only one inner loop uses stay in
// registers. Reductions combine vectors in several dependence chains (LoopReductions.h); scans
// carry their prefix from vector to vector (Scans.h).
//
// One test before the rows finds whether all accessed tiles lie inside their tensors with
// contiguous rows; if not, a masked version of the loops runs.

#ifndef TILEWRIGHT_CPU_EMIT_FUSIONGROUPS_H
#define TILEWRIGHT_CPU_EMIT_FUSIONGROUPS_H

#include "tilewright/cpu/emit/CacheHints.h"
#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/FusedLoads.h"
#include "tilewright/cpu/emit/PointerAccess.h"
#include "tilewright/cpu/emit/folds/LoopReductions.h"
#include "tilewright/cpu/emit/folds/Scans.h"

namespace tilewright::cpu {

struct FusionGroup;
struct GroupAccess;
struct InnerLoop;

class FusionGroups : EmitContext {
public:
  FusionGroups(const EmitContext &context, FusedLoads &loads, CacheHints &hints,
               PointerAccess &pointers, LoopReductions &reductions, Scans &scans)
      : EmitContext(context), loads(loads), hints(hints), pointers(pointers),
        reductions(reductions), scans(scans) {}

  /// `mayBeWhole`: whether all tiles may be contiguous and inside their tensors; if false, that
  /// version is not emitted.
  void emit(const FusionGroup &group, bool mayBeWhole = true);

private:
  void evaluateHints(const FusionGroup &group, GroupAccess &access);
  void evaluateCoordinates(const FusionGroup &group, GroupAccess &access, const Position &row);
  void prefetchFarAhead(const GroupAccess &access, const RowLoop &rows,
                        llvm::ArrayRef<Position> positions);
  void prefetchNextRow(const GroupAccess &access, const LoopFrame &loop);
  void prefetchRow(const FusionGroup &group, const GroupAccess &access, const Position &position);
  void evaluateNextTiles(const FusionGroup &group, GroupAccess &access);
  mlir::Value storesPastCaches(const InnerLoop &loop, const GroupAccess &access);
  void prefetchNextAt(const GroupAccess &access, const Position &position, bool isNear);
  void prefetchNext(const FusionGroup &group, const GroupAccess &access,
                    llvm::ArrayRef<Position> positions);
  mlir::Value testPointerRows(const FusionGroup &group, GroupAccess &access, const Position &row);
  mlir::Value testCoordinates(const FusionGroup &group, const GroupAccess &access,
                              const Position &row);
  void emitRow(const FusionGroup &group, GroupAccess &access, const Position &row);
  void emitRows(const FusionGroup &group, GroupAccess &access);
  void emitHeldRows(const FusionGroup &group, const GroupAccess &access, LoopFrame &loop);
  void emitOncePerRow(const FusionGroup &group, mlir::Operation *member, const Position &row);
  using OperationSet = llvm::SmallPtrSet<mlir::Operation *, 8>;
  void evaluateRowValues(const FusionGroup &group, mlir::Operation *reader, const Position &first,
                         OperationSet &seen);
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  emitStep(const FusionGroup &group, const InnerLoop &loop, const GroupAccess &access,
           const Position &row, mlir::Value first, Scans::Prefixes &prefixes);
  void emitInnerLoop(const FusionGroup &group, const InnerLoop &loop, const GroupAccess &access,
                     const Position &row);
  llvm::SmallVector<mlir::Value> emitMember(mlir::Operation *member, const GroupAccess &access,
                                            const Position &position);
  void emitScan(tile::ScanOp scan, const Position &position, mlir::Value &prefix);
  void define(mlir::Value result, const Position &position, mlir::Value value);

  FusedLoads &loads;
  CacheHints &hints;
  PointerAccess &pointers;
  LoopReductions &reductions;
  Scans &scans;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FUSIONGROUPS_H
