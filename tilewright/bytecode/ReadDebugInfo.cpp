// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadDebugInfo.h.

#include "tilewright/bytecode/ReadDebugInfo.h"
#include "tilewright/bytecode/Tags.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

//===-- Rows --------------------------------------------------------------------------------===//

DebugTable::DebugTable(Input &input, const StringTable &strings) : input(input), strings(strings) {
  Cursor cursor = input.open(SectionId::Debug);
  if (cursor.atEnd())
    return;
  rowStarts = readNumbers<uint32_t>(cursor, "the number of rows", "the start of a row");
  references = readNumbers<uint64_t>(cursor, "the number of references", "a reference");
  referencesOffset = cursor.offset() - references.size() * sizeof(uint64_t);
  entries.read(cursor, "the number of debug attributes");
  attributes.resize(entries.size());
  sortedStarts = rowStarts;
  llvm::sort(sortedStarts);
}

DebugTable::Row DebugTable::readRow(Cursor &cursor) {
  uint64_t number = cursor.varint("the location row");
  if (!cursor.ok() || number == 0)
    return Row(*this, 0, 0, /*stored=*/false);
  if (number > rowStarts.size()) {
    cursor.fail("the location row is " + Twine(number) + ", but there are " +
                Twine(rowStarts.size()));
    return Row(*this, 0, 0, false);
  }
  // The length of a row is not stored: it must end where the next one starts.
  uint32_t begin = rowStarts[number - 1];
  auto next = llvm::upper_bound(sortedStarts, begin);
  size_t end = next == sortedStarts.end() ? references.size() : size_t(*next);
  return Row(*this, begin, std::min(end, references.size()), true);
}

Location DebugTable::Row::next() {
  if (!stored)
    return UnknownLoc::get(table.input.context);
  if (position < end)
    return table.locationOf(position++);
  table.input.problem.report(table.referencesOffset + position * sizeof(uint64_t),
                             nameOf(SectionId::Debug),
                             "a row of locations ends before the operations of its function");
  return UnknownLoc::get(table.input.context);
}

Location DebugTable::locationOf(size_t reference) {
  Location unknown = UnknownLoc::get(input.context);
  uint64_t id = references[reference];
  if (id == 0)
    return unknown;
  if (id <= attributes.size())
    if (auto known = dyn_cast_if_present<LocationAttr>(attributes[id - 1]))
      return known;
  Cursor cursor = input.open(SectionId::Debug, {}, referencesOffset + reference * sizeof(uint64_t));
  Attribute decoded = attribute(id, cursor, "a reference");
  if (auto location = dyn_cast_if_present<LocationAttr>(decoded))
    return location;
  if (decoded)
    cursor.fail("a reference is debug attribute " + Twine(id) + ", which is no location");
  return unknown;
}

//===-- Attributes --------------------------------------------------------------------------===//

namespace tilewright::bytecode {

/// Decodes one attribute.
class DebugDecoder {
public:
  DebugDecoder(DebugTable &table, size_t index)
      : table(table), context(table.input.context),
        cursor(table.input.open(SectionId::Debug, table.entries.entry(index),
                                table.entries.fileOffset(index))) {}

  Attribute decode();

private:
  Attribute decodeTag(uint64_t tag);
  Attribute compileUnit();
  Attribute file();
  Attribute lexicalBlock();
  Attribute location();
  Attribute subprogram();
  Attribute callSite();

  template <typename T> T reference(const char *what, const char *kind);
  StringAttr string(const char *what) {
    return StringAttr::get(context, table.strings.read(cursor, what));
  }

  DebugTable &table;
  MLIRContext *context;
  Cursor cursor;
};

} // namespace tilewright::bytecode

Attribute DebugTable::attribute(uint64_t id, Cursor &cursor, const char *what) {
  size_t index = id - 1;
  if (index < attributes.size() && attributes[index])
    return attributes[index];
  if (index >= attributes.size())
    cursor.fail(Twine(what) + " is debug attribute " + Twine(id) + ", but there are " +
                Twine(attributes.size()));
  else if (pending.contains(index))
    cursor.fail(Twine(what) + " is debug attribute " + Twine(id) + ", which contains itself");
  else if (pending.size() >= maxNesting)
    cursor.fail("debug attributes are nested deeper than " + Twine(maxNesting) + " levels");
  if (!cursor.ok())
    return {};
  pending.insert(index);
  attributes[index] = DebugDecoder(*this, index).decode();
  pending.erase(index);
  return attributes[index];
}

