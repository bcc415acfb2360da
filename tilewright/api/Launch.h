// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a kernel run on arrays? A Launch binds a kernel to a grid and to arguments; running it
// tells what came of it, and any thread can cancel it.

#ifndef TILEWRIGHT_API_LAUNCH_H
#define TILEWRIGHT_API_LAUNCH_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Finding.h"
#include "tilewright/api/Kernel.h"
#include "tilewright/api/Report.h"
#include "tilewright/runtime/Grid.h"

#include <functional>
#include <optional>

namespace tilewright::api {

struct LaunchOptions {
  /// Of compiled code, the caller's included; 0: TILEWRIGHT_THREADS, else as many as this process
  /// may keep busy. At most 1024. The reference machine decides itself.
  int threads = 0;
  /// Takes what the kernel prints, from one thread at a time; must not throw. Empty: standard
  /// output. It may launch this kernel again, on the thread that calls it.
  std::function<void(std::string_view)> output = {};
  /// Is told what the launch finds. The kernel must be one for the reference machine.
  std::optional<Report> report = std::nullopt;
};

enum class Outcome {
  /// All blocks ran to their end, and nothing but warnings was found.
  Succeeded,
  /// An assertion does not hold, an operation is not supported, or the step limit was reached.
  Failed,
  /// The kernel did what the specification calls undefined.
  Misbehaved,
  /// Cancelled before all blocks had run, and nothing but warnings was found until then.
  Cancelled,
};

struct LaunchResult {
  Outcome outcome = Outcome::Succeeded;
  /// Compiled code reports assertions that do not hold, in the order of their blocks; the
  /// reference machine what its checks find, in the order in which it happened.
  std::vector<Finding> findings = {};
  /// Findings beyond the first thousand are counted only.
  int64_t unlistedFindings = 0;
  /// On the reference machine: tile blocks communicated, and other schedules were not checked for
  /// races.
  bool blocksSynchronise = false;
};

/// Copies share the launch. Arrays are read and written while it runs and must live so long.
class Launch {
public:
  /// One argument per parameter: an array of the format that a pointer points to, multicast memory
  /// of such arrays, or an address; a scalar of the parameter's format. Arrays may overlap. The
  /// reference machine refuses addresses, and arrays that overlap if only one of them is
  /// initialised.
  static support::Result<Launch> create(const Kernel &kernel, const runtime::Grid &grid,
                                        std::vector<Argument> arguments,
                                        const LaunchOptions &options = {});

  /// Runs it, and returns when it has ended. May be called again, by one thread at a time. Fails
  /// if the kernel cannot run, or not to its end: too little memory, a target that has no AMX.
  support::Result<LaunchResult> run();

  /// Of the run that goes on, or of the last one: how many tile blocks have ended. Only the
  /// reference machine counts them; compiled code has none. Any thread may ask at any time.
  std::optional<int64_t> blocksDone() const noexcept;

  /// Ends `run` soon: a compiled kernel when the blocks that run have ended or wait for others,
  /// the reference machine in front of the next operation, and one that waits for other launches of
  /// the kernel at once. A launch that was cancelled stays so.
  /// Any thread may call it at any time, and a signal handler.
  void cancel() noexcept;

private:
  struct State;
  explicit Launch(std::shared_ptr<State> state) : state(std::move(state)) {}

  std::shared_ptr<State> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_LAUNCH_H
