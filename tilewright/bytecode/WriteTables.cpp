// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteTables.h.

#include "tilewright/bytecode/WriteTables.h"
#include "tilewright/bytecode/File.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

uint32_t StringPool::indexOf(StringRef string) {
  auto [entry, isNew] = indexes.try_emplace(string, entries.size());
  if (isNew)
    entries.add(string);
  return entry->second;
}

//===-- Types (4) ---------------------------------------------------------------------------===//

TypePool::TypePool(tile::Version version) : version(version) {
  for (const tile::TypeRow &row :
       llvm::concat<const tile::TypeRow>(tile::allTypes(), tile::allElementTypes()))
    tags[row.mnemonic] = row.tag;
}

std::optional<uint32_t> TypePool::indexOf(Type type) {
  auto known = indexes.find(type);
  if (known != indexes.end())
    return known->second;
  Bytes entry;
  if (!encode(type, entry))
    return std::nullopt;
  uint32_t index = entries.size();
  entries.add(entry.bytes());
  indexes[type] = index;
  return index;
}

/// Whether the padding value, the only optional parameter, is present.
static uint8_t paddingFlag(tile::TileView view) { return view.getPaddingValue() ? 1 : 0; }

static void writePadding(tile::TileView view, Bytes &out) {
  if (tile::PaddingValueAttr padding = view.getPaddingValue())
    out.varint(uint64_t(padding.getValue()));
}

/// The three views differ in their parameters besides tile and tensor view.
void TypePool::encodeView(tile::TileView view, Bytes &out) {
  Type type = view;
  uint32_t tensorView = *indexOf(view.getTensorViewType());
  bool leadingFlags = version >= tile::Version{13, 3};
  if (leadingFlags)
    out.varint(paddingFlag(view));
  out.numbers(view.getTileShape());
  if (auto strided = dyn_cast<tile::StridedViewType>(type))
    out.numbers(strided.getTraversalStrides());
  out.varint(tensorView);
  llvm::TypeSwitch<Type>(type)
      .Case<tile::PartitionViewType, tile::StridedViewType>(
          [&](auto known) { out.numbers(known.getDimMap()); })
      .Case([&](tile::GatherScatterViewType known) { out.varint(known.getSparseDim()); });
  if (!leadingFlags)
    out.byte(paddingFlag(view));
  writePadding(view, out);
}

void TypePool::writePointerFlags(tile::PointerAttributeAttr attribute, Bytes &out) const {
  if (version >= pointerFlagsSince)
    out.varint(attribute ? 1 : 0);
}

/// Older versions have no attribute: verifyFits has reported it.
static void writePointerAttribute(tile::PointerAttributeAttr attribute, Bytes &out) {
  if (attribute)
    out.varint(uint64_t(attribute.getValue()));
}

/// Writes tag and fields, after the types that they refer to have been numbered.
bool TypePool::encode(Type type, Bytes &out) {
  if (auto function = dyn_cast<FunctionType>(type)) {
    Bytes parts;
    for (TypeRange types : {TypeRange(function.getInputs()), TypeRange(function.getResults())}) {
      parts.varint(types.size());
      for (Type part : types) {
        std::optional<uint32_t> index = indexOf(part);
        if (!index)
          return false;
        parts.varint(*index);
      }
    }
    out.varint(functionTypeTag);
    out.append(parts.bytes());
    return true;
  }
  if (std::optional<numerics::Format> format = tile::formatOf(type);
      format && *format != numerics::Format::Pointer) {
    out.varint(tags.at(numerics::info(*format).spelling));
    return true;
  }
  return llvm::TypeSwitch<Type, bool>(type)
      .Case([&](tile::PointerType pointer) {
        uint32_t pointee = *indexOf(pointer.getPointeeType());
        out.varint(tags.at(pointer.getMnemonic()));
        writePointerFlags(pointer.getAttribute(), out);
        out.varint(pointee);
        writePointerAttribute(pointer.getAttribute(), out);
        return true;
      })
      .Case([&](tile::TileType tile) {
        uint32_t element = *indexOf(tile.getElementType());
        out.varint(tags.at(tile.getMnemonic()));
        out.varint(element);
        out.numbers(tile.getShape());
        return true;
      })
      .Case([&](tile::TensorViewType view) {
        uint32_t element = *indexOf(view.getElementType());
        out.varint(tags.at(view.getMnemonic()));
        writePointerFlags(view.getAttribute(), out);
        out.varint(element);
        out.numbers(view.getShape());
        out.numbers(view.getStrides());
        writePointerAttribute(view.getAttribute(), out);
        return true;
      })
      .Case<tile::PartitionViewType, tile::StridedViewType, tile::GatherScatterViewType>(
          [&](auto view) {
            out.varint(tags.at(view.getMnemonic()));
            encodeView(view, out);
            return true;
          })
      .Case([&](tile::TokenType token) {
        out.varint(tags.at(token.getMnemonic()));
        return true;
      })
      .Default(false);
}

//===-- Constants (5) -----------------------------------------------------------------------===//

/// One bit per element, the first in the lowest; all ones for a true splat (5.1).
static void writeBooleans(DenseElementsAttr elements, Bytes &out) {
  if (elements.isSplat()) {
    out.varint(1);
    out.byte(elements.getSplatValue<bool>() ? 0xFF : 0x00);
    return;
  }
  std::vector<uint8_t> packed(llvm::divideCeil(elements.getNumElements(), 8));
  for (auto [i, value] : llvm::enumerate(elements.getValues<bool>()))
    packed[i / 8] |= value << (i % 8);
  out.numbers<uint8_t>(packed);
}

/// In the generic text form, elements can be given as bytes, with nonzero bits that the format does
/// not use. In a file those must be 0 (5.1).
static DenseElementsAttr withoutUnusedBits(DenseElementsAttr elements) {
  unsigned bits = elements.getElementType().getIntOrFloatBitWidth();
  if (bits == 1 || bits % 8 == 0)
    return elements;
  SmallVector<char> bytes(elements.getRawData());
  size_t elementBytes = llvm::divideCeil(bits, 8);
  for (size_t top = elementBytes - 1; top < bytes.size(); top += elementBytes)
    bytes[top] &= llvm::maskTrailingOnes<uint8_t>(bits % 8);
  return DenseElementsAttr::getFromRawBuffer(elements.getType(), bytes);
}

uint32_t ConstantPool::indexOf(DenseElementsAttr given) {
  DenseElementsAttr elements = withoutUnusedBits(given);
  auto [known, isNew] = indexes.try_emplace(elements, entries.size());
  if (!isNew)
    return known->second;
  Bytes entry;
  if (elements.getElementType().isInteger(1)) {
    writeBooleans(elements, entry);
  } else {
    // One element if all are equal; little-endian, as ReadConstants.cpp asserts.
    entry.varint(elements.getRawData().size());
    entry.append(elements.getRawData());
  }
  entries.add(entry.bytes());
  return known->second;
}
