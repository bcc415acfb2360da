// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events. Work is done when it is enqueued, so streams are always idle, and an event's
// time is when it was recorded. The exception are captured streams.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_STREAM_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_STREAM_H

#include "tools/cuda/driver/State.h"

#include <chrono>
#include <vector>

struct CUstream_st {
  /// Null for the streams that always exist: they belong to the current context.
  std::shared_ptr<CUctx_st> context;
  uint64_t id;
  unsigned flags;
  /// Null if the stream is not captured (Capture.h; its lock protects these two members), and the
  /// dependencies of the next node.
  std::shared_ptr<struct CUcapture_st> capture = nullptr;
  std::vector<struct CUgraphNode_st *> captured = {};
};

struct CUevent_st {
  using Clock = std::chrono::steady_clock;

  unsigned flags;
  std::mutex mutex = {};
  bool isRecorded = false;
  Clock::time_point time = {};
  /// The same for an event that was recorded in a captured stream.
  std::shared_ptr<struct CUcapture_st> capture = nullptr;
  std::vector<struct CUgraphNode_st *> captured = {};
  /// For an interprocess event, the block that names it for other processes (Shared.h). Else null.
  std::shared_ptr<void> block = nullptr;

  void record();
};

namespace tilewright::cuda {

/// The ID of the legacy stream.
inline constexpr uint64_t legacyStreamId = 1;

/// The stream of a handle, which may be one of those that always exist. Fails before cuInit, and if
/// the handle is invalid.
CUresult findStream(CUstream handle, std::shared_ptr<CUstream_st> &stream);

/// Checks the handle like findStream.
CUresult verifyStream(CUstream handle);

/// Removes and returns the stream, which then has no handle. Null if there was none.
std::shared_ptr<CUstream_st> removeStream(CUstream handle);

/// Null if there is none.
std::shared_ptr<CUevent_st> findEvent(CUevent handle);

/// Creates an event that stands for one of another process.
CUevent addOpenedEvent();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_STREAM_H
