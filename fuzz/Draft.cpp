// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Draft.h. Shares no code with the reader except for the frame. Parts that cannot be taken
// apart stay whole and are mutated as plain bytes.

#include "Draft.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::fuzz;
using bytecode::SectionId;

static constexpr size_t headerSize = 12;
static constexpr uint8_t padding = 0xCB;

// --- Taking apart -----------------------------------------------------------------------

namespace {

/// Takes bytes from the front. After the first failure, it stays failed.
class Taker {
public:
  explicit Taker(llvm::ArrayRef<uint8_t> bytes) : all(bytes), rest(bytes) {}

  /// Bits beyond 64 are lost.
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; ok; shift += 7) {
      uint64_t byte = fixed(1);
      value |= shift < 64 ? (byte & 0x7F) << shift : 0;
      if (byte < 0x80)
        break;
    }
    return ok ? value : 0;
  }

  uint64_t fixed(unsigned width) {
    uint64_t value = 0;
    for (auto [at, byte] : llvm::enumerate(take(width)))
      value |= uint64_t(byte) << (8 * at);
    return value;
  }

  llvm::ArrayRef<uint8_t> take(uint64_t count) {
    ok &= count <= rest.size();
    auto taken = rest.take_front(ok ? count : 0);
    rest = rest.drop_front(taken.size());
    return taken;
  }

  void align(uint64_t alignment) { (void)take(llvm::alignTo(position(), alignment) - position()); }

  size_t position() const { return all.size() - rest.size(); }
  size_t left() const { return rest.size(); }

  bool ok = true;

private:
  llvm::ArrayRef<uint8_t> all, rest;
};

} // namespace

/// Bytes per offset in the table at the start of a section; 0 if it has none.
static unsigned offsetWidth(SectionId id) {
  switch (id) {
  case SectionId::String:
  case SectionId::Type:
    return 4;
  case SectionId::Constant:
    return 8;
  default:
    return 0;
  }
}

static std::optional<std::vector<Bytes>> takeEntries(llvm::ArrayRef<uint8_t> payload,
                                                     unsigned width) {
  Taker taker(payload);
  uint64_t count = taker.varint();
  taker.align(width);
  if (!taker.ok || count > taker.left() / width)
    return std::nullopt;
  std::vector<uint64_t> bounds;
  for (uint64_t i = 0; i < count; ++i)
    bounds.push_back(taker.fixed(width));
  llvm::ArrayRef<uint8_t> data = taker.take(taker.left());
  bounds.push_back(data.size());
  std::vector<Bytes> entries;
  for (uint64_t i = 0; i < count; ++i) {
    if (bounds[i] > bounds[i + 1] || bounds[i + 1] > data.size())
      return std::nullopt;
    entries.push_back(data.slice(bounds[i], bounds[i + 1] - bounds[i]).vec());
  }
  return entries;
}

/// The attributes that hints are made of (bytecode format, 10.2).
static void skipAttribute(Taker &taker, unsigned depth = 0) {
  uint64_t tag = taker.varint();
  taker.ok &= depth < 8;
  switch (tag) {
  case 1: // integer: type, value
    taker.varint();
    taker.varint();
    return;
  case 3: // boolean
  case 5: // string
    taker.varint();
    return;
  case 10: // dictionary
  case 11: // hints
    for (uint64_t count = taker.varint(); taker.ok && count; --count) {
      taker.varint();
      skipAttribute(taker, depth + 1);
    }
    return;
  default:
    taker.ok = false;
  }
}

static std::optional<std::vector<DraftFunction>> takeFunctions(llvm::ArrayRef<uint8_t> payload) {
  Taker taker(payload);
  std::vector<DraftFunction> functions;
  for (uint64_t count = taker.varint(); taker.ok && count; --count) {
    size_t start = taker.position();
    taker.varint(); // name
    taker.varint(); // signature
    uint64_t flags = taker.fixed(1);
    taker.varint(); // location row
    if (flags & 0x04)
      skipAttribute(taker);
    Bytes header = payload.slice(start, taker.position() - start).vec();
    functions.push_back({header, taker.take(taker.varint()).vec()});
  }
  if (!taker.ok)
    return std::nullopt;
  return functions;
}

std::optional<Draft> Draft::takeApart(llvm::ArrayRef<uint8_t> bytes) {
  auto file = bytecode::readFile(bytes);
  if (!file)
    return std::nullopt;
  Draft draft{bytes.take_front(headerSize).vec(), {}};
  for (const bytecode::Section &section : file->sections) {
    DraftSection part{section.id, section.payload.vec(), std::nullopt, std::nullopt};
    if (unsigned width = offsetWidth(section.id))
      part.entries = takeEntries(section.payload, width);
    if (section.id == SectionId::Function)
      part.functions = takeFunctions(section.payload);
    draft.sections.push_back(std::move(part));
  }
  return draft;
}

// --- Putting together ---------------------------------------------------------------------

static void append(Bytes &bytes, llvm::ArrayRef<uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

static void appendVarint(Bytes &bytes, uint64_t value) {
  uint8_t buffer[10];
  append(bytes, {buffer, llvm::encodeULEB128(value, buffer)});
}

static void appendFixed(Bytes &bytes, uint64_t value, unsigned width) {
  for (unsigned at = 0; at < width; ++at)
    bytes.push_back(uint8_t(value >> (8 * at)));
}

static void align(Bytes &bytes, uint64_t alignment) {
  bytes.resize(llvm::alignTo(bytes.size(), alignment), padding);
}

static Bytes payloadOf(const DraftSection &section) {
  Bytes payload;
  if (section.entries) {
    unsigned width = offsetWidth(section.id);
    appendVarint(payload, section.entries->size());
    align(payload, width);
    uint64_t offset = 0;
    for (const Bytes &entry : *section.entries) {
      appendFixed(payload, offset, width);
      offset += entry.size();
    }
    for (const Bytes &entry : *section.entries)
      append(payload, entry);
    return payload;
  }
  if (section.functions) {
    appendVarint(payload, section.functions->size());
    for (const DraftFunction &function : *section.functions) {
      append(payload, function.header);
      appendVarint(payload, function.body.size());
      append(payload, function.body);
    }
    return payload;
  }
  return section.payload;
}

Bytes Draft::putTogether() const {
  Bytes file = header;
  for (const DraftSection &section : sections) {
    Bytes payload = payloadOf(section);
    uint64_t alignment = bytecode::requiredAlignment(section.id);
    file.push_back(uint8_t(section.id) | (alignment ? 0x80 : 0));
    appendVarint(file, payload.size());
    if (alignment) {
      appendVarint(file, alignment);
      align(file, alignment);
    }
    append(file, payload);
  }
  file.push_back(uint8_t(SectionId::End));
  return file;
}

DraftSection *Draft::find(SectionId id) {
  auto found = llvm::find_if(sections, [&](const DraftSection &each) { return each.id == id; });
  return found == sections.end() ? nullptr : &*found;
}
