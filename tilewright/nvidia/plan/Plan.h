// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All decisions about an entry before the code of a thread is emitted: the number of threads per
// tile block, register layouts (TileLayout.h, PlanLayouts.cpp), barriers between accesses
// (PlanBarriers.cpp), and which operations move elements between threads. Such a movement
// (`Exchange`) goes through shared memory: all threads write their elements, wait at a barrier, and
// read the elements that they need. Tiles that do not fit in shared memory are moved in chunks
// (`window`), one after the other.

#ifndef TILEWRIGHT_NVIDIA_PLAN_PLAN_H
#define TILEWRIGHT_NVIDIA_PLAN_PLAN_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/plan/Delays.h"
#include "tilewright/nvidia/plan/LaneSwaps.h"
#include "tilewright/nvidia/plan/MatrixProduct.h"
#include "tilewright/nvidia/plan/Rasterization.h"
#include "tilewright/nvidia/plan/Roles.h"
#include "tilewright/nvidia/plan/TensorMemory.h"
#include "tilewright/nvidia/plan/TileLayout.h"
#include "tilewright/nvidia/plan/TileValues.h"
#include "tilewright/nvidia/plan/staging/Staging.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <memory>

namespace tilewright::nvidia {

/// Why an operation moves elements between threads.
enum class ExchangeReason : uint8_t {
  Rearranged, ///< Elements of the result are other elements of the source.
  Combined,   ///< A reduction or scan combines elements of several threads.
  Multiplied, ///< Each thread needs rows and columns of a product.
  Indexed,    ///< The index list of a view.
  Shared,     ///< One thread reads or updates memory; others need the value, too.
  Printed,    ///< One thread prints all elements.
  Accessed,   ///< The access has another layout than the tile.
};

/// A step of a reduction: bits of the element number that it eliminates. Elements that differ in
/// such a bit are combined, the earlier one as accumulator.
struct ReductionStep {
  enum Kind : uint8_t { InThread, AcrossLanes, AcrossWarps } kind;
  TileLayout from; ///< The layout before this step.
  /// In ascending order. There are several only across warps, where one exchange combines them.
  llvm::SmallVector<unsigned> bits;

  TileLayout to() const { return from.without(bits); }
};

/// Data movement between threads for one operation.
struct Exchange {
  ExchangeReason reason;
  /// Elements per chunk, a power of two; for a product, steps along k.
  int64_t window;
  /// The number of chunks, for each operand.
  int64_t windows;
  int64_t bytes;
  /// The shuffles that move the elements, if shared memory is not needed.
  std::optional<LaneSwaps> swaps = std::nullopt;
};

/// An allocator that appends blocks.
struct Reserved {
  static constexpr int64_t leastAlignment = 16;
  int64_t bytes = 0, alignment = leastAlignment;

  /// Returns the offset of the new block. The total saturates at a number larger than any memory.
  int64_t add(int64_t size, int64_t aligned);
};

struct Plan {
  Plan(tile::EntryOp entry, const Target &target);

