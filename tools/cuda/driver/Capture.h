// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: work enqueued in a captured stream becomes a graph node and does not run. Other
// streams join a capture by waiting for one of its events.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_CAPTURE_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_CAPTURE_H

#include "tools/cuda/driver/Graph.h"
#include "tools/cuda/driver/Stream.h"

namespace tilewright::cuda {

/// Whether the stream, in which something is to be enqueued, is being captured. Fails if the stream
/// does not exist, or its capture is invalid; and for the legacy stream, if it would wait for a
/// captured stream.
CUresult isCaptured(CUstream stream, bool &result);

/// Adds a node that depends on what the stream has captured before.
CUresult capture(CUstream stream, NodeKind kind, Work run);

/// Runs the work at once, or captures it.
template <typename Run> CUresult enqueue(CUstream stream, NodeKind kind, Run run) {
  bool captured = false;
  if (CUresult error = isCaptured(stream, captured))
    return error;
  return captured ? capture(stream, kind, std::move(run)) : run();
}

/// For calls that could wait for a captured stream: fails if this thread may not make them, given
/// the modes of the capture and of the thread. The capture is then invalid.
CUresult verifyUncaptured();

/// The same for calls that wait for one stream or one event.
CUresult verifyUncaptured(CUstream_st &stream);
CUresult verifyUncaptured(const CUevent_st &event);

/// Handle recording an event in a stream, and waiting for an event, with respect to captures.
/// `isHandled`: nothing else is to be done.
CUresult captureRecord(CUstream_st &stream, CUevent_st &event, bool isExternal, bool &isHandled);
CUresult captureWait(const std::shared_ptr<CUstream_st> &stream, CUevent_st &event, bool isExternal,
                     bool &isHandled);

/// To be called when the stream is destroyed.
void endCaptureOf(CUstream_st &stream);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_CAPTURE_H
