// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows the progress of a long launch on the reference machine. After two seconds, a bar appears on
// standard error if that is a terminal:
//
//     [########------------] 12 of 30 blocks
//
// It is redrawn continuously and erased at the end. TILEWRIGHT_PROGRESS=0 disables it. The Python
// package does the same for its own launches (_progress.py).

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_PROGRESS_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_PROGRESS_H

#include "tilewright/api/Tilewright.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tilewright::cuda {

/// Shows the progress of one launch, from its own thread.
class Progress {
public:
  /// Whether the bar would be visible.
  static bool isEnabled();

  Progress() = default;
  /// Erases the bar.
  ~Progress();
  Progress(const Progress &) = delete;

  /// For twLaunchOptions: prints the kernel's output, erasing the bar first.
  static void print(void *progress, const char *text, size_t length);
  /// To be called before the launch runs. Does nothing while another launch is shown.
  void begin(const twLaunchHandle *launch, int64_t blockCount);

private:
  void run();
  void erase();

  const twLaunchHandle *launch = nullptr;
  int64_t blockCount = 0;
  std::unique_lock<std::mutex> shown;
  std::thread thread;

  std::mutex mutex;
  std::condition_variable ended;
  bool hasEnded = false, isDrawn = false, isWithinLine = false;
};

std::string progressBar(int64_t done, int64_t count);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_PROGRESS_H
