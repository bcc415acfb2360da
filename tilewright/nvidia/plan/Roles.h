// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp specialisation: one more warp, the producer, copies the operands of `wgmma` into shared
// memory, and the other warps, the consumers, do everything else. The producer executes a slice of
// the entry: the control flow and the scalars that the copied loads depend on. It copies by tensor
// maps (PTX ISA, 5.5.7), so one thread and one instruction suffice for a box of an operand. A
// product has a ring of pipeline stages with two mbarriers each: the producer fills a stage when
// all consumers have released it, and consumers read it when its bytes have arrived.
//
// An entry is specialised if the slice consists of scalar operations without side effects and weak
// loads of single elements, which both roles execute; otherwise all threads copy (PlanStaging.cpp).
// Tensor maps require aligned addresses and strides. What is not known about them before the kernel
// runs, the kernel asks at its beginning. If it does not hold, the entry runs as if it were not
// specialised, by another plan (Plan::otherwise).
// Coordinates of a copy have 31 bits: an array of 2^31 and more rows or columns cannot be copied by
// a tensor map, and its `i32` extents would have to be read as unsigned.

#ifndef TILEWRIGHT_NVIDIA_PLAN_ROLES_H
#define TILEWRIGHT_NVIDIA_PLAN_ROLES_H

#include "tilewright/nvidia/plan/cluster/Cluster.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilewright::nvidia {

struct Plan;
struct Target;

/// What a tensor map requires of an array and is not known before the kernel runs.
struct Question {
  enum Kind : uint8_t {
    Address, ///< The address is a multiple of `divisor`.
    Stride,  ///< The stride of this dimension, in elements, is a multiple of `divisor`.
    Extent,  ///< The extent of this dimension has at most 31 bits.
    Rows,    ///< The stride of this dimension is 1.
  };
  Kind kind;
  mlir::Value view;
  unsigned dim = 0;
  int64_t divisor = 1;

  bool operator==(const Question &) const = default;
};

/// How boxes of an array are copied into shared memory.
struct TensorMap {
  static constexpr int64_t bytes = 128;
  /// The first PTX version in which kernels can make tensor maps.
  static constexpr unsigned ptxVersion = 83;
  /// The most dimensions, and elements of a box along one (PTX ISA, 5.5; CUDA driver API,
  /// cuTensorMapEncodeTiled).
  static constexpr size_t mostDimensions = 5;
  static constexpr int64_t mostInBox = 256;

  mlir::Value view; ///< Gives the array's address, extents and strides.
  /// Dimensions of the array, the contiguous one first, and the extents of a box along them.
  llvm::SmallVector<unsigned, 5> dims;
  llvm::SmallVector<int64_t, 5> box;
  int64_t elementBytes;
  /// Elements of four bits are copied in pairs, as bytes: coordinates and extents along the
  /// contiguous dimension, and the box, count pairs.
  int64_t elementsOfUnit = 1;
  /// Dimensions that tiles cover, between the contiguous one and the next of `dims`: they are
  /// copied together with the contiguous one.
  llvm::SmallVector<unsigned, 2> merged = {};

  /// Bytes of a row in a box, which are those of the swizzle.
  int64_t span() const { return box[0] * elementBytes; }
  bool operator==(const TensorMap &) const = default;
};

/// An operand of a product that is copied by a tensor map, box by box.
struct TensorCopy {
  bool isLhs;
  tile::LoadViewOp load;
  size_t map; ///< In Roles::maps.
  /// The dimension of the map along which the rows of the image in shared memory lie.
  size_t rowDim;
  CopiedPart part;
  bool isOfScales = false;
};

/// A store by a tensor map (PlanStores.cpp). The consumers write the tile into shared memory, where
/// the rings were, and one thread copies it from there, box by box.
struct TensorStore {
  size_t map; ///< In Roles::maps.
  size_t rowDim;
  CopiedPart part;
  int64_t offset; ///< In shared memory.
};

/// The pipeline stages of a product's operands.
struct Ring {
  int64_t stages;
  llvm::SmallVector<TensorCopy, 2> copies;
  int64_t bytes = 0; ///< Of all copies for a stage.
  /// The offset in shared memory of its mbarriers: one for each stage that completes when the stage
  /// is full, then one for each that completes when it is empty.
  int64_t barriers = 0;

  static constexpr int64_t barrierBytes = 8;
};

/// An upper bound of the shared memory for a product's mbarriers and tensor maps, and for the
/// rendezvous mbarriers.
constexpr int64_t mostRingBytes(int64_t stages, int64_t ctas) {
  return (2 * stages + 2 * ctas) * Ring::barrierBytes + 2 * TensorMap::bytes;
}

