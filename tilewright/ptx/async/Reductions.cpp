// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reductions.h.

#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/instructions/FloatValue.h"

using namespace tilewright;
using namespace tilewright::ptx;

template <typename T> static T fromBits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T> static uint64_t toBits(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <typename T> static uint64_t add(uint64_t old, uint64_t value) {
  if constexpr (std::is_integral_v<T>)
    return toBits(T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value)));
  else
    return toBits(
        fromElement<T>(numerics::addF(toElement(fromBits<T>(old)), toElement(fromBits<T>(value)))));
}

/// If one operand is a NaN, the result is the other.
template <typename T> static uint64_t smaller(uint64_t old, uint64_t value) {
  const T a = fromBits<T>(old), b = fromBits<T>(value);
  if constexpr (std::is_integral_v<T>)
    return toBits(std::min(a, b));
  else
    return toBits(fromElement<T>(numerics::minF(toElement(a), toElement(b))));
}

template <typename T> static uint64_t larger(uint64_t old, uint64_t value) {
  const T a = fromBits<T>(old), b = fromBits<T>(value);
  if constexpr (std::is_integral_v<T>)
    return toBits(std::max(a, b));
  else
    return toBits(fromElement<T>(numerics::maxF(toElement(a), toElement(b))));
}

static uint64_t increment(uint64_t old, uint64_t value) { return old >= value ? 0 : old + 1; }
static uint64_t decrement(uint64_t old, uint64_t value) {
  return old == 0 || old > value ? value : old - 1;
}
static uint64_t conjunction(uint64_t old, uint64_t value) { return old & value; }
static uint64_t disjunction(uint64_t old, uint64_t value) { return old | value; }
static uint64_t difference(uint64_t old, uint64_t value) { return old ^ value; }

static constexpr Reduction table[] = {
    {"add", Type::U32, add<uint32_t>},     {"add", Type::S32, add<int32_t>},
    {"add", Type::U64, add<uint64_t>},     {"add", Type::S64, add<int64_t>},
    {"add", Type::F16, add<Half>},         {"add", Type::BF16, add<Brain>},
    {"add", Type::F32, add<float>},        {"add", Type::F64, add<double>},
    {"min", Type::U32, smaller<uint32_t>}, {"min", Type::S32, smaller<int32_t>},
    {"min", Type::U64, smaller<uint64_t>}, {"min", Type::S64, smaller<int64_t>},
    {"min", Type::F16, smaller<Half>},     {"min", Type::BF16, smaller<Brain>},
    {"max", Type::U32, larger<uint32_t>},  {"max", Type::S32, larger<int32_t>},
    {"max", Type::U64, larger<uint64_t>},  {"max", Type::S64, larger<int64_t>},
    {"max", Type::F16, larger<Half>},      {"max", Type::BF16, larger<Brain>},
    {"inc", Type::U32, increment},         {"dec", Type::U32, decrement},
    {"and", Type::B32, conjunction},       {"and", Type::B64, conjunction},
    {"or", Type::B32, disjunction},        {"or", Type::B64, disjunction},
    {"xor", Type::B32, difference},        {"xor", Type::B64, difference},
};

std::optional<uint32_t> tilewright::ptx::findReduction(std::string_view operation, Type type) {
  for (uint32_t number = 0; number < std::size(table); ++number)
    if (table[number].operation == operation && table[number].type == type)
      return number;
  return std::nullopt;
}

std::string_view tilewright::ptx::takeReductionName(Decoder &decoder) {
  for (std::string_view name : {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
    if (decoder.take(name))
      return name;
  return {};
}

std::optional<uint32_t> tilewright::ptx::takeAsyncReduction(Decoder &decoder, Type &type) {
  const std::string_view operation = takeReductionName(decoder);
  const auto taken = operation.empty() ? std::nullopt : decoder.takeType();
  if (!taken || isFloat(*taken) || (bytesOf(*taken) == 8 && operation != "add"))
    return std::nullopt;
  type = *taken;
  return findReduction(operation, type);
}

const Reduction &tilewright::ptx::reduction(uint32_t number) { return table[number]; }

void tilewright::ptx::combineBytes(Region &region, uint64_t offset, const Bytes &bytes,
                                   uint64_t first, uint64_t count, const Reduction &reduction) {
  const unsigned size = bytesOf(reduction.type);
  const uint8_t all = uint8_t((1u << size) - 1);
  for (uint64_t at = 0; at + size <= count; at += size) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.values.data() + first + at, size);
    bool isDefined = (region.definedAt(offset + at) & all) == all;
    for (unsigned byte = 0; byte < size; ++byte)
      isDefined &= bytes.defined[first + at + byte] != 0;
    region.store(offset + at, size, reduction.combine(region.load(offset + at, size), value));
    region.define(offset + at, size, isDefined ? all : uint8_t(0));
  }
}
