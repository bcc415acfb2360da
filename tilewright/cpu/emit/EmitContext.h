// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emitters of one kernel share. An emitter derives from the context privately, so that its
// functions use these names as their own; its constructor takes the context, and the emitters that
// only it and few others need.

#ifndef TILEWRIGHT_CPU_EMIT_EMITCONTEXT_H
#define TILEWRIGHT_CPU_EMIT_EMITCONTEXT_H

namespace tilewright::cpu {

class Buffers;
class Evaluator;
struct Frame;
class LoopBuilder;
class MemoryAccess;
class ModuleGlobals;
class OperationCalls;
class OperationEmitter;
struct Plan;
struct Target;
class ValueCache;
class ViewAccess;

struct EmitContext {
  // Of the module.
  LoopBuilder &b;
  ValueCache &cache;
  ModuleGlobals &globals;
  OperationCalls &calls;
  const Target &target;
  // Of the kernel.
  const Plan &plan;
  bool mayWait; ///< A tile block may wait for another one.
  Frame &frame;
  Buffers &buffers;
  MemoryAccess &memory;
  Evaluator &evaluator;
  ViewAccess &views;
  OperationEmitter &operations;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_EMITCONTEXT_H
