// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reader.h. Sections may be in any order; they are decoded in the order of their dependences
// (bytecode format, 2).

#include "tilewright/bytecode/Reader.h"
#include "tilewright/bytecode/Enums.h"
#include "tilewright/bytecode/ReadBody.h"
#include "tilewright/bytecode/Tags.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

namespace {

class ModuleReader {
public:
  ModuleReader(Input &input, ReadOptions options)
      : input(input), strings(input), types(input), constants(input),
        attributes(input, strings, types), debugInfo(input, strings),
        bodies(input, strings, types, constants, attributes, options.markPlaces),
        builder(input.context) {}

  OwningOpRef<tile::ModuleOp> read();

private:
  void readProducer(tile::ModuleOp module);
  void readGlobals();
  void readGlobal(Cursor &cursor);
  void readFunctions();
  void readFunction(Cursor &cursor);
  void takeArguments(Cursor &cursor, size_t count);
  uint8_t readFunctionFlags(Cursor &cursor);
  StringRef readSymbol(Cursor &cursor, const char *what);

  Input &input;
  StringTable strings;
  TypeTable types;
  ConstantTable constants;
  AttributeReader attributes;
  DebugTable debugInfo;
  BodyReader bodies;
  OpBuilder builder;
  llvm::DenseSet<StringRef> symbols;
  uint64_t arguments = 0; ///< In all entries so far.
};

} // namespace

OwningOpRef<tile::ModuleOp> ModuleReader::read() {
  // The file does not contain the name of the module; public tools use this name.
  OwningOpRef<tile::ModuleOp> module =
      tile::ModuleOp::create(builder, builder.getUnknownLoc(), "kernels", StringAttr());
  builder.setInsertionPointToStart(&module->getBody().emplaceBlock());
  readProducer(*module);
  readGlobals();
  readFunctions();
  return input.problem.found() ? nullptr : std::move(module);
}

void ModuleReader::readProducer(tile::ModuleOp module) {
  if (!input.file.find(SectionId::Producer))
    return;
  Cursor cursor = input.open(SectionId::Producer);
  StringRef producer = strings.read(cursor, "the producer");
  cursor.expectEnd("after the producer");
  if (cursor.ok())
    module.setProducer(producer);
}

/// Reads the name of an entry or global, which must be unique.
StringRef ModuleReader::readSymbol(Cursor &cursor, const char *what) {
  StringRef name = strings.readName(cursor, what);
  if (cursor.ok() && !symbols.insert(name).second)
    cursor.fail("there is a second entry or global '" + name + "'");
  return name;
}

//===-- Globals (6) -------------------------------------------------------------------------===//

void ModuleReader::readGlobals() {
  if (!input.file.find(SectionId::Global))
    return;
  Cursor cursor = input.open(SectionId::Global);
  size_t bytesEach = input.version() >= tile::Version{13, 3} ? 6 : 4;
  size_t count = cursor.count("the number of globals", bytesEach);
  for (size_t i = 0; i < count && cursor.ok(); ++i)
    readGlobal(cursor);
  cursor.expectEnd("after the last global");
}

void ModuleReader::readGlobal(Cursor &cursor) {
  uint64_t start = cursor.offset();
  StringRef name = readSymbol(cursor, "the name of a global");
  auto type = types.readAs<tile::TileType>(cursor, "the type of a global", "a tile");
  DenseElementsAttr value = type ? constants.read(cursor, type) : DenseElementsAttr();
  uint64_t alignment = cursor.varint("the alignment of a global");
  auto visibility = tile::SymbolVisibility::Public;
  bool isConstant = false;
  if (input.version() >= tile::Version{13, 3}) {
    uint64_t number = cursor.varint("the visibility of a global");
    if (cursor.ok() && !findMember("SymbolVisibility", number))
      cursor.fail("the visibility of a global is " + Twine(number) +
                  ", neither 0 (public) nor 1 (private)");
    visibility = tile::SymbolVisibility(number);
    isConstant = cursor.varint("whether a global is constant") != 0;
  }
  if (!cursor.ok())
    return;
  Location location = bodies.markPlace(builder.getUnknownLoc(), start, "global", name);
  tile::GlobalOp::create(builder, location, name, value, alignment, isConstant, visibility);
}

//===-- Entries (8) -------------------------------------------------------------------------===//

