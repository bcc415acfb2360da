// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of an instruction when it executes? A function, and the slots of its operands.
// Everything else was decided when it was decoded. A frame of a thread has a slot for each
// register, constant and special register of its function, so all operands are read the same way.

#ifndef TILEWRIGHT_PTX_CODE_OP_H
#define TILEWRIGHT_PTX_CODE_OP_H

#include "tilewright/ptx/text/Module.h"

#include <map>

namespace tilewright::ptx {

struct Thread;
struct Warp;
struct Op;
struct Code;

enum class Step : uint8_t {
  Next,
  /// The instruction set the program counter.
  Jump,
  /// The thread waits; what it waits for moves it on.
  Wait,
  Exit,
  /// The run ends: a finding says why.
  Stop,
};

using Handler = Step (*)(Thread &, const Op &);
/// Executes an instruction for threads that arrived at it together: a bit per lane.
using Collective = bool (*)(Warp &, uint32_t lanes);

inline constexpr uint32_t noSlot = UINT32_MAX;

/// Slots that belong to one operand or more: a vector, a fragment.
struct SlotList {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct Op {
  Handler run = nullptr;
  Collective together = nullptr;
  uint32_t guard = noSlot;
  bool isGuardNegated = false;
  /// It may use registers of a wgmma that nobody has waited for; or its lists are none of slots.
  bool mayUsePending = false;
  /// Of an element in memory; of the register that is written.
  uint8_t bytes = 0, width = 0;
  Space space = Space::Generic;
  /// Rounding, comparison, scope ...: each family has its own bits.
  uint32_t mode = 0;
  uint32_t d = noSlot, d2 = noSlot;
  uint32_t in[4] = {noSlot, noSlot, noSlot, noSlot};
  SlotList list, list2, list3, list4;
  int64_t offset = 0;
  /// Of a branch: an op; of a call: a function.
  uint32_t target = 0;
  /// In the body of the function; one past the end for the return that ends it.
  uint32_t instruction = 0;
};

/// Registers whose value is fixed while the thread lives.
enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  WarpSize,
  DynamicSharedSize,
  TotalSharedSize,
  /// %envreg1 and %envreg2, where the CUDA runtime has the address of what the barrier of a grid
  /// needs.
  GridWorkspaceHigh,
  GridWorkspaceLow,
  Zero,
  AggregatedSharedSize,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  NclusteridX,
  NclusteridY,
  NclusteridZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtaRank,
  ClusterNctaRank,
  IsExplicitCluster,
};

/// Where a variable of a function is: from the beginning of its part of local memory.
struct LocalVariable {
  uint32_t variable;
  uint64_t offset;
};

/// A function that can execute.
struct Code {
  const Function *function = nullptr;
  uint32_t number = 0; ///< Of the function in its module.
  std::vector<Op> ops;
  std::vector<uint32_t> slots; ///< What the lists of ops have.
  /// The lists of labels that branches use, by number: each is there once.
  std::map<uint32_t, SlotList> labels;
  /// The frame at the beginning: constants, and zeros that are not defined.
  std::vector<uint64_t> values;
  std::vector<uint8_t> defined;
  std::vector<std::pair<uint32_t, Special>> specials;
  /// Slots of addresses of local variables: what to add to where the frame's memory begins.
  std::vector<std::pair<uint32_t, uint64_t>> localAddresses;
  std::vector<LocalVariable> locals;
  uint64_t localBytes = 0;
  /// Functions that it calls, or whose address it takes.
  std::vector<uint32_t> calls;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_OP_H
