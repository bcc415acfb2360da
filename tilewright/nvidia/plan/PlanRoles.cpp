// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a producer warp copies the operands of products (Roles.h).

#include "tilewright/analysis/Divisibility.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/SharedImage.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/attributes/Hints.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

const Ring *Roles::ringOf(Operation *product) const {
  auto found = rings.find(product);
  return found == rings.end() ? nullptr : &found->second;
}

bool Roles::fills(const Plan &plan, Operation *loop) const {
  auto pipeline = plan.pipelines.find(loop);
  return pipeline != plan.pipelines.end() && ringOf(pipeline->second.products.front());
}

//===-- Tensor maps ---------------------------------------------------------------------------===//

/// Whether a hint says that the load must not use a tensor map (operations, 2.5).
static bool isForbidden(tile::LoadViewOp load, const Target &target) {
  auto hints = tile::hintsOf(load, "sm_" + std::to_string(target.capability));
  return llvm::any_of(hints, [](const tile::HintForTarget &hint) {
    auto flag = llvm::dyn_cast<mlir::BoolAttr>(hint.value);
    return hint.problem.empty() && hint.name == "allow_tma" && flag && !flag.getValue();
  });
}

/// The operation that makes the array of a view.
static tile::MakeTensorViewOp arrayOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto array = llvm::dyn_cast<tile::MakeTensorViewOp>(op))
      return array;
    view = op->getOperand(0);
  }
  return nullptr;
}

/// What a tensor map requires of addresses, strides and rows of boxes (CUDA driver API,
/// cuTensorMapEncodeTiled).
static constexpr uint64_t mapAlignment = 16;

/// The extents or strides of an array: numbers of the type, or operands.
static SmallVector<std::variant<int64_t, Value>> sizesOf(llvm::ArrayRef<int64_t> fromType,
                                                         mlir::OperandRange dynamic) {
  SmallVector<std::variant<int64_t, Value>> sizes;
  for (int64_t size : fromType) {
    if (!mlir::ShapedType::isDynamic(size)) {
      sizes.push_back(size);
      continue;
    }
    sizes.push_back(Value(dynamic.front()));
    dynamic = dynamic.drop_front();
  }
  return sizes;
}

static bool isDivisible(const std::variant<int64_t, Value> &size, int64_t elementBytes) {
  if (const int64_t *number = std::get_if<int64_t>(&size))
    return *number * elementBytes % int64_t(mapAlignment) == 0;
  return analysis::divisorOf(std::get<Value>(size)) * uint64_t(elementBytes) % mapAlignment == 0;
}

/// Extents of a tensor map have 32 bits.
static bool fits(const std::variant<int64_t, Value> &extent) {
  if (const int64_t *number = std::get_if<int64_t>(&extent))
    return *number <= INT32_MAX;
  auto type = llvm::cast<tile::TileType>(std::get<Value>(extent).getType());
  return type.getElementType().getIntOrFloatBitWidth() <= 32;
}

namespace {
/// A tensor map for an operand, or why there is none.
struct MapOrReason {
  TensorMap map = {};
  size_t rowDim = 0;
  const char *reason = nullptr;
};
} // namespace

/// Checks the array of a load: what the map requires must be known before the kernel runs.
static const char *problemOf(tile::MakeTensorViewOp array, unsigned contiguous, int64_t bytes) {
  auto type = llvm::cast<tile::TensorViewType>(array.getResult().getType());
  if (type.getShape().size() > TensorMap::mostDimensions)
    return "the array has more than five dimensions";
  if (analysis::divisorOf(array.getBase()) % mapAlignment != 0)
    return "the address is not known to be a multiple of 16 bytes";
  auto strides = sizesOf(type.getStrides(), array.getDynamicStrides());
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != contiguous && !isDivisible(stride, bytes))
      return "a stride is not known to be a multiple of 16 bytes";
  if (!llvm::all_of(sizesOf(type.getShape(), array.getDynamicShape()), fits))
    return "an extent is not known to have 32 bits or fewer";
  return nullptr;
}

