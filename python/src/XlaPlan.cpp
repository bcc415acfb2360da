// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See XlaPlan.h.

#include "XlaPlan.h"

using namespace tilewright;
using namespace tilewright::python;

namespace {
/// Reads words in order. Beyond the end it returns zeros and clears `isGood`.
class Words {
public:
  explicit Words(std::span<const int64_t> words) : words(words) {}

  int64_t next() {
    if (at < words.size())
      return words[at++];
    isGood = false;
    return 0;
  }
  /// Reads the number of the rows that follow, each of `width` words.
  size_t nextCount(size_t width) {
    const int64_t count = next();
    if (count >= 0 && uint64_t(count) <= (words.size() - at) / width)
      return size_t(count);
    isGood = false;
    return 0;
  }
  /// Whether exactly all words have been read.
  bool isRead() const { return isGood && at == words.size(); }

private:
  std::span<const int64_t> words;
  size_t at = 0;
  bool isGood = true;
};
} // namespace

static bool isValid(const XlaPlan &plan) {
  if (plan.alignment < 1)
    return false;
  for (const XlaPlan::Operand &operand : plan.operands)
    if (operand.rank < 0 || operand.elementBytes < 1 || operand.elementBytes > 8 ||
        operand.origin < XlaPlan::Operand::argument ||
        operand.origin >= int64_t(plan.operands.size()))
      return false;
  for (const XlaPlan::Parameter &parameter : plan.parameters)
    if (parameter.source < XlaPlan::Parameter::number ||
        parameter.source > XlaPlan::Parameter::numberOfOperand ||
        (parameter.source != XlaPlan::Parameter::number && parameter.value >= plan.operands.size()))
      return false;
  return true;
}

std::optional<XlaPlan> XlaPlan::read(std::span<const int64_t> all) {
  Words words(all);
  XlaPlan plan;
  for (int64_t &extent : plan.grid)
    extent = words.next();
  plan.alignment = words.next();
  plan.threads = int(words.next());
  plan.device = twDevice(words.next());
  const bool hasSeed = words.next() != 0;
  const auto seed = uint64_t(words.next());
  if (hasSeed)
    plan.seed = seed;
  plan.operands.resize(words.nextCount(3));
  for (Operand &operand : plan.operands) {
    operand.rank = words.next();
    operand.elementBytes = words.next();
    operand.origin = words.next();
  }
  plan.parameters.resize(words.nextCount(3));
  for (Parameter &parameter : plan.parameters) {
    parameter.source = Parameter::Source(words.next());
    parameter.element = twElementType(words.next());
    parameter.value = uint64_t(words.next());
  }
  if (!words.isRead() || !isValid(plan))
    return std::nullopt;
  return plan;
}
