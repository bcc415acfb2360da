// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a PTX text say? A module: variables in the state spaces, and functions whose bodies
// are lists of instructions. Names are resolved: an operand is a register, a variable, a function
// or an instruction by number. What instructions mean, only the machine knows.

#ifndef TILEWRIGHT_PTX_TEXT_MODULE_H
#define TILEWRIGHT_PTX_TEXT_MODULE_H

#include "tilewright/ptx/text/Lexer.h"
#include "tilewright/ptx/text/Type.h"

#include <algorithm>
#include <array>
#include <memory>

namespace tilewright::ptx {

/// `Cluster` is the shared memory of all CTAs of a cluster, `.shared::cluster`.
enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param, Cluster };

/// `.global`; `generic` has no word.
std::string_view nameOf(Space space);

/// An address of something in the bytes of a variable that is initialised.
struct Relocation {
  uint64_t offset;
  uint8_t bytes;
  bool isFunction;
  uint32_t target; ///< Number of a variable or function.
  int64_t addend;
  /// Of `0xFF00(x)`: which byte of the address it is.
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
  /// Of all elements; 0 for `.extern .shared x[]`.
  uint64_t bytes;
  bool isExtern = false;
  /// All else is zero.
  std::vector<InitialValue> initial = {};
  std::vector<Relocation> relocations = {};
};

struct Register {
  std::string_view name; ///< Of a range `%r<9>`: `%r`.
  Type type;
  std::optional<uint32_t> number = std::nullopt; ///< In its range.
};

std::string toString(const Register &reg);

enum class OperandKind : uint8_t {
  Register,
  Integer,
  Float,
  Variable,
  Function,
  Label,   ///< `index` is that of an instruction.
  Labels,  ///< Of `.branchtargets`: `index` into Function::labels.
  Special, ///< `%tid.x`, in `name`.
  Address, ///< `[x + offset]`; `parts` has x, or is empty; for `[map, {x}]` also the vector.
  Vector,  ///< `{a, b}`
  List,    ///< `(a, b)` of a call.
  Pair,    ///< `p|q`
  Sink,    ///< `_`
};

struct Operand {
  OperandKind kind;
  Place place = {};
  uint32_t index = 0; ///< Of a register, variable, function or instruction.
  /// Of an integer; of a float as in Token; else what is added to the address.
  uint64_t bits = 0;
  bool isSingle = false;
  bool isNegated = false; ///< `!p`, and `-a` of vmad.
  std::string_view name = {};
  std::string_view part = {}; ///< Of a register: `h1`, `b3210`.
  std::vector<Operand> parts = {};
};

struct SourceLine {
  uint32_t file = 0, line = 0, column = 0;
  /// Index of the line that this one was inlined at, plus 1.
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
  std::optional<uint32_t> alias = std::nullopt; ///< The function that this is another name of.
  std::vector<uint32_t> results, parameters;    ///< Numbers of variables.
  std::vector<uint32_t> locals;                 ///< Variables that a body declares.
  /// Of parameters in registers: the variable, and the register.
  std::vector<std::pair<uint32_t, uint32_t>> registerResults, registerParameters;
  std::vector<Register> registers;
  std::vector<Instruction> body;
  /// Of `.branchtargets`: labels.
  std::vector<std::vector<Operand>> labels;
  std::optional<std::array<uint32_t, 3>> requiredThreads, mostThreads;
  /// CTAs of a cluster, and the most of them.
  std::optional<std::array<uint32_t, 3>> requiredCluster;
  std::optional<uint32_t> mostClusterCtas;
  /// Of a thread; and CTAs of a multiprocessor.
  std::optional<uint32_t> mostRegisters, leastCtas;
  /// It is only launched with clusters.
  bool isExplicitCluster = false;
  /// The grid of a launch counts clusters.
  bool areBlocksClusters = false;
  /// Directives that ask for what the machine may not have.
  std::vector<Token> requirements;
};

struct Module {
  /// What all names point into.
  std::shared_ptr<const std::string> text;
  unsigned version = 0; ///< 74 for 7.4
  std::string_view target;
  unsigned addressBytes = 4;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::pair<uint32_t, std::string_view>> files;
  std::vector<SourceLine> lines;

  const Function *find(std::string_view name) const;
  /// The number of the function itself, if this is the number of an alias.
  uint32_t resolve(uint32_t function) const { return functions[function].alias.value_or(function); }
  /// The name of a file of `.file`; empty if there is none.
  std::string_view fileName(uint32_t number) const;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_MODULE_H
