// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enqueues work other than kernels and copies in streams, and synchronises. Synchronisation returns
// pending kernel errors.

#include "tools/cuda/driver/Capture.h"

using namespace tilewright::cuda;
using SharedStream = std::shared_ptr<CUstream_st>;
using SharedEvent = std::shared_ptr<CUevent_st>;

//===-- Streams -----------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuStreamDestroy_v2(CUstream handle) {
  const SharedStream stream = removeStream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  endCaptureOf(*stream);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamSynchronize(CUstream handle) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  if (CUresult error = verifyUncaptured(*stream))
    return error;
  return takeError();
}

TW_DRIVER_API CUresult cuStreamQuery(CUstream stream) { return cuStreamSynchronize(stream); }

/// The only flag of calls with an event: the event is external to the capture.
static constexpr unsigned external = 1;

/// Finds the stream and the event of a call.
static CUresult findEventCall(CUstream handle, CUevent eventHandle, unsigned flags,
                              SharedStream &stream, SharedEvent &event) {
  if (CUresult error = findStream(handle, stream))
    return error;
  event = findEvent(eventHandle);
  if (!event)
    return CUDA_ERROR_INVALID_HANDLE;
  return flags > external ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/// The only flag makes the wait a node of the captured graph, for an event that is external to the
/// capture.
TW_DRIVER_API CUresult cuStreamWaitEvent(CUstream handle, CUevent eventHandle, unsigned flags) {
  SharedStream stream;
  SharedEvent event;
  if (CUresult error = findEventCall(handle, eventHandle, flags, stream, event))
    return error;
  bool isHandled = false;
  if (CUresult error = captureWait(stream, *event, flags == external, isHandled);
      error || isHandled)
    return error;
  return enqueue(handle, NodeKind::WaitEvent, [] { return CUDA_SUCCESS; });
}

TW_DRIVER_API CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data) {
  if (CUresult error = verifyStream(stream))
    return error;
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, NodeKind::Host, [=] {
    function(data);
    return CUDA_SUCCESS;
  });
}

//===-- Events ------------------------------------------------------------------------------===//

/// With the only flag, recording in a captured stream adds a node that records the event at every
/// launch of the graph, rather than a position in the capture.
TW_DRIVER_API CUresult cuEventRecordWithFlags(CUevent eventHandle, CUstream handle,
                                              unsigned flags) {
  SharedStream stream;
  SharedEvent event;
  if (CUresult error = findEventCall(handle, eventHandle, flags, stream, event))
    return error;
  bool isHandled = false;
  if (CUresult error = captureRecord(*stream, *event, flags == external, isHandled);
      error || isHandled)
    return error;
  return enqueue(handle, NodeKind::EventRecord, [event] {
    event->record();
    return CUDA_SUCCESS;
  });
}

TW_DRIVER_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  return cuEventRecordWithFlags(event, stream, 0);
}

TW_DRIVER_API CUresult cuEventQuery(CUevent handle) {
  SharedEvent event = findEvent(handle);
  if (!event)
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult error = verifyUncaptured(*event))
    return error;
  return takeError();
}

TW_DRIVER_API CUresult cuEventSynchronize(CUevent event) { return cuEventQuery(event); }

//===-- Graphs ------------------------------------------------------------------------------===//

/// There is nothing to upload.
TW_DRIVER_API CUresult cuGraphUpload(CUgraphExec instance, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  return workOf(instance) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  const Work work = workOf(instance);
  return work ? enqueue(stream, NodeKind::Graph, work) : CUDA_ERROR_INVALID_HANDLE;
}
