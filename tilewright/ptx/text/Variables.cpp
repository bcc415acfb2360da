// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of variables and parameters, with initial values (PTX ISA, 5.1 to 5.4).

#include "tilewright/ptx/text/Parser.h"
#include "tilewright/ptx/text/ParserState.h"

#include <bit>

using namespace tilewright::ptx;

namespace {
/// What a declaration has before the name.
struct Form {
  Type type = Type::B8;
  uint64_t elementBytes = 0;
  uint64_t vector = 1;
  uint64_t alignment = 0;
  bool isPointer = false;
};
} // namespace

static bool parseAlignment(Cursor &cursor, uint64_t &alignment) {
  const Place place = cursor.peek().place;
  if (!cursor.expectCount(alignment, 1 << 20, "an alignment"))
    return false;
  return std::has_single_bit(alignment) ||
         cursor.refuse(place,
                       "expected a power of two as alignment, found " + std::to_string(alignment));
}

/// Skips `.attribute(.managed)`: it does not matter here where the memory is.
static bool skipAttribute(Cursor &cursor) {
  if (!cursor.expect('('))
    return false;
  for (unsigned depth = 1; depth > 0;) {
    if (cursor.atEnd())
      return cursor.refuseNext("')'");
    const Token token = cursor.next();
    depth += token.is('(') ? 1 : 0;
    depth -= token.is(')') ? 1 : 0;
  }
  return true;
}

static bool parseForm(Cursor &cursor, Form &form) {
  bool hasType = false;
  while (cursor.peek().kind == TokenKind::DotWord) {
    const Token word = cursor.next();
    if (word.text == ".align") {
      if (!parseAlignment(cursor, form.alignment))
        return false;
    } else if (word.text == ".attribute") {
      if (!skipAttribute(cursor))
        return false;
    } else if (word.text == ".ptr") {
      form.isPointer = true;
    } else if (form.isPointer && (word.text == ".global" || word.text == ".shared" ||
                                  word.text == ".const" || word.text == ".local")) {
      // the state space of a pointer is an assumption that is not needed here
    } else if (word.text == ".v2" || word.text == ".v4" || word.text == ".v8") {
      form.vector = uint64_t(word.text[2] - '0');
    } else if (const auto type = typeNamed(word.text.substr(1)); type && !hasType) {
      form.type = *type;
      hasType = true;
    } else {
      return cursor.refuse(word.place, "'" + std::string(word.text) +
                                           "' is not supported in the declaration of a variable");
    }
  }
  if (!hasType)
    return cursor.refuseNext("a type");
  form.elementBytes = bytesOf(form.type);
  if (form.isPointer) // the alignment is that of the memory it points to
    form.alignment = 0;
  return true;
}

/// Parses `[4][2]`. The first extent may be empty.
static bool parseExtents(Cursor &cursor, std::vector<uint64_t> &extents, bool &isUnsized) {
  while (cursor.accept('[')) {
    if (extents.empty() && !isUnsized && cursor.accept(']')) {
      isUnsized = true;
      continue;
    }
    uint64_t extent = 0;
    if (!cursor.expectCount(extent, mostVariableBytes, "an extent") || !cursor.expect(']'))
      return false;
    extents.push_back(extent);
  }
  return true;
}

//===-- Initial values ----------------------------------------------------------------------===//

namespace {
class Initializer {
public:
  Initializer(ParserState &state, Variable &variable, std::vector<uint64_t> rows, bool isUnsized)
      : state(state), cursor(state.cursor), variable(variable), rows(std::move(rows)),
        isUnsized(isUnsized) {}

  /// `rows[depth]` is the size in bytes of a part at this depth; the last entry is the size of an
  /// element.
  bool parse(uint64_t offset, size_t depth) {
    if (!cursor.accept('{'))
      return parseValue(offset);
    if (depth + 1 >= rows.size())
      return cursor.refuseNext("a value");
    const uint64_t limit = offset + rows[depth];
    if (cursor.accept('}'))
      return true;
    do {
      if (offset + rows[depth + 1] > limit && !variable.isExtern)
        return cursor.refuse(cursor.peek().place, "there are more values than elements");
      if (!parse(offset, depth + 1))
        return false;
      offset += rows[depth + 1];
    } while (cursor.accept(','));
    return cursor.expect('}');
  }

private:
  bool parseValue(uint64_t offset);
  bool parseAddress(uint64_t offset, std::optional<uint8_t> byte = std::nullopt);
  bool parseMaskedAddress(uint64_t offset);
  /// `x[0]` has no elements and takes no initial value.
  bool checkInside(Place place, uint64_t offset, size_t bytes) const {
    return isUnsized || offset + bytes <= variable.bytes ||
           cursor.refuse(place, "there are more values than elements");
  }
  void put(uint64_t offset, uint64_t bits, size_t bytes) {
    variable.initial.push_back({offset, uint8_t(bytes), bits});
  }

