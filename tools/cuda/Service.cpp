// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Service.h. The sockets are in Linux's abstract namespace: no files, and gone with the
// process.

#include "tools/cuda/Service.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

using namespace tilewright;
using namespace tilewright::cuda;

//===-- Sockets -----------------------------------------------------------------------------===//

/// Shuts down first: a forked process may hold a copy of the descriptor, and the peer must notice.
Socket::~Socket() {
  if (descriptor < 0)
    return;
  shutdown(descriptor, SHUT_RDWR);
  close(descriptor);
}
Socket::Socket(Socket &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}

namespace {
struct Address {
  explicit Address(pid_t server) {
    // A leading 0 byte means the abstract namespace.
    const std::string name =
        "tilewright/tileiras/" + std::to_string(getuid()) + "/" + std::to_string(server);
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    size = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  const sockaddr *pointer() const { return reinterpret_cast<const sockaddr *>(&address); }

  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  socklen_t size;
};
} // namespace

static Socket makeSocket(int flags = 0) {
  return Socket(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

Socket cuda::listenFor(pid_t server) {
  constexpr int waiting = 64;
  const Address address(server);
  Socket made = makeSocket();
  if (made && bind(made.number(), address.pointer(), address.size) == 0 &&
      listen(made.number(), waiting) == 0)
    return made;
  return Socket();
}

/// Another process may have taken the name, and may never accept. So this does not wait before the
/// peer is verified; connecting succeeds at once, or fails with EAGAIN if the queue is full.
Socket cuda::connectTo(pid_t server) {
  const Address address(server);
  Socket made = makeSocket(SOCK_NONBLOCK);
  if (made && connect(made.number(), address.pointer(), address.size) == 0 &&
      peerOf(made) == server && fcntl(made.number(), F_SETFL, 0) == 0)
    return made;
  return Socket();
}

pid_t cuda::peerOf(const Socket &connection) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (getsockopt(connection.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
      peer.uid != getuid())
    return 0;
  return peer.pid;
}

//===-- Messages ----------------------------------------------------------------------------===//

/// A message is a sequence of texts, each preceded by its length.
static bool sendAll(const Socket &connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(connection.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(size_t(count < 0 ? 0 : count));
  }
  return true;
}

static bool receiveAll(const Socket &connection, char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = recv(connection.number(), bytes, size, 0);
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
    bytes += count < 0 ? 0 : count;
    size -= size_t(count < 0 ? 0 : count);
  }
  return true;
}

static void append(std::string &message, std::string_view text) {
  const uint64_t size = text.size();
  message.append(reinterpret_cast<const char *>(&size), sizeof size);
  message.append(text);
}

static bool receive(const Socket &connection, std::string &text) {
  constexpr uint64_t largest = uint64_t(1) << 31;
  uint64_t size = 0;
  if (!receiveAll(connection, reinterpret_cast<char *>(&size), sizeof size) || size > largest)
    return false;
  text.resize(size);
  return receiveAll(connection, text.data(), size);
}

/// Encodes optimisation level, debug information, verification only.
static std::string flagsOf(const Program &program) {
  return {char('0' + program.optimization), program.debugInfo ? 'g' : '-',
          program.verifiesOnly ? 'v' : '-'};
}

bool cuda::send(const Socket &connection, const std::string &build, const Program &program) {
  std::string message;
  append(message, build);
  append(message, flagsOf(program));
  append(message, program.name);
  append(message, program.bytes);
  return sendAll(connection, message);
}

std::optional<Request> cuda::receiveRequest(const Socket &connection) {
  Request request;
  std::string flags;
  if (!receive(connection, request.build) || !receive(connection, flags) ||
      !receive(connection, request.program.name) || !receive(connection, request.bytes) ||
      flags.size() != 3)
    return std::nullopt;
  request.program.optimization = uint32_t(flags[0] - '0');
  request.program.debugInfo = flags[1] == 'g';
  request.program.verifiesOnly = flags[2] == 'v';
  return request;
}

/// How a message names the kinds of answers: compiled, invalid, failed.
static constexpr char kinds[] = "cif";

bool cuda::send(const Socket &connection, const Answer &answer) {
  std::string message;
  append(message, {&kinds[answer.kind], 1});
  append(message, answer.text);
  return sendAll(connection, message);
}

std::optional<Answer> cuda::receiveAnswer(const Socket &connection) {
  std::string kind, text;
  if (!receive(connection, kind) || !receive(connection, text))
    return std::nullopt;
  for (Answer::Kind known : {Answer::Compiled, Answer::Invalid, Answer::Failed})
    if (kind == std::string(1, kinds[known]))
      return Answer{known, std::move(text)};
  return std::nullopt;
}
