// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits prints and assertions, which call the runtime. What is known at compile time is constant
// data of the compiled module (runtime/Kernel.h); run-time values are stored in the form that the
// runtime expects: integers as int64_t, floats as double.

#ifndef TILEWRIGHT_CPU_EMIT_HOSTCALLS_H
#define TILEWRIGHT_CPU_EMIT_HOSTCALLS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/Evaluator.h"

namespace tilewright::cpu {

class HostCalls : EmitContext {
public:
  explicit HostCalls(const EmitContext &context) : EmitContext(context) {}

  void emit(tile::PrintOp op);
  void emit(tile::AssertOp op);
  /// Yields the thread, so that a block for which this one may be waiting can run.
  void emitYield();

private:
  using Fields = llvm::SmallVector<ModuleGlobals::Field>;
  void addText(Fields &fields, llvm::StringRef text);
  void addShape(Fields &fields, mlir::Value tile);
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_HOSTCALLS_H
