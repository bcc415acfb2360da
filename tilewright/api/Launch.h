// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a kernel run on arrays? A Launch binds a kernel to a grid and to arguments; running it
// tells what came of it, and any thread can cancel it.

#ifndef TILEWRIGHT_API_LAUNCH_H
#define TILEWRIGHT_API_LAUNCH_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Kernel.h"
#include "tilewright/runtime/Grid.h"

#include <optional>

namespace tilewright::api {

/// Copies share the launch. Arrays are read and written while it runs and must live so long.
class Launch {
public:
  /// One argument per parameter: an array of the format that a pointer points to, multicast memory
  /// of such arrays, or an address; a scalar of the parameter's format. Arrays may overlap. The
  /// machines and GPUs refuse addresses, and arrays that overlap if only one of them is
  /// initialised. The PTX machine and GPUs also refuse multicast memory, and write arrays only if
  /// the launch succeeds.
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
  /// the PTX machine after some instructions, the reference machine in front of the next operation,
  /// and one that waits for other launches of the kernel at once. A GPU only ends launches that
  /// have not begun. A launch that was cancelled stays so. Any thread may call it at any
  /// time, and a signal handler.
  void cancel() noexcept;

private:
  struct State;
  explicit Launch(std::shared_ptr<State> state) : state(std::move(state)) {}

  std::shared_ptr<State> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_LAUNCH_H
