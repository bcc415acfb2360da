// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is decided about an entry before a thread's code is written? How many threads run a tile
// block, who holds which elements (TileLayout.h, PlanLayouts.cpp), where threads wait for each
// other between accesses (PlanBarriers.cpp), and which operations move elements between threads.
// These go through shared memory: all threads write what they hold, wait at a barrier, and read
// what they need. A tile that does not fit goes in windows, one after the other.

#ifndef TILEWRIGHT_NVIDIA_PLAN_PLAN_H
#define TILEWRIGHT_NVIDIA_PLAN_PLAN_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/plan/LaneSwaps.h"
#include "tilewright/nvidia/plan/MatrixProduct.h"
#include "tilewright/nvidia/plan/Staging.h"
#include "tilewright/nvidia/plan/TileLayout.h"
#include "tilewright/nvidia/plan/TileValues.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::nvidia {

/// Why elements change threads.
enum class ExchangeReason : uint8_t {
  Rearranged, ///< Elements of the result are others of the source.
  Combined,   ///< A reduction or scan combines elements of several threads.
  Multiplied, ///< Each thread needs rows and columns of a product.
  Indexed,    ///< The list of indices of a view.
  Shared,     ///< One thread reads, or updates, memory; others need the value, too.
  Printed,    ///< One thread prints all elements.
  Accessed,   ///< Threads access memory in a layout of its own.
};

/// Of a reduction: how bits of the numbers of its elements vanish. Elements that differ in such a
/// bit are combined, the earlier one as accumulator.
struct ReductionStep {
  enum Kind : uint8_t { InThread, AcrossLanes, AcrossWarps } kind;
  TileLayout from; ///< Of what has been combined so far.
  /// In ascending order; several only across warps, where they are combined in one exchange.
  llvm::SmallVector<unsigned> bits;

  TileLayout to() const { return from.without(bits); }
};

/// Of an operation whose elements change threads.
struct Exchange {
  ExchangeReason reason;
  /// Elements that are there at a time, a power of two; of a product, steps along k.
  int64_t window;
  /// How often shared memory is filled, for each of the operands.
  int64_t windows;
  int64_t bytes;
  /// Elements go by shuffles, and nothing through shared memory.
  std::optional<LaneSwaps> swaps = std::nullopt;
};

/// Memory that is given out piece by piece.
struct Reserved {
  static constexpr int64_t leastAlignment = 16;
  int64_t bytes = 0, alignment = leastAlignment;

  /// Returns where the next piece begins. Sums that no memory has end at a number that is larger
  /// than each.
  int64_t add(int64_t size, int64_t aligned);
};

struct Plan {
  Plan(tile::EntryOp entry, const Target &target);

  /// For so many elements, if nothing says otherwise.
  TileLayout layoutOf(int64_t elements) const { return {elements, threads}; }
  TileLayout layoutOf(mlir::Value tile) const;
  /// Of the tiles of an access through pointers, which are of one class unless they are recomputed.
  TileLayout layoutOfElements(tile::MemoryAccessOpInterface access) const;
  /// In which a load or store through a view accesses memory. Where that is not the layout of the
  /// tile, there is an exchange.
  TileLayout layoutOfAccess(tile::MemoryAccessOpInterface access) const;
  /// Elements of a load or store that a thread accesses at once, up to 16 bytes. Whether they
  /// follow each other in memory the code asks: strides and pointers may be anything.
  int64_t widthOfAccess(tile::MemoryAccessOpInterface access) const;
  /// The dimension along which they follow each other; -1 if they are accessed one by one.
  int64_t runDimensionOf(tile::MemoryAccessOpInterface access) const;
  const Exchange *exchangeOf(mlir::Operation *op) const;
  /// The most that a thread can have.
  int64_t registersOfThread() const;
  /// Whether a multiprocessor has no registers for another CTA beside one whose threads have so
  /// many words, with what else is in registers.
  bool isAloneWith(int64_t words) const;
  /// Bytes of shared memory that all exchanges share.
  int64_t scratchBytes() const;

