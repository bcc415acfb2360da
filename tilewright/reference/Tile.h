// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a register hold? A tile is a contiguous array of element bit patterns, one
// word of 1, 2, 4 or 8 bytes each, plus one bit per element that says "poison" where
// there is any. Tiles never change once they are made, so copies share their elements.
// A view is a tensor view: base, extents and strides; which tiles it has, its type says.

#ifndef TILEWRIGHT_REFERENCE_TILE_H
#define TILEWRIGHT_REFERENCE_TILE_H

#include "tilewright/numerics/Element.h"
#include "tilewright/tile/Types.h"

#include <memory>
#include <vector>

namespace tilewright::reference {

using numerics::Element;
using numerics::Format;

class Tile {
public:
  /// All elements are zero bits; whoever makes the tile sets them before sharing it.
  Tile(Format format, llvm::ArrayRef<int64_t> shape);
  explicit Tile(tile::TileType type);
  static Tile scalar(Element element);
  static Tile splat(llvm::ArrayRef<int64_t> shape, Element element);

  Format format() const { return elementFormat; }
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  int64_t rank() const { return extents.size(); }
  /// Number of elements.
  int64_t size() const { return count; }

  /// Element number index in row-major order.
  Element operator[](int64_t index) const { return {word(index), elementFormat, isPoison(index)}; }
  void set(int64_t index, Element element);
  bool isPoison(int64_t index) const {
    return !data->poison.empty() && data->poison[index / 64] >> (index % 64) & 1;
  }
  /// Number of the first poison element, if there is one.
  std::optional<int64_t> firstPoison() const;

  /// The element of a tile of rank 0.
  Element scalar() const {
    assert(count == 1 && "a tile of one element");
    return (*this)[0];
  }

  /// The same elements in row-major order under another shape.
  Tile reshaped(llvm::ArrayRef<int64_t> shape) const;
  /// Element e of the result is element start + sum(e[k] * strides[k]) of this tile:
  /// broadcasts, transposes and slices differ in the strides only.
  Tile walked(llvm::ArrayRef<int64_t> shape, int64_t start, llvm::ArrayRef<int64_t> strides) const;
  /// Sets elements [to, to + count) to those of another tile from `from` on.
  void copyFrom(const Tile &source, int64_t from, int64_t to, int64_t count);

  /// The words of the elements, to be read or filled as a whole.
  const uint8_t *words() const { return data->words.data(); }
  uint8_t *words() { return data->words.data(); }
  unsigned wordBytes() const { return 1u << wordLog2; }

  std::vector<Element> elements() const;

private:
  struct Storage {
    std::vector<uint8_t> words;
    /// Empty where no element is poison.
    std::vector<uint64_t> poison;
  };

  uint64_t word(int64_t index) const;
  void setPoison(int64_t index, bool isPoison);

  Format elementFormat;
  uint8_t wordLog2;
  llvm::SmallVector<int64_t, 4> extents;
  int64_t count;
  std::shared_ptr<Storage> data;
};

/// Row-major strides, in elements: the last dimension is contiguous.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// `[1, 0, 7]`: where element number index lies in a tile; empty for rank 0.
std::string coordinateText(llvm::ArrayRef<int64_t> shape, int64_t index);

/// An array in memory, as `make_tensor_view` described it. Extents and strides are
/// zero-extended to i64; each may be poison until it is needed.
struct TensorView {
  Element base;
  llvm::SmallVector<Element, 4> extents, strides;

  bool anyPoison() const;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_TILE_H
