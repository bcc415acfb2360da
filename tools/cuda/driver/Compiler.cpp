// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compiler.h. One thread accepts connections; each connection has its own thread, which
// compiles, because clients start several tileiras at a time.

#include "tools/cuda/driver/Compiler.h"
#include "tools/cuda/Service.h"
#include "tools/cuda/driver/State.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tilewright::cuda;
using tilewright::support::Failure;
using tilewright::support::Result;
namespace fs = std::filesystem;

//===-- The library -------------------------------------------------------------------------===//

/// The path of Tilewright's library, relative to this library's.
static fs::path library() {
  Dl_info info = {};
  std::error_code error;
  dladdr(reinterpret_cast<const void *>(&findApi), &info);
  return libraryFile(fs::canonical(info.dli_fname ? info.dli_fname : "", error).parent_path());
}

static void (*whenLoaded)() = [] {};

void tilewright::cuda::callWhenLoaded(void (*function)()) { whenLoaded = function; }

const Api *tilewright::cuda::findApi() {
  static const auto *const loaded = [] {
    auto *made = new Result<Api>(load(library()));
    if (*made)
      whenLoaded();
    else
      reportError(CUDA_ERROR_UNKNOWN, made->failure().message);
    return made;
  }();
  return *loaded ? &**loaded : nullptr;
}

//===-- Serving -----------------------------------------------------------------------------===//

namespace {
/// The compilations that are running for other processes.
struct Work {
  std::mutex mutex;
  std::condition_variable ended;
  /// The descriptors of the connections to the processes that wait.
  std::vector<int> clients;
  bool isStopped = false;
  /// The socket on which this process listens, or -1.
  std::atomic<int> listening = -1;
};
} // namespace

static Work &work() {
  static auto *const work = new Work;
  return *work;
}

namespace {
/// Registers a running compilation while it lives, unless compilations have been stopped.
class Compilation {
public:
  explicit Compilation(const Socket &connection) : client(connection.number()) {
    std::lock_guard lock(work().mutex);
    isAllowed = !work().isStopped;
    if (isAllowed)
      work().clients.push_back(client);
  }
  ~Compilation() {
    std::lock_guard lock(work().mutex);
    std::erase(work().clients, client);
    work().ended.notify_all();
  }
  Compilation(const Compilation &) = delete;

  explicit operator bool() const { return isAllowed; }

private:
  int client;
  bool isAllowed;
};
} // namespace

static bool isConnected(int client) {
  pollfd one = {client, 0, 0};
  return poll(&one, 1, 0) != 1 || !(one.revents & POLLHUP);
}

/// Waits until no connected client waits for a compilation. Clients that have disconnected, such as
/// a killed tileiras, do not count.
static void waitForConnectedClients(std::unique_lock<std::mutex> &lock) {
  constexpr std::chrono::milliseconds interval(20);
  while (std::ranges::any_of(work().clients, isConnected))
    work().ended.wait_for(lock, interval);
}

/// 0 if there is no such process.
static pid_t parentOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  // The program's name is in parentheses and may contain any character.
  const size_t behindName = line.rfind(')');
  if (behindName == std::string::npos || line.size() < behindName + 4)
    return 0;
  return pid_t(std::strtol(line.c_str() + behindName + 4, nullptr, 10));
}

static std::optional<Answer> compileUnlessStopped(const Socket &connection,
                                                  const Program &program) {
  const Compilation running(connection);
  if (!running)
    return std::nullopt;
  return compile(api(), program);
}

/// Does not answer a tileiras of another build or another parent, which then compiles by itself.
static void serve(const Socket &connection) {
  const pid_t client = peerOf(connection);
  if (!client || parentOf(client) != getpid())
    return;
  std::optional<Request> request = receiveRequest(connection);
  const Result<std::string> build = buildOf(library());
  if (!request || !build || request->build != *build || request->program.optimization > 3)
    return;
  request->program.bytes = request->bytes;
  if (const std::optional<Answer> answer = compileUnlessStopped(connection, request->program))
    send(connection, *answer);
}

/// Starts a thread with all signals blocked. If that fails for lack of threads or memory, tileiras
/// compiles by itself.
template <typename Body> static void startThread(Body body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([body = std::move(body)] {
      try {
        body();
      } catch (const std::bad_alloc &) {
      }
    }).detach();
  } catch (const std::system_error &) {
  } catch (const std::bad_alloc &) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

static void acceptAll(const Socket &listening) {
  for (;;) {
    const int descriptor = accept4(listening.number(), nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0 && errno != EINTR && errno != ECONNABORTED)
      return;
    if (descriptor >= 0)
      startThread([connection = Socket(descriptor)] { serve(connection); });
  }
}

void tilewright::cuda::startCompiler() {
  // At exit, wait for the library if it is still being loaded.
  std::atexit([] { findApi(); });
  startThread([listening = listenFor(getpid())] {
    work().listening = listening.number();
    if (findApi() && listening)
      acceptAll(listening);
    work().listening = -1;
  });
}

bool tilewright::cuda::stopCompiler() {
  std::unique_lock lock(work().mutex);
  work().isStopped = true;
  waitForConnectedClients(lock);
  return work().clients.empty();
}

void tilewright::cuda::pauseCompiler() {
  findApi();
  std::unique_lock lock(work().mutex);
  waitForConnectedClients(lock);
  lock.release();
}

void tilewright::cuda::resumeCompiler() { work().mutex.unlock(); }

/// After a fork: closes the inherited socket. The child does not accept connections, so clients
/// that connect would wait forever.
void tilewright::cuda::abandonCompiler() {
  if (const int listening = work().listening; listening >= 0)
    close(listening);
  for (int client : work().clients)
    close(client);
  new (&work()) Work;
}
