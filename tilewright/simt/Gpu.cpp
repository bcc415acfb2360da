// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect gpu: thread ids and operations that threads execute together. The workgroup is the
// only one of its grid.

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;
using numerics::Format;
using vector::CombiningKind;

// ===-- Ids ------------------------------------------------------------------------------===//

template <typename Number>
static LogicalResult number(Machine &machine, Operation &op, bool uniform, Number number) {
  Register &result = machine.define(op.getResult(0), uniform);
  for (int64_t thread : machine.rowsOf(result))
    result.set(thread, 0, Element::integer(Format::I64, number(thread)));
  return success();
}

static LogicalResult executeThreadId(Machine &machine, gpu::ThreadIdOp op) {
  const auto &extents = machine.workgroup().threads;
  return number(machine, *op, false, [&](int64_t thread) {
    const int64_t ids[3] = {thread % extents[0], thread / extents[0] % extents[1],
                            thread / extents[0] / extents[1]};
    return ids[unsigned(op.getDimension())];
  });
}

static LogicalResult executeBlockDim(Machine &machine, gpu::BlockDimOp op) {
  return number(machine, *op, true,
                [&](int64_t) { return machine.workgroup().threads[unsigned(op.getDimension())]; });
}

/// Ids within the grid are the same for all threads.
template <typename Op, int64_t value> static LogicalResult executeFixed(Machine &machine, Op op) {
  return number(machine, *op, true, [](int64_t) { return value; });
}

static LogicalResult executeLaneId(Machine &machine, gpu::LaneIdOp op) {
  return number(machine, *op, false,
                [&](int64_t thread) { return thread % machine.workgroup().lanes; });
}

static LogicalResult executeSubgroupId(Machine &machine, gpu::SubgroupIdOp op) {
  return number(machine, *op, false,
                [&](int64_t thread) { return thread / machine.workgroup().lanes; });
}

static LogicalResult executeSubgroupSize(Machine &machine, gpu::SubgroupSizeOp op) {
  return number(machine, *op, true, [&](int64_t) { return machine.workgroup().lanes; });
}

static LogicalResult executeNumSubgroups(Machine &machine, gpu::NumSubgroupsOp op) {
  const int64_t lanes = machine.workgroup().lanes;
  return number(machine, *op, true,
                [&](int64_t) { return llvm::divideCeil(machine.threads(), lanes); });
}

// ===-- Collective operations ------------------------------------------------------------===//

static Threads allThreads(const Machine &machine) {
  Threads all;
  for (int64_t thread = 0; thread < machine.threads(); ++thread)
    all.push_back(thread);
  return all;
}

static LogicalResult executeBarrier(Machine &machine, gpu::BarrierOp op) {
  if (failed(machine.requireActive(*op, allThreads(machine), "of the workgroup")))
    return failure();
  machine.beginBarrierPhase();
  return success();
}

/// The lane from which a lane takes its value; such a lane may not exist.
static int64_t sourceLane(gpu::ShuffleMode mode, int64_t lane, int64_t offset) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return lane ^ offset;
  case gpu::ShuffleMode::DOWN:
    return lane + offset;
  case gpu::ShuffleMode::UP:
    return lane - offset;
  case gpu::ShuffleMode::IDX:
    return offset;
  }
  llvm_unreachable("all modes are listed");
}

/// The width, which must be uniform within a subgroup and at most its size.
static std::optional<int64_t> widthOf(Machine &machine, gpu::ShuffleOp op,
                                      const Threads &subgroup) {
  std::optional<int64_t> common;
  for (int64_t thread : machine.active()) {
    if (!llvm::is_contained(subgroup, thread))
      continue;
    const auto width = machine.decide(*op, thread, op.getWidth(), "the width");
    if (!width)
      return std::nullopt;
    if (*width <= 0 || *width > int64_t(subgroup.size()) || (common && *common != *width)) {
      (void)machine.stop(Check::OutOfBounds, *op,
                         formatv("thread {0} shuffles in a width of {1}; expected one width for "
                                 "all threads of a subgroup, from 1 to {2}",
                                 thread, *width, subgroup.size()),
                         {thread});
      return std::nullopt;
    }
    common = width;
  }
  return common;
}

static LogicalResult shuffle(Machine &machine, gpu::ShuffleOp op, const Threads &subgroup) {
  const std::optional<int64_t> width = widthOf(machine, op, subgroup);
  if (!width)
    return failure();
  const auto taking = ArrayRef(subgroup).take_front(*width);
  if (failed(machine.requireActive(*op, taking, "of a subgroup that shuffle")))
    return failure();
  const Register source = machine.of(op.getValue());
  Register &result = machine.define(op.getShuffleResult(), false);
  Register &valid = machine.define(op.getValid(), false);
  for (int64_t thread : machine.active()) {
    if (!llvm::is_contained(subgroup, thread))
      continue;
    const auto offset = machine.decide(*op, thread, op.getOffset(), "the offset");
    if (!offset)
      return failure();
    const int64_t lane = thread - subgroup.front();
    const int64_t from = sourceLane(op.getMode(), lane, *offset);
    const bool isValid = lane < *width && from >= 0 && from < *width;
    valid.set(thread, 0, Element::boolean(isValid));
    for (int64_t element = 0; element < result.count; ++element)
      result.set(thread, element,
                 isValid ? source.at(subgroup[from], element) : Element::poisoned(source.format));
  }
  return success();
}

