// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Tile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The smallest word that holds every bit pattern of the format.
static uint8_t wordLog2Of(Format format) {
  unsigned bytes = llvm::divideCeil(numerics::info(format).bits, 8u);
  return llvm::Log2_32_Ceil(bytes);
}

static int64_t elementCount(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Tile::Tile(Format format, ArrayRef<int64_t> shape)
    : elementFormat(format), wordLog2(wordLog2Of(format)), extents(shape),
      count(elementCount(shape)), data(std::make_shared<Storage>()) {
  data->words.resize(count << wordLog2);
}

Tile::Tile(tile::TileType type) : Tile(*tile::formatOf(type.getElementType()), type.getShape()) {}

Tile Tile::scalar(Element element) { return splat({}, element); }

Tile Tile::splat(ArrayRef<int64_t> shape, Element element) {
  Tile result(element.format, shape);
  for (int64_t i = 0; i < result.count; ++i)
    result.set(i, element);
  return result;
}

//===-- Elements ----------------------------------------------------------------------===//

template <typename Word> static Word read(const uint8_t *words, int64_t index) {
  Word word;
  std::memcpy(&word, words + index * sizeof(Word), sizeof(Word));
  return word;
}

template <typename Word> static void write(uint8_t *words, int64_t index, uint64_t bits) {
  Word word = Word(bits);
  std::memcpy(words + index * sizeof(Word), &word, sizeof(Word));
}

uint64_t Tile::word(int64_t index) const {
  switch (wordLog2) {
  case 0:
    return data->words[index];
  case 1:
    return read<uint16_t>(words(), index);
  case 2:
    return read<uint32_t>(words(), index);
  default:
    return read<uint64_t>(words(), index);
  }
}

void Tile::set(int64_t index, Element element) {
  assert(element.format == elementFormat && "elements of one tile have one format");
  setPoison(index, element.poison);
  switch (wordLog2) {
  case 0:
    data->words[index] = uint8_t(element.bits);
    return;
  case 1:
    return write<uint16_t>(words(), index, element.bits);
  case 2:
    return write<uint32_t>(words(), index, element.bits);
  default:
    return write<uint64_t>(words(), index, element.bits);
  }
}

void Tile::setPoison(int64_t index, bool isPoison) {
  if (data->poison.empty()) {
    if (!isPoison)
      return;
    data->poison.resize(llvm::divideCeil(count, 64));
  }
  uint64_t bit = uint64_t(1) << (index % 64);
  uint64_t &bits = data->poison[index / 64];
  bits = isPoison ? bits | bit : bits & ~bit;
}

std::optional<int64_t> Tile::firstPoison() const {
  for (auto [at, bits] : llvm::enumerate(data->poison))
    if (bits)
      return at * 64 + llvm::countr_zero(bits);
  return std::nullopt;
}

std::vector<Element> Tile::elements() const {
  std::vector<Element> result;
  result.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    result.push_back((*this)[i]);
  return result;
}

//===-- Rearranging -------------------------------------------------------------------===//

Tile Tile::reshaped(ArrayRef<int64_t> shape) const {
  assert(elementCount(shape) == count && "reshaping keeps the elements");
  Tile result = *this;
  result.extents.assign(shape.begin(), shape.end());
  return result;
}

void Tile::copyFrom(const Tile &source, int64_t from, int64_t to, int64_t count) {
  assert(source.elementFormat == elementFormat);
  std::memcpy(words() + (to << wordLog2), source.words() + (from << wordLog2), count << wordLog2);
  if (!source.data->poison.empty())
    for (int64_t i = 0; i < count; ++i)
      if (source.isPoison(from + i))
        setPoison(to + i, true);
}

/// Calls visit(source index) for every element of the shape in row-major order.
template <typename Visit>
static void walk(ArrayRef<int64_t> shape, int64_t start, ArrayRef<int64_t> strides, Visit visit) {
  if (shape.empty())
    return visit(start);
  for (int64_t i = 0; i < shape.front(); ++i, start += strides.front()) {
    if (shape.size() == 1)
      visit(start);
    else
      walk(shape.drop_front(), start, strides.drop_front(), visit);
  }
}

template <typename Word>
static void walkWords(uint8_t *to, const uint8_t *from, ArrayRef<int64_t> shape, int64_t start,
                      ArrayRef<int64_t> strides) {
  int64_t next = 0;
  walk(shape, start, strides, [&](int64_t at) { write<Word>(to, next++, read<Word>(from, at)); });
}

Tile Tile::walked(ArrayRef<int64_t> shape, int64_t start, ArrayRef<int64_t> strides) const {
  assert(shape.size() == strides.size() && "one stride per dimension");
  Tile result(elementFormat, shape);
  switch (wordLog2) {
  case 0:
    walkWords<uint8_t>(result.words(), words(), shape, start, strides);
    break;
  case 1:
    walkWords<uint16_t>(result.words(), words(), shape, start, strides);
    break;
  case 2:
    walkWords<uint32_t>(result.words(), words(), shape, start, strides);
    break;
  default:
    walkWords<uint64_t>(result.words(), words(), shape, start, strides);
  }
  if (data->poison.empty())
    return result;
  int64_t next = 0;
  walk(shape, start, strides, [&](int64_t at) {
    if (isPoison(at))
      result.setPoison(next, true);
    ++next;
  });
  return result;
}

SmallVector<int64_t> reference::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

std::string reference::coordinateText(ArrayRef<int64_t> shape, int64_t index) {
  if (shape.empty())
    return "";
  std::string text = "[";
  for (auto [dim, stride] : llvm::enumerate(rowMajorStrides(shape)))
    text += (dim ? ", " : "") + std::to_string(index / stride % shape[dim]);
  return text + "]";
}

bool TensorView::anyPoison() const {
  auto poison = [](const Element &element) { return element.poison; };
  return base.poison || llvm::any_of(extents, poison) || llvm::any_of(strides, poison);
}
