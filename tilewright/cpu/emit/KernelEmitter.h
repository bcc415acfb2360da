// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an entry become a function? A KernelEmitter walks its operations in order. What has
// a register is emitted once, where it stands; what has a buffer is emitted as a nest of
// loops that fills it; what is fused is emitted by `evaluate`, where somebody reads it.
//
// A nest covers a tile `width` elements at a time, along one dimension of it: the lanes.
// A Position is where it stands.

#ifndef TILEWRIGHT_CPU_EMIT_KERNELEMITTER_H
#define TILEWRIGHT_CPU_EMIT_KERNELEMITTER_H

#include "tilewright/cpu/Loops.h"
#include "tilewright/cpu/emit/ModuleGlobals.h"
#include "tilewright/cpu/emit/OperationCalls.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/cpu/plan/Transposes.h"

namespace tilewright::analysis {
struct InductionStep;
}

namespace tilewright::cpu {

/// An array in memory, all in i64: the address, extents and strides in elements.
struct ViewValue {
  mlir::Value base;
  llvm::SmallVector<mlir::Value, 4> extents, strides;
};

class KernelEmitter {
public:
  KernelEmitter(mlir::ModuleOp into, const Target &target);

  llvm::LogicalResult emitGlobal(tile::GlobalOp op);
  llvm::LogicalResult emitEntry(tile::EntryOp entry, KernelInfo &info);
  /// Why emitting failed.
  const std::string &why() const { return reason; }

private:
  //===-- Entry.cpp --------------------------------------------------------------------===//
  void beginFunction(llvm::StringRef name);
  void readParameters(tile::EntryOp entry);
  void beginBlock();

  //===-- Control flow: Control.cpp --------------------------------------------------===//
  llvm::LogicalResult emit(mlir::Block &body);
  llvm::LogicalResult emit(mlir::Operation *op);
  llvm::LogicalResult emit(tile::IfOp op);
  llvm::LogicalResult emit(tile::ForOp op);
  llvm::LogicalResult emit(tile::LoopOp op);
  llvm::LogicalResult emitUnlessDone(mlir::Operation *op, const Group *group);
  llvm::LogicalResult emitTerminator(mlir::Operation *op);
  llvm::SmallVector<mlir::Value> scalarsOf(mlir::ValueRange values);
  llvm::SmallVector<mlir::Type> registerTypesOf(mlir::ValueRange values);
  void bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip = 0);
  void copyTiles(mlir::ValueRange from, mlir::ValueRange to, mlir::Operation *op);
  /// Where a part would begin: behind an operation of a block, and what there was by then.
  struct PartStart {
    mlir::Block *block;
    mlir::Operation *last;
    mlir::Block *lastBlock;
    unsigned count;
  };
  PartStart startPart();
  void endPart(const PartStart &start);

  //===-- Tiles: Tiles.cpp -----------------------------------------------------------===//
  /// The elements at the position, in register form.
  mlir::Value evaluate(mlir::Value tile, const Position &position);
  mlir::Value evaluateOp(mlir::Operation *op, const Position &position);
  mlir::Value evaluateReshape(tile::ReshapeOp op, const Position &position);
  mlir::Value evaluateCollapsed(mlir::Value source, const Position &position, int64_t lanes);
  mlir::Value readBuffer(mlir::Value tile, const Position &position);
  void writeBuffer(mlir::Value base, tile::TileType type, const Position &position,
                   mlir::Value value);
  /// Where the plan has given the tile a buffer, maybe as a part of a larger one.
  void writeTile(mlir::Value tile, Position position, mlir::Value value);
  /// Computes a tile into words at `base`.
  void materialise(mlir::Value tile, mlir::Value base);
  llvm::LogicalResult emitCat(tile::CatOp op);
  llvm::LogicalResult emitBytes(mlir::Operation *op);
  mlir::Value bufferAddress(mlir::Value tile);
  /// Where the words of a tile are that has a buffer or is a constant.
  mlir::Value memoryOf(mlir::Value tile);
  mlir::Value constantAddress(tile::ConstantOp op);
  llvm::LogicalResult emitScalar(mlir::Operation *op);

  //===-- Rows that become columns: Transposes.cpp ------------------------------------------===//
  void emitTurn(tile::PermuteOp op);
  void turnBlocks(tile::PermuteOp op, const Turn &turn);
  void turnInterleaving(tile::PermuteOp op, const Turn &turn);
  void turnSeparating(tile::PermuteOp op, const Turn &turn);

