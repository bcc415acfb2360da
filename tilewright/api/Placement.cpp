// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Placement.h.

#include "tilewright/api/Placement.h"

#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cstring>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
using numerics::Format;
using support::Failure;
using support::Result;

//===-- Overlapping arrays ------------------------------------------------------------------===//

/// Adds an array and those that it links to. Returns its index. An array without a name gets the
/// label.
size_t Placement::place(const Array &array, size_t argument, std::string label, bool isNamed) {
  const size_t number = arrays.size();
  if (!array.name.empty())
    label = array.name;
  isNamed |= !array.name.empty();
  arrays.push_back({&array, argument, label, isNamed});
  for (const Link &link : array.links()) {
    const size_t target =
        place(link.target, argument, label + "[" + std::to_string(link.element) + "]", isNamed);
    arrays[number].targets.push_back(target);
  }
  return number;
}

void Placement::join(Region &region, size_t number) {
  const std::span<uint8_t> bytes = arrays[number].array->bytes();
  const size_t end = bytes.data() + bytes.size() - region.bytes.data();
  region.bytes = {region.bytes.data(), std::max(region.bytes.size(), end)};
  region.members.push_back(number);
}

/// Visits the arrays in the order of their addresses: an array that begins before the end of a
/// region joins it. An array without elements overlaps nothing.
void Placement::findRegions() {
  std::vector<size_t> order(arrays.size());
  for (size_t number = 0; number < order.size(); ++number)
    order[number] = number;
  const auto key = [&](size_t number) {
    return std::pair(uintptr_t(arrays[number].array->bytes().data()), number);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return key(a) < key(b); });
  std::optional<size_t> last; // the last region that has bytes
  for (size_t number : order) {
    const std::span<uint8_t> bytes = arrays[number].array->bytes();
    const bool isApart = !last || bytes.empty() ||
                         bytes.data() >= regions[*last].bytes.data() + regions[*last].bytes.size();
    if (isApart)
      regions.push_back({{bytes.data(), size_t(0)}});
    if (!bytes.empty() && isApart)
      last = regions.size() - 1;
    arrays[number].region = isApart ? regions.size() - 1 : *last;
    join(regions[arrays[number].region], number);
  }
  for (Region &region : regions)
    llvm::sort(region.members);
}

/// `parameters 1, 2 and 3[5]` or `array x and parameter 2`; names only the first few of many. With
/// types, `array x (4xf32)`.
std::string Placement::namesOf(std::span<const size_t> numbers, bool withTypes) const {
  constexpr size_t most = 4;
  const size_t count = numbers.size(), shown = count <= most ? count : most - 1;
  const bool haveNames =
      llvm::any_of(numbers, [&](size_t number) { return arrays[number].isNamed; });
  const std::string numbered = "parameter ";
  std::string text = haveNames ? "" : count == 1 ? numbered : "parameters ";
  for (size_t i = 0; i < shown; ++i) {
    const Placed &placed = arrays[numbers[i]];
    text += i == 0 ? "" : i + 1 == count ? " and " : ", ";
    text += (haveNames && !placed.isNamed ? numbered : "") + placed.label;
    if (withTypes)
      text += " (" + toString(*placed.array) + ")";
  }
  return shown == count ? text : text + " and " + std::to_string(count - shown) + " more";
}

//===-- Verification ------------------------------------------------------------------------===//

Result<void> Placement::verify(const Region &region) const {
  const size_t first = region.members.front();
  for (size_t number : region.members)
    if (arrays[number].array->isInitialised != arrays[first].array->isInitialised)
      return Failure{namesOf(std::array{first, number}, /*withTypes=*/false) +
                     ": these arrays overlap, but only one of them is initialised; only device "
                     "cpu accepts that"};
  return {};
}

Result<Placement> Placement::of(std::span<const Argument> arguments) {
  Placement placement(arguments);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const std::string label = std::to_string(i + 1);
    if (const auto *array = std::get_if<Array>(&argument))
      placement.place(*array, i, label);
    if (const auto *multicast = std::get_if<Multicast>(&argument))
      for (auto [number, copy] : llvm::enumerate(multicast->copies))
        placement.place(copy, i, label + ", copy " + std::to_string(number));
  }
  placement.findRegions();
  for (const Region &region : placement.regions)
    if (Result<void> verified = placement.verify(region); !verified)
      return verified.failure();
  return placement;
}

//===-- Binding -----------------------------------------------------------------------------===//

bool Placement::hasAddresses(const Region &region) const {
  return llvm::any_of(region.members,
                      [&](size_t number) { return !arrays[number].targets.empty(); });
}

/// `parameter 2 (4x8xf32)`, `parameters 1 and 2 (16xf32)`, or for arrays that differ
/// `parameters 1 (16xf32) and 3 (8xi64)`.
std::string Placement::nameOf(const Region &region) const {
  const Array &first = *arrays[region.members.front()].array;
  const bool areAlike = llvm::all_of(region.members, [&](size_t number) {
    const Array &array = *arrays[number].array;
    return array.bytes().data() == first.bytes().data() && toString(array) == toString(first);
  });
  if (!areAlike)
    return namesOf(region.members, /*withTypes=*/true);
  return namesOf(region.members, /*withTypes=*/false) + " (" + toString(first) + ")";
}

