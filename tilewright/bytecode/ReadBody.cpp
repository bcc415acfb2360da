// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadBody.h. Every operation is read by one loop over its layout; there is no code for
// particular operations, except where versions differ.

#include "tilewright/bytecode/ReadBody.h"
#include "tilewright/bytecode/Enums.h"
#include "tilewright/bytecode/Preview.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;
using tile::Arity;
using tile::AttributeKind;

/// An operation that occurs only in files with preview features (13.4, section 9.1).
static constexpr uint64_t previewCallOpcode = 0x4002;

BodyReader::BodyReader(Input &input, const StringTable &strings, TypeTable &types,
                       ConstantTable &constants, AttributeReader &attributes, bool markPlaces)
    : input(input), strings(strings), types(types), constants(constants),
      attributeReader(attributes), marksPlaces(markPlaces),
      noAttributes(DictionaryAttr::get(input.context)),
      segmentSizesName(StringAttr::get(input.context, "operandSegmentSizes")) {}

void BodyReader::read(Cursor &cursor, tile::EntryOp theEntry, DebugTable::Row &row) {
  entry = theEntry;
  locations = &row;
  Block &block = entry.getBody().front();
  values.assign(block.args_begin(), block.args_end());
  while (cursor.ok() && !cursor.atEnd())
    readOperation(cursor, block);
  if (cursor.ok() && (block.empty() || !isa<tile::ReturnOp>(block.back())))
    cursor.failAt(cursor.offset(), "the body does not end in 'return'");
}

/// Normalises operations that producers write although they violate a rule of the language, if
/// their meaning is unambiguous.
static void normalise(Operation *op) {
  // cuTile's `//` rounds unsigned integers to negative infinity, which is only for signed ones.
  if (auto division = dyn_cast<tile::DivIOp>(op))
    if (division.getSignedness() == tile::Signedness::Unsigned &&
        division.getRounding() == tile::RoundingMode::NegativeInf)
      division.setRounding(tile::RoundingMode::Zero);
}

void BodyReader::readOperation(Cursor &cursor, Block &block) {
  uint64_t offset = cursor.offset();
  Location location = locations->next();
  llvm::scope_exit locateProblem([&] {
    if (!cursor.ok() && !input.problemLocation) // operations in regions set it themselves
      input.problemLocation = location;
  });
  const KnownOperation *operation = readOpcode(cursor);
  if (!operation)
    return;
  const Layout &layout = *operation->layout;
  readResults(cursor, layout);
  uint64_t flags = readFlags(cursor, layout);
  readAttributes(cursor, layout, flags);
  readOperands(cursor, layout, flags);
  if (!cursor.ok())
    return;
  Operation *op = create(*operation, markPlace(location, offset, "entry", entry.getSymName()));
  normalise(op);
  block.push_back(op);
  size_t numbered = storedResults;
  if (layout.regions)
    readRegions(cursor, layout, op);
  // Results are numbered after the values that the regions define (9.3).
  for (Value result : op->getResults().take_front(numbered))
    values.push_back(result);
}

//===-- Opcode, results, flags --------------------------------------------------------------===//

const KnownOperation *BodyReader::readOpcode(Cursor &cursor) {
  uint64_t opcode = cursor.varint("an opcode");
  if (!cursor.ok())
    return nullptr;
  if (opcode < known.size() && known[opcode].layout)
    return &known[opcode];

  const Layout *layout = layoutOf(opcode);
  std::string hex = "0x" + llvm::utohexstr(opcode);
  StringRef preview = previewOperation(opcode);
  if (!layout && !preview.empty() && input.version() == tile::Version{13, 4})
    cursor.fail("there is no operation with opcode " + hex +
                "; in the developer preview of 13.4, whose numbers are not supported, it was '" +
                preview + "'");
  else if (!layout && opcode == previewCallOpcode)
    cursor.fail("operation 'preview$call' (opcode " + hex +
                ") is a preview feature, which is not supported");
  else if (!layout)
    cursor.fail("there is no operation with opcode " + hex);
  else if (layout->op->since > input.version())
    cursor.fail("operation '" + layout->op->mnemonic + "' (opcode " + hex + ") came with Tile IR " +
                layout->op->since.str() + ", but the file is of version " + input.version().str());
  if (!cursor.ok())
    return nullptr;

  if (opcode >= known.size())
    known.resize(opcode + 1);
  KnownOperation &operation = known[opcode];
  operation.layout = layout;
  operation.name.emplace(("cuda_tile." + layout->op->mnemonic).str(), input.context);
  for (const Part &part : layout->attributes)
    operation.attributeNames.push_back(StringAttr::get(input.context, part.field->name));
  return &operation;
}

