// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by all parts of a run: findings, and the coordinates of CTAs.

#include "tilewright/ptx/machine/Machine.h"

#include <algorithm>
#include <tuple>

using namespace tilewright::ptx;

static constexpr size_t mostFindings = 100;

/// Do two instructions come from one source line, inlined at the same lines? Without source lines,
/// each instruction is a line of its own.
static bool areOfOneLine(const Module &module, Site left, Site right) {
  if (left == right)
    return true;
  const auto sourceOf = [&](Site site) {
    const std::vector<Instruction> &body = module.functions[site.function].body;
    return site.instruction < body.size() ? body[site.instruction].source : 0;
  };
  uint32_t one = sourceOf(left), other = sourceOf(right);
  const bool isKnown = one && other;
  while (one && other) {
    const SourceLine &here = module.lines[one - 1], &there = module.lines[other - 1];
    if (here.file != there.file || here.line != there.line)
      return false;
    one = here.inlinedAt;
    other = there.inlinedAt;
  }
  return isKnown && one == other;
}

/// The instruction of the finding and that of the related access.
static std::array<Site, 2> sitesOf(const Finding &finding) {
  return {finding.site, finding.related.empty() ? finding.site : finding.related.front().site};
}

/// One bug often shows at many instructions, such as those of an unrolled loop, and a race from
/// both sides.
static bool haveOneCause(const Module &module, const Finding &lhs, const Finding &rhs) {
  if (lhs.check != rhs.check || lhs.memory != rhs.memory ||
      lhs.related.empty() != rhs.related.empty())
    return false;
  const auto [here, there] = sitesOf(lhs);
  const auto [first, second] = sitesOf(rhs);
  return (areOfOneLine(module, here, first) && areOfOneLine(module, there, second)) ||
         (lhs.check == Check::Race && areOfOneLine(module, here, second) &&
          areOfOneLine(module, there, first));
}

void Machine::report(Finding finding) {
  std::array<Site, 2> sites = sitesOf(finding);
  std::ranges::sort(sites);
  for (Finding &other : findings)
    if (haveOneCause(*program.module, other, finding)) {
      ++other.count;
      other.instructions.insert(sites);
      return;
    }
  finding.instructions.insert(sites);
  if (findings.size() < mostFindings)
    findings.push_back(std::move(finding));
  else
    ++unlisted;
}

void Machine::report(Check check, const Thread &thread, const Op &op, std::string message,
                     std::vector<RelatedSite> related, std::string memory) {
  Finding finding{check, thread.site(op), std::move(message), thread.cta->index, thread.number};
  finding.related = std::move(related);
  finding.memory = std::move(memory);
  report(std::move(finding));
}

uint32_t tilewright::ptx::panelOf(const Program &program) {
  const std::string name = "tw_panel_" + std::string(program.entry->name);
  for (const Variable &variable : program.module->variables)
    if (variable.name == name && variable.space == Space::Const && variable.bytes == 4 &&
        variable.initial.size() == 1 && std::has_single_bit(variable.initial[0].bits))
      return uint32_t(variable.initial[0].bits);
  return 1;
}

std::array<uint32_t, 3> tilewright::ptx::coordinates(uint64_t number,
                                                     const std::array<uint32_t, 3> &extents) {
  return {uint32_t(number % extents[0]), uint32_t(number / extents[0] % extents[1]),
          uint32_t(number / extents[0] / extents[1])};
}

std::array<uint32_t, 3> Machine::ctaidOf(uint32_t cta) const {
  const uint32_t count = cluster[0] * cluster[1] * cluster[2];
  auto index =
      coordinates(cta / count, {grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]});
  const auto inCluster = coordinates(cta % count, cluster);
  for (size_t dim = 0; dim < 3; ++dim)
    index[dim] = index[dim] * cluster[dim] + inCluster[dim];
  return index;
}

bool Machine::areBlocksClusters() const { return program.entry->areBlocksClusters; }

std::array<uint32_t, 3> Machine::indexOf(uint32_t cta) const {
  auto [x, y, z] = ctaidOf(cta);
  std::array<uint32_t, 3> blocks = grid;
  if (areBlocksClusters()) {
    blocks = {grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]};
    std::tie(x, y, z) = std::tuple(x / cluster[0], y / cluster[1], z / cluster[2]);
  }
  constexpr uint32_t mostColumns = uint32_t(1) << 27; // wider grids are not reordered
  if (panel == 1 || blocks[0] > mostColumns)
    return {x, y, z};
  const uint32_t first = y - y % panel, rows = std::min(panel, blocks[1] - first);
  const uint64_t number = uint64_t(y - first) * blocks[0] + x;
  return {uint32_t(number / rows), first + uint32_t(number % rows), z};
}

std::optional<uint32_t> Machine::takeCluster() {
  if (nextCta >= endCta)
    return std::nullopt;
  const auto first = uint32_t(nextCta);
  nextCta += clusterSize();
  return first;
}

std::string Machine::nameOf(CtaName cta) const {
  const auto [x, y, z] = indexOf(cta.number);
  const bool isOfSeveral = areBlocksClusters() && clusterSize() > 1;
  return (isOfSeveral ? "CTA " + std::to_string(cta.rank) + " of block (" : "block (") +
         std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}
