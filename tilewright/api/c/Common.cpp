// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Common.h.

#include "tilewright/api/c/Common.h"

#include "llvm/Support/MemAlloc.h"

using namespace tilewright;
using namespace tilewright::api;
using numerics::Format;
using support::Failure;
using support::Result;

char *c::copyOf(llvm::StringRef bytes) {
  char *copy = static_cast<char *>(llvm::safe_malloc(bytes.size() + 1));
  *std::copy(bytes.begin(), bytes.end(), copy) = 0;
  return copy;
}

void c::report(api::Diagnostics all, twDiagnostics **diagnostics) {
  if (diagnostics)
    *diagnostics = all.text.empty() ? nullptr : new twDiagnostics{std::move(all)};
}

twStatus c::fail(twStatus status, const std::string &why, twDiagnostics **diagnostics) {
  report({{}, why + "\n"}, diagnostics);
  return status;
}

twStatus c::wrongUsage(const std::string &why, twDiagnostics **diagnostics) {
  return fail(TW_USAGE, why, diagnostics);
}

twPlace c::placeOf(const api::Place &place) {
  return {place.file.c_str(), place.line, place.column, place.byte.value_or(-1)};
}

twVersion c::packed(tile::Version version) { return TW_VERSION(version.major, version.minor); }

std::optional<tile::Version> c::unpacked(twVersion version) {
  for (uint8_t minor = tile::oldestVersion.minor; minor <= tile::newestVersion.minor; ++minor)
    if (tile::Version known{tile::oldestVersion.major, minor}; packed(known) == version)
      return known;
  return std::nullopt;
}

static constexpr struct {
  Format format;
  twElementType type;
} elementTypes[] = {
    {Format::I1, TW_I1},
    {Format::I8, TW_I8},
    {Format::I16, TW_I16},
    {Format::I32, TW_I32},
    {Format::I64, TW_I64},
    {Format::F16, TW_F16},
    {Format::BF16, TW_BF16},
    {Format::TF32, TW_TF32},
    {Format::F32, TW_F32},
    {Format::F64, TW_F64},
    {Format::F8E4M3FN, TW_F8E4M3FN},
    {Format::F8E5M2, TW_F8E5M2},
    {Format::F8E8M0FNU, TW_F8E8M0FNU},
    {Format::F4E2M1FN, TW_F4E2M1FN},
    {Format::F8E5M3FNU, TW_F8E5M3FNU},
};

twElementType c::typeOf(std::optional<Format> format) {
  for (const auto &row : elementTypes)
    if (row.format == format)
      return row.type;
  return TW_NO_ELEMENT;
}

Result<Format> c::formatOf(twElementType type) {
  for (const auto &row : elementTypes)
    if (row.type == type)
      return row.format;
  return Failure{"there is no element type " + std::to_string(int(type))};
}
