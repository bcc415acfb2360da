// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Capture.h. Captures are rare and short, so one lock protects all of them, and the capture
// state of streams and events.

#include "tools/cuda/driver/Capture.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

using namespace tilewright::cuda;
using SharedStream = std::shared_ptr<CUstream_st>;
using SharedCapture = std::shared_ptr<CUcapture_st>;

/// Which threads may not make calls that could wait for the capture.
enum CUstreamCaptureMode : unsigned { globalMode = 0, threadMode = 1, relaxedMode = 2 };

enum CaptureStatus { notCapturing = 0, capturing = 1, invalidated = 2 };

struct CUcapture_st {
  uint64_t id;
  CUstreamCaptureMode mode;
  std::thread::id thread;
  CUgraph handle;
  /// Whether the graph was created for the capture, and is destroyed if the capture fails.
  bool ownsGraph;
  std::shared_ptr<CUgraph_st> graph;
  SharedStream origin;
  /// The streams that have joined, including the first one.
  std::vector<SharedStream> streams = {};
  /// The nodes that the capture has added.
  std::vector<CUgraphNode> nodes = {};
  /// Nodes that the client has removed from a stream's dependencies: these need not be joined.
  std::vector<CUgraphNode> released = {};
  bool isInvalid = false;

  CUresult invalidate(CUresult error) {
    isInvalid = true;
    return error;
  }
};

namespace {
struct Captures {
  std::mutex mutex;
  std::vector<SharedCapture> all;
  std::atomic<size_t> count = 0;
};
} // namespace

static Captures &captures() {
  static auto *const captures = new Captures;
  return *captures;
}

static thread_local CUstreamCaptureMode modeOfThread = globalMode;

/// Whether there is any capture, and thus a reason to take the lock.
static bool isAnyCaptured() { return captures().count > 0; }

static bool isBlocking(const CUstream_st &stream) {
  constexpr unsigned nonBlocking = 1;
  return !(stream.flags & nonBlocking);
}

//===-- Capturing work ----------------------------------------------------------------------===//

/// Whether the legacy stream would wait for a stream of the capture.
static bool isAwaited(const SharedCapture &capture) {
  return std::ranges::any_of(capture->streams,
                             [](const SharedStream &s) { return isBlocking(*s); });
}

