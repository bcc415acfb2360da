// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `tilewright run` and its exit statuses.

#ifndef TILEWRIGHT_TOOLS_RUNOPTIONS_H
#define TILEWRIGHT_TOOLS_RUNOPTIONS_H

#include "tilewright/api/Load.h"
#include "tilewright/codegen/Codegen.h"
#include "tilewright/cpu/Tuning.h"
#include "tilewright/nvidia/Compiler.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/reference/machine/Machine.h"
#include "tilewright/report/Report.h"
#include "tools/tilewright/ptx/Watch.h"
#include "tools/tilewright/run/Watch.h"

#include <string>
#include <vector>

namespace tilewright::tools {

/// Where the kernel runs: on the reference machine, compiled for the CPU, compiled for a GPU on the
/// PTX machine, or on a GPU.
enum class Device { Reference, Cpu, Ptx, Gpu };
inline constexpr Device defaultDevice = Device::Cpu;

/// Options for compiling and running on the CPU.
struct CpuOptions {
  /// A name that cpu/Target.h parses.
  std::string target = "native";
  /// Valid texts of --tuning.
  std::vector<std::string> tuning;
  codegen::OptLevel level = codegen::OptLevel::O2;
  bool debugInfo = false;
  /// Whether to use the compile cache.
  bool useCache = true;
  /// 0: runtime::defaultThreads().
  int threads = 0;
};

/// Options for compiling for a GPU, and for the PTX machine.
struct GpuOptions {
  nvidia::CompileOptions compile{*nvidia::Target::named(nvidia::defaultTarget)};
  /// If false, --device gpu compiles for the GPU of this machine.
  bool isTargetGiven = false;
  /// For --device ptx; --device gpu requests what it needs.
  nvidia::SharedMemoryForm sharedMemory = nvidia::SharedMemoryForm::Static;
  ptx::Schedule schedule;
  ptx::Checks checks;
  PtxWatchOptions watch;
};

struct RunOptions {
  std::string file;
  /// May be empty if the file has one entry only.
  std::string entry;
  /// An entry that is launched after the first one, and depends on it; may be empty.
  std::string dependent;
  /// `X`, `X,Y` or `X,Y,Z`.
  std::string grid = "1";
  /// In the syntax of Arguments.h.
  std::vector<std::string> arguments;
  Device device = defaultDevice;
  /// Whether to print the compiler's remarks.
  bool remarks = false;
  CpuOptions cpu;
  GpuOptions ptx;
  /// For the reference machine: step limit, checks, schedule. The run sets the observer.
  reference::LaunchOptions launch;
  std::vector<report::ReportRequest> reports;
  WatchOptions watch;
  api::LoadOptions load;
};

enum class RunStatus {
  Succeeded = 0,
  /// The module is invalid, or the launch failed: an assertion, an unsupported operation, the step
  /// limit.
  Failed = 1,
  /// An argument is invalid, or a file cannot be read or written.
  Unusable = 2,
  /// The kernel had undefined behaviour.
  Misbehaved = 3,
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_RUNOPTIONS_H
