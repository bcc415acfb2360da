// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Program.h. Most of what can fail is a Failure that a command reports. Here is what no
// command sees: a stream that is written to from many places, signals, and memory that runs out
// where LLVM allocates.

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

/// Wrong usage, or something that cannot be read or written.
static constexpr int exitUnusable = 2;

//===-- Memory ------------------------------------------------------------------------------===//

static const char *programName = "tilewright";

/// Allocates nothing.
static void reportNoMemory() {
  for (const char *text : {programName, ": out of memory\n"})
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
      return;
}

/// Where nobody can catch an exception: in other threads, in LLVM.
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
    } catch (...) { // an error of ours
    }
  }
  std::abort();
}

static void catchLackOfMemory() {
  llvm::install_bad_alloc_error_handler(onLlvmWithoutMemory);
  std::set_terminate(onTerminate);
}

//===-- Standard streams and signals --------------------------------------------------------===//

/// A file that is opened while standard output is closed would get its number, and what the
/// program prints. Here writing fails instead.
static void occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// LLVM removes temporary files when a signal ends the program. A broken pipe ends it like any
/// other program, unless whoever started it ignores that; then writing fails. So it does beyond
/// the limit on the size of files.
static void handleSignals() {
  struct sigaction pipe;
  if (sigaction(SIGPIPE, nullptr, &pipe) == 0 && pipe.sa_handler == SIG_DFL)
    llvm::sys::SetOneShotPipeSignalFunction([] { std::raise(SIGPIPE); });
  // LLVM registers its handlers together, so this one comes after a file was in its list.
  llvm::sys::RemoveFileOnSignal("");
  llvm::sys::DontRemoveFileOnSignal("");
  std::signal(SIGXFSZ, SIG_IGN);
}

/// Whether all that was written to the stream arrived. LLVM ends the program with another status
/// when a stream is destroyed whose error nobody has asked for.
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

/// LLVM's parser of options ends the program itself after --help.
static void onExit() {
  if (!arrived(llvm::outs(), "standard output"))
    _exit(exitUnusable);
}

/// Runs before the streams are destroyed, because they are made first.
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
  } catch (const std::length_error &) { // a container beyond what can be addressed
    reportNoMemory();
  }
  if (!arrived(llvm::outs(), "standard output"))
    return exitUnusable;
  // Without the messages, the status of a failure still tells which one it was.
  return arrived(llvm::errs(), "standard error") || status != 0 ? status : exitUnusable;
}
