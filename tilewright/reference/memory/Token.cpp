// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/memory/Token.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright::reference;

static bool hasSmallerChain(const Epoch &a, const Epoch &b) { return a.chain < b.chain; }

bool VectorClock::includes(Epoch epoch) const {
  if (epoch.chain == last.chain)
    return epoch.sequence <= last.sequence;
  if (!shared)
    return false;
  auto found = llvm::lower_bound(*shared, epoch, hasSmallerChain);
  return found != shared->end() && found->chain == epoch.chain && epoch.sequence <= found->sequence;
}

Epochs VectorClock::epochs() const {
  Epochs all = shared ? *shared : Epochs();
  if (!last.chain)
    return all;
  auto at = llvm::lower_bound(all, last, hasSmallerChain);
  if (at != all.end() && at->chain == last.chain)
    at->sequence = std::max(at->sequence, last.sequence);
  else
    all.insert(at, last);
  return all;
}

void VectorClock::join(const VectorClock &other) {
  if (!other.last.chain && (!other.shared || other.shared == shared))
    return;
  if (!last.chain && !shared) {
    *this = other;
    return;
  }
  if (other.shared == shared && other.last.chain == last.chain) {
    last.sequence = std::max(last.sequence, other.last.sequence);
    return;
  }
  Epochs mine = epochs(), theirs = other.epochs(), both;
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
  // `last` still continues its chain; the epochs may contain the same chain.
  auto at = llvm::lower_bound(both, last, hasSmallerChain);
  if (last.chain)
    last.sequence = std::max(last.sequence, at->sequence);
  else
    last = other.last;
  shared = std::make_shared<const Epochs>(std::move(both));
}

VectorClock TokenOrder::afterAll() const {
  Epochs all;
  for (auto [index, chain] : llvm::enumerate(chains))
    all.push_back({uint32_t(index + 1), chain.length});
  return {std::make_shared<const Epochs>(std::move(all)), {}};
}

VectorClock TokenOrder::append(const VectorClock &before, int64_t block) {
  VectorClock after = before;
  auto extend = [&](uint32_t chain) {
    after.last = {chain, ++chains[chain - 1].length};
    return after;
  };
  if (isEnd(before.last, block))
    return extend(before.last.chain);
  // Another operation already continues that chain. Continue a different chain of the clock, so
  // that the number of chains does not exceed the number of concurrent operations.
  if (before.last.chain)
    after.shared = std::make_shared<const Epochs>(before.epochs());
  if (after.shared)
    for (Epoch epoch : *after.shared)
      if (isEnd(epoch, block))
        return extend(epoch.chain);
  chains.push_back({block, 0});
  return extend(chains.size());
}
