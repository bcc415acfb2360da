// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Frames.h.

#include "tilewright/ptx/machine/Frames.h"
#include "tilewright/ptx/machine/TensorMemory.h"
#include "tilewright/ptx/text/Names.h"

using namespace tilewright::ptx;

static constexpr size_t mostFrames = 1024;

/// Values of the cluster's special registers. A grid without clusters has clusters of one CTA.
static uint64_t valueOfCluster(const Thread &thread, Special special) {
  const Machine &machine = *thread.machine;
  const Cluster &cluster = *thread.cta->cluster;
  const size_t dim = (unsigned(special) - unsigned(Special::ClusteridX)) % 3;
  if (special <= Special::ClusteridZ)
    return cluster.index[dim];
  if (special <= Special::NclusteridZ)
    return machine.grid[dim] / machine.cluster[dim];
  if (special <= Special::ClusterCtaidZ)
    return thread.cta->ctaid[dim] % machine.cluster[dim];
  if (special <= Special::ClusterNctaidZ)
    return machine.cluster[dim];
  if (special == Special::ClusterCtaRank)
    return thread.cta->rank;
  if (special == Special::ClusterNctaRank)
    return cluster.ctas.size();
  return machine.launch.cluster || machine.program.entry->requiredCluster;
}

static uint64_t valueOf(const Thread &thread, Special special) {
  const Launch &launch = thread.machine->launch;
  const Addresses &addresses = thread.machine->program.addresses;
  const uint32_t bit = 1u << thread.lane;
  const unsigned number = unsigned(special);
  if (special <= Special::TidZ)
    return thread.index[number];
  if (special <= Special::NtidZ)
    return launch.block[number - unsigned(Special::NtidX)];
  if (special <= Special::CtaidZ)
    return thread.cta->ctaid[number - unsigned(Special::CtaidX)];
  if (special <= Special::NctaidZ)
    return thread.machine->grid[number - unsigned(Special::NctaidX)];
  if (special >= Special::ClusteridX)
    return valueOfCluster(thread, special);
  switch (special) {
  case Special::LaneId:
    return thread.lane;
  case Special::WarpId:
    return thread.warp->number;
  case Special::NwarpId:
    return thread.cta->warps.size();
  case Special::NsmId:
    return 1;
  case Special::LanemaskEq:
    return bit;
  case Special::LanemaskLe:
    return bit | (bit - 1);
  case Special::LanemaskLt:
    return bit - 1;
  case Special::LanemaskGe:
    return uint32_t(-bit);
  case Special::LanemaskGt:
    return uint32_t(-bit) & ~bit;
  case Special::WarpSize:
    return lanesPerWarp;
  case Special::DynamicSharedSize:
    return launch.dynamicShared;
  case Special::GridWorkspaceHigh:
    return thread.machine->gridWorkspace >> 32;
  case Special::GridWorkspaceLow:
    return uint32_t(thread.machine->gridWorkspace);
  case Special::TotalSharedSize:
    return addresses.dynamicShared - firstOffset + launch.dynamicShared;
  case Special::AggregatedSharedSize:
    return (addresses.dynamicShared - firstOffset + launch.dynamicShared) *
           thread.cta->cluster->ctas.size();
  default: // numbers of the SM, grid and graph, and values set by the driver
    return 0;
  }
}

/// Sets up the last frame of the list.
static void begin(Thread &thread) {
  Frame &frame = thread.frames.back();
  const Code &code = *frame.code;
  thread.valueStack.resize(frame.values);
  thread.definedStack.resize(frame.values);
  thread.valueStack.insert(thread.valueStack.end(), code.values.begin(), code.values.end());
  thread.definedStack.insert(thread.definedStack.end(), code.defined.begin(), code.defined.end());
  thread.local.resize(frame.local); // discards what an earlier call left there
  frame.localEnd = frame.local + code.localBytes;
  thread.local.resize(frame.localEnd);
  thread.values = thread.valueStack.data() + frame.values;
  thread.defined = thread.definedStack.data() + frame.values;
  for (const auto &[slot, special] : code.specials)
    thread.values[slot] = valueOf(thread, special);
  for (const auto &[slot, offset] : code.localAddresses)
    thread.values[slot] = frame.local + offset;
  for (uint32_t slot : code.sharedAddresses)
    thread.values[slot] += sharedAddress(thread.cta->rank, 0);
  thread.code = &code;
  thread.pc = 0;
}

void tilewright::ptx::enterEntry(Thread &thread) {
  thread.frames.push_back({&thread.machine->program.code(), 0, 0, firstOffset, 0, {}});
  thread.local.first = firstOffset;
  begin(thread);
}

static void copyBytes(Region &local, uint64_t from, uint64_t to, uint64_t bytes) {
  for (uint64_t byte = 0; byte < bytes; ++byte) {
    local.store(to + byte, 1, local.load(from + byte, 1));
    local.define(to + byte, 1, local.definedAt(from + byte) & 1);
  }
}

