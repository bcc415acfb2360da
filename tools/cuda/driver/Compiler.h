// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tilewright's library in this process, and who else it compiles for: the programs `tileiras` that
// this process starts (../Service.h).

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_COMPILER_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_COMPILER_H

#include "tools/cuda/Api.h"

namespace tilewright::cuda {

/// Before anything else: what is called once, when the library has been loaded.
void callWhenLoaded(void (*function)());

/// Once, in cuInit: on another thread, the library is loaded, and then serves.
void startCompiler();

/// Before a fork: returns when nothing is being compiled that somebody waits for, and until the
/// second nothing is begun. After it, in the child: nobody serves there.
void holdCompiler();
void releaseCompiler();
void forgetCompiler();

/// When the process ends: the same, and from now on nothing is begun. False if something is still
/// being compiled for which nobody waits: the library may not be destroyed.
bool stopCompiler();

/// Waits for the library. Null, and said once, if it cannot be loaded.
const Api *findApi();

/// For who has something that came from the library.
inline const Api &api() { return *findApi(); }

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_COMPILER_H
