// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When do asynchronous operations happen? They are tasks on a list, and the schedule draws one now
// and then: up, as soon as possible and in their order; down, if no thread can go on or after many
// turns of all, the last first; at random, in between. Memory outlives the tasks: a cluster stays
// as long as one is on the way that a thread of it has begun, and `free` has all of them done
// first.

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
  /// Does one of them, which may add others.
  void perform(size_t number);
  /// Does all, and what they add.
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
