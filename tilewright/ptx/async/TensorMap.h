// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a tensor map? 128 bytes that are opaque to a kernel, and say what a tensor in global
// memory is like, and which box of it a copy moves (CUDA driver API, cuTensorMapEncodeTiled). The
// machine has bytes of its own. Dimensions are innermost first. Interleaved layouts and im2col are
// not supported.

#ifndef TILEWRIGHT_PTX_ASYNC_TENSORMAP_H
#define TILEWRIGHT_PTX_ASYNC_TENSORMAP_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::ptx {

inline constexpr unsigned tensorMapBytes = 128, mostDims = 5;

enum class Swizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
/// What a swizzle keeps together.
enum class Atomicity : uint8_t { Bytes16, Bytes32, Bytes32Flip8, Bytes64 };

struct TensorMap {
  uint8_t rank = 1;
  /// As tensormap.replace counts them: u8, u16, u32, s32, u64, s64, f16, f32 ...
  uint8_t type = 0;
  uint8_t interleave = 0;
  uint8_t swizzle = 0;   ///< A Swizzle, if it is valid.
  uint8_t atomicity = 0; ///< An Atomicity, if it is valid.
  uint8_t fill = 0;      ///< 1: what is outside is a NaN, not zero.
  uint64_t address = 0;
  std::array<uint32_t, mostDims> dims = {};        ///< In elements; 0 for 2^32.
  std::array<uint64_t, mostDims - 1> strides = {}; ///< In bytes, from the second dimension on.
  std::array<uint32_t, mostDims> box = {}, steps = {1, 1, 1, 1, 1};

  uint64_t extent(unsigned dim) const { return dims[dim] ? dims[dim] : uint64_t(1) << 32; }
  unsigned elementBytes() const;
  /// Elements of the box along a dimension, which are `steps` apart.
  uint64_t count(unsigned dim) const {
    return dim == 0 ? box[0] : (box[dim] + steps[dim] - 1) / steps[dim];
  }
  uint64_t boxBytes() const;
  /// Of a row of a box.
  uint64_t rowBytes() const { return uint64_t(box[0]) * elementBytes(); }
  /// From a row to the next one in a block: as far as the swizzle spans, if there is one. Not in
  /// the manuals: seen on a GPU (scripts/gpu_probes.py, T7).
  uint64_t rowPitch() const { return swizzle ? uint64_t(16) << swizzle : rowBytes(); }
  /// The bits of a NaN of the type; 0 if it has none or zeros fill.
  uint64_t fillBits() const;
  /// What cuTensorMapEncodeTiled does not accept.
  std::optional<std::string> wrong() const;
};

/// The first word of a map: TWTM. tensormap.replace writes it into 128 zeros, from which kernels
/// make maps.
inline constexpr uint32_t tensorMapMark = 0x4D545754;

using TensorMapBytes = std::array<uint8_t, tensorMapBytes>;

TensorMapBytes encode(const TensorMap &map);
/// None for bytes that are no tensor map.
std::optional<TensorMap> decodeTensorMap(const TensorMapBytes &bytes);

/// The type of this name: `bf16`.
std::optional<uint8_t> tensorTypeNamed(std::string_view name);
/// `u8`; empty for a number that is none.
std::string_view nameOfTensorType(uint8_t type);

/// Where a byte of a swizzled block is: bits of the address of the 16 bytes, or of what is kept
/// together, are changed by those of the row of 128 bytes (PTX ISA, 5.5.6; CUTLASS has the same as
/// Swizzle<n, 4, 3>, and for 32 bytes as Swizzle<2, 5, 2>).
uint64_t swizzled(uint64_t address, Swizzle swizzle, Atomicity atomicity = Atomicity::Bytes16);

/// A field of the bytes, as tensormap.replace names them.
struct TensorMapField {
  std::string_view name;
  uint8_t offset, bytes, count;
};
const TensorMapField *findTensorMapField(std::string_view name);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_TENSORMAP_H
