// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a name mean? Blocks are nested scopes. A range of registers `%r<100>` is one entry: a
// register comes to be when it is first named, so that a large range costs nothing. Labels are
// known only at the end of the function: they may be used before they are defined.

#ifndef TILEWRIGHT_PTX_TEXT_SCOPES_H
#define TILEWRIGHT_PTX_TEXT_SCOPES_H

#include "tilewright/ptx/text/Module.h"

#include <unordered_map>

namespace tilewright::ptx {

enum class SymbolKind : uint8_t { Register, Range, Variable, Function, Label, Labels };

struct Symbol {
  SymbolKind kind;
  /// Of a register, variable, function, instruction or list of labels; of a range, its size.
  uint32_t index;
  Type type = Type::B32; ///< Of the registers of a range.
};

class Scopes {
public:
  /// The scope of the module is open.
  Scopes() : scopes(1) {}

  void open() {
    scopes.push_back({current, {}});
    current = uint32_t(scopes.size() - 1);
  }
  void close() { current = scopes[current].parent; }
  /// Again into a scope that was closed.
  void enter(uint32_t scope) { current = scope; }
  uint32_t here() const { return current; }
  bool isModule() const { return current == 0; }

  /// False if the scope has the name already.
  bool declare(std::string_view name, Symbol symbol) {
    return scopes[current].symbols.emplace(name, symbol).second;
  }
  const Symbol *find(std::string_view name, uint32_t from) const;
  const Symbol *find(std::string_view name) const { return find(name, current); }
  /// A register, perhaps of a range, which then joins `registers`.
  std::optional<uint32_t> findRegister(std::string_view name, std::vector<Register> &registers);

private:
  struct Scope {
    uint32_t parent = 0;
    std::unordered_map<std::string_view, Symbol> symbols;
  };

  std::vector<Scope> scopes;
  uint32_t current = 0;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_SCOPES_H
