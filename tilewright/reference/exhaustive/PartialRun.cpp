// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/PartialRun.h"
#include "tilewright/reference/exhaustive/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

PartialRun::PartialRun(Behaviour behaviour)
    : made(std::move(behaviour)), tokenOrder(operationOrder(made.trace)) {
  const std::vector<Event> &events = made.trace.events;
  for (const Event &event : events)
    if (event.isOpen)
      open.push_back(event.access);
  certainTrace.tokens = made.trace.tokens;
  for (auto [number, event] : llvm::enumerate(events)) {
    auto isOpenOther = [&, own = number](unsigned read) {
      return read != own && events[read].isOpen;
    };
    bool isCertain = llvm::none_of(event.dependsOn, isOpenOther);
    bool dependsOnOwn = event.isOpen && llvm::is_contained(event.dependsOn, number);
    Seen entry{unsigned(number), std::nullopt, isCertain && !dependsOnOwn};
    if (isCertain) {
      entry.certain = certainTrace.events.size();
      Event known = event;
      known.dependsOn.clear();
      known.isLast &= isComplete();
      if (event.isOpen) {
        known.read = std::nullopt;
        if (event.mayFail)
          known.written = std::nullopt;
      }
      certainTrace.events.push_back(std::move(known));
    }
    seen[event.access] = entry;
  }
}

const PartialRun::Seen *PartialRun::find(unsigned access) const {
  auto found = seen.find(access);
  return found == seen.end() ? nullptr : &found->second;
}

bool PartialRun::mayHideEvents(std::optional<unsigned> read) const {
  return llvm::any_of(made.unseen, [&](llvm::ArrayRef<unsigned> reads) {
    return !read || !llvm::is_contained(reads, *read);
  });
}
