// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: 128 bytes, opaque to kernels, that describe a tensor in global memory and the box
// that a copy moves (CUDA driver API, cuTensorMapEncodeTiled). The machine uses its own encoding.
// The innermost dimension comes first. Interleaved layouts and im2col are not supported.

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
/// The chunks that a swizzle moves as a whole.
enum class Atomicity : uint8_t { Bytes16, Bytes32, Bytes32Flip8, Bytes64 };
enum class Direction : uint8_t { Load, Store };

struct TensorMap {
  uint8_t rank = 1;
  /// Numbered as in tensormap.replace: u8, u16, u32, s32, u64, s64, f16, f32 ... Stores read type
  /// 15, b6x16_p32, as .b6p2x16: each byte has an element in its lower 6 bits.
  uint8_t type = 0;
  uint8_t interleave = 0;
  uint8_t swizzle = 0;   ///< A Swizzle, if valid.
  uint8_t atomicity = 0; ///< An Atomicity, if valid.
  uint8_t fill = 0;      ///< 1: elements outside of the tensor are NaN instead of zero.
  uint64_t address = 0;
  std::array<uint32_t, mostDims> dims = {};        ///< In elements; 0 for 2^32.
  std::array<uint64_t, mostDims - 1> strides = {}; ///< In bytes, from the second dimension on.
  std::array<uint32_t, mostDims> box = {}, steps = {1, 1, 1, 1, 1};

  uint64_t extent(unsigned dim) const { return dims[dim] ? dims[dim] : uint64_t(1) << 32; }
  /// Size of an element in global memory. Elements of less than a byte are packed.
  unsigned elementBits() const;
  /// Size of some elements of a row in global memory.
  uint64_t packedBytes(uint64_t elements) const { return elements * elementBits() / 8; }
  /// Bytes behind 16 elements in shared memory, which make their size 16 bytes: `.b4x16_p64` and
  /// `.b6x16_p32` (PTX ISA, 5.5.1.1). Loads leave them undefined.
  unsigned padding() const;
  /// Number of elements of the box along a dimension, `steps` apart in the tensor.
  uint64_t count(unsigned dim) const {
    return dim == 0 ? box[0] : (box[dim] + steps[dim] - 1) / steps[dim];
  }
  uint64_t rowCount() const;
  /// Size of a box in global memory. An mbarrier counts these bytes, without padding.
  uint64_t boxBytes() const { return rowCount() * packedBytes(box[0]); }
  /// Size of a row of a box in shared memory.
  uint64_t rowBytes() const { return padding() ? box[0] : packedBytes(box[0]); }
  /// Distance of rows in a block: the span of the swizzle, if there is one. The manuals do not say
  /// so; a GPU behaves this way (test/gpu/probes.py, T7).
  uint64_t rowPitch() const { return swizzle ? uint64_t(16) << swizzle : rowBytes(); }
  /// The bits of a NaN of the type; 0 if the type has none or if zeros are filled.
  uint64_t fillBits() const;
  /// Why cuTensorMapEncodeTiled would reject the map, if it would.
  std::optional<std::string> findError() const;
  /// Why a copy in this direction, whose first coordinate is `first`, cannot use the map.
  std::optional<std::string> findCopyError(Direction direction, int64_t first) const;
};

/// The first word of a map: TWTM. tensormap.replace also writes it into 128 zero bytes, from which
/// kernels build maps.
inline constexpr uint32_t tensorMapMark = 0x4D545754;

using TensorMapBytes = std::array<uint8_t, tensorMapBytes>;

TensorMapBytes encode(const TensorMap &map);
/// None if the bytes are not a tensor map.
std::optional<TensorMap> decodeTensorMap(const TensorMapBytes &bytes);

/// The number of a type such as `bf16`.
std::optional<uint8_t> tensorTypeNamed(std::string_view name);
/// The type's name, `u8`; empty for an invalid number.
std::string_view nameOfTensorType(uint8_t type);

/// The swizzled address of a byte of a block: the bits that number the 16-byte chunk (or the chunk
/// of the atomicity) are combined by xor with those of the row of 128 bytes (PTX ISA, 5.5.6; in
/// CUTLASS Swizzle<n, 4, 3>, and Swizzle<2, 5, 2> for chunks of 32 bytes).
uint64_t swizzled(uint64_t address, Swizzle swizzle, Atomicity atomicity = Atomicity::Bytes16);

/// A field of a map's encoding, with its name in tensormap.replace.
struct TensorMapField {
  std::string_view name;
  uint8_t offset, bytes, count;
};
const TensorMapField *findTensorMapField(std::string_view name);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_TENSORMAP_H
