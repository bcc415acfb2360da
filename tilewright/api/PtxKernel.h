// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes and checks a kernel from PTX text without a GPU, on memory of the caller. docs/ptx.md
// describes the machine and its findings.

#ifndef TILEWRIGHT_API_PTXKERNEL_H
#define TILEWRIGHT_API_PTXKERNEL_H

#include "tilewright/api/Finding.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/watch/Lines.h"
#include "tilewright/support/Result.h"

namespace tilewright::api {

/// Parsed PTX text. Copies share it.
class PtxModule {
public:
  /// Diagnostics use `file` as the file name. Returns none if the text is malformed; `diagnostics`
  /// then says why.
  static std::optional<PtxModule> read(std::string text, std::string file,
                                       Diagnostics &diagnostics);

  /// The names of the entries with a body, in the order of the text.
  std::vector<std::string> entries() const;

private:
  friend class PtxLauncher;
  struct State {
    ptx::Module module;
    std::string file;
  };
  std::shared_ptr<const State> state;
};

/// The argument for one parameter.
struct PtxArgument {
  /// Memory of the caller, whose address is passed; or, without isMemory, the bytes of the
  /// parameter itself. The machine works on a copy of the memory, which is written back if there
  /// are no findings.
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
  /// As for the option --check: `all`, `none`, `race,no-...`.
  std::string checks = "all";
  bool counts = false;
  /// Receives what the kernel prints. Empty: the text is discarded.
  std::function<void(std::string_view)> output = {};
};

struct PtxResult {
  /// Is one of the findings misbehaviour? A run cannot fail without a finding.
  bool misbehaved = false;
  std::vector<Finding> findings;
  /// For each finding, the number of the thread in its block.
  std::vector<uint32_t> threads;
  uint64_t unlistedFindings = 0, steps = 0;
  /// Set if the options ask for counters. Strings point into the module.
  std::vector<ptx::LineCounts> sourceLines, textLines;
  ptx::Counts total;
};

/// Runs an entry once. Fails if the launch does not match the entry. If the program uses something
/// unsupported, returns no result, and `diagnostics` says what.
support::Result<std::optional<PtxResult>> runPtx(const PtxModule &module, const std::string &entry,
                                                 const PtxLaunchOptions &options,
                                                 const std::vector<PtxArgument> &arguments,
                                                 Diagnostics &diagnostics);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PTXKERNEL_H
