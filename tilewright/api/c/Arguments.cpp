// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts twArgument and twArray, and what they point to.

#include "tilewright/api/c/Common.h"
#include "tilewright/numerics/Memory.h"

using namespace tilewright;
using namespace tilewright::api::c;
using numerics::Format;
using support::Failure;
using support::Result;

/// The maximum depth of links: an array that links to itself would otherwise recurse forever.
static constexpr int mostLevels = 8;

static Result<api::Array> arrayOf(const twArray &given, int level = 0);

static Result<void> addLinks(api::Array &array, const twArray &given, int level) {
  if (given.linkCount && !given.links)
    return Failure{"the links of the array are null"};
  if (given.linkCount && level == mostLevels)
    return Failure{"links lead to links more than " + std::to_string(mostLevels) + " times"};
  for (size_t i = 0; i < given.linkCount; ++i) {
    const std::string place = "link " + std::to_string(i + 1);
    if (!given.links[i].array)
      return Failure{place + ": the array is null"};
    Result<api::Array> target = arrayOf(*given.links[i].array, level + 1);
    if (!target)
      return target.failure().at(place);
    if (Result<void> made = array.link(given.links[i].element, std::move(*target)); !made)
      return made.failure().at(place);
  }
  return {};
}

static Result<api::Array> arrayOf(const twArray &given, int level) {
  Result<twArray> array = readStruct(&given, "array");
  if (!array)
    return array.failure();
  Result<Format> format = formatOf(array->element);
  if (!format)
    return format.failure();
  if (array->rank && !array->shape)
    return Failure{"the shape of the array is null"};
  Result<api::Array> made = api::Array::create(array->data, *format, {array->shape, array->rank},
                                               {array->strides, array->strides ? array->rank : 0});
  if (!made)
    return made;
  made->isInitialised = !array->isUninitialised;
  if (array->name)
    made->name = array->name;
  if (Result<void> linked = addLinks(*made, *array, level); !linked)
    return linked.failure();
  return made;
}

static Result<api::Argument> multicastOf(const twArray *arrays, uint64_t count) {
  if (!arrays && count)
    return Failure{"the arrays of multicast memory are null"};
  api::Multicast multicast;
  const auto *next = reinterpret_cast<const char *>(arrays);
  for (uint64_t i = 0; i < count; ++i) {
    const auto &given = *reinterpret_cast<const twArray *>(next);
    next += given.size; // the caller's struct may have another size than ours
    Result<api::Array> array = arrayOf(given);
    if (!array)
      return array.failure().at("copy " + std::to_string(i));
    multicast.copies.push_back(std::move(*array));
  }
  return api::Argument(std::move(multicast));
}

static Result<api::Argument> argumentOf(const twArgument &given) {
  if (given.element == TW_MULTICAST)
    return multicastOf(given.array, given.bits);
  if (given.array) {
    Result<api::Array> array = arrayOf(*given.array);
    if (!array)
      return array.failure();
    return api::Argument(std::move(*array));
  }
  if (given.element == TW_ADDRESS)
    return api::Argument(api::Address{reinterpret_cast<void *>(uintptr_t(given.bits))});
  Result<Format> format = formatOf(given.element);
  if (!format)
    return format.failure();
  const auto *bytes = reinterpret_cast<const uint8_t *>(&given.bits);
  return api::Argument(numerics::load(bytes, 0, *format));
}

static Result<std::vector<api::Argument>> argumentsOf(const twArgument *arguments, size_t count) {
  if (!arguments && count)
    return Failure{"the arguments are null"};
  std::vector<api::Argument> all;
  all.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Result<api::Argument> argument = argumentOf(arguments[i]);
    if (!argument)
      return argument.failure().at("argument " + std::to_string(i + 1));
    all.push_back(std::move(*argument));
  }
  return all;
}

Result<GridAndArguments> GridAndArguments::of(const int64_t (&extents)[3],
                                              const twArgument *arguments, size_t count) {
  const auto extent = [&](int i) { return extents[i] ? extents[i] : 1; };
  Result<runtime::Grid> grid = runtime::Grid::create(extent(0), extent(1), extent(2));
  if (!grid)
    return grid.failure();
  Result<std::vector<api::Argument>> all = argumentsOf(arguments, count);
  if (!all)
    return all.failure();
  return GridAndArguments{*grid, *std::move(all)};
}
