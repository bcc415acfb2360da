// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws views. A tile covers a product of coordinates, one list per tensor dimension. So the tiles
// that cover a coordinate, and the positions in them, are computed separately for each dimension;
// an element is in the tiles that all of its dimensions have in common.
//
// If tiles overlap, an element has several layers. A tile is on the same layer for all of its
// elements, so that its borders are visible.

#include "tilewright/draw/ViewPicture.h"
#include "tilewright/draw/Palette.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::draw {

/// With larger extents, coordinates of tiles that extend beyond the end could overflow.
static constexpr int64_t maxExtent = int64_t(1) << 48;
/// More layers would be unreadable.
static constexpr int64_t maxLayers = 16;

namespace {

/// A tile that covers a coordinate: its number along the dimension, the position in it, and its
/// layer.
struct Cover {
  int64_t tile, position, layer;
};

/// The tiles along one dimension of the tensor.
struct Axis {
  int64_t extent = 0;
  size_t tileDim = 0;
  int64_t tileExtent = 0;
  DimensionRule rule;
  std::optional<Index> index;

  bool isSparse() const { return rule.isSparse; }
  int64_t tiles() const { return rule.indexCount(extent); }
  int64_t layers() const;
  Span span() const;
  SmallVector<Cover, 4> coversOf(int64_t coordinate) const;
};

} // namespace

//===-- One dimension ----------------------------------------------------------------===//

int64_t Axis::layers() const {
  if (!index) // how many tiles begin before the first one ends
    return std::min(tiles(), int64_t(divideCeil(tileExtent, rule.step)));
  if (!isSparse())
    return 1;
  int64_t most = 1;
  for (int64_t coordinate : index->numbers)
    most = std::max<int64_t>(most, llvm::count(index->numbers, coordinate));
  return most;
}

Span Axis::span() const {
  Span span{extent};
  if (isSparse()) {
    for (int64_t coordinate : index->numbers)
      if (coordinate >= extent)
        span.beyond.push_back(coordinate);
    llvm::sort(span.beyond);
    span.beyond.erase(llvm::unique(span.beyond), span.beyond.end());
    return span;
  }
  int64_t lastTile = index ? index->numbers.front() : tiles() - 1;
  // One more than a picture may have is sufficient to refuse it.
  int64_t end = std::min(lastTile * rule.step + tileExtent, extent + Sheet::maxElements + 1);
  for (int64_t at = extent; at < end; ++at)
    span.beyond.push_back(at);
  return span;
}

SmallVector<Cover, 4> Axis::coversOf(int64_t coordinate) const {
  SmallVector<Cover, 4> found;
  if (isSparse()) {
    for (auto [position, listed] : enumerate(index->numbers))
      if (listed == coordinate)
        found.push_back({0, int64_t(position), int64_t(found.size())});
    return found;
  }
  auto positionIn = [&](int64_t tile) { return coordinate - tile * rule.step; };
  auto covers = [&](int64_t tile) {
    return positionIn(tile) >= 0 && positionIn(tile) < tileExtent;
  };
  if (index) {
    if (int64_t tile = index->numbers.front(); covers(tile))
      found.push_back({tile, positionIn(tile), 0});
    return found;
  }
  for (int64_t tile = std::min(coordinate / rule.step, tiles() - 1); tile >= 0 && covers(tile);
       --tile)
    found.push_back({tile, positionIn(tile), tile % layers()});
  std::reverse(found.begin(), found.end());
  return found;
}

// ===-- Types ------------------------------------------------------------------------===//

