// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Parser.h. Directives (PTX ISA, 11), functions and debug information.

#include "tilewright/ptx/text/Parser.h"
#include "tilewright/ptx/text/ParserState.h"

using namespace tilewright::ptx;

//===-- Debug information -------------------------------------------------------------------===//

bool tilewright::ptx::parseFile(ParserState &state) {
  Cursor &cursor = state.cursor;
  uint64_t number = 0, unused = 0;
  if (!cursor.expectCount(number, UINT32_MAX, "the number of a file"))
    return false;
  if (cursor.peek().kind != TokenKind::String)
    return cursor.refuseNext("the name of a file");
  state.module.files.push_back({uint32_t(number), cursor.next().text});
  // Time and size, which nvcc writes.
  while (cursor.accept(','))
    if (!cursor.expectInteger(unused))
      return false;
  return true;
}

/// Parses `.loc 1 12 3, function_name $info, inlined_at 1 6 30`.
bool tilewright::ptx::parseLocation(ParserState &state) {
  Cursor &cursor = state.cursor;
  const auto numbers = [&](SourceLine &line) {
    uint64_t file = 0, number = 0, column = 0;
    const bool done = cursor.expectCount(file, UINT32_MAX, "the number of a file") &&
                      cursor.expectCount(number, UINT32_MAX, "a line") &&
                      cursor.expectCount(column, UINT32_MAX, "a column");
    line = {uint32_t(file), uint32_t(number), uint32_t(column)};
    return done;
  };
  SourceLine line;
  if (!numbers(line))
    return false;
  if (cursor.accept(',')) {
    std::string_view unused;
    uint64_t offset = 0;
    SourceLine caller;
    if (!cursor.expectName(unused, "function_name") ||
        !cursor.expectName(unused, "the label of a name") ||
        (cursor.accept('+') && !cursor.expectInteger(offset)) || !cursor.expect(',') ||
        !cursor.expectName(unused, "inlined_at") || !numbers(caller))
      return false;
    state.module.lines.push_back(caller);
    line.inlinedAt = uint32_t(state.module.lines.size());
  }
  state.module.lines.push_back(line);
  state.line = uint32_t(state.module.lines.size());
  return true;
}

bool tilewright::ptx::skipSection(ParserState &state) {
  Cursor &cursor = state.cursor;
  std::string_view name;
  if (!cursor.expectDotWord(name, "the name of a section") || !cursor.expect('{'))
    return false;
  for (unsigned depth = 1; depth > 0;) {
    if (cursor.atEnd())
      return cursor.refuseNext("'}'");
    const Token token = cursor.next();
    depth += token.is('{') ? 1 : 0;
    depth -= token.is('}') ? 1 : 0;
  }
  return true;
}

//===-- Functions ---------------------------------------------------------------------------===//

static bool parseParameters(ParserState &state, Function &function, bool isResult) {
  Cursor &cursor = state.cursor;
  std::vector<uint32_t> &parameters = isResult ? function.results : function.parameters;
  if (!cursor.expect('('))
    return false;
  if (cursor.accept(')'))
    return true;
  do {
    uint32_t number = 0;
    const bool isRegister = !function.isEntry && cursor.accept(".reg");
    if (!isRegister && !cursor.accept(".param"))
      return cursor.refuseNext(function.isEntry ? "'.param'" : "'.param' or '.reg'");
    if (isRegister ? !parseRegisterParameter(state, function, isResult, number)
                   : !parseParameter(state, number))
      return false;
    parameters.push_back(number);
  } while (cursor.accept(','));
  return cursor.expect(')');
}

bool tilewright::ptx::parseFunctionHead(ParserState &state, Function &function, bool hasName) {
  Cursor &cursor = state.cursor;
  std::string_view name;
  if (cursor.peek().is('(') && !parseParameters(state, function, /*isResult=*/true))
    return false;
  function.place = cursor.peek().place;
  if (!cursor.expectName(name, "the name of a function"))
    return false;
  if (hasName)
    function.name = name;
  return !cursor.peek().is('(') || parseParameters(state, function, /*isResult=*/false);
}

static bool parseExtents(Cursor &cursor, std::optional<std::array<uint32_t, 3>> &extents,
                         const char *what) {
  extents = {1, 1, 1};
  size_t dim = 0;
  do {
    uint64_t count = 0;
    if (dim == 3)
      return cursor.refuseNext("at most 3 extents");
    if (!cursor.expectCount(count, 1 << 20, what))
      return false;
    (*extents)[dim++] = uint32_t(count);
  } while (cursor.accept(','));
  return true;
}