void BodyReader::readResults(Cursor &cursor, const Layout &layout) {
  resultTypes.clear();
  size_t fixed = llvm::count_if(layout.results, [&](auto *field) { return isStored(*field); });
  storedResults = layout.countsResults ? cursor.count("the number of results") : fixed;
  if (!layout.variadicResults && storedResults != fixed)
    cursor.fail("'" + layout.op->mnemonic + "' has " + Twine(fixed) + " results, not " +
                Twine(storedResults));
  for (size_t i = 0; i < storedResults && cursor.ok(); ++i)
    resultTypes.push_back(types.read(cursor, "the type of a result"));
  // A result that did not exist in this version is a token (14.1).
  for (const tile::FieldRow *field : layout.results)
    if (!isStored(*field))
      resultTypes.push_back(tile::TokenType::get(input.context));
}

uint64_t BodyReader::readFlags(Cursor &cursor, const Layout &layout) {
  if (!layout.hasFlags(input.version()))
    return 0;
  uint64_t flags = cursor.varint("the flags");
  if (uint64_t unknown = flags & ~layout.knownFlags(input.version()))
    cursor.fail("'" + layout.op->mnemonic + "' has the unknown flags 0x" +
                llvm::utohexstr(unknown));
  return flags;
}

//===-- Attributes --------------------------------------------------------------------------===//

static bool isSet(const Part &part, uint64_t flags) {
  return part.flagBit && (flags >> *part.flagBit & 1);
}

void BodyReader::readAttributes(Cursor &cursor, const Layout &layout, uint64_t flags) {
  attributes.clear();
  for (const Part &part : layout.attributes) {
    bool isThere = part.flagBit ? isSet(part, flags) : isStored(*part.field);
    attributes.push_back(isThere && cursor.ok() ? readAttribute(cursor, *part.field) : Attribute());
  }
}

Attribute BodyReader::readAttribute(Cursor &cursor, const tile::FieldRow &field) {
  MLIRContext *context = input.context;
  switch (field.attributeKind) {
  case AttributeKind::Unit:
    return UnitAttr::get(context);
  case AttributeKind::Enum:
    return readMember(cursor, field);
  case AttributeKind::Int32:
    return IntegerAttr::get(IntegerType::get(context, 32), cursor.varint32("an integer"));
  case AttributeKind::Int64:
    return IntegerAttr::get(IntegerType::get(context, 64), cursor.varint("an integer"));
  case AttributeKind::Bool:
    return BoolAttr::get(context, cursor.byte("a boolean") != 0);
  case AttributeKind::String:
    return readText(cursor);
  case AttributeKind::Symbol: {
    StringRef name = strings.readName(cursor, "the name of a symbol");
    return cursor.ok() ? FlatSymbolRefAttr::get(context, name) : Attribute();
  }
  case AttributeKind::Constant: {
    auto type = dyn_cast<tile::TileType>(resultTypes.front());
    if (type)
      return constants.read(cursor, type);
    cursor.fail("a constant must be a tile");
    return {};
  }
  case AttributeKind::Int32Array: {
    auto numbers = cursor.numbers<int32_t>("the size of an array");
    for (int32_t number : numbers)
      if (number == std::numeric_limits<int32_t>::min() ||
          number == std::numeric_limits<int32_t>::max())
        cursor.fail("the array has the forbidden value " + Twine(number));
    return DenseI32ArrayAttr::get(context, numbers);
  }
  case AttributeKind::BoolArray:
    return readBooleans(cursor);
  case AttributeKind::Array:
    return attributeReader.readTypedArray(cursor);
  case AttributeKind::Hints:
    return attributeReader.readHints(cursor);
  case AttributeKind::Predicate:
    return attributeReader.readPredicate(cursor);
  case AttributeKind::Type:
  case AttributeKind::None:
    break;
  }
  llvm_unreachable("no operation of a body has an attribute of this kind");
}

/// A message or format string. The verifier reads each one; without a bound, many operations that
/// share a long text could take time quadratic in the size of the file.
Attribute BodyReader::readText(Cursor &cursor) {
  constexpr uint64_t perByte = 64, slack = 1 << 16;
  StringRef text = strings.read(cursor, "a string");
  textBytes += text.size();
  if (textBytes > perByte * input.file.size + slack)
    cursor.fail("operations share texts of so many bytes that there would be more than 64 for "
                "each byte of the file");
  return StringAttr::get(input.context, text);
}

/// One byte per boolean.
Attribute BodyReader::readBooleans(Cursor &cursor) {
  size_t count = cursor.count("the size of an array of booleans");
  SmallVector<bool> flags;
  for (uint8_t byte : cursor.take(count, "an array of booleans"))
    flags.push_back(byte != 0);
  return cursor.ok() ? DenseBoolArrayAttr::get(input.context, flags) : Attribute();
}