/// The extents of the tensor; dynamic ones come from `dynamic`.
static Result<Numbers> extentsOf(TensorViewType tensor, ArrayRef<int64_t> dynamic) {
  Numbers extents(tensor.getShape());
  ArrayRef<int64_t> left = dynamic;
  for (auto [dim, extent] : enumerate(extents)) {
    if (mlir::ShapedType::isDynamic(extent)) {
      if (left.empty())
        return Failure{formatv("extent {0} of the tensor view is dynamic: give the dynamic extents "
                               "with --extents",
                               dim)};
      extent = left.front();
      left = left.drop_front();
    }
    if (extent < 1 || extent > maxExtent)
      return Failure{formatv("extent {0} of the tensor view must be from 1 to {1} to be drawn, but "
                             "is {2}",
                             dim, maxExtent, extent)};
  }
  if (!left.empty())
    return Failure{formatv("the tensor view has {0} dynamic extents, but {1} were given",
                           dynamic.size() - left.size(), dynamic.size())};
  return extents;
}

/// One axis per dimension of the tensor.
static SmallVector<Axis> axesOf(TileView view, ArrayRef<int64_t> extents) {
  SmallVector<Axis> axes(extents.size());
  for (auto [tileDim, tileExtent, rule] : enumerate(view.getTileShape(), rulesOf(view)))
    axes[rule.tensorDim] = {extents[rule.tensorDim], tileDim, tileExtent, rule, std::nullopt};
  return axes;
}

/// The extents of the index space, in the order of the indices.
static Numbers indexSpace(ArrayRef<Axis> axes) {
  Numbers space(axes.size());
  for (const Axis &axis : axes)
    space[axis.tileDim] = axis.tiles();
  return space;
}

//===-- Indices ----------------------------------------------------------------------===//

static std::optional<Numbers> parseNumbers(StringRef text) {
  Numbers numbers;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items)
    if (item.trim().getAsInteger(10, numbers.emplace_back()) || numbers.back() < 0)
      return std::nullopt;
  return numbers;
}

Result<SmallVector<Index, 4>> parseIndices(StringRef text) {
  SmallVector<Index, 4> indices;
  StringRef rest = text.trim();
  while (true) {
    bool isList = rest.consume_front("[");
    StringRef item = rest.take_until([&](char c) { return c == (isList ? ']' : ','); });
    rest = rest.drop_front(item.size());
    std::optional<Numbers> numbers = parseNumbers(item);
    if (!numbers || (isList && !rest.consume_front("]")))
      return Failure{formatv("expected an index for each dimension, numbers from 0 or a list such "
                             "as [5,1,7,3], but got '{0}'",
                             text)};
    indices.push_back({*numbers, isList});
    rest = rest.ltrim();
    if (rest.empty())
      return indices;
    if (!rest.consume_front(","))
      return Failure{formatv("expected ',' before '{0}' in the index '{1}'", rest, text)};
    rest = rest.ltrim();
  }
}

/// Checks the rules of types, 4.11 and 5.3.
static Result<void> checkIndex(const Index &index, const Axis &axis) {
  if (index.isList != axis.isSparse())
    return Failure{formatv("index {0} must be {1}", axis.tileDim,
                           axis.isSparse() ? "the list of coordinates along the sparse dimension"
                                           : "a number")};
  if (axis.isSparse() && int64_t(index.numbers.size()) != axis.tileExtent)
    return Failure{formatv("index {0} must list {1} coordinates, as many as the tile has, but "
                           "lists {2}",
                           axis.tileDim, axis.tileExtent, index.numbers.size())};
  if (!axis.isSparse() && index.numbers.front() >= axis.tiles())
    return Failure{formatv("index {0} is {1}, outside of the index space, which has {2} there: the "
                           "access is undefined",
                           axis.tileDim, index.numbers.front(), axis.tiles())};
  return {};
}

static Result<void> setIndices(ArrayRef<Index> indices, MutableArrayRef<Axis> axes) {
  if (indices.size() != axes.size())
    return Failure{
        formatv("the view takes {0} indices, but {1} were given", axes.size(), indices.size())};
  for (Axis &axis : axes) {
    const Index &index = indices[axis.tileDim];
    if (Result<void> checked = checkIndex(index, axis); !checked)
      return checked;
    axis.index = index;
  }
  return {};
}

