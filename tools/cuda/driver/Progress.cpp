// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Progress.h.

#include "tools/cuda/driver/Progress.h"
#include "tools/cuda/driver/Compiler.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <unistd.h>

using namespace tilewright::cuda;

static constexpr std::chrono::milliseconds untilFirst(2000), between(200);
static constexpr int64_t width = 20;

/// Locked by the launch that is shown.
static std::mutex shownLaunchMutex;

bool Progress::isEnabled() {
  const char *setting = std::getenv("TILEWRIGHT_PROGRESS");
  return (!setting || std::string_view(setting) != "0") && isatty(STDERR_FILENO);
}

std::string tilewright::cuda::progressBar(int64_t done, int64_t count) {
  const int64_t filled = std::clamp<int64_t>(double(done) / double(count) * width, 0, width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '-') + "] " +
         std::to_string(done) + " of " + std::to_string(count) +
         (count == 1 ? " block" : " blocks");
}

void Progress::begin(const twLaunchHandle *shownLaunch, int64_t count) {
  shown = std::unique_lock(shownLaunchMutex, std::try_to_lock);
  if (!shown)
    return;
  launch = shownLaunch;
  blockCount = count;
  try {
    thread = std::thread([this] { run(); });
  } catch (const std::system_error &) {
    // No thread could be started: run the launch without a bar.
  }
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    hasEnded = true;
  }
  ended.notify_one();
  thread.join();
  erase();
}

void Progress::print(void *progress, const char *text, size_t length) {
  auto &self = *static_cast<Progress *>(progress);
  std::lock_guard lock(self.mutex);
  self.erase();
  std::fwrite(text, 1, length, stdout);
  std::fflush(stdout);
  self.isWithinLine = length && text[length - 1] != '\n';
}

void Progress::run() {
  std::unique_lock lock(mutex);
  for (auto wait = untilFirst; !ended.wait_for(lock, wait, [this] { return hasEnded; });
       wait = between) {
    if (isWithinLine)
      continue;
    // A single write, so that the bar does not flicker.
    std::fputs(("\r\033[K" + progressBar(api().twLaunchBlocksDone(launch), blockCount)).c_str(),
               stderr);
    isDrawn = true;
  }
}

/// Goes to the first column and clears the line.
void Progress::erase() {
  if (isDrawn)
    std::fputs("\r\033[K", stderr);
  isDrawn = false;
}
