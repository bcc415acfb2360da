// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoded instruction: a handler function and the slots of its operands; everything else was
// decided when it was decoded. A thread's frame has a slot for each register, constant and special
// register of the function, so that all operands are read the same way.

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
  /// The handler set the program counter.
  Jump,
  /// The thread waits; whatever wakes it moves the program counter.
  Wait,
  Exit,
  /// The run ends; a finding gives the reason.
  Stop,
};

using Handler = Step (*)(Thread &, const Op &);
/// Executes an instruction for all threads that arrived at it together. `lanes` has a bit per lane.
using Collective = bool (*)(Warp &, uint32_t lanes);

inline constexpr uint32_t noSlot = UINT32_MAX;

/// The slots of one or more operands: a vector, a fragment.
struct SlotList {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct Op {
  Handler run = nullptr;
  Collective collective = nullptr;
  uint32_t guard = noSlot;
  bool isGuardNegated = false;
  /// The op may use registers of a pending wgmma, or its lists do not contain slots.
  bool mayUsePending = false;
  /// `bytes` is the size of an element in memory, `width` that of the destination register.
  uint8_t bytes = 0, width = 0;
  Space space = Space::Generic;
  /// Rounding, comparison, scope, ...: each family of instructions defines its own bits.
  uint32_t mode = 0;
  uint32_t d = noSlot, d2 = noSlot;
  uint32_t in[4] = {noSlot, noSlot, noSlot, noSlot};
  SlotList list, list2, list3, list4;
  int64_t offset = 0;
  /// The op that a branch jumps to, or the function that a call calls.
  uint32_t target = 0;
  /// Index in the body of the function; the implicit return has the index one past the end.
  uint32_t instruction = 0;
};

/// Registers whose value does not change during the life of a thread.
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
  /// %envreg1 and %envreg2, where the CUDA runtime passes the address of the grid barrier's
  /// workspace.
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

/// A variable of a function, with its offset in the function's part of local memory.
struct LocalVariable {
  uint32_t variable;
  uint64_t offset;
};

/// The decoded form of a function.
struct Code {
  const Function *function = nullptr;
  uint32_t number = 0; ///< Number of the function in its module.
  std::vector<Op> ops;
  std::vector<uint32_t> slots; ///< Contents of the slot lists of all ops.
  /// The `.branchtargets` lists that branches use, by number; each is stored once.
  std::map<uint32_t, SlotList> labels;
  /// Initial contents of a frame: constants, and undefined zeros for registers.
  std::vector<uint64_t> values;
  std::vector<uint8_t> defined;
  std::vector<std::pair<uint32_t, Special>> specials;
  /// Slots that hold addresses of local variables, with the offset from the start of the frame's
  /// local memory.
  std::vector<std::pair<uint32_t, uint64_t>> localAddresses;
  /// Slots that hold addresses of shared variables, in the CTA of rank 0.
  std::vector<uint32_t> sharedAddresses;
  std::vector<LocalVariable> locals;
  uint64_t localBytes = 0;
  /// Functions that this one calls or takes the address of.
  std::vector<uint32_t> calls;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_CODE_OP_H
