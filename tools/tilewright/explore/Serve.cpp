// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Serve.h. The main thread watches the files, a second one explores, and a third one serves.

#include "tools/tilewright/explore/Serve.h"
#include "Commands.h"
#include "tools/tilewright/explore/PageServer.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <future>
#include <map>
#include <set>
#include <thread>

using namespace tilewright;
using namespace tilewright::tools;

static constexpr std::chrono::milliseconds pollTime{100};

//===-- Files -------------------------------------------------------------------------------===//

namespace {
/// Detects that files have changed, by their times, sizes and identities: editors replace files or
/// write them in place.
class WatchedFiles {
public:
  void add(const std::string &file) { known.try_emplace(file, stateOf(file)); }
  /// Whether a file has changed since the last call. True only when all have been at rest for a
  /// moment, so that nobody reads half a file.
  bool haveChanged();
  /// The current state counts as known.
  void forget();

private:
  struct State {
    bool exists = false;
    llvm::sys::TimePoint<> time = {};
    uint64_t size = 0, inode = 0;
    bool operator==(const State &) const = default;
  };
  static State stateOf(const std::string &file);
  std::map<std::string, State> current() const;

  std::map<std::string, State> known, previous;
};
} // namespace

WatchedFiles::State WatchedFiles::stateOf(const std::string &file) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(file, status))
    return {};
  return {true, status.getLastModificationTime(), status.getSize(), status.getUniqueID().getFile()};
}

std::map<std::string, WatchedFiles::State> WatchedFiles::current() const {
  std::map<std::string, State> states;
  for (const auto &[file, state] : known)
    states[file] = stateOf(file);
  return states;
}

bool WatchedFiles::haveChanged() {
  std::map<std::string, State> now = current();
  const bool isAtRest = now == previous;
  previous = std::move(now);
  return isAtRest && previous != known;
}

void WatchedFiles::forget() { known = previous = current(); }

/// What the exploration has read: the programs, and the Python files that they name, which may be
/// relative to the program.
static void addFiles(WatchedFiles &files, const ExploreOptions &options,
                     const api::ExploredKernel &kernel) {
  files.add(options.file);
  if (!options.otherFile.empty())
    files.add(options.otherFile);
  if (!options.sources)
    return;
  for (const std::string &name : kernel.files) {
    files.add(name);
    for (const std::string &program : {options.file, options.otherFile}) {
      llvm::SmallString<128> beside = llvm::sys::path::parent_path(program);
      llvm::sys::path::append(beside, name);
      if (!program.empty() && llvm::sys::path::is_relative(name))
        files.add(std::string(beside));
    }
  }
}

//===-- The loop ----------------------------------------------------------------------------===//

/// Set by Ctrl-C. A second one ends the program at once: LLVM calls the function only once.
static std::atomic<bool> isStopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// Explores while the files stay as they are; none if it was cancelled.
static std::optional<Exploration> exploreUnlessChanged(const ExploreOptions &options,
                                                       WatchedFiles &files) {
  std::atomic<bool> cancelled = false;
  auto running = std::async(std::launch::async, [&] { return explore(options, &cancelled); });
  while (running.wait_for(pollTime) != std::future_status::ready)
    if (isStopped || files.haveChanged())
      cancelled = true;
  Exploration explored = running.get();
  if (cancelled)
    return std::nullopt;
  return explored;
}

static ServedState stateAfter(ServedState state, Exploration explored) {
  state.isRunning = false;
  state.error = std::nullopt;
  if (explored.failure.empty())
    state.json = std::move(explored.kernel.json);
  else
    state.error = std::move(explored.failure);
  return state;
}

static void exploreUntilStopped(const ExploreOptions &options, PageServer &server) {
  ServedState state;
  WatchedFiles files;
  addFiles(files, options, {});
  while (!isStopped) {
    state.isRunning = true;
    server.show(state);
    files.forget();
    std::optional<Exploration> explored = exploreUnlessChanged(options, files);
    if (!explored)
      continue;
    addFiles(files, options, explored->kernel);
    state = stateAfter(std::move(state), *std::move(explored));
    server.show(state);
    while (!isStopped && !files.haveChanged())
      std::this_thread::sleep_for(pollTime);
  }
}

int tools::serve(const ExploreOptions &options, uint16_t port) {
  support::Result<std::unique_ptr<PageServer>> server = PageServer::start(port);
  if (!server) {
    llvm::errs() << "tilewright explore: --serve: " << server.failure().message << "\n";
    return ExitUsage;
  }
  isStopped = false;
  llvm::sys::SetInterruptFunction([] { isStopped = true; });
  llvm::errs() << "tilewright explore: http://127.0.0.1:" << (*server)->port()
               << "/ (Ctrl-C stops)\n";
  exploreUntilStopped(options, **server);
  llvm::sys::SetInterruptFunction(nullptr);
  return ExitSuccess;
}
