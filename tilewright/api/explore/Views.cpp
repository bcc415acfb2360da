// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Views.h.

#include "tilewright/api/explore/Views.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::api;
using reference::TileBlock;
namespace json = llvm::json;

static tile::TileView viewTypeOf(mlir::Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return access ? llvm::dyn_cast<tile::TileView>(access.getAddressed().getType()) : nullptr;
}

/// The index of a tile; null if a dimension is sparse. Index operands follow the view and the
/// stored tile.
static json::Value indexOf(TileBlock &block, mlir::Operation *op) {
  const tile::TileView view = viewTypeOf(op);
  if (!view)
    return nullptr;
  const bool hasStored = bool(llvm::cast<tile::MemoryAccessOpInterface>(op).getStored());
  json::Array index;
  const auto operands = op->getOperands().drop_front(hasStored ? 2 : 1);
  for (auto [rule, operand] : llvm::zip(tile::rulesOf(view), operands)) {
    if (rule.isSparse)
      return nullptr;
    index.push_back(int64_t(block.scalar(operand).bits));
  }
  return index;
}

ExploredViews::View &ExploredViews::viewOf(mlir::Operation *op, size_t array,
                                           const Accesses &accesses) {
  View &view = views[{op, array}];
  if (!view.row.empty())
    return view;
  view.row = json::Object{{"operation", op->getName().stripDialect()},
                          {"location", report::toJson(report::placeOf(op->getLoc(), file))},
                          {"kind", accesses.kind},
                          {"array", int64_t(array)},
                          {"tile", json::Array(accesses.tile)},
                          {"view", nullptr},
                          {"dim_map", nullptr}};
  if (const tile::TileView type = viewTypeOf(op)) {
    json::Array dimensions;
    for (const tile::DimensionRule &rule : tile::rulesOf(type))
      dimensions.push_back(int64_t(rule.tensorDim));
    view.row["view"] = typeText(type);
    view.row["dim_map"] = std::move(dimensions);
  }
  return view;
}

void ExploredViews::add(TileBlock &block, mlir::Operation *op, const Accesses &accesses) {
  constexpr size_t mostOfView = 4096, most = 1 << 14, mostRuns = 1 << 15;
  for (const auto &[array, elements] : accesses.elements) {
    if (!array)
      continue;
    View &view = viewOf(op, *array, accesses);
    if (view.accesses.size() == mostOfView || listedAccesses >= most || listedRuns >= mostRuns) {
      ++view.unlisted;
      continue;
    }
    const runtime::Block &id = block.id();
    json::Object access{{"block", json::Array{id.x, id.y, id.z}}, {"index", indexOf(block, op)}};
    listedRuns += elements.addTo(access);
    ++listedAccesses;
    view.accesses.push_back(std::move(access));
  }
}

json::Array ExploredViews::takeJson() {
  json::Array rows;
  for (auto &[key, view] : views) {
    view.row["accesses"] = std::move(view.accesses);
    view.row["unlisted"] = view.unlisted;
    rows.push_back(std::move(view.row));
  }
  return rows;
}
