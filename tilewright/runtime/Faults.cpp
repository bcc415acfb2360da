// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Faults.h. The handler does what POSIX lets a handler do: it formats by hand and calls write.

#include "tilewright/runtime/Faults.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <string_view>
#include <unistd.h>

using namespace tilewright::runtime;

namespace {
struct Fault {
  int signal;
  std::string_view name;
  /// Where the signal went before.
  struct sigaction before;
};

/// A line of text in memory of its own; what does not fit is cut off.
class Line {
public:
  void add(std::string_view text) {
    text = text.substr(0, characters.size() - 1 - size);
    std::copy(text.begin(), text.end(), characters.begin() + size);
    size += text.size();
  }
  void addAddress(uintptr_t address) {
    constexpr int bitsOfDigit = 4;
    add("0x");
    int shift = 8 * sizeof address - bitsOfDigit;
    while (shift && !(address >> shift))
      shift -= bitsOfDigit;
    for (; shift >= 0; shift -= bitsOfDigit)
      add(std::string_view("0123456789abcdef").substr(address >> shift & 0xF, 1));
  }
  void writeTo(int file) {
    characters[size++] = '\n';
    // Nobody is left to be told that it cannot be written.
    [[maybe_unused]] const ssize_t written = write(file, characters.data(), size);
  }

private:
  std::array<char, 1024> characters;
  size_t size = 0;
};
} // namespace

static std::array<Fault, 2> faults = {{{SIGSEGV, "SIGSEGV", {}}, {SIGBUS, "SIGBUS", {}}}};
static std::atomic<const char *> adviceText = nullptr;
static_assert(std::atomic<const char *>::is_always_lock_free);

/// One thread tells: its number. The others wait for the line, because the first one that passes
/// its signal on ends the process.
static std::atomic<pid_t> teller = 0;
static std::atomic<bool> isTold = false;
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

//===-- The kernel of a thread --------------------------------------------------------------===//

// The handler may not ask for memory. A variable of the thread does, when a thread first looks at
// it, unless it has a place in every thread from the start; libraries that are loaded late find no
// room for those. A key of POSIX has a place in every thread.
static const std::optional<pthread_key_t> runningKernel = []() -> std::optional<pthread_key_t> {
  pthread_key_t key;
  if (pthread_key_create(&key, nullptr) != 0)
    return std::nullopt; // nothing is told
  return key;
}();

/// Null if this thread runs none.
static const char *kernelOfThread() {
  return runningKernel ? static_cast<const char *>(pthread_getspecific(*runningKernel)) : nullptr;
}

static void setKernelOfThread(const char *name) {
  if (runningKernel)
    pthread_setspecific(*runningKernel, name);
}

RunsKernel::RunsKernel(const char *name) : outer(kernelOfThread()) { setKernelOfThread(name); }

RunsKernel::~RunsKernel() { setKernelOfThread(outer); }

//===-- The handler -------------------------------------------------------------------------===//

static void tell(const Fault &fault, const siginfo_t &info, const char *kernel) {
  Line line;
  line.add("tilewright: error: kernel @");
  line.add(kernel);
  line.add(": ");
  line.add(fault.name);
  // Of an address that no process can have, the system does not say which it is.
  if (info.si_code == SEGV_MAPERR || info.si_code == SEGV_ACCERR || info.si_code == BUS_ADRERR) {
    line.add(": an access to ");
    line.addAddress(reinterpret_cast<uintptr_t>(info.si_addr));
  } else {
    line.add(": an access");
  }
  line.add(" outside of its arrays, which compiled code does not check; ");
  line.add(adviceText.load());
  line.writeTo(STDERR_FILENO);
}

/// Until the line is written, but no longer than a second.
static void waitForLine() {
  const timespec millisecond = {0, 1'000'000};
  for (int i = 0; i < 1000 && !isTold; ++i)
    nanosleep(&millisecond, nullptr);
}

static void tellOnce(const Fault &fault, const siginfo_t &info, const char *kernel) {
  const pid_t self = gettid();
  pid_t before = 0;
  if (teller.compare_exchange_strong(before, self)) {
    tell(fault, info, kernel);
    isTold = true;
  } else if (before != self) {
    waitForLine();
  }
}

/// To where the signal went before we came.
static void passOn(const Fault &fault, int signal, siginfo_t *info, void *context) {
  const struct sigaction &before = fault.before;
  if (before.sa_flags & SA_SIGINFO)
    return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(signal);
  // The system neither ignores a fault nor lets it be repeated; a signal that somebody has sent, it
  // does ignore, and the default has to be asked for.
  const bool wasSent = info->si_code <= 0;
  if (wasSent && before.sa_handler == SIG_IGN)
    return;
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  if (wasSent)
    raise(signal);
}

static void handle(int signal, siginfo_t *info, void *context) {
  const Fault &fault = faults[faults[0].signal == signal ? 0 : 1];
  const int error = errno;
  if (const char *kernel = kernelOfThread())
    tellOnce(fault, *info, kernel);
  errno = error;
  passOn(fault, signal, info, context);
}

void tilewright::runtime::reportFaults(const char *advice) {
  adviceText = advice;
  static std::once_flag once;
  std::call_once(once, [] {
    for (Fault &fault : faults) {
      if (sigaction(fault.signal, nullptr, &fault.before) != 0)
        continue;
      struct sigaction ours = {};
      ours.sa_sigaction = handle;
      ours.sa_mask = fault.before.sa_mask;
      // On the stack that the program has set aside for handlers, if it has.
      ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (fault.before.sa_flags & (SA_NODEFER | SA_RESTART));
      sigaction(fault.signal, &ours, nullptr);
    }
  });
}
