// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs launches of `cuda.tile.jax` on XLA's CPU platform. cuda-tile brings a handler for XLA's
// foreign function interface, which launches through this library. It asks XLA for the CUDA stream
// of the call, which does not exist on a CPU. The handler here wraps it: it forwards each call with
// a table of functions that returns the default stream. There is no later synchronisation, so a
// kernel error becomes the error of the call.
//
// The layouts are those of XLA's public C header, xla/ffi/api/c_api.h, as far as they are needed.

#include "tools/cuda/driver/State.h"

#include <algorithm>
#include <cstring>
#include <string>

using namespace tilewright::cuda;

TW_DRIVER_API CUresult cuInit(unsigned flags);
TW_DRIVER_API CUresult cuGetErrorString(CUresult error, const char **text);

namespace {
struct ErrorArguments {
  size_t size;
  void *extension;
  const char *message;
  int code;
};
struct StreamArguments {
  size_t size;
  void *extension;
  void *context;
  void *stream;
};
using Error = void;

/// The function table up to the function for streams. Newer versions append to it.
struct Api {
  size_t size;
  void *extension;
  struct {
    size_t size;
    void *extension;
    int major, minor;
  } version;
  const void *internal;
  Error *(*createError)(ErrorArguments *);
  void *getMessage, *destroyError, *registerHandler;
  Error *(*getStream)(StreamArguments *);
};
static_assert(offsetof(Api, getStream) == 80);

struct Call {
  size_t size;
  void *extension;
  const Api *api;
  void *context;
  int stage;
};
using Handler = Error *(Call *);
} // namespace

static constexpr int execute = 3, internal = 13; // a stage, and a code of an error

static std::atomic<Handler *> clientsHandler = nullptr;

static Error *returnDefaultStream(StreamArguments *arguments) {
  arguments->stream = nullptr;
  return nullptr;
}

/// A copy of the table, with space for the functions of newer versions.
namespace {
struct ApiWithStream {
  alignas(Api) char bytes[1024];
  explicit ApiWithStream(const Api &from) {
    const size_t size = std::min(from.size, sizeof bytes);
    std::memcpy(bytes, &from, size);
    std::memcpy(bytes + offsetof(Api, size), &size, sizeof size);
    const auto getStream = &returnDefaultStream;
    std::memcpy(bytes + offsetof(Api, getStream), &getStream, sizeof getStream);
  }
  const Api *get() const { return reinterpret_cast<const Api *>(bytes); }
};
} // namespace

static Error *toXlaError(const Api &api, CUresult error) {
  const char *text = nullptr;
  cuGetErrorString(error, &text);
  const std::string message = std::string("CUDA error: ") + (text ? text : "unknown error") +
                              "; see standard error for the findings";
  ErrorArguments arguments = {sizeof arguments, nullptr, message.c_str(), internal};
  return api.createError(&arguments);
}

static Error *handle(Call *call) {
  Handler *inner = clientsHandler;
  const Api *api = call->api;
  if (!api || api->size < sizeof(Api))
    return inner(call); // a query about the handler itself
  const ApiWithStream withStreams(*api);
  call->api = withStreams.get();
  Error *result = inner(call);
  call->api = api;
  if (result || call->stage != execute)
    return result;
  const CUresult error = takeError();
  return error ? toXlaError(*api, error) : nullptr;
}

/// The handler for CPUs, which wraps the client's handler; a process has only one. Null if the
/// library cannot be initialised.
TW_DRIVER_API Handler *twCudaXlaHandler(Handler *client) {
  if (cuInit(0))
    return nullptr;
  clientsHandler = client;
  return &handle;
}