static bool fail(Thread &thread, const Op &op, std::string message) {
  thread.machine->report(Check::OutOfBounds, thread, op, std::move(message));
  thread.machine->isStopped = true;
  return false;
}

/// Offsets in local memory of the variables whose addresses are in these slots.
static std::vector<uint64_t> offsetsOf(const Thread &thread, SlotList list) {
  std::vector<uint64_t> offsets;
  for (uint32_t part = 0; part < list.count; ++part)
    offsets.push_back(thread.values[thread.code->slots[list.first + part]] - localWindow);
  return offsets;
}

static const LocalVariable &localOf(const Code &code, uint32_t variable) {
  for (const LocalVariable &local : code.locals)
    if (local.variable == variable)
      return local;
  return code.locals.front(); // prepare() has assigned addresses to all parameters
}

/// An indirect call may reach a function whose parameters do not match the prototype.
static bool fits(const Thread &thread, const Function &callee, const Op &op) {
  return callee.parameters.size() == op.list2.count && callee.results.size() == op.list.count &&
         thread.code->function != nullptr;
}

Step tilewright::ptx::callFunction(Thread &thread, const Op &op, uint32_t number) {
  const Code &code = thread.machine->program.codes[number];
  const Function &callee = *code.function;
  const std::vector<uint64_t> arguments = offsetsOf(thread, op.list2);
  const uint64_t local = (thread.local.size() + 63) / 64 * 64;
  if (thread.frames.size() >= mostFrames || local + code.localBytes > mostLocalBytes) {
    fail(thread, op, "the calls of '" + demangled(callee.name) + "' are nested too deeply");
    return Step::Stop;
  }
  if (!fits(thread, callee, op)) {
    fail(thread, op, "'" + demangled(callee.name) + "' has other parameters than the call");
    return Step::Stop;
  }
  thread.frames.back().pc = thread.pc;
  thread.frames.push_back(
      {&code, 0, thread.valueStack.size(), local, 0, offsetsOf(thread, op.list)});
  begin(thread);
  for (size_t part = 0; part < arguments.size(); ++part) {
    const uint64_t bytes = thread.machine->program.module->variables[callee.parameters[part]].bytes;
    if (bytes > local || arguments[part] > local - bytes) {
      fail(thread, op, "an argument is smaller than the parameter");
      return Step::Stop;
    }
    copyBytes(thread.local, arguments[part], local + localOf(code, callee.parameters[part]).offset,
              bytes);
  }
  return Step::Jump;
}

Step tilewright::ptx::returnFromFunction(Thread &thread, const Op &op) {
  if (thread.frames.size() == 1)
    return Step::Exit;
  const Frame frame = thread.frames.back();
  const Function &callee = *frame.code->function;
  for (size_t part = 0; part < frame.results.size(); ++part) {
    const uint64_t bytes = thread.machine->program.module->variables[callee.results[part]].bytes;
    if (bytes > frame.local || frame.results[part] > frame.local - bytes) {
      fail(thread, op, "a result is larger than where the caller wants it");
      return Step::Stop;
    }
    copyBytes(thread.local, frame.local + localOf(*frame.code, callee.results[part]).offset,
              frame.results[part], bytes);
  }
  leaveLoads(thread);
  thread.frames.pop_back();
  const Frame &caller = thread.frames.back();
  thread.valueStack.resize(frame.values);
  thread.definedStack.resize(frame.values);
  thread.local.resize(caller.localEnd);
  thread.values = thread.valueStack.data() + caller.values;
  thread.defined = thread.definedStack.data() + caller.values;
  thread.code = caller.code;
  thread.pc = caller.pc + 1;
  return Step::Jump;
}

//===-- Allocation of local memory (alloca) -------------------------------------------------===//

std::optional<uint64_t> tilewright::ptx::allocateLocal(Thread &thread, const Op &op, uint64_t bytes,
                                                       uint64_t alignment) {
  Frame &frame = thread.frames.back();
  const uint64_t begin = (frame.localEnd + alignment - 1) / alignment * alignment;
  if (begin > mostLocalBytes || bytes > mostLocalBytes - begin) {
    fail(thread, op,
         std::to_string(bytes) + " bytes are more than is left of " +
             std::to_string(mostLocalBytes) + " bytes of local memory");
    return std::nullopt;
  }
  frame.localEnd = begin + bytes;
  thread.local.resize(frame.localEnd);
  return begin;
}

bool tilewright::ptx::restoreLocal(Thread &thread, const Op &op, uint64_t end) {
  Frame &frame = thread.frames.back();
  if (end > frame.localEnd || end < frame.local + frame.code->localBytes)
    return fail(thread, op, "what is restored was not saved by stacksave in this call");
  frame.localEnd = end;
  thread.local.resize(end);
  return true;
}
