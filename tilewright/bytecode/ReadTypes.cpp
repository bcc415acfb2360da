// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes the entries of the type section (bytecode format, 4). The types verify their parameters
// themselves; their diagnostics become the reader's error.

#include "tilewright/bytecode/Enums.h"
#include "tilewright/bytecode/Tables.h"
#include "tilewright/bytecode/Tags.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

namespace tilewright::bytecode {

/// Decodes one entry.
class TypeDecoder {
public:
  TypeDecoder(TypeTable &table, size_t index)
      : table(table), input(table.input), start(table.entries.fileOffset(index)),
        cursor(input.open(SectionId::Type, table.entries.entry(index), start)) {}

  Type decode();

private:
  Type decodeTag(uint64_t tag);
  const tile::TypeRow *rowOf(uint64_t tag);
  Type pointer();
  Type tile();
  Type tensorView();
  Type partitionView();
  Type gatherScatterView();
  Type stridedView();
  Type function();

  /// Reads the flags of a type with one optional parameter, and returns whether it is present (4,
  /// notes).
  bool optionalParameter();
  tile::TensorViewType tensorViewParameter() {
    return table.readAs<tile::TensorViewType>(cursor, "the tensor view", "a tensor_view");
  }
  tile::PaddingValueAttr padding();
  tile::PointerAttributeAttr pointerAttribute();
  Attribute member(StringRef enumName, const char *what);
  /// Reads a number per dimension.
  template <typename Number> auto numbers(const char *what) {
    uint64_t offset = cursor.offset();
    auto numbers = cursor.numbers<Number>(what);
    if (numbers.size() > maxRank)
      cursor.failAt(offset,
                    Twine(what) + " is " + Twine(numbers.size()) + ", more than " + Twine(maxRank));
    return numbers;
  }
  template <typename T, typename... Parameters> Type checked(Parameters &&...parameters);

  TypeTable &table;
  Input &input;
  uint64_t start;
  Cursor cursor;
};

} // namespace tilewright::bytecode

//===-- The table ---------------------------------------------------------------------------===//

TypeTable::TypeTable(Input &input) : input(input) {
  Cursor cursor = input.open(SectionId::Type);
  if (!cursor.atEnd())
    entries.read(cursor, "the number of types");
  types.resize(entries.size());
  spelledOut.resize(entries.size());
}

Type TypeTable::read(Cursor &cursor, const char *what) {
  uint64_t index = cursor.varint(what);
  if (!cursor.ok())
    return {};
  if (index < types.size() && types[index])
    return addPart(cursor, index);
  if (index >= types.size())
    cursor.fail(Twine(what) + " is type " + Twine(index) + ", but there are " +
                Twine(types.size()));
  else if (pending.contains(index))
    cursor.fail(Twine(what) + " is type " + Twine(index) + ", which contains itself");
  else if (pending.size() >= maxNesting)
    cursor.fail("types are nested deeper than " + Twine(maxNesting) + " levels");
  if (cursor.ok())
    decode(index);
  return cursor.ok() && types[index] ? addPart(cursor, index) : Type();
}

/// Function types can refer to one another twice, and so on: the text of such a type, in an error
/// or a listing, would be exponential in the size of the file.
Type TypeTable::addPart(Cursor &cursor, size_t part) {
  constexpr uint64_t slack = 1 << 16;
  if (!current)
    return types[part];
  spelledOut[*current] += spelledOut[part];
  if (spelledOut[*current] > input.file.size + slack)
    cursor.fail("spelled out, type " + Twine(*current) + " would be longer than the file");
  return cursor.ok() ? types[part] : Type();
}

void TypeTable::decode(size_t index) {
  pending.insert(index);
  std::optional<size_t> outer = std::exchange(current, index);
  spelledOut[index] = entries.entry(index).size();
  types[index] = TypeDecoder(*this, index).decode();
  current = outer;
  pending.erase(index);
}

void TypeTable::failClass(Cursor &cursor, const char *what, Type type, const char *expected) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  cursor.fail(Twine(what) + " is " + text + ", but must be " + expected);
}

//===-- One entry ---------------------------------------------------------------------------===//

Type TypeDecoder::decode() {
  uint64_t tag = cursor.varint("the tag of a type");
  if (!cursor.ok())
    return {};
  Type type = decodeTag(tag);
  cursor.expectEnd("in the entry of a type");
  return cursor.ok() ? type : Type();
}

/// The row of a type or element type, or null.
const tile::TypeRow *TypeDecoder::rowOf(uint64_t tag) {
  for (const tile::TypeRow &row :
       llvm::concat<const tile::TypeRow>(tile::allTypes(), tile::allElementTypes()))
    if (row.tag == tag)
      return &row;
  return nullptr;
}

Type TypeDecoder::decodeTag(uint64_t tag) {
  if (tag == functionTypeTag)
    return function();
  const tile::TypeRow *row = rowOf(tag);
  if (!row)
    cursor.fail("there is no type with tag " + Twine(tag));
  else if (row->since > input.version())
    cursor.fail("type '" + row->mnemonic + "' came with Tile IR " + row->since.str() +
                ", but the file is of version " + input.version().str());
  if (!cursor.ok())
    return {};
  if (std::optional<numerics::Format> format = numerics::formatNamed(row->mnemonic))
    return tile::typeOf(*format, input.context);
  using Decode = Type (TypeDecoder::*)();
  auto decode = llvm::StringSwitch<Decode>(row->mnemonic)
                    .Case("ptr", &TypeDecoder::pointer)
                    .Case("tile", &TypeDecoder::tile)
                    .Case("tensor_view", &TypeDecoder::tensorView)
                    .Case("partition_view", &TypeDecoder::partitionView)
                    .Case("gather_scatter_view", &TypeDecoder::gatherScatterView)
                    .Case("strided_view", &TypeDecoder::stridedView)
                    .Default(nullptr);
  return decode ? (this->*decode)() : tile::TokenType::get(input.context);
}