/// The dimension of the load's tile along which rows of the image follow each other: the other one
/// with more than one element. None if elements of the tile are not two-dimensional.
static std::optional<size_t> rowDimensionOf(llvm::ArrayRef<int32_t> shape, size_t contiguous) {
  std::optional<size_t> found;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent == 1 || dim == contiguous)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

static MapOrReason mapFor(const Plan &plan, tile::LoadViewOp load, int64_t elementBytes,
                          const SharedImage &image) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  auto view = llvm::cast<tile::TileView>(load.getView().getType());
  tile::MakeTensorViewOp array = arrayOf(load.getView());
  if (!array)
    return {.reason = "the array is chosen at run time"};
  auto shape = view.getTileShape();
  auto rules = tile::rulesOf(view);
  const auto inRow = size_t(plan.runDimensionOf(access));
  std::optional<size_t> across = rowDimensionOf(shape, inRow);
  if (!across)
    return {.reason = "the tile is not a matrix"};
  auto fill = tile::paddingOf(view);
  if (fill && fill->bits != 0)
    return {.reason = "elements outside of the array are not zero"};
  if (shape[inRow] * elementBytes != image.rowBytes || shape[*across] != image.rows)
    return {.reason = "the tile is reshaped"};
  if (image.span < SharedImage::narrowestSpan)
    return {.reason = "rows of the tile have less than 32 bytes"};
  const unsigned contiguous = rules[inRow].tensorDim;
  if (view.getTensorView().getStrides()[contiguous] != 1)
    return {.reason = "the rows are not known to be contiguous"};
  if (const char *problem = problemOf(array, contiguous, elementBytes))
    return {.reason = problem};
  MapOrReason made;
  made.map = {array.getResult(), {contiguous}, {image.span / elementBytes}, elementBytes};
  // The last dimensions of the tile come first: their strides are usually the smallest.
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (dim == inRow)
      continue;
    if (dim == *across)
      made.rowDim = made.map.dims.size();
    made.map.dims.push_back(rules[dim].tensorDim);
    made.map.box.push_back(std::min<int64_t>(shape[dim], TensorMap::mostInBox));
  }
  return made;
}

//===-- Loops ---------------------------------------------------------------------------------===//

namespace {
/// What the producer needs for the loops so far.
struct Choice {
  Slice slice;
  SmallVector<TensorMap, 2> maps = {};
  llvm::DenseSet<Operation *> meetings = {};
};

class RolesChoice {
public:
  explicit RolesChoice(Plan &plan) : plan(plan), roles(plan.roles), choice{Slice(plan.entry)} {}
  void run();

private:
  std::string problemOfEntry();
  bool hasTensorProduct(const Pipeline &pipeline) const;
  std::string addRings(const Pipeline &pipeline, Operation *start);
  std::string addCopy(const MatrixProduct &matrices, const Staging &staging, bool isLhs,
                      Operation *start, Ring &ring, Choice &with) const;

  Plan &plan;
  Roles &roles;
  Choice choice;
};
} // namespace

/// Why no loop of the entry has a producer; empty if one may have. Both roles return early at the
/// same places, so they count the same stages.
std::string RolesChoice::problemOfEntry() {
  std::string problem;
  plan.entry.walk([&](Operation *op) {
    if (isFence(op))
      problem = "the entry has a fence";
    if (problem.empty() && llvm::isa<tile::ReturnOp>(op) && op->getParentOp() != plan.entry &&
        !choice.slice.addOperation(op))
      problem = "a return depends on what a producer cannot compute: " + choice.slice.problem;
  });
  return problem;
}