  //===-- Memory: MemoryAccess.cpp -----------------------------------------------------------===//
  /// How each element is accessed: not atomically if the operation is weak.
  static mlir::LLVM::AtomicOrdering orderingOf(tile::MemoryOrderingSemantics ordering);
  /// The elements of memory that belong to a position of a tile.
  struct Reach {
    mlir::Value address;   ///< i64, of the first lane; lanes follow each other,
    mlir::Value addresses; ///< unless each has an address of its own, in lanes or as scalars:
    llvm::SmallVector<mlir::Value> each; ///< these point to zeros where the mask does not hold.
    mlir::Value mask;                    ///< Which lanes there are; null: all.
    mlir::Value shift;                   ///< i8: where in its byte an f4E2M1FN is, 0 or 4.
  };
  /// In register form; `padding` where the mask does not hold, which may be null without mask.
  mlir::Value read(const Reach &from, mlir::Type elementType, mlir::Value padding, int64_t width,
                   mlir::LLVM::AtomicOrdering ordering = mlir::LLVM::AtomicOrdering::not_atomic);
  /// Whole cache lines past the caches. A fence has to follow.
  void writeAroundCaches(const Reach &to, mlir::Value value);
  void fenceAroundCaches();
  void write(const Reach &to, mlir::Type elementType, mlir::Value value,
             mlir::LLVM::AtomicOrdering ordering = mlir::LLVM::AtomicOrdering::not_atomic);
  mlir::Value readWhole(const Reach &from, mlir::Type elementType, mlir::Value padding,
                        int64_t width, mlir::LLVM::AtomicOrdering ordering);
  void writeWhole(const Reach &to, mlir::Type elementType, mlir::Value value,
                  mlir::LLVM::AtomicOrdering ordering);
  Reach lane(const Reach &reach, mlir::Type elementType, int64_t i);
  /// The words at addresses of their own, each by a load.
  mlir::Value readEach(const Reach &from, mlir::VectorType type);
  mlir::Value fromMemory(mlir::Value word, mlir::Type elementType);

  //===-- ViewAccess.cpp --------------------------------------------------------------------===//
  /// One dimension of a tile in its tensor.
  struct Axis {
    int64_t tileExtent;
    mlir::Value first;  ///< Coordinate of position 0; null if sparse.
    mlir::Value sparse; ///< The tile of all coordinates.
    mlir::Value extent, stride;
    /// Tiles lie side by side, and the extent is known to be a multiple of theirs.
    bool fits = false;

    bool isSparse() const { return bool(sparse); }
  };

  /// A tile of a view.
  struct Window {
    mlir::Type elementType;
    mlir::Value base;
    llvm::SmallVector<int64_t> shape;
    llvm::SmallVector<Axis, 4> axes;
  };
  llvm::LogicalResult emitView(mlir::Operation *op);
  ViewValue makeTensorView(tile::MakeTensorViewOp op);
  Window windowOf(tile::TileView type, mlir::Value view, mlir::OperandRange indices);
  using Windows = llvm::MapVector<mlir::Operation *, Window>;
  mlir::Value isWhole(const Window &window);
  /// The stride along the rows of the tile, if it is known.
  static std::optional<int64_t> strideOf(const Window &window);
  static bool mayBePlain(const Windows &windows);
  mlir::Value arePlain(const Windows &windows);
  enum class Lanes {
    Whole,  ///< Neighbours in memory, and the tile is inside of the tensor.
    Masked, ///< Neighbours in memory.
    Apart,  ///< Each lane has its own address.
  };
  Reach reach(const Window &window, const Position &position, Lanes lanes);
  void forEachReach(const Window &window, bool oneByOne,
                    llvm::function_ref<void(const Position &, const Reach &)> body);
  /// What elements outside of the tensor read as, in register form; null if nobody says.
  mlir::Value paddingOf(tile::TileView type);
  llvm::LogicalResult emitLoadView(tile::LoadViewOp op);
  /// Calls `body`, which evaluates the tile, where loads fused with it are plain, and where not.
  void withLoads(mlir::Value tile, llvm::function_ref<void()> body);
  mlir::Value evaluateLoad(tile::LoadViewOp load, const Position &position);
  llvm::LogicalResult emitStoreView(tile::StoreViewOp op);

  //===-- Prefetch.cpp -----------------------------------------------------------------===//
  mlir::Value bytesToNextTurn(tile::LoadViewOp load, const Window &window);
  mlir::Value originOf(const Window &window);
  void prefetchLine(mlir::Value address, bool toWrite = false);
  mlir::Value goesAroundCaches(const Window &window);
  mlir::Value emitStep(const analysis::InductionStep &step);

