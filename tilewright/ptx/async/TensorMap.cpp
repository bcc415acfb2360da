// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorMap.h.

#include "tilewright/ptx/async/TensorMap.h"

#include <cstring>

using namespace tilewright::ptx;

namespace {
struct TypeRow {
  std::string_view name;
  uint8_t bytes;
  uint64_t nan;
};
} // namespace

/// Indexed by their numbers in tensormap.replace (PTX ISA). The NaNs for filling are those of a GPU
/// (test/gpu/probes.py, T8).
static constexpr TypeRow types[] = {
    {"u8", 1, 0},
    {"u16", 2, 0},
    {"u32", 4, 0},
    {"s32", 4, 0},
    {"u64", 8, 0},
    {"s64", 8, 0},
    {"f16", 2, 0x7FF7},
    {"f32", 4, 0x7FF77FF7},
    {"f32.ftz", 4, 0x7FF77FF7},
    {"f64", 8, 0x7FF77FF77FF77FF7},
    {"bf16", 2, 0x7FF7},
    {"tf32", 4, 0x7FF77FF7},
    {"tf32.ftz", 4, 0x7FF77FF7},
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

unsigned TensorMap::elementBytes() const { return type < std::size(types) ? types[type].bytes : 1; }

uint64_t TensorMap::boxBytes() const {
  uint64_t bytes = elementBytes();
  for (unsigned dim = 0; dim < rank && dim < mostDims; ++dim)
    bytes *= count(dim);
  return bytes;
}

uint64_t TensorMap::fillBits() const {
  return fill && type < std::size(types) ? types[type].nan : 0;
}

static std::string inDim(unsigned dim) { return " in dimension " + std::to_string(dim); }

static std::optional<std::string> wrongDim(const TensorMap &map, unsigned dim) {
  if (map.box[dim] == 0 || map.box[dim] > 256)
    return "a box has 1 to 256 elements, but " + std::to_string(map.box[dim]) + inDim(dim);
  if (map.steps[dim] == 0 || map.steps[dim] > 8)
    return "element strides are 1 to 8, but " + std::to_string(map.steps[dim]) + inDim(dim);
  if (dim == 0)
    return std::nullopt;
  const uint64_t stride = map.strides[dim - 1];
  if (stride % 16 || stride >> 40)
    return "a stride is a multiple of 16 bytes below 2^40, but " + std::to_string(stride) +
           inDim(dim);
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
    return "elements of type " + std::string(types[type].name) + " are not filled with NaN";
  if (address % 16)
    return "the address of a tensor is a multiple of 16";
  for (unsigned dim = 0; dim < rank; ++dim)
    if (auto why = wrongDim(*this, dim))
      return why;
  if (rowBytes() % 16)
    return "a row of a box has a multiple of 16 bytes, but " + std::to_string(rowBytes());
  if (rowBytes() > rowPitch())
    return "a row of a box has " + std::to_string(rowBytes()) + " bytes, but the swizzle spans " +
           std::to_string(rowPitch());
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
