// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Remarks.h. A remark begins with the operation that it is about, which decides its category.

#include "tools/cuda/tileiras/Remarks.h"

#include <charconv>
#include <initializer_list>
#include <optional>

using namespace tilewright;
using namespace tilewright::cuda;

namespace {
struct Remark {
  std::string_view line; ///< The whole remark.
  std::string_view file;
  unsigned row = 0, column = 0; ///< 0: the position is unknown.
  std::string_view operation;   ///< `mmaf`, or `entry`.
  std::string_view text;
};
} // namespace

/// Removes `:number` from the end. 0 if there is none.
static unsigned takeNumber(std::string_view &place) {
  const size_t colon = place.rfind(':');
  unsigned number = 0;
  if (colon == std::string_view::npos)
    return 0;
  const char *end = place.data() + place.size();
  const auto [stopped, error] = std::from_chars(place.data() + colon + 1, end, number);
  if (error != std::errc() || stopped != end)
    return 0;
  place = place.substr(0, colon);
  return number;
}

static std::optional<Remark> parseRemark(std::string_view line) {
  constexpr std::string_view separator = ": remark: ";
  const size_t at = line.find(separator);
  if (at == std::string_view::npos)
    return std::nullopt;
  Remark remark;
  remark.line = line;
  remark.file = line.substr(0, at);
  remark.column = takeNumber(remark.file);
  remark.row = takeNumber(remark.file);
  remark.text = line.substr(at + separator.size());
  remark.operation = remark.text.substr(0, remark.text.find_first_of(": "));
  return remark;
}

static bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> starts) {
  for (std::string_view start : starts)
    if (text.starts_with(start))
      return true;
  return false;
}

/// RemarkCategory::All: only the selection of all categories includes it.
static RemarkCategory categoryOf(const Remark &remark) {
  if (remark.operation.starts_with("mma"))
    return RemarkCategory::TensorCore;
  if (startsWithAny(remark.operation, {"load_", "store_", "atomic_", "multimem_", "alloca"}))
    return RemarkCategory::Memory;
  return RemarkCategory::All;
}

static bool isSelected(RemarkCategory category, RemarkCategory by) {
  return by == RemarkCategory::All || (by != RemarkCategory::None && by == category);
}

/// As NVIDIA's compiler names the category.
static const char *nameOf(RemarkCategory category) {
  switch (category) {
  case RemarkCategory::Memory:
    return "Memory";
  case RemarkCategory::TensorCore:
    return "Tensor-core";
  default:
    return "Kernel";
  }
}

/// In single quotes, in which only quotes are doubled.
static std::string quoted(std::string_view text) {
  std::string quoted = "'";
  for (char letter : text)
    quoted += letter == '\'' ? "''" : std::string(1, letter);
  return quoted + "'";
}

static std::string yamlOf(const Remark &remark, std::string_view kernel) {
  std::string yaml = std::string("--- !Analysis\nPass:            ") + nameOf(categoryOf(remark)) +
                     "\nName:            " + std::string(remark.operation) + "\n";
  if (remark.row)
    yaml += "DebugLoc:        { File: " + quoted(remark.file) +
            ", Line: " + std::to_string(remark.row) + ", Column: " + std::to_string(remark.column) +
            " }\n";
  if (!kernel.empty())
    yaml += "Function:        " + quoted(kernel) + "\n";
  return yaml + "Args:\n  - Remark:      " + quoted(remark.text) + "\n...\n";
}

std::string cuda::print(std::string_view remarks, std::string_view kernel,
                        const RemarkOptions &options) {
  std::string printed;
  for (std::string_view rest = remarks; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
    const std::optional<Remark> remark = parseRemark(line);
    if (!remark || !(isSelected(categoryOf(*remark), options.ofAllTypes) ||
                     isSelected(categoryOf(*remark), options.ofAnalysis)))
      continue;
    printed += options.isYaml ? yamlOf(*remark, kernel) : std::string(line) + "\n";
  }
  return printed;
}
