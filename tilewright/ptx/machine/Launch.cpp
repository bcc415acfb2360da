// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validates a launch: extents, clusters, parameters and shared memory must be as the entry allows.

#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/text/Names.h"

using namespace tilewright::ptx;

static std::string textOf(const std::array<uint32_t, 3> &extents) {
  return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
         std::to_string(extents[2]);
}

std::array<uint32_t, 3> tilewright::ptx::clusterOf(const Program &program, const Launch &launch) {
  constexpr std::array<uint32_t, 3> none = {1, 1, 1};
  return launch.cluster ? *launch.cluster : program.entry->requiredCluster.value_or(none);
}

std::array<uint32_t, 3> tilewright::ptx::gridOf(const Program &program, const Launch &launch) {
  std::array<uint32_t, 3> grid = launch.grid;
  if (program.entry->areBlocksClusters)
    for (size_t dim = 0; dim < 3; ++dim)
      grid[dim] *= clusterOf(program, launch)[dim];
  return grid;
}

bool tilewright::ptx::mayCancelClusters(const Program &program) {
  for (const Code &code : program.codes)
    if (code.function)
      for (const Instruction &instruction : code.function->body)
        if (instruction.opcode == "clusterlaunchcontrol" && !instruction.modifiers.empty() &&
            instruction.modifiers.front() == "try_cancel")
          return true;
  return false;
}

static std::optional<std::string> checkClusters(const Function &entry, const Launch &launch,
                                                const std::array<uint32_t, 3> &cluster,
                                                const std::array<uint32_t, 3> &grid) {
  const std::string name = "'" + demangled(entry.name) + "'";
  if (entry.requiredCluster && *entry.requiredCluster != cluster)
    return name + " has .reqnctapercluster " + textOf(*entry.requiredCluster) +
           ", but the cluster is " + textOf(cluster);
  if (entry.isExplicitCluster && !entry.requiredCluster && !launch.cluster)
    return name + " has .explicitcluster, but the launch has no clusters";
  uint64_t ctas = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    if (!cluster[dim] || grid[dim] % cluster[dim])
      return "the grid " + textOf(grid) + " is no multiple of the cluster " + textOf(cluster);
    ctas *= cluster[dim];
  }
  if (ctas > mostClusterCtas)
    return "a cluster has at most " + std::to_string(mostClusterCtas) + " blocks, but is " +
           textOf(cluster);
  if (entry.mostClusterCtas && ctas > *entry.mostClusterCtas)
    return name + " has .maxclusterrank " + std::to_string(*entry.mostClusterCtas) +
           ", but the cluster is " + textOf(cluster);
  return std::nullopt;
}

std::optional<std::string> tilewright::ptx::checkLaunch(const Program &program,
                                                        const Launch &launch) {
  const Function &entry = *program.entry;
  uint64_t threads = 1, ctas = 1;
  const auto cluster = clusterOf(program, launch);
  for (size_t dim = 0; dim < 3; ++dim) {
    if (!launch.block[dim] || !launch.grid[dim])
      return "the grid and the block have extents of at least 1";
    threads *= launch.block[dim];
    const uint64_t blocks = launch.grid[dim] * uint64_t(entry.areBlocksClusters ? cluster[dim] : 1);
    ctas = blocks > UINT32_MAX ? UINT64_MAX : ctas * blocks;
    if (threads > 1024)
      return "a block has at most 1024 threads, but is " + textOf(launch.block);
    if (ctas > UINT32_MAX)
      return "a grid has at most 2^32 - 1 blocks, but is " + textOf(launch.grid);
  }
  if (entry.requiredThreads && *entry.requiredThreads != launch.block)
    return "'" + demangled(entry.name) + "' has .reqntid " + textOf(*entry.requiredThreads) +
           ", but the block is " + textOf(launch.block);
  if (entry.mostThreads) {
    const auto &most = *entry.mostThreads;
    if (threads > uint64_t(most[0]) * most[1] * most[2])
      return "'" + demangled(entry.name) + "' has .maxntid " + textOf(most) +
             ", but the block is " + textOf(launch.block);
  }
  if (auto error = checkClusters(entry, launch, cluster, gridOf(program, launch)))
    return error;
  if (launch.parameters.size() != program.addresses.parameterBytes)
    return "the parameters of '" + demangled(entry.name) + "' have " +
           std::to_string(program.addresses.parameterBytes) + " bytes, but " +
           std::to_string(launch.parameters.size()) + " are given";
  if (program.code().localBytes > mostLocalBytes)
    return "a thread has at most " + std::to_string(mostLocalBytes) +
           " bytes of local memory, but '" + demangled(entry.name) + "' needs " +
           std::to_string(program.code().localBytes);
  constexpr uint64_t mostShared = 232448; // 227 KiB
  uint64_t shared = 0;
  if (__builtin_add_overflow(program.addresses.sharedBytes, launch.dynamicShared, &shared))
    shared = UINT64_MAX;
  if (shared > mostShared)
    return "a block has at most " + std::to_string(mostShared) + " bytes of shared memory, but '" +
           demangled(entry.name) + "' needs " + std::to_string(shared);
  return std::nullopt;
}
