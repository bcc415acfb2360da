// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Token.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright::reference;

static bool hasSmallerChain(const Epoch &a, const Epoch &b) { return a.chain < b.chain; }

bool Knowledge::knows(Epoch epoch) const {
  if (epoch.chain == last.chain)
    return epoch.sequence <= last.sequence;
  if (!clock)
    return false;
  auto found = llvm::lower_bound(*clock, epoch, hasSmallerChain);
  return found != clock->end() && found->chain == epoch.chain && epoch.sequence <= found->sequence;
}

Clock Knowledge::everything() const {
  Clock all = clock ? *clock : Clock();
  if (!last.chain)
    return all;
  auto at = llvm::lower_bound(all, last, hasSmallerChain);
  if (at != all.end() && at->chain == last.chain)
    at->sequence = std::max(at->sequence, last.sequence);
  else
    all.insert(at, last);
  return all;
}

void Knowledge::join(const Knowledge &other) {
  if (!other.last.chain && (!other.clock || other.clock == clock))
    return;
  if (!last.chain && !clock) {
    *this = other;
    return;
  }
  if (other.clock == clock && other.last.chain == last.chain) {
    last.sequence = std::max(last.sequence, other.last.sequence);
    return;
  }
  Clock mine = everything(), theirs = other.everything(), both;
  both.reserve(mine.size() + theirs.size());
  auto m = mine.begin(), t = theirs.begin();
  while (m != mine.end() || t != theirs.end()) {
    if (t == theirs.end() || (m != mine.end() && m->chain < t->chain))
      both.push_back(*m++);
    else if (m == mine.end() || t->chain < m->chain)
      both.push_back(*t++);
    else
      both.push_back({m->chain, std::max(m++->sequence, t++->sequence)});
  }
  // `last` stays what continues a chain; the clock may know its chain as well.
  auto at = llvm::lower_bound(both, last, hasSmallerChain);
  if (last.chain)
    last.sequence = std::max(last.sequence, at->sequence);
  else
    last = other.last;
  clock = std::make_shared<const Clock>(std::move(both));
}

Knowledge TokenOrder::append(const Knowledge &before, int64_t block) {
  Knowledge after = before;
  auto extend = [&](uint32_t chain) {
    after.last = {chain, ++chains[chain - 1].length};
    return after;
  };
  if (isEnd(before.last, block))
    return extend(before.last.chain);
  // Another operation continues that chain already: continue another one that is known, so
  // that there are no more chains than operations side by side.
  if (before.last.chain)
    after.clock = std::make_shared<const Clock>(before.everything());
  if (after.clock)
    for (Epoch epoch : *after.clock)
      if (isEnd(epoch, block))
        return extend(epoch.chain);
  chains.push_back({block, 0});
  return extend(chains.size());
}
