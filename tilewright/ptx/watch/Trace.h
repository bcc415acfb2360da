// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces the instructions that threads execute. A line has the values of the registers before the
// instruction, its results, and the memory that it touched:
//
//   PLACE: block (X, Y, Z), thread N: OPERATION(OPERANDS) -> RESULTS; EFFECT

#ifndef TILEWRIGHT_PTX_WATCH_TRACE_H
#define TILEWRIGHT_PTX_WATCH_TRACE_H

#include "tilewright/ptx/machine/Machine.h"

#include <set>

namespace tilewright::ptx {

/// Selects the instructions of a trace, and limits their number.
struct TraceFilter {
  std::set<std::array<uint32_t, 3>> blocks;   ///< Empty: all.
  std::set<uint32_t> threads;                 ///< Numbers in their blocks; empty: all.
  std::set<std::string, std::less<>> opcodes; ///< `ld` or `ld.global.f32`; empty: all.
  uint64_t mostLines = 10000;

  /// The first of `opcodes` that names no supported instruction; empty: none.
  std::string unknownOpcode() const;
};

/// A line of a trace.
struct TraceLine {
  Place place;
  std::array<uint32_t, 3> block;
  uint32_t thread;              ///< Its number in the block.
  std::string_view instruction; ///< `ld.global.f32`
  std::string_view text;        ///< The whole line, without line break.
};

class Trace {
public:
  using Writer = std::function<void(const TraceLine &)>;

  /// Positions in the trace begin with `file`.
  Trace(std::string file, TraceFilter filter, Writer write)
      : file(std::move(file)), filter(std::move(filter)), write(std::move(write)) {}

  // Called by the machine.
  void begin(Thread &thread, const Op &op);
  void end(Thread &thread, const Op &op, Position position, Step step, bool isExecuted);
  void access(Thread &thread, Target target, unsigned bytes);

  /// Call after the run: writes the instructions of threads that still wait.
  void close();
  /// Number of lines beyond the limit, which were not written.
  uint64_t unwritten() const { return omitted; }

private:
  /// An instruction that has begun; some wait for other threads before they have results.
  struct Open {
    const Thread *thread = nullptr;
    const Op *op = nullptr;
    const Code *code = nullptr;
    /// Copied, because the thread may have ended when the line is written.
    std::array<uint32_t, 3> block = {};
    uint32_t number = 0;
    std::string text, effect;

    const Instruction &instruction() const { return code->function->body[op->instruction]; }
  };

  bool isSelected(const Thread &thread, const Instruction &instruction) const;
  void finish(Thread &thread, Open &open, std::string_view how);
  void writeLine(const Open &open, const std::string &text);
  std::string headOf(const Open &open) const;

  std::string file;
  TraceFilter filter;
  Writer write;
  uint64_t lines = 0, omitted = 0;
  std::map<const Thread *, Open> waiting;
  Open current;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_TRACE_H
