// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See State.h. Error names, and error messages.

#include "tools/cuda/driver/State.h"

#include <cstdio>
#include <set>

using namespace tilewright::cuda;

State &tilewright::cuda::state() {
  static State *const state = new State;
  return *state;
}

//===-- Errors ------------------------------------------------------------------------------===//

namespace {
struct ErrorText {
  CUresult error;
  const char *name, *text;
};
} // namespace

#define ERROR(name, text) {name, #name, text}
static constexpr ErrorText errorTexts[] = {
    ERROR(CUDA_SUCCESS, "no error"),
    ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    ERROR(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    ERROR(CUDA_ERROR_DEINITIALIZED, "driver shutting down"),
    ERROR(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    ERROR(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    ERROR(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    ERROR(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    ERROR(CUDA_ERROR_MAP_FAILED, "mapping of buffer object failed"),
    ERROR(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    ERROR(CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    ERROR(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    ERROR(CUDA_ERROR_NOT_READY, "device not ready"),
    ERROR(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    ERROR(CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
    ERROR(CUDA_ERROR_ASSERT, "device-side assert triggered"),
    ERROR(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
          "part or all of the requested memory range is already mapped"),
    ERROR(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
          "pointer does not correspond to a registered memory region"),
    ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    ERROR(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    ERROR(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
          "operation not permitted when stream is capturing"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
          "operation failed due to a previous error during capture"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_MERGE,
          "operation would result in a merge of separate capture sequences"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
          "capture was not ended in the same stream as it began"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "capturing stream has unjoined work"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
          "dependency created on uncaptured work in another stream"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
          "operation would make the legacy stream depend on a capturing blocking stream"),
    ERROR(CUDA_ERROR_CAPTURED_EVENT,
          "operation not permitted on an event last recorded in a capturing stream"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
          "attempt to terminate a thread-local capture sequence from another thread"),
    ERROR(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
          "the graph update was not performed because it included changes which violated "
          "constraints specific to instantiated graph update"),
    ERROR(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef ERROR

static const ErrorText *textOf(CUresult error) {
  for (const ErrorText &row : errorTexts)
    if (row.error == error)
      return &row;
  return nullptr;
}

TW_DRIVER_API CUresult cuGetErrorString(CUresult error, const char **text) {
  const ErrorText *row = textOf(error);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = row ? row->text : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

TW_DRIVER_API CUresult cuGetErrorName(CUresult error, const char **name) {
  const ErrorText *row = textOf(error);
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = row ? row->name : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult tilewright::cuda::reportError(CUresult error, const std::string &what) {
  std::fflush(stdout);
  const bool isEnded = !what.empty() && what.back() == '\n';
  std::fprintf(stderr, "tilewright: libcuda: %s%s", what.c_str(), isEnded ? "" : "\n");
  return error;
}

CUresult tilewright::cuda::notSupported(const std::string &name) {
  static std::mutex mutex;
  static auto *const known = new std::set<std::string>;
  std::lock_guard lock(mutex);
  if (!known->insert(name).second)
    return CUDA_ERROR_NOT_SUPPORTED;
  return reportError(CUDA_ERROR_NOT_SUPPORTED, name + " is not supported");
}

void tilewright::cuda::setPendingError(CUresult error) {
  int none = CUDA_SUCCESS;
  state().pendingError.compare_exchange_strong(none, error);
}
