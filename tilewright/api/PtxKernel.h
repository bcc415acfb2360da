// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a PTX text, executed and checked without a GPU, on memory of the caller.
// docs/ptx.md says what the machine does and finds.

#ifndef TILEWRIGHT_API_PTXKERNEL_H
#define TILEWRIGHT_API_PTXKERNEL_H

#include "tilewright/api/Finding.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/watch/Lines.h"
#include "tilewright/support/Result.h"

namespace tilewright::api {

/// A PTX text that was read. Copies share it.
class PtxModule {
public:
  /// `file` is what places begin with. Without a result, `diagnostics` says why.
  static std::optional<PtxModule> read(std::string text, std::string file,
                                       Diagnostics &diagnostics);

  /// Names of entries, in their order.
  std::vector<std::string> entries() const;

private:
  friend class PtxLauncher;
  struct State {
    ptx::Module module;
    std::string file;
  };
  std::shared_ptr<const State> state;
};

/// One parameter of an entry.
struct PtxArgument {
  /// Memory of the caller, whose address is passed, or the bytes of the parameter itself. The
  /// machine works on a copy, which is written back when the run has ended without findings.
  void *memory = nullptr;
  uint64_t bytes = 0;
  bool isMemory = false;
  bool isInitialised = true;
};

struct PtxLaunchOptions {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  std::optional<std::array<uint32_t, 3>> cluster = std::nullopt;
  uint64_t dynamicShared = 0;
  ptx::Schedule schedule = {};
  /// As the option --check: `all`, `none`, `race,no-...`.
  std::string checks = "all";
  bool counts = false;
  /// Takes what the kernel prints. Empty: it is lost.
  std::function<void(std::string_view)> output = {};
};

struct PtxResult {
  /// Of the findings: nothing else can fail while the kernel runs.
  bool misbehaved = false;
  std::vector<Finding> findings;
  /// Of the findings: the thread in its block.
  std::vector<uint32_t> threads;
  uint64_t unlistedFindings = 0, steps = 0;
  /// If they were asked for. Strings point into the module.
  std::vector<ptx::LineCounts> sourceLines, textLines;
  ptx::Counts total;
};

/// Runs an entry once. Fails if the launch is wrong; without a result or failure, `diagnostics`
/// says what of the program is not supported.
support::Result<std::optional<PtxResult>> runPtx(const PtxModule &module, const std::string &entry,
                                                 const PtxLaunchOptions &options,
                                                 const std::vector<PtxArgument> &arguments,
                                                 Diagnostics &diagnostics);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PTXKERNEL_H
