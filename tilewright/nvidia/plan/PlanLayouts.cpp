// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the layout of each tile. Values between which elements do not move (operands and results
// of elementwise operations, loop-carried values) form a layout class and have the same layout. A
// class takes the layout of the first matrix-instruction product that accumulates into one of its
// tiles, or else of its first memory access: a thread gets contiguous elements, up to 16 bytes of
// the largest type that the class accesses. Layouts then propagate between classes, along
// rearrangements and reductions, so that these move nothing between threads if possible; other
// classes get the default layout for their number of elements. Where two classes disagree, the
// operation between them becomes an exchange.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

static llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getShape();
}

//===-- Bits of element numbers ---------------------------------------------------------------===//

SmallVector<unsigned> nvidia::bitsAlong(llvm::ArrayRef<int64_t> shape, int64_t dim) {
  unsigned first = llvm::Log2_64(support::strideOf(shape, dim));
  return llvm::to_vector(llvm::seq<unsigned>(first, first + llvm::Log2_64(shape[dim])));
}

std::optional<SmallVector<int>> nvidia::sourceBitsOf(tile::RearrangementOpInterface op) {
  if (!op.getSelectors().empty())
    return std::nullopt;
  auto shape = shapeOf(op->getResult(0));
  SmallVector<int> source(llvm::Log2_64(llvm::product_of(shape)), -1);
  for (auto [dim, step] : llvm::enumerate(op.getElementSteps()))
    for (auto [number, bit] : llvm::enumerate(bitsAlong(shape, dim)))
      if (step)
        source[bit] = llvm::Log2_64(step) + number;
  return source;
}

std::optional<SmallVector<std::pair<unsigned, unsigned>>>
nvidia::slotBitsWithinThread(const Plan &plan, tile::RearrangementOpInterface op) {
  std::optional<SmallVector<int>> sourceBits = sourceBitsOf(op);
  if (!sourceBits)
    return std::nullopt;
  TileLayout from = plan.layoutOf(op.getMoved()), to = plan.layoutOf(op->getResult(0));
  SmallVector<std::pair<unsigned, unsigned>> slots;
  size_t covered = 0;
  for (auto [bit, source] : llvm::enumerate(*sourceBits)) {
    if (source < 0)
      continue;
    ++covered;
    Digit held = from.digits[source], wanted = to.digits[bit];
    if (held.isThread ? wanted != held : wanted.isThread)
      return std::nullopt;
    if (!held.isThread)
      slots.push_back({wanted.bit, held.bit});
  }
  if (covered != from.digits.size())
    return std::nullopt;
  return slots;
}

//===-- Accesses ------------------------------------------------------------------------------===//

int64_t nvidia::contiguousDimensionOf(tile::MemoryAccessOpInterface access) {
  if (!access.isThroughView())
    return analysis::contiguousDimension(access.getAddressed());
  auto view = llvm::cast<tile::TileView>(access.getAddressed().getType());
  auto shape = view.getTileShape();
  int64_t maybe = -1;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    if (shape[dim] == 1 || !tile::mayBeContiguous(view, dim))
      continue;
    if (view.getTensorView().getStrides()[tile::ruleOf(view, dim).tensorDim] == 1)
      return dim;
    if (maybe < 0)
      maybe = dim;
  }
  return maybe;
}

namespace {
/// The layout constraint (`Wish`) of an access: the order of bits, the fastest first, and up to 16
/// bytes at a time.
struct Wish {
  SmallVector<unsigned> bits;
  int64_t width, bytes; ///< Elements per access; bytes per element.
};

class LayoutChoice {
public:
  explicit LayoutChoice(Plan &plan) : plan(plan) {}
  void run();

private:
  Value classOf(Value value);
  void join(Value a, Value b);
  void join(mlir::ValueRange first, mlir::ValueRange second);
  void joinAll(Operation *op);
  void joinValuesOf(Operation *op);
  std::optional<Wish> wishOf(tile::MemoryAccessOpInterface access);
  void takeFromProducts();
  void takeFromAccesses();
  void choose(Value tile, TileLayout layout);
  void carryOver(tile::RearrangementOpInterface op);
  void carryOver(tile::ReduceOp op);
  std::optional<unsigned> bitOfClass(Value tile);
  void divideAmongCtas();
  void divide(Value tile, std::optional<unsigned> bit);
  bool has(Value value) { return chosen.contains(classOf(value)); }
  void finish();