  /// TileLayout::blocked. The CTAs of a cluster divide the tile by a bit of the element number; if
  /// there is none, each has all elements.
  TileLayout blocked(llvm::ArrayRef<unsigned> bits, int64_t width,
                     std::optional<unsigned> bitOfCta) const;
  /// The slowest bit, if the tile has more elements than the tile block has threads.
  std::optional<unsigned> usualBitOfCta(int64_t elements) const;
  /// The default layout for this number of elements.
  TileLayout layoutOf(int64_t elements) const {
    return layoutOf(elements, usualBitOfCta(elements));
  }
  TileLayout layoutOf(int64_t elements, std::optional<unsigned> bitOfCta) const;
  TileLayout layoutOf(mlir::Value tile) const;
  /// The layout of the tiles of a pointer access, which are in one layout class unless they are
  /// rematerialized.
  TileLayout layoutOfElements(tile::MemoryAccessOpInterface access) const;
  /// The layout in which a load or store through a view accesses memory. If the tile has another
  /// layout, an exchange converts it.
  TileLayout layoutOfAccess(tile::MemoryAccessOpInterface access) const;
  /// The elements of a load or store that a thread accesses at once, up to 16 bytes. A test at run
  /// time finds out whether they are contiguous, as strides and pointers may be anything.
  int64_t widthOfAccess(tile::MemoryAccessOpInterface access) const;
  /// The dimension along which they may be contiguous; -1 if elements are accessed one by one.
  int64_t runDimensionOf(tile::MemoryAccessOpInterface access) const;
  const Exchange *exchangeOf(mlir::Operation *op) const;
  /// The register limit of a thread.
  int64_t registersOfThread() const;
  /// The limit that `ptxas` must be told: it does not know of hints, and rounds the threads of a
  /// CTA up to whole warpgroups.
  std::optional<int64_t> registerLimit() const;
  /// Whether a CTA whose threads hold this number of words leaves no registers for another one on
  /// the multiprocessor, considering other values in registers.
  bool isAloneWith(int64_t words) const;
  /// The most shared memory of a CTA.
  int64_t sharedLimit() const;
  /// The registers that a thread needs at least, as far as they are known.
  int64_t leastRegisters() const;
  /// The CTAs with these bytes of shared memory for which a multiprocessor has room.
  int64_t possibleOccupancy(int64_t sharedBytes) const;
  /// Registers per thread of the pieces of a load (`loadedInPieces`), a power of two.
  int64_t slotsOfPiece() const;
  /// Bytes of shared memory that all exchanges reuse.
  int64_t scratchBytes() const;
  /// The form of the block's shared memory: static if `ptxas` accepts that many bytes.
  SharedMemoryForm sharedForm() const {
    return shared.bytes <= target.staticSharedBytes ? SharedMemoryForm::Static : target.sharedForm;
  }
  /// Whether the CTAs of a block are a pair, for `tcgen05.mma`.
  bool isPair() const { return ctas > 1 && tensor.isUsed(); }
  /// Whether consumers of all CTAs of a cluster wait for each other.
  bool hasClusterBarrier() const { return ctas > 1 && !barriers.empty(); }
  int64_t clusterBarrierBytes() const { return hasClusterBarrier() ? Ring::barrierBytes : 0; }
  /// The threads of a CTA that hold tiles.
  int64_t threadsOfCta() const { return threads / ctas; }
  /// All threads of a CTA: those that hold tiles, and a producer and a multiplier warp, if there
  /// are any.
  int64_t launchedThreads() const {
    return threadsOfCta() + idleThreads + (roles.areSpecialised() ? producerThreads : 0) +
           (tensor.isUsed() ? multiplierThreads : 0);
  }

