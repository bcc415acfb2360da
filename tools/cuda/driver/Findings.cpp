// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Findings.h.

#include "tools/cuda/driver/Findings.h"
#include "tools/cuda/driver/Compiler.h"
#include "tools/cuda/driver/State.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tilewright::cuda;

static CUresult errorOf(const twFinding &finding) {
  if (finding.kind == TW_FAILED_ASSERT)
    return CUDA_ERROR_ASSERT;
  const std::string_view rule = finding.rule;
  if (rule == "alignment")
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  if (rule == "bounds" || rule == "lifetime" || rule == "constant")
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  return CUDA_ERROR_LAUNCH_FAILED;
}

//===-- Help texts --------------------------------------------------------------------------===//

namespace {
struct Advice {
  std::string_view rule, text;
};
} // namespace

static constexpr Advice cutileAdvice[] = {
#define WITHOUT_UNSPECIFIED                                                                        \
  "run with --check=no-unspecified (of a test suite: --tile-checks=no-unspecified)"
#define ADVICE(rule, text) {rule, text},
#include "tools/CutileAdvice.def"
#undef ADVICE
#undef WITHOUT_UNSPECIFIED
};

static std::string_view adviceOn(const twFinding &finding) {
  const std::string_view file = finding.place.file ? finding.place.file : "";
  if (file.ends_with(".py") || file.ends_with(">")) // <ipython-input-1-...>
    for (const Advice &advice : cutileAdvice)
      if (advice.rule == finding.rule)
        return advice.text;
  return finding.help;
}

//===-- Findings ----------------------------------------------------------------------------===//

namespace {
/// Collects the text of all findings of a launch, so that output of other launches is not
/// interleaved.
class Telling {
public:
  void add(const twFinding &finding);
  void countMore(int64_t more) { errors += "... and " + std::to_string(more) + " more\n"; }
  void write() const {
    std::fputs(asserts.c_str(), stdout);
    std::fputs((errors + help).c_str(), stderr);
  }
  std::string withoutHelp() const { return asserts + errors; }

private:
  void addHelp(const twFinding &finding);

  std::string asserts, errors, help;
  std::vector<std::string> advised;
};
} // namespace

void Telling::add(const twFinding &finding) {
  const bool isAssert = finding.kind == TW_FAILED_ASSERT;
  (isAssert ? asserts : errors) += std::string(finding.text) + "\n";
  // A failed assertion has no help: its own message must explain it.
  if (!isAssert)
    addHelp(finding);
}

/// Adds each check's help text once.
void Telling::addHelp(const twFinding &finding) {
  const std::string_view advice = adviceOn(finding);
  if (advice.empty() || std::ranges::find(advised, finding.rule) != advised.end())
    return;
  advised.emplace_back(finding.rule);
  help += "help: " + advised.back() + ": " + std::string(advice) + "\n";
}

//===-- Findings for clients that display them ----------------------------------------------===//

namespace {
struct Kept {
  std::mutex mutex;
  bool isAskedFor = false;
  std::string text;
};
} // namespace

static Kept &kept() {
  static auto *const kept = new Kept;
  return *kept;
}

static void keep(const std::string &text) {
  std::lock_guard lock(kept().mutex);
  if (kept().isAskedFor)
    kept().text += text;
}

/// Returns the findings of launches since the previous call, even if there was a synchronisation in
/// between. The first call starts the recording. The text is valid until this thread calls again.
TW_DRIVER_API const char *twCudaFindings() {
  static thread_local std::string taken;
  std::lock_guard lock(kept().mutex);
  kept().isAskedFor = true;
  taken = std::exchange(kept().text, {});
  return taken.c_str();
}

//===-- Findings of a launch ----------------------------------------------------------------===//

void tilewright::cuda::tellFindings(const twLaunchHandle *launch, twStatus status,
                                    const twDiagnostics *diagnostics) {
  const size_t count = api().twLaunchFindingCount(launch);
  Telling telling;
  bool isWrong = false;
  for (size_t i = 0; i < count; ++i) {
    twFinding finding = {};
    finding.size = sizeof finding;
    api().twLaunchFinding(launch, i, &finding);
    telling.add(finding);
    if (finding.severity == TW_ERROR) {
      isWrong = true;
      leaveError(errorOf(finding));
    }
  }
  if (const int64_t more = api().twLaunchUnlistedFindings(launch))
    telling.countMore(more);
  telling.write();
  if (isWrong)
    keep(telling.withoutHelp());
  if (status != TW_SUCCESS && count == 0) {
    const std::string why = api().twDiagnosticsText(diagnostics);
    keep(why);
    leaveError(complain(CUDA_ERROR_LAUNCH_FAILED, why));
  }
}