  ParserState &state;
  Cursor &cursor;
  Variable &variable;
  std::vector<uint64_t> rows;
  bool isUnsized;
};
} // namespace

/// Parses `0xFF00(x)`: one byte of an address (PTX ISA, 5.4.4).
bool Initializer::parseMaskedAddress(uint64_t offset) {
  const Token mask = cursor.next();
  const unsigned byte = unsigned(std::countr_zero(mask.bits)) / 8;
  if (byte >= 8 || mask.bits != uint64_t(0xFF) << (8 * byte))
    return cursor.refuse(mask.place, "expected a mask of one byte of an address, found '" +
                                         std::string(mask.text) + "'");
  if (bytesOf(variable.type) != 1)
    return cursor.refuse(mask.place,
                         "a byte of an address is for a variable of bytes, but the type is ." +
                             std::string(info(variable.type).name));
  cursor.next();
  if (!parseAddress(offset, uint8_t(byte)))
    return false;
  return cursor.expect(')');
}

/// Parses `x`, `x+4` or `generic(x)+4`.
bool Initializer::parseAddress(uint64_t offset, std::optional<uint8_t> byte) {
  const Place place = cursor.peek().place;
  std::string_view name;
  const bool isGeneric = cursor.peek().isName("generic") && cursor.peek(1).is('(');
  if (isGeneric) {
    cursor.next();
    cursor.next();
  }
  if (!cursor.expectName(name, "the name of a variable or function") ||
      (isGeneric && !cursor.expect(')')))
    return false;
  const Symbol *symbol = state.scopes.find(name);
  if (!symbol || (symbol->kind != SymbolKind::Variable && symbol->kind != SymbolKind::Function))
    return cursor.refuse(place, "'" + std::string(name) + "' is no variable and no function");
  if (symbol->kind == SymbolKind::Variable &&
      state.module.variables[symbol->index].space != Space::Global &&
      state.module.variables[symbol->index].space != Space::Const)
    return cursor.refuse(place, "the address of '" + std::string(name) +
                                    "' is no constant: it is not in .global or .const");
  uint64_t addend = 0;
  if ((cursor.peek().is('+') || cursor.peek().is('-')) && !cursor.expectInteger(addend))
    return false;
  const uint8_t bytes = uint8_t(bytesOf(variable.type));
  if (!byte && bytes != 4 && bytes != 8)
    return cursor.refuse(place, "a variable of type ." + std::string(info(variable.type).name) +
                                    " holds no address");
  if (!checkInside(place, offset, bytes))
    return false;
  variable.relocations.push_back(
      {offset, bytes, symbol->kind == SymbolKind::Function, symbol->index, int64_t(addend), byte});
  return true;
}

static uint64_t convertFloat(const Token &token, Type type) {
  if (type == Type::F32 && !token.isSingle)
    return std::bit_cast<uint32_t>(float(std::bit_cast<double>(token.bits)));
  if (type == Type::F64 && token.isSingle)
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(token.bits))));
  return token.bits;
}

bool Initializer::parseValue(uint64_t offset) {
  const size_t bytes = std::min<size_t>(bytesOf(variable.type), 8);
  if (cursor.peek().kind == TokenKind::Name)
    return parseAddress(offset);
  if (cursor.peek().kind == TokenKind::Integer && cursor.peek(1).is('('))
    return parseMaskedAddress(offset);
  if (!checkInside(cursor.peek().place, offset, bytes))
    return false;
  const bool isNegative = cursor.peek().is('-') && cursor.peek(1).kind == TokenKind::Float;
  if (isNegative)
    cursor.next();
  if (cursor.peek().kind == TokenKind::Float) {
    const Token token = cursor.next();
    if (variable.type != Type::F32 && variable.type != Type::F64 && variable.type != Type::B32 &&
        variable.type != Type::B64)
      return cursor.refuse(token.place, "a variable of type ." +
                                            std::string(info(variable.type).name) +
                                            " has no float as initial value");
    uint64_t bits = convertFloat(token, variable.type);
    if (isNegative)
      bits ^= uint64_t(1) << (bytes * 8 - 1);
    put(offset, bits, bytes);
    return true;
  }
  uint64_t value = 0;
  if (!cursor.expectInteger(value))
    return false;
  if (variable.type == Type::F32)
    value = std::bit_cast<uint32_t>(float(int64_t(value)));
  else if (variable.type == Type::F64)
    value = std::bit_cast<uint64_t>(double(int64_t(value)));
  put(offset, value, bytes);
  return true;
}

//===-- Declarations ------------------------------------------------------------------------===//