Attribute BodyReader::readMember(Cursor &cursor, const tile::FieldRow &field) {
  uint64_t value = cursor.varint("an enumerant");
  if (!cursor.ok())
    return {};
  Attribute &cached = members[{field.enumName, value}];
  if (cached)
    return cached;
  const tile::MemberRow *member = findMember(field.enumName, value);
  if (!member)
    cursor.fail(field.name + " is " + Twine(value) + ", which no " + field.enumName + " is");
  else if (member->since > input.version())
    cursor.fail(field.enumName + " '" + member->spelling + "' came with Tile IR " +
                member->since.str() + ", but the file is of version " + input.version().str());
  else
    cached = memberAttribute(member->enumName, member->value, input.context);
  return cached;
}

//===-- Operands ----------------------------------------------------------------------------===//

void BodyReader::readOperands(Cursor &cursor, const Layout &layout, uint64_t flags) {
  operands.clear();
  segments.clear();
  size_t count = layout.operands.size();
  switch (layout.operandStyle) {
  case OperandStyle::Counted:
    count = cursor.count("the number of operands");
    [[fallthrough]];
  case OperandStyle::Plain:
    for (size_t i = 0; i < count && cursor.ok(); ++i)
      readValue(cursor);
    break;
  case OperandStyle::Segmented:
    for (const Part &part : layout.operands)
      readSegment(cursor, part, flags);
    break;
  }
}

void BodyReader::readSegment(Cursor &cursor, const Part &part, uint64_t flags) {
  size_t size = 1;
  if (part.field->arity == Arity::Variadic)
    size = cursor.count("the number of operands");
  else if (part.field->arity == Arity::Optional)
    size = isSet(part, flags);
  for (size_t i = 0; i < size && cursor.ok(); ++i)
    readValue(cursor);
  segments.push_back(size);
}

void BodyReader::readValue(Cursor &cursor) {
  uint64_t number = cursor.varint("an operand");
  if (number < values.size())
    operands.push_back(values[number]);
  else if (cursor.ok())
    cursor.fail("an operand is %" + Twine(number) + ", but the number of visible values is " +
                Twine(values.size()));
}

//===-- Operation and regions ---------------------------------------------------------------===//

Location BodyReader::markPlace(Location location, uint64_t offset, const char *what,
                               StringRef symbol) {
  if (!marksPlaces)
    return location;
  // Every operation has its own mark, so a long name would be stored for each.
  constexpr size_t longest = 128;
  StringRef name = symbol.take_front(longest);
  auto place = StringAttr::get(input.context, "byte 0x" + llvm::utohexstr(offset) + ", " + what +
                                                  " @" + name + (name == symbol ? "" : "..."));
  return tile::markPlace(location, place);
}

/// Creates the operation from the parts that were read, with empty regions. Absent attributes keep
/// their defaults.
Operation *BodyReader::create(const KnownOperation &operation, Location location) {
  const Layout &layout = *operation.layout;
  Operation *op = Operation::create(location, *operation.name, resultTypes, operands, noAttributes,
                                    OpaqueProperties(nullptr), /*successors=*/{}, layout.regions);
  auto set = [&](StringAttr name, Attribute value) {
    operation.name->setInherentAttr(op, name, value);
  };
  for (auto [name, value] : llvm::zip_equal(operation.attributeNames, attributes))
    if (value)
      set(name, value);
  if (layout.operandStyle == OperandStyle::Segmented)
    set(segmentSizesName, DenseI32ArrayAttr::get(input.context, segments));
  return op;
}

void BodyReader::readRegions(Cursor &cursor, const Layout &layout, Operation *op) {
  uint64_t count = cursor.varint("the number of regions");
  if (cursor.ok() && count != layout.regions)
    cursor.fail("'" + layout.op->mnemonic + "' has " + Twine(layout.regions) + " regions, not " +
                Twine(count));
  if (cursor.ok() && nesting == maxNesting)
    cursor.fail("regions are nested deeper than " + Twine(maxNesting) + " levels");
  ++nesting;
  llvm::scope_exit leave([&] { --nesting; });
  for (Region &region : op->getRegions()) {
    size_t blocks = cursor.count("the number of blocks", /*bytesEach=*/2);
    for (size_t i = 0; i < blocks && cursor.ok(); ++i)
      readBlock(cursor, region);
  }
}

void BodyReader::readBlock(Cursor &cursor, Region &region) {
  Block &block = region.emplaceBlock();
  size_t outer = values.size();
  size_t argumentCount = cursor.count("the number of block arguments");
  for (size_t i = 0; i < argumentCount && cursor.ok(); ++i)
    if (Type type = types.read(cursor, "the type of a block argument"))
      values.push_back(block.addArgument(type, UnknownLoc::get(input.context)));
  size_t operations = cursor.count("the number of operations", /*bytesEach=*/2);
  if (cursor.ok() && operations == 0)
    cursor.fail("the block is empty");
  for (size_t i = 0; i < operations && cursor.ok(); ++i)
    readOperation(cursor, block);
  if (cursor.ok() && !block.back().hasTrait<OpTrait::IsTerminator>())
    cursor.failAt(cursor.offset(), "the block does not end in a terminator");
  // The values that the block defined are not visible outside.
  values.resize(outer);
}