  tile::EntryOp entry;
  const Target &target;
  Rasterization rasterization;
  /// The CTAs of a tile block: 1, or 2 that are a cluster (cluster/Cluster.h).
  int64_t ctas = 1;
  /// The threads that hold tiles, in all CTAs of the block.
  int64_t threads;
  std::string threadsReason;
  /// Threads of a CTA that execute nothing: those of the roles of a plan of which this is the other
  /// one.
  int64_t idleThreads = 0;
  /// The number of CTAs per multiprocessor that a hint asks for; none if it cannot be honoured.
  std::optional<int64_t> occupancy;
  /// Why hints of the entry are not honoured, by their names.
  std::map<llvm::StringRef, std::string> refusedHints;
  llvm::DenseMap<mlir::Value, TileLayout> layouts;
  llvm::DenseMap<mlir::Operation *, TileLayout> accessLayouts;
  /// Products computed by matrix instructions.
  llvm::MapVector<mlir::Operation *, MatrixProduct> matrices;
  /// How their operands get into shared memory, and the software-pipelined loops.
  llvm::MapVector<mlir::Operation *, Staging> staged;
  llvm::MapVector<mlir::Operation *, Pipeline> pipelines;
  /// Which of these loops have a producer warp.
  Roles roles;
  /// The plan of the same threads, without a producer, if `roles` has questions: for the case that
  /// one of them is answered no.
  std::shared_ptr<const Plan> otherwise;
  /// Products that are issued in the next iteration.
  Delays delays;
  /// Products with accumulators in tensor memory.
  TensorMemory tensor;
  /// Tiles that exist only in shared memory: they are copied there asynchronously and never held in
  /// registers.
  llvm::DenseSet<mlir::Value> copied;
  llvm::MapVector<mlir::Operation *, Exchange> exchanges;
  /// For accesses with a sparse dimension: how threads obtain the indices of others.
  llvm::MapVector<mlir::Operation *, Exchange> lists;
  /// Accesses preceded by a barrier, with an earlier access that makes it necessary.
  llvm::MapVector<mlir::Operation *, mlir::Operation *> barriers;
  /// The offset of an `alloca`'s memory: in shared memory, after that of exchanges; or, if other
  /// blocks can access it, in the block's part of a pool in global memory (emit/GlobalPool.h).
  llvm::MapVector<mlir::Operation *, int64_t> allocas, globalAllocas;
  /// A block's shared memory, its part of the pool, and, within shared memory, operands that are
  /// prefetched or kept, which follow the memory of exchanges.
  Reserved shared, pool, ahead;
  /// Register pressure: the most registers per thread that live tiles take.
  int64_t heldWords = 0;
  /// Loads of tiles that do not fit in registers as a whole: they are loaded in pieces, from which
  /// the following operations compute their elements (PlanRegisters.cpp).
  llvm::DenseSet<mlir::Operation *> loadedInPieces;
  /// Loads of operands whose copies into shared memory are unrolled, although the tile would not be
  /// in registers.
  llvm::DenseSet<mlir::Operation *> unrolledCopies;
  /// Loops that recompute the addresses of their accesses in each iteration.
  llvm::DenseSet<mlir::Operation *> addressedAnew;

private:
  /// What a plan keeps to.
  struct Limits {
    int64_t ctas = 1;
    std::optional<int64_t> occupancy = std::nullopt;
    /// The number of threads of a plan without a producer, which runs in CTAs of another plan.
    std::optional<int64_t> threads = std::nullopt;
    int64_t idleThreads = 0;
  };
  /// A plan in which no product has its accumulators in tensor memory that has a reason here.
  Plan(tile::EntryOp entry, const Target &target, const TensorMemory &without, Limits limits);
  static Plan settled(tile::EntryOp entry, const Target &target, Limits limits);
  static Plan hinted(tile::EntryOp entry, const Target &target, int64_t ctas);
  static Plan clustered(tile::EntryOp entry, const Target &target);
  void refuseOccupancy();
  void placeInShared(const Reserved &allocated);
  void planOtherwise(const TensorMemory &without);

