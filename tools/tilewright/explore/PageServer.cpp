// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PageServer.h. One thread runs all of the server, so only `show` needs care: it posts to that
// thread.

#include "tools/tilewright/explore/PageServer.h"
#include "tilewright/api/explore/Page.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <boost/asio.hpp>
#include <boost/beast.hpp>

#include <chrono>
#include <thread>

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;
namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::beast::error_code;
using Tcp = asio::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;
namespace json = llvm::json;

/// How long a request or the answer may take on its way, and how long a request for the state
/// waits for a change.
static constexpr std::chrono::seconds longestTransfer{30}, longestWait{20};
/// In bytes.
static constexpr uint32_t longestHeader = 8192;

//===-- What is shown -----------------------------------------------------------------------===//

namespace {
class Session;

/// Used by the thread of the server only.
struct Shown {
  ServedState state;
  /// Changes with the state.
  uint64_t version = firstVersion();
  /// The version of which the page is.
  uint64_t page = 0;
  /// Sessions that wait for another version.
  std::vector<std::shared_ptr<Session>> waiting = {};

  /// An open page of an earlier server must see that this one shows another page.
  static uint64_t firstVersion() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return uint64_t(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  }

  void set(ServedState next);
  std::string pageText() const {
    return state.json.empty() ? api::waitingPage(page) : api::livePageOf(state.json, page);
  }
  std::string stateText() const;
};
} // namespace

std::string Shown::stateText() const {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(json::Object{
      {"version", int64_t(version)},
      {"page", int64_t(page)},
      {"running", state.isRunning},
      {"error", state.error ? json::Value(json::fixUTF8(*state.error)) : json::Value(nullptr)}});
  return text;
}

//===-- Requests ----------------------------------------------------------------------------===//

/// Whether `NAME[:PORT]` names this machine. A forwarded port has another number.
static bool isLocal(llvm::StringRef host) {
  const size_t colon = host.rfind(':');
  uint16_t port;
  if (colon != llvm::StringRef::npos && !host.drop_front(colon + 1).getAsInteger(10, port))
    host = host.take_front(colon);
  return llvm::any_of(std::array{"127.0.0.1", "[::1]", "localhost"},
                      [&](llvm::StringRef name) { return host.equals_insensitive(name); });
}

/// The answer to what is no request that this server can read; none if the connection has failed.
static std::optional<http::status> statusOf(error_code error) {
  if (error == http::error::header_limit)
    return http::status::request_header_fields_too_large;
  // The client ended the connection.
  if (error == http::error::end_of_stream || error == http::error::partial_message)
    return std::nullopt;
  const bool isOfHttp =
      error.category() == http::make_error_code(http::error::bad_method).category();
  return isOfHttp ? std::optional(http::status::bad_request) : std::nullopt;
}

namespace {
/// A connection. It lives as long as an operation of its own is pending, or while it waits for a
/// change.
class Session : public std::enable_shared_from_this<Session> {
public:
  Session(Tcp::socket socket, Shown &shown)
      : stream(std::move(socket)), timer(stream.get_executor()), shown(shown) {}

  void read();
  void answerState() {
    timer.cancel();
    respond(http::status::ok, "application/json", shown.stateText());
  }

private:
  void receive(error_code error);
  void answer();
  void answerStateAfter(boost::beast::string_view version);
  void respond(http::status status, const char *type, std::string body);
  void finish();
  void discard();

  boost::beast::tcp_stream stream;
  asio::steady_timer timer;
  boost::beast::flat_buffer buffer;
  std::optional<http::request_parser<http::empty_body>> parser;
  Response response;
  Shown &shown;
  /// The client may have sent what cannot be read.
  bool isLast = false;
};
} // namespace

void Session::read() {
  parser.emplace();
  parser->header_limit(longestHeader);
  stream.expires_after(longestTransfer);
  http::async_read(stream, buffer, *parser,
                   [self = shared_from_this()](error_code error, size_t) { self->receive(error); });
}

void Session::receive(error_code error) {
  // No request has a body, and what cannot be read may be of any length.
  isLast = bool(error);
  if (!error || error == http::error::unexpected_body)
    return answer();
  if (const std::optional<http::status> status = statusOf(error))
    respond(*status, "text/plain",
            *status == http::status::bad_request
                ? "This is no HTTP request: " + error.message() + ".\n"
                : "Expected headers of at most " + std::to_string(longestHeader) + " bytes.\n");
}

