// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Relay.h. The server runs on the main thread, which has the largest stack; one thread per
// direction carries the messages. At the end, descriptors 0 and 1 are restored.

#include "Relay.h"
#include "tilewright/report/Json.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::editor;
using llvm::StringRef;
using support::Failure;
using support::Result;
namespace json = llvm::json;

namespace {
/// Replaces a standard stream by a pipe.
struct Detour {
  int standard = -1; ///< 0 or 1.
  int editor = -1;   ///< The original stream.
  int relay = -1;    ///< The end of the pipe that the server does not use.

  bool open(int descriptor);
  void close() const { dup2(editor, standard); }
};
} // namespace

bool Detour::open(int descriptor) {
  int ends[2];
  standard = descriptor;
  editor = dup(descriptor);
  if (editor < 0 || pipe(ends))
    return false;
  const int servers = descriptor == STDIN_FILENO ? 0 : 1;
  relay = ends[1 - servers];
  const bool isThere = dup2(ends[servers], descriptor) >= 0;
  ::close(ends[servers]);
  return isThere;
}

//===-- Messages ----------------------------------------------------------------------------===//

/// False if the reader has closed the stream.
static bool send(llvm::raw_fd_ostream &out, StringRef message) {
  out << "Content-Length: " << message.size() << "\r\n\r\n" << message;
  out.flush();
  const bool isSent = !out.has_error();
  out.clear_error();
  return isSent;
}

static std::string textOf(const json::Value &value, bool isPretty) {
  return isPretty ? llvm::formatv("{0:2}\n", value).str() : llvm::formatv("{0}", value).str();
}

/// Carries messages until the input ends. Malformed messages are passed on unchanged: the server
/// reports the error. Messages that would exhaust its stack are dropped.
static void carry(llvm::lsp::JSONTransportInput &in, llvm::raw_fd_ostream &out, bool isPretty,
                  llvm::function_ref<void(json::Object &)> see) {
  std::string text;
  while (!in.isEndOfInput() && !in.hasError()) {
    if (llvm::failed(in.readMessage(text)))
      continue;
    if (report::isTooDeepJson(text)) {
      llvm::errs() << "dropped a message: its brackets are nested deeper than "
                   << report::mostJsonLevels << " levels\n";
      continue;
    }
    Result<json::Value> message = report::parseJson(text);
    bool isLast = false;
    if (json::Object *object = message ? message->getAsObject() : nullptr) {
      isLast = object->getString("method") == "exit";
      see(*object);
      text = textOf(*message, isPretty);
    }
    if (!send(out, text) || isLast)
      return;
  }
}

//===-- The two directions ------------------------------------------------------------------===//

Result<int> editor::runBehindRelay(const Style &style, llvm::function_ref<int()> server) {
  const auto assistant = std::make_shared<Assistant>();
  Detour input, output;
  if (!input.open(STDIN_FILENO) || !output.open(STDOUT_FILENO))
    return Failure{std::string("cannot make a pipe: ") + std::strerror(errno)};

  std::thread fromEditor([assistant, style, editor = input.editor, relay = input.relay] {
    llvm::lsp::JSONTransportInputOverFile in(fdopen(editor, "r"), style.input);
    llvm::raw_fd_ostream out(relay, /*shouldClose=*/true);
    carry(in, out, /*isPretty=*/false,
          [&](json::Object &message) { assistant->fromEditor(message); });
  });
  std::thread fromServer([assistant, style, relay = output.relay, editor = output.editor] {
    llvm::lsp::JSONTransportInputOverFile in(fdopen(relay, "r"));
    llvm::raw_fd_ostream out(dup(editor), /*shouldClose=*/true);
    carry(in, out, style.isPretty, [&](json::Object &message) { assistant->fromServer(message); });
  });

  const int status = server();
  llvm::outs().flush();
  output.close(); // the end of the server's messages
  fromServer.join();
  // It ends after `exit`, or at the end of the editor's messages; if the server ended early, it may
  // block.
  fromEditor.detach();
  return status;
}
