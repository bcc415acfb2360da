// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which accesses can use tensor maps, and what the kernel must ask about their arrays,
// because it is not known before the kernel runs (Roles.h).

#include "tilewright/analysis/Divisibility.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

bool nvidia::isMapForbidden(tile::MemoryAccessOpInterface access, const Target &target) {
  return hintOf(access, "allow_tma", target) == 0;
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

static bool isDivisible(const std::variant<int64_t, Value> &size, int64_t by) {
  if (const int64_t *number = std::get_if<int64_t>(&size))
    return *number % by == 0;
  return analysis::divisorOf(std::get<Value>(size)) % uint64_t(by) == 0;
}

/// Extents of a tensor map have 32 bits; the kernel asks for 31.
static bool fits(const std::variant<int64_t, Value> &extent) {
  if (const int64_t *number = std::get_if<int64_t>(&extent))
    return *number <= INT32_MAX;
  auto type = llvm::cast<tile::TileType>(std::get<Value>(extent).getType());
  return type.getElementType().getIntOrFloatBitWidth() <= 32;
}

/// Whether it is a number of the type, about which there is nothing to ask.
static bool isStatic(const std::variant<int64_t, Value> &size) {
  return std::holds_alternative<int64_t>(size);
}

const char *nvidia::reasonOf(const Question &question) {
  switch (question.kind) {
  case Question::Address:
    return "the address is not known to be a multiple of 16 bytes";
  case Question::Stride:
    return "a stride is not known to be a multiple of 16 bytes";
  case Question::Extent:
    return "an extent is not known to have 32 bits or fewer";
  case Question::Rows:
    return "the rows are not known to be contiguous";
  }
  llvm_unreachable("questions are listed above");
}

/// Adds what must be asked about the array of an access, whose strides are multiples of
/// `inElements`. False if the answer to the last question
/// is known to be no.
static bool addQuestions(tile::MakeTensorViewOp array, unsigned contiguous, int64_t inElements,
                         SmallVector<Question, 4> &questions) {
  auto type = llvm::cast<tile::TensorViewType>(array.getResult().getType());
  Value view = array.getResult();
  if (analysis::divisorOf(array.getBase()) % mapAlignment != 0)
    questions.push_back({Question::Address, view, 0, int64_t(mapAlignment)});
  auto add = [&](Question::Kind kind, size_t dim, const std::variant<int64_t, Value> &size) {
    questions.push_back({kind, view, unsigned(dim), kind == Question::Stride ? inElements : 1});
    return !isStatic(size);
  };
  auto strides = sizesOf(type.getStrides(), array.getDynamicStrides());
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != contiguous && !isDivisible(stride, inElements) &&
        !add(Question::Stride, dim, stride))
      return false;
  if (type.getStrides()[contiguous] != 1 && !add(Question::Rows, contiguous, strides[contiguous]))
    return false;
  for (auto [dim, extent] : llvm::enumerate(sizesOf(type.getShape(), array.getDynamicShape())))
    if (!fits(extent) && !add(Question::Extent, dim, extent))
      return false;
  return true;
}

std::optional<size_t> nvidia::rowDimensionOf(llvm::ArrayRef<int64_t> shape, size_t contiguous) {
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

/// The bits of an element in memory.
static int64_t bitsOf(tile::TileView view) {
  return numerics::info(*tile::formatOf(view.getTensorView().getElementType())).storageBits;
}

std::optional<size_t> nvidia::packedDimensionOf(tile::TileView view) {
  auto strides = view.getTensorView().getStrides();
  for (auto [dim, rule] : llvm::enumerate(tile::rulesOf(view)))
    if (view.getTileShape()[dim] > 1 && strides[rule.tensorDim] == 1 && !rule.isSparse)
      return dim;
  return std::nullopt;
}

/// Whether pairs of elements along this dimension of the tile are bytes of the array, also the last
/// one of each row.
static bool hasWholeBytes(tile::MakeTensorViewOp array, const tile::DimensionRule &rule) {
  auto type = llvm::cast<tile::TensorViewType>(array.getResult().getType());
  const auto extents = sizesOf(type.getShape(), array.getDynamicShape());
  return rule.step % 2 == 0 && isDivisible(extents[rule.tensorDim], 2);
}

MapOrReason nvidia::mapFor(const Plan &plan, tile::MemoryAccessOpInterface access,
                           const CopiedPart &part) {
  const SharedImage &image = part.image;
  auto view = llvm::cast<tile::TileView>(access.getAddressed().getType());
  tile::MakeTensorViewOp array = arrayOf(access.getAddressed());
  const int64_t elementBytes = elementwise::wordBytes(view.getTensorView().getElementType());
  if (!array)
    return {.reason = "the array is chosen at run time"};
  auto shape = llvm::to_vector_of<int64_t>(view.getTileShape());
  auto rules = tile::rulesOf(view);
  const int64_t ofUnit = std::max<int64_t>(1, 8 / bitsOf(view));
  const size_t inRow = ofUnit > 1 ? *packedDimensionOf(view) : plan.runDimensionOf(access);
  std::optional<size_t> across = rowDimensionOf(shape, inRow);
  if (!across)
    return {.reason = "the tile is not a matrix"};
  auto fill = tile::paddingOf(view);
  if (access.isLoad() && fill && fill->bits != 0)
    return {.reason = "elements outside of the array are not zero"};
  const int64_t rowBytes = image.rowBytes * (part.divides == CopiedPart::EachRow ? plan.ctas : 1);
  const int64_t rows = image.rows * (part.divides == CopiedPart::Rows ? plan.ctas : 1);
  if (shape[inRow] * elementBytes / ofUnit != rowBytes || shape[*across] != rows)
    return {.reason = "the tile is reshaped"};
  if (image.span < SharedImage::narrowestSpan)
    return {.reason = plan.ctas > 1 ? "rows of a CTA's part of the tile have less than 32 bytes"
                                    : "rows of the tile have less than 32 bytes"};
  const unsigned contiguous = rules[inRow].tensorDim;
  if (view.getTensorView().getShape().size() > TensorMap::mostDimensions)
    return {.reason = "the array has more than five dimensions"};
  if (ofUnit > 1 && !hasWholeBytes(array, rules[inRow]))
    return {.reason = "the rows are not known to have whole bytes"};
  MapOrReason made;
  const int64_t inElements = std::max<int64_t>(1, ofUnit * int64_t(mapAlignment) / elementBytes);
  if (!addQuestions(array, contiguous, inElements, made.questions))
    return {.reason = reasonOf(made.questions.back())};
  made.map = {array.getResult(), {contiguous}, {image.span / elementBytes}, elementBytes, ofUnit};
  // The last dimensions of the tile come first: their strides are usually the smallest.
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (dim == inRow)
      continue;
    if (dim == *across)
      made.rowDim = made.map.dims.size();
    made.map.dims.push_back(rules[dim].tensorDim);
    made.map.box.push_back(dim == *across ? std::min(image.rows, TensorMap::mostInBox) : 1);
  }
  return made;
}

