// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbol table of the parser. Blocks are nested scopes. A register range `%r<100>` is one entry:
// its registers are created when they are first named, so that a large range costs nothing; `%r` is
// none of them, and may name something else. A label may be used before it is defined, so labels
// are resolved at the end of the function.

#ifndef TILEWRIGHT_PTX_TEXT_SCOPES_H
#define TILEWRIGHT_PTX_TEXT_SCOPES_H

#include "tilewright/ptx/text/Module.h"

#include <unordered_map>

namespace tilewright::ptx {

enum class SymbolKind : uint8_t { Register, Variable, Function, Label, Labels };

struct Symbol {
  SymbolKind kind;
  uint32_t index; ///< Number of the register, variable, function, instruction or list of labels.
};

struct RegisterRange {
  uint32_t count;
  Type type;
};

class Scopes {
public:
  /// Opens the scope of the module.
  Scopes() : scopes(1) {}

  void open() {
    scopes.push_back({current, {}, {}});
    current = uint32_t(scopes.size() - 1);
  }
  void close() { current = scopes[current].parent; }
  /// Enters a closed scope again.
  void enter(uint32_t scope) { current = scope; }
  uint32_t here() const { return current; }
  bool isModule() const { return current == 0; }

  /// Returns false if the scope already has the name.
  bool declare(std::string_view name, Symbol symbol) {
    return scopes[current].symbols.emplace(name, symbol).second;
  }
  bool declareRange(std::string_view prefix, RegisterRange range) {
    return scopes[current].ranges.emplace(prefix, range).second;
  }
  const Symbol *find(std::string_view name, uint32_t from) const;
  const Symbol *find(std::string_view name) const { return find(name, current); }
  /// Finds a register. The first use of a register of a range appends it to `registers`.
  std::optional<uint32_t> findRegister(std::string_view name, std::vector<Register> &registers);

private:
  struct Scope {
    uint32_t parent = 0;
    std::unordered_map<std::string_view, Symbol> symbols;
    std::unordered_map<std::string_view, RegisterRange> ranges;
  };

  std::vector<Scope> scopes;
  uint32_t current = 0;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_SCOPES_H
