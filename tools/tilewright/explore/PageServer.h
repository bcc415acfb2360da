// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serves one page over HTTP to browsers on this machine. A page that is open learns of changes: it
// asks for the state, and the answer waits for the next change.
//
//     /                  the page
//     /state?after=N     {"version": M, "page": ID, "running": BOOL, "error": TEXT or null},
//                        as soon as M is not N, or after some seconds
//
// It accepts connections from this machine only, and requests that name it as 127.0.0.1, [::1] or
// localhost: a website whose name resolves to 127.0.0.1 cannot read the page. The port in the name
// does not matter, since it may be a forwarded one.

#ifndef TILEWRIGHT_TOOLS_PAGESERVER_H
#define TILEWRIGHT_TOOLS_PAGESERVER_H

#include "tilewright/support/Result.h"

#include <memory>
#include <optional>

namespace tilewright::tools {

/// What the page shows.
struct ServedState {
  /// The document of the last successful exploration; empty before.
  std::string json;
  /// Why the last exploration failed.
  std::optional<std::string> error;
  bool isRunning = true;
};

class PageServer {
public:
  /// Serves from now on, in a thread of its own. Port 0: any free one.
  static support::Result<std::unique_ptr<PageServer>> start(uint16_t port);
  /// Closes all connections.
  ~PageServer();
  PageServer(const PageServer &) = delete;
  PageServer &operator=(const PageServer &) = delete;

  uint16_t port() const;
  void show(ServedState state);

private:
  struct Implementation;
  explicit PageServer(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PAGESERVER_H