/// Whether the kernel need not ask about the array: its address and the strides of all dimensions
/// but these are aligned, and extents fit.
static bool isKnownToBeAligned(tile::MakeTensorViewOp array, llvm::ArrayRef<unsigned> contiguous) {
  auto type = llvm::cast<tile::TensorViewType>(array.getResult().getType());
  for (auto [dim, stride] : llvm::enumerate(sizesOf(type.getStrides(), array.getDynamicStrides())))
    if (!llvm::is_contained(contiguous, dim) && !isDivisible(stride, int64_t(mapAlignment)))
      return false;
  return analysis::divisorOf(array.getBase()) % mapAlignment == 0 &&
         llvm::all_of(sizesOf(type.getShape(), array.getDynamicShape()), fits);
}

/// The last dimensions of the tile are merged until they have the 16 bytes that a row of a box has
/// at least; in memory, each must follow the next one without a gap. Along them, a tile is in the
/// array as a whole or not at all, so tiles must not overlap there.
MapOrReason nvidia::linearMapFor(tile::MemoryAccessOpInterface access, int64_t parts) {
  auto view = llvm::cast<tile::TileView>(access.getAddressed().getType());
  auto tensor = view.getTensorView();
  tile::MakeTensorViewOp array = arrayOf(access.getAddressed());
  auto shape = llvm::to_vector_of<int64_t>(view.getTileShape());
  auto rules = tile::rulesOf(view);
  auto fill = tile::paddingOf(view);
  if (!array || bitsOf(view) != 8 || (fill && fill->bits != 0) ||
      llvm::any_of(rules, [](const tile::DimensionRule &rule) { return rule.isSparse; }))
    return {.reason = "the tile is not one of bytes with zeros outside of the array"};
  MapOrReason made;
  int64_t inRow = 1;
  size_t dim = shape.size();
  SmallVector<unsigned> row;
  while (dim > 0 && inRow < int64_t(mapAlignment)) {
    const unsigned inner = row.empty() ? 0 : row.back(), next = rules[--dim].tensorDim;
    if (tensor.getStrides()[next] != inRow ||
        (!row.empty() && tensor.getShape()[inner] != shape[dim + 1]))
      return {.reason = "the rows of the tile are not contiguous"};
    inRow *= shape[dim];
    row.push_back(next);
  }
  const bool isCovered = row.size() == 1 || tensor.getShape()[row.back()] == shape[dim];
  if (!isCovered || inRow != int64_t(mapAlignment) || dim == 0 ||
      dim + 1 > TensorMap::mostDimensions || row.size() + dim != tensor.getShape().size())
    return {.reason = "a row of the box would not have 16 bytes"};
  for (size_t merged = dim; row.size() > 1 && merged < shape.size(); ++merged)
    if (rules[merged].step != shape[merged])
      return {.reason = "tiles overlap or have gaps along a row of the box"};
  if (!isKnownToBeAligned(array, row))
    return {.reason = "the array is not known to be aligned"};
  made.map = {array.getResult(), {row[0]}, {inRow}, /*elementBytes=*/1};
  made.map.merged.assign(row.begin() + 1, row.end());
  while (dim-- > 0) {
    made.map.dims.push_back(rules[dim].tensorDim);
    made.map.box.push_back(shape[dim]);
  }
  auto &box = made.map.box;
  for (made.rowDim = box.size() - 1; made.rowDim > 1 && box[made.rowDim] == 1;)
    --made.rowDim;
  if (box[made.rowDim] % parts != 0)
    return {.reason = "the CTAs cannot divide the box"};
  box[made.rowDim] /= parts;
  if (llvm::any_of(box, [](int64_t extent) { return extent > TensorMap::mostInBox; }))
    return {.reason = "the box would be too large"};
  return made;
}

bool nvidia::isMadeBefore(const TensorMap &map, mlir::Operation *start) {
  mlir::Operation *array = map.view.getDefiningOp();
  return array->getBlock() == start->getBlock() && array->isBeforeInBlock(start);
}
