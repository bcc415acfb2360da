// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does tileiras have a program compiled by the process that started it? A client that loads the
// driver library starts tileiras for every kernel, and both need Tilewright's library, which takes
// long to load. The driver library has it, and serves the tileiras of its process at a socket. What
// they say to each other is here: a request, and an answer.
//
// Where nobody serves, tileiras compiles by itself: the result is the same.

#ifndef TILEWRIGHT_TOOLS_CUDA_SERVICE_H
#define TILEWRIGHT_TOOLS_CUDA_SERVICE_H

#include "tools/cuda/Compile.h"

#include <optional>
#include <sys/types.h>

namespace tilewright::cuda {

/// An open socket, or -1. What it is connected to ends with it.
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

/// The end of a process that serves. Not open if that is not possible.
Socket listenFor(pid_t server);
/// To the process, if it serves.
Socket connectTo(pid_t server);
/// Of a connection: who is at its other end; 0 if that is not known, or another user.
pid_t peerOf(const Socket &connection);

struct Request {
  /// Of the library (Api.h).
  std::string build;
  /// Its bytes are those of `bytes`.
  Program program;
  std::string bytes;
};

/// False if the connection has ended.
bool send(const Socket &connection, const std::string &build, const Program &program);
bool send(const Socket &connection, const support::Result<std::string> &answer);

/// None if the connection has ended, or what arrived is something else.
std::optional<Request> receiveRequest(const Socket &connection);
std::optional<support::Result<std::string>> receiveAnswer(const Socket &connection);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_SERVICE_H
