// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does each value of an entry live while a tile block runs? Scalars, views and
// tokens in registers. A tile is fused, that is computed again by whoever reads it, if it
// has one reader or costs next to nothing; else it has a buffer. What a loop carries has
// one buffer for all turns, updated in place. Buffers are ranges of one arena per running
// block; those that are never alive together share bytes.

#ifndef TILEWRIGHT_CPU_PLAN_PLAN_H
#define TILEWRIGHT_CPU_PLAN_PLAN_H

#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/tile/Ops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

namespace tilewright::cpu {

struct ProductForm;
struct Target;

enum class Home : uint8_t {
  Register, ///< A scalar, a view or a token.
  Fused,    ///< Computed where it is read.
  Loop,     ///< Computed and read in one loop, in registers.
  Constant, ///< Read-only words in the compiled module.
  Buffer,   ///< Words in the arena, in row-major order.
};

/// `register`, `fused`, `loop`, `constant`, `buffer`
llvm::StringRef nameOf(Home home);

/// Bytes of the arena, for as long as the operations from `first` to `last` run; both are
/// numbers of operations in the order of the text.
struct Buffer {
  int64_t bytes = 0;
  unsigned first = 0, last = 0;
  int64_t offset = 0;
};

/// The store of what a loop leaves of a product's sums, done by the product of the last turn.
struct FinalStore {
  tile::StoreViewOp store;
  mlir::Value sums; ///< The result of the loop.
  /// What the store needs and stands behind the loop, but is not made by it; in an order in which
  /// it can be done before the loop.
  llvm::SmallVector<mlir::Operation *> needs;
};

class Plan {
public:
  /// Alignment of a buffer in the arena: a cache line, and any vector.
  static constexpr int64_t alignment = 64;

  Plan(tile::EntryOp entry, const Target &target);

  Home home(mlir::Value value) const;
  /// The buffer of a value that has one.
  int64_t offsetOf(mlir::Value value) const { return buffers[bufferOf.lookup(value)].offset; }
  /// The group that the operation is a step of; null if it stands alone.
  const Group *groupOf(mlir::Operation *op) const { return groupOfStep.lookup(op); }
  /// The dimension along which a buffer holds one row of the tile only, and the next row in
  /// its place; none if it holds the whole tile.
  std::optional<unsigned> rowOnly(mlir::Value value) const;
  bool shareBuffer(mlir::Value a, mlir::Value b) const;
  /// The tile whose words a reshape that has none of its own shows in another shape.
  mlir::Value reshapedFrom(mlir::Value value) const;
  /// Whether the tile is in memory, maybe as another shape, with its words in row-major order.
  bool isRowMajor(mlir::Value value) const;
  /// Calls `visit` on the operation that makes the value; if it is fused, on those that make its
  /// operands as well, and so on.
  void forEachMaker(mlir::Value value, llvm::function_ref<void(mlir::Operation *)> visit) const;
  /// Calls `visit` on the operations that compute with the value, itself or fused.
  void forEachReader(mlir::Value value, llvm::function_ref<void(mlir::Operation *)> visit) const;
  /// Whether a product reads this operand where it is, and not copied into scratch memory.
  bool isInPlace(mlir::Operation *product, unsigned operand, const ProductForm &form) const;
  /// How many turns of the loop around it a product does together: 1 unless nobody sees the sums
  /// of a single turn, and both factors are copied.
  int64_t turnsOf(mlir::Operation *product, const ProductForm &form) const;
  /// The constant that a `for` begins to carry in this argument, if the argument is the sum of a
  /// product that adds in place and can begin with it: nobody reads it from the buffer.
  tile::ConstantOp initialSum(mlir::Value argument) const;
  /// The store to which the sums of a product go from the last turn of the loop around it, and not
  /// through a buffer: nothing else reads them, and nothing is done with memory in between.
  std::optional<FinalStore> finalStore(mlir::Operation *product) const;
  /// A buffer that an operation needs while it runs (KernelEmitter decides what for).
  int64_t scratchOffset(mlir::Operation *op) const { return buffers[scratch.lookup(op)].offset; }
  bool hasScratch(mlir::Operation *op) const { return scratch.contains(op); }
  int64_t arenaBytes() const { return totalBytes; }

