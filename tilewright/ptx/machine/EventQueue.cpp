// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EventQueue.h.

#include "tilewright/ptx/machine/EventQueue.h"
#include "tilewright/ptx/machine/Thread.h"

using namespace tilewright::ptx;

/// Maximum number of pending events: a kernel that begins more runs the oldest ones first.
static constexpr size_t mostEvents = 1024;

void EventQueue::add(Cluster &cluster, std::function<void()> event) {
  while (events.size() >= mostEvents)
    run(0);
  ++cluster.inFlight;
  events.push_back({&cluster, std::move(event)});
}

void EventQueue::run(size_t number) {
  Event event = std::move(events[number]);
  events.erase(events.begin() + ptrdiff_t(number));
  event.run();
  --event.cluster->inFlight;
}