/// Adds an operand to the ring of its product. Returns why it cannot be copied by the producer.
std::string RolesChoice::addCopy(const MatrixProduct &matrices, const Staging &staging, bool isLhs,
                                 Operation *start, Ring &ring, Choice &with) const {
  const StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
  if (operand.way != StagedOperand::CopiedAhead)
    return {};
  tile::LoadViewOp load = operand.load;
  MapOrReason made = mapFor(plan, load, matrices.elementBytes,
                            imageOf(matrices, isLhs, staging.isAlongK(isLhs), matrices.k));
  const std::string name = isLhs ? "lhs: " : "rhs: ";
  if (made.reason)
    return name + made.reason;
  Operation *array = made.map.view.getDefiningOp();
  if (array->getBlock() != start->getBlock() || !array->isBeforeInBlock(start))
    return name + "the array is not made before the first loop with products";
  if (isForbidden(load, plan.target))
    return name + "the hint allow_tma forbids it";
  for (Operation *write :
       writesBefore(llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation()))) {
    if (!llvm::isa<tile::MemoryAccessOpInterface>(write) || !with.slice.addPlace(write))
      return name + "a token orders the load after what a producer cannot wait for";
    with.meetings.insert(write);
  }
  if (!with.slice.addValues(load->getOperands())) // the copy takes the place of the load
    return name + "the load depends on what a producer cannot compute: " + with.slice.problem;
  const auto *found = llvm::find(with.maps, made.map);
  const size_t number = found - with.maps.begin();
  if (found == with.maps.end())
    with.maps.push_back(made.map);
  ring.copies.push_back({isLhs, load, number, made.rowDim});
  ring.bytes += operand.bytes;
  return {};
}

/// Adds the rings of all products of a loop, or returns why it has none.
std::string RolesChoice::addRings(const Pipeline &pipeline, Operation *start) {
  Choice with = choice;
  SmallVector<std::pair<Operation *, Ring>> rings;
  for (tile::MatmulOpInterface product : pipeline.products) {
    const MatrixProduct &matrices = plan.matrices.find(product)->second;
    if (plan.tensor.isUsed() && !matrices.form.isOfTensorMemory())
      return "another product of the loop is not computed by tcgen05.mma";
    if (!matrices.hasPanels)
      return "operands are batches of matrices, or rhs has 8-bit elements along its rows";
    Ring ring{pipeline.stages, {}};
    for (bool isLhs : {true, false})
      if (std::string why =
              addCopy(matrices, plan.staged.find(product)->second, isLhs, start, ring, with);
          !why.empty())
        return why;
    if (!with.slice.addPlace(product))
      return "the product depends on what a producer cannot compute: " + with.slice.problem;
    rings.push_back({product, ring});
  }
  choice = with;
  for (auto &[product, ring] : rings) {
    ring.barriers = plan.ahead.add(2 * Ring::barrierBytes * ring.stages, Reserved::leastAlignment);
    roles.rings.insert({product, ring});
  }
  return {};
}

/// Whether accumulators of a product in the loop are in tensor memory.
bool RolesChoice::hasTensorProduct(const Pipeline &pipeline) const {
  return llvm::any_of(pipeline.products,
                      [&](Operation *product) { return plan.tensor.find(product); });
}

/// The operation of the entry's block that has the first product.
static Operation *startOf(tile::EntryOp entry, const Pipeline &pipeline) {
  return entry.getBody().front().findAncestorOpInBlock(*pipeline.products.front());
}

/// `mma.sync` takes operands from rings on sm_90a only; `tcgen05.mma` always does.
void RolesChoice::run() {
  if (plan.target.capability != 90 && !plan.tensor.isUsed())
    return;
  const std::string problem = problemOfEntry();
  for (auto &[loop, pipeline] : plan.pipelines) {
    if (plan.tensor.isUsed() && !hasTensorProduct(pipeline))
      continue;
    Operation *start = roles.start ? roles.start : startOf(plan.entry, pipeline);
    std::string reason = problem.empty() ? addRings(pipeline, start) : problem;
    if (reason.empty())
      roles.start = start;
    else
      roles.reasons.insert({loop, reason});
  }
  if (!roles.areSpecialised())
    return;
  roles.slice = choice.slice.operations;
  roles.maps = choice.maps;
  roles.meetings = choice.meetings;
  if (!roles.meetings.empty())
    roles.meetingBarrier = plan.ahead.add(Ring::barrierBytes, Reserved::leastAlignment);
  const int64_t bytes = int64_t(roles.maps.size()) * TensorMap::bytes;
  roles.mapsInPool = plan.pool.add(bytes, TensorMap::bytes);
  roles.mapsInShared = plan.ahead.add(bytes, TensorMap::bytes);
  plan.ahead.bytes = llvm::alignTo(plan.ahead.bytes, StagedOperand::alignment);
}

void nvidia::chooseRoles(Plan &plan) { RolesChoice(plan).run(); }
