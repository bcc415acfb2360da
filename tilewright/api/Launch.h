// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel. A Launch binds a kernel to a grid and arguments; `run` executes it and returns the
// result, and any thread can cancel it.

#ifndef TILEWRIGHT_API_LAUNCH_H
#define TILEWRIGHT_API_LAUNCH_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Kernel.h"
#include "tilewright/runtime/Grid.h"

#include <optional>

namespace tilewright::api {

/// Copies share the launch. Arrays are accessed while it runs, and must live that long.
class Launch {
public:
  /// Takes one argument per parameter. For a pointer: an array or a multicast of the pointee's
  /// format, or an address. For a scalar: an element of its format. Arrays may overlap. Fails
  /// for overlapping arrays of which only some are initialised, except on CPUs. The machines reject
  /// addresses. The PTX machine and GPUs reject multicast memory, and write arrays only if the
  /// launch succeeds.
  static support::Result<Launch> create(const Kernel &kernel, const runtime::Grid &grid,
                                        std::vector<Argument> arguments,
                                        const LaunchOptions &options = {});

  /// Runs the kernel, and returns when it has ended. May be called again, but by one thread at a
  /// time. Fails if the kernel cannot run, or not to its end: for example, there is too little
  /// memory, or the processor has no AMX.
  support::Result<LaunchResult> run();

  /// How many tile blocks of the current or last run have ended; none on devices that do not count
  /// them, which are all but the reference machine. Any thread may call it at any time.
  std::optional<int64_t> blocksDone() const noexcept;

  /// Makes `run` return soon, and each later call. Compiled code stops once the running blocks have
  /// ended or wait for others; the PTX machine stops after some instructions; the reference machine
  /// stops before the next operation, or at once if it waits for other launches of the kernel; a
  /// GPU stops only before it has started the launch. Any thread or signal handler may call it at
  /// any time.
  void cancel() noexcept;

private:
  struct State;
  explicit Launch(std::shared_ptr<State> state) : state(std::move(state)) {}

  std::shared_ptr<State> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_LAUNCH_H
