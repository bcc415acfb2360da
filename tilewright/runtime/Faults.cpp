// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Faults.h. The handler is async-signal-safe (POSIX): it formats text without the C library and
// calls write().

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
  /// The previous handler of the signal.
  struct sigaction before;
};

/// A line of text in a fixed buffer; longer text is truncated.
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
    // An error cannot be reported anywhere.
    [[maybe_unused]] const ssize_t written = write(file, characters.data(), size);
  }

private:
  std::array<char, 1024> characters;
  size_t size = 0;
};
} // namespace

static std::array<Fault, 3> faults = {
    {{SIGSEGV, "SIGSEGV", {}}, {SIGBUS, "SIGBUS", {}}, {SIGABRT, "SIGABRT", {}}}};
static std::atomic<const char *> adviceText = nullptr;
static std::atomic<bool> kernelsAreSuspect = false;
static_assert(std::atomic<const char *>::is_always_lock_free);

/// The thread that reports, by its number. Other threads wait until it has written its line,
/// because the process ends as soon as one thread passes its signal on.
static std::atomic<pid_t> reporter = 0;
static std::atomic<bool> isReported = false;
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

//===-- The kernel of a thread --------------------------------------------------------------===//

// A signal handler must not allocate memory. The first access to a thread_local variable may do so,
// except for variables in the static TLS block, which has no room for libraries that are loaded
// late. Reading a POSIX key allocates nothing.
static const std::optional<pthread_key_t> runningKernel = []() -> std::optional<pthread_key_t> {
  pthread_key_t key;
  if (pthread_key_create(&key, nullptr) != 0)
    return std::nullopt; // nothing is reported
  return key;
}();

/// Null if this thread runs no kernel.
static const char *kernelOfThread() {
  return runningKernel ? static_cast<const char *>(pthread_getspecific(*runningKernel)) : nullptr;
}

static void setKernelOfThread(const char *name) {
  if (runningKernel)
    pthread_setspecific(*runningKernel, name);
}

//===-- The last kernel ---------------------------------------------------------------------===//

namespace {
/// The name of the most recently launched kernel, copied because its code may be unloaded. It is
/// kept in atomic words, because a handler may read while another thread writes (a seqlock).
class LastKernel {
public:
  void set(const char *name) {
    if (isBusy.exchange(true, std::memory_order_acquire))
      return; // of two simultaneous launches, either may count as the last
    std::array<char, sizeof(words)> text = {};
    std::strncpy(text.data(), name, text.size() - 1);
    changes.fetch_add(1); // odd: a write is in progress
    for (size_t i = 0; i < words.size(); ++i) {
      uint64_t word;
      std::memcpy(&word, text.data() + i * sizeof word, sizeof word);
      words[i] = word;
    }
    changes.fetch_add(1);
    isBusy.store(false, std::memory_order_release);
  }

  /// Empty if no kernel was launched yet, or while the name changes.
  std::string_view read(std::array<char, 128> &text) const {
    const uint64_t before = changes;
    for (size_t i = 0; i < words.size(); ++i) {
      const uint64_t word = words[i];
      std::memcpy(text.data() + i * sizeof word, &word, sizeof word);
    }
    return before % 2 == 0 && before == changes ? text.data() : "";
  }

private:
  std::array<std::atomic<uint64_t>, 16> words = {};
  std::atomic<uint64_t> changes = 0;
  std::atomic<bool> isBusy = false;
};
} // namespace

static LastKernel lastKernel;
static_assert(std::atomic<uint64_t>::is_always_lock_free);

void tilewright::runtime::setLastKernel(const char *name) {
  if (name && adviceText.load(std::memory_order_relaxed))
    lastKernel.set(name);
}

RunsKernel::RunsKernel(const char *name) : outer(kernelOfThread()) { setKernelOfThread(name); }

RunsKernel::~RunsKernel() { setKernelOfThread(outer); }

//===-- The handler -------------------------------------------------------------------------===//

