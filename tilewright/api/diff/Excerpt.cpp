// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Excerpt.h.

#include "tilewright/api/diff/Excerpt.h"
#include "tilewright/api/Print.h"
#include "tilewright/api/diff/TileBuilder.h"
#include "tilewright/api/diff/Unit.h"
#include "tilewright/lower/ConstantTile.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/support/Shape.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using numerics::Element;
using numerics::Format;
using tile::TileType;

namespace tilewright::api {
class ExcerptWriter {
public:
  ExcerptWriter(const ExcerptContext &context, const Selection &selection)
      : context(context), selection(selection), b(tile::EntryOp(context.launch.entry)) {}

  std::unique_ptr<Excerpt> write();

private:
  void begin();
  bool copy(Operation *op);
  Value constant(tile::ConstantOp original);
  Value valueOf(Value original);
  Value parameter(mlir::BlockArgument original);
  Value token();
  Value known(Value original, TileType type, const std::vector<Element> &elements);
  std::optional<std::vector<Element>> elementsOf(Value original, TileType type) const;
  Value addArray(Format format, llvm::ArrayRef<int64_t> shape, std::vector<uint8_t> bytes);
  Value wholeView(Value pointer, TileType type);
  llvm::SmallVector<Value> zeros(size_t count);
  void show(Value result);

  const ExcerptContext &context;
  const Selection &selection;
  TileBuilder b;
  mlir::IRMapping mapping;
  std::unique_ptr<Excerpt> excerpt;
  llvm::DenseMap<mlir::Attribute, Value> constants;
  Value emptyToken;
};
} // namespace tilewright::api

//===-- Values ------------------------------------------------------------------------------===//

static Format formatOf(TileType type) { return *tile::formatOf(type.getElementType()); }

/// The contents of an argument's array before the launch.
Value ExcerptWriter::parameter(mlir::BlockArgument original) {
  const Argument &argument = context.launch.arguments[original.getArgNumber()];
  Value made = b.addParameter(excerpt->entryOp, llvm::cast<TileType>(original.getType()));
  excerpt->values.push_back(argument);
  return made;
}

Value ExcerptWriter::token() {
  if (!emptyToken)
    emptyToken = tile::MakeTokenOp::create(b, b.location, tile::TokenType::get(b.getContext()));
  return emptyToken;
}

/// What the device computed; none if it was not observed.
std::optional<std::vector<Element>> ExcerptWriter::elementsOf(Value original, TileType type) const {
  const Observation *observation = context.observations.of(original);
  if (!observation || formatOf(type) == Format::Pointer)
    return std::nullopt;
  const Probe &probe = *observation->layout().find(original);
  const auto place = observation->layout().placeOf(probe, context.culprit.execution);
  if (!place || !observation->wasExecutedOnDevice(probe, *place))
    return std::nullopt;
  std::vector<Element> elements;
  for (int64_t i = 0; i < probe.size; ++i)
    elements.push_back(observation->found(probe, *place, i));
  return elements;
}

Value ExcerptWriter::addArray(Format format, llvm::ArrayRef<int64_t> shape,
                              std::vector<uint8_t> bytes) {
  excerpt->memory.push_back(std::make_unique<std::vector<uint8_t>>(std::move(bytes)));
  excerpt->values.push_back(*Array::create(excerpt->memory.back()->data(), format, shape));
  return b.addParameter(excerpt->entryOp, format);
}

llvm::SmallVector<Value> ExcerptWriter::zeros(size_t count) {
  const auto zero = mlir::DenseElementsAttr::get(b.i32Type(), llvm::APInt(32, 0));
  Value &made = constants[zero];
  if (!made)
    made = b.i32(0);
  return llvm::SmallVector<Value>(count, made);
}

/// No claim about any index.
static llvm::SmallVector<bool> noClaims(TileType type) {
  return llvm::SmallVector<bool>(size_t(type.getRank()), false);
}

/// A view of an array that has the shape of the tile.
Value ExcerptWriter::wholeView(Value pointer, TileType type) {
  const auto strides = support::rowMajorStrides<llvm::SmallVector<int64_t>>(type.getShape());
  const auto tensor =
      tile::TensorViewType::get(b.getContext(), type.getElementType(), type.getShape(), strides);
  llvm::SmallVector<int32_t> extents(type.getShape()), dims;
  for (int32_t dim = 0; dim < int32_t(extents.size()); ++dim)
    dims.push_back(dim);
  Value view = tile::MakeTensorViewOp::create(b, b.location, tensor, pointer, mlir::ValueRange(),
                                              mlir::ValueRange());
  return tile::MakePartitionViewOp::create(
      b, b.location,
      tile::PartitionViewType::get(b.getContext(), extents, tensor, dims, tile::PaddingValueAttr()),
      view);
}

/// A scalar parameter, a constant or a parameter that is loaded.
Value ExcerptWriter::known(Value original, TileType type, const std::vector<Element> &elements) {
  if (type.getRank() == 0) {
    excerpt->values.push_back(elements.front());
    return b.addParameter(excerpt->entryOp, type);
  }
  const bool isSplat = llvm::all_of(
      elements, [&](const Element &element) { return element.bits == elements.front().bits; });
  if (isSplat || selection.splats.contains(original))
    return tile::ConstantOp::create(
        b, b.location, type, lower::ConstantTile::splat(type, elements.front()).toAttribute());
  std::vector<uint8_t> bytes(
      size_t(numerics::storageBytes(formatOf(type), int64_t(elements.size()))));
  for (const auto &[i, element] : llvm::enumerate(elements))
    numerics::store(bytes.data(), int64_t(i), element);
  excerpt->loadedValues.push_back(original);
  Value view = wholeView(addArray(formatOf(type), type.getShape(), std::move(bytes)), type);
  return tile::LoadViewOp::create(b, b.location, type, tile::TokenType::get(b.getContext()),
                                  tile::MemoryOrderingSemantics::Weak, tile::MemoryScopeAttr(),
                                  view, zeros(size_t(type.getRank())), Value(),
                                  tile::OptimizationHintsAttr(), noClaims(type))
      .getResult(0);
}