Attribute DebugDecoder::decode() {
  uint64_t tag = cursor.varint("the tag of a debug attribute");
  if (!cursor.ok())
    return {};
  Attribute attribute = decodeTag(tag);
  cursor.expectEnd("in the entry of a debug attribute");
  return cursor.ok() ? attribute : Attribute();
}

Attribute DebugDecoder::decodeTag(uint64_t tag) {
  switch (tag) {
  case uint64_t(DebugTag::Unknown):
    return UnknownLoc::get(context);
  case uint64_t(DebugTag::CompileUnit):
    return compileUnit();
  case uint64_t(DebugTag::File):
    return file();
  case uint64_t(DebugTag::LexicalBlock):
    return lexicalBlock();
  case uint64_t(DebugTag::Location):
    return location();
  case uint64_t(DebugTag::Subprogram):
    return subprogram();
  case uint64_t(DebugTag::CallSite):
    return callSite();
  default:
    cursor.fail("there is no debug attribute with tag " + Twine(tag));
    return {};
  }
}

/// Reads the id of an attribute that must be a T. Id 0 is the unknown location.
template <typename T> T DebugDecoder::reference(const char *what, const char *kind) {
  uint64_t id = cursor.varint(what);
  if (!cursor.ok())
    return {};
  Attribute referred = id == 0 ? UnknownLoc::get(context) : table.attribute(id, cursor, what);
  auto wanted = dyn_cast_if_present<T>(referred);
  if (referred && !wanted)
    cursor.fail(Twine(what) + " is debug attribute " + Twine(id) + ", which is no " + kind);
  return wanted;
}

Attribute DebugDecoder::compileUnit() {
  auto file = reference<tile::DIFileAttr>("the file of a compile unit", "file");
  return cursor.ok() ? tile::DICompileUnitAttr::get(context, file) : Attribute();
}

Attribute DebugDecoder::file() {
  StringAttr name = string("the name of a file");
  StringAttr directory = string("the directory of a file");
  return tile::DIFileAttr::get(context, name, directory);
}

Attribute DebugDecoder::lexicalBlock() {
  auto scope = reference<tile::DILocalScopeAttr>("the scope of a lexical block", "local scope");
  auto file = reference<tile::DIFileAttr>("the file of a lexical block", "file");
  uint32_t line = cursor.varint32("a line");
  uint32_t column = cursor.varint32("a column");
  return cursor.ok() ? tile::DILexicalBlockAttr::get(context, scope, file, line, column)
                     : Attribute();
}

Attribute DebugDecoder::location() {
  auto scope = reference<tile::DILocalScopeAttr>("the scope of a location", "local scope");
  StringAttr file = string("the file of a location");
  uint32_t line = cursor.varint32("a line");
  uint32_t column = cursor.varint32("a column");
  return cursor.ok() ? tile::DILocAttr::get(context, FileLineColLoc::get(file, line, column), scope)
                     : Attribute();
}

Attribute DebugDecoder::subprogram() {
  auto file = reference<tile::DIFileAttr>("the file of a subprogram", "file");
  uint32_t line = cursor.varint32("a line");
  StringAttr name = string("the name of a subprogram");
  StringAttr linkageName = string("the linkage name of a subprogram");
  auto unit =
      reference<tile::DICompileUnitAttr>("the compile unit of a subprogram", "compile unit");
  uint32_t scopeLine = cursor.varint32("a scope line");
  if (table.input.version() >= argumentAttributesSince)
    if (uint64_t flags = cursor.varint("the flags of a subprogram"))
      cursor.fail("the flags of a subprogram are " + Twine(flags) + ", but only 0 is known");
  return cursor.ok()
             ? tile::DISubprogramAttr::get(context, file, line, name, linkageName, unit, scopeLine)
             : Attribute();
}

Attribute DebugDecoder::callSite() {
  auto callee = reference<LocationAttr>("the callee of a call site", "location");
  auto caller = reference<LocationAttr>("the caller of a call site", "location");
  return cursor.ok() ? Attribute(CallSiteLoc::get(Location(callee), Location(caller)))
                     : Attribute();
}