struct Roles {
  /// By product; empty if the entry is not specialised.
  llvm::MapVector<mlir::Operation *, Ring> rings;
  /// The tensor maps for loads (`mapsOfLoads` of them), which the producer makes, followed by those
  /// for stores, which consumers make.
  llvm::SmallVector<TensorMap, 2> maps;
  size_t mapsOfLoads = 0;
  llvm::MapVector<mlir::Operation *, TensorStore> stores;
  /// The offsets of the maps in the block's part of the global memory pool, and in shared memory,
  /// where they are made before they are copied to the pool.
  int64_t mapsInPool = 0, mapsInShared = 0;
  /// The operation in the entry's block before which the maps are made and one producer thread is
  /// elected. It is or contains the first product with a ring.
  mlir::Operation *start = nullptr;
  /// The operations that the producer executes, or replaces by copies and waits.
  llvm::DenseSet<mlir::Operation *> slice;
  /// Stores, atomics and acquires that tokens order before a copied load. After each of them, the
  /// producer and the consumers rendezvous at an mbarrier, which has this offset in shared memory.
  llvm::DenseSet<mlir::Operation *> meetings;
  int64_t meetingBarrier = 0;
  /// The offset of the mbarrier at which consumers of all CTAs of a cluster wait for each other.
  int64_t clusterBarrier = 0;
  /// What must hold at the beginning of the kernel, and the operations that compute the arrays that
  /// this is about.
  llvm::SmallVector<Question, 4> questions;
  llvm::DenseSet<mlir::Operation *> asked;
  /// For a loop whose operands all threads copy: why it has no producer.
  llvm::MapVector<mlir::Operation *, std::string> reasons;

  bool areSpecialised() const { return !rings.empty(); }
  const Ring *ringOf(mlir::Operation *product) const;
  /// Whether the producer copies the operands of the products in this loop.
  bool fills(const Plan &plan, mlir::Operation *loop) const;
};

/// Which warps execute code: all of the CTA, if the entry is not specialised; else the consumers,
/// the producer, or the multiplier (TensorMemory.h).
enum class Role : uint8_t { Everyone, Consumers, Producer, Multiplier };

/// Whether the role executes only the slice of the entry.
inline bool runsSlice(Role role) { return role == Role::Producer || role == Role::Multiplier; }

/// The number of threads of the producer.
inline constexpr int64_t producerThreads = 32;

/// The operations, such as stores, atomics and acquires, after which tokens may order the load: on
/// each path of tokens to the load, the last one that is not a weak load.
llvm::SmallVector<mlir::Operation *> writesBefore(tile::MemoryAccessOpInterface load);

/// The dependences of operations, and the control flow around them (Slice.cpp).
class Slice {
public:
  explicit Slice(tile::EntryOp entry) : entry(entry) {}

  /// Adds an operation, the control flow around it, and what its operands depend on. False if the
  /// producer cannot compute that, for the reason in `problem`.
  bool addOperation(mlir::Operation *op);
  /// Adds what these values depend on.
  bool addValues(mlir::ValueRange values) { return needAll(values); }
  /// Adds an operation and the control flow around it, but not its operands, because the producer
  /// does not execute it: instead of a product, it copies the operands; instead of a store, it
  /// waits until the consumers have executed it.
  bool addPlace(mlir::Operation *op) { return reach(op); }

  llvm::DenseSet<mlir::Operation *> operations;
  std::string problem;

private:
  bool fail(mlir::Operation *op, const char *what);
  bool need(mlir::Value value);
  bool needAll(mlir::ValueRange values);
  bool needArgument(mlir::BlockArgument argument);
  bool needResult(mlir::OpResult result);
  bool needCarried(mlir::Operation *loop, unsigned number);
  bool reach(mlir::Operation *op);
  bool enter(mlir::Operation *parent);
  bool needAccess(tile::MemoryAccessOpInterface access);

  tile::EntryOp entry;
  llvm::DenseSet<mlir::Value> values;
  llvm::DenseSet<mlir::Operation *> reached;
};

/// PlanTensorMaps.cpp: a tensor map that copies between an array and this part of a tile in shared
/// memory, and what it requires in addition; or why there is none.
struct MapOrReason {
  TensorMap map = {};
  size_t rowDim = 0;
  const char *reason = nullptr;
  llvm::SmallVector<Question, 4> questions = {};
};
MapOrReason mapFor(const Plan &plan, tile::MemoryAccessOpInterface access, const CopiedPart &part);
/// The same for a tile of bytes that lies in shared memory in row-major order; it asks nothing.
/// This many CTAs divide the slowest dimension of the tile with more than one element.
MapOrReason linearMapFor(tile::MemoryAccessOpInterface access, int64_t parts);
/// The dimension of a tile with elements of four bits along which they are contiguous in memory.
/// None if no stride is known to be 1.
std::optional<size_t> packedDimensionOf(tile::TileView view);
/// Why there is no map if this cannot be asked.
const char *reasonOf(const Question &question);
/// Whether the array of a map exists when maps are made, before this operation.
bool isMadeBefore(const TensorMap &map, mlir::Operation *start);
/// Whether a hint says that the access must not use a tensor map (operations, 2.5).
bool isMapForbidden(tile::MemoryAccessOpInterface access, const Target &target);
/// The dimension of a tile that counts its rows, if rows lie along `contiguous`: the only other one
/// with more than one element. None if the tile is not a matrix.
std::optional<size_t> rowDimensionOf(llvm::ArrayRef<int64_t> shape, size_t contiguous);

/// PlanRoles.cpp: fills `roles`. Needs staging.
void chooseRoles(Plan &plan);
/// PlanStores.cpp: fills `roles.stores`, if the stages of rings take this many bytes of `ahead`.
void chooseTensorStores(Plan &plan, int64_t bytes);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_ROLES_H
