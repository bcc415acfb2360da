// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Frame.h, and section 2 of the bytecode format.

#include "tools/cuda/tileiras/Frame.h"

#include <bit>
#include <cstdint>
#include <optional>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;

static constexpr std::string_view magic("\x7FTileIR\0", 8);
static constexpr size_t headerSize = 12;

static uint8_t byteAt(std::string_view program, size_t at) { return uint8_t(program[at]); }

static FormatVersion versionOf(std::string_view program) {
  return {byteAt(program, 8), byteAt(program, 9)};
}

static bool isBytecode(std::string_view program) {
  return program.size() >= headerSize && program.starts_with(magic);
}

Result<void> cuda::verifyVersion(std::string_view program) {
  if (!isBytecode(program) || versionOf(program) <= newestClientVersion)
    return {};
  const auto text = [](FormatVersion version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor);
  };
  return Failure{"Tile IR " + text(versionOf(program)) +
                 " is not supported: the newest version is " + text(newestClientVersion)};
}

namespace {
struct Section {
  uint8_t id;
  std::string_view payload;
};

/// Iterates over the sections of a file.
class Sections {
public:
  explicit Sections(std::string_view program) : program(program), at(headerSize) {}

  /// None at the end marker, or if the section is malformed.
  std::optional<Section> take();
  bool isAtEnd() const { return at + 1 == program.size() && program[at] == '\0'; }

private:
  std::optional<uint64_t> takeNumber();
  bool align(uint64_t alignment);

  std::string_view program;
  size_t at;
};
} // namespace

std::optional<uint64_t> Sections::takeNumber() {
  uint64_t number = 0;
  for (unsigned shift = 0; at < program.size() && shift < 64; shift += 7) {
    const uint8_t byte = byteAt(program, at++);
    number |= uint64_t(byte & 0x7F) << shift;
    if (byte < 0x80)
      return number;
  }
  return std::nullopt;
}

bool Sections::align(uint64_t alignment) {
  if (!std::has_single_bit(alignment) || alignment > program.size())
    return false;
  at = (at + alignment - 1) / alignment * alignment;
  return at <= program.size();
}

std::optional<Section> Sections::take() {
  constexpr uint8_t isAligned = 0x80;
  if (at >= program.size() || program[at] == '\0')
    return std::nullopt;
  const uint8_t id = byteAt(program, at++);
  const std::optional<uint64_t> length = takeNumber();
  if (!length)
    return std::nullopt;
  if (id & isAligned)
    if (const std::optional<uint64_t> alignment = takeNumber(); !alignment || !align(*alignment))
      return std::nullopt;
  if (*length > program.size() - at)
    return std::nullopt;
  const std::string_view payload = program.substr(at, *length);
  at += *length;
  return Section{uint8_t(id & ~isAligned), payload};
}

/// Whether a section has no rows: the row count, which comes first, is 0, and only padding follows.
static bool isEmpty(const Section &section) {
  return section.payload.starts_with('\0') &&
         section.payload.find_first_not_of('\xCB', 1) == std::string_view::npos;
}

bool cuda::hasNothingToCompile(std::string_view program) {
  constexpr uint8_t functions = 2, globals = 6, last = 7;
  if (!isBytecode(program) || versionOf(program) < oldestClientVersion ||
      newestClientVersion < versionOf(program))
    return false;
  bool hasFunctionSection = false;
  Sections sections(program);
  while (std::optional<Section> section = sections.take()) {
    if (section->id > last ||
        ((section->id == functions || section->id == globals) && !isEmpty(*section)))
      return false;
    hasFunctionSection |= section->id == functions;
  }
  return sections.isAtEnd() && hasFunctionSection;
}
