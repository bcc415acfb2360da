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

static std::string_view helpFor(const twFinding &finding) {
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
class FindingsText {
public:
  void add(const twFinding &finding);
  void addUnlisted(int64_t more) { errors += "... and " + std::to_string(more) + " more\n"; }
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

void FindingsText::add(const twFinding &finding) {
  const bool isAssert = finding.kind == TW_FAILED_ASSERT;
  (isAssert ? asserts : errors) += std::string(finding.text) + "\n";
  // A failed assertion has no help: its own message must explain it.
  if (!isAssert)
    addHelp(finding);
}

/// Adds each check's help text once.
void FindingsText::addHelp(const twFinding &finding) {
  const std::string_view advice = helpFor(finding);
  if (advice.empty() || std::ranges::find(advised, finding.rule) != advised.end())
    return;
  advised.emplace_back(finding.rule);
  help += "help: " + advised.back() + ": " + std::string(advice) + "\n";
}

//===-- Findings for clients that display them ----------------------------------------------===//

namespace {
struct RecordedFindings {
  std::mutex mutex;
  bool isRecording = false;
  std::string text;
};
} // namespace

static RecordedFindings &recorded() {
  static auto *const recorded = new RecordedFindings;
  return *recorded;
}

static void record(const std::string &text) {
  std::lock_guard lock(recorded().mutex);
  if (recorded().isRecording)
    recorded().text += text;
}

/// Returns the findings of launches since the previous call, even if there was a synchronisation in
/// between. The first call starts the recording. The text is valid until this thread calls again.
TW_DRIVER_API const char *twCudaFindings() {
  static thread_local std::string taken;
  std::lock_guard lock(recorded().mutex);
  recorded().isRecording = true;
  taken = std::exchange(recorded().text, {});
  return taken.c_str();
}

//===-- Findings of a launch ----------------------------------------------------------------===//

void tilewright::cuda::reportFindings(const twLaunchHandle *launch, twStatus status,
                                      const twDiagnostics *diagnostics) {
  const size_t count = api().twLaunchFindingCount(launch);
  FindingsText text;
  bool hasError = false;
  for (size_t i = 0; i < count; ++i) {
    twFinding finding = {};
    finding.size = sizeof finding;
    api().twLaunchFinding(launch, i, &finding);
    text.add(finding);
    if (finding.severity == TW_ERROR) {
      hasError = true;
      setPendingError(errorOf(finding));
    }
  }
  if (const int64_t more = api().twLaunchUnlistedFindings(launch))
    text.addUnlisted(more);
  text.write();
  if (hasError)
    record(text.withoutHelp());
  if (status != TW_SUCCESS && count == 0) {
    const std::string why = api().twDiagnosticsText(diagnostics);
    record(why);
    setPendingError(reportError(CUDA_ERROR_LAUNCH_FAILED, why));
  }
}
