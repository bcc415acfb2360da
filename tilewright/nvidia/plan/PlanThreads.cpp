// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads does a CTA have? As few as hold its tiles in registers: then those of products
// read their operands least often, and more CTAs run beside each other.

#include "tilewright/nvidia/plan/MatrixProduct.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

static constexpr int64_t warp = 32;
/// Elements that a thread holds, and warps of a CTA. A few elements are enough to overlap accesses.
static constexpr int64_t fewElements = 32, leastWarps = 4, mostWarps = 16;
/// The more sums a thread has, the less often it reads operands. Operands of 8 and 16 bits that are
/// copied take no registers, and leave most of them to sums.
static constexpr int64_t mostSums = 64, mostLeanSums = 208, mostWarpsOfProducts = 8;

//===-- Sums ----------------------------------------------------------------------------------===//

namespace {
/// The sums of products, and what loops around products carry: how many elements are there at the
/// same time? Tiles that become each other, as those that a product adds to and its result, or
/// those of one iteration and of the next, are in the same registers.
class HeldSums {
public:
  explicit HeldSums(llvm::ArrayRef<tile::MatmulOpInterface> products);

  int64_t mostAtOnce() const;

private:
  /// Operations between which some sums are there, by their numbers.
  struct Span {
    int64_t begin, end, elements;
  };

  void number(mlir::Block &block);
  void become(Value before, Value after);
  void becomeAll(mlir::ValueRange before, mlir::ValueRange after);
  void follow(Operation *op);
  void findEnds();
  void extend(Span &span, Value tile) const;

  int64_t least = INT64_MAX; ///< Elements of the smallest sums. Smaller tiles do not count.
  SmallVector<Operation *> inOrder;
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> numbers; ///< With all that is inside.
  llvm::DenseMap<Value, int64_t> ends;
  llvm::EquivalenceClasses<const void *> sums;
  llvm::SetVector<Value> counted;
  SmallVector<Span> spans;
};
} // namespace

void HeldSums::number(mlir::Block &block) {
  for (Operation &op : block) {
    int64_t first = numbers.size();
    numbers[&op] = {first, first};
    inOrder.push_back(&op);
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        number(inner);
    numbers[&op].second = numbers.size() - 1;
  }
}

/// Whether nobody reads the tile after this operation, in whose block it is made.
static bool isLastUse(Value tile, Operation *op) {
  return tile.getParentBlock() == op->getBlock() &&
         llvm::all_of(tile.getUsers(), [&](Operation *user) {
           Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
           return inBlock == op || inBlock->isBeforeInBlock(op);
         });
}

void HeldSums::become(Value before, Value after) {
  if (tileTypeOf(after) && !isRecomputed(before) && before != after)
    sums.unionSets(before.getAsOpaquePointer(), after.getAsOpaquePointer());
}

void HeldSums::becomeAll(mlir::ValueRange before, mlir::ValueRange after) {
  for (auto [from, to] : llvm::zip_equal(before, after))
    become(from, to);
}

/// What the operation makes of its tiles.
void HeldSums::follow(Operation *op) {
  auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op);
  if (product && isLastUse(product.getAcc(), op))
    return become(product.getAcc(), op->getResult(0));
  auto begin = [&](mlir::ValueRange initial, mlir::ValueRange carried) {
    for (auto [from, to] : llvm::zip_equal(initial, carried))
      if (isLastUse(from, op))
        become(from, to);
  };
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
    begin(loop.getInitValues(), loop.iterArgs());
    return becomeAll(loop.iterArgs(), loop.getResultValues());
  }
  if (auto loop = llvm::dyn_cast<tile::LoopOp>(op))
    return begin(loop.getInitValues(), loop.body()->getArguments());
  if (llvm::isa<tile::YieldOp>(op) && llvm::isa<tile::IfOp>(op->getParentOp()))
    return becomeAll(op->getOperands(), op->getParentOp()->getResults());
  Operation *loop = tile::enclosingNonIf(op);
  if (llvm::isa<tile::BreakOp>(op))
    return becomeAll(op->getOperands(), loop->getResults());
  if (llvm::isa<tile::ContinueOp>(op)) {
    mlir::ValueRange carried = loop->getRegion(0).front().getArguments();
    becomeAll(op->getOperands(), llvm::isa<tile::ForOp>(loop) ? carried.drop_front() : carried);
  }
}

