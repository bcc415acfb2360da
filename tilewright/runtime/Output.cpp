// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the current range writes to the sink, and only its own thread can end it, so that it writes
// without the lock. Waiting cannot deadlock: ranges start in order, so the current range is
// running, and it waits for no other.

#include "tilewright/runtime/Output.h"

#include <cstdio>

using namespace tilewright;
using namespace tilewright::runtime;

const TextSink &runtime::standardOutput() {
  static const TextSink sink = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  return sink;
}

void Output::print(int64_t range, const std::function<void(const TextSink &)> &write) {
  std::unique_lock lock(mutex);
  if (order == Order::AsPrinted)
    return write(sink);

  Range &entry = ranges[range];
  const bool isCurrent = range == current;
  if (isCurrent)
    release(entry);
  lock.unlock();
  if (isCurrent)
    return write(sink);
  write([&](std::string_view text) { buffer(range, entry, text); });
}

void Output::endRange(int64_t range) {
  if (order == Order::AsPrinted)
    return;
  std::lock_guard lock(mutex);
  ranges[range].hasEnded = true;
  if (range != current)
    return;
  // Skips this range and those after it that have already ended.
  for (auto first = ranges.begin();
       first != ranges.end() && first->first == current && first->second.hasEnded;
       first = ranges.erase(first), ++current)
    release(first->second);
  currentChanged.notify_all();
}

//===-- Buffered text -------------------------------------------------------------------------===//

/// No lock is needed: map entries do not move, and until its range ends only its own thread touches
/// an entry.
void Output::buffer(int64_t range, Range &entry, std::string_view text) {
  if (freeBytes.fetch_sub(int64_t(text.size())) >= int64_t(text.size())) {
    entry.text += text;
    return;
  }
  freeBytes.fetch_add(int64_t(text.size()));
  waitUntilCurrent(range, entry);
  sink(text);
}

void Output::waitUntilCurrent(int64_t range, Range &entry) {
  std::unique_lock lock(mutex);
  currentChanged.wait(lock, [&] { return range == current; });
  release(entry);
}

/// Writes the buffered text.
void Output::release(Range &entry) {
  if (entry.text.empty())
    return;
  sink(entry.text);
  freeBytes.fetch_add(int64_t(entry.text.size()));
  entry.text = {};
}
