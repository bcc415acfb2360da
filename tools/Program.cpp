// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Program.h. Most errors are Failures, which a command reports. This file handles those that no
// command sees: lost output of streams that many places write to, signals, and failed allocations
// in LLVM.

#include "Program.h"
#include "tilewright/support/Version.h"
#include "tools/Color.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <unistd.h>

using namespace tilewright;

/// For wrong usage, and for input or output that cannot be read or written.
static constexpr int exitUnusable = 2;

//===-- Memory ------------------------------------------------------------------------------===//

static const char *programName = "tilewright";

/// Does not allocate.
static void reportNoMemory() {
  for (const char *text : {programName, ": out of memory\n"})
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
      return;
}

/// For allocation failures where no exception can be caught: on other threads, and in LLVM.
[[noreturn]] static void endWithoutMemory() {
  reportNoMemory();
  llvm::sys::RunInterruptHandlers(); // removes temporary files
  _exit(exitUnusable);
}

static void onLlvmWithoutMemory(void *, const char *, bool) { endWithoutMemory(); }

static void onTerminate() {
  if (std::exception_ptr exception = std::current_exception()) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::bad_alloc &) {
      endWithoutMemory();
    } catch (...) { // an exception thrown by our code
    }
  }
  std::abort();
}

static void catchLackOfMemory() {
  llvm::install_bad_alloc_error_handler(onLlvmWithoutMemory);
  std::set_terminate(onTerminate);
}

//===-- Standard streams and signals --------------------------------------------------------===//

/// If standard output is closed, the next opened file would get its descriptor, and the program's
/// output. This occupies the descriptor, so that writing fails instead.
static void occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Makes LLVM remove temporary files when a signal ends the program. SIGPIPE ends it as usual,
/// unless the parent process ignores the signal; then writing fails. Writing also fails beyond the
/// file size limit. SIGCHLD may be ignored by the parent process as well; then this process could
/// not wait for programs that it runs.
static void handleSignals() {
  struct sigaction pipe;
  if (sigaction(SIGPIPE, nullptr, &pipe) == 0 && pipe.sa_handler == SIG_DFL)
    llvm::sys::SetOneShotPipeSignalFunction([] { std::raise(SIGPIPE); });
  // LLVM registers all its handlers when the first file is added, so add and remove one now.
  llvm::sys::RemoveFileOnSignal("");
  llvm::sys::DontRemoveFileOnSignal("");
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
}

/// Whether everything written to the stream has arrived. If an error of a stream was not checked,
/// LLVM ends the program with another status when the stream is destroyed.
static bool arrived(llvm::raw_fd_ostream &stream, const char *name) {
  stream.flush();
  std::error_code error = stream.error();
  if (!error)
    return true;
  stream.clear_error();
  llvm::errs() << name << ": cannot write: " << error.message() << "\n";
  llvm::errs().clear_error();
  return false;
}

/// LLVM's option parser itself ends the program after --help.
static void onExit() {
  if (!arrived(llvm::outs(), "standard output"))
    _exit(exitUnusable);
}

/// The streams are created first, so the handler runs before they are destroyed.
static void checkStreamsOnExit() {
  (void)llvm::outs();
  (void)llvm::errs();
  std::atexit(onExit);
}

//===-- Version -----------------------------------------------------------------------------===//

std::string tools::versionLine() {
  return std::string(programName) + " " + support::version + " (Tile IR 13.1 to 13.5, LLVM " +
         LLVM_VERSION_STRING + ")";
}

static void printVersion(llvm::raw_ostream &out) { out << tools::versionLine() << "\n"; }

//===-- The program -------------------------------------------------------------------------===//

int tools::runProgram(const char *name, llvm::function_ref<int()> body) {
  programName = name;
  occupyStandardStreams();
  handleSignals();
  catchLackOfMemory();
  checkStreamsOnExit();
  chooseColors();
  llvm::cl::SetVersionPrinter(printVersion);
  int status = exitUnusable;
  try {
    status = body();
  } catch (const std::bad_alloc &) {
    reportNoMemory();
  } catch (const std::length_error &) { // a container larger than the address space
    reportNoMemory();
  }
  if (!arrived(llvm::outs(), "standard output"))
    return exitUnusable;
  // If only messages were lost, the failure's own status is more specific.
  return arrived(llvm::errs(), "standard error") || status != 0 ? status : exitUnusable;
}