HeldSums::HeldSums(llvm::ArrayRef<tile::MatmulOpInterface> products) {
  mlir::Operation *entry = products.front()->getParentOfType<tile::EntryOp>();
  number(entry->getRegion(0).front());
  findEnds();
  entry->walk([&](Operation *op) { follow(op); });
  for (tile::MatmulOpInterface product : products) {
    least = std::min(least, elementCountOf(product->getResult(0)));
    counted.insert(product->getResult(0));
    for (Operation *loop = product->getParentOp(); loop; loop = loop->getParentOp())
      if (tile::isLoop(loop))
        counted.insert_range(loop->getRegion(0).getArguments());
  }
  counted.remove_if([&](Value tile) { return !tileTypeOf(tile) || elementCountOf(tile) < least; });
  llvm::MapVector<const void *, Span> bySum;
  for (Value tile : counted) {
    const void *pointer = tile.getAsOpaquePointer();
    sums.insert(pointer);
    Span none{INT64_MAX, 0, 0};
    Span &span = bySum.try_emplace(sums.getLeaderValue(pointer), none).first->second;
    span.elements = std::max(span.elements, elementCountOf(tile));
  }
  for (auto &[sum, span] : bySum) {
    for (auto member = sums.findLeader(sum); member != sums.member_end(); ++member)
      extend(span, Value::getFromOpaquePointer(*member));
    spans.push_back(span);
  }
}

/// The last reader of each tile, by its number. What is computed from the elements of a tile takes
/// their place. Readers come later, so the last operation is the first here.
void HeldSums::findEnds() {
  auto endOf = [&](Value tile) {
    int64_t end = 0;
    for (Operation *user : tile.getUsers()) {
      Operation *inBlock = tile.getParentBlock()->findAncestorOpInBlock(*user);
      end = std::max(end, numbers.at(inBlock).second);
      if (llvm::isa<tile::ElementwiseOpInterface, tile::RearrangementOpInterface>(user) &&
          tileTypeOf(user->getResult(0)) &&
          elementCountOf(user->getResult(0)) == elementCountOf(tile))
        end = std::max(end, ends.lookup(user->getResult(0)));
    }
    return end;
  };
  for (Operation *op : llvm::reverse(inOrder)) {
    for (mlir::Region &region : op->getRegions())
      for (Value argument : llvm::make_filter_range(region.getArguments(), tileTypeOf))
        ends[argument] = endOf(argument);
    for (Value result : llvm::make_filter_range(op->getResults(), tileTypeOf))
      ends[result] = endOf(result);
  }
}

/// From where the tile is defined up to its last reader.
void HeldSums::extend(Span &span, Value tile) const {
  Operation *from =
      tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentBlock()->getParentOp();
  span.begin = std::min(span.begin, numbers.at(from).first);
  span.end = std::max(span.end, ends.lookup(tile));
}

int64_t HeldSums::mostAtOnce() const {
  int64_t most = 0;
  for (const Span &at : spans) {
    int64_t held = 0;
    for (const Span &span : spans)
      held += span.begin <= at.begin && at.begin <= span.end ? span.elements : 0;
    most = std::max(most, held);
  }
  return most;
}

//===-- Warps ---------------------------------------------------------------------------------===//

static int64_t largestTileOf(tile::EntryOp entry) {
  int64_t largest = 1;
  entry.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (tileTypeOf(result))
        largest = std::max(largest, elementCountOf(result));
  });
  return largest;
}

/// Whether its operands take few registers.
static bool isLean(tile::MatmulOpInterface product, const Target &target) {
  auto matrices = matrixProductOf(product, target, mostWarpsOfProducts * warp);
  return matrices && matrices->elementBytes <= 2;
}

void nvidia::chooseThreads(Plan &plan) {
  SmallVector<tile::MatmulOpInterface> products;
  plan.entry.walk([&](tile::MatmulOpInterface product) { products.push_back(product); });
  int64_t largest = largestTileOf(plan.entry);
  auto enough = [&](int64_t elements, int64_t ofThread, int64_t most) {
    int64_t warps = llvm::PowerOf2Ceil(llvm::divideCeil(elements, ofThread * warp));
    return std::clamp(warps, leastWarps, most);
  };
  auto choose = [&](int64_t warps, int64_t ofThread, llvm::StringRef what) {
    plan.threads = warps * warp;
    plan.threadsReason =
        llvm::formatv("{0} warps: a thread holds at most {1} {2}", warps, ofThread, what);
    if (warps > leastWarps)
      plan.threadsReason = llvm::formatv("{0} warps: a thread of {1} would hold more than {2} {3}",
                                         warps, warps / 2, ofThread, what);
  };
  if (products.empty())
    return choose(enough(largest, fewElements, mostWarps), fewElements, "elements of a tile");
  bool areLean = llvm::all_of(products, [&](auto product) { return isLean(product, plan.target); });
  int64_t held = std::max(largest, HeldSums(products).mostAtOnce());
  int64_t warps = enough(held, areLean ? mostLeanSums : mostSums, mostWarpsOfProducts);
  if (areLean) // no tile has more elements in registers
    warps = std::max(warps, enough(largest, MatrixProduct::mostSums, mostWarpsOfProducts));
  choose(warps, areLean ? mostLeanSums : mostSums, "sums");
}