void ModuleReader::readFunctions() {
  Cursor cursor = input.open(SectionId::Function);
  size_t count = cursor.count("the number of functions", /*bytesEach=*/5);
  for (size_t i = 0; i < count && cursor.ok(); ++i)
    readFunction(cursor);
  // The remaining bytes are padding.
}

void ModuleReader::readFunction(Cursor &cursor) {
  uint64_t start = cursor.offset();
  StringRef name = readSymbol(cursor, "the name of a function");
  auto signature =
      types.readAs<FunctionType>(cursor, "the signature of a function", "a function type");
  if (cursor.ok())
    takeArguments(cursor, signature.getNumInputs());
  uint8_t flags = readFunctionFlags(cursor);
  DebugTable::Row locations = debugInfo.readRow(cursor);
  tile::OptimizationHintsAttr hints;
  if (input.version() >= argumentAttributesSince) {
    hints = attributes.readTaggedHints(cursor);
    if (hints && hints.getValue().empty())
      hints = {};
    attributes.readArgumentAttributes(cursor);
  } else if (flags & HasHints) {
    hints = attributes.readTaggedHints(cursor);
  }
  uint64_t length = cursor.varint("the length of a body");
  if (cursor.ok() && length > cursor.remaining())
    cursor.fail("the body of @" + name + " claims " + bytesText(length) + ", " +
                Twine(cursor.remaining()) + " remain");
  uint64_t bodyOffset = cursor.offset();
  ArrayRef<uint8_t> bytes = cursor.take(length, "the body of a function");
  if (!cursor.ok())
    return;

  Location location = locations.next();
  // An entry must not have a call site location; marking would hide one in a fused location.
  if (!isa<CallSiteLoc>(location))
    location = bodies.markPlace(location, start, "entry", name);
  auto entry = tile::EntryOp::create(builder, location, name, signature, /*arg_attrs=*/nullptr,
                                     /*res_attrs=*/nullptr, hints);
  Block &block = entry.getBody().emplaceBlock();
  for (Type input : signature.getInputs())
    block.addArgument(input, builder.getUnknownLoc());
  std::string part = (nameOf(SectionId::Function) + ", entry @" + name).str();
  Cursor body(bytes, bodyOffset, part, input.problem);
  bodies.read(body, entry, locations);
}

/// Entries may share a signature; without a bound, a small file could need memory for arguments
/// that is quadratic in its size.
void ModuleReader::takeArguments(Cursor &cursor, size_t count) {
  constexpr uint64_t perByte = 4, slack = 4096;
  arguments += count;
  if (arguments > perByte * input.file.size + slack)
    cursor.fail("the entries share signatures with so many arguments that there would be more "
                "than 4 for each byte of the file");
}

uint8_t ModuleReader::readFunctionFlags(Cursor &cursor) {
  uint8_t flags = cursor.byte("the flags of a function");
  if (!cursor.ok())
    return 0;
  bool isOnlyKernel = input.version() >= argumentAttributesSince;
  if (!(flags & IsKernel))
    cursor.fail("the function is no entry: flag 0x02 is not set");
  else if (isOnlyKernel && flags != IsKernel)
    cursor.fail("the flags of a function are 0x" + llvm::utohexstr(flags) +
                ", but in Tile IR 13.5 those of an entry are exactly 0x2");
  else if (unsigned unknown = flags & ~(IsPrivate | IsKernel | HasHints))
    cursor.fail("the function has the unknown flags 0x" + llvm::utohexstr(unknown));
  return flags;
}

//===-- The file ----------------------------------------------------------------------------===//

support::Result<OwningOpRef<tile::ModuleOp>>
bytecode::readModule(ArrayRef<uint8_t> bytes, MLIRContext *context, ReadOptions options) {
  support::Result<File> file = readFile(bytes);
  if (!file)
    return file.failure();
  context->loadDialect<tile::TileDialect>();
  Input input = {*file, context, {}};
  OwningOpRef<tile::ModuleOp> module;
  ModuleReader reader(input, options);
  if (!input.problem.found())
    module = reader.read();
  if (options.problemLocation)
    *options.problemLocation = input.problemLocation;
  if (input.problem.found())
    return input.problem.failure();
  return module;
}

StringRef bytecode::placeOf(Location location) {
  StringAttr place = tile::markedPlace(location);
  return place ? place.getValue() : StringRef();
}