  tile::EntryOp entry;
  const Target &target;
  int64_t threads;
  std::string threadsReason;
  llvm::DenseMap<mlir::Value, TileLayout> layouts;
  llvm::DenseMap<mlir::Operation *, TileLayout> accessLayouts;
  /// Products by matrix instructions.
  llvm::MapVector<mlir::Operation *, MatrixProduct> matrices;
  /// How their operands come into shared memory, and the loops in which copies begin earlier.
  llvm::MapVector<mlir::Operation *, Staging> staged;
  llvm::MapVector<mlir::Operation *, Pipeline> pipelines;
  /// Tiles that are only there, as their elements are copied from memory: no thread holds them.
  llvm::DenseSet<mlir::Value> copied;
  llvm::MapVector<mlir::Operation *, Exchange> exchanges;
  /// Of accesses with a sparse dimension: how threads get the indices of others.
  llvm::MapVector<mlir::Operation *, Exchange> lists;
  /// Accesses before which all threads wait for each other, and an earlier one that they wait for.
  llvm::MapVector<mlir::Operation *, mlir::Operation *> barriers;
  /// Where the memory of an `alloca` begins: in shared memory, behind what exchanges take; or, if
  /// other blocks reach it, in the block's part of a pool in global memory (emit/GlobalPool.h).
  llvm::MapVector<mlir::Operation *, int64_t> allocas, globalAllocas;
  /// All of the shared memory of a block, its part of the pool, and, of the shared memory, operands
  /// that are copied ahead or kept, behind what exchanges share.
  Reserved shared, pool, ahead;
  /// Registers of a thread that tiles take at the same time.
  int64_t heldWords = 0;
  /// Loads of tiles for which there are no registers as a whole: they come in pieces of so many
  /// slots, from which operations that follow compute their elements (PlanRegisters.cpp).
  static constexpr int64_t slotsOfPiece = 32;
  llvm::DenseSet<mlir::Operation *> loadedInPieces;
  /// Loops that compute the addresses of their accesses in each iteration.
  llvm::DenseSet<mlir::Operation *> addressedAnew;
};

/// Of a block, for its allocas that other blocks reach; there are thousands of such parts.
inline constexpr int64_t mostPoolBytes = 64 * 1024;

/// All threads wait for each other before it, and after it.
bool isFence(mlir::Operation *op);

/// PlanThreads.cpp: fills `threads` and `threadsReason`.
void chooseThreads(Plan &plan);
/// PlanLayouts.cpp: fills `layouts`, `accessLayouts` and `matrices`.
void chooseLayouts(Plan &plan);
/// PlanBarriers.cpp: fills `barriers`.
void chooseBarriers(Plan &plan);
/// Bytes of shared memory without which a product cannot be computed.
int64_t leastExchangeOf(const Plan &plan, tile::MatmulOpInterface product);
/// PlanStaging.cpp: fills `staged`, `pipelines`, `copied` and `ahead`; then layouts and barriers
/// are known.
void chooseStaging(Plan &plan);
/// PlanRegisters.cpp: fills `heldWords`, `addressedAnew` and `loadedInPieces`, whose accesses have
/// the layouts of their tiles then; what is copied is known before.
void planRegisters(Plan &plan);
/// PlanReductions.cpp: first in threads, then across the lanes of warps, then across warps, if the
/// body may combine elements in any order; else from the fastest bit to the slowest, so that what
/// is combined is always contiguous (operations, 4.11).
llvm::SmallVector<ReductionStep> stepsOf(const Plan &plan, tile::ReduceOp op);
/// Of its operands, whose elements each thread combines.
TileLayout layoutOfReduced(const Plan &plan, tile::ReduceOp op);

/// For each bit of the number of an element of the result, the bit of the number of the source
/// from which it comes, or -1; none if a part of the source is chosen at run time.
std::optional<llvm::SmallVector<int>> sourceBitsOf(tile::RearrangementOpInterface op);
/// Bits of slots of the result, and those of the source that they are, if each thread has what it
/// needs of the source.
std::optional<llvm::SmallVector<std::pair<unsigned, unsigned>>>
slotBitsWithinThread(const Plan &plan, tile::RearrangementOpInterface op);
/// The bits of the numbers of elements along a dimension.
llvm::SmallVector<unsigned> bitsAlong(llvm::ArrayRef<int64_t> shape, int64_t dim);
/// The dimension along which the elements of a load or store may follow each other in memory.
int64_t contiguousDimensionOf(tile::MemoryAccessOpInterface access);

/// Whether the result has the elements of the source in the same order, so that no thread needs
/// those of another.
bool keepsElements(tile::RearrangementOpInterface op);

/// PlanPrint.cpp: what was decided, as --emit=plan and as remarks at the places in the program.
void print(const Plan &plan, llvm::raw_ostream &out);
void remarkOn(const Plan &plan);
/// What the assembler has made of it (Assemble.h).
struct Resources;
void remarkOn(const Plan &plan, const Resources &resources);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_PLAN_H