std::vector<Placement::NamedArray> Placement::namedArrays() const {
  std::vector<NamedArray> named;
  for (const Placed &placed : arrays) {
    const Region &region = regions[placed.region];
    named.push_back({placed.array, placed.argument, nameOf(region),
                     uint64_t(placed.array->bytes().data() - region.bytes.data())});
  }
  return named;
}

/// Keeps the address as misaligned as on the host, so that assumptions about alignment are true on
/// the machine only if they are on the host. A single array keeps its alignment up to 16 bytes,
/// since more is accidental on a host; overlapping arrays keep theirs up to 256 bytes.
reference::HostMemory Placement::describe(const Region &region) const {
  const Array &first = *arrays[region.members.front()].array;
  reference::HostMemory memory{nameOf(region), first.format(), region.bytes, first.isInitialised};
  bool isAlone = true;
  for (size_t number : region.members) {
    memory.isMixed |= arrays[number].array->format() != first.format();
    isAlone &= arrays[number].array->bytes().data() == region.bytes.data();
  }
  memory.misalignment = uintptr_t(region.bytes.data()) % (isAlone ? 16 : 256);
  return memory;
}

uint64_t Placement::addressOf(size_t number) const {
  const Region &region = regions[arrays[number].region];
  return region.address + (arrays[number].array->bytes().data() - region.bytes.data());
}

/// Where the address is in the copy.
uint8_t *Placement::placeOf(const Link &link, size_t number) {
  Region &region = regions[arrays[number].region];
  return region.copy.data() + (arrays[number].array->bytes().data() - region.bytes.data()) +
         link.element * sizeof(uint64_t);
}

void Placement::writeAddresses() {
  for (auto [number, placed] : llvm::enumerate(arrays))
    for (auto [link, target] : llvm::zip_equal(placed.array->links(), placed.targets)) {
      const uint64_t address = addressOf(target);
      std::memcpy(placeOf(link, number), &address, sizeof address);
    }
}

Result<void> Placement::verify(std::span<const Argument> arguments) {
  if (Result<Placement> placed = of(arguments); !placed)
    return placed.failure();
  return {};
}

std::vector<Element> Placement::bind(reference::Machine &machine) {
  bindRegions([&](reference::HostMemory memory) { return machine.bind(std::move(memory)); });
  return parameters(&machine);
}

std::vector<Element> Placement::bind(BindMemory bindMemory) {
  bindRegions(bindMemory);
  return parameters(nullptr);
}

void Placement::bindRegions(BindMemory bindMemory) {
  // In the order of parameters, so that machine addresses do not depend on host addresses.
  for (Placed &placed : arrays) {
    Region &region = regions[placed.region];
    if (region.address)
      continue;
    reference::HostMemory memory = describe(region);
    if (hasAddresses(region)) {
      region.copy.assign(region.bytes.begin(), region.bytes.end());
      memory.bytes = region.copy;
    }
    region.address = bindMemory(std::move(memory));
  }
  writeAddresses();
  for (Region &region : regions)
    region.before = region.copy;
}

std::vector<Element> Placement::parameters(reference::Machine *machine) {
  std::vector<Element> elements;
  size_t number = 0;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const auto *array = std::get_if<Array>(&argument);
    const auto *multicast = std::get_if<Multicast>(&argument);
    if (const auto *address = std::get_if<Address>(&argument)) {
      const auto bits = reinterpret_cast<uintptr_t>(address->data);
      elements.push_back(Element::fromBits(Format::Pointer, bits));
      continue;
    }
    if (!array && !multicast) {
      elements.push_back(std::get<Element>(argument));
      continue;
    }
    const Array *first = array ? array : multicast->copies.data();
    while (arrays[number].array != first)
      ++number;
    const uint64_t address =
        array ? addressOf(number) : bindMulticast(*machine, *multicast, i + 1, number);
    elements.push_back(Element::fromBits(Format::Pointer, address));
  }
  return elements;
}

/// `first` is the index of the first copy; the others follow, since copies have no links.
uint64_t Placement::bindMulticast(reference::Machine &machine, const Multicast &multicast,
                                  size_t parameter, size_t first) {
  std::vector<uint64_t> copies;
  for (size_t i = 0; i < multicast.copies.size(); ++i)
    copies.push_back(addressOf(first + i));
  const Array &copy = multicast.copies.front();
  return machine.bindMulticast("parameter " + std::to_string(parameter) + " (multicast, " +
                                   std::to_string(copies.size()) + " copies of " + toString(copy) +
                                   ")",
                               copy.format(), copy.bytes().size(), std::move(copies));
}

Result<void> Placement::copyBack() {
  Result<void> result;
  for (auto [number, placed] : llvm::enumerate(arrays))
    for (const Link &link : placed.array->links()) {
      Region &region = regions[placed.region];
      uint8_t *now = placeOf(link, number),
              *before = region.before.data() + (now - region.copy.data());
      if (result && std::memcmp(now, before, sizeof(uint64_t)) != 0)
        result = Failure{"the kernel overwrote " + namesOf({&number, 1}, /*withTypes=*/false) +
                         "[" + std::to_string(link.element) +
                         "], the address of an array: that cannot be copied back, because arrays "
                         "have other addresses on the device"};
      std::memcpy(before, now, sizeof(uint64_t));
    }
  for (const Region &region : regions)
    for (size_t i = 0; i < region.copy.size(); ++i)
      if (region.copy[i] != region.before[i])
        region.bytes[i] = region.copy[i];
  return result;
}
