// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel. A Launch binds a kernel to a grid and arguments; `run` executes it and returns the
// result, and any thread can cancel it.

#ifndef TILEWRIGHT_API_LAUNCH_H
#define TILEWRIGHT_API_LAUNCH_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Kernel.h"
#include "tilewright/api/Report.h"
#include "tilewright/runtime/Grid.h"

#include <functional>

namespace tilewright::api {

/// An operation that a tile block executed, or on the PTX machine, an instruction that a thread
/// executed.
struct TraceRecord {
  /// On the PTX machine, a place in the PTX text.
  Place place;
  std::array<int64_t, 3> block;
  /// On the PTX machine: the number of the thread in its block.
  std::optional<int64_t> thread;
  /// `addf`, or `ld.global.f32` on the PTX machine; `entry` when a tile block starts or ends.
  std::string operation;
  /// The line that `tilewright run --trace` prints (docs/running.md, docs/ptx.md): place, operands,
  /// results, and accessed elements or bytes.
  std::string text;
};

struct TraceOptions {
  /// Receives the records in the order of execution, on the thread that runs the launch; must not
  /// throw. Empty: no trace.
  std::function<void(const TraceRecord &)> receive = {};
  /// Traces only these blocks, given by x, y and z; empty: all.
  std::vector<std::array<int64_t, 3>> blocks = {};
  /// Traces only these operations: `addf`, or on the PTX machine, `ld` or `ld.global.f32`; empty:
  /// all.
  std::vector<std::string> operations = {};
};

struct LaunchOptions {
  /// The number of threads for compiled code and the PTX machine, including the caller's, at most
  /// 1024. 0: TILEWRIGHT_THREADS, else as many as this process can keep busy. The reference machine
  /// ignores it.
  int threads = 0;
  /// Receives what the kernel prints, from one thread at a time; must not throw. Empty: standard
  /// output. The function may launch this kernel again, on the thread that called it. A GPU always
  /// prints to standard output.
  std::function<void(std::string_view)> output = {};
  /// Collects the findings of the launch. Only for the reference machine.
  std::optional<Report> report = std::nullopt;
  /// Only for the reference machine and the PTX machine. Excludes Schedule::Exhaustive.
  TraceOptions trace = {};
  /// Cpu and Reference: a kernel of the same module, for the same device and with the same
  /// parameters. If the launch succeeds, it is launched next on the same grid and arguments, as a
  /// dependent launch, which waits with gdc_wait_tko for what the first one wrote
  /// (docs/running.md). On the reference machine, the options of the first kernel apply. Excludes
  /// report, trace and Schedule::Exhaustive.
  std::optional<Kernel> dependent = std::nullopt;
  /// Gpu: a CUstream of the primary context of the first GPU. The launch is enqueued there, and
  /// `run` returns without waiting for it: faults are reported by later calls. Pointers must be
  /// Addresses. Null: the default stream; `run` waits for all earlier work on the GPU, then for the
  /// launch.
  void *stream = nullptr;
};

/// A handle: copies refer to the same launch. The caller keeps the arrays alive while it runs.
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
  /// time. Fails if the kernel cannot run to its end: for example, if there is too little memory,
  /// or if the processor has no AMX.
  support::Result<LaunchResult> run();

  /// How many tile blocks of the current or last run have ended; none except on the reference
  /// machine. Any thread may call it at any time.
  std::optional<int64_t> blocksDone() const noexcept;

  /// Makes the current call of `run`, and each later one, return soon. Compiled code stops once the
  /// running blocks have ended or wait for others; the PTX machine stops after some instructions;
  /// the reference machine stops before the next operation, or at once if it waits for other
  /// launches of the kernel; a GPU stops only before it has started the launch. Any thread or
  /// signal handler may call it at any time.
  void cancel() noexcept;

private:
  struct State;
  explicit Launch(std::shared_ptr<State> state) : state(std::move(state)) {}

  std::shared_ptr<State> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_LAUNCH_H
