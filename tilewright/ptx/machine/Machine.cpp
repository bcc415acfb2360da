// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of a run share: findings, and the names of CTAs.

#include "tilewright/ptx/machine/Machine.h"

using namespace tilewright::ptx;

static constexpr size_t mostFindings = 100;

void Machine::report(Finding finding) {
  for (Finding &other : findings) {
    const bool isSame =
        other.check == finding.check && other.site == finding.site &&
        other.related.size() == finding.related.size() &&
        (other.related.empty() || other.related.front().site == finding.related.front().site);
    if (isSame) {
      ++other.count;
      return;
    }
  }
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

std::array<uint32_t, 3> tilewright::ptx::coordinates(uint64_t number,
                                                     const std::array<uint32_t, 3> &extents) {
  return {uint32_t(number % extents[0]), uint32_t(number / extents[0] % extents[1]),
          uint32_t(number / extents[0] / extents[1])};
}

std::array<uint32_t, 3> Machine::indexOf(uint32_t cta) const {
  const uint32_t count = cluster[0] * cluster[1] * cluster[2];
  auto index =
      coordinates(cta / count, {grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]});
  const auto inCluster = coordinates(cta % count, cluster);
  for (size_t dim = 0; dim < 3; ++dim)
    index[dim] = index[dim] * cluster[dim] + inCluster[dim];
  return index;
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
  return "CTA (" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}
