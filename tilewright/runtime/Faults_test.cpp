// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what a process reports that a kernel ends; each test ends a process of its own.

#include "tilewright/runtime/Faults.h"
#include "tilewright/runtime/Launch.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilewright::runtime;

namespace {

/// Block 5 writes to unmapped memory.
void writeFarAway(const twLaunch *launch, int64_t first, int64_t end, void *) {
  if (first <= 5 && 5 < end)
    *reinterpret_cast<volatile int *>(launch->parameters[0]) = 1;
}
const twKernel farKernel{"far", writeFarAway, 0, 1, 0};
const twKernel farWaitingKernel{"far_waiting", writeFarAway, 0, 1, twMayWait};

constexpr int64_t blocks = 100, pageBytes = 4096;

/// A page without access rights for each block.
uint64_t forbiddenAddress() {
  return reinterpret_cast<uint64_t>(
      mmap(nullptr, blocks * pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void run(const twKernel &kernel, int threads) {
  const std::vector<uint64_t> parameters = {forbiddenAddress()};
  LaunchOptions options;
  options.threads = threads;
  (void)launch(kernel, *Grid::create(blocks), parameters, options);
}

/// Whether the process was ended by the signal; sanitizers have handlers of their own, which may
/// end it in any way.
bool endedByFault(int status) {
  return status != 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

const char *const line = "tilewright: error: kernel @far: SIGSEGV: an access to 0x[0-9a-f]+000 "
                         "outside of its arrays, which "
                         "compiled code does not check; ask somebody";

/// Standard error without a line of ours; a sanitizer may print something.
class Silence : public testing::MatcherInterface<const std::string &> {
public:
  bool MatchAndExplain(const std::string &text, testing::MatchResultListener *) const override {
    return text.find("tilewright: error") == std::string::npos;
  }
  void DescribeTo(std::ostream *out) const override { *out << "has no line of ours"; }
};
testing::Matcher<const std::string &> silence() { return testing::MakeMatcher(new Silence); }

TEST(FaultsDeathTest, NameKernel) {
  for (int threads : {1, 4})
    EXPECT_EXIT(
        {
          reportFaults("ask somebody");
          run(farKernel, threads);
        },
        endedByFault, line);
}

/// A second thread that faults must not end the process before the first has reported. Threads
/// write to pages of their own: ThreadSanitizer deadlocks if it reports races while threads fault.
TEST(FaultsDeathTest, NameKernelOnceForManyThreads) {
  const auto writeEverywhere = [](const twLaunch *launch, int64_t first, int64_t, void *) {
    *reinterpret_cast<volatile int *>(launch->parameters[0] + first * pageBytes) = 1;
  };
  const twKernel everywhere{"far", writeEverywhere, 0, 1, 0};
  for (int round = 0; round < 20; ++round)
    EXPECT_EXIT(
        {
          reportFaults("ask somebody");
          run(everywhere, 8);
        },
        endedByFault, line);
}

TEST(FaultsDeathTest, NameWaitingKernels) {
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        run(farWaitingKernel, 2);
      },
      endedByFault, "kernel @far_waiting: SIGSEGV");
}

/// A previous handler is called last, on the same thread and with the same address.
TEST(FaultsDeathTest, CallPreviousHandler) {
  static auto theirs = [](int, siginfo_t *info, void *) {
    if (info->si_code == SEGV_ACCERR)
      (void)!write(STDERR_FILENO, "theirs\n", 7);
    _exit(7);
  };
  EXPECT_EXIT(
      {
        struct sigaction action = {};
        action.sa_sigaction = [](int s, siginfo_t *info, void *c) { theirs(s, info, c); };
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, nullptr);
        reportFaults("ask somebody");
        run(farKernel, 1);
      },
      testing::ExitedWithCode(7), std::string(line) + "\ntheirs");
}

/// Faults of other code are not blamed on a kernel: there is no line, and the process ends as
/// usual.
TEST(FaultsDeathTest, IgnoreFaultsOfOtherCode) {
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        *reinterpret_cast<volatile int *>(forbiddenAddress()) = 1;
      },
      endedByFault, silence());
  // Nor are those of another thread that runs no kernel.
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        const RunsKernel here("here");
        std::thread([] { *reinterpret_cast<volatile int *>(forbiddenAddress()) = 1; }).join();
      },
      endedByFault, silence());
}

/// The C library aborts when it finds the heap corrupted. The culprit is unknown, but it happens
/// after a launch, so the last kernel is named. The name outlives the kernel.
TEST(FaultsDeathTest, NameLastKernelOnAbort) {
  const auto doNothing = [](const twLaunch *, int64_t, int64_t, void *) {};
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        run({"first", doNothing, 0, 1, 0}, 1);
        std::string name = "second";
        run({name.c_str(), doNothing, 0, 1, 0}, 1);
        name = "gone..";
        std::abort();
      },
      endedByFault,
      "tilewright: note: SIGABRT after the launch of kernel @second: it may have stored outside of "
      "its arrays, which compiled code does not check; ask somebody");
  // The same holds in another thread; but a fault there is not blamed on a kernel.
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        run({"damages", doNothing, 0, 1, 0}, 2);
        std::thread([] { std::abort(); }).join();
      },
      endedByFault, "note: SIGABRT after the launch of kernel @damages: it may");
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        run({"damages", doNothing, 0, 1, 0}, 2);
        *reinterpret_cast<volatile int *>(forbiddenAddress()) = 1;
      },
      endedByFault, silence());
  // Unless the process only launches kernels.
  EXPECT_EXIT(
      {
        reportFaults("ask somebody", Suspects::Kernels);
        run({"damages", doNothing, 0, 1, 0}, 2);
        *reinterpret_cast<volatile int *>(forbiddenAddress()) = 1;
      },
      endedByFault, "note: SIGSEGV after the launch of kernel @damages: it may");
}

TEST(FaultsDeathTest, NameAbortingKernel) {
  const auto stop = [](const twLaunch *, int64_t, int64_t, void *) { std::abort(); };
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        run({"stops", stop, 0, 1, 0}, 1);
      },
      endedByFault, "tilewright: note: SIGABRT in kernel @stops: it may have stored outside");
}

/// Without a launch, an abort is not reported; a previous handler is still called.
TEST(FaultsDeathTest, ForwardAborts) {
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        std::abort();
      },
      endedByFault, silence());
  EXPECT_EXIT(
      {
        signal(SIGABRT, [](int) { _exit(7); });
        reportFaults("ask somebody");
        std::abort();
      },
      testing::ExitedWithCode(7), "");
}

/// A signal from another process ends this one as usual, or is still ignored.
TEST(FaultsDeathTest, IgnoreSignalsFromOtherProcesses) {
  EXPECT_EXIT(
      {
        reportFaults("ask somebody");
        kill(getpid(), SIGSEGV);
        sleep(10);
        _exit(0);
      },
      endedByFault, silence());
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_IGN);
        reportFaults("ask somebody");
        kill(getpid(), SIGSEGV);
        _exit(3);
      },
      testing::ExitedWithCode(3), "");
}

} // namespace
