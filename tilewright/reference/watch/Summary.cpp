// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summarises a value in one line. Small tiles are shown with all elements, large ones with the
// first elements, the extremes, and the numbers of undefined and NaN elements. For an address, the
// line names the array that it points into.

#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/watch/TraceWriter.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

/// Tiles of up to `wholeTile` elements are shown completely, others by their first `shownElements`.
static constexpr int64_t wholeTile = 8, shownElements = 4;

static std::string elementText(Element element) {
  if (element.poison)
    return "undefined";
  if (element.format == Format::Pointer)
    return "0x" + llvm::utohexstr(element.bits);
  return numerics::toString(element);
}

static bool isLess(Element a, Element b) {
  return numerics::info(a.format).isFloat() ? a.asDouble() < b.asDouble()
                                            : a.asSigned() < b.asSigned();
}

/// ` (min 0, max 1023, 2 nan, 3 undefined)`; for booleans, how many are true.
static std::string statisticsOf(const Tile &tile) {
  std::optional<Element> least, greatest;
  int64_t undefined = 0, nans = 0, trues = 0;
  for (int64_t i = 0; i < tile.size(); ++i) {
    Element element = tile[i];
    if (element.poison || (numerics::info(element.format).isFloat() && element.isNan())) {
      ++(element.poison ? undefined : nans);
      continue;
    }
    trues += element.bits == 1;
    if (!least || isLess(element, *least))
      least = element;
    if (!greatest || isLess(*greatest, element))
      greatest = element;
  }
  llvm::SmallVector<std::string> parts;
  if (tile.format() == Format::I1)
    parts.push_back(std::to_string(trues) + " true");
  else if (least && tile.format() != Format::Pointer)
    parts = {"min " + elementText(*least), "max " + elementText(*greatest)};
  if (nans)
    parts.push_back(std::to_string(nans) + " nan");
  if (undefined)
    parts.push_back(std::to_string(undefined) + " undefined");
  return parts.empty() ? "" : " (" + llvm::join(parts, ", ") + ")";
}

/// ` in parameter 1 (4xf32)`, if the address is in an array.
static std::string arrayText(TileBlock &block, const Tile &pointers, Format pointee) {
  Element first = pointers[0];
  if (first.poison)
    return "";
  const Allocation *allocation =
      block.memory().allowed({first.bits, pointee}, 1, AccessKind::Read, block.id().number);
  return allocation ? " in " + allocation->name : "";
}

/// `1024xf32`, `4xptr<i32>`
static void printType(llvm::raw_ostream &os, tile::TileType type) {
  for (int64_t extent : type.getShape())
    os << extent << "x";
  if (auto pointer = llvm::dyn_cast<tile::PointerType>(type.getElementType()))
    os << "ptr<" << pointer.getPointeeType() << ">";
  else
    os << type.getElementType();
}

static std::string summaryOf(TileBlock &block, const Tile &tile, tile::TileType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printType(os, type);
  os << " ";
  if (tile.rank() == 0) {
    os << elementText(tile[0]);
  } else {
    bool isWhole = tile.size() <= wholeTile;
    os << "[";
    for (int64_t i = 0, end = isWhole ? tile.size() : shownElements; i < end; ++i)
      os << (i ? ", " : "") << elementText(tile[i]);
    os << (isWhole ? "]" : ", ...]");
    if (!isWhole)
      os << statisticsOf(tile);
  }
  if (auto pointer = llvm::dyn_cast<tile::PointerType>(type.getElementType()))
    os << arrayText(block, tile, *tile::formatOf(pointer.getPointeeType()));
  return text;
}

static std::string listOf(llvm::ArrayRef<Element> elements) {
  return "[" + llvm::join(llvm::map_range(elements, elementText), ", ") + "]";
}

static std::string summaryOf(TileBlock &block, const TensorView &view, mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Allocation *array = nullptr;
  auto tensor = llvm::dyn_cast<tile::TensorViewType>(type);
  if (!tensor)
    tensor = llvm::cast<tile::TileView>(type).getTensorView();
  Format format = *tile::formatOf(tensor.getElementType());
  if (!view.base.poison)
    array =
        block.memory().allowed({view.base.bits, format}, 1, AccessKind::Read, block.id().number);
  if (array)
    os << array->name << array->elementText({view.base.bits, format});
  else
    os << elementText(view.base);
  os << ", extents " << listOf(view.extents) << ", strides " << listOf(view.strides);
  return text;
}

std::string reference::summaryOf(TileBlock &block, mlir::Value value) {
  const Register &content = block.get(value);
  if (auto *tile = std::get_if<Tile>(&content))
    return ::summaryOf(block, *tile, llvm::cast<tile::TileType>(value.getType()));
  if (auto *view = std::get_if<TensorView>(&content))
    return "view of " + ::summaryOf(block, *view, value.getType());
  if (auto *waiting = std::get_if<PendingTile>(&content))
    return ("not yet read by " + nameOf(waiting->operation->op)).str();
  if (!std::holds_alternative<Token>(content))
    return "nothing";
  Token token = std::get<Token>(content);
  dropFinished(token);
  if (!token.pending.empty())
    return "token, not yet performed";
  Epoch last = token.clock.last;
  return last.chain ? "token " + std::to_string(last.chain) + "." + std::to_string(last.sequence)
                    : "token";
}