static LogicalResult executeShuffle(Machine &machine, gpu::ShuffleOp op) {
  for (const Threads &subgroup : machine.activeSubgroups())
    if (failed(shuffle(machine, op, subgroup)))
      return failure();
  return success();
}

static CombiningKind kindOf(gpu::AllReduceOperation operation) {
  using O = gpu::AllReduceOperation;
  switch (operation) {
  case O::ADD:
    return CombiningKind::ADD;
  case O::MUL:
    return CombiningKind::MUL;
  case O::MINUI:
    return CombiningKind::MINUI;
  case O::MINSI:
    return CombiningKind::MINSI;
  case O::MINNUMF:
    return CombiningKind::MINNUMF;
  case O::MAXUI:
    return CombiningKind::MAXUI;
  case O::MAXSI:
    return CombiningKind::MAXSI;
  case O::MAXNUMF:
    return CombiningKind::MAXNUMF;
  case O::AND:
    return CombiningKind::AND;
  case O::OR:
    return CombiningKind::OR;
  case O::XOR:
    return CombiningKind::XOR;
  case O::MINIMUMF:
    return CombiningKind::MINIMUMF;
  case O::MAXIMUMF:
    return CombiningKind::MAXIMUMF;
  }
  llvm_unreachable("all operations are listed");
}

/// Combines the values of the cluster in ascending order of threads and gives the result to all of
/// them.
static void reduce(const Register &source, Register &result, CombiningKind kind,
                   const Threads &cluster) {
  for (int64_t element = 0; element < source.count; ++element) {
    Element total = source.at(cluster.front(), element);
    for (int64_t thread : ArrayRef(cluster).drop_front())
      total = combine(kind, total, source.at(thread, element));
    for (int64_t thread : cluster)
      result.set(thread, element, total);
  }
}

/// The groups of threads in a subgroup that are reduced together.
static std::vector<Threads> clustersOf(const Threads &subgroup, int64_t size, int64_t stride) {
  // The stride may be any number, so clusters are created only for existing threads.
  std::map<int64_t, Threads> clusters;
  for (int64_t thread : subgroup) {
    const int64_t lane = thread - subgroup.front();
    clusters[lane / (size * stride) * stride + lane % stride].push_back(thread);
  }
  std::vector<Threads> list;
  for (auto &[number, threads] : clusters)
    list.push_back(std::move(threads));
  return list;
}

static LogicalResult executeSubgroupReduce(Machine &machine, gpu::SubgroupReduceOp op) {
  const Register source = machine.of(op.getValue());
  Register &result = machine.define(op.getResult(), false);
  for (const Threads &subgroup : machine.activeSubgroups()) {
    if (failed(machine.requireActive(*op, subgroup, "of a subgroup")))
      return failure();
    const int64_t size = op.getClusterSize().value_or(subgroup.size());
    for (const Threads &cluster : clustersOf(subgroup, size, op.getClusterStride()))
      reduce(source, result, kindOf(op.getOp()), cluster);
  }
  return success();
}

static LogicalResult executeAllReduce(Machine &machine, gpu::AllReduceOp op) {
  if (!op.getOp())
    return machine.refuse(*op, "a reduction by a region cannot be executed, only one by a named "
                               "operation");
  const Threads all = allThreads(machine);
  if (failed(machine.requireActive(*op, all, "of the workgroup")))
    return failure();
  const Register source = machine.of(op.getValue());
  reduce(source, machine.define(op.getResult(), false), kindOf(*op.getOp()), all);
  return success();
}

void simt::addGpu(Table &table) {
  table.add<gpu::ThreadIdOp, executeThreadId>();
  table.add<gpu::BlockDimOp, executeBlockDim>();
  table.add<gpu::BlockIdOp, executeFixed<gpu::BlockIdOp, 0>>();
  table.add<gpu::GridDimOp, executeFixed<gpu::GridDimOp, 1>>();
  table.add<gpu::LaneIdOp, executeLaneId>();
  table.add<gpu::SubgroupIdOp, executeSubgroupId>();
  table.add<gpu::SubgroupSizeOp, executeSubgroupSize>();
  table.add<gpu::NumSubgroupsOp, executeNumSubgroups>();
  table.add<gpu::BarrierOp, executeBarrier>();
  table.add<gpu::ShuffleOp, executeShuffle>();
  table.add<gpu::SubgroupReduceOp, executeSubgroupReduce>();
  table.add<gpu::AllReduceOp, executeAllReduce>();
}
