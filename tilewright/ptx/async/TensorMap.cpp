// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorMap.h.

#include "tilewright/ptx/async/TensorMap.h"

#include <cstring>

using namespace tilewright::ptx;

namespace {
struct TypeRow {
  std::string_view name;
  uint8_t bits;
  uint64_t nan;
  uint8_t padding = 0;
};
} // namespace

/// Indexed by their numbers in tensormap.replace (PTX ISA). The NaNs for filling are those of a GPU
/// (test/gpu/probes.py, T8).
static constexpr TypeRow types[] = {
    {"u8", 8, 0},
    {"u16", 16, 0},
    {"u32", 32, 0},
    {"s32", 32, 0},
    {"u64", 64, 0},
    {"s64", 64, 0},
    {"f16", 16, 0x7FF7},
    {"f32", 32, 0x7FF77FF7},
    {"f32.ftz", 32, 0x7FF77FF7},
    {"f64", 64, 0x7FF77FF77FF77FF7},
    {"bf16", 16, 0x7FF7},
    {"tf32", 32, 0x7FF77FF7},
    {"tf32.ftz", 32, 0x7FF77FF7},
    {"b4x16", 4, 0},
    {"b4x16_p64", 4, 0, 8},
    {"b6x16_p32", 6, 0, 4},
};

static constexpr TensorMapField fields[] = {
    {"rank", 4, 1, 1},
    {"elemtype", 5, 1, 1},
    {"interleave_layout", 6, 1, 1},
    {"swizzle_mode", 7, 1, 1},
    {"fill_mode", 8, 1, 1},
    {"swizzle_atomicity", 9, 1, 1},
    {"global_address", 16, 8, 1},
    {"global_dim", 24, 4, 5},
    {"global_stride", 48, 8, 4},
    {"box_dim", 80, 4, 5},
    {"element_stride", 100, 4, 5},
};

const TensorMapField *tilewright::ptx::findTensorMapField(std::string_view name) {
  for (const TensorMapField &field : fields)
    if (field.name == name)
      return &field;
  return nullptr;
}

std::optional<uint8_t> tilewright::ptx::tensorTypeNamed(std::string_view name) {
  for (size_t type = 0; type < std::size(types); ++type)
    if (types[type].name == name)
      return uint8_t(type);
  return std::nullopt;
}

std::string_view tilewright::ptx::nameOfTensorType(uint8_t type) {
  return type < std::size(types) ? types[type].name : std::string_view();
}

//===-- Fields ------------------------------------------------------------------------------===//

unsigned TensorMap::elementBits() const { return type < std::size(types) ? types[type].bits : 8; }

unsigned TensorMap::padding() const { return type < std::size(types) ? types[type].padding : 0; }

uint64_t TensorMap::rowCount() const {
  uint64_t rows = 1;
  for (unsigned dim = 1; dim < rank && dim < mostDims; ++dim)
    rows *= count(dim);
  return rows;
}

uint64_t TensorMap::fillBits() const {
  return fill && type < std::size(types) ? types[type].nan : 0;
}

static std::string inDim(unsigned dim) { return " in dimension " + std::to_string(dim); }

static std::string elementsOf(const TensorMap &map) {
  return "elements of type " + std::string(nameOfTensorType(map.type));
}

/// The alignment of the tensor and its strides.
static unsigned alignmentOf(const TensorMap &map) { return map.padding() ? 32 : 16; }

/// The extent of dimension 0, and the first coordinate of a copy, are multiples of it. The manuals
/// do not say which coordinates unpadded elements of 4 bits may have: here, those of whole bytes.
static unsigned unitOf(const TensorMap &map) {
  return map.padding() ? 128 : map.elementBits() < 8 ? 2 : 1;
}

static std::optional<std::string> wrongDim(const TensorMap &map, unsigned dim) {
  if (map.box[dim] == 0 || map.box[dim] > 256)
    return "a box has 1 to 256 elements, but " + std::to_string(map.box[dim]) + inDim(dim);
  if (map.steps[dim] == 0 || map.steps[dim] > 8)
    return "element strides are 1 to 8, but " + std::to_string(map.steps[dim]) + inDim(dim);
  if (dim == 0)
    return std::nullopt;
  const uint64_t stride = map.strides[dim - 1];
  if (const unsigned alignment = alignmentOf(map); stride % alignment || stride >> 40)
    return "a stride is a multiple of " + std::to_string(alignment) + " bytes below 2^40, but " +
           std::to_string(stride) + inDim(dim);
  return std::nullopt;
}

/// The swizzles of padded elements.
static std::optional<std::string> wrongPaddedSwizzle(const TensorMap &map) {
  if (map.swizzle && map.swizzle != uint8_t(Swizzle::Bytes128))
    return elementsOf(map) + " are not swizzled, or by 128 bytes";
  if (map.elementBits() == 4 && map.atomicity == uint8_t(Atomicity::Bytes64))
    return elementsOf(map) + " have no swizzle atomicity of 64 bytes";
  return std::nullopt;
}

/// Rules for elements of less than a byte.
static std::optional<std::string> wrongPackedElements(const TensorMap &map) {
  if (const unsigned unit = unitOf(map); map.extent(0) % unit)
    return "dimension 0 of a tensor has a multiple of " + std::to_string(unit) + " " +
           elementsOf(map) + ", but " + std::to_string(map.extent(0));
  if (!map.padding())
    return std::nullopt;
  if (map.box[0] != 128)
    return "a box has 128 " + elementsOf(map) + " in dimension 0, but " +
           std::to_string(map.box[0]);
  return wrongPaddedSwizzle(map);
}