  Plan &plan;
  llvm::DenseMap<Value, Value> parents;
  llvm::MapVector<Value, SmallVector<Value>>
      members;                              ///< The members of each class, by its representative.
  llvm::DenseMap<Value, TileLayout> chosen; ///< By class.
  /// In a cluster, by class of tiles that become operands or scales in the shared memory of CTAs:
  /// the bit by which CTAs divide them; none if each CTA needs all elements.
  llvm::DenseMap<Value, std::optional<unsigned>> bitsOfCta;
  /// By class, the operations along which its layout may propagate.
  llvm::DenseMap<Value, SmallVector<Operation *>> links;
  SmallVector<Operation *> operations; ///< All operations outside of bodies.
};
} // namespace

//===-- Layout classes ------------------------------------------------------------------------===//

Value LayoutChoice::classOf(Value value) {
  while (true) {
    auto parent = parents.find(value);
    if (parent == parents.end())
      return value;
    auto next = parents.find(parent->second);
    if (next != parents.end())
      parent->second = next->second; // path compression
    value = parent->second;
  }
}

void LayoutChoice::join(Value a, Value b) {
  if (!tileTypeOf(a) || !tileTypeOf(b) || isRecomputed(a) || isRecomputed(b))
    return;
  Value first = classOf(a), second = classOf(b);
  if (first != second)
    parents[second] = first;
}

void LayoutChoice::join(mlir::ValueRange first, mlir::ValueRange second) {
  for (auto [a, b] : llvm::zip_equal(first, second))
    join(a, b);
}

/// Puts all operands and results of an operation into one class.
void LayoutChoice::joinAll(Operation *op) {
  SmallVector<Value> tiles;
  for (Value operand : op->getOperands())
    tiles.push_back(operand);
  llvm::append_range(tiles, op->getResults());
  llvm::erase_if(tiles, [](Value value) { return !tileTypeOf(value) || isRecomputed(value); });
  for (Value tile : tiles)
    join(tiles.front(), tile);
}

void LayoutChoice::joinValuesOf(Operation *op) {
  auto joinAmong = [&](mlir::ValueRange values) {
    SmallVector<Value> tiles;
    for (Value value : values)
      if (tileTypeOf(value) && !isRecomputed(value))
        tiles.push_back(value);
    for (Value tile : tiles)
      join(tiles.front(), tile);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::ElementwiseOpInterface, tile::AssumeOp, tile::ScanOp>([&](auto) { joinAll(op); })
      .Case<tile::MemoryAccessOpInterface>([&](auto access) {
        if (!access.isThroughView()) // pointers, masks and values correspond element by element
          joinAll(op);
      })
      .Case<tile::InsertOp>([&](auto insert) { join(insert.getDestination(), insert.getResult()); })
      .Case<tile::MatmulOpInterface>(
          [&](auto product) { join(product.getAcc(), op->getResult(0)); })
      .Case<tile::ReduceOp>([&](auto) {
        joinAmong(op->getOperands());
        joinAmong(op->getResults());
      })
      .Case<tile::RearrangementOpInterface>([&](auto moved) {
        if (keepsElements(moved))
          join(moved.getMoved(), op->getResult(0));
      })
      .Case<tile::ForOp>([&](auto loop) {
        join(loop.getInitValues(), loop.iterArgs());
        join(loop.iterArgs(), op->getResults());
      })
      .Case<tile::LoopOp>(
          [&](auto loop) { join(loop.getInitValues(), loop.body()->getArguments()); })
      .Case<tile::YieldOp>([&](auto) { join(op->getOperands(), op->getParentOp()->getResults()); })
      .Case<tile::BreakOp>(
          [&](auto) { join(op->getOperands(), tile::enclosingNonIf(op)->getResults()); })
      .Case<tile::ContinueOp>([&](auto) {
        Operation *loop = tile::enclosingNonIf(op);
        mlir::ValueRange carried = loop->getRegion(0).front().getArguments();
        join(op->getOperands(), llvm::isa<tile::ForOp>(loop) ? carried.drop_front() : carried);
      });
}

//===-- Layout constraints --------------------------------------------------------------------===//

std::optional<Wish> LayoutChoice::wishOf(tile::MemoryAccessOpInterface access) {
  Value tile = access.getLoaded() ? access.getLoaded() : access.getStored();
  if (!tile || !tileTypeOf(tile))
    return std::nullopt;
  int64_t contiguous = contiguousDimensionOf(access);
  if (contiguous < 0)
    return std::nullopt;
  auto shape = shapeOf(tile);
  Wish wish{bitsAlong(shape, contiguous), 1, 1};
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim)
    if (dim != contiguous)
      llvm::append_range(wish.bits, bitsAlong(shape, dim));
  int64_t bytes =
      elementwise::wordBytes(llvm::cast<tile::TileType>(tile.getType()).getElementType());
  wish.bytes = bytes;
  wish.width = std::min<int64_t>(16 / bytes, shape[contiguous]);
  return wish;
}