Type TypeDecoder::pointer() {
  bool hasAttribute = input.version() >= pointerFlagsSince && optionalParameter();
  Type pointee = table.read(cursor, "the pointee type");
  auto attribute = hasAttribute ? pointerAttribute() : tile::PointerAttributeAttr();
  return checked<tile::PointerType>(pointee, attribute);
}

Type TypeDecoder::tile() {
  Type element = table.read(cursor, "the element type");
  auto shape = numbers<int64_t>("the rank of a tile");
  return checked<tile::TileType>(ArrayRef<int64_t>(shape), element);
}

Type TypeDecoder::tensorView() {
  bool hasAttribute = input.version() >= pointerFlagsSince && optionalParameter();
  Type element = table.read(cursor, "the element type");
  auto shape = numbers<int64_t>("the rank of a tensor view");
  auto strides = numbers<int64_t>("the number of strides");
  auto attribute = hasAttribute ? pointerAttribute() : tile::PointerAttributeAttr();
  return checked<tile::TensorViewType>(input.context, element, ArrayRef<int64_t>(shape),
                                       ArrayRef<int64_t>(strides), attribute);
}

Type TypeDecoder::partitionView() {
  bool leadingFlags = input.version() >= tile::Version{13, 3};
  bool isPadded = leadingFlags && optionalParameter();
  auto tileShape = numbers<int32_t>("the rank of the tile");
  tile::TensorViewType view = tensorViewParameter();
  auto dimMap = numbers<int32_t>("the size of the dim_map");
  if (!leadingFlags)
    isPadded = cursor.byte("whether there is a padding value") != 0;
  auto value = isPadded ? padding() : tile::PaddingValueAttr();
  return checked<tile::PartitionViewType>(input.context, ArrayRef<int32_t>(tileShape), view,
                                          ArrayRef<int32_t>(dimMap), value);
}

Type TypeDecoder::gatherScatterView() {
  bool isPadded = optionalParameter();
  auto tileShape = numbers<int32_t>("the rank of the tile");
  tile::TensorViewType view = tensorViewParameter();
  uint32_t sparseDim = cursor.varint32("the sparse dimension");
  auto value = isPadded ? padding() : tile::PaddingValueAttr();
  return checked<tile::GatherScatterViewType>(input.context, ArrayRef<int32_t>(tileShape), view,
                                              sparseDim, value);
}

Type TypeDecoder::stridedView() {
  bool isPadded = optionalParameter();
  auto tileShape = numbers<int32_t>("the rank of the tile");
  auto strides = numbers<int32_t>("the number of traversal strides");
  tile::TensorViewType view = tensorViewParameter();
  auto dimMap = numbers<int32_t>("the size of the dim_map");
  auto value = isPadded ? padding() : tile::PaddingValueAttr();
  return checked<tile::StridedViewType>(input.context, ArrayRef<int32_t>(tileShape),
                                        ArrayRef<int32_t>(strides), view, ArrayRef<int32_t>(dimMap),
                                        value);
}

Type TypeDecoder::function() {
  SmallVector<Type> types[2];
  const char *counts[] = {"the number of inputs", "the number of results"};
  for (auto [list, what] : llvm::zip_equal(types, counts)) {
    size_t count = cursor.count(what);
    for (size_t i = 0; i < count && cursor.ok(); ++i)
      list.push_back(table.read(cursor, "a type of a function"));
  }
  return cursor.ok() ? FunctionType::get(input.context, types[0], types[1]) : Type();
}

//===-- Parameters --------------------------------------------------------------------------===//

bool TypeDecoder::optionalParameter() {
  uint64_t flags = cursor.varint("the flags of a type");
  if (flags > 1)
    cursor.fail("the flags of a type are " + Twine(flags) + ", but only the lowest is known");
  return flags & 1;
}

tile::PaddingValueAttr TypeDecoder::padding() {
  return dyn_cast_if_present<tile::PaddingValueAttr>(member("PaddingValue", "padding value"));
}

tile::PointerAttributeAttr TypeDecoder::pointerAttribute() {
  return dyn_cast_if_present<tile::PointerAttributeAttr>(
      member("PointerAttribute", "pointer attribute"));
}

/// Reads an enumerator; `what` names it in errors.
Attribute TypeDecoder::member(StringRef enumName, const char *what) {
  uint64_t value = cursor.varint(what);
  if (!cursor.ok())
    return {};
  const tile::MemberRow *row = findMember(enumName, value);
  if (!row)
    cursor.fail("there is no " + Twine(what) + " " + Twine(value));
  else if (row->since > input.version())
    cursor.fail(Twine(what) + " '" + row->spelling + "' came with Tile IR " + row->since.str() +
                ", but the file is of version " + input.version().str());
  return cursor.ok() ? memberAttribute(enumName, row->value, input.context) : Attribute();
}

/// Creates a T with these parameters, if they are valid.
template <typename T, typename... Parameters>
Type TypeDecoder::checked(Parameters &&...parameters) {
  if (!cursor.ok())
    return {};
  std::string refusal;
  ScopedDiagnosticHandler handler(input.context, [&](Diagnostic &diagnostic) {
    refusal = diagnostic.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(input.context)); };
  if (Type type = T::getChecked(emitError, std::forward<Parameters>(parameters)...))
    return type;
  cursor.failAt(start, refusal);
  return {};
}