  /// A line per tile value: its home, its bytes and its operation. Then the groups, a line per run.
  void print(llvm::raw_ostream &out) const;

private:
  void number(mlir::Block &block);
  /// Whether a value is read once, and by whom in the end.
  using ReadersOnce = llvm::DenseMap<mlir::Value, std::pair<bool, mlir::Operation *>>;
  Home homeOfResult(mlir::Operation *op, mlir::Value result, ReadersOnce &known) const;
  bool isReadOnce(mlir::Value value, ReadersOnce &known, mlir::Operation *&reader) const;
  bool mustBeRowMajor(mlir::Value value) const;
  bool isTurned(mlir::Operation *op) const;
  bool comesFromMemory(mlir::Value value) const;
  void followElements();
  bool isReadInOrder(tile::LoadViewOp load, ReadersOnce &known) const;
  bool areSilent(mlir::Operation *from, mlir::Operation *last) const;
  bool canBeKnownBefore(mlir::Value value, mlir::Operation *loop,
                        llvm::SetVector<mlir::Operation *> &needs) const;
  void cutChains();
  void giveBuffer(mlir::Value value, unsigned first, unsigned last);
  void joinBuffer(mlir::Value part, tile::CatOp cat, unsigned first);
  unsigned lastRead(mlir::Value value);
  void formGroups();
  void decideInGroup(const Group &group, mlir::Operation *step);
  void assignBuffers();
  void assignScratch(mlir::Operation *op);
  void layOut();
  void printHome(mlir::Value value, mlir::AsmState &names, llvm::raw_ostream &out) const;
  void printGroup(const Group &group, mlir::AsmState &names, llvm::raw_ostream &out) const;

  tile::EntryOp entry;
  const Target &target;
  std::vector<mlir::Operation *> operations;
  /// Number of an operation, and of the last one inside of it.
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> numbers;
  /// How many operations before each one access memory and are not weak loads.
  std::vector<unsigned> barriers;
  llvm::DenseMap<mlir::Value, Home> homes;
  /// Tiles that somebody needs in memory, whole.
  llvm::DenseSet<mlir::Value> rowMajor;
  /// Tiles whose elements come from memory; others are computed from coordinates and scalars.
  llvm::DenseSet<mlir::Value> fromMemory;
  /// Values that a product reads, itself or through what can be fused.
  llvm::DenseSet<mlir::Value> readByProducts;
  std::deque<Group> groups;
  llvm::DenseMap<mlir::Operation *, const Group *> groupOfStep;
  llvm::DenseMap<mlir::Value, unsigned> rowBuffers;
  llvm::DenseMap<mlir::Value, unsigned> lastReads;
  llvm::DenseMap<mlir::Value, unsigned> bufferOf;
  llvm::DenseMap<mlir::Operation *, unsigned> scratch;
  std::vector<Buffer> buffers;
  int64_t totalBytes = 0;
};

/// Whether the result of an operation can be computed element by element, wherever it is read.
bool canFuse(mlir::Operation *op);

/// How much it costs to compute an element of the operation again, in additions; operands
/// are not counted.
unsigned costOf(mlir::Operation *op);

/// The `cat` of whose result a tile is a part, and nothing else: nobody but the `cat` reads it, so
/// that its words are computed where the result has them.
tile::CatOp catOf(mlir::Value value);

/// A `cat` that has nothing to do, because both operands are parts of its result.
bool isAssembled(mlir::Operation *op);

/// Bytes of a tile's words.
int64_t bufferBytes(tile::TileType type);

/// The type of a tile value of rank 1 or more; null for scalars, views and tokens.
tile::TileType tileTypeOf(mlir::Value value);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLAN_H