/// If a product's accumulators are in the class of another product with other fragments, it is not
/// computed by matrix instructions.
void LayoutChoice::takeFromProducts() {
  for (Operation *op : operations) {
    auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op);
    if (!product)
      continue;
    Value result = op->getResult(0);
    SmallVector<MatrixProduct> candidates;
    if (plan.tensor.find(product))
      candidates.push_back(
          std::get<MatrixProduct>(tensorProductOf(product, plan.target, plan.threads)));
    llvm::append_range(candidates, matrixProductsFor(product, plan.target, plan.threads));
    for (const MatrixProduct &candidate : candidates) {
      choose(result, candidate.layout(plan.threads));
      if (chosen.find(classOf(result))->second != candidate.layout(plan.threads))
        continue;
      plan.matrices.insert({op, candidate}).first->second.ctas = plan.ctas;
      break;
    }
  }
}

/// Each CTA of a cluster multiplies some rows of lhs by all of rhs. This matters if its threads
/// copy or write operands or scales into its shared memory.
void LayoutChoice::divideAmongCtas() {
  if (plan.ctas == 1)
    return;
  for (auto &[op, matrices] : plan.matrices) {
    auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op);
    for (bool isLhs : {true, false})
      for (Value tile : {op->getOperand(isLhs ? 0 : 1), scaled ? scalesOf(scaled, isLhs) : Value()})
        if (tile)
          divide(tile, isLhs ? std::optional(llvm::Log2_64(uint64_t(elementCountOf(tile))) - 1)
                             : std::nullopt);
  }
}

/// Also the tiles of which this one is a permutation.
void LayoutChoice::divide(Value tile, std::optional<unsigned> bit) {
  const Value first = classOf(tile);
  if (isRecomputed(tile) || !bitsOfCta.try_emplace(first, bit).second)
    return;
  for (Operation *op : links.lookup(first)) {
    auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op);
    if (!moved || classOf(op->getResult(0)) != first)
      continue;
    std::optional<SmallVector<int>> source = sourceBitsOf(moved);
    if (source && (!bit || (*source)[*bit] >= 0))
      divide(moved.getMoved(), bit ? std::optional<unsigned>((*source)[*bit]) : std::nullopt);
  }
}

std::optional<unsigned> LayoutChoice::bitOfClass(Value tile) {
  auto found = bitsOfCta.find(classOf(tile));
  return found == bitsOfCta.end() ? plan.usualBitOfCta(elementCountOf(tile)) : found->second;
}

/// Takes the bit order of the first access, and the least width of those with the same order.
void LayoutChoice::takeFromAccesses() {
  llvm::MapVector<Value, Wish> wishes;
  for (Operation *op : operations) {
    auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
    std::optional<Wish> wish = access ? wishOf(access) : std::nullopt;
    if (!wish)
      continue;
    Value tile = access.getLoaded() ? access.getLoaded() : access.getStored();
    if (isRecomputed(tile)) {
      if (!access.isThroughView())
        tile = access.getAddressed();
      else if (!access.isAtomic())
        plan.accessLayouts.try_emplace(
            op, plan.blocked(wish->bits, wish->width, plan.usualBitOfCta(elementCountOf(tile))));
    }
    if (isRecomputed(tile))
      continue;
    auto [found, isFirst] = wishes.insert({classOf(tile), *wish});
    if (!isFirst && found->second.bits == wish->bits)
      found->second.width = std::min(found->second.width, wish->width);
  }
  for (auto &[tile, wish] : wishes)
    choose(tile, plan.blocked(wish.bits, wish.width, bitOfClass(tile)));
}

//===-- Propagation between classes -----------------------------------------------------------===//

/// Sets the layout of a class, and propagates it to others.
void LayoutChoice::choose(Value tile, TileLayout layout) {
  Value first = classOf(tile);
  if (!chosen.try_emplace(first, std::move(layout)).second)
    return;
  for (Operation *op : links.lookup(first)) {
    if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op))
      carryOver(moved);
    else
      carryOver(llvm::cast<tile::ReduceOp>(op));
  }
}

