// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorMapSpec.h.

#include "tools/tilewright/ptx/TensorMapSpec.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using numerics::Format;
using support::Failure;
using support::Result;

//===-- Options -----------------------------------------------------------------------------===//

/// Parses `64x32`, which has at most `places` numbers. Returns how many there are; none if the text
/// is malformed.
template <typename T, size_t places>
static std::optional<unsigned> parseNumbers(StringRef text, std::array<T, places> &numbers) {
  unsigned count = 0;
  for (;;) {
    const auto [number, rest] = text.split('x');
    uint64_t value = 0;
    if (count == places || number.getAsInteger(10, value) || value > (uint64_t(1) << 40))
      return std::nullopt;
    if (sizeof(T) == 4 && value > uint64_t(1) << 32)
      return std::nullopt;
    numbers[count++] = T(value); // 2^32 wraps to 0, its encoding in a tensor map
    if (text.find('x') == StringRef::npos)
      return count;
    text = rest;
  }
}

/// Sets the swizzle mode and its atomicity, by the names of cuTensorMapEncodeTiled:
/// `128B_ATOM_32B`. Returns false for unknown names.
static bool setSwizzle(ptx::TensorMap &map, StringRef name) {
  using ptx::Atomicity;
  using ptx::Swizzle;
  using Row = std::optional<std::pair<Swizzle, Atomicity>>;
  const Row row = llvm::StringSwitch<Row>(name)
                      .Case("none", {{Swizzle::None, Atomicity::Bytes16}})
                      .Case("32B", {{Swizzle::Bytes32, Atomicity::Bytes16}})
                      .Case("64B", {{Swizzle::Bytes64, Atomicity::Bytes16}})
                      .Case("128B", {{Swizzle::Bytes128, Atomicity::Bytes16}})
                      .Case("128B_ATOM_32B", {{Swizzle::Bytes128, Atomicity::Bytes32}})
                      .Case("128B_ATOM_64B", {{Swizzle::Bytes128, Atomicity::Bytes64}})
                      .Default(std::nullopt);
  if (row) {
    map.swizzle = uint8_t(row->first);
    map.atomicity = uint8_t(row->second);
  }
  return row.has_value();
}

/// Returns false if the option is unknown or its value is invalid.
static bool setOption(TensorMapSpec &spec, StringRef key, StringRef value, unsigned &boxRank) {
  ptx::TensorMap &map = spec.map;
  if (key == "box") {
    const auto rank = parseNumbers(value, map.box);
    boxRank = rank.value_or(0);
    return rank.has_value();
  }
  if (key == "dims")
    return (spec.hasDims = parseNumbers(value, map.dims).has_value());
  if (key == "strides")
    return (spec.hasStrides = parseNumbers(value, map.strides).has_value());
  if (key == "steps")
    return parseNumbers(value, map.steps).has_value();
  if (key == "swizzle")
    return setSwizzle(map, value);
  if (key == "fill") {
    map.fill = value == "nan";
    return value == "nan" || value == "zero";
  }
  if (key != "type")
    return false;
  const auto type = ptx::tensorTypeNamed({value.data(), value.size()});
  map.type = type.value_or(uint8_t(0));
  return spec.hasType = type.has_value();
}

Result<TensorMapSpec> TensorMapSpec::parse(StringRef text) {
  TensorMapSpec spec;
  const auto [options, array] = text.drop_front(StringRef("tensormap:").size()).split(';');
  unsigned rank = 0;
  for (StringRef rest = options; !rest.empty();) {
    const auto [option, others] = rest.split(',');
    const auto [key, value] = option.split('=');
    if (!setOption(spec, key.trim(), value.trim(), rank))
      return Failure{"'" + option.str() +
                     "' is no option of a tensor map: box, dims, strides and steps are numbers as "
                     "64x32, swizzle is none, 32B, 64B, 128B, 128B_ATOM_32B or 128B_ATOM_64B, "
                     "fill is zero or nan, type is u8, f16, bf16, b4x16 ..."};
    rest = others;
  }
  if (!rank)
    return Failure{"a tensor map needs 'box=...'"};
  spec.map.rank = uint8_t(rank);
  if (array.empty())
    return Failure{"expected an array behind the ';' of a tensor map"};
  if (!array.starts_with("@")) {
    spec.array = array.str();
    return spec;
  }
  size_t number = 0;
  if (array.drop_front().getAsInteger(10, number) || number == 0)
    return Failure{"expected the number of an argument after '@', found '" + array.str() + "'"};
  spec.argument = number - 1;
  return spec;
}

//===-- The map -----------------------------------------------------------------------------===//

static std::string_view nameOf(Format format) {
  switch (format) {
  case Format::I8:
    return "u8";
  case Format::I16:
    return "u16";
  case Format::I32:
    return "s32";
  case Format::I64:
    return "s64";
  case Format::F16:
    return "f16";
  case Format::BF16:
    return "bf16";
  case Format::F32:
    return "f32";
  case Format::F64:
    return "f64";
  case Format::TF32:
    return "tf32";
  default:
    return numerics::info(format).storageBits == 8 ? "u8" : "";
  }
}

Result<ptx::TensorMap> TensorMapSpec::mapOf(const TypedArray &array, uint64_t address) const {
  ptx::TensorMap result = map;
  result.address = address;
  if (!hasType) {
    const auto type = ptx::tensorTypeNamed(nameOf(array.format()));
    if (!type)
      return Failure{"the elements of the array are of no type of a tensor map; give 'type=...'"};
    result.type = *type;
  }
  const auto shape = array.shape();
  if (!hasDims) {
    if (shape.size() != result.rank)
      return Failure{"the box has " + std::to_string(result.rank) +
                     " dimensions, but the array has " + std::to_string(shape.size()) +
                     "; give 'dims=...'"};
    for (size_t dim = 0; dim < shape.size(); ++dim)
      result.dims[dim] = uint32_t(shape[shape.size() - 1 - dim]);
  }
  uint64_t elements = 1;
  for (unsigned dim = 0; dim + 1 < result.rank && !hasStrides; ++dim)
    result.strides[dim] = result.packedBytes(elements *= result.extent(dim));
  if (const auto wrong = result.findError())
    return Failure{"tensor map: " + *wrong};
  return result;
}
