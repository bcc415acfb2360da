// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Agenda.h.

#include "tilewright/ptx/machine/Agenda.h"
#include "tilewright/ptx/machine/Thread.h"

using namespace tilewright::ptx;

/// Maximum number of pending events: a kernel that begins more runs the oldest ones first.
static constexpr size_t mostTasks = 1024;

void Agenda::add(Cluster &cluster, std::function<void()> task) {
  while (tasks.size() >= mostTasks)
    perform(0);
  ++cluster.onTheWay;
  tasks.push_back({&cluster, std::move(task)});
}

void Agenda::perform(size_t number) {
  Task task = std::move(tasks[number]);
  tasks.erase(tasks.begin() + ptrdiff_t(number));
  task.run();
  --task.cluster->onTheWay;
}
