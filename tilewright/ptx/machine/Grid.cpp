// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Grid.h.

#include "tilewright/ptx/machine/Grid.h"
#include "tilewright/ptx/async/RegisterCounts.h"
#include "tilewright/ptx/machine/Frames.h"
#include "tilewright/ptx/text/Names.h"

#include <algorithm>

using namespace tilewright::ptx;

static std::unique_ptr<Region> makeShared(const Machine &machine) {
  const Program &program = machine.program;
  const Addresses &addresses = program.addresses;
  auto region = std::make_unique<Region>("shared memory", Space::Shared, 0,
                                         addresses.dynamicShared + machine.launch.dynamicShared);
  region->first = firstOffset;
  for (size_t number = 0; number < program.module->variables.size(); ++number) {
    const Variable &variable = program.module->variables[number];
    const uint64_t begin = addresses.ofVariable[number];
    if (variable.space == Space::Shared && begin && variable.bytes)
      region->parts.push_back(
          {begin, begin + variable.bytes, "shared variable '" + demangled(variable.name) + "'"});
  }
  const bool hasDynamic =
      std::ranges::any_of(program.module->variables, [](const Variable &variable) {
        return variable.space == Space::Shared && variable.isExtern;
      });
  if (hasDynamic || machine.launch.dynamicShared)
    region->parts.push_back({addresses.dynamicShared, region->size(), "dynamic shared memory"});
  return region;
}

static std::unique_ptr<Cta> makeCta(Machine &machine, uint32_t number,
                                    const std::shared_ptr<Cluster> &cluster) {
  auto cta = std::make_unique<Cta>();
  cta->cluster = cluster;
  cta->rank = uint32_t(cluster->ctas.size());
  cluster->ctas.push_back(cta.get());
  const auto &block = machine.launch.block;
  const uint32_t count = block[0] * block[1] * block[2];
  cta->machine = &machine;
  cta->number = number;
  cta->ctaid = machine.ctaidOf(number);
  cta->index = machine.indexOf(number);
  cta->aliveThreads = count;
  cta->shared = makeShared(machine);
  cta->shared->cta = cta->name();
  cluster->aliveThreads += count;
  cta->warps.resize((count + lanesPerWarp - 1) / lanesPerWarp);
  const uint32_t registers = registersAtEntry(*machine.program.entry);
  for (uint32_t at = 0; at < count; ++at) {
    Warp &warp = cta->warps[at / lanesPerWarp];
    auto thread = std::make_unique<Thread>();
    thread->machine = &machine;
    thread->cta = cta.get();
    thread->warp = &warp;
    thread->lane = at % lanesPerWarp;
    thread->number = at;
    thread->index = coordinates(at, block);
    warp.cta = cta.get();
    warp.registers = registers;
    warp.number = at / lanesPerWarp;
    warp.threads.push_back(thread.get());
    cta->threads.push_back(std::move(thread));
  }
  return cta;
}

void tilewright::ptx::makeCluster(Machine &machine, uint32_t first, Ctas &ctas) {
  auto cluster = std::make_shared<Cluster>();
  const auto &extents = machine.cluster;
  const uint32_t count = extents[0] * extents[1] * extents[2];
  const auto &grid = machine.grid;
  cluster->index = coordinates(first / count,
                               {grid[0] / extents[0], grid[1] / extents[1], grid[2] / extents[2]});
  for (uint32_t rank = 0; rank < count; ++rank)
    ctas.push_back(makeCta(machine, first + rank, cluster));
  for (Cta *cta : cluster->ctas)
    for (auto &thread : cta->threads)
      enterEntry(*thread);
}
