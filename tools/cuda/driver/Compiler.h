// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads Tilewright's library in this process, and compiles for the `tileiras` programs that this
// process starts (../Service.h).

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_COMPILER_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_COMPILER_H

#include "tools/cuda/Api.h"

namespace tilewright::cuda {

/// Registers a function that is called once, after the library was loaded. Call it before all
/// others.
void callWhenLoaded(void (*function)());

/// Called once, by cuInit: loads the library on another thread, and then serves clients.
void startCompiler();

/// For fork handlers. Before a fork: pauseCompiler waits for all compilations that a client waits
/// for, and blocks new ones until resumeCompiler. In the child: abandonCompiler stops serving.
void pauseCompiler();
void resumeCompiler();
void abandonCompiler();

/// At exit: waits like pauseCompiler, and blocks new compilations for good. Returns false if a
/// compilation for a disconnected client is still running: then the library may not be destroyed.
bool stopCompiler();

/// Waits until the library is loaded. Null, after one message, if it cannot be loaded.
const Api *findApi();

/// For callers that hold an object of the library, which must therefore be loaded.
inline const Api &api() { return *findApi(); }

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_COMPILER_H
