// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far is a long launch on the reference machine? After two seconds, a bar on standard error, if
// that is a terminal, and nowhere else:
//
//     [########------------] 12 of 30 blocks
//
// It is drawn over and over, and gone in the end. TILEWRIGHT_PROGRESS=0 leaves it out. The Python
// package does the same for its own launches (_progress.py).

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_PROGRESS_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_PROGRESS_H

#include "tilewright/api/Tilewright.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tilewright::cuda {

/// Shows one launch, from a thread of its own.
class Progress {
public:
  /// Whether somebody would see it.
  static bool isWanted();

  Progress() = default;
  /// The bar goes.
  ~Progress();
  Progress(const Progress &) = delete;

  /// What the kernel prints, on standard output, starts a line of its own: for twLaunchOptions.
  static void print(void *progress, const char *text, size_t length);
  /// To be called before the launch runs. While another one is shown, this one is not.
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
