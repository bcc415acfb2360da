// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events, for those who enqueue work. It is done when it is enqueued, so that streams
// are always idle, and an event has its time when it is recorded. But for streams that are
// captured.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_STREAM_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_STREAM_H

#include "tools/cuda/driver/State.h"

#include <chrono>
#include <vector>

struct CUstream_st {
  /// Null for those that always exist: they are of the context that is current.
  std::shared_ptr<CUctx_st> context;
  uint64_t id;
  unsigned flags;
  /// Null if it is not captured (Capture.h, whose lock these two have), and behind which nodes the
  /// next one will be.
  std::shared_ptr<struct CUcapture_st> capture = nullptr;
  std::vector<struct CUgraphNode_st *> captured = {};
};

struct CUevent_st {
  using Clock = std::chrono::steady_clock;

  unsigned flags;
  std::mutex mutex = {};
  bool isRecorded = false;
  Clock::time_point time = {};
  /// The same for an event that was recorded in a stream that is captured.
  std::shared_ptr<struct CUcapture_st> capture = nullptr;
  std::vector<struct CUgraphNode_st *> captured = {};
  /// By which other processes name an event that was created for them (Shared.h). Else null.
  std::shared_ptr<void> block = nullptr;

  void record();
};

namespace tilewright::cuda {

/// Of the stream of all threads.
inline constexpr uint64_t legacyStreamId = 1;

/// The stream of a handle: one that was created, or one of those that always exist. Fails before
/// cuInit, and if there is none.
CUresult findStream(CUstream handle, std::shared_ptr<CUstream_st> &stream);

/// The same, for who only wants to know.
CUresult verifyStream(CUstream handle);

/// The stream, which from now on has no handle. Null if there was none.
std::shared_ptr<CUstream_st> removeStream(CUstream handle);

/// Null if there is none.
std::shared_ptr<CUevent_st> findEvent(CUevent handle);

/// An event for one of another process.
CUevent addOpenedEvent();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_STREAM_H