/// Optimisation hints and assumptions have no effect here.
static bool isAdvice(std::string_view word) {
  return word == ".maxnctapersm" || word == ".noreturn" || word == ".abi_preserve" ||
         word == ".abi_preserve_control" || word == ".abi_preserve_after";
}

/// Directives about launch extents and register counts. Returns false if the word is none of them,
/// or if its arguments are wrong.
static bool parseExtentsOf(Cursor &cursor, std::string_view word, Function &function) {
  if (word == ".reqntid")
    return parseExtents(cursor, function.requiredThreads, "a number of threads");
  if (word == ".maxntid")
    return parseExtents(cursor, function.mostThreads, "a number of threads");
  if (word == ".reqnctapercluster")
    return parseExtents(cursor, function.requiredCluster, "a number of CTAs");
  uint64_t count = 0;
  std::optional<uint32_t> *const number = word == ".maxclusterrank" ? &function.mostClusterCtas
                                          : word == ".minnctapersm" ? &function.leastCtas
                                          : word == ".maxnreg"      ? &function.mostRegisters
                                                                    : nullptr;
  if (!number ||
      !cursor.expectCount(count, 1 << 20,
                          word == ".maxnreg" ? "a number of registers" : "a number of CTAs"))
    return false;
  *number = uint32_t(count);
  return true;
}

