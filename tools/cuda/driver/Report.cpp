// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Report.h. All processes of a command write to the same files: each merges its results into
// the file, which is replaced atomically under a lock on its folder.

#include "tools/cuda/driver/Report.h"
#include "tools/cuda/driver/Compiler.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

using namespace tilewright::cuda;
namespace fs = std::filesystem;

namespace {
struct Reports {
  /// A forked process starts with an empty report.
  std::atomic<twReport *> report = nullptr;
  /// Locked while reports are written.
  std::mutex mutex;
  size_t findingsWritten = 0;
};

/// The exit status to set if the process would otherwise exit with 0.
std::atomic<int> failedStatus = 0;
std::atomic<int> exitStatus = 0;
} // namespace

static Reports &reports() {
  static auto *const reports = new Reports;
  return *reports;
}

twReport *tilewright::cuda::currentReport() { return reports().report; }

//===-- Files -------------------------------------------------------------------------------===//

namespace {
/// Locks a folder against other processes while it lives.
class FolderLock {
public:
  explicit FolderLock(const fs::path &folder)
      : descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
      ;
  }
  ~FolderLock() {
    if (descriptor >= 0)
      close(descriptor);
  }
  FolderLock(const FolderLock &) = delete;

private:
  int descriptor;
};
} // namespace

/// Empty if the file does not exist.
static std::string contentsOf(const fs::path &file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Replaces a file atomically. Returns an error message, or an empty string.
static std::string replace(const fs::path &file, const char *text) {
  fs::path temporary = file;
  temporary += "." + std::to_string(getpid());
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream)
    fs::rename(temporary, file, error);
  if (stream && !error)
    return "";
  std::string why = error ? error.message() : std::strerror(errno);
  fs::remove(temporary, error);
  return why;
}

/// Merges this process's results into the file.
static void write(const std::string &name, twReportForm form) {
  const fs::path file = name;
  const FolderLock lock(file.has_parent_path() ? file.parent_path() : fs::path("."));
  char *text = nullptr;
  twDiagnostics *diagnostics = nullptr;
  std::string why;
  if (api().twReportToText(currentReport(), form, contentsOf(file).c_str(), &text, &diagnostics) ==
      TW_SUCCESS)
    why = replace(file, text);
  else
    why = api().twDiagnosticsText(diagnostics);
  api().twFree(text);
  api().twDiagnosticsDestroy(diagnostics);
  if (why.empty())
    return;
  reportError(CUDA_ERROR_UNKNOWN, name + ": cannot write the report: " + why);
  failedStatus = 2;
}

static void writeFindings() {
  const Settings &settings = state().settings;
  if (!settings.jsonReport.empty())
    write(settings.jsonReport, TW_REPORT_JSON);
  if (!settings.sarifReport.empty())
    write(settings.sarifReport, TW_REPORT_SARIF);
}

static void writeCoverage() {
  const std::string &file = state().settings.coverage;
  if (!file.empty())
    write(file, file.ends_with(".json")   ? TW_COVERAGE_JSON
                : file.ends_with(".info") ? TW_COVERAGE_LCOV
                                          : TW_COVERAGE_TEXT);
}

void tilewright::cuda::updateReports() {
  if (!currentReport())
    return;
  std::lock_guard lock(reports().mutex);
  const size_t count = api().twReportFindingCount(currentReport());
  if (count == reports().findingsWritten)
    return;
  reports().findingsWritten = count;
  writeFindings();
}

TW_DRIVER_API CUresult cuGetErrorName(CUresult error, const char **name);

//===-- Process exit ------------------------------------------------------------------------===//

/// Handlers run in reverse order of registration, so the library still exists. If a compilation for
/// a disconnected client is still running, the process ends here, before the library is destroyed.
static void finish(int status, void *) {
  exitStatus = status;
  const bool isIdle = stopCompiler();
  if (currentReport()) {
    std::lock_guard lock(reports().mutex);
    writeFindings();
    writeCoverage();
  }
  if (const CUresult error = takeError()) {
    const char *name = nullptr;
    cuGetErrorName(error, &name);
    reportError(error, std::string("the process ends without a synchronisation since a kernel "
                                   "failed: ") +
                           name);
    failedStatus = 1;
  }
  if (!isIdle) {
    std::fflush(nullptr);
    _exit(status != 0 ? status : failedStatus.load());
  }
}

/// Destructors run after all exit handlers; at this point the exit status can still be changed.
__attribute__((destructor)) static void endWithStatus() {
  if (exitStatus != 0 || failedStatus == 0)
    return;
  std::fflush(nullptr);
  _exit(failedStatus);
}

/// False if reports were requested but the library cannot be loaded.
static bool makeReport() {
  const Settings &settings = state().settings;
  if (settings.jsonReport.empty() && settings.sarifReport.empty() && settings.coverage.empty())
    return true;
  if (!findApi())
    return false;
  reports().report = api().twReportCreate(settings.coverage.empty() ? 0 : TW_REPORT_COVERAGE);
  return true;
}

/// The parent reports its own results. Locks may have been held by other threads of the parent.
static void resetAfterFork() {
  state().pendingError = CUDA_SUCCESS;
  failedStatus = 0;
  new (&reports()) Reports;
  abandonCompiler();
  makeReport();
}

bool tilewright::cuda::startReports() {
  pthread_atfork(pauseCompiler, resumeCompiler, resetAfterFork);
  return makeReport();
}

void tilewright::cuda::reportAtEnd() { on_exit(finish, nullptr); }
