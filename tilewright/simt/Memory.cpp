// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Memory.h"
#include "tilewright/support/Shape.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::simt;

Memory::Memory(std::string name, numerics::Format format, ArrayRef<int64_t> shape, int64_t count,
               int64_t copies)
    : label(std::move(name)), elementFormat(format), shape(shape), count(count), copies(copies),
      bits(count * copies), written(count * copies) {}

//===-- Races ----------------------------------------------------------------------------===//

const Memory::Visitor *Memory::Visitors::rivalOf(const Access &access) const {
  for (const Visitor &visitor : visitors)
    if (visitor.op && visitor.thread != access.thread && !(visitor.isAtomic && access.isAtomic))
      return &visitor;
  return nullptr;
}

void Memory::Visitors::note(const Access &access) {
  const Visitor visitor = {access.op, int32_t(access.thread), access.isAtomic};
  for (Visitor &known : visitors) {
    if (known.op && known.thread != visitor.thread)
      continue;
    // An access that is not atomic races with more accesses.
    if (!known.op || known.isAtomic)
      known = visitor;
    return;
  }
}

Memory::Visits &Memory::visitsOf(int64_t place) {
  const int64_t size = std::min<int64_t>(pageSize, bits.size());
  if (visits.empty())
    visits.resize(divideCeil(bits.size(), size));
  std::unique_ptr<Visits[]> &page = visits[place / size];
  if (!page)
    page = std::make_unique<Visits[]>(size);
  return page[place % size];
}

std::optional<Access> Memory::meet(int64_t place, const Access &access, uint32_t barrierPhase) {
  Visits &here = visitsOf(place);
  if (here.barrierPhase != barrierPhase)
    here = Visits{barrierPhase, {}, {}};
  const Visitor *rival = here.writers.rivalOf(access);
  const bool rivalWrites = rival != nullptr;
  if (!rival && access.writes)
    rival = here.readers.rivalOf(access);
  std::optional<Access> found;
  if (rival)
    found = Access{rival->op, rival->thread, rivalWrites, rival->isAtomic};
  (access.writes ? here.writers : here.readers).note(access);
  return found;
}

//===-- Names ----------------------------------------------------------------------------===//

std::string Memory::nameOf(int64_t place) const {
  const auto spell = [](int64_t coordinate) { return std::to_string(coordinate); };
  return "element [" +
         join(map_range(support::coordinatesOf<SmallVector<int64_t>>(shape, elementAt(place)),
                        spell),
              ", ") +
         "] of " + label;
}
