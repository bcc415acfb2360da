// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteBody.h. Every operation is written by one loop over its layout.

#include "tilewright/bytecode/WriteBody.h"
#include "tilewright/bytecode/Enums.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;
using tile::Arity;
using tile::AttributeKind;

LogicalResult BodyWriter::write() {
  numberValues(entry.getBody().getArguments());
  for (Operation &op : entry.getBody().front())
    if (failed(writeOperation(op)))
      return failure();
  return success();
}

/// The layout of an operation; null if it cannot be in a body.
static const Layout *layoutFor(Operation &op) {
  if (!isa_and_present<tile::TileDialect>(op.getDialect()))
    return nullptr;
  const tile::OpRow *row = tile::findOp(op.getName().stripDialect());
  return row ? bytecode::layoutOf(row->opcode) : nullptr;
}

/// Warns of attributes that bytecode cannot store.
static void warnOfLosses(Operation &op) {
  for (NamedAttribute attribute : op.getDiscardableAttrs())
    op.emitWarning("bytecode cannot hold the attribute '")
        << attribute.getName().getValue() << "'; it is dropped";
}

LogicalResult BodyWriter::writeOperation(Operation &op) {
  const Layout *layout = layoutFor(op);
  if (!layout)
    return op.emitOpError("cannot stand in an entry in bytecode");
  warnOfLosses(op);
  if (failed(output.debugInfo.checkLocation(&op)))
    return failure();
  if (hasDebugInfo) {
    output.debugInfo.addLocation(&op);
    output.debugInfo.addReference(&op);
  }
  out.varint(layout->op->opcode);
  if (failed(writeResults(op, *layout)))
    return failure();
  writeFlags(op, *layout);
  for (const Part &part : layout->attributes)
    if (isStored(*part.field) && failed(writeAttribute(op, *layout, *part.field)))
      return failure();
  if (failed(writeOperands(op, *layout)) || failed(writeRegions(op, *layout)))
    return failure();
  // Results are numbered after the values that the regions define (9.3).
  size_t stored = layout->variadicResults
                      ? op.getNumResults()
                      : llvm::count_if(layout->results, [&](auto *f) { return isStored(*f); });
  numberValues(op.getResults().take_front(stored));
  return success();
}

LogicalResult BodyWriter::writeType(Operation &op, Type type) {
  std::optional<uint32_t> index = output.types.indexOf(type);
  if (!index)
    return op.emitError("bytecode cannot hold the type ") << type;
  out.varint(*index);
  return success();
}

LogicalResult BodyWriter::writeResults(Operation &op, const Layout &layout) {
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes()))
    if (layout.variadicResults || isStored(*layout.results[i]))
      types.push_back(type);
  if (layout.countsResults)
    out.varint(types.size());
  for (Type type : types)
    if (failed(writeType(op, type)))
      return failure();
  return success();
}

//===-- Flags and attributes ----------------------------------------------------------------===//

/// Index of the first value of an operand group, and how many it has.
static std::pair<unsigned, unsigned> segmentOf(Operation &op, const Layout &layout, size_t group) {
  if (layout.operandStyle != OperandStyle::Segmented)
    return {group, 1};
  auto sizes = cast<DenseI32ArrayAttr>(*op.getInherentAttr("operandSegmentSizes")).asArrayRef();
  unsigned start = std::accumulate(sizes.begin(), sizes.begin() + group, 0u);
  return {start, unsigned(sizes[group])};
}

void BodyWriter::writeFlags(Operation &op, const Layout &layout) {
  if (!layout.hasFlags(output.version))
    return;
  uint64_t flags = 0;
  for (const Part &part : layout.attributes)
    if (part.flagBit && op.getInherentAttr(part.field->name).value_or(Attribute()))
      flags |= uint64_t(1) << *part.flagBit;
  for (auto [group, part] : llvm::enumerate(layout.operands))
    if (part.flagBit && segmentOf(op, layout, group).second)
      flags |= uint64_t(1) << *part.flagBit;
  out.varint(flags);
}

/// The number of an absent attribute's default.
static uint32_t defaultOf(const tile::FieldRow &field) {
  for (const tile::MemberRow &member : tile::allEnumMembers())
    if (member.enumName == field.enumName &&
        llvm::convertToCamelFromSnakeCase(member.spelling, true) == field.defaultValue)
      return member.value;
  return 0;
}

