// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The capture of streams: what is enqueued in a stream that is captured becomes a node of a graph,
// and does not run. Other streams join a capture by waiting for one of its events.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_CAPTURE_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_CAPTURE_H

#include "tools/cuda/driver/Graph.h"
#include "tools/cuda/driver/Stream.h"

namespace tilewright::cuda {

/// Of a stream in which something is to be enqueued: whether it is captured. Fails if there is no
/// such stream or its capture is invalid, and for the stream of all threads while one is captured
/// that would wait for it.
CUresult isCaptured(CUstream stream, bool &result);

/// Adds a node behind what the stream has captured.
CUresult capture(CUstream stream, NodeKind kind, Work run);

/// What is enqueued runs at once, or is captured.
template <typename Run> CUresult enqueue(CUstream stream, NodeKind kind, Run run) {
  bool captured = false;
  if (CUresult error = isCaptured(stream, captured))
    return error;
  return captured ? capture(stream, kind, std::move(run)) : run();
}

/// Fails if this thread may not call what could wait for a stream that is captured, by the mode of
/// the capture and of the thread. Then the capture is invalid.
CUresult verifyUncaptured();

/// The same for a function that waits for one stream, or for one event.
CUresult verifyUncaptured(CUstream_st &stream);
CUresult verifyUncaptured(const CUevent_st &event);

/// What recording an event in a stream, and waiting for one, mean to a capture. `isHandled`: that
/// was all.
CUresult captureRecord(CUstream_st &stream, CUevent_st &event, bool isExternal, bool &isHandled);
CUresult captureWait(const std::shared_ptr<CUstream_st> &stream, CUevent_st &event, bool isExternal,
                     bool &isHandled);

/// The stream is destroyed.
void endCaptureOf(CUstream_st &stream);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_CAPTURE_H
