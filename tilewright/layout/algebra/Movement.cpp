// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares owners and counts the cost of accesses. The elements of a thread are a product over the
// dimensions, so two layouts are compared dimension by dimension. Addresses are enumerated lane by
// lane.

#include "tilewright/layout/algebra/Movement.h"
#include "tilewright/layout/algebra/Owners.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <optional>
#include <set>

using namespace llvm;

namespace tilewright::layout {

// --- From layout to layout ------------------------------------------------------------

/// The indices along one dimension at the given virtual ids, ascending.
static Numbers indicesAt(const Dim &dim, Digits at) {
  Numbers indices;
  for (at.batch = 0; at.batch < dim.batches; ++at.batch)
    for (at.outer = 0; at.outer < dim.outers; ++at.outer)
      for (at.element = 0; at.element < dim.elements; ++at.element)
        indices.push_back(indexOf(dim, at));
  return indices;
}

bool haveSameOwners(const Layout &a, const Layout &b, Workgroup workgroup) {
  for (int64_t thread = 0; thread < workgroup.threads; ++thread) {
    SmallVector<Digits, 4> idsOfA = virtualIds(a, workgroup, thread);
    SmallVector<Digits, 4> idsOfB = virtualIds(b, workgroup, thread);
    for (size_t dim = 0; dim < a.rank(); ++dim)
      if (indicesAt(a[dim], idsOfA[dim]) != indicesAt(b[dim], idsOfB[dim]))
        return false;
  }
  return true;
}

/// The layout as a single lane per subgroup would have it: thread digits become register digits.
static Layout ofSubgroups(const Layout &layout) {
  return Layout(map_to_vector<4>(layout.dims(), [](Dim dim) {
    dim.elements *= dim.threads;
    dim.threads = 1;
    return dim;
  }));
}

Distance distanceBetween(const Layout &from, const Layout &to, Workgroup workgroup) {
  assert(undistributedShape(from) == undistributedShape(to) && "layouts of one tile");
  if (from == to)
    return Distance::None;
  if (haveSameOwners(from, to, workgroup))
    return Distance::Registers;
  Workgroup subgroups{workgroup.subgroups(), /*lanes=*/1};
  if (haveSameOwners(ofSubgroups(from), ofSubgroups(to), subgroups))
    return Distance::Lanes;
  return Distance::Workgroup;
}

bool differInRegistersOnly(const Layout &a, const Layout &b) {
  auto withoutRegisters = [](const Layout &layout) {
    return Layout(map_to_vector<4>(layout.dims(), [](Dim dim) {
      dim.batches = dim.outers = 1;
      return dim;
    }));
  };
  return withoutRegisters(a) == withoutRegisters(b);
}

// --- From layout to memory ------------------------------------------------------------

/// The accesses of a thread: the register at which each one starts; it covers the following
/// registers.
using AccessPlan = SmallVector<int64_t>;

static int64_t addressOf(const MemoryTile &memory, ArrayRef<int64_t> element) {
  int64_t offset = 0;
  for (auto [stride, index] : zip_equal(memory.strides, element))
    offset += stride * index;
  return offset * memory.elementBits / 8;
}

/// The dimension of stride 1 along which a thread holds the most neighbours, if there is one.
static std::optional<size_t> contiguousDim(const Layout &layout, const MemoryTile &memory) {
  std::optional<size_t> best;
  for (size_t dim = 0; dim < layout.rank(); ++dim)
    if (memory.strides[dim] == 1 && (!best || layout[dim].elements > layout[*best].elements))
      best = dim;
  return best;
}

/// A register starts an access if its element is the first of an aligned run of `length`.
static AccessPlan startsOfRuns(const Layout &layout, Workgroup workgroup, size_t dim,
                               int64_t length) {
  AccessPlan plan;
  for (int64_t reg = 0; reg < layout.registers(); ++reg)
    if (length == 1 || elementAt(layout, workgroup, 0, reg)[dim] % length == 0)
      plan.push_back(reg);
  return plan;
}

static Result<AccessPlan> planAccesses(const Layout &layout, Workgroup workgroup,
                                       const MemoryTile &memory, int64_t bytes) {
  if (bytes < 1 || bytes > 16 || (bytes & (bytes - 1)) != 0)
    return Failure{formatv("an access has 1, 2, 4, 8 or 16 bytes, not {0}", bytes)};
  if (memory.elementBits < 8 || bytes * 8 % memory.elementBits != 0)
    return Failure{formatv("{0} bytes are no whole number of elements of {1} bits", bytes,
                           memory.elementBits)};
  int64_t length = bytes * 8 / memory.elementBits;
  std::optional<size_t> dim = contiguousDim(layout, memory);
  int64_t held = dim ? layout[*dim].elements : 1;
  if (held % length != 0)
    return Failure{formatv("an access of {0} bytes takes {1} elements, but a thread holds runs of "
                           "{2}",
                           bytes, length, held)};
  AccessPlan plan = startsOfRuns(layout, workgroup, dim.value_or(0), length);
  for (int64_t thread = 0; thread < workgroup.threads; ++thread)
    for (int64_t reg : plan)
      if (addressOf(memory, elementAt(layout, workgroup, thread, reg)) % bytes != 0)
        return Failure{formatv("the rows of this tile are not aligned to {0} bytes", bytes)};
  return plan;
}

/// Calls `count` with the addresses of a subgroup's lanes, for each access of each subgroup.
static AccessCount countAccesses(const Layout &layout, Workgroup workgroup,
                                 const MemoryTile &memory, const AccessPlan &plan,
                                 function_ref<void(ArrayRef<int64_t>, AccessCount &)> count) {
  AccessCount total{0, 0, 0};
  for (int64_t first = 0; first < workgroup.threads; first += workgroup.lanes) {
    for (int64_t reg : plan) {
      Numbers addresses;
      for (int64_t lane = 0; lane < workgroup.lanes; ++lane)
        addresses.push_back(addressOf(memory, elementAt(layout, workgroup, first + lane, reg)));
      ++total.accesses;
      count(addresses, total);
    }
  }
  return total;
}

Result<AccessCount> countSectors(const Layout &layout, Workgroup workgroup,
                                 const MemoryTile &memory, int64_t bytes) {
  constexpr int64_t sector = 32;
  Result<AccessPlan> plan = planAccesses(layout, workgroup, memory, bytes);
  if (!plan)
    return plan.failure();
  return countAccesses(layout, workgroup, memory, *plan,
                       [bytes](ArrayRef<int64_t> addresses, AccessCount &total) {
                         std::set<int64_t> starts(addresses.begin(), addresses.end()), sectors;
                         for (int64_t address : starts)
                           for (int64_t byte = 0; byte < bytes; ++byte)
                             sectors.insert((address + byte) / sector);
                         total.transactions += sectors.size();
                         total.least += divideCeil(starts.size() * bytes, sector);
                       });
}

/// The bank-conflict cycles of one group of lanes: the number of words that the busiest bank
/// delivers.
static int64_t stepsOf(ArrayRef<int64_t> addresses, int64_t bytes) {
  constexpr int64_t banks = 32, word = 4;
  std::map<int64_t, std::set<int64_t>> wordsOf;
  for (int64_t address : addresses)
    for (int64_t byte = 0; byte < bytes; ++byte)
      wordsOf[(address + byte) / word % banks].insert((address + byte) / word);
  size_t most = 0;
  for (const auto &[bank, words] : wordsOf)
    most = std::max(most, words.size());
  return most;
}

Result<AccessCount> countBankSteps(const Layout &layout, Workgroup workgroup,
                                   const MemoryTile &memory, int64_t bytes) {
  Result<AccessPlan> plan = planAccesses(layout, workgroup, memory, bytes);
  if (!plan)
    return plan.failure();
  return countAccesses(layout, workgroup, memory, *plan,
                       [bytes](ArrayRef<int64_t> addresses, AccessCount &total) {
                         // The banks deliver 128 bytes per cycle, so that many are requested at
                         // once.
                         size_t group = bytes <= 4 ? 32 : 128 / bytes;
                         for (; !addresses.empty();
                              addresses = addresses.drop_front(std::min(group, addresses.size()))) {
                           total.transactions += stepsOf(addresses.take_front(group), bytes);
                           ++total.least;
                         }
                       });
}

} // namespace tilewright::layout
