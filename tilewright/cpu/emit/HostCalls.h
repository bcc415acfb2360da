// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a running block report to the program around it? Text to print, and which
// assertions do not hold. What is known of a print or an assert before the kernel runs is
// constant data of the compiled module (runtime/Kernel.h); what is not is put into memory as
// the runtime expects it: integers as int64_t, floats as double.

#ifndef TILEWRIGHT_CPU_EMIT_HOSTCALLS_H
#define TILEWRIGHT_CPU_EMIT_HOSTCALLS_H

#include "tilewright/cpu/emit/Evaluator.h"

namespace tilewright::cpu {

class HostCalls {
public:
  HostCalls(LoopBuilder &b, ModuleGlobals &globals, const Target &target, const Frame &frame,
            Buffers &buffers, Evaluator &evaluator)
      : b(b), globals(globals), target(target), frame(frame), buffers(buffers),
        evaluator(evaluator) {}

  void emit(tile::PrintOp op);
  void emit(tile::AssertOp op);
  /// Lets other blocks run, for one of which this one may be waiting.
  void emitYield();

private:
  using Fields = llvm::SmallVector<ModuleGlobals::Field>;
  void addText(Fields &fields, llvm::StringRef text);
  void addShape(Fields &fields, mlir::Value tile);

  LoopBuilder &b;
  ModuleGlobals &globals;
  const Target &target;
  const Frame &frame;
  Buffers &buffers;
  Evaluator &evaluator;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_HOSTCALLS_H
