// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parsed PTX module: variables in the state spaces, and functions whose bodies are lists of
// instructions. Names are resolved: an operand refers to a register, variable, function or
// instruction by number. The meaning of instructions is not part of the module.

#ifndef TILEWRIGHT_PTX_TEXT_MODULE_H
#define TILEWRIGHT_PTX_TEXT_MODULE_H

#include "tilewright/ptx/text/Lexer.h"
#include "tilewright/ptx/text/Type.h"

#include <algorithm>
#include <array>
#include <memory>

namespace tilewright::ptx {

/// `Cluster` is `.shared::cluster`, the shared memory of all CTAs of a cluster.
enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param, Cluster };

/// `.global`; generic addresses have no word.
std::string_view nameOf(Space space);

/// An address in the initial value of a variable.
struct Relocation {
  uint64_t offset;
  uint8_t bytes;
  bool isFunction;
  uint32_t target; ///< Number of a variable or function.
  int64_t addend;
  /// For `0xFF00(x)`: the selected byte of the address.
  std::optional<uint8_t> byte = std::nullopt;
};

struct InitialValue {
  uint64_t offset;
  uint8_t bytes;
  uint64_t bits;
};

struct Variable {
  std::string_view name;
  Place place;
  Space space;
  Type type;
  uint64_t alignment;
  /// Size of all elements together; 0 for `.extern .shared x[]`.
  uint64_t bytes;
  bool isExtern = false;
  /// All other bytes are zero.
  std::vector<InitialValue> initial = {};
  std::vector<Relocation> relocations = {};
};

struct Register {
  std::string_view name; ///< `%r` for a register of the range `%r<9>`.
  Type type;
  std::optional<uint32_t> number = std::nullopt; ///< Number within its range.
};

std::string toString(const Register &reg);

enum class OperandKind : uint8_t {
  Register,
  Integer,
  Float,
  Variable,
  Function,
  Label,   ///< `index` is an instruction.
  Labels,  ///< `.branchtargets`: `index` into Function::labels.
  Special, ///< `name` is `%tid.x`.
  Address, ///< `[x + offset]`; `parts` has x, or is empty; for `[map, {x}]` also the vector.
  Vector,  ///< `{a, b}`
  List,    ///< `(a, b)` in a call.
  Pair,    ///< `p|q`
  Sink,    ///< `_`
};

struct Operand {
  OperandKind kind;
  Place place = {};
  uint32_t index = 0; ///< Number of the register, variable, function or instruction.
  /// The value of an integer; the bits of a float, as in Token; otherwise the offset of an address.
  uint64_t bits = 0;
  bool isSingle = false;
  bool isNegated = false; ///< `!p`, and `-a` of vmad.
  std::string_view name = {};
  std::string_view part = {}; ///< Part of a register: `h1`, `b3210`.
  std::vector<Operand> parts = {};
};

struct SourceLine {
  uint32_t file = 0, line = 0, column = 0;
  /// Index of the line where this one was inlined, plus 1.
  uint32_t inlinedAt = 0;
};

struct Instruction {
  Place place;
  std::string_view opcode;                      ///< `ld`
  std::vector<std::string_view> modifiers = {}; ///< `global`, `f32`: without dots.
  std::vector<Operand> operands;
  std::optional<Operand> guard = std::nullopt;
  uint32_t source = 0; ///< Index into Module::lines, plus 1.
};

/// `ld.global.f32`
std::string spell(const Instruction &instruction);

struct Function {
  std::string_view name;
  Place place;
  bool isEntry = false;
  bool hasBody = false;
  std::optional<uint32_t> alias = std::nullopt; ///< The function that this name is an alias of.
  std::vector<uint32_t> results, parameters;    ///< Numbers of variables.
  std::vector<uint32_t> locals;                 ///< Variables declared in the body.
  /// Register parameters, as pairs of variable and register.
  std::vector<std::pair<uint32_t, uint32_t>> registerResults, registerParameters;
  std::vector<Register> registers;
  std::vector<Instruction> body;
  /// The label lists of `.branchtargets`.
  std::vector<std::vector<Operand>> labels;
  std::optional<std::array<uint32_t, 3>> requiredThreads, mostThreads;
  /// Extents of a cluster, and the maximum number of its CTAs.
  std::optional<std::array<uint32_t, 3>> requiredCluster;
  std::optional<uint32_t> mostClusterCtas;
  /// Registers per thread, and CTAs per multiprocessor.
  std::optional<uint32_t> mostRegisters, leastCtas;
  /// Every launch has clusters (`.explicitcluster`).
  bool isExplicitCluster = false;
  /// The grid of a launch counts clusters (`.blocksareclusters`).
  bool areBlocksClusters = false;
  /// Directives that require features the machine may not have.
  std::vector<Token> requirements;
};

struct Module {
  /// All names point into this text.
  std::shared_ptr<const std::string> text;
  unsigned version = 0; ///< 74 for 7.4
  std::string_view target;
  unsigned addressBytes = 4;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::pair<uint32_t, std::string_view>> files;
  std::vector<SourceLine> lines;

  const Function *find(std::string_view name) const;
  /// The number of the function that `function` is an alias of, or `function` itself.
  uint32_t resolve(uint32_t function) const { return functions[function].alias.value_or(function); }
  /// The file name that `.file` gave to this number; empty if there is none.
  std::string_view fileName(uint32_t number) const;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_MODULE_H
