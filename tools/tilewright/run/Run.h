// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does `tilewright run` do? It loads a file, picks an entry, makes arguments of
// the texts for its parameters, launches it, on the reference machine or compiled, and
// puts the outputs where the texts say. Each step that fails says why, and ends the run.

#ifndef TILEWRIGHT_TOOLS_RUN_H
#define TILEWRIGHT_TOOLS_RUN_H

#include "tilewright/api/Load.h"
#include "tilewright/codegen/Codegen.h"
#include "tilewright/reference/Machine.h"
#include "tilewright/report/Report.h"
#include "tools/tilewright/run/Watch.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tilewright::tools {

/// Who executes: the machine that checks, or compiled code.
enum class Device { Reference, Cpu };
inline constexpr Device defaultDevice = Device::Cpu;

/// How code is compiled and launched.
struct CpuOptions {
  /// Target.h knows the names.
  std::string target = "native";
  codegen::OptLevel level = codegen::OptLevel::O2;
  bool debugInfo = false;
  /// Keep what was compiled, and take what was kept.
  bool useCache = true;
  /// Tell what was decided.
  bool remarks = false;
  /// 0: as runtime/Launch.h decides.
  int threads = 0;
};

struct RunOptions {
  std::string file;
  /// May be empty if the file has one entry only.
  std::string entry;
  /// `X`, `X,Y` or `X,Y,Z`.
  std::string grid = "1";
  /// Arguments.h says how they are spelled.
  std::vector<std::string> arguments;
  Device device = defaultDevice;
  CpuOptions cpu;
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

/// Kernels and arrays print to `out`; complaints go to `err`. Unless the run succeeds, no
/// output file is touched. Reports are written on every launch, also on one without findings.
RunStatus run(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_RUN_H
