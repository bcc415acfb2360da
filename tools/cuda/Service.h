// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol by which tileiras has its parent process compile a program. A client that loads the
// driver library also starts tileiras for every kernel, and both need Tilewright's library, which
// takes long to load. The driver library has it loaded, and serves the tileiras processes of its
// own process on a socket: one request, one answer.
//
// If there is no server, tileiras compiles by itself, with the same result.

#ifndef TILEWRIGHT_TOOLS_CUDA_SERVICE_H
#define TILEWRIGHT_TOOLS_CUDA_SERVICE_H

#include "tools/cuda/Compile.h"

#include <optional>
#include <sys/types.h>

namespace tilewright::cuda {

/// An open socket, or -1. Closing it also ends the connection for the peer.
class Socket {
public:
  explicit Socket(int descriptor = -1) : descriptor(descriptor) {}
  ~Socket();
  Socket(Socket &&other) noexcept;
  Socket &operator=(Socket &&) = delete;

  explicit operator bool() const { return descriptor >= 0; }
  int number() const { return descriptor; }

private:
  int descriptor;
};

/// The listening socket of a serving process; not open if that is not possible.
Socket listenFor(pid_t server);
/// Connects to a serving process; not open if it does not serve.
Socket connectTo(pid_t server);
/// The process at the other end; 0 if unknown or of another user.
pid_t peerOf(const Socket &connection);

struct Request {
  /// The build ID of the library (Api.h).
  std::string build;
  /// Its `bytes` member refers to `bytes` below.
  Program program;
  std::string bytes;
};

/// Return false if the connection has ended.
bool send(const Socket &connection, const std::string &build, const Program &program);
bool send(const Socket &connection, const Answer &answer);

/// Return none if the connection has ended, or the message is malformed.
std::optional<Request> receiveRequest(const Socket &connection);
std::optional<Answer> receiveAnswer(const Socket &connection);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_SERVICE_H