  //===-- PointerAccess.cpp, Atomics.cpp ------------------------------------------------===//
  llvm::LogicalResult checkPointee(mlir::Operation *op, mlir::Value pointers);
  mlir::Value areNeighbours(mlir::Value pointers, const Position &position, mlir::Value &first);
  bool isCheap(tile::LoadPtrOp op) const;
  Position cacheLane(const Position &position, size_t count, int64_t i);
  Reach eachLaneOf(tile::LoadPtrOp op, mlir::Value mask, const Position &position);
  Reach eachOf(mlir::Value pointers, mlir::Value mask, const Position &position);
  mlir::Value readPointers(tile::LoadPtrOp op, const Position &position);
  void writePointers(tile::StorePtrOp op, const Position &position);
  void forEachPointer(mlir::Value pointers, bool oneByOne,
                      llvm::function_ref<void(const Position &)> access);
  llvm::LogicalResult emitLoadPointers(tile::LoadPtrOp op);
  llvm::LogicalResult emitStorePointers(tile::StorePtrOp op);
  llvm::LogicalResult emitAlloca(tile::AllocaOp op);
  llvm::LogicalResult emitAtomic(mlir::Operation *op);
  mlir::Value sumOf(numerics::Format format, mlir::Value lhs, mlir::Value rhs);
  mlir::Value updated(tile::AtomicRMWMode mode, mlir::Type elementType, mlir::Value old,
                      mlir::Value operand);
  mlir::Value updateAlone(mlir::Value pointer, tile::AtomicRMWMode mode, mlir::Type elementType,
                          mlir::Value operand);
  /// The old value.
  mlir::Value update(mlir::Value pointer, tile::AtomicRMWMode mode, mlir::Type elementType,
                     mlir::Value operand, mlir::LLVM::AtomicOrdering ordering);
  mlir::Value guarded(mlir::Value mask, llvm::function_ref<mlir::Value()> then,
                      llvm::function_ref<mlir::Value()> otherwise, mlir::Type type);

  //===-- Aggregates: Aggregates.cpp ---------------------------------------------------===//
  llvm::LogicalResult emitReduce(tile::ReduceOp op);
  llvm::LogicalResult emitScan(tile::ScanOp op);
  llvm::LogicalResult checkBody(mlir::Operation *op, mlir::Block &body);
  /// The results of a body on scalars or vectors.
  llvm::SmallVector<mlir::Value> emitBody(mlir::Block &body, mlir::ValueRange elements,
                                          mlir::ValueRange accumulators);
  mlir::Value identityOf(tile::ScanOp op, size_t operand, int64_t width);
  void beginScans(const Run &run, int64_t width);
  mlir::Value scanChunk(tile::ScanOp op, mlir::Value elements);
  mlir::Value scanLanes(tile::ScanOp op, mlir::Value elements);
  llvm::SmallVector<mlir::Value> evaluateAll(mlir::ValueRange tiles, const Position &position);
  llvm::SmallVector<mlir::Value> reduceInOrder(tile::ReduceOp op, Position position);
  llvm::SmallVector<mlir::Value> reduceByTree(tile::ReduceOp op, Position position);
  void defineAll(mlir::ValueRange results, const Position &position, mlir::ValueRange values);

