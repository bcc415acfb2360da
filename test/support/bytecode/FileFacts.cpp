// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the properties of a file that its module does not have. A second, minimal decoder for raw
// payloads, because it checks the reader. Only for files that the reader accepts: malformed ones
// cause assertion failures.

#include "test/support/bytecode/Listing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::bytecode;

namespace {
/// Reads a payload sequentially.
class Payload {
public:
  explicit Payload(const Section *section)
      : bytes(section ? section->payload : ArrayRef<uint8_t>()) {}

  uint8_t byte() { return take(1)[0]; }
  uint64_t varint() {
    unsigned length;
    const char *error = nullptr;
    uint64_t value = decodeULEB128(bytes.data() + position, &length, bytes.end(), &error);
    assert(!error && "a varint of a file that was accepted");
    position += length;
    return value;
  }
  ArrayRef<uint8_t> take(uint64_t count) {
    skip(count);
    return bytes.slice(position - count, count);
  }
  void skip(uint64_t count) {
    assert(position <= bytes.size() && count <= bytes.size() - position && "within the payload");
    position += count;
  }
  ArrayRef<uint8_t> rest() const { return bytes.drop_front(position); }
  void alignTo(uint64_t alignment) { position = llvm::alignTo(position, alignment); }
  bool atEnd() const { return position >= bytes.size(); }

private:
  ArrayRef<uint8_t> bytes;
  uint64_t position = 0;
};

struct DebugCounts {
  uint64_t rows = 0, attributes = 0;
};
} // namespace

/// The number of entries, with which most sections begin; 0 if the section is missing.
static uint64_t countOf(const File &file, SectionId id) {
  Payload payload(file.find(id));
  return payload.atEnd() ? 0 : payload.varint();
}

/// Counts rows, references and attributes (bytecode format, 13).
static DebugCounts debugCountsOf(const File &file) {
  Payload payload(file.find(SectionId::Debug));
  DebugCounts counts;
  if (payload.atEnd())
    return counts;
  counts.rows = payload.varint();
  payload.alignTo(4);
  payload.skip(4 * counts.rows);
  uint64_t references = payload.varint();
  payload.alignTo(8);
  payload.skip(8 * references);
  counts.attributes = payload.varint();
  return counts;
}

static std::string stringAt(const File &file, uint64_t index) {
  Payload payload(file.find(SectionId::String));
  uint64_t count = payload.varint();
  payload.alignTo(4);
  ArrayRef<uint8_t> offsets = payload.take(4 * count);
  auto offset = [&](uint64_t i) { return llvm::support::endian::read32le(&offsets[4 * i]); };
  uint64_t start = offset(index),
           end = index + 1 < count ? offset(index + 1) : payload.rest().size();
  return toStringRef(payload.rest().slice(start, end - start)).str();
}

static std::string headerOf(const File &file) {
  std::string ids = join(map_range(file.sections,
                                   [](const Section &section) {
                                     return std::to_string(static_cast<unsigned>(section.id));
                                   }),
                         ", ");
  DebugCounts debug = debugCountsOf(file);
  std::string header = formatv(
      "version {0}; sections in file order [{1}]; {2} strings, {3} types, {4} constants, "
      "{5} debug rows, {6} debug attributes",
      file.version.str(), ids, countOf(file, SectionId::String), countOf(file, SectionId::Type),
      countOf(file, SectionId::Constant), debug.rows, debug.attributes);
  if (file.find(SectionId::Producer))
    header += "; producer '" + stringAt(file, countOf(file, SectionId::Producer)) + "'";
  return header;
}

/// Skips a hint's value: an integer, a boolean in either encoding, a dictionary (bytecode
/// format, 10.2). An i1 value is a byte 0 or 1, which is also a varint.
static void skipHintValue(Payload &payload) {
  switch (payload.varint()) {
  case 1: // Integer
    payload.varint();
    payload.varint();
    return;
  case 3: // Bool
    payload.byte();
    return;
  case 10: // Dictionary
  case 11: // OptimizationHints
    for (uint64_t left = payload.varint(); left > 0; --left) {
      payload.varint();
      skipHintValue(payload);
    }
    return;
  default:
    llvm_unreachable("no vector has other values in hints");
  }
}

/// The function headers (bytecode format, 8).
static std::vector<FunctionFacts> functionsOf(const File &file) {
  constexpr uint8_t hasHints = 0x04;
  std::vector<FunctionFacts> functions;
  Payload payload(file.find(SectionId::Function));
  for (uint64_t left = payload.varint(); left > 0; --left) {
    payload.varint(); // name
    payload.varint(); // signature
    FunctionFacts facts;
    facts.flags = payload.byte();
    facts.locationRow = payload.varint();
    if (facts.flags & hasHints)
      skipHintValue(payload);
    payload.skip(payload.varint()); // body
    functions.push_back(facts);
  }
  return functions;
}

FileFacts bytecode::factsOf(const File &file) { return {headerOf(file), functionsOf(file)}; }
