// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Memory.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright::numerics;
namespace endian = llvm::support::endian;

/// tf32 is in the upper bits of an f32 word.
static constexpr unsigned tf32Unused = 13;

int64_t tilewright::numerics::storageBytes(Format format, int64_t count) {
  assert(info(format).storageBits != 0 && "i4 has no memory form");
  return (count * info(format).storageBits + 7) / 8;
}

static uint64_t readWord(const uint8_t *base, int64_t index, unsigned bits) {
  switch (bits) {
  case 8:
    return base[index];
  case 16:
    return endian::read16le(base + 2 * index);
  case 32:
    return endian::read32le(base + 4 * index);
  case 64:
    return endian::read64le(base + 8 * index);
  default:
    llvm_unreachable("words have 8, 16, 32 or 64 bits");
  }
}

static void writeWord(uint8_t *base, int64_t index, unsigned bits, uint64_t word) {
  switch (bits) {
  case 8:
    base[index] = uint8_t(word);
    return;
  case 16:
    return endian::write16le(base + 2 * index, uint16_t(word));
  case 32:
    return endian::write32le(base + 4 * index, uint32_t(word));
  case 64:
    return endian::write64le(base + 8 * index, word);
  default:
    llvm_unreachable("words have 8, 16, 32 or 64 bits");
  }
}

Element tilewright::numerics::load(const uint8_t *base, int64_t index, Format format) {
  const FormatInfo &f = info(format);
  assert(f.storageBits != 0 && "i4 has no memory form");
  if (f.storageBits == 4)
    return Element::fromBits(format, (base[index / 2] >> (index % 2 * 4)) & 0xF);
  uint64_t word = readWord(base, index, f.storageBits);
  if (format == Format::I1)
    return Element::boolean(word != 0);
  if (format == Format::TF32)
    return Element::fromBits(format, word >> tf32Unused);
  return Element::fromBits(format, word);
}

void tilewright::numerics::store(uint8_t *base, int64_t index, Element element) {
  const FormatInfo &f = info(element.format);
  assert(f.storageBits != 0 && "i4 has no memory form");
  if (f.storageBits == 4) {
    uint8_t &byte = base[index / 2];
    byte = index % 2 ? (byte & 0x0F) | (element.bits << 4) : (byte & 0xF0) | element.bits;
    return;
  }
  uint64_t unused = element.format == Format::TF32 ? tf32Unused : 0;
  writeWord(base, index, f.storageBits, element.bits << unused);
}
