// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does `tilewright run` know before it starts, and how can it end?

#ifndef TILEWRIGHT_TOOLS_RUNOPTIONS_H
#define TILEWRIGHT_TOOLS_RUNOPTIONS_H

#include "tilewright/api/Load.h"
#include "tilewright/codegen/Codegen.h"
#include "tilewright/nvidia/Compiler.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/reference/machine/Machine.h"
#include "tilewright/report/Report.h"
#include "tools/tilewright/ptx/Watch.h"
#include "tools/tilewright/run/Watch.h"

#include <string>
#include <vector>

namespace tilewright::tools {

/// Who executes: the machine that checks, compiled code, the machine that executes what a GPU
/// would, or a GPU.
enum class Device { Reference, Cpu, Ptx, Cuda };
inline constexpr Device defaultDevice = Device::Cpu;

/// How code is compiled and launched.
struct CpuOptions {
  /// Target.h knows the names.
  std::string target = "native";
  codegen::OptLevel level = codegen::OptLevel::O2;
  bool debugInfo = false;
  /// Keep what was compiled, and take what was kept.
  bool useCache = true;
  /// 0: as runtime/Launch.h decides.
  int threads = 0;
};

/// How code for a GPU is compiled, and executed by the PTX machine.
struct GpuOptions {
  nvidia::CompileOptions compile{*nvidia::Target::named(nvidia::defaultTarget)};
  /// Without, it is compiled for the GPU that executes it.
  bool isTargetGiven = false;
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
  /// Arguments.h says how they are spelled.
  std::vector<std::string> arguments;
  Device device = defaultDevice;
  /// Whether the compiler says what it decided.
  bool remarks = false;
  CpuOptions cpu;
  GpuOptions ptx;
  /// What follows is for the reference machine: limit, checks, schedule; where it prints and who
  /// watches it is up to the run.
  reference::LaunchOptions launch;
  std::vector<report::ReportRequest> reports;
  WatchOptions watch;
  api::LoadOptions load;
};

enum class RunStatus {
  Succeeded = 0,
  /// The module is invalid, or the launch failed: an assertion, an unsupported
  /// operation, the step limit.
  Failed = 1,
  /// A wrong argument, or a file that cannot be read or written.
  Unusable = 2,
  /// The kernel did what the specification calls undefined.
  Misbehaved = 3,
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_RUNOPTIONS_H