static bool finishVariable(ParserState &state, const Form &form, Variable &variable,
                           const std::vector<uint64_t> &extents) {
  uint64_t bytes = form.elementBytes * form.vector;
  variable.alignment = form.alignment ? form.alignment : std::max<uint64_t>(bytes, 1);
  for (uint64_t extent : extents)
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > mostVariableBytes)
      return state.cursor.refuse(variable.place,
                                 "'" + std::string(variable.name) + "' is larger than 256 MiB");
  variable.bytes = bytes;
  state.variableBytes += bytes;
  return state.variableBytes <= mostVariableBytes ||
         state.cursor.refuse(variable.place,
                             "the variables of this module are larger than 256 MiB");
}

static bool parseInitial(ParserState &state, const Form &form, Variable &variable,
                         std::vector<uint64_t> extents, bool isUnsized) {
  std::vector<uint64_t> rows = {form.elementBytes};
  if (form.vector > 1)
    rows.insert(rows.begin(), form.elementBytes * form.vector);
  for (size_t dim = extents.size(); dim-- > 0;)
    rows.insert(rows.begin(), rows.front() * extents[dim]);
  if (isUnsized)
    rows.insert(rows.begin(), mostVariableBytes - state.variableBytes);
  if (!Initializer(state, variable, rows, isUnsized).parse(0, 0))
    return false;
  if (isUnsized) {
    const uint64_t row = std::max<uint64_t>(rows[1], 1);
    uint64_t end = 0;
    for (const InitialValue &value : variable.initial)
      end = std::max(end, value.offset + value.bytes);
    for (const Relocation &relocation : variable.relocations)
      end = std::max(end, relocation.offset + relocation.bytes);
    variable.bytes = (end + row - 1) / row * row;
    state.variableBytes += variable.bytes;
  }
  return true;
}

static bool declare(ParserState &state, Variable variable) {
  const uint32_t number = uint32_t(state.module.variables.size());
  if (!state.scopes.declare(variable.name, {SymbolKind::Variable, number})) {
    const Symbol *before = state.scopes.find(variable.name);
    const bool completes =
        before->kind == SymbolKind::Variable && state.module.variables[before->index].isExtern;
    if (!completes)
      return state.cursor.refuse(variable.place,
                                 "'" + std::string(variable.name) + "' is declared twice");
    state.module.variables[before->index] = std::move(variable);
    return true;
  }
  if (!state.scopes.isModule())
    state.body().locals.push_back(number);
  state.module.variables.push_back(std::move(variable));
  return true;
}

bool tilewright::ptx::parseVariables(ParserState &state, Space space, bool isExtern) {
  Cursor &cursor = state.cursor;
  Form form;
  if (!parseForm(cursor, form))
    return false;
  do {
    Variable variable{{}, cursor.peek().place, space, form.type, 1, 0, isExtern};
    std::vector<uint64_t> extents;
    bool isUnsized = false;
    if (!cursor.expectName(variable.name, "the name of a variable"))
      return false;
    if (cursor.peek().is('<'))
      return cursor.refuse(variable.place, "a range of variables ('" + std::string(variable.name) +
                                               "<...>') is not supported");
    if (!parseExtents(cursor, extents, isUnsized) ||
        !finishVariable(state, form, variable, extents))
      return false;
    if (isUnsized)
      variable.bytes = 0;
    if (cursor.accept('=')) {
      if (!parseInitial(state, form, variable, extents, isUnsized))
        return false;
    } else if (isUnsized && !isExtern) {
      return cursor.refuse(variable.place, "'" + std::string(variable.name) +
                                               "' has no extent and no initial value");
    }
    if (!declare(state, std::move(variable)))
      return false;
  } while (cursor.accept(','));
  return cursor.expect(';');
}

bool tilewright::ptx::parseParameter(ParserState &state, uint32_t &number) {
  Cursor &cursor = state.cursor;
  Form form;
  if (!parseForm(cursor, form))
    return false;
  Variable variable{{}, cursor.peek().place, Space::Param, form.type, 1, 0};
  std::vector<uint64_t> extents;
  bool isUnsized = false;
  if (!cursor.expectName(variable.name, "the name of a parameter") ||
      !parseExtents(cursor, extents, isUnsized) || !finishVariable(state, form, variable, extents))
    return false;
  if (isUnsized)
    return cursor.refuse(variable.place, "parameter '" + std::string(variable.name) +
                                             "' of no fixed size is not supported");
  number = uint32_t(state.module.variables.size());
  if (variable.name != "_" && !state.scopes.declare(variable.name, {SymbolKind::Variable, number}))
    return cursor.refuse(variable.place, "'" + std::string(variable.name) + "' is declared twice");
  state.module.variables.push_back(std::move(variable));
  return true;
}
