// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did threads execute, and on which values? A line for each instruction, with what its
// registers had before, what it wrote, and which memory it touched:
//
//   PLACE: block (X, Y, Z), thread N: OPERATION(OPERANDS) -> RESULTS; EFFECT

#ifndef TILEWRIGHT_PTX_WATCH_TRACE_H
#define TILEWRIGHT_PTX_WATCH_TRACE_H

#include "tilewright/ptx/machine/Machine.h"

#include <set>

namespace tilewright::ptx {

/// Which instructions a trace tells, and how many at most.
struct TraceFilter {
  std::set<std::array<uint32_t, 3>> blocks;   ///< All if there are none.
  std::set<uint32_t> threads;                 ///< In their blocks; all if there are none.
  std::set<std::string, std::less<>> opcodes; ///< `ld`, or `ld.global.f32`; all if there are none.
  uint64_t mostLines = 10000;
};

class Trace {
public:
  /// Takes a line without its end.
  using Writer = std::function<void(std::string_view)>;

  /// `file` is what places begin with.
  Trace(std::string file, TraceFilter filter, Writer write)
      : file(std::move(file)), filter(std::move(filter)), write(std::move(write)) {}

  // What the machine tells.
  void begin(Thread &thread, const Op &op);
  void end(Thread &thread, const Op &op, Position position, Step step, bool isExecuted);
  void access(Thread &thread, Target target, unsigned bytes);

  /// After the run: what threads still wait for.
  void close();
  /// Lines beyond the most, which were not written.
  uint64_t unwritten() const { return left; }

private:
  /// An instruction that has begun; some wait for other threads before they have results.
  struct Open {
    const Thread *thread = nullptr;
    const Op *op = nullptr;
    const Code *code = nullptr;
    std::string text, effect;
  };

  bool wants(const Thread &thread, const Instruction &instruction) const;
  void finish(Thread &thread, Open &open, std::string_view how);
  void tell(std::string line);
  std::string headOf(const Thread &thread, const Instruction &instruction) const;

  std::string file;
  TraceFilter filter;
  Writer write;
  uint64_t lines = 0, left = 0;
  std::map<const Thread *, Open> waiting;
  Open current;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_TRACE_H