/// Null if it is not known.
Value ExcerptWriter::valueOf(Value original) {
  if (Value made = mapping.lookupOrNull(original))
    return made;
  Value made;
  Operation *op = original.getDefiningOp();
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(original);
  const bool isParameter = argument && llvm::isa<tile::EntryOp>(argument.getOwner()->getParentOp());
  auto type = llvm::dyn_cast<TileType>(original.getType());
  const auto elements = type ? elementsOf(original, type) : std::nullopt;
  if (isParameter)
    made = parameter(argument);
  else if (llvm::isa<tile::TokenType>(original.getType()))
    made = token();
  else if (elements && !llvm::isa_and_present<tile::IotaOp>(op))
    made = known(original, type, *elements);
  else if (op && op->getNumRegions() == 0 && copy(op))
    return mapping.lookup(original);
  if (made)
    mapping.map(original, made);
  return made;
}

//===-- Operations --------------------------------------------------------------------------===//

/// Equal constants become one.
Value ExcerptWriter::constant(tile::ConstantOp original) {
  Value &made = constants[original.getValueAttr()];
  if (!made)
    made = b.clone(*original)->getResult(0);
  return made;
}

/// Copies an operation whose operands are known.
bool ExcerptWriter::copy(Operation *op) {
  for (Value read : valuesReadBy(op))
    if (!valueOf(read))
      return false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto constant = operand.getDefiningOp<tile::ConstantOp>();
          constant && !op->isAncestor(constant) && !mapping.contains(operand))
        mapping.map(operand, this->constant(constant));
  });
  b.clone(*op, mapping);
  return true;
}

/// Stores a result to a new array.
void ExcerptWriter::show(Value result) {
  auto type = llvm::dyn_cast<TileType>(result.getType());
  if (!type || formatOf(type) == Format::Pointer || numerics::info(formatOf(type)).storageBits < 8)
    return;
  std::vector<uint8_t> bytes(size_t(numerics::storageBytes(formatOf(type), type.getNumElements())));
  Value pointer = addArray(formatOf(type), type.getShape(), std::move(bytes));
  if (type.getRank() == 0) {
    b.store(pointer, mapping.lookup(result));
    return;
  }
  Value view = wholeView(pointer, type);
  tile::StoreViewOp::create(b, b.location, tile::TokenType::get(b.getContext()),
                            tile::MemoryOrderingSemantics::Weak, tile::MemoryScopeAttr(),
                            mapping.lookup(result), view, zeros(size_t(type.getRank())), Value(),
                            tile::OptimizationHintsAttr(), noClaims(type));
}

void ExcerptWriter::begin() {
  tile::EntryOp around = context.launch.entry;
  excerpt.reset(new Excerpt);
  excerpt->file = mlir::ModuleOp::create(around.getLoc());
  tile::ModuleOp module = withoutEntries(around->getParentOfType<tile::ModuleOp>()).release();
  excerpt->file->push_back(module);
  b.location = around.getLoc();
  b.setInsertionPointToEnd(&module.getBodyRegion().front());
  excerpt->entryOp =
      tile::EntryOp::create(b, b.location, around.getSymName(), b.getFunctionType({}, {}),
                            mlir::ArrayAttr(), mlir::ArrayAttr(), tile::OptimizationHintsAttr());
  b.setInsertionPointToEnd(&excerpt->entryOp.getBody().emplaceBlock());
}

std::unique_ptr<Excerpt> ExcerptWriter::write() {
  begin();
  // Operations of kept ones are copied with them.
  llvm::SmallVector<Operation *> ordered;
  tile::EntryOp(context.launch.entry).getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (!selection.kept.contains(op))
      return mlir::WalkResult::advance();
    ordered.push_back(op);
    return mlir::WalkResult::skip();
  });
  for (Operation *op : ordered) {
    b.location = op->getLoc();
    // It may have been copied already, for another one's operand.
    const bool isCopied = op->getNumResults() != 0 && mapping.contains(op->getResult(0));
    if (!isCopied && !copy(op))
      return nullptr;
  }
  for (Value result : selection.shown)
    show(result);
  tile::ReturnOp::create(b, b.location, mlir::ValueRange());
  mlir::ScopedDiagnosticHandler silent(b.getContext(), [](mlir::Diagnostic &) {});
  if (llvm::failed(mlir::verify(*excerpt->file)))
    return nullptr;
  return std::move(excerpt);
}

std::unique_ptr<Excerpt> Excerpt::make(const ExcerptContext &context, const Selection &selection) {
  return ExcerptWriter(context, selection).write();
}

std::string Excerpt::text() const { return toText(*file, {}); }

int64_t Excerpt::operationCount() const {
  int64_t count = 0;
  tile::EntryOp(entryOp).getBody().walk([&](Operation *) { ++count; });
  return count;
}
