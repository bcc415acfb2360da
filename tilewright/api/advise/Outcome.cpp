// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Outcome.h.

#include "tilewright/api/advise/Outcome.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Memory.h"

#include "llvm/Support/SHA256.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Result;

namespace {
class Key {
public:
  void add(llvm::StringRef array, int64_t index, numerics::Element value) {
    const uint64_t numbers[] = {array.size(), uint64_t(index), value.bits, value.poison};
    hash.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(numbers), sizeof(numbers)));
    hash.update(array);
  }
  std::string text() {
    const std::array<uint8_t, 32> digest = hash.final();
    return {digest.begin(), digest.end()};
  }

private:
  llvm::SHA256 hash;
};
} // namespace

Result<InitialArrays> InitialArrays::of(const std::vector<Argument> &arguments) {
  const Result<Placement> placement = Placement::of(arguments);
  if (!placement)
    return placement.failure();
  InitialArrays initial;
  for (const Placement::NamedArray &named : placement->namedArrays()) {
    const std::span<uint8_t> bytes = named.array->bytes();
    initial.arrays.push_back({named, {bytes.begin(), bytes.end()}});
  }
  llvm::sort(initial.arrays, [](const Saved &a, const Saved &b) {
    return std::tie(a.named.name, a.named.offset) < std::tie(b.named.name, b.named.offset);
  });
  return initial;
}

int64_t InitialArrays::Saved::storageBits() const {
  return numerics::info(named.array->format()).storageBits;
}

std::string InitialArrays::key() const {
  Key key;
  for (const Saved &saved : arrays) {
    const numerics::Format format = saved.named.array->format();
    const uint8_t *before = saved.bytes.data(), *now = saved.named.array->bytes().data();
    if (std::equal(saved.bytes.begin(), saved.bytes.end(), now))
      continue;
    for (int64_t i = 0; i < saved.count(); ++i)
      if (const numerics::Element value = numerics::load(now, i, format);
          value.bits != numerics::load(before, i, format).bits)
        key.add(saved.named.name, saved.first() + i, value);
  }
  return key.text();
}

/// False for globals.
bool InitialArrays::isUnchanged(const reference::ArrayElement &element) const {
  const numerics::Format format = element.value.format;
  return !element.value.poison && llvm::any_of(arrays, [&](const Saved &saved) {
    const int64_t i = element.index - saved.first();
    return saved.named.name == element.array && saved.named.array->format() == format && i >= 0 &&
           i < saved.count() &&
           numerics::load(saved.bytes.data(), i, format).bits == element.value.bits;
  });
}

std::string InitialArrays::keyOf(const reference::MemoryChange &outcome) const {
  Key key;
  for (const reference::ArrayElement &element : outcome)
    if (!isUnchanged(element))
      key.add(element.array, element.index, element.value);
  return key.text();
}

std::string api::toString(const reference::MemoryChange &outcome, size_t mostElements) {
  std::string text;
  for (const reference::ArrayElement &element : llvm::ArrayRef(outcome).take_front(mostElements))
    text += (text.empty() ? "" : ", ") + element.array + "[" + std::to_string(element.index) +
            "] = " + numerics::toString(element.value);
  if (outcome.size() > mostElements)
    text += ", and " + std::to_string(outcome.size() - mostElements) + " more elements";
  return text.empty() ? "nothing has changed" : text;
}
