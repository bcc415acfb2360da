// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kind.h. Opcodes missing from the table are arithmetic: of floats if a modifier is a float
// type, otherwise of integers.

#include "tilewright/ptx/watch/Kind.h"

#include <algorithm>

using namespace tilewright::ptx;

std::string_view tilewright::ptx::nameOf(Kind kind) {
  static constexpr std::string_view names[kindCount] = {
      "integer", "float", "convert", "compare", "move", "memory", "atomic",
      "control", "warp",  "matrix",  "barrier", "copy", "other"};
  return names[size_t(kind)];
}

namespace {
struct Row {
  std::string_view opcode;
  Kind kind;
};
} // namespace

static constexpr Row rows[] = {
    {"cvt", Kind::Convert},
    {"set", Kind::Compare},
    {"setp", Kind::Compare},
    {"selp", Kind::Compare},
    {"slct", Kind::Compare},
    {"testp", Kind::Compare},
    {"mov", Kind::Move},
    {"cvta", Kind::Move},
    {"mapa", Kind::Move},
    {"getctarank", Kind::Move},
    {"isspacep", Kind::Move},
    {"stacksave", Kind::Move},
    {"stackrestore", Kind::Move},
    {"alloca", Kind::Move},
    {"ld", Kind::Memory},
    {"ldu", Kind::Memory},
    {"st", Kind::Memory},
    {"atom", Kind::Atomic},
    {"red", Kind::Atomic},
    {"multimem", Kind::Atomic},
    {"bra", Kind::Control},
    {"brx", Kind::Control},
    {"call", Kind::Control},
    {"ret", Kind::Control},
    {"exit", Kind::Control},
    {"trap", Kind::Control},
    {"shfl", Kind::Warp},
    {"vote", Kind::Warp},
    {"match", Kind::Warp},
    {"redux", Kind::Warp},
    {"elect", Kind::Warp},
    {"activemask", Kind::Warp},
    {"mma", Kind::Matrix},
    {"wmma", Kind::Matrix},
    {"wgmma", Kind::Matrix},
    {"ldmatrix", Kind::Matrix},
    {"stmatrix", Kind::Matrix},
    {"movmatrix", Kind::Matrix},
    {"tcgen05", Kind::Matrix},
    {"bar", Kind::Barrier},
    {"barrier", Kind::Barrier},
    {"fence", Kind::Barrier},
    {"membar", Kind::Barrier},
    {"mbarrier", Kind::Barrier},
    {"cp", Kind::Copy},
    {"tensormap", Kind::Other},
    {"prefetch", Kind::Other},
    {"prefetchu", Kind::Other},
    {"createpolicy", Kind::Other},
    {"nanosleep", Kind::Other},
    {"brkpt", Kind::Other},
    {"pmevent", Kind::Other},
    {"griddepcontrol", Kind::Other},
    {"setmaxnreg", Kind::Other},
    {"applypriority", Kind::Other},
    {"discard", Kind::Other},
};

static bool isFloatType(std::string_view modifier) {
  static constexpr std::string_view types[] = {"f16", "f16x2", "bf16", "bf16x2",
                                               "f32", "f32x2", "f64",  "tf32"};
  return std::find(std::begin(types), std::end(types), modifier) != std::end(types);
}

Kind tilewright::ptx::kindOf(const Instruction &instruction) {
  for (const Row &row : rows)
    if (row.opcode == instruction.opcode)
      return row.kind;
  return std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(), isFloatType)
             ? Kind::Float
             : Kind::Integer;
}