void LayoutChoice::carryOver(tile::RearrangementOpInterface op) {
  Value source = op.getMoved(), result = op->getResult(0);
  std::optional<SmallVector<int>> sourceBits = sourceBitsOf(op);
  if (!sourceBits || has(source) == has(result))
    return;
  SmallVector<unsigned> repeated;
  SmallVector<int> kept;
  for (auto [bit, from] : llvm::enumerate(*sourceBits))
    if (from < 0)
      repeated.push_back(bit);
    else
      kept.push_back(from);
  if (int64_t(1) << kept.size() != elementCountOf(source))
    return;
  if (has(result)) {
    TileLayout rest = chosen.find(classOf(result))->second.without(repeated), layout = rest;
    for (auto [bit, from] : llvm::enumerate(kept))
      layout.digits[from] = rest.digits[bit];
    choose(source, layout);
  } else if (repeated.empty()) {
    TileLayout layout = chosen.find(classOf(source))->second, from = layout;
    for (auto [bit, number] : llvm::enumerate(kept))
      layout.digits[bit] = from.digits[number];
    choose(result, layout);
  }
}

void LayoutChoice::carryOver(tile::ReduceOp op) {
  Value source = op.getOperands()[0], result = op.getResults()[0];
  if (has(source))
    choose(result,
           chosen.find(classOf(source))->second.without(bitsAlong(shapeOf(source), op.getDim())));
}

//===-- The choice for an entry ---------------------------------------------------------------===//

/// The granularity of memory transfers, of all targets.
static constexpr int64_t sectorBytes = 32;

/// Gives every value the layout of its class. Accesses get layouts of their own if that one has
/// another bit order, or would access parts of sectors.
void LayoutChoice::finish() {
  const Tuning &tuning = plan.target.tuning;
  for (auto &[op, matrices] : plan.matrices)
    for (Value operand : op->getOperands().take_front(2))
      if (!isRecomputed(operand)) {
        int64_t &most = chosen.find(classOf(operand))->second.mostInRegisters;
        if (most == tuning.mostUnrolledElements)
          most = tuning.mostUnrolledOperandElements;
      }
  for (auto &[first, values] : members)
    for (Value value : values)
      plan.layouts.try_emplace(value, chosen.find(first)->second);
  for (Operation *op : operations) {
    auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
    if (!access || !access.isThroughView() || access.isAtomic() || !access.isWeak())
      continue;
    std::optional<Wish> wish = wishOf(access);
    if (!wish || plan.accessLayouts.contains(op))
      continue;
    TileLayout held = plan.layoutOfAccess(access);
    TileLayout wanted = plan.blocked(wish->bits, wish->width, bitOfCta(held));
    int64_t sector = std::min(wanted.span(wish->width), sectorBytes / wish->bytes);
    auto isGood = [&](const TileLayout &layout, int64_t width) {
      return layout.step() == wanted.step() && layout.width() >= width &&
             layout.span(wish->width) >= sector;
    };
    if (wanted.width() == 1 || isGood(held, wanted.width()))
      continue;
    wanted.mostInRegisters = held.mostInRegisters;
    auto widened = widenedByLaneSwaps(held, wish->bits, wish->width, sector);
    if (widened)
      plan.accessLayouts.try_emplace(op, *widened);
    else if (!isGood(held, 1))
      plan.accessLayouts.try_emplace(op, wanted);
  }
}

void LayoutChoice::run() {
  SmallVector<Value> tiles;
  auto add = [&](mlir::ValueRange values) {
    for (Value value : values)
      if (tileTypeOf(value) && !isRecomputed(value))
        tiles.push_back(value);
  };
  plan.entry.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    operations.push_back(op);
    add(op->getResults());
    if (tile::isAggregate(op))
      return mlir::WalkResult::skip();
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        add(block.getArguments());
    return mlir::WalkResult::advance();
  });
  for (Operation *op : operations)
    joinValuesOf(op);
  for (Value tile : tiles)
    members[classOf(tile)].push_back(tile);
  for (Operation *op : operations) {
    if (!llvm::isa<tile::RearrangementOpInterface, tile::ReduceOp>(op))
      continue;
    Value source = op->getOperand(0), result = op->getResult(0);
    if (!tileTypeOf(source) || !tileTypeOf(result) || isRecomputed(source) || isRecomputed(result))
      continue;
    links[classOf(source)].push_back(op);
    links[classOf(result)].push_back(op);
  }
  takeFromProducts();
  divideAmongCtas();
  takeFromAccesses();
  // Largest classes first, so that the layouts of smaller ones follow from theirs.
  SmallVector<std::pair<int64_t, Value>> classes;
  for (auto &[first, values] : members)
    classes.push_back({-elementCountOf(first), first});
  llvm::sort(classes, llvm::less_first());
  for (auto [size, tile] : classes)
    choose(tile, plan.layoutOf(elementCountOf(tile), bitOfClass(tile)));
  finish();
}

void nvidia::chooseLayouts(Plan &plan) { LayoutChoice(plan).run(); }
