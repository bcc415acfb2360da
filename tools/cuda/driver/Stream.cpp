// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events. Work is done when it is enqueued, so that streams are always idle, and an
// event has its time when it is recorded. What went wrong is told when somebody synchronises.

#include "tools/cuda/driver/State.h"

#include <chrono>

using namespace tilewright::cuda;
using Clock = std::chrono::steady_clock;

struct CUevent_st {
  unsigned flags;
  std::mutex mutex = {};
  bool isRecorded = false;
  Clock::time_point time = {};
};

/// Events with this flag have no time.
static constexpr unsigned disableTiming = 2;

bool tilewright::cuda::isStream(CUstream stream) {
  if (!stream || stream == cuLegacyStream || stream == cuPerThreadStream)
    return true;
  std::lock_guard lock(state().mutex);
  return state().streams.contains(stream);
}

static bool isEvent(CUevent event) {
  std::lock_guard lock(state().mutex);
  return state().events.contains(event);
}

static bool isOwn(CUstream stream) {
  return stream && stream != cuLegacyStream && stream != cuPerThreadStream;
}

//===-- Streams -----------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) {
  if (!stream || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!currentContext())
    return CUDA_ERROR_INVALID_CONTEXT;
  *stream = new CUstream_st{currentContext(), state().nextId++, flags};
  std::lock_guard lock(state().mutex);
  state().streams.insert(*stream);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

TW_DRIVER_API CUresult cuStreamDestroy_v2(CUstream stream) {
  std::lock_guard lock(state().mutex);
  if (!state().streams.erase(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  delete stream;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  *context = isOwn(stream) ? stream->context : currentContext();
  return *context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

TW_DRIVER_API CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  *id = isOwn(stream) ? stream->id : stream == cuPerThreadStream ? 2 : 1;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  *flags = isOwn(stream) ? stream->flags : 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  if (!priority)
    return CUDA_ERROR_INVALID_VALUE;
  *priority = 0;
  return isStream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  if (!status)
    return CUDA_ERROR_INVALID_VALUE;
  *status = 0;
  return isStream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuStreamSynchronize(CUstream stream) {
  return isStream(stream) ? takeError() : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuStreamQuery(CUstream stream) { return cuStreamSynchronize(stream); }

TW_DRIVER_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return isStream(stream) && isEvent(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data) {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  function(data);
  return CUDA_SUCCESS;
}

//===-- Events ------------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuEventCreate(CUevent *event, unsigned flags) {
  if (!event)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  *event = new CUevent_st{flags};
  std::lock_guard lock(state().mutex);
  state().events.insert(*event);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuEventDestroy_v2(CUevent event) {
  std::lock_guard lock(state().mutex);
  if (!state().events.erase(event))
    return CUDA_ERROR_INVALID_HANDLE;
  delete event;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  if (!isEvent(event) || !isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(event->mutex);
  event->isRecorded = true;
  event->time = Clock::now();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return flags ? notSupported("cuEventRecordWithFlags with flags") : cuEventRecord(event, stream);
}

TW_DRIVER_API CUresult cuEventQuery(CUevent event) {
  return isEvent(event) ? takeError() : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuEventSynchronize(CUevent event) { return cuEventQuery(event); }

TW_DRIVER_API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to) {
  if (!milliseconds)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isEvent(from) || !isEvent(to))
    return CUDA_ERROR_INVALID_HANDLE;
  const auto timeOf = [](CUevent event, bool &hasTime) {
    std::lock_guard lock(event->mutex);
    hasTime &= event->isRecorded && !(event->flags & disableTiming);
    return event->time;
  };
  bool haveTimes = true;
  const Clock::time_point start = timeOf(from, haveTimes), end = timeOf(to, haveTimes);
  if (!haveTimes)
    return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = std::chrono::duration<float, std::milli>(end - start).count();
  return CUDA_SUCCESS;
}