/// Using the legacy stream would implicitly wait for captured streams, which invalidates their
/// captures.
static CUresult verifyLegacy(const CUstream_st &stream) {
  CUresult result = CUDA_SUCCESS;
  if (stream.id == legacyStreamId)
    for (const SharedCapture &one : captures().all)
      if (isAwaited(one))
        result = one->invalidate(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  return result;
}

CUresult tilewright::cuda::isCaptured(CUstream handle, bool &result) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  result = false;
  if (!isAnyCaptured())
    return CUDA_SUCCESS;
  std::lock_guard lock(captures().mutex);
  result = stream->capture != nullptr;
  if (!result)
    return verifyLegacy(*stream);
  return stream->capture->isInvalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

/// The caller holds the lock.
static CUresult append(CUstream_st &stream, NodeKind kind, Work run) {
  CUcapture_st &capture = *stream.capture;
  if (capture.isInvalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  CUgraphNode node = nullptr;
  if (CUresult error = addNode(*capture.graph, kind, std::move(run), stream.captured, &node))
    return capture.invalidate(error);
  capture.nodes.push_back(node);
  stream.captured = {node};
  return CUDA_SUCCESS;
}

CUresult tilewright::cuda::capture(CUstream handle, NodeKind kind, Work run) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  std::lock_guard lock(captures().mutex);
  return stream->capture ? append(*stream, kind, std::move(run))
                         : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

//===-- Events ------------------------------------------------------------------------------===//

CUresult tilewright::cuda::captureRecord(CUstream_st &stream, CUevent_st &event, bool isExternal,
                                         bool &isHandled) {
  std::lock_guard lock(captures().mutex);
  isHandled = stream.capture && !isExternal;
  if (stream.capture && stream.capture->isInvalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (stream.capture && isExternal)
    return CUDA_SUCCESS;
  event.capture = stream.capture;
  event.captured = stream.captured;
  return CUDA_SUCCESS;
}

/// Makes the stream's next node also depend on the nodes that precede the event.
static void waitFor(CUstream_st &stream, const CUevent_st &event) {
  for (CUgraphNode node : event.captured)
    if (std::ranges::find(stream.captured, node) == stream.captured.end())
      stream.captured.push_back(node);
}

CUresult tilewright::cuda::captureWait(const SharedStream &stream, CUevent_st &event,
                                       bool isExternal, bool &isHandled) {
  std::lock_guard lock(captures().mutex);
  const SharedCapture capture = event.capture;
  isHandled = capture && !isExternal;
  if (stream->capture && stream->capture->isInvalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!isHandled) // an event that was recorded outside captures
    return stream->capture && !isExternal
               ? stream->capture->invalidate(CUDA_ERROR_STREAM_CAPTURE_ISOLATION)
               : CUDA_SUCCESS;
  if (std::ranges::find(captures().all, capture) == captures().all.end())
    return CUDA_ERROR_CAPTURED_EVENT; // its capture has ended
  if (stream->id == legacyStreamId)
    return capture->invalidate(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  if (stream->capture && stream->capture != capture) {
    stream->capture->isInvalid = true;
    return capture->invalidate(CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  if (!stream->capture) {
    stream->capture = capture;
    capture->streams.push_back(stream);
  }
  waitFor(*stream, event);
  return CUDA_SUCCESS;
}

//===-- Calls that may wait -----------------------------------------------------------------===//

static bool isForbidden(const CUcapture_st &capture) {
  if (modeOfThread == relaxedMode || capture.mode == relaxedMode)
    return false;
  return capture.thread == std::this_thread::get_id() ||
         (modeOfThread == globalMode && capture.mode == globalMode);
}

CUresult tilewright::cuda::verifyUncaptured() {
  if (!isAnyCaptured())
    return CUDA_SUCCESS;
  std::lock_guard lock(captures().mutex);
  CUresult result = CUDA_SUCCESS;
  for (const SharedCapture &one : captures().all)
    if (isForbidden(*one))
      result = one->invalidate(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return result;
}

CUresult tilewright::cuda::verifyUncaptured(CUstream_st &stream) {
  if (!isAnyCaptured())
    return CUDA_SUCCESS;
  std::lock_guard lock(captures().mutex);
  return stream.capture ? stream.capture->invalidate(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
                        : verifyLegacy(stream);
}

CUresult tilewright::cuda::verifyUncaptured(const CUevent_st &event) {
  std::lock_guard lock(captures().mutex);
  return event.capture ? event.capture->invalidate(CUDA_ERROR_CAPTURED_EVENT) : CUDA_SUCCESS;
}

//===-- Begin and end -----------------------------------------------------------------------===//

static CUresult begin(CUstream handle, unsigned mode, CUgraph graph,
                      std::vector<CUgraphNode> behind) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  if (mode > relaxedMode)
    return CUDA_ERROR_INVALID_VALUE;
  if (stream->id == legacyStreamId)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  std::shared_ptr<CUgraph_st> target = graph ? findGraph(graph) : std::make_shared<CUgraph_st>();
  if (!target)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(captures().mutex);
  if (stream->capture)
    return CUDA_ERROR_ILLEGAL_STATE;
  const bool ownsGraph = !graph;
  if (ownsGraph)
    graph = addGraph(target);
  stream->capture = std::make_shared<CUcapture_st>(
      CUcapture_st{state().nextId++, CUstreamCaptureMode(mode), std::this_thread::get_id(), graph,
                   ownsGraph, target, stream});
  stream->capture->streams = {stream};
  stream->captured = std::move(behind);
  captures().all.push_back(stream->capture);
  ++captures().count;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamBeginCapture_v2(CUstream stream, unsigned mode) {
  return begin(stream, mode, nullptr, {});
}

/// The edge data are ignored: there is only one kind of edge.
TW_DRIVER_API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                                   const CUgraphNode *dependencies,
                                                   const void *edges, size_t count, unsigned mode) {
  if (!graph || (count && !dependencies))
    return CUDA_ERROR_INVALID_VALUE;
  if (edges)
    return notSupported("cuStreamBeginCaptureToGraph with edge data");
  return begin(stream, mode, graph, {dependencies, dependencies + count});
}

/// Whether the origin stream depends on all captured nodes, except for released ones.
static bool isJoined(const CUcapture_st &capture) {
  std::set<CUgraphNode> reached;
  std::vector<CUgraphNode> open = capture.origin->captured;
  open.insert(open.end(), capture.released.begin(), capture.released.end());
  while (!open.empty()) {
    CUgraphNode node = open.back();
    open.pop_back();
    if (reached.insert(node).second)
      open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::ranges::all_of(capture.nodes,
                             [&](CUgraphNode node) { return reached.contains(node); });
}

static CUresult verifyEnd(const CUcapture_st &capture, const CUstream_st &stream) {
  if (capture.origin.get() != &stream)
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  if (capture.isInvalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  return isJoined(capture) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

/// Removes the capture from its streams. Events may keep it alive longer.
static void finish(const SharedCapture &capture) {
  for (const SharedStream &stream : capture->streams) {
    stream->capture = nullptr;
    stream->captured.clear();
  }
  capture->graph = nullptr;
  std::erase(captures().all, capture);
  --captures().count;
}

static void fail(const SharedCapture &capture) {
  if (capture->ownsGraph)
    removeGraph(capture->handle);
  finish(capture);
}

/// Ends the capture even on failure, except for the two errors that are wrong calls.
TW_DRIVER_API CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = nullptr;
  std::lock_guard lock(captures().mutex);
  const SharedCapture capture = stream->capture;
  if (!capture)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (capture->mode != relaxedMode && capture->thread != std::this_thread::get_id())
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  const CUresult error = verifyEnd(*capture, *stream);
  if (error == CUDA_ERROR_STREAM_CAPTURE_UNMATCHED)
    return capture->invalidate(error);
  if (error)
    return fail(capture), error;
  finish(capture);
  *graph = capture->handle;
  return CUDA_SUCCESS;
}

void tilewright::cuda::endCaptureOf(CUstream_st &stream) {
  std::lock_guard lock(captures().mutex);
  if (const SharedCapture capture = stream.capture) {
    capture->isInvalid = true;
    if (capture->origin.get() == &stream)
      fail(capture);
  }
}

TW_DRIVER_API CUresult cuThreadExchangeStreamCaptureMode(unsigned *mode) {
  if (!mode || *mode > relaxedMode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = std::exchange(modeOfThread, CUstreamCaptureMode(*mode));
  return CUDA_SUCCESS;
}

//===-- Queries -----------------------------------------------------------------------------===//

static CaptureStatus statusOf(const CUstream_st &stream) {
  return !stream.capture ? notCapturing : stream.capture->isInvalid ? invalidated : capturing;
}

TW_DRIVER_API CUresult cuStreamIsCapturing(CUstream handle, int *status) {
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  if (!status)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(captures().mutex);
  if (stream->id == legacyStreamId && std::ranges::any_of(captures().all, isAwaited))
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT; // a query invalidates nothing
  *status = statusOf(*stream);
  return CUDA_SUCCESS;
}

/// The returned dependencies are valid until the stream is used again.
TW_DRIVER_API CUresult cuStreamGetCaptureInfo_v2(CUstream handle, int *status, uint64_t *id,
                                                 CUgraph *graph, const CUgraphNode **dependencies,
                                                 size_t *count) {
  if (CUresult error = cuStreamIsCapturing(handle, status))
    return error;
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  std::lock_guard lock(captures().mutex);
  if (*status != capturing || !stream->capture)
    return CUDA_SUCCESS;
  if (id)
    *id = stream->capture->id;
  if (graph)
    *graph = stream->capture->handle;
  if (dependencies)
    *dependencies = stream->captured.data();
  if (count)
    *count = stream->captured.size();
  return CUDA_SUCCESS;
}

/// Edges have no data.
TW_DRIVER_API CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id,
                                                 CUgraph *graph, const CUgraphNode **dependencies,
                                                 const void **edges, size_t *count) {
  if (edges)
    *edges = nullptr;
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

TW_DRIVER_API CUresult cuStreamUpdateCaptureDependencies(CUstream handle, CUgraphNode *nodes,
                                                         size_t count, unsigned flags) {
  enum { add = 0, set = 1 };
  SharedStream stream;
  if (CUresult error = findStream(handle, stream))
    return error;
  if (flags > set || (count && !nodes))
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(captures().mutex);
  if (!stream->capture)
    return CUDA_ERROR_ILLEGAL_STATE;
  CUgraph_st &graph = *stream->capture->graph;
  std::lock_guard graphLock(graph.mutex);
  for (size_t i = 0; i < count; ++i)
    if (std::ranges::none_of(graph.nodes, [&](const SharedNode &n) { return n.get() == nodes[i]; }))
      return CUDA_ERROR_INVALID_VALUE;
  if (flags == set) {
    std::vector<CUgraphNode> &released = stream->capture->released;
    released.insert(released.end(), stream->captured.begin(), stream->captured.end());
    stream->captured.clear();
  }
  stream->captured.insert(stream->captured.end(), nodes, nodes + count);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *nodes,
                                                            const void *edges, size_t count,
                                                            unsigned flags) {
  if (edges)
    return notSupported("cuStreamUpdateCaptureDependencies_v2 with edge data");
  return cuStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
