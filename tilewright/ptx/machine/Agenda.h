// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event queue of asynchronous operations. The schedule decides when an event runs: `up` runs
// all of them after each sweep, in order; `down` runs the last one when no thread can run, or after
// many sweeps; a random schedule runs random events in between. Events may access the memory of the
// cluster whose thread began them, so a cluster stays alive while it has events in the queue;
// `free` runs all events first.

#ifndef TILEWRIGHT_PTX_MACHINE_AGENDA_H
#define TILEWRIGHT_PTX_MACHINE_AGENDA_H

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::ptx {

struct Cluster;

class Agenda {
public:
  void add(Cluster &cluster, std::function<void()> task);
  bool isEmpty() const { return tasks.empty(); }
  size_t size() const { return tasks.size(); }
  /// Runs one event, which may add others.
  void perform(size_t number);
  /// Runs all events, including those that they add.
  void performAll() {
    while (!isEmpty())
      perform(0);
  }

private:
  struct Task {
    Cluster *cluster;
    std::function<void()> run;
  };
  std::vector<Task> tasks;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_AGENDA_H
