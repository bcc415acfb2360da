// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of 2D rectangles and 3D boxes. Consecutive rows are `pitch` bytes apart.

#include "tools/cuda/driver/Capture.h"
#include "tools/cuda/driver/Memory.h"

#include <algorithm>
#include <cstring>

using namespace tilewright::cuda;

namespace {
/// The source or the destination of a copy.
struct End {
  size_t x, y, z;
  unsigned type;
  const void *host;
  CUdeviceptr device;
  size_t pitch, height;

  bool isMemory() const { return type == 1 || type == 2 || type == 4; }
  char *row(size_t number, size_t slice) const {
    enum { hostType = 1 };
    char *base =
        static_cast<char *>(type == hostType ? const_cast<void *>(host) : pointerTo(device));
    return base + ((z + slice) * height + y + number) * pitch + x;
  }
};

struct Box {
  size_t width, height, depth;
};
} // namespace

struct CUDA_MEMCPY2D {
  size_t srcX, srcY;
  unsigned srcType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstX, dstY;
  unsigned dstType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t width, height;
};
static_assert(sizeof(CUDA_MEMCPY2D) == 128);

struct CUDA_MEMCPY3D {
  size_t srcX, srcY, srcZ, srcLevel;
  unsigned srcType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray, *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstX, dstY, dstZ, dstLevel;
  unsigned dstType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray, *reserved1;
  size_t dstPitch, dstHeight;
  size_t width, height, depth;
};
static_assert(sizeof(CUDA_MEMCPY3D) == 200);

//===-- Copies ------------------------------------------------------------------------------===//

/// Texture arrays are not supported, so both ends must be memory.
static CUresult verify(const End &end, const Box &box) {
  enum { array = 3 };
  if (end.type == array)
    return notSupported("a copy of an array");
  if (!end.isMemory())
    return CUDA_ERROR_INVALID_VALUE;
  if (box.width && box.height && box.depth && !end.row(0, 0))
    return CUDA_ERROR_INVALID_VALUE;
  const bool hasRows = box.height > 1 || box.depth > 1;
  const bool hasSlices = box.depth > 1;
  if ((hasRows && end.pitch < end.x + box.width) || (hasSlices && end.height < end.y + box.height))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

namespace {
/// A client's copy, after verification.
struct Copy {
  End to, from;
  Box box;

  CUresult operator()() const {
    for (size_t slice = 0; slice < box.depth; ++slice)
      for (size_t row = 0; row < box.height; ++row)
        std::memmove(to.row(row, slice), from.row(row, slice), box.width);
    return CUDA_SUCCESS;
  }
};
} // namespace

static CUresult verified(Copy &copy) {
  for (const End &end : {copy.to, copy.from})
    if (CUresult error = verify(end, copy.box))
      return error;
  return CUDA_SUCCESS;
}

static CUresult read(const CUDA_MEMCPY2D *parameters, Copy &copy) {
  if (!parameters)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY2D &c = *parameters;
  copy = {{c.dstX, c.dstY, 0, c.dstType, c.dstHost, c.dstDevice, c.dstPitch, 0},
          {c.srcX, c.srcY, 0, c.srcType, c.srcHost, c.srcDevice, c.srcPitch, 0},
          {c.width, c.height, 1}};
  return verified(copy);
}

static CUresult read(const CUDA_MEMCPY3D *parameters, Copy &copy) {
  if (!parameters || parameters->srcLevel || parameters->dstLevel)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D &c = *parameters;
  copy = {{c.dstX, c.dstY, c.dstZ, c.dstType, c.dstHost, c.dstDevice, c.dstPitch, c.dstHeight},
          {c.srcX, c.srcY, c.srcZ, c.srcType, c.srcHost, c.srcDevice, c.srcPitch, c.srcHeight},
          {c.width, c.height, c.depth}};
  return verified(copy);
}

/// Synchronises first, which may return a pending kernel error.
template <typename Parameters> static CUresult copyNow(const Parameters *parameters) {
  if (CUresult error = verifyInitialised())
    return error;
  if (CUresult error = verifyUncaptured())
    return error;
  if (CUresult error = takeError())
    return error;
  Copy copy;
  if (CUresult error = read(parameters, copy))
    return error;
  return copy();
}

template <typename Parameters>
static CUresult copyLater(const Parameters *parameters, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  Copy copy;
  if (CUresult error = read(parameters, copy))
    return error;
  return enqueue(stream, NodeKind::Memcpy, copy);
}

TW_DRIVER_API CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                                            const CUgraphNode *dependencies, size_t count,
                                            const CUDA_MEMCPY3D *parameters, CUcontext) {
  Copy copy;
  if (CUresult error = read(parameters, copy))
    return error;
  return addNode({graph, node, dependencies, count}, NodeKind::Memcpy, copy);
}

TW_DRIVER_API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copied) { return copyNow(copied); }
TW_DRIVER_API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copied) {
  return copyNow(copied);
}
TW_DRIVER_API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copied, CUstream stream) {
  return copyLater(copied, stream);
}
TW_DRIVER_API CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copied) { return copyNow(copied); }
TW_DRIVER_API CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copied, CUstream stream) {
  return copyLater(copied, stream);
}

//===-- Fills -------------------------------------------------------------------------------===//

template <typename Word>
static CUresult fill(CUdeviceptr to, size_t pitch, Word value, size_t width, size_t height,
                     CUstream stream = nullptr) {
  if (CUresult error = verifyStream(stream))
    return error;
  if (!width || !height)
    return CUDA_SUCCESS;
  const bool hasRows = height > 1;
  if (!to || to % sizeof value ||
      (hasRows && (pitch % sizeof value || pitch / sizeof value < width)))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, NodeKind::Memset, [=] {
    for (size_t row = 0; row < height; ++row)
      std::fill_n(static_cast<Word *>(pointerTo(to + row * pitch)), width, value);
    return CUDA_SUCCESS;
  });
}

TW_DRIVER_API CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value,
                                       size_t width, size_t height) {
  return fill(to, pitch, value, width, height);
}
TW_DRIVER_API CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value,
                                        size_t width, size_t height) {
  return fill(to, pitch, value, width, height);
}
TW_DRIVER_API CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                                        size_t height) {
  return fill(to, pitch, value, width, height);
}
TW_DRIVER_API CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                                         size_t width, size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, stream);
}
TW_DRIVER_API CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                                          size_t width, size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, stream);
}
TW_DRIVER_API CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value,
                                          size_t width, size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, stream);
}