  //===-- Groups: FusionGroups.cpp -----------------------------------------------------------===//
  struct GroupAccess;
  void emitGroup(const Group &group);
  void planAccess(const Group &group, GroupAccess &access);
  void planRow(GroupAccess &access, const Position &row);
  void prefetchRow(const GroupAccess &access, const Position &position);
  void prefetchNext(const GroupAccess &access, const Position &position);
  void emitRows(const Group &group, GroupAccess &access);
  void emitOncePerRow(const Group &group, mlir::Operation *step, const Position &row);
  void emitRun(const Group &group, const Run &run, const GroupAccess &access, const Position &row);
  llvm::SmallVector<mlir::Value> emitStep(const Group &group, mlir::Operation *step,
                                          const GroupAccess &access, const Position &position);
  llvm::SmallVector<mlir::Value> combineAll(const Run &run, llvm::ArrayRef<mlir::Value> elements,
                                            llvm::ArrayRef<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> combineLanes(const Run &run, llvm::SmallVector<mlir::Value> values,
                                              int64_t width);

  //===-- Products: Matmul.cpp, MatmulAmx.cpp, MatmulOperands.cpp ---------------------------===//
  struct Product;
  llvm::LogicalResult emitMma(mlir::Operation *op);
  Product productOf(mlir::Operation *op);
  mlir::Value dot(const Product &product, mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
  mlir::Value step(const Product &product, mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
  void multiply(const Product &product, mlir::Value steps);
  void forEachBlock(const Product &product,
                    llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);
  void multiplyBlock(const Product &product, mlir::Value steps, llvm::ArrayRef<mlir::Value> corner);
  void multiplyByTiles(const Product &product, mlir::Value steps);
  void multiplyTiles(const Product &product, mlir::Value steps, llvm::ArrayRef<mlir::Value> corner);
  void writeInitialSums(const Product &product);
  void callAmx(llvm::StringRef instruction, llvm::ArrayRef<mlir::Value> arguments);
  llvm::LogicalResult openFinalStores(tile::ForOp op, mlir::Value runs);
  Position placeInStore(const Product &product, const Position &position);
  void prefetchStore(const Product &product, const Position &position);
  void storeSum(const Product &product, const Position &position, mlir::Value sum);
  void provideFactors(Product &product);
  void addStreams(Product &product);
  mlir::Value numberOf(const Product &product, llvm::ArrayRef<mlir::Value> corner);
  void prefetch(const Product &product, mlir::Value part, int64_t parts);
  void writeLeft(const Product &product, const Position &position, mlir::Value words);
  void clearCorrections(const Product &product);
  void packLeft(const Product &product);
  void packRight(const Product &product);
  mlir::Value rightWords(const Product &product, mlir::Value batch, mlir::Value step,
                         mlir::Value column);
  mlir::Value addCorrection(const Product &product, mlir::Value words, mlir::Value so);
  mlir::Value asFactors(const Product &product, unsigned operand, mlir::Value elements);
  mlir::Value scalesAt(const Product &product, unsigned operand, Position position);
  mlir::Value factorsAt(const Product &product, unsigned operand, const Position &position);
  void writeFactors(const Product &product, mlir::Value base, mlir::Value linear,
                    mlir::Value words);

  //===-- What the host is told: HostCalls.cpp ----------------------------------------------===//
  void addText(llvm::SmallVectorImpl<ModuleGlobals::Field> &fields, llvm::StringRef text);
  void addShape(llvm::SmallVectorImpl<ModuleGlobals::Field> &fields, mlir::Value tile);
  llvm::LogicalResult emitPrint(tile::PrintOp op);
  llvm::LogicalResult emitAssert(tile::AssertOp op);

  //===-- Small things: KernelEmitter.cpp -----------------------------------------------------===//
  llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);
  mlir::Value scalar(mlir::Value value) const { return scalars.lookup(value); }
  mlir::Value arenaAddress(int64_t offset);
  mlir::ModuleOp into;
  const Target &target;
  OperationCounter counter;
  ValueCache cache;
  LoopBuilder b;
  ModuleGlobals globals;
  std::string reason;

  // The entry being emitted.
  std::optional<Plan> plan;
  mlir::LLVM::LLVMFuncOp function;
  mlir::Value launch, arena;
  llvm::SmallVector<mlir::Value, 3> blockId, gridSize;
  mlir::Value blockNumber;
  mlir::Block *blockEnd = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, ViewValue> views;
  llvm::DenseMap<mlir::Operation *, mlir::LLVM::GlobalOp> constants;
  /// Where `continue` and `break` of the loops around go.
  struct LoopTargets {
    mlir::Operation *op;
    mlir::Block *next, *after;
    mlir::Value turns, left; ///< Of a `for`: all turns, and those that are left with this one.
  };
  llvm::SmallVector<LoopTargets> loops;
  /// A store that the product of a loop's last turn does itself (Plan::finalStore), if `isPlain`:
  /// its loop has turns, and its tile lies inside of the tensor.
  struct OpenStore {
    FinalStore plan;
    Window window;
    mlir::Value isPlain;
  };
  llvm::MapVector<mlir::Operation *, OpenStore> openStores; ///< Of products.
  /// Where `yield` of the innermost `if` goes.
  struct Branch {
    tile::IfOp op;
    mlir::Block *after;
  };
  llvm::SmallVector<Branch> branches;
  OperationCalls calls{counter};
  llvm::SmallVector<Part> parts;
  bool mayWait = false;
  /// The loads that are fused with what is being evaluated.
  Windows fusedLoads;
  bool fusedLoadsArePlain = false;
  /// What the scans of the run have come to so far, in all lanes.
  llvm::MapVector<mlir::Operation *, mlir::Value> scanned;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_KERNELEMITTER_H
