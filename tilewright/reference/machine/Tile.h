// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles and tensor views, the contents of registers.
//
// A tile is a contiguous array of element bit patterns, one word of 1, 2, 4 or 8 bytes each. If any
// element is poison, there is also one poison bit per element. A poison element still has bits,
// those that some hardware would produce, and arithmetic continues on them; the mark means that
// nothing specifies them. A second bit tells undefined poison from unspecified poison (Mark.h);
// tiles without any have none of these bits. Tiles are immutable once they are made, so copies
// share their elements.
//
// A tensor view is a base, extents and strides; its type defines the tiles.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_TILE_H
#define TILEWRIGHT_REFERENCE_MACHINE_TILE_H

#include "tilewright/numerics/Element.h"
#include "tilewright/reference/machine/Mark.h"
#include "tilewright/tile/types/Types.h"

#include <memory>
#include <vector>

namespace tilewright::reference {

using numerics::Element;
using numerics::Format;

/// The element without its poison mark, as hardware sees it.
inline Element withoutMark(Element element) { return {element.bits, element.format}; }

class Tile {
public:
  /// The elements have no value yet; the creator sets all of them before sharing the tile.
  Tile(Format format, llvm::ArrayRef<int64_t> shape);
  explicit Tile(tile::TileType type);
  static Tile scalar(Element element);
  static Tile splat(llvm::ArrayRef<int64_t> shape, Element element);

  Format format() const { return elementFormat; }
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  int64_t rank() const { return extents.size(); }
  /// Number of elements.
  int64_t size() const { return count; }

  /// The element with this index in row-major order.
  Element operator[](int64_t index) const { return {word(index), elementFormat, isPoison(index)}; }
  /// Poison that arithmetic produces is undefined.
  void set(int64_t index, Element element) {
    set(index, element, element.poison ? Mark::Undefined : Mark::None);
  }
  void set(int64_t index, Element element, Mark mark);
  bool isPoison(int64_t index) const { return isIn(data->poison, index); }
  Mark markOf(int64_t index) const {
    return !isPoison(index)               ? Mark::None
           : isIn(data->undefined, index) ? Mark::Undefined
                                          : Mark::Unspecified;
  }
  void setMark(int64_t index, Mark mark);
  /// False for most tiles. May be true even if all poison has been overwritten.
  bool mayHavePoison() const { return !data->poison.empty(); }
  bool mayHaveUndefined() const { return !data->undefined.empty(); }
  /// Index of the first poison element, if there is one.
  std::optional<int64_t> firstPoison() const;
  /// Index of the first element with this mark, which is not None.
  std::optional<int64_t> first(Mark mark) const;

  /// The element of a tile of rank 0.
  Element scalar() const {
    assert(count == 1 && "a tile of one element");
    return (*this)[0];
  }

  /// The same elements in row-major order, in another shape.
  Tile reshaped(llvm::ArrayRef<int64_t> shape) const;
  /// Element e of the result is element start + sum(e[k] * strides[k]) of this tile: broadcasts,
  /// transposes and slices differ only in their strides.
  Tile walked(llvm::ArrayRef<int64_t> shape, int64_t start, llvm::ArrayRef<int64_t> strides) const;
  /// Copies `count` elements of another tile, from `from` on, to elements from `to` on.
  void copyFrom(const Tile &source, int64_t from, int64_t to, int64_t count);
  /// Raises the marks of elements to at least `mark` where those of a tile of the same shape are
  /// poison.
  void addMarks(const Tile &source, Mark mark);
  /// The same elements, none of them poison.
  Tile withoutMarks() const;
  /// Keeps the undefined elements as poison; unspecified ones become zeros without poison.
  Tile onlyUndefined() const;
  /// One element and its mark, as a tile of rank 0.
  Tile scalarAt(int64_t index) const { return walked({}, index, {}); }

  /// The words of the elements, to be read or written as a whole.
  const uint8_t *words() const { return data->words; }
  uint8_t *words() { return data->words; }
  unsigned wordBytes() const { return 1u << wordLog2; }
  static unsigned wordBytesOf(Format format);

  std::vector<Element> elements() const;

private:
  /// A block has many scalars; their words are stored inline here, to save an indirection.
  struct Storage {
    explicit Storage(size_t bytes);

    alignas(8) uint8_t few[8];
    std::unique_ptr<uint8_t[]> many;
    uint8_t *words;
    /// Empty if no element is poison; `undefined` tells which of the poison elements are undefined.
    std::vector<uint64_t> poison, undefined;
  };

  static bool isIn(const std::vector<uint64_t> &bits, int64_t index) {
    return !bits.empty() && bits[index / 64] >> (index % 64) & 1;
  }
  void setBit(std::vector<uint64_t> &bits, int64_t index, bool value);

  uint64_t word(int64_t index) const;

  Format elementFormat;
  uint8_t wordLog2;
  llvm::SmallVector<int64_t, 4> extents;
  int64_t count;
  std::shared_ptr<Storage> data;
};

/// An array in memory, as described by `make_tensor_view`. Extents and strides are zero-extended to
/// i64; each may be poison until it is needed.
struct TensorView {
  Element base;
  llvm::SmallVector<Element, 4> extents, strides;
  /// The marks of the extents.
  llvm::SmallVector<Mark, 4> extentMarks;

  bool anyPoison() const;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_TILE_H