void Session::answer() {
  const Request &request = parser->get();
  const boost::beast::string_view target = request.target(), prefix = "/state?after=";
  const boost::beast::string_view host = request[http::field::host];
  if (!isLocal({host.data(), host.size()}))
    return respond(http::status::misdirected_request, "text/plain",
                   "This server answers only requests to 127.0.0.1, [::1] and localhost.\n");
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return respond(http::status::method_not_allowed, "text/plain", "Expected GET or HEAD.\n");
  if (target == "/")
    return respond(http::status::ok, "text/html; charset=utf-8", shown.pageText());
  if (target.starts_with(prefix))
    return answerStateAfter(target.substr(prefix.size()));
  respond(http::status::not_found, "text/plain", "There is only one page: /\n");
}

void Session::answerStateAfter(boost::beast::string_view version) {
  if (version != std::to_string(shown.version))
    return answerState();
  shown.waiting.push_back(shared_from_this());
  stream.expires_never();
  timer.expires_after(longestWait);
  timer.async_wait([self = shared_from_this()](error_code error) {
    // A change may have answered while this call was in the queue.
    if (error || !llvm::is_contained(self->shown.waiting, self))
      return;
    llvm::erase(self->shown.waiting, self);
    self->answerState();
  });
}

void Session::respond(http::status status, const char *type, std::string body) {
  const Request &request = parser->get();
  // What is no request has no version.
  response = Response(status, isLast ? 11 : request.version());
  response.set(http::field::content_type, type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Content-Security-Policy", "frame-ancestors 'none'");
  response.set("Referrer-Policy", "no-referrer");
  response.keep_alive(!isLast && request.keep_alive());
  response.content_length(body.size());
  if (request.method() != http::verb::head)
    response.body() = std::move(body);
  stream.expires_after(longestTransfer);
  http::async_write(stream, response, [self = shared_from_this()](error_code error, size_t) {
    if (!error)
      self->finish();
  });
}

/// A connection that is closed with unread data is reset, and the client may lose the answer.
void Session::finish() {
  if (response.keep_alive())
    return read();
  error_code error;
  stream.socket().shutdown(Tcp::socket::shutdown_send, error);
  stream.expires_after(longestTransfer);
  discard();
}

void Session::discard() {
  buffer.clear();
  stream.async_read_some(buffer.prepare(longestHeader),
                         [self = shared_from_this()](error_code error, size_t) {
                           if (!error)
                             self->discard();
                         });
}

void Shown::set(ServedState next) {
  const bool isNewPage = next.json != state.json;
  state = std::move(next);
  ++version;
  if (isNewPage)
    page = version;
  for (const std::shared_ptr<Session> &session : std::exchange(waiting, {}))
    session->answerState();
}

//===-- The server --------------------------------------------------------------------------===//

struct PageServer::Implementation {
  Result<void> listen(uint16_t port);
  void accept();
  void acceptLater();

  asio::io_context context{1};
  asio::steady_timer pause{context};
  Tcp::acceptor acceptor{context};
  uint16_t port = 0;
  Shown shown;
  std::thread thread;
};

Result<void> PageServer::Implementation::listen(uint16_t wanted) {
  const Tcp::endpoint endpoint(asio::ip::address_v4::loopback(), wanted);
  error_code error;
  // Connections of an earlier server may still be closing. It does not let two servers share a
  // port.
  const Tcp::acceptor::reuse_address reuse(true);
  if (!acceptor.open(endpoint.protocol(), error) && !acceptor.set_option(reuse, error) &&
      !acceptor.bind(endpoint, error))
    acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Failure{"127.0.0.1:" + std::to_string(wanted) + ": " + error.message()};
  port = acceptor.local_endpoint().port();
  return {};
}

void PageServer::Implementation::accept() {
  acceptor.async_accept([this](error_code error, Tcp::socket socket) {
    if (error == asio::error::operation_aborted)
      return;
    if (error)
      return acceptLater();
    std::make_shared<Session>(std::move(socket), shown)->read();
    accept();
  });
}

/// Too many files are open, for instance.
void PageServer::Implementation::acceptLater() {
  pause.expires_after(std::chrono::milliseconds(100));
  pause.async_wait([this](error_code error) {
    if (!error)
      accept();
  });
}

PageServer::PageServer(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

Result<std::unique_ptr<PageServer>> PageServer::start(uint16_t port) {
  auto implementation = std::make_unique<Implementation>();
  if (Result<void> listening = implementation->listen(port); !listening)
    return listening.failure();
  implementation->accept();
  implementation->thread = std::thread([&server = *implementation] { server.context.run(); });
  return std::unique_ptr<PageServer>(new PageServer(std::move(implementation)));
}

PageServer::~PageServer() {
  implementation->context.stop();
  implementation->thread.join();
  // The sessions own each other's last references: they end before the context.
  implementation->shown.waiting.clear();
}

uint16_t PageServer::port() const { return implementation->port; }

void PageServer::show(ServedState state) {
  asio::post(implementation->context,
             [&shown = implementation->shown, state = std::move(state)] { shown.set(state); });
}
