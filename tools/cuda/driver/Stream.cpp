// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Stream.h. Work.cpp enqueues work.

#include "tools/cuda/driver/Stream.h"
#include "tools/cuda/driver/Handles.h"
#include "tools/cuda/driver/Shared.h"

using namespace tilewright::cuda;
using SharedStream = std::shared_ptr<CUstream_st>;
using SharedEvent = std::shared_ptr<CUevent_st>;

static Handles<CUstream_st> &streams() {
  static auto *const streams = new Handles<CUstream_st>;
  return *streams;
}

static Handles<CUevent_st> &events() {
  static auto *const events = new Handles<CUevent_st>;
  return *events;
}

/// The legacy stream, shared by all threads, and the stream of this thread.
static const SharedStream &legacyStream() {
  static const auto *const stream =
      new SharedStream(std::make_shared<CUstream_st>(nullptr, legacyStreamId, 0));
  return *stream;
}
static const SharedStream &threadStream() {
  static thread_local const auto stream =
      std::make_shared<CUstream_st>(nullptr, state().nextId++, 0);
  return stream;
}

CUresult tilewright::cuda::findStream(CUstream handle, SharedStream &stream) {
  if (CUresult error = verifyInitialised())
    return error;
  stream = !handle || handle == cuLegacyStream ? legacyStream()
           : handle == cuPerThreadStream       ? threadStream()
                                               : streams().find(handle);
  return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult tilewright::cuda::verifyStream(CUstream handle) {
  SharedStream stream;
  return findStream(handle, stream);
}

SharedEvent tilewright::cuda::findEvent(CUevent handle) { return events().find(handle); }

SharedStream tilewright::cuda::removeStream(CUstream handle) { return streams().remove(handle); }

//===-- Streams -----------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!stream || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  *stream = streams().add(
      std::make_shared<CUstream_st>(currentContext(), uint64_t(state().nextId++), flags));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

/// Writes a property of a stream to `property`. Fails as findStream does, and if `property` is
/// null.
template <typename Property, typename PropertyOf>
static CUresult getProperty(CUstream handle, Property *property, PropertyOf propertyOf) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  if (!property)
    return CUDA_ERROR_INVALID_VALUE;
  *property = propertyOf(*stream);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  return getProperty(stream, context, [](const CUstream_st &stream) {
    return stream.context ? stream.context.get() : currentContext().get();
  });
}

/// There are no green contexts, which are partitions of a GPU.
TW_DRIVER_API CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **greenContext) {
  if (greenContext)
    *greenContext = nullptr;
  return cuStreamGetCtx(stream, context);
}

TW_DRIVER_API CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  return getProperty(stream, id, [](const CUstream_st &stream) { return stream.id; });
}

TW_DRIVER_API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  return getProperty(stream, flags, [](const CUstream_st &stream) { return stream.flags; });
}

TW_DRIVER_API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  return getProperty(stream, priority, [](const CUstream_st &) { return 0; });
}

//===-- Events ------------------------------------------------------------------------------===//

enum { blockingSync = 1, disableTiming = 2, interprocess = 4 };

void CUevent_st::record() {
  std::lock_guard lock(mutex);
  isRecorded = true;
  time = Clock::now();
}

TW_DRIVER_API CUresult cuEventCreate(CUevent *event, unsigned flags) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!event || flags > (blockingSync | disableTiming | interprocess))
    return CUDA_ERROR_INVALID_VALUE;
  if ((flags & interprocess) && !(flags & disableTiming))
    return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_shared<CUevent_st>(flags);
  if (flags & interprocess) {
    void *block = allocateShared(1, SharedKind::Event);
    if (!block)
      return CUDA_ERROR_OUT_OF_MEMORY;
    made->block = std::shared_ptr<void>(block, freeShared);
  }
  *event = events().add(std::move(made));
  return CUDA_SUCCESS;
}

CUevent tilewright::cuda::addOpenedEvent() {
  return events().add(std::make_shared<CUevent_st>(unsigned(disableTiming | interprocess)));
}

TW_DRIVER_API CUresult cuEventDestroy_v2(CUevent event) {
  return events().remove(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/// Returns false if the event has no time.
static bool readTime(CUevent_st &event, CUevent_st::Clock::time_point &time) {
  std::lock_guard lock(event.mutex);
  time = event.time;
  return event.isRecorded && !(event.flags & disableTiming);
}

TW_DRIVER_API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to) {
  if (!milliseconds)
    return CUDA_ERROR_INVALID_VALUE;
  SharedEvent first = findEvent(from), second = findEvent(to);
  CUevent_st::Clock::time_point start, end;
  if (!first || !second || !readTime(*first, start) || !readTime(*second, end))
    return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = std::chrono::duration<float, std::milli>(end - start).count();
  return CUDA_SUCCESS;
}