//===-- Cells ------------------------------------------------------------------------===//

namespace {

/// Creates the cell of an element.
class CellMaker {
public:
  CellMaker(TileView view, ArrayRef<Axis> axes) : tensor(view.getTensorView()), axes(axes) {
    for (const Axis &axis : axes) {
      layersOf.push_back(std::min(axis.layers(), maxLayers + 1));
      layers = std::min(layers * layersOf.back(), maxLayers + 1);
    }
    Numbers space = indexSpace(axes);
    int64_t tiles = 1;
    for (size_t dim = space.size(); dim-- > 0;) {
      colorSteps.insert(colorSteps.begin(), tiles);
      tiles = std::min<int64_t>(tiles * std::min<int64_t>(space[dim], paletteSize + 1),
                                paletteSize + 1);
    }
    if (tiles > paletteSize)
      for (auto [dim, step] : enumerate(colorSteps))
        step = dim + 1 == space.size() ? 1 : 3;
  }

  int64_t layerCount() const { return layers; }
  Cell operator()(ArrayRef<int64_t> element) const;

private:
  bool isInside(ArrayRef<int64_t> element) const {
    return all_of(zip_equal(axes, element),
                  [](auto item) { return std::get<1>(item) < std::get<0>(item).extent; });
  }
  void addCovers(ArrayRef<int64_t> element, SmallVectorImpl<Cover> &chosen, Cell &cell) const;
  void addPart(ArrayRef<Cover> covers, Cell &cell) const;
  std::string placeText(ArrayRef<int64_t> element, bool inside) const;

  TensorViewType tensor;
  ArrayRef<Axis> axes;
  int64_t layers = 1;
  Numbers layersOf; ///< Per dimension.
  /// Per dimension, by how many colours a step of the tile index changes the colour. Up to twelve
  /// tiles all have different colours. If there are more in two dimensions, tiles at most two steps
  /// apart differ.
  Numbers colorSteps;
};

} // namespace

/// `[3, 5], at offset 53`, or that it is outside the tensor.
std::string CellMaker::placeText(ArrayRef<int64_t> element, bool inside) const {
  std::string text = "[" + listText(element) + "]";
  if (!inside)
    return text + ", outside of the tensor";
  APInt offset(128, 0);
  for (auto [at, stride] : zip_equal(element, tensor.getStrides())) {
    if (mlir::ShapedType::isDynamic(stride))
      return text;
    offset += APInt(128, at) * APInt(128, stride);
  }
  SmallString<40> digits;
  offset.toStringUnsigned(digits);
  return text + ", at offset " + std::string(digits);
}

Cell CellMaker::operator()(ArrayRef<int64_t> element) const {
  Cell cell;
  bool inside = isInside(element);
  cell.parts.resize(layers);
  cell.hover = placeText(element, inside);
  SmallVector<Cover> chosen;
  addCovers(element, chosen, cell);
  bool covered = any_of(cell.parts, [](const Part &part) { return !part.isEmpty(); });
  cell.hatched = covered && !inside;
  cell.absent = !covered && !inside;
  if (!covered)
    cell.hover += ": in no tile";
  return cell;
}

/// Adds all combinations of the covers of each coordinate, dimension by dimension.
void CellMaker::addCovers(ArrayRef<int64_t> element, SmallVectorImpl<Cover> &chosen,
                          Cell &cell) const {
  size_t dim = chosen.size();
  if (dim == axes.size())
    return addPart(chosen, cell);
  for (const Cover &cover : axes[dim].coversOf(element[dim])) {
    chosen.push_back(cover);
    addCovers(element, chosen, cell);
    chosen.pop_back();
  }
}