/// Rules for a row of a box.
static std::optional<std::string> wrongRow(const TensorMap &map) {
  if (const uint64_t bits = uint64_t(map.box[0]) * map.elementBits(); bits % 128)
    return "a row of a box has a multiple of 16 bytes, but " +
           (bits % 8 ? std::to_string(bits) + " bits" : std::to_string(bits / 8));
  if (map.rowBytes() > map.rowPitch())
    return "a row of a box has " + std::to_string(map.rowBytes()) +
           " bytes, but the swizzle spans " + std::to_string(map.rowPitch());
  return std::nullopt;
}

std::optional<std::string> TensorMap::findError() const {
  if (rank == 0 || rank > mostDims)
    return "a tensor has 1 to 5 dimensions, and not " + std::to_string(rank);
  if (type >= std::size(types))
    return "elements of type number " + std::to_string(type) + " are not supported";
  if (interleave)
    return "interleaved layouts are not supported";
  if (swizzle > uint8_t(Swizzle::Bytes128))
    return "swizzle mode " + std::to_string(swizzle) + " is not supported";
  if (atomicity == uint8_t(Atomicity::Bytes32Flip8) || atomicity > uint8_t(Atomicity::Bytes64))
    return "swizzle atomicity " + std::to_string(atomicity) + " is not supported";
  if (atomicity && swizzle != uint8_t(Swizzle::Bytes128))
    return "a swizzle atomicity beyond 16 bytes needs the swizzle of 128 bytes";
  if (fill > 1 || (fill && !types[type].nan))
    return elementsOf(*this) + " are not filled with NaN";
  if (address % alignmentOf(*this))
    return "the address of a tensor is a multiple of " + std::to_string(alignmentOf(*this));
  for (unsigned dim = 0; dim < rank; ++dim)
    if (auto why = wrongDim(*this, dim))
      return why;
  if (auto why = wrongPackedElements(*this))
    return why;
  return wrongRow(*this);
}

std::optional<std::string> TensorMap::findCopyError(Direction direction, int64_t first) const {
  if (first % unitOf(*this))
    return "the first coordinate of " + elementsOf(*this) + " is a multiple of " +
           std::to_string(unitOf(*this)) + ", but " + std::to_string(first);
  if (!padding())
    return std::nullopt;
  if (direction == Direction::Store && elementBits() == 4)
    return elementsOf(*this) + " are not stored";
  if (direction == Direction::Load && atomicity == uint8_t(Atomicity::Bytes64))
    return elementsOf(*this) + " are not loaded with a swizzle atomicity of 64 bytes";
  return std::nullopt;
}

//===-- Bytes -------------------------------------------------------------------------------===//

template <typename T> static void put(TensorMapBytes &bytes, unsigned offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <typename T> static T get(const TensorMapBytes &bytes, unsigned offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// In the bytes, the rank is stored minus one, as in tensormap.replace.
TensorMapBytes tilewright::ptx::encode(const TensorMap &map) {
  TensorMapBytes bytes = {};
  put(bytes, 0, tensorMapMark);
  put(bytes, 4, uint8_t(map.rank - 1));
  put(bytes, 5, map.type);
  put(bytes, 6, map.interleave);
  put(bytes, 7, map.swizzle);
  put(bytes, 8, map.fill);
  put(bytes, 9, map.atomicity);
  put(bytes, 16, map.address);
  for (unsigned dim = 0; dim < mostDims; ++dim) {
    put(bytes, 24 + 4 * dim, map.dims[dim]);
    put(bytes, 80 + 4 * dim, map.box[dim]);
    put(bytes, 100 + 4 * dim, map.steps[dim]);
    if (dim + 1 < mostDims)
      put(bytes, 48 + 8 * dim, map.strides[dim]);
  }
  return bytes;
}

std::optional<TensorMap> tilewright::ptx::decodeTensorMap(const TensorMapBytes &bytes) {
  if (get<uint32_t>(bytes, 0) != tensorMapMark)
    return std::nullopt;
  TensorMap map;
  map.rank = uint8_t(get<uint8_t>(bytes, 4) + 1);
  map.type = get<uint8_t>(bytes, 5);
  map.interleave = get<uint8_t>(bytes, 6);
  map.swizzle = get<uint8_t>(bytes, 7);
  map.fill = get<uint8_t>(bytes, 8);
  map.atomicity = get<uint8_t>(bytes, 9);
  map.address = get<uint64_t>(bytes, 16);
  for (unsigned dim = 0; dim < mostDims; ++dim) {
    map.dims[dim] = get<uint32_t>(bytes, 24 + 4 * dim);
    map.box[dim] = get<uint32_t>(bytes, 80 + 4 * dim);
    map.steps[dim] = get<uint32_t>(bytes, 100 + 4 * dim);
    if (dim + 1 < mostDims)
      map.strides[dim] = get<uint64_t>(bytes, 48 + 8 * dim);
  }
  return map;
}

uint64_t tilewright::ptx::swizzled(uint64_t address, Swizzle swizzle, Atomicity atomicity) {
  static constexpr unsigned chunkBits[] = {4, 5, 5, 6};
  const unsigned bits = chunkBits[unsigned(atomicity)];
  const uint64_t mask = (uint64_t(16) << unsigned(swizzle) >> bits) - 1;
  return address ^ ((address >> 7 & mask) << bits);
}