static std::string versionText(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

static bool parseAttributes(ParserState &state, Function &function) {
  Cursor &cursor = state.cursor;
  while (cursor.peek().kind == TokenKind::DotWord) {
    const Token word = cursor.next();
    uint64_t unused = 0;
    if (parseExtentsOf(cursor, word.text, function))
      continue;
    if (cursor.refusal())
      return false;
    if (word.text == ".explicitcluster") {
      function.isExplicitCluster = true;
    } else if (word.text == ".blocksareclusters") {
      if (state.module.version < 90)
        return cursor.refuse(word.place,
                             "'.blocksareclusters' needs PTX 9.0 or later, but the text is of " +
                                 versionText(state.module.version));
      function.areBlocksClusters = true;
    } else if (word.text == ".pragma") {
      while (cursor.peek().kind == TokenKind::String || cursor.peek().is(','))
        cursor.next();
      cursor.accept(';');
    } else {
      if (!isAdvice(word.text))
        function.requirements.push_back(word);
      if (cursor.peek().kind == TokenKind::Integer)
        do {
          if (!cursor.expectInteger(unused))
            return false;
        } while (cursor.accept(','));
    }
  }
  if (function.areBlocksClusters && !(function.requiredThreads && function.requiredCluster))
    return cursor.refuse(function.place, "'" + std::string(function.name) +
                                             "' has .blocksareclusters, and not both .reqntid and "
                                             ".reqnctapercluster");
  return true;
}

/// A function may be declared before it is defined; both have the same number.
static bool addFunction(ParserState &state, Function function) {
  const uint32_t number = uint32_t(state.module.functions.size());
  const Symbol *before = state.scopes.find(function.name);
  if (!before) {
    state.scopes.declare(function.name, {SymbolKind::Function, number});
    state.function = number;
    state.module.functions.push_back(std::move(function));
    return true;
  }
  if (before->kind != SymbolKind::Function ||
      (state.module.functions[before->index].hasBody && function.hasBody))
    return state.cursor.refuse(function.place,
                               "'" + std::string(function.name) + "' is declared twice");
  state.function = before->index;
  if (!state.module.functions[before->index].hasBody)
    state.body() = std::move(function);
  return true;
}

static bool parseFunction(ParserState &state, bool isEntry) {
  Cursor &cursor = state.cursor;
  Function function;
  function.isEntry = isEntry;
  state.scopes.open();
  if (!parseFunctionHead(state, function, /*hasName=*/true) || !parseAttributes(state, function))
    return false;
  function.hasBody = cursor.peek().is('{');
  const bool hasBody = function.hasBody;
  // The name belongs to the scope of the module, the parameters do not.
  const uint32_t inside = state.scopes.here();
  state.scopes.close();
  if (!addFunction(state, std::move(function)))
    return false;
  state.scopes.enter(inside);
  if (hasBody ? !parseBody(state) : !cursor.expect(';'))
    return false;
  state.scopes.close();
  return true;
}

//===-- The module --------------------------------------------------------------------------===//

static bool parseVersion(ParserState &state, Place place) {
  Cursor &cursor = state.cursor;
  // The lexer has read `9.0` as a float.
  const Token token = cursor.next();
  const std::string_view text = token.text;
  const bool isVersion = token.kind == TokenKind::Float && text.size() == 3 && text[1] == '.';
  if (isVersion)
    state.module.version = unsigned(text[0] - '0') * 10 + unsigned(text[2] - '0');
  if (state.module.version < 23)
    return cursor.refuse(place, "expected a version of PTX from 2.3 on, found '" +
                                    std::string(text) + "'");
  return true;
}

static bool parseTarget(ParserState &state) {
  Cursor &cursor = state.cursor;
  if (!cursor.expectName(state.module.target, "the name of a target"))
    return false;
  std::string_view option;
  while (cursor.accept(','))
    if (!cursor.expectName(option, "an option of the target"))
      return false;
  return true;
}

/// Parses `.alias a, b;`, which gives a function another name.
static bool parseAlias(ParserState &state) {
  Cursor &cursor = state.cursor;
  const Place place = cursor.peek().place;
  std::string_view alias, name;
  if (!cursor.expectName(alias, "the name of a function") || !cursor.expect(',') ||
      !cursor.expectName(name, "the name of a function"))
    return false;
  const Symbol *symbol = state.scopes.find(name), *before = state.scopes.find(alias);
  if (!symbol || symbol->kind != SymbolKind::Function)
    return cursor.refuse(place, "'" + std::string(name) + "' is no function");
  if (before &&
      (before->kind != SymbolKind::Function || state.module.functions[before->index].hasBody))
    return cursor.refuse(place, "'" + std::string(alias) + "' is declared twice");
  if (before)
    state.module.functions[before->index].alias = symbol->index;
  else
    state.scopes.declare(alias, *symbol);
  return cursor.expect(';');
}

static bool parseTop(ParserState &state) {
  Cursor &cursor = state.cursor;
  Token word = cursor.peek();
  if (word.kind != TokenKind::DotWord)
    return cursor.refuseNext("a directive");
  cursor.next();
  bool isExtern = false;
  while (word.text == ".extern" || word.text == ".visible" || word.text == ".weak" ||
         word.text == ".common") {
    isExtern |= word.text == ".extern";
    word = cursor.peek();
    cursor.next();
  }
  if (word.text == ".version")
    return parseVersion(state, word.place);
  if (word.text == ".target")
    return parseTarget(state);
  if (word.text == ".address_size") {
    uint64_t bits = 0;
    if (!cursor.expectCount(bits, 64, "a number of bits"))
      return false;
    state.module.addressBytes = unsigned(bits / 8);
    return bits == 64 || cursor.refuse(word.place, "only modules with .address_size 64 are "
                                                   "supported");
  }
  if (word.text == ".entry" || word.text == ".func")
    return parseFunction(state, word.text == ".entry");
  if (word.text == ".global")
    return parseVariables(state, Space::Global, isExtern);
  if (word.text == ".const")
    return parseVariables(state, Space::Const, isExtern);
  if (word.text == ".shared")
    return parseVariables(state, Space::Shared, isExtern);
  if (word.text == ".file")
    return parseFile(state);
  if (word.text == ".section")
    return skipSection(state);
  if (word.text == ".alias")
    return parseAlias(state);
  if (word.text == ".pragma")
    return skipPragma(cursor);
  return cursor.refuse(word.place,
                       "'" + std::string(word.text) + "' is not supported outside of a function");
}

std::variant<Module, Refusal> tilewright::ptx::parse(std::string text) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  ParserState state(readTokens(*owned));
  state.module.text = owned;
  if (!state.cursor.refusal() && !state.cursor.peek().isDot(".version"))
    state.cursor.refuseNext("'.version': a PTX text begins with it");
  while (!state.cursor.refusal() && !state.cursor.atEnd())
    if (!parseTop(state))
      break;
  if (state.cursor.refusal())
    return *state.cursor.refusal();
  if (state.module.addressBytes != 8)
    return Refusal{{1, 1}, "only modules with .address_size 64 are supported"};
  return std::move(state.module);
}
