// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event queue of asynchronous operations. The schedule decides when an event runs: `up` runs
// all of them after each sweep, in order; `down` runs the last one when no thread can run, or after
// many sweeps; a random schedule runs random events in between. Events may access the memory of the
// cluster whose thread began them, so a cluster stays alive while it has events in the queue;
// `free` runs all events first.

#ifndef TILEWRIGHT_PTX_MACHINE_EVENTQUEUE_H
#define TILEWRIGHT_PTX_MACHINE_EVENTQUEUE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::ptx {

struct Cluster;

class EventQueue {
public:
  void add(Cluster &cluster, std::function<void()> event);
  bool isEmpty() const { return events.empty(); }
  size_t size() const { return events.size(); }
  /// Runs one event, which may add others.
  void run(size_t number);
  /// Runs all events, including those that they add.
  void runAll() {
    while (!isEmpty())
      run(0);
  }

private:
  struct Event {
    Cluster *cluster;
    std::function<void()> run;
  };
  std::vector<Event> events;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_EVENTQUEUE_H