/// A fault of a thread that runs no kernel, or an abort because the C library found the heap
/// corrupted: a kernel may be the cause.
static void reportHeapCorruption(const Fault &fault, std::string_view when,
                                 std::string_view kernel) {
  Line line;
  line.add("tilewright: note: ");
  line.add(fault.name);
  line.add(when);
  line.add(kernel);
  line.add(": it may have stored outside of its arrays, which compiled code does not check; ");
  line.add(adviceText.load());
  line.writeTo(STDERR_FILENO);
}

static void reportFault(const Fault &fault, const siginfo_t &info, const char *kernel) {
  if (fault.signal == SIGABRT)
    return reportHeapCorruption(fault, " in kernel @", kernel);
  Line line;
  line.add("tilewright: error: kernel @");
  line.add(kernel);
  line.add(": ");
  line.add(fault.name);
  // For non-canonical addresses, the system does not report the address.
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

/// Waits until the line is written, for at most a second.
static void waitForReport() {
  const timespec millisecond = {0, 1'000'000};
  for (int i = 0; i < 1000 && !isReported; ++i)
    nanosleep(&millisecond, nullptr);
}

/// Reports the first fault. `kernel` is the kernel that the thread runs, or null: then the fault is
/// not a kernel's, unless kernels are suspects, but an abort may be due to a heap that a kernel has
/// corrupted.
static void reportOnce(const Fault &fault, const siginfo_t &info, const char *kernel) {
  std::array<char, 128> text;
  const std::string_view last = kernel ? "" : lastKernel.read(text);
  if (!kernel && (last.empty() || (fault.signal != SIGABRT && !kernelsAreSuspect)))
    return;
  const pid_t self = gettid();
  pid_t before = 0;
  if (reporter.compare_exchange_strong(before, self)) {
    if (kernel)
      reportFault(fault, info, kernel);
    else
      reportHeapCorruption(fault, " after the launch of kernel @", last);
    isReported = true;
  } else if (before != self) {
    waitForReport();
  }
}

/// Passes the signal on to the previous handler.
static void passOn(const Fault &fault, int signal, siginfo_t *info, void *context) {
  const struct sigaction &before = fault.before;
  if (before.sa_flags & SA_SIGINFO)
    return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(signal);
  // The system never ignores a fault, and the faulting instruction repeats it. A signal that was
  // sent can be ignored, and must be raised again for the default action.
  const bool wasSent = info->si_code <= 0;
  if (wasSent && before.sa_handler == SIG_IGN)
    return;
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  if (wasSent)
    raise(signal);
}

/// Whether another process sent the signal, or this one with kill(). abort() sends it to the
/// thread.
static bool wasSentByProcess(const siginfo_t &info) {
  return info.si_code <= 0 && (info.si_code != SI_TKILL || info.si_pid != getpid());
}

static void handle(int signal, siginfo_t *info, void *context) {
  const Fault &fault =
      *std::find_if(faults.begin(), faults.end(), [&](auto &row) { return row.signal == signal; });
  const int error = errno;
  if (!wasSentByProcess(*info))
    reportOnce(fault, *info, kernelOfThread());
  errno = error;
  passOn(fault, signal, info, context);
}

void tilewright::runtime::reportFaults(const char *advice, Suspects suspects) {
  kernelsAreSuspect = suspects == Suspects::Kernels;
  adviceText = advice;
  static std::once_flag once;
  std::call_once(once, [] {
    for (Fault &fault : faults) {
      if (sigaction(fault.signal, nullptr, &fault.before) != 0)
        continue;
      struct sigaction ours = {};
      ours.sa_sigaction = handle;
      ours.sa_mask = fault.before.sa_mask;
      // Run on the alternate signal stack, if the program has one.
      ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (fault.before.sa_flags & (SA_NODEFER | SA_RESTART));
      sigaction(fault.signal, &ours, nullptr);
    }
  });
}