  bool mayBeSpecialised;
  bool isSettled = true; ///< Whether `tensor` is right; otherwise it has further reasons.
};

/// The limit for a block's allocas that other blocks can access; the pool has thousands of parts.
/// This is what is supported, and no threshold.
inline constexpr int64_t mostPoolBytes = 64 * 1024;
/// Any exchange is possible with this memory, in chunks, except for products.
inline constexpr int64_t leastExchangeBytes = 1024;

/// Whether there is a barrier before and after the operation.
bool isFence(mlir::Operation *op);
bool isWeakLoad(mlir::Operation *op);

/// PlanProducts.cpp: the matrix instructions for a product with accumulators in registers, the
/// fastest first. Whether fragments
/// are paired does not matter for the choice between layouts: that only affects how rhs is written.
llvm::SmallVector<MatrixProduct> matrixProductsFor(tile::MatmulOpInterface product,
                                                   const Target &target, int64_t threads);
/// PlanThreads.cpp: the most accumulator elements that are live at a time, including those carried
/// by loops around products. Tiles smaller than the smallest accumulators do not count.
int64_t mostLiveAccumulators(tile::EntryOp entry);
/// Fills `threads` and `threadsReason`.
void chooseThreads(Plan &plan);
/// PlanTensorMemory.cpp: finds the products that may have their accumulators in tensor memory.
void chooseTensorProducts(Plan &plan);
/// Needs layouts. Whether the consumers store lhs to tensor memory; places it there, or says why
/// not.
bool placeLhs(Plan &plan, tile::MatmulOpInterface product);
/// Needs roles. Places mbarriers; false if products turn out not to be possible, for which it adds
/// reasons.
bool settleTensorProducts(Plan &plan);
/// PlanLayouts.cpp: fills `layouts`, `accessLayouts` and `matrices`.
void chooseLayouts(Plan &plan);
/// PlanBarriers.cpp: fills `barriers`.
void chooseBarriers(Plan &plan);
/// The least bytes of shared memory with which the product can be computed.
int64_t leastExchangeOf(const Plan &plan, tile::MatmulOpInterface product);
/// PlanStaging.cpp: fills `staged`, `pipelines`, `copied` and `ahead`. Needs layouts and barriers.
void chooseStaging(Plan &plan);
/// PlanRegisters.cpp: fills `heldWords`, `addressedAnew` and `loadedInPieces`; accesses of the
/// latter take the layouts of their tiles. Decides which copies of `staged` operands are unrolled,
/// and which fragments are loaded ahead. Needs `copied`.
void planRegisters(Plan &plan);
/// PlanExchanges.cpp: fills `exchanges` and `lists`, which have this much shared memory. Needs
/// registers.
void chooseExchanges(Plan &plan, int64_t left);
/// PlanReductions.cpp: the steps of a reduction. If the order is free: within threads, then across
/// the lanes of warps, then across warps; else from the fastest bit to the slowest, so that
/// combined elements are always contiguous (operations, 4.11).
llvm::SmallVector<ReductionStep> stepsOf(const Plan &plan, tile::ReduceOp op);
/// The layout of the operands, whose elements each thread combines.
TileLayout layoutOfReduced(const Plan &plan, tile::ReduceOp op);

/// Maps each bit of the result's element number to the bit of the source's that it comes from, or
/// -1; none if part of the source is selected at run time.
std::optional<llvm::SmallVector<int>> sourceBitsOf(tile::RearrangementOpInterface op);
/// Pairs of register bits of the result and of the source, if each thread holds all source elements
/// that it needs.
std::optional<llvm::SmallVector<std::pair<unsigned, unsigned>>>
slotBitsWithinThread(const Plan &plan, tile::RearrangementOpInterface op);
/// For an operand of a product that is made of a load by rearrangements: the bit of the operand's
/// element number that each bit of the load's becomes.
llvm::SmallVector<unsigned> operandBitsOf(mlir::Value operand);
/// The bits of element numbers along a dimension.
llvm::SmallVector<unsigned> bitsAlong(llvm::ArrayRef<int64_t> shape, int64_t dim);
/// The dimension along which the elements of a load or store may be contiguous in memory.
int64_t contiguousDimensionOf(tile::MemoryAccessOpInterface access);

/// Whether the result has the elements of the source in the same order, so that no elements move
/// between threads.
bool keepsElements(tile::RearrangementOpInterface op);

/// PlanPrint.cpp: prints the plan (--emit=plan), or reports it as remarks at the operations.
void print(const Plan &plan, llvm::raw_ostream &out);
void remarkOn(const Plan &plan);
/// The assembler's resources (Assemble.h).
struct Resources;
void remarkOn(const Plan &plan, const Resources &resources);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_PLAN_H
