// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Files.h.

#include "tools/cuda/Files.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

namespace {
/// An open file descriptor, or -1.
class File {
public:
  explicit File(int descriptor) : descriptor(descriptor) {}
  ~File() { close(); }
  File(const File &) = delete;

  bool isOpen() const { return descriptor >= 0; }
  int number() const { return descriptor; }
  /// False if written data may have been lost.
  bool close() {
    const int closed = std::exchange(descriptor, -1);
    return closed <= STDERR_FILENO || ::close(closed) == 0;
  }

private:
  int descriptor;
};

/// Blocks all blockable signals while it lives, so that they do not end the process.
class WithoutSignals {
public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
  }
  ~WithoutSignals() { sigprocmask(SIG_SETMASK, &before, nullptr); }
  WithoutSignals(const WithoutSignals &) = delete;

private:
  sigset_t before;
};
} // namespace

Result<std::string> cuda::readFile(const std::string &name) {
  const auto cannotRead = [&] { return Failure{name + ": error: " + std::strerror(errno)}; };
  File file(name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.isOpen())
    return cannotRead();
  std::string bytes;
  for (char block[1 << 16];;) {
    const ssize_t count = read(file.number(), block, sizeof block);
    if (count == 0)
      return bytes;
    if (count > 0)
      bytes.append(block, size_t(count));
    else if (errno != EINTR)
      return cannotRead();
  }
}

static bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(size_t(count < 0 ? 0 : count));
  }
  return true;
}

/// The permissions of new files in this process.
static mode_t defaultPermissions() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static bool stage(std::string &temporary, mode_t permissions, std::string_view bytes) {
  File file(mkostemp(temporary.data(), O_CLOEXEC));
  return file.isOpen() && fchmod(file.number(), permissions) == 0 &&
         writeAll(file.number(), bytes) && file.close();
}

Result<void> cuda::writeFile(const std::string &name, std::string_view bytes) {
  const auto cannotWrite = [&] {
    return Failure{(name == "-" ? "standard output" : name) +
                   ": cannot write: " + std::strerror(errno)};
  };
  struct stat status{};
  const bool exists = name == "-" || stat(name.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    File file(name == "-" ? STDOUT_FILENO : open(name.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen() || !writeAll(file.number(), bytes) || !file.close())
      return cannotWrite();
    return {};
  }
  if (exists && access(name.c_str(), W_OK) != 0)
    return cannotWrite();
  // A symbolic link is kept: the file that it points to is replaced.
  std::error_code error;
  const std::string target = exists ? std::filesystem::canonical(name, error).string() : name;
  std::string temporary = target + ".XXXXXX";
  const mode_t permissions = exists ? status.st_mode & 0777 : defaultPermissions();
  const WithoutSignals undisturbed;
  if (stage(temporary, permissions, bytes) && rename(temporary.c_str(), target.c_str()) == 0)
    return {};
  const Failure failure = cannotWrite();
  unlink(temporary.c_str());
  return failure;
}

void cuda::occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}
