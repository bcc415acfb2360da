// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assembler.h. Follows bytecode format, 1 to 8 and 13.

#include "test/support/bytecode/Assembler.h"

using namespace tilewright;
using namespace tilewright::bytecode;

RawBytes bytecode::varint(uint64_t value) {
  RawBytes bytes;
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(value | 0x80);
  bytes.push_back(value);
  return bytes;
}

RawBytes bytecode::fixed(uint64_t value, unsigned width) {
  RawBytes bytes;
  for (unsigned i = 0; i < width; ++i)
    bytes.push_back(value >> (8 * i));
  return bytes;
}

static RawBytes alignedTo(RawBytes bytes, size_t alignment) {
  while (bytes.size() % alignment)
    bytes.push_back(0xCB);
  return bytes;
}

RawBytes bytecode::table(const std::vector<RawBytes> &entries, unsigned width) {
  RawBytes bytes = alignedTo(varint(entries.size()), width), data;
  for (const RawBytes &entry : entries) {
    bytes = bytes + fixed(data.size(), width);
    data = data + entry;
  }
  return bytes + data;
}

RawBytes bytecode::debugSection(const std::vector<uint32_t> &rows,
                                const std::vector<uint64_t> &references,
                                const std::vector<RawBytes> &attributes) {
  RawBytes bytes = alignedTo(varint(rows.size()), 4);
  for (uint32_t row : rows)
    bytes = bytes + fixed(row, 4);
  bytes = alignedTo(bytes + varint(references.size()), 8);
  for (uint64_t reference : references)
    bytes = bytes + fixed(reference, 8);
  bytes = alignedTo(bytes + varint(attributes.size()), 4);
  uint64_t offset = 0;
  for (const RawBytes &attribute : attributes) {
    bytes = bytes + fixed(offset, 4);
    offset += attribute.size();
  }
  for (const RawBytes &attribute : attributes)
    bytes = bytes + attribute;
  return bytes;
}

RawBytes bytecode::assemble(uint8_t minorVersion, const std::vector<Frame> &frames) {
  RawBytes bytes = {0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0, 13, minorVersion, 0, 0};
  for (const Frame &frame : frames) {
    bytes = bytes + RawBytes{frame.id} + varint(frame.payload.size());
    if (frame.alignment)
      bytes = alignedTo(bytes + varint(frame.alignment), frame.alignment);
    bytes = bytes + frame.payload;
  }
  bytes.push_back(0);
  return bytes;
}

RawBytes Kernel::functions() const {
  return RawBytes{1, name, signature, flags, row} + hints + varint(body.size()) + body;
}

std::vector<Frame> Kernel::frames() const {
  std::vector<RawBytes> stringEntries;
  for (const std::string &text : strings)
    stringEntries.emplace_back(text.begin(), text.end());
  std::vector<Frame> frames = {{0x82, 8, functions()},
                               {0x84, 8, table(constants, 8)},
                               {0x85, 4, table(types, 4)},
                               {0x81, 4, table(stringEntries, 4)}};
  if (!globals.empty())
    frames.push_back({0x06, 0, globals});
  if (!producer.empty())
    frames.push_back({0x07, 0, producer});
  if (!debug.empty())
    frames.push_back({0x83, 8, debug});
  return frames;
}

RawBytes Kernel::fileWith(SectionId id, RawBytes payload) const {
  std::vector<Frame> parts = frames();
  for (Frame &frame : parts)
    if ((frame.id & 0x7F) == static_cast<uint8_t>(id))
      frame.payload = std::move(payload);
  return assemble(minorVersion, parts);
}

RawBytes bytecode::kernelWithBody(const RawBytes &body) {
  Kernel kernel;
  kernel.body = body;
  return kernel.file();
}

RawBytes bytecode::kernelWithType(uint8_t minorVersion, const RawBytes &entry) {
  Kernel kernel;
  kernel.minorVersion = minorVersion;
  kernel.signature = kernel.addType(entry);
  return kernel.file();
}