/// Writes a false for each operand of the only variadic group.
void BodyWriter::writeAllFalse(Operation &op, const Layout &layout) {
  for (auto [group, part] : llvm::enumerate(layout.operands))
    if (part.field->arity == Arity::Variadic) {
      unsigned size = segmentOf(op, layout, group).second;
      out.varint(size);
      for (unsigned i = 0; i < size; ++i)
        out.byte(0);
    }
}

LogicalResult BodyWriter::writeAttribute(Operation &op, const Layout &layout,
                                         const tile::FieldRow &field) {
  Attribute value = op.getInherentAttr(field.name).value_or(Attribute());
  if (!value && field.attributeKind == AttributeKind::BoolArray) {
    writeAllFalse(op, layout);
    return success();
  }
  if (!value && field.arity == Arity::Optional)
    return success();
  switch (field.attributeKind) {
  case AttributeKind::Unit:
    return success(); // The flag is enough.
  case AttributeKind::Enum:
    out.varint(value ? memberNumber(value) : defaultOf(field));
    return success();
  case AttributeKind::Int32:
  case AttributeKind::Int64:
    out.varint(value ? cast<IntegerAttr>(value).getValue().getZExtValue() : 0);
    return success();
  case AttributeKind::Bool:
    out.byte(cast<BoolAttr>(value).getValue());
    return success();
  case AttributeKind::String:
    out.varint(output.strings.indexOf(cast<StringAttr>(value).getValue()));
    return success();
  case AttributeKind::Symbol:
    out.varint(output.strings.indexOf(cast<FlatSymbolRefAttr>(value).getValue()));
    return success();
  case AttributeKind::Constant: {
    auto elements = dyn_cast<DenseElementsAttr>(value);
    if (!elements)
      return op.emitError("bytecode cannot hold elements of this kind: ") << value;
    out.varint(output.constants.indexOf(elements));
    return success();
  }
  case AttributeKind::Int32Array:
    out.numbers(cast<DenseI32ArrayAttr>(value).asArrayRef());
    return success();
  case AttributeKind::BoolArray: {
    ArrayRef<bool> flags = cast<DenseBoolArrayAttr>(value).asArrayRef();
    out.varint(flags.size());
    for (bool flag : flags)
      out.byte(flag);
    return success();
  }
  case AttributeKind::Array:
    return output.attributes.writeArray(&op, cast<ArrayAttr>(value), out);
  case AttributeKind::Hints:
    return output.attributes.writeHints(&op, cast<tile::OptimizationHintsAttr>(value), out);
  case AttributeKind::Predicate:
    return output.attributes.writeTagged(&op, value, out);
  case AttributeKind::Type:
  case AttributeKind::None:
    break;
  }
  llvm_unreachable("no operation of a body has an attribute of this kind");
}

//===-- Operands and regions ----------------------------------------------------------------===//

LogicalResult BodyWriter::writeOperands(Operation &op, const Layout &layout) {
  if (layout.operandStyle == OperandStyle::Counted)
    out.varint(op.getNumOperands());
  if (layout.operandStyle != OperandStyle::Segmented) {
    for (Value operand : op.getOperands())
      out.varint(numbers.at(operand));
    return success();
  }
  for (auto [group, part] : llvm::enumerate(layout.operands)) {
    auto [start, size] = segmentOf(op, layout, group);
    if (part.field->arity == Arity::Variadic)
      out.varint(size);
    for (Value operand : op.getOperands().slice(start, size))
      out.varint(numbers.at(operand));
  }
  return success();
}

LogicalResult BodyWriter::writeRegions(Operation &op, const Layout &layout) {
  if (layout.regions)
    out.varint(op.getNumRegions());
  for (Region &region : op.getRegions()) {
    out.varint(region.getBlocks().size());
    for (Block &block : region)
      if (failed(writeBlock(block)))
        return failure();
  }
  return success();
}

LogicalResult BodyWriter::writeBlock(Block &block) {
  uint64_t outer = next;
  out.varint(block.getNumArguments());
  for (Type type : block.getArgumentTypes())
    if (failed(writeType(*block.getParentOp(), type)))
      return failure();
  numberValues(block.getArguments());
  out.varint(block.getOperations().size());
  for (Operation &op : block)
    if (failed(writeOperation(op)))
      return failure();
  // The values that the block defined are not visible outside, and their numbers are reused.
  next = outer;
  return success();
}