void CellMaker::addPart(ArrayRef<Cover> covers, Cell &cell) const {
  Numbers tile(axes.size()), position(axes.size());
  int64_t layer = 0;
  std::optional<int64_t> sparse;
  for (auto [axis, count, cover] : zip_equal(axes, layersOf, covers)) {
    tile[axis.tileDim] = cover.tile;
    position[axis.tileDim] = cover.position;
    layer = layer * count + cover.layer;
    if (axis.isSparse())
      sparse = cover.position;
  }
  int64_t color = 0, group = 0;
  for (auto [number, step] : zip_equal(tile, colorSteps)) {
    color += number * step;
    group = group * (int64_t(1) << 20) + number;
  }
  Part &part = cell.parts[layer];
  bool one = axes.front().index.has_value();
  part.label = sparse ? std::to_string(*sparse) : listText(one ? position : tile, ",");
  part.color = colorOf(sparse.value_or(color));
  part.group = sparse.value_or(group);
  cell.hover += one ? formatv("; element ({0}) of the tile", listText(position, ",")).str()
                    : formatv("; in tile ({0}) its element ({1})", listText(tile, ","),
                              listText(position, ","))
                          .str();
}

//===-- The picture ------------------------------------------------------------------===//

static std::string outsideText(TileView view) {
  std::string value = "an unspecified value";
  if (PaddingValueAttr padding = view.getPaddingValue())
    value = "the padding " + stringifyPaddingValue(padding.getValue()).str();
  return "outside of the tensor: loads give " + value + ", stores leave it out";
}

static std::string indicesText(ArrayRef<Index> indices) {
  std::string text;
  for (const Index &index : indices) {
    text += text.empty() ? "" : ", ";
    text += index.isList ? "[" + listText(index.numbers) + "]" : listText(index.numbers);
  }
  return text;
}

static void describe(Picture &picture, TileView view, const ViewChoice &choice,
                     ArrayRef<int64_t> extents, ArrayRef<Axis> axes, const Sheet &sheet) {
  raw_string_ostream(picture.title) << mlir::Type(view);
  picture.bracketed = true;
  picture.notes.push_back(
      formatv("tensor {0}, index space {1}", shapeText(extents), shapeText(indexSpace(axes))));
  if (!choice.indices)
    picture.notes.push_back("each element has the tiles that it is in");
  else
    picture.notes.push_back(formatv(
        "each element has its place in the tile at index ({0}){1}", indicesText(*choice.indices),
        isa<GatherScatterViewType>(view) ? ", along its sparse dimension" : ""));
  if (!sheet.sectionText().empty())
    picture.notes.push_back("drawn: " + sheet.sectionText());
  if (any_of(picture.cells, [](const Cell &cell) { return cell.hatched; }))
    picture.legend.push_back({Part::noColor, true, outsideText(view)});
}

Result<Picture> drawView(TileView view, const ViewChoice &choice) {
  Result<Numbers> extents = extentsOf(view.getTensorView(), choice.dynamicExtents);
  if (!extents)
    return extents.failure();
  SmallVector<Axis> axes = axesOf(view, *extents);
  if (choice.indices) {
    if (Result<void> set = setIndices(*choice.indices, axes); !set)
      return set.failure();
  } else if (isa<GatherScatterViewType>(view)) {
    return Failure{"a gather/scatter view has no grid of tiles: choose one tile with --index, such "
                   "as --index '[5,1,7,3],0'"};
  }
  CellMaker cellFor(view, axes);
  if (cellFor.layerCount() > maxLayers)
    return Failure{formatv("more than {0} tiles overlap in one element: choose one tile with "
                           "--index",
                           maxLayers)};
  SmallVector<Span> spans;
  for (const Axis &axis : axes)
    spans.push_back(axis.span());
  Result<Sheet> sheet = Sheet::of(spans, choice.section);
  if (!sheet)
    return sheet.failure();
  Picture picture;
  sheet->fill(picture, cellFor);
  describe(picture, view, choice, *extents, axes, *sheet);
  return picture;
}

} // namespace tilewright::draw
