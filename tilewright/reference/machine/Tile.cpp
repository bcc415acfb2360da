// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Tile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Log2 of the size of the smallest word that holds every bit pattern of the format.
static uint8_t wordLog2Of(Format format) {
  unsigned bytes = llvm::divideCeil(numerics::info(format).bits, 8u);
  return llvm::Log2_32_Ceil(bytes);
}

unsigned Tile::wordBytesOf(Format format) { return 1u << wordLog2Of(format); }

Tile::Tile(Format format, ArrayRef<int64_t> shape)
    : elementFormat(format), wordLog2(wordLog2Of(format)), extents(shape),
      count(llvm::product_of(shape)), data(std::make_shared<Storage>(count << wordLog2)) {}

Tile::Storage::Storage(size_t bytes) : words(few) {
  if (bytes <= sizeof few)
    return;
  many = std::make_unique_for_overwrite<uint8_t[]>(bytes);
  words = many.get();
}

Tile::Tile(tile::TileType type) : Tile(*tile::formatOf(type.getElementType()), type.getShape()) {}

Tile Tile::scalar(Element element) { return splat({}, element); }

//===-- Words -------------------------------------------------------------------------===//

/// Calls visit with a zero of the unsigned integer type that has the words' width.
template <typename Visit> static auto withWord(uint8_t wordLog2, Visit visit) {
  switch (wordLog2) {
  case 0:
    return visit(uint8_t());
  case 1:
    return visit(uint16_t());
  case 2:
    return visit(uint32_t());
  default:
    return visit(uint64_t());
  }
}

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
  return withWord(wordLog2,
                  [&](auto word) -> uint64_t { return read<decltype(word)>(words(), index); });
}

/// Copies every stride-th word from `from`; stride 0 repeats one word.
template <typename Word>
static void copyRow(uint8_t *to, const uint8_t *from, int64_t count, int64_t stride) {
  if (stride == 1)
    return (void)std::memcpy(to, from, count * sizeof(Word));
  if (stride == 0) {
    Word word = read<Word>(from, 0);
    for (int64_t i = 0; i < count; ++i)
      write<Word>(to, i, word);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    write<Word>(to, i, read<Word>(from, i * stride));
}

//===-- Elements ----------------------------------------------------------------------===//

void Tile::set(int64_t index, Element element, Mark mark) {
  assert(element.format == elementFormat && "elements of one tile have one format");
  setMark(index, mark);
  withWord(wordLog2, [&](auto word) { write<decltype(word)>(words(), index, element.bits); });
}

Tile Tile::splat(ArrayRef<int64_t> shape, Element element) {
  Tile result(element.format, shape);
  if (result.count == 0)
    return result;
  result.set(0, element);
  withWord(result.wordLog2, [&](auto word) {
    copyRow<decltype(word)>(result.words(), result.words(), result.count, 0);
  });
  if (element.poison)
    for (int64_t i = 0; i < result.count; ++i)
      result.setMark(i, Mark::Undefined);
  return result;
}

void Tile::setMark(int64_t index, Mark mark) {
  setBit(data->poison, index, mark != Mark::None);
  setBit(data->undefined, index, mark == Mark::Undefined);
}

void Tile::setBit(std::vector<uint64_t> &bits, int64_t index, bool value) {
  if (bits.empty()) {
    if (!value)
      return;
    bits.resize(llvm::divideCeil(count, 64));
  }
  uint64_t bit = uint64_t(1) << (index % 64);
  uint64_t &word = bits[index / 64];
  word = value ? word | bit : word & ~bit;
}

std::optional<int64_t> Tile::firstPoison() const {
  for (auto [at, bits] : llvm::enumerate(data->poison))
    if (bits)
      return at * 64 + llvm::countr_zero(bits);
  return std::nullopt;
}

std::optional<int64_t> Tile::first(Mark mark) const {
  for (auto [at, bits] : llvm::enumerate(data->poison)) {
    uint64_t undefined = mayHaveUndefined() ? data->undefined[at] : 0;
    if (uint64_t wanted = mark == Mark::Undefined ? undefined : bits & ~undefined)
      return at * 64 + llvm::countr_zero(wanted);
  }
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
  assert(llvm::product_of(shape) == count && "reshaping keeps the elements");
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
        setMark(to + i, source.markOf(from + i));
}

void Tile::addMarks(const Tile &source, Mark mark) {
  assert(source.count == count && "tiles of one shape");
  for (int64_t i = 0; source.mayHavePoison() && i < count; ++i)
    if (source.isPoison(i))
      setMark(i, std::max(mark, markOf(i)));
}

Tile Tile::withoutMarks() const {
  if (!mayHavePoison())
    return *this;
  Tile result(elementFormat, extents);
  std::memcpy(result.words(), words(), count << wordLog2);
  return result;
}

Tile Tile::onlyUndefined() const {
  Tile result = withoutMarks();
  for (int64_t i = 0; mayHavePoison() && i < count; ++i)
    if (Mark mark = markOf(i); mark == Mark::Unspecified)
      result.set(i, Element::zero(elementFormat));
    else
      result.setMark(i, mark);
  return result;
}

namespace {
/// A dimension to walk along: its extent, and the distance between its elements.
struct Step {
  int64_t extent, stride;
};
} // namespace

/// The same walk in as few dimensions as possible, at least one: contiguous dimensions are merged.
static SmallVector<Step> stepsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<Step> steps;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent == 1)
      continue;
    if (!steps.empty() && steps.back().stride == stride * extent)
      steps.back() = {steps.back().extent * extent, stride};
    else
      steps.push_back({extent, stride});
  }
  if (steps.empty())
    steps.push_back({1, 1});
  return steps;
}

/// Calls visit(source index, step) for the start of every innermost row, in row-major order.
template <typename Visit> static void forEachRow(ArrayRef<Step> steps, int64_t start, Visit visit) {
  if (steps.size() == 1)
    return visit(start, steps.front());
  for (int64_t i = 0; i < steps.front().extent; ++i, start += steps.front().stride)
    forEachRow(steps.drop_front(), start, visit);
}

Tile Tile::walked(ArrayRef<int64_t> shape, int64_t start, ArrayRef<int64_t> strides) const {
  Tile result(elementFormat, shape);
  SmallVector<Step> steps = stepsOf(shape, strides);
  uint8_t *next = result.words();
  withWord(wordLog2, [&](auto word) {
    forEachRow(steps, start, [&](int64_t at, Step step) {
      copyRow<decltype(word)>(next, words() + at * sizeof word, step.extent, step.stride);
      next += step.extent * sizeof word;
    });
  });
  if (!mayHavePoison())
    return result;
  int64_t to = 0;
  forEachRow(steps, start, [&](int64_t at, Step step) {
    for (int64_t i = 0; i < step.extent; ++i, at += step.stride, ++to)
      if (isPoison(at))
        result.setMark(to, markOf(at));
  });
  return result;
}

bool TensorView::anyPoison() const {
  auto poison = [](const Element &element) { return element.poison; };
  return base.poison || llvm::any_of(extents, poison) || llvm::any_of(strides, poison);
}
